// SPDX-License-Identifier: MIT
// What a player may do in his turn (JA-7 to JA-9, JA-27, JA-29), and the island's tables.
#pragma once

#include "tilery/games/java/cities.hpp"
#include "tilery/games/java/figures.hpp"
#include "tilery/games/java/island.hpp"
#include "tilery/games/java/tiles.hpp"

namespace tilery::java {

template <class N>
Island<N>::Island(const Rules& rules, const Board& board, const Ids& ids, const Numbers& cell_of)
    : players_(static_cast<std::size_t>(rules.players)),
      tokens_any_time_(rules.token_timing == TokenTiming::kAny),
      two_on_three_(rules.two_on_three),
      per_space_(rules.irrigation_scoring == IrrigationScoring::kPerSpace),
      numbering_(board),
      ids_(ids) {
    std::array<std::uint16_t, kDirections> nowhere;
    nowhere.fill(kNowhere);
    neighbour_.assign(64 * kWords, nowhere);
    for (std::size_t space = 0; space < board.size(); ++space) {
        const std::size_t cell = cell_of[space];
        spaces_.insert(cell);
        if (board.outside(space)) outside_.insert(cell);
        if (board.ground[space] == Ground::kLowlands) lowlands_.insert(cell);
        if (board.ground[space] == Ground::kPrinted) printed_.insert(cell);
        if (board.land(space)) board_land_.insert(cell);
        if (board.buildable(space)) buildable_.insert(cell);
        if (board.edge(space)) edge_.insert(cell);
        if (ids.water_at[cell] != kNowhere) irrigable_.insert(cell);
        for (std::size_t d = 0; d < kDirections; ++d) {
            const std::uint16_t next = board.neighbour[space][d];
            if (next != kNowhere && board.buildable(next)) neighbour_[cell][d] = cell_of[next];
        }
    }
    buildable_.for_each([&](std::size_t cell) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            int size = 1, out = outside_.has(cell) ? 1 : 0;
            for (const Direction other : kShapeSteps[shape]) {
                if (other == kDirections || neighbour_[cell][other] == kNowhere) continue;
                ++size;
                out += outside_.has(neighbour_[cell][other]) ? 1 : 0;
            }
            for (int ap = 0; ap <= 3; ++ap) {
                if (out == size || 1 + out > ap) too_dear_[shape][static_cast<std::size_t>(ap)].insert(cell);
            }
        }
    });
}

template <class N>
auto Island<N>::step(Direction direction, const Set& set) const -> Set {
    switch (direction) {
        case kE:
            return numbering_.template step<kE>(set);
        case kSE:
            return numbering_.template step<kSE>(set);
        case kSW:
            return numbering_.template step<kSW>(set);
        case kW:
            return numbering_.template step<kW>(set);
        case kNW:
            return numbering_.template step<kNW>(set);
        default:
            return numbering_.template step<kNE>(set);
    }
}

template <class N>
auto Island<N>::view(const State& state) const -> View {
    View v;
    v.land = get(state, kLand);
    v.village = get(state, kVillage);
    v.own = get(state, kFigure + state.turn);
    v.blocked = get(state, kBlocked);
    v.open = v.land - v.blocked;
    if (any_palace(state)) v.palaces = palaces(state);
    return v;
}

[[nodiscard]] inline bool some_card(const State& state) {
    unsigned cards = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) cards += state.pile[kind] + 0U + state.discards[kind];
    return cards != 0;
}

// Actions without a space, as bits of their ids.
[[nodiscard]] constexpr std::uint32_t plain_bit(Kind kind) {
    return std::uint32_t{1} << (Ids::kOneOff + static_cast<Action>(kind) - static_cast<Action>(Kind::kEnd));
}
inline void offer_plain(LegalActions& legal, std::uint32_t bits, const Ids& ids) {
    std::uint64_t* const words = legal.room();
    for (std::size_t w = 0; w < legal.set_words(); ++w) words[w] = 0;
    words[0] = bits;
    legal.add(words, static_cast<std::uint32_t>(std::popcount(bits)), 0, ids.plain.data());
}

template <class N>
void Island<N>::add_turn_actions(const State& state, LegalActions& legal) const {
    const View v = view(state);
    const std::size_t mover = state.turn;
    // The words of a set and how many they hold; the set itself may be in registers.
    struct Kept {
        const std::uint64_t* words;
        std::uint32_t count;
    };
    const auto keep = [&legal](const Set& set) {
        std::uint64_t* const words = legal.room();
        N::store(set, words);
        int count = 0;
        for (std::size_t w = 0; w < kWords; ++w) count += std::popcount(words[w]);
        return Kept{words, static_cast<std::uint32_t>(count)};
    };
    const auto add = [&legal](Kept kept, Action base, const Ids::Table& table) {
        legal.add(kept.words, kept.count, base, table.data());
    };
    if (state.lifted != kNowhere) {
        add(keep(goals(state, v, state.lifted, duty(state, v).budget)), ids_.set_down, ids_.buildable_at);
        return;
    }
    const Shaped fitting_now = fitting(state, v);
    const Set joints = joining(v);
    const Duty due = state.owed != 0 ? duty(state, cheapest(state, v, fitting_now, joints)) : Duty{false, state.ap};
    const bool buys = due.budget > 0;
    const bool cards = buys && state.taken < kMostTaken && some_card(state);
    offer_plain(legal,
                (due.in_force ? 0 : plain_bit(Kind::kEnd)) | (state.token != 0 ? plain_bit(Kind::kExtra) : 0) |
                    (cards ? plain_bit(Kind::kOpen) | plain_bit(Kind::kPile) : 0),
                ids_);

    if (state.ap > 0) {
        Shaped shapes;
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            shapes[shape] = affordable(fitting_now[shape], shape, v.land, state.ap);
        }
        const auto add_tiles = [&](const auto& placings, bool three, std::size_t first, std::size_t last, Action base,
                                   const auto& tables) {
            if (joints.empty()) {
                std::array<Kept, kShapes> kept;
                for (std::size_t shape = first; shape <= last; ++shape) kept[shape] = keep(shapes[shape]);
                for (std::size_t d = 0; d < kDirections; ++d) add(kept[placings[d].shape], base, tables[d]);
                return;
            }
            for (std::size_t d = 0; d < kDirections; ++d) {
                const Set& places = shapes[placings[d].shape];
                add(keep(without_unions(v, joints, places, static_cast<Direction>(d), placings[d], three)), base,
                    tables[d]);
            }
        };
        if (state.three > 0) add_tiles(kThreePlacings, true, kThreeE, kThreeSE, ids_.three, ids_.three_at);
        if (state.two[mover] > 0) add_tiles(kTwoPlacings, false, kTwoE, kTwoSW, ids_.two, ids_.two_at);
        if (state.rice[mover] > 0) add(keep(shapes[kOne]), ids_.rice, ids_.buildable_at);
        if (state.village[mover] > 0) add(keep(shapes[kOne] - joints), ids_.village, ids_.buildable_at);
    }

    if (buys && state.water > 0) add(keep(irrigable_ - v.land - v.blocked), ids_.water, ids_.water_at);
    if (buys && !(edge_ & (v.open | v.own)).empty()) {
        const Set edge = edge_at(v, due.budget);
        if (state.figures[mover] > 0) add(keep(edge & v.open), ids_.enter, ids_.edge_at);
        if (state.figures[mover] < kFigures) add(keep(edge & v.own), ids_.leave, ids_.edge_at);
    }
    if (state.figures[mover] == kFigures) return;
    add(keep(liftable(state, v, due.budget)), ids_.take_up, ids_.buildable_at);

    // A settlement of one space has no room for anything.
    const bool may_host = !due.in_force && any_palace(state);
    if (!buys && !may_host) return;
    const Set seeds = v.own & v.village & numbering_.beside(v.village);
    if (seeds.empty()) return;
    const Works possible = works(state, v, seeds);
    if (buys) {
        for (std::size_t value = 0; value < kPalaceValues; ++value) {
            if (possible.palaces[value].empty()) continue;
            add(keep(possible.palaces[value]), ids_.palace + static_cast<Action>(value) * ids_.buildable,
                ids_.buildable_at);
        }
    }
    if (may_host && !possible.festivals.empty() && can_host(state)) {
        add(keep(possible.festivals), ids_.festival, ids_.buildable_at);
    }
}

template <class N>
bool Island<N>::is_legal_in_turn(const State& state, Move move) const {
    const View v = view(state);
    const std::size_t mover = state.turn, cell = move.cell;
    if (move.kind == Kind::kSetDown) {
        return state.lifted != kNowhere && goals(state, v, state.lifted, duty(state, v).budget).has(cell);
    }
    if (state.lifted != kNowhere) return false;
    const bool three = move.kind == Kind::kThree;
    switch (move.kind) {
        case Kind::kExtra:
            return state.token != 0;
        case Kind::kThree:
        case Kind::kTwo: {
            if ((three ? state.three : state.two[mover]) == 0) return false;
            if (!fits(state, move)) return false;
            const std::array<std::uint16_t, 3> cells = cells_of(move);
            const std::size_t first = first_of(move), shape = placing_of(move).shape;
            const auto purse = static_cast<std::size_t>(std::min<int>(state.ap, 3));
            if (purse == 0 || (!v.land.has(first) && too_dear_[shape][purse].has(first))) return false;
            Set rice = only(cells[1]);
            rice.insert(cells[2]);
            return v.village.has(cell) || !unites(v, move.cell, rice);
        }
        case Kind::kRice:
        case Kind::kVillage:
            if ((move.kind == Kind::kRice ? state.rice[mover] : state.village[mover]) == 0 || state.ap == 0)
                return false;
            if (!fits(state, move) || (outside_.has(cell) && !v.land.has(cell))) return false;
            return move.kind == Kind::kRice || v.village.has(cell) || !unites(v, move.cell, {});
        default:
            break;
    }
    const Duty due = duty(state, v);
    const bool buys = due.budget > 0;
    switch (move.kind) {
        case Kind::kEnd:
            return !due.in_force;
        case Kind::kOpen:
        case Kind::kPile:
            return buys && state.taken < kMostTaken && some_card(state);
        case Kind::kWater:
            return buys && state.water > 0 && !v.land.has(cell) && !v.blocked.has(cell);
        case Kind::kEnter:
            return state.figures[mover] > 0 && v.open.has(cell) && edge_at(v, due.budget).has(cell);
        case Kind::kLeave:
            return v.own.has(cell) && edge_at(v, due.budget).has(cell);
        case Kind::kTakeUp:
            return v.own.has(cell) && !goals(state, v, move.cell, due.budget).empty();
        case Kind::kPalace:
            return buys && v.village.has(cell) && works(state, v, v.own & v.village).palaces[move.index].has(cell);
        case Kind::kFestival:
            return !due.in_force && can_host(state) && v.palaces.has(cell) &&
                   works(state, v, v.own & v.village).festivals.has(cell);
        default:
            return false;  // a bid
    }
}

template <class N>
int Island<N>::cost(const State& state, Move move) const {
    switch (move.kind) {
        case Kind::kThree:
        case Kind::kTwo: {
            const std::array<std::uint16_t, 3> cells = cells_of(move);
            int result = 1;
            if (has(state, kLand, move.cell)) return result;
            for (std::size_t i = 0; i < size_of(move.kind); ++i) result += outside_.has(cells[i]) ? 1 : 0;
            return result;
        }
        case Kind::kRice:
        case Kind::kVillage:
        case Kind::kWater:
        case Kind::kPalace:
        case Kind::kOpen:
        case Kind::kPile:
            return 1;
        case Kind::kEnter:
        case Kind::kLeave:
            return edge_price(state, move.cell);
        case Kind::kSetDown:
            return move_price(state, view(state), state.lifted, move.cell);
        default:
            return 0;
    }
}

}  // namespace tilery::java
