// SPDX-License-Identifier: MIT
// Land tiles and irrigation (JA-9 to JA-18).
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

// JA-10 to JA-13: where tiles of each shape lie flat, on nothing forbidden and not exactly on one
// tile; by first spaces. What they cost and which settlements they join is not looked at yet.
template <class N>
auto Island<N>::fitting(const State& state, const View& v) const -> Shaped {
    const Set free = buildable_ - v.blocked;
    std::array<Set, 3> uneven;  // unlike the neighbour E, SE, SW
    for (std::size_t bit = 0; bit < state.height_bits; ++bit) {
        const Set heights = get(state, kHeight + bit);
        uneven[0] |= heights ^ numbering_.template step<kW>(heights);
        uneven[1] |= heights ^ numbering_.template step<kNW>(heights);
        uneven[2] |= heights ^ numbering_.template step<kNE>(heights);
    }
    Shaped shapes;
    shapes[kOne] = free;
    shapes[kTwoE] = (free & numbering_.template step<kW>(free)) - uneven[0];
    shapes[kTwoSE] = (free & numbering_.template step<kNW>(free)) - uneven[1];
    shapes[kTwoSW] = (free & numbering_.template step<kNE>(free)) - uneven[2];
    shapes[kThreeE] = shapes[kTwoE] & shapes[kTwoSE];
    shapes[kThreeSE] = shapes[kTwoSE] & shapes[kTwoSW];
    for (std::size_t shape = 0; shape < kShapes; ++shape) shapes[shape] -= get(state, bond_plane(shape));
    if (!two_on_three_) {  // JA-R3: nor on a part of a tile of three
        const Set east = get(state, kTriple), south_east = get(state, kTriple + 1);
        shapes[kTwoE] -= east | numbering_.template step<kSW>(south_east);
        shapes[kTwoSE] -= east | south_east;
        shapes[kTwoSW] -= numbering_.template step<kE>(east) | south_east;
    }
    return shapes;
}

// JA-10, JA-11: the places among these that so many action points pay for.
template <class N>
auto Island<N>::affordable(Set places, std::size_t shape, const Set& land, int ap) const -> Set {
    return places - (too_dear_[shape][static_cast<std::size_t>(std::min(ap, 3))] - land);
}

// JA-14: where a village would touch two cities or more.
template <class N>
auto Island<N>::joining(const View& v) const -> Set {
    Set joints;
    const std::uint32_t count = v.palaces.size();
    if (count < 2) return joints;
    // Cities have numbers; two of them differ in some bit.
    std::array<Set, std::bit_width(std::uint32_t{255})> numbers;
    std::uint32_t number = 0;
    v.palaces.for_each([&](std::size_t palace) {
        for (std::uint32_t bits = number++; bits != 0; bits &= bits - 1) {
            numbers[static_cast<std::size_t>(std::countr_zero(bits))].insert(palace);
        }
    });
    const Set cities = flood(v.palaces, v.village);
    const auto digits = static_cast<std::size_t>(std::bit_width(count - 1));
    for (std::size_t digit = 0; digit < digits; ++digit) {
        const Set ones = flood(numbers[digit], cities);
        joints |= numbering_.around(ones) & numbering_.around(cities - ones);
    }
    return (joints & buildable_) - v.village;
}

// Whether a village here has two palaces in its settlement when these spaces become rice.
template <class N>
bool Island<N>::unites(const View& v, std::uint16_t village, Set rice) const {
    const Set seed = only(village);
    return (flood(seed, (v.village - rice) | seed) & v.palaces).size() > 1;
}

// The places whose tile unites no cities. A village that touches two is the only way, and rice on
// villages, which cuts settlements, the only remedy.
template <class N>
auto Island<N>::without_unions(const View& v, const Set& joints, Set places, Direction d, Placing placing,
                               bool three) const -> Set {
    const Set bad = places & (placing.first == kDirections ? joints : step(placing.first, joints));
    places -= bad;
    bad.for_each([&](std::size_t first) {
        const auto village = placing.first == kDirections ? static_cast<std::uint16_t>(first)
                                                          : neighbour_[first][opposite(placing.first)];
        Set rice = only(neighbour_[village][d]);
        if (three) rice.insert(neighbour_[village][clockwise(d)]);
        if (rice.meets(v.village) && !unites(v, village, rice)) places.insert(first);
    });
    return places;
}

// Whether the mover has a land tile that he could place for so many action points.
template <class N>
bool Island<N>::some_tile(const State& state, const View& v, const Shaped& fitting, const Set& joints, int ap) const {
    const std::size_t mover = state.turn;
    const bool joins = !joints.empty();
    const auto some_of = [&](const auto& placings, bool three) {
        for (std::size_t d = 0; d < kDirections; ++d) {
            const Set places = affordable(fitting[placings[d].shape], placings[d].shape, v.land, ap);
            if (places.empty()) continue;
            if (!joins) return true;
            if (!without_unions(v, joints, places, static_cast<Direction>(d), placings[d], three).empty()) return true;
        }
        return false;
    };
    if (state.three > 0 && some_of(kThreePlacings, true)) return true;
    if (state.two[mover] > 0 && some_of(kTwoPlacings, false)) return true;
    const Set places = affordable(fitting[kOne], kOne, v.land, ap);
    return (state.rice[mover] > 0 && !places.empty()) || (state.village[mover] > 0 && !(places - joints).empty());
}

// JA-9: the least that a land tile could cost if action points were plenty.
template <class N>
int Island<N>::cheapest(const State& state, const View& v, const Shaped& fitting, const Set& joints) const {
    for (int ap = 1; ap <= 3; ++ap) {
        if (some_tile(state, v, fitting, joints, ap)) return ap;
    }
    return kNever;
}

template <class N>
auto Island<N>::duty(const State& state, int cheapest) const -> Duty {
    const int ap = state.ap;
    if (cheapest > ap + state.token) return {false, ap};
    const int token_after = tokens_any_time_ ? state.token : 0;  // JA-R7
    return {true, std::min(ap, ap + token_after - cheapest)};
}

template <class N>
auto Island<N>::duty(const State& state, const View& v) const -> Duty {
    if (state.owed == 0) return {false, state.ap};
    return duty(state, cheapest(state, v, fitting(state, v), joining(v)));
}

template <class N>
std::array<std::uint16_t, 3> Island<N>::cells_of(Move move) const {
    std::array<std::uint16_t, 3> cells{move.cell, move.cell, move.cell};
    if (size_of(move.kind) > 1) cells[1] = cells[2] = neighbour_[move.cell][move.index];
    if (size_of(move.kind) > 2) cells[2] = neighbour_[move.cell][(move.index + 1U) % kDirections];
    return cells;
}

[[nodiscard]] inline Placing placing_of(Move move) {
    return move.kind == Kind::kThree ? kThreePlacings[move.index]
           : move.kind == Kind::kTwo ? kTwoPlacings[move.index]
                                     : Placing{kOne, kDirections};
}

template <class N>
std::uint16_t Island<N>::first_of(Move move) const {
    const Direction first = placing_of(move).first;
    return first == kDirections ? move.cell : neighbour_[move.cell][first];
}

// The same as fitting(), for one place.
template <class N>
bool Island<N>::fits(const State& state, Move move) const {
    const std::size_t first = first_of(move), shape = placing_of(move).shape;
    for (const std::size_t cell : cells_of(move)) {
        if (has(state, kBlocked, cell) || height(state, cell) != height(state, first)) return false;
    }
    if (has(state, bond_plane(shape), first)) return false;
    if (two_on_three_ || move.kind != Kind::kTwo) return true;
    const auto triple = [&](std::size_t form, std::uint16_t at) {
        return at != kNowhere && has(state, kTriple + form, at);
    };
    const auto& beside = neighbour_[first];
    switch (shape) {
        case kTwoE:
            return !has(state, kTriple, first) && !triple(1, beside[kNE]);
        case kTwoSE:
            return !has(state, kTriple, first) && !has(state, kTriple + 1, first);
        default:
            return !triple(0, beside[kW]) && !has(state, kTriple + 1, first);
    }
}

// JA-R3: spaces that are covered, or get a palace, leave their bonds.
template <class N>
void Island<N>::leave_bonds(State& state, const Set& spaces) const {
    const auto drop = [&](std::size_t shape, const Set& firsts) {
        put(state, bond_plane(shape), get(state, bond_plane(shape)) - firsts);
    };
    // Bonds by where they lose a space: a neighbour W of a lost space may be the first of one E of it.
    const Set lost_e = numbering_.template step<kW>(spaces), lost_se = numbering_.template step<kNW>(spaces),
              lost_sw = numbering_.template step<kNE>(spaces);
    drop(kOne, spaces);
    drop(kTwoE, spaces | lost_e);
    drop(kTwoSE, spaces | lost_se);
    drop(kTwoSW, spaces | lost_sw);
    if (!two_on_three_) {
        // The two that are left of three stay a bond.
        const auto keep = [&](std::size_t shape, const Set& firsts) {
            put(state, bond_plane(shape), get(state, bond_plane(shape)) | firsts);
        };
        const Set east = get(state, bond_plane(kThreeE)), south_east = get(state, bond_plane(kThreeSE));
        keep(kTwoSW, numbering_.template step<kE>((east & spaces) - lost_e - lost_se));
        keep(kTwoSE, ((east & lost_e) - spaces - lost_se) | ((south_east & lost_sw) - spaces - lost_se));
        keep(kTwoE, (east & lost_se) - spaces - lost_e);
        keep(kTwoE, numbering_.template step<kSW>((south_east & spaces) - lost_se - lost_sw));
        keep(kTwoSW, (south_east & lost_se) - spaces - lost_sw);
    }
    drop(kThreeE, spaces | lost_e | lost_se);
    drop(kThreeSE, spaces | lost_se | lost_sw);
}

template <class N>
void Island<N>::place_tile(State& state, Move move) const {
    const std::array<std::uint16_t, 3> cells = cells_of(move);
    const std::size_t mover = state.turn;
    const Set village = only(cells[0]);
    Set tile = village;
    switch (move.kind) {
        case Kind::kThree:
            tile |= only(cells[1]) | only(cells[2]);
            --state.three;
            break;
        case Kind::kTwo:
            tile |= only(cells[1]);
            --state.two[mover];
            break;
        case Kind::kRice:
            --state.rice[mover];
            break;
        default:
            --state.village[mover];
    }
    // All of the tile is at one height.
    const bool bare = !has(state, kLand, cells[0]);
    if (bare) {
        put(state, kLand, get(state, kLand) | tile);
    } else {
        leave_bonds(state, tile);
    }
    std::size_t bit = 0;
    for (; has(state, kHeight + bit, cells[0]); ++bit) put(state, kHeight + bit, get(state, kHeight + bit) - tile);
    put(state, kHeight + bit, get(state, kHeight + bit) | tile);
    state.height_bits = static_cast<std::uint8_t>(std::max<std::size_t>(state.height_bits, bit + 1));
    const Set villages = get(state, kVillage) - tile;
    put(state, kVillage, move.kind == Kind::kRice ? villages : villages | village);
    insert(state, bond_plane(placing_of(move).shape), first_of(move));
    if (bare) score_enclosed(state, numbering_.around(tile));
}

template <class N>
void Island<N>::place_water(State& state, std::uint16_t cell) const {
    --state.water;
    insert(state, kWater, cell);
    insert(state, kBlocked, cell);
    score_enclosed(state, only(cell));
}

// JA-17, JA-18: scores the bodies among these spaces that are enclosed. They were not before
// (JA-R4), or this would score them again.
template <class N>
void Island<N>::score_enclosed(State& state, Set near) const {
    const Set water = printed_ | get(state, kWater);
    near &= water;
    if (near.empty()) return;
    const Set bare = spaces_ - get(state, kLand) - water;
    while (!near.empty()) {
        const Set body = flood(only(near.first()), water);
        near -= body;
        const Set shore = numbering_.around(body) & spaces_;
        if (shore.meets(bare)) continue;
        const std::size_t first = first_alone(state, shore);
        if (first < players_) {
            constexpr std::uint32_t kPoints = 3;
            const std::uint32_t points = per_space_ ? kPoints * body.size() : kPoints;
            state.scores[first] = static_cast<std::uint16_t>(state.scores[first] + points);
        }
    }
}

}  // namespace tilery::java
