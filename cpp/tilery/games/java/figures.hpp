// SPDX-License-Identifier: MIT
// Figures: entering, leaving, moving (JA-19 to JA-22).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

// JA-19: land at the edge, where a figure can come or go for a number of action points.
auto Island::edge_at(const View& v, int budget) const -> Set {
    if (budget < 1) return {};
    const Set& ground = budget == 1 ? lowlands_ : outside_;
    return v.land & (ground | (board_land_ & around(ground - v.land)));
}

int Island::edge_price(const State& state, std::size_t cell) const { return edge_at(view(state), 1).has(cell) ? 1 : 2; }

// JA-20: calls goals(price, spaces) with the spaces that can be reached from one, for each price from 0
// up, until it returns false. Spaces with own figures are among them.
void Island::reach(const State& state, const View& v, std::size_t from, int budget, auto&& goals) const {
    // All spaces of one price are of one kind, rice or village; the next price is on the other kind.
    const Set passable = v.open | v.own, villages = passable & v.village;
    std::array<Set, 2> unseen{passable - villages, villages};
    std::size_t kind = has(state, Plane::kVillage, from) ? 1 : 0;
    Set now = only(from);
    for (int price = 0; price <= budget; ++price) {
        now = flood(now, unseen[kind]);
        if (!goals(price, now)) return;
        unseen[kind] -= now;
        kind = 1 - kind;
        now = around(now) & unseen[kind];
        if (now.empty()) return;
    }
}

// JA-21, JA-22: where a figure taken up there may be set down. Leaves in by_price->room() what it reaches for 0 action
// points, for 1, and so on.
auto Island::goals(const State& state, const View& v, std::size_t from, int budget, LegalActions* by_price) const
    -> Set {
    Set result;
    reach(state, v, from, budget, [&](int price, Set spaces) {
        if (by_price != nullptr) spaces.store(by_price->room());
        spaces &= v.open;
        if (price == 0) {
            if (has(state, Plane::kEnded, from)) return true;
            spaces -= get(state, Plane::kStarted);
        }
        result |= spaces;
        return true;
    });
    return result;
}

// JA-20: of the cheapest path, or kNever.
int Island::move_price(const State& state, const View& v, std::size_t from, std::size_t to) const {
    int result = kNever;
    reach(state, v, from, kNever, [&](int price, const Set& spaces) {
        if (spaces.has(to)) result = price;
        return result == kNever;
    });
    return result;
}

// JA-21: the own figures that have a goal.
auto Island::liftable(const State& state, const View& v, int budget) const -> Set {
    const auto same_kind = [&](const Set& spaces) {
        return (around(spaces & v.village) & v.village) | (around(spaces - v.village) - v.village);
    };
    const Set started = get(state, Plane::kStarted), ended = get(state, Plane::kEnded);
    if (budget < 1) {  // On one kind of land, past own figures and goals that are barred.
        const Set goals_now = v.open - started, passed = v.own | (v.open & started);
        Set result = passed & same_kind(goals_now);
        for (Set next = result; !(next = (passed & same_kind(next)) - result).empty();) result |= next;
        return (result & v.own) - ended;
    }
    // Most have a goal next to them: on the same kind of land for 0 points, on the other kind for 1.
    Set result;
    if (started.empty()) {
        result = v.own & around(v.open);
    } else {
        result = (v.own - ended) & same_kind(v.open - started);
        result |= v.own & ((around(v.open & v.village) - v.village) | (around(v.open - v.village) & v.village));
    }
    const Set rest = v.own - result;
    if (rest.empty()) return result;
    (rest & adjacent(v.open | v.own)).for_each([&](std::size_t cell) {
        if (!goals(state, v, cell, budget).empty()) result.insert(cell);
    });
    return result;
}

// JA-21, JA-22 for setting down the figure that is taken up.
Refusal Island::refusal_of_set_down(const State& state, const View& v, std::size_t cell) const {
    if (goals(state, v, state.lifted, reserve(state, v).budget).has(cell)) return nullptr;
    if (!v.open.has(cell)) return "JA-20: a figure moves to another free land space";
    const int price = move_price(state, v, state.lifted, cell);
    if (price == kNever) return "JA-20: no path of free land leads to that space";
    if (price == 0) {
        return "JA-22: a move for 0 action points may not start where such a move ended or end where one started";
    }
    return price > state.ap ? kTooFewPoints : kKeepReserve;
}

// JA-19 for entering and leaving.
Refusal Island::refusal_at_edge(const State& state, const View& v, Move move, const Reserve& reserve) const {
    if (move.verb == Verb::kEnter) {
        if (state.figures[state.turn] == 0) return "JA-19: the player has no figure left to enter with";
        if (!v.open.has(move.cell)) return "JA-19: a figure enters on a free land space";
    } else if (!v.own.has(move.cell)) {
        return "JA-19: there is no figure of the player to leave";
    }
    if (edge_at(v, reserve.budget).has(move.cell)) return nullptr;
    if (!edge_at(v, 2).has(move.cell))
        return "JA-19: the space is not at the edge, all outside spaces next to it being covered";
    return edge_at(v, state.ap).has(move.cell) ? kKeepReserve : kTooFewPoints;
}

void Island::enter(State& state, std::size_t cell) const {
    --state.figures[state.turn];
    insert(state, planes::figures(state.turn), cell);
    insert(state, Plane::kBlocked, cell);
}

void Island::leave(State& state, std::size_t cell) const {
    ++state.figures[state.turn];
    erase(state, planes::figures(state.turn), cell);
    erase(state, Plane::kBlocked, cell);
}

void Island::set_down(State& state, std::size_t cell, int price) const {
    erase(state, planes::figures(state.turn), state.lifted);
    erase(state, Plane::kBlocked, state.lifted);
    insert(state, planes::figures(state.turn), cell);
    insert(state, Plane::kBlocked, cell);
    if (price == 0) {
        insert(state, Plane::kStarted, state.lifted);
        insert(state, Plane::kEnded, cell);
    }
}

void Island::forget_moves(State& state) const {
    if (get(state, Plane::kStarted).empty()) return;
    put(state, Plane::kStarted, {});
    put(state, Plane::kEnded, {});
}

}  // namespace tilery::java
