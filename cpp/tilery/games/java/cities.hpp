// SPDX-License-Identifier: MIT
// Settlements, palaces and who ranks first in them (JA-14, JA-23 to JA-26, JA-35).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

std::uint8_t Island::height(const State& state, std::size_t cell) const {
    unsigned result = 0;
    for (std::size_t bit = 0; bit < state.height_bits; ++bit) {
        result |= (has(state, planes::height(bit), cell) ? 1U : 0U) << bit;
    }
    return static_cast<std::uint8_t>(result);
}

std::uint32_t Island::palace_value(const State& state, std::size_t cell) const {
    std::uint32_t result = 0;
    for (std::size_t bit = 0; bit < planes::kPalaceBits; ++bit) {
        result |= (has(state, planes::palace(bit), cell) ? 2U : 0U) << bit;
    }
    return result;
}

// JA-26: all zero for a player without figures there.
Heights Island::ranks(const State& state, std::size_t player, const Set& place) const {
    Heights list{};
    std::size_t size = 0;
    (get(state, planes::figures(player)) & place).for_each([&](std::size_t cell) {
        const std::uint8_t here = height(state, cell);
        std::size_t at = size++;
        for (; at > 0 && list[at - 1] < here; --at) list[at] = list[at - 1];
        list[at] = here;
    });
    return list;
}

// The player ranked first, or the number of players if there is none or a tie.
std::size_t Island::first_alone(const State& state, const Set& place) const {
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

// JA-23 to JA-25, JA-29: what the player whose turn it is may build where, action points aside, and
// where they may hold a festival, if the turn may end and they have a card.
auto Island::works(const State& state, const View& v, const Set& seeds) const -> Works {
    Works result;
    const Set others = v.blocked - v.palaces - v.own;
    Set left = seeds;
    while (!left.empty()) {
        const Set settlement = flood(only(left.first()), v.village);
        left -= settlement;
        const Set palace = settlement & v.palaces, places = settlement & v.open;
        const bool city = !palace.empty();
        if (city && palace.meets(get(state, Plane::kFresh))) result.festivals |= palace;
        if (city ? palace.meets(get(state, Plane::kChanged)) : places.empty()) continue;
        if (settlement.meets(others) && first_alone(state, settlement) != state.turn) continue;
        const std::uint32_t size = settlement.size();
        for (std::size_t half = city ? palace_value(state, palace.first()) / 2 + 1 : 1;
             half <= kPalaceValues && 2 * half <= size; ++half) {
            if (state.palaces[half - 1] > 0) result.palaces[half - 1] |= city ? palace : places;
        }
    }
    return result;
}

// JA-23 to JA-25 for the palace of a move.
Refusal Island::refusal_of_palace(const State& state, const View& v, Move move) const {
    const std::size_t cell = move.cell;
    if (!v.village.has(cell)) return "JA-23: a palace needs a village space";
    if (state.palaces[move.index] == 0) return "JA-23: no palace of this value is left";
    const Set settlement = flood(only(cell), v.village), palace = settlement & v.palaces;
    if (palace.empty() ? !v.open.has(cell) : !palace.has(cell)) {
        return palace.empty() ? "JA-23: a palace needs a village space without a figure"
                              : "JA-23: the settlement has a palace already, which may only be expanded";
    }
    const std::size_t value = 2 * (move.index + std::size_t{1});
    if (value > settlement.size()) return "JA-23: the settlement has fewer spaces than the palace's value";
    if (!palace.empty() && value <= palace_value(state, cell)) return "JA-23: a palace expands to a higher value";
    if (palace.meets(get(state, Plane::kChanged))) return "JA-25: each palace is built or expanded once a turn";
    if (first_alone(state, settlement) != state.turn) {
        return "JA-24: only the player who alone ranks first in the settlement may build or expand";
    }
    return nullptr;
}

// JA-29, but for the end of the turn.
Refusal Island::refusal_of_festival(const State& state, const View& v, std::size_t palace) const {
    if (!v.palaces.has(palace) || !has(state, Plane::kFresh, palace)) return "JA-29: a festival needs a fresh palace";
    if (!v.own.meets(flood(only(palace), v.village))) return "JA-29: the player has no figure in that city";
    if (!has_match(state.hands[state.turn], state.open)) {
        return "JA-29: the player holds no card that shares a symbol with the open card";
    }
    return nullptr;
}

void Island::place_palace(State& state, Move move, auto events) const {
    const std::uint32_t half = move.index + 1U;  // of the value 2, 4, ...
    leave_bonds(state, only(move.cell));
    insert(state, Plane::kBlocked, move.cell);
    for (std::size_t bit = 0; bit < planes::kPalaceBits; ++bit) {
        erase(state, planes::palace(bit), move.cell);
        if ((half >> bit & 1) != 0) insert(state, planes::palace(bit), move.cell);
    }
    insert(state, Plane::kFresh, move.cell);
    insert(state, Plane::kChanged, move.cell);
    --state.palaces[move.index];
    add_points(state, state.turn, half);  // JA-24
    events(kPalaces, state.turn, half, move.cell);
}

void Island::forget_palaces(State& state) const {
    if (!get(state, Plane::kChanged).empty()) put(state, Plane::kChanged, {});
}

std::uint8_t Island::guests(const State& state, std::size_t palace) const {
    const Set city = flood(only(palace), get(state, Plane::kVillage));
    unsigned bits = 0;
    for (std::size_t player = 0; player < players_; ++player) {
        bits |= (get(state, planes::figures(player)).meets(city) ? 1U : 0U) << player;
    }
    return static_cast<std::uint8_t>(bits);
}

// JA-35.
void Island::final_count(State& state, std::size_t player, auto events) const {
    const Set own = get(state, planes::figures(player)), village = get(state, Plane::kVillage);
    palaces(state).for_each([&](std::size_t palace) {
        const Set city = flood(only(palace), village);
        if (!own.meets(city)) return;
        const Heights mine = ranks(state, player, city);
        // Rank 2 is the next list after the best, however many share that (JA-35).
        Heights best = mine, second{};
        for (std::size_t other = 0; other < players_; ++other) best = std::max(best, ranks(state, other, city));
        for (std::size_t other = 0; other < players_; ++other) {
            const Heights list = ranks(state, other, city);
            if (list != best) second = std::max(second, list);
        }
        const std::uint32_t value = palace_value(state, palace);
        const std::uint32_t points = mine == best ? value : mine == second ? value / 2 : 0;
        add_points(state, player, points);
        events(kFinalCounts, player, points, palace);
    });
}

}  // namespace tilery::java
