// SPDX-License-Identifier: MIT
// Settlements, palaces and who ranks first in them (JA-14, JA-23 to JA-26, JA-35).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

template <class N>
int Island<N>::height(const State& state, std::size_t cell) const {
    int result = 0;
    for (std::size_t bit = 0; bit < state.height_bits; ++bit) result |= has(state, kHeight + bit, cell) << bit;
    return result;
}

template <class N>
int Island<N>::palace_value(const State& state, std::uint16_t cell) const {
    int result = 0;
    for (std::size_t bit = 0; bit < 3; ++bit) result |= has(state, kPalace + bit, cell) << (bit + 1);
    return result;
}

// JA-26: all zero for a player without figures there.
template <class N>
Heights Island<N>::ranks(const State& state, std::size_t player, const Set& place) const {
    Heights list{};
    std::size_t size = 0;
    (get(state, kFigure + player) & place).for_each([&](std::size_t cell) {
        const auto here = static_cast<std::uint8_t>(height(state, cell));
        std::size_t at = size++;
        for (; at > 0 && list[at - 1] < here; --at) list[at] = list[at - 1];
        list[at] = here;
    });
    return list;
}

// The player ranked first, or the number of players if there is no one or a tie.
template <class N>
std::size_t Island<N>::first_alone(const State& state, const Set& place) const {
    Heights best{};
    std::size_t first = players_;
    for (std::size_t player = 0; player < players_; ++player) {
        const Heights list = ranks(state, player, place);
        if (list > best) {
            best = list;
            first = player;
        } else if (list == best) {
            first = players_;
        }
    }
    return first;
}

// JA-23 to JA-25, JA-29: what the mover may build where, if he has the action points, and where
// he may hold a festival, if the turn may end and he has a card.
template <class N>
auto Island<N>::works(const State& state, const View& v, const Set& seeds) const -> Works {
    Works result;
    const Set others = v.blocked - v.palaces - v.own;
    Set left = seeds;
    while (!left.empty()) {
        const Set settlement = flood(only(left.first()), v.village);
        left -= settlement;
        const Set palace = settlement & v.palaces, places = settlement & v.open;
        const bool city = !palace.empty();
        if (city && palace.meets(get(state, kFresh))) result.festivals |= palace;
        if (city ? palace.meets(get(state, kChanged)) : places.empty()) continue;
        if (settlement.meets(others) && first_alone(state, settlement) != state.turn) continue;
        const std::uint32_t size = settlement.size();
        const int standing = city ? palace_value(state, static_cast<std::uint16_t>(palace.first())) : 0;
        for (std::size_t value = static_cast<std::size_t>(standing) / 2 + 1;
             value <= kPalaceValues && 2 * value <= size; ++value) {
            if (state.palaces[value - 1] > 0) result.palaces[value - 1] |= city ? palace : places;
        }
    }
    return result;
}

template <class N>
bool Island<N>::can_host(const State& state) const {
    const Cards& hand = state.hands[state.turn];
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (hand[kind] > 0 && matches(kind, state.open)) return true;
    }
    return false;
}

template <class N>
void Island<N>::place_palace(State& state, Move move) const {
    const std::size_t value = move.index + 1U;
    leave_bonds(state, only(move.cell));
    insert(state, kBlocked, move.cell);
    for (std::size_t bit = 0; bit < 3; ++bit) {
        erase(state, kPalace + bit, move.cell);
        if ((value >> bit & 1) != 0) insert(state, kPalace + bit, move.cell);
    }
    insert(state, kFresh, move.cell);
    insert(state, kChanged, move.cell);
    --state.palaces[move.index];
    state.scores[state.turn] =
        static_cast<std::uint16_t>(state.scores[state.turn] + value);  // half of 2, 4, ... (JA-24)
}

template <class N>
void Island<N>::forget_palaces(State& state) const {
    if (!get(state, kChanged).empty()) put(state, kChanged, {});
}

template <class N>
std::uint8_t Island<N>::guests(const State& state, std::uint16_t palace) const {
    const Set city = flood(only(palace), get(state, kVillage));
    unsigned bits = 0;
    for (std::size_t player = 0; player < players_; ++player) {
        bits |= static_cast<unsigned>(get(state, kFigure + player).meets(city)) << player;
    }
    return static_cast<std::uint8_t>(bits);
}

// JA-35.
template <class N>
void Island<N>::final_count(State& state, std::size_t player) const {
    const Set own = get(state, kFigure + player), village = get(state, kVillage);
    palaces(state).for_each([&](std::size_t palace) {
        const Set city = flood(only(palace), village);
        if (!own.meets(city)) return;
        const Heights mine = ranks(state, player, city);
        PerSeat<Heights> better{};  // lists before mine, each once
        std::size_t count = 0;
        for (std::size_t other = 0; other < players_; ++other) {
            const Heights list = ranks(state, other, city);
            const auto end = better.begin() + static_cast<std::ptrdiff_t>(count);
            if (list > mine && std::find(better.begin(), end, list) == end) {
                better[count++] = list;
            }
        }
        const int value = palace_value(state, static_cast<std::uint16_t>(palace));
        const int points = count == 0 ? value : count == 1 ? value / 2 : 0;
        state.scores[player] = static_cast<std::uint16_t>(state.scores[player] + points);
    });
}

}  // namespace tilery::java
