// SPDX-License-Identifier: MIT
// Figures: entering, leaving, moving (JA-19 to JA-22).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

// JA-19: land at the edge, where a figure can come or go for so many action points.
template <class N>
auto Island<N>::edge_at(const View& v, int budget) const -> Set {
    if (budget < 1) return {};
    const Set& ground = budget == 1 ? lowlands_ : outside_;
    return v.land & (ground | (board_land_ & numbering_.around(ground - v.land)));
}

template <class N>
int Island<N>::edge_price(const State& state, std::uint16_t cell) const {
    return edge_at(view(state), 1).has(cell) ? 1 : 2;
}

// JA-20: shows the spaces that can be reached from one, for each price from 0 up, as
// goals(price, spaces) until it answers false. Spaces with own figures are among them.
template <class N>
template <class Goals>
void Island<N>::reach(const State& state, const View& v, std::uint16_t from, int budget, Goals&& goals) const {
    // All spaces of a price have one colour; those next to them are of the other, a change more.
    const Set passable = v.open | v.own, villages = passable & v.village;
    std::array<Set, 2> unseen{passable - villages, villages};
    std::size_t colour = has(state, kVillage, from) ? 1 : 0;
    Set now = only(from);
    for (int price = 0; price <= budget; ++price) {
        now = flood(now, unseen[colour]);
        if (!goals(price, now)) return;
        unseen[colour] -= now;
        colour = 1 - colour;
        now = numbering_.around(now) & unseen[colour];
        if (now.empty()) return;
    }
}

// JA-21, JA-22: where a figure may be set down.
template <class N>
auto Island<N>::goals(const State& state, const View& v, std::uint16_t from, int budget) const -> Set {
    Set result;
    reach(state, v, from, budget, [&](int price, Set spaces) {
        spaces &= v.open;
        if (price == 0) {
            if (has(state, kEnded, from)) return true;
            spaces -= get(state, kStarted);
        }
        result |= spaces;
        return true;
    });
    return result;
}

template <class N>
int Island<N>::move_price(const State& state, const View& v, std::uint16_t from, std::uint16_t to) const {
    int result = 0;
    reach(state, v, from, kLongestStretch, [&](int price, const Set& spaces) {
        result = price;
        return !spaces.has(to);
    });
    return result;
}

// JA-21: the own figures that have somewhere to go.
template <class N>
auto Island<N>::liftable(const State& state, const View& v, int budget) const -> Set {
    // Most have a goal next to them: of their colour for nothing, of the other for a point.
    const Set started = get(state, kStarted), villages = v.village;
    Set result;
    if (budget > 0 && started.empty()) {
        result = v.own & numbering_.around(v.open);
    } else {
        const Set goals_now = v.open - started, movers = v.own - get(state, kEnded);
        result = movers & ((numbering_.around(goals_now & villages) & villages) |
                           (numbering_.around(goals_now - villages) - villages));
        if (budget > 0) {
            result |= v.own & ((numbering_.around(v.open & villages) - villages) |
                               (numbering_.around(v.open - villages) & villages));
        }
    }
    // Others have to pass an own figure, or a goal that is barred.
    const Set rest = v.own - result;
    if (rest.empty()) return result;
    (rest & numbering_.beside(v.open | v.own)).for_each([&](std::size_t cell) {
        if (!goals(state, v, static_cast<std::uint16_t>(cell), budget).empty()) result.insert(cell);
    });
    return result;
}

template <class N>
void Island<N>::enter(State& state, std::uint16_t cell) const {
    --state.figures[state.turn];
    insert(state, kFigure + state.turn, cell);
    insert(state, kBlocked, cell);
}

template <class N>
void Island<N>::leave(State& state, std::uint16_t cell) const {
    ++state.figures[state.turn];
    erase(state, kFigure + state.turn, cell);
    erase(state, kBlocked, cell);
}

template <class N>
void Island<N>::set_down(State& state, std::uint16_t cell, int price) const {
    erase(state, kFigure + state.turn, state.lifted);
    erase(state, kBlocked, state.lifted);
    insert(state, kFigure + state.turn, cell);
    insert(state, kBlocked, cell);
    if (price == 0) {
        insert(state, kStarted, state.lifted);
        insert(state, kEnded, cell);
    }
}

template <class N>
void Island<N>::forget_moves(State& state) const {
    if (get(state, kStarted).empty()) return;
    put(state, kStarted, {});
    put(state, kEnded, {});
}

}  // namespace tilery::java
