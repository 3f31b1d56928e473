// SPDX-License-Identifier: MIT
// Land tiles and irrigation (JA-9 to JA-18).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

auto Island::places(const State& state, const View& v) const -> Places { return {flat_places(state, v), joints(v)}; }

// JA-10 to JA-13.
auto Island::flat_places(const State& state, const View& v) const -> Shaped {
    const Set free = buildable_ - v.blocked;
    Set uneven_e, uneven_se, uneven_sw;  // unlike the neighbour there
    for (std::size_t bit = 0; bit < state.height_bits; ++bit) {
        const Set heights = get(state, planes::height(bit));
        uneven_e |= heights ^ step<kW>(heights);
        uneven_se |= heights ^ step<kNW>(heights);
        uneven_sw |= heights ^ step<kNE>(heights);
    }
    const auto bonds = [&](Shape shape) { return get(state, planes::bonds(shape)); };
    const Set level_e = (free & step<kW>(free)) - uneven_e;
    const Set level_se = (free & step<kNW>(free)) - uneven_se;
    const Set level_sw = (free & step<kNE>(free)) - uneven_sw;
    const Set east = bonds(kThreeE), south_east = bonds(kThreeSE);
    Shaped shapes{free - bonds(kOne),       level_e - bonds(kTwoE),      level_se - bonds(kTwoSE),
                  level_sw - bonds(kTwoSW), (level_e & level_se) - east, (level_se & level_sw) - south_east};
    if (!two_on_three_) {  // JA-R3: nor on a part of a tile of three
        shapes[kTwoE] -= east | step<kSW>(south_east);
        shapes[kTwoSE] -= east | south_east;
        shapes[kTwoSW] -= step<kE>(east) | south_east;
    }
    return shapes;
}

// JA-10, JA-11: the places among these that a number of action points pays for.
auto Island::affordable(Set places, std::size_t shape, const Set& land, int ap) const -> Set {
    return places - (too_dear_[shape][index(std::min(ap, 3))] - land);
}

// JA-14.
auto Island::joints(const View& v) const -> Set {
    Set joints;
    const std::uint32_t count = v.palaces.size();
    if (count < 2) return joints;
    // Number the cities; two of them differ in some digit of their numbers.
    std::array<Set, std::bit_width(std::uint32_t{255})> numbers;
    std::uint32_t number = 0;
    v.palaces.for_each([&](std::size_t palace) {
        for (std::uint32_t bits = number++; bits != 0; bits &= bits - 1) numbers[lowest_bit(bits)].insert(palace);
    });
    const Set cities = flood(v.palaces, v.village);
    for (std::size_t digit = 0; (count - 1) >> digit != 0; ++digit) {
        const Set ones = flood(numbers[digit], cities);
        joints |= around(ones) & around(cities - ones);
    }
    return (joints & buildable_) - v.village;
}

// Whether a village here has two palaces in its settlement when these spaces become rice.
bool Island::unites(const View& v, std::size_t village, Set rice) const {
    const Set seed = only(village);
    return (flood(seed, (v.village - rice) | seed) & v.palaces).size() > 1;
}

// The places whose tile unites no cities. Only a village at a joint can, unless the rice of the
// same tile covers villages and so cuts a settlement.
auto Island::without_unions(const View& v, const Set& joints, Set places, std::size_t d, Placing placing,
                            bool three) const -> Set {
    const Set bad = places & (placing.first == kNoDirection ? joints : step_to(placing.first, joints));
    places -= bad;
    bad.for_each([&](std::size_t first) {
        const std::size_t village = placing.first == kNoDirection ? first : neighbour_[first][opposite(placing.first)];
        Set rice = only(neighbour_[village][d]);
        if (three) rice.insert(neighbour_[village][clockwise(d)]);
        if (rice.meets(v.village) && !unites(v, village, rice)) places.insert(first);
    });
    return places;
}

// Whether the player whose turn it is has a land tile that they could place for a number of action points.
bool Island::some_tile(const State& state, const View& v, const Places& places, int ap) const {
    const std::size_t mover = state.turn;
    const bool joins = !places.joints.empty();
    const auto some_of = [&](const Placings& placings, bool three) {
        for (std::size_t d = 0; d < kDirections; ++d) {
            const std::size_t shape = placings[d].shape;
            const Set paid = affordable(places.flat[shape], shape, v.land, ap);
            if (paid.empty()) continue;
            if (!joins) return true;
            if (!without_unions(v, places.joints, paid, d, placings[d], three).empty()) return true;
        }
        return false;
    };
    if (state.three > 0 && some_of(kThreePlacings, true)) return true;
    if (state.two[mover] > 0 && some_of(kTwoPlacings, false)) return true;
    const Set paid = affordable(places.flat[kOne], kOne, v.land, ap);
    return (state.rice[mover] > 0 && !paid.empty()) || (state.village[mover] > 0 && !(paid - places.joints).empty());
}

// JA-9: reckons with the least that a land tile could cost if action points were plenty.
Reserve Island::reserve(const State& state, const View& v, const Places& places) const {
    if (state.owed == 0) return Reserve::none(state);
    int cheapest = 1;
    while (cheapest <= 3 && !some_tile(state, v, places, cheapest)) ++cheapest;
    return Reserve::of(state, cheapest <= 3 ? cheapest : kNever, tokens_any_time_, reserve_after_);
}

Reserve Island::reserve(const State& state, const View& v) const {
    return state.owed == 0 ? Reserve::none(state) : reserve(state, v, places(state, v));
}

std::array<std::size_t, 3> Island::cells_of(Move move) const {
    std::array<std::size_t, 3> cells{move.cell, move.cell, move.cell};
    if (move.verb == Verb::kThree || move.verb == Verb::kTwo) {
        cells[1] = cells[2] = neighbour_[move.cell][move.index];
    }
    if (move.verb == Verb::kThree) cells[2] = neighbour_[move.cell][clockwise(move.index)];
    return cells;
}

[[nodiscard]] inline Placing placing_of(Move move) {
    return move.verb == Verb::kThree ? kThreePlacings[move.index]
           : move.verb == Verb::kTwo ? kTwoPlacings[move.index]
                                     : Placing{kOne, kNoDirection};
}

std::size_t Island::first_of(Move move) const {
    const Direction first = placing_of(move).first;
    return first == kNoDirection ? move.cell : neighbour_[move.cell][first];
}

// The same as flat_places(), for one place.
Refusal Island::refusal_of_place(const State& state, Move move) const {
    const std::size_t first = first_of(move), shape = placing_of(move).shape;
    for (const std::size_t cell : cells_of(move)) {
        if (has(state, Plane::kBlocked, cell)) return "JA-12: a tile may not cover figures, palaces or irrigation";
        if (height(state, cell) != height(state, first)) {
            return "JA-10: all spaces under a tile must have the same height";
        }
    }
    if (has(state, planes::bonds(shape), first)) return "JA-13: a tile may not exactly cover a tile of the same size";
    if (two_on_three_ || move.verb != Verb::kTwo) return nullptr;
    const auto on = [&](Shape three, std::size_t at) { return at != kNowhere && has(state, planes::bonds(three), at); };
    const auto& beside = neighbour_[first];
    const bool covers = shape == kTwoE    ? on(kThreeE, first) || on(kThreeSE, beside[kNE])
                        : shape == kTwoSE ? on(kThreeE, first) || on(kThreeSE, first)
                                          : on(kThreeE, beside[kW]) || on(kThreeSE, first);
    return covers ? "JA-13: with two_on_three=False a tile must rest on at least two tiles" : nullptr;
}

// JA-10 to JA-15 for the tile of a move.
Refusal Island::refusal_of_tile(const State& state, const View& v, Move move) const {
    const std::size_t mover = state.turn;
    const std::uint8_t left = move.verb == Verb::kThree  ? state.three
                              : move.verb == Verb::kTwo  ? state.two[mover]
                              : move.verb == Verb::kRice ? state.rice[mover]
                                                         : state.village[mover];
    if (left == 0) {
        return move.verb == Verb::kThree ? "JA-4: there is no three-space tile left"
                                         : "JA-15: the player has no such tile left";
    }
    if (state.ap == 0) return "JA-10: a land tile costs an action point, and none is left";
    if (const Refusal refusal = refusal_of_place(state, move)) return refusal;
    const std::size_t first = first_of(move), shape = placing_of(move).shape;
    if (affordable(only(first), shape, v.land, state.ap).empty()) {
        return affordable(only(first), shape, v.land, 3).empty() ? "JA-11: at least one space must be on the board"
                                                                 : "JA-10: each space outside costs one more action "
                                                                   "point, and too few are left";
    }
    if (move.verb == Verb::kRice || v.village.has(move.cell)) return nullptr;
    const std::array<std::size_t, 3> cells = cells_of(move);
    const Set rice = move.verb == Verb::kVillage ? Set{} : only(cells[1]) | only(cells[2]);
    return unites(v, move.cell, rice) ? "JA-14: no settlement may hold two palaces" : nullptr;
}

// JA-R3: spaces that are covered, or get a palace, leave their bonds.
void Island::leave_bonds(State& state, const Set& spaces) const {
    const auto drop = [&](std::size_t shape, const Set& firsts) {
        put(state, planes::bonds(shape), get(state, planes::bonds(shape)) - firsts);
    };
    // Bonds by where they lose a space: a neighbour W of a lost space may be the first of one E of it.
    const Set lost_e = step<kW>(spaces), lost_se = step<kNW>(spaces), lost_sw = step<kNE>(spaces);
    drop(kOne, spaces);
    drop(kTwoE, spaces | lost_e);
    drop(kTwoSE, spaces | lost_se);
    drop(kTwoSW, spaces | lost_sw);
    if (!two_on_three_) keep_pairs(state, spaces);
    drop(kThreeE, spaces | lost_e | lost_se);
    drop(kThreeSE, spaces | lost_se | lost_sw);
}

// Without `two_on_three` the two spaces that are left of three stay a bond.
void Island::keep_pairs(State& state, const Set& spaces) const {
    const auto keep = [&](std::size_t shape, const Set& firsts) {
        put(state, planes::bonds(shape), get(state, planes::bonds(shape)) | firsts);
    };
    const Set lost_e = step<kW>(spaces), lost_se = step<kNW>(spaces), lost_sw = step<kNE>(spaces);
    const Set east = get(state, planes::bonds(kThreeE)), south_east = get(state, planes::bonds(kThreeSE));
    keep(kTwoSW, step<kE>((east & spaces) - lost_e - lost_se));
    keep(kTwoSE, ((east & lost_e) - spaces - lost_se) | ((south_east & lost_sw) - spaces - lost_se));
    keep(kTwoE, (east & lost_se) - spaces - lost_e);
    keep(kTwoE, step<kSW>((south_east & spaces) - lost_se - lost_sw));
    keep(kTwoSW, (south_east & lost_se) - spaces - lost_sw);
}

void Island::place_tile(State& state, Move move, auto events) const {
    const std::array<std::size_t, 3> cells = cells_of(move);
    const std::size_t mover = state.turn;
    const Set village = only(cells[0]);
    Set tile = village;
    switch (move.verb) {
        case Verb::kThree:
            tile |= only(cells[1]) | only(cells[2]);
            --state.three;
            break;
        case Verb::kTwo:
            tile |= only(cells[1]);
            --state.two[mover];
            break;
        case Verb::kRice:
            --state.rice[mover];
            break;
        default:
            --state.village[mover];
    }
    // All of the tile is at one height.
    const bool bare = !has(state, Plane::kLand, cells[0]);
    if (bare) {
        put(state, Plane::kLand, get(state, Plane::kLand) | tile);
    } else {
        leave_bonds(state, tile);
    }
    std::uint8_t bit = 0;
    for (; has(state, planes::height(bit), cells[0]); ++bit) {
        put(state, planes::height(bit), get(state, planes::height(bit)) - tile);
    }
    put(state, planes::height(bit), get(state, planes::height(bit)) | tile);
    ++bit;
    state.height_bits = std::max(state.height_bits, bit);
    const Set villages = get(state, Plane::kVillage) - tile;
    put(state, Plane::kVillage, move.verb == Verb::kRice ? villages : villages | village);
    insert(state, planes::bonds(placing_of(move).shape), first_of(move));
    if (bare) score_enclosed(state, around(tile), events);
}

void Island::place_water(State& state, std::size_t cell, auto events) const {
    --state.water;
    insert(state, Plane::kWater, cell);
    insert(state, Plane::kBlocked, cell);
    score_enclosed(state, only(cell), events);
}

// JA-17, JA-18: scores the bodies among these spaces that are enclosed. They were not enclosed before
// (JA-R4), or this would score them again.
void Island::score_enclosed(State& state, Set near, auto events) const {
    const Set water = printed_ | get(state, Plane::kWater);
    near &= water;
    if (near.empty()) return;
    const Set bare = spaces_ - get(state, Plane::kLand) - water;
    while (!near.empty()) {
        const Set body = flood(only(near.first()), water);
        near -= body;
        const Set shore = around(body) & spaces_;
        if (shore.meets(bare)) continue;
        const std::size_t first = first_alone(state, shore);
        if (first == players_) continue;
        const std::uint32_t points = kWaterPoints * (per_space_ ? body.size() : 1);
        add_points(state, first, points);
        events(kIrrigation, first, points, body);
    }
}

}  // namespace tilery::java
