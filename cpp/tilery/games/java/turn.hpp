// SPDX-License-Identifier: MIT
// The possible actions of a player in their turn (JA-7 to JA-9, JA-27, JA-29), and the island's tables.
#pragma once

#include "tilery/games/java/island.hpp"

namespace tilery::java {

Island::Island(const Rules& rules, const Board& board, const Ids& ids, const Numbers& cell_of)
    : players_(index(rules.players)),
      tokens_any_time_(rules.token_timing == TokenTiming::kAny),
      two_on_three_(rules.two_on_three),
      per_space_(rules.irrigation_scoring == IrrigationScoring::kPerSpace),
      reserve_after_(rules.land_reserve == LandReserve::kAfter),
      ids_(ids) {
    std::array<std::uint16_t, kDirections> nowhere;
    nowhere.fill(kNowhere);
    neighbour_.assign(kCells, nowhere);
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
            std::size_t size = 1, out = outside_.has(cell) ? 1 : 0;
            for (const Direction other : kShapeSteps[shape]) {
                if (other == kNoDirection || neighbour_[cell][other] == kNowhere) continue;
                ++size;
                out += outside_.has(neighbour_[cell][other]) ? 1U : 0U;
            }
            for (std::size_t ap = 0; ap <= 3; ++ap) {
                if (out == size || 1 + out > ap) too_dear_[shape][ap].insert(cell);
            }
        }
    });
}

auto Island::step_to(Direction direction, const Set& set) -> Set {
    switch (direction) {
        case kE:
            return step<kE>(set);
        case kSE:
            return step<kSE>(set);
        case kSW:
            return step<kSW>(set);
        case kW:
            return step<kW>(set);
        case kNW:
            return step<kNW>(set);
        default:
            return step<kNE>(set);
    }
}

auto Island::view(const State& state) const -> View {
    View v;
    v.land = get(state, Plane::kLand);
    v.village = get(state, Plane::kVillage);
    v.own = get(state, planes::figures(state.turn));
    v.blocked = get(state, Plane::kBlocked);
    v.open = v.land - v.blocked;
    if (any_palace(state)) v.palaces = palaces(state);
    return v;
}

// Adds blocks of cells to the legal actions.
class Island::Adder {
  public:
    explicit Adder(LegalActions& legal) : legal_(legal) {}

    // The words of a set and how many cells they hold; the set itself may be in registers.
    struct Kept {
        const std::uint64_t* words;
        std::uint32_t count;
    };
    [[nodiscard]] Kept keep(const Set& set) {
        std::uint64_t* const words = legal_.room();
        set.store(words);
        std::uint32_t count = 0;
        for (std::size_t w = 0; w < kSetWords; ++w) count += count_bits(words[w]);
        return {words, count};
    }
    void add(Kept kept, Action base, const IdTable& table) { legal_.add(kept.words, kept.count, base, table); }
    void add(const Set& set, Action base, const IdTable& table) { add(keep(set), base, table); }

  private:
    LegalActions& legal_;
};

void Island::add_turn_actions(const State& state, LegalActions& legal) const {
    const View v = view(state);
    Adder adder(legal);
    if (state.lifted != kNowhere) {
        adder.add(goals(state, v, state.lifted, reserve(state, v).budget, &legal), ids_.set_down, ids_.buildable_at);
        return;
    }
    const Places here = places(state, v);
    const Reserve left = reserve(state, v, here);
    const bool cards = left.allows(1) && state.taken < kMostTaken && some_card(state);
    legal.add_plain((left.in_force ? 0 : plain_bit(Verb::kEnd)) | (state.token != 0 ? plain_bit(Verb::kExtra) : 0) |
                        (cards ? plain_bit(Verb::kOpen) | plain_bit(Verb::kPile) : 0),
                    ids_.plain);
    if (state.ap > 0) add_tiles(adder, state, v, here);
    if (left.allows(1) && state.water > 0) {
        adder.add(irrigable_ - v.land - v.blocked, ids_.water, ids_.water_at);
    }
    add_figures(adder, state, v, left.budget);
    add_works(adder, state, v, left);
}

void Island::add_tiles(Adder& adder, const State& state, const View& v, const Places& places) const {
    const std::size_t mover = state.turn;
    const auto affordable_of = [&](Shape shape) { return affordable(places.flat[shape], shape, v.land, state.ap); };
    const Shaped paid{affordable_of(kOne),   affordable_of(kTwoE),   affordable_of(kTwoSE),
                      affordable_of(kTwoSW), affordable_of(kThreeE), affordable_of(kThreeSE)};
    const auto add = [&](const Placings& placings, bool three, Action base, const auto& tables) {
        if (places.joints.empty()) {
            std::array<Adder::Kept, kShapes> kept;
            const std::size_t first = three ? kThreeE : kTwoE, last = three ? kThreeSE : kTwoSW;
            for (std::size_t shape = first; shape <= last; ++shape) kept[shape] = adder.keep(paid[shape]);
            for (std::size_t d = 0; d < kDirections; ++d) adder.add(kept[placings[d].shape], base, tables[d]);
            return;
        }
        for (std::size_t d = 0; d < kDirections; ++d) {
            adder.add(without_unions(v, places.joints, paid[placings[d].shape], d, placings[d], three), base,
                      tables[d]);
        }
    };
    if (state.three > 0) add(kThreePlacings, true, ids_.three, ids_.three_at);
    if (state.two[mover] > 0) add(kTwoPlacings, false, ids_.two, ids_.two_at);
    if (state.rice[mover] > 0) adder.add(paid[kOne], ids_.rice, ids_.buildable_at);
    if (state.village[mover] > 0) adder.add(paid[kOne] - places.joints, ids_.village, ids_.buildable_at);
}

void Island::add_figures(Adder& adder, const State& state, const View& v, int budget) const {
    const std::uint8_t home = state.figures[state.turn];
    if (budget > 0 && !(edge_ & (v.open | v.own)).empty()) {
        const Set edge = edge_at(v, budget);
        if (home > 0) adder.add(edge & v.open, ids_.enter, ids_.edge_at);
        if (home < kFigures) adder.add(edge & v.own, ids_.leave, ids_.edge_at);
    }
    if (home < kFigures) adder.add(liftable(state, v, budget), ids_.take_up, ids_.buildable_at);
}

void Island::add_works(Adder& adder, const State& state, const View& v, const Reserve& reserve) const {
    if (state.figures[state.turn] == kFigures) return;
    const bool may_host = !reserve.in_force && any_palace(state);
    if (!reserve.allows(1) && !may_host) return;
    // A settlement of one space has no room for anything.
    const Set seeds = v.own & v.village & adjacent(v.village);
    if (seeds.empty()) return;
    const Works possible = works(state, v, seeds);
    if (reserve.allows(1)) {
        Action base = ids_.palace;
        for (const Set& places : possible.palaces) {
            if (!places.empty()) adder.add(places, base, ids_.buildable_at);
            base += ids_.buildable;
        }
    }
    if (may_host && !possible.festivals.empty() && has_match(state.hands[state.turn], state.open)) {
        adder.add(possible.festivals, ids_.festival, ids_.buildable_at);
    }
}

Refusal Island::refusal(const State& state, Move move) const {
    const View v = view(state);
    if (move.verb == Verb::kSetDown) {
        return state.lifted == kNowhere ? "JA-21: no figure is taken up" : refusal_of_set_down(state, v, move.cell);
    }
    if (state.lifted != kNowhere) return "JA-21: the figure taken up must be set down first";
    switch (move.verb) {
        case Verb::kExtra:
            if (state.token != 0) return nullptr;
            return state.tokens[state.turn] == 0 ? "JA-8: the player has no action token left"
                                                 : "JA-8: no action token may be used in this turn any more";
        case Verb::kThree:
        case Verb::kTwo:
        case Verb::kRice:
        case Verb::kVillage:
            return refusal_of_tile(state, v, move);
        case Verb::kLay:
        case Verb::kStop:
        case Verb::kPass:
            return "JA-30: bids are made in a festival only";
        case Verb::kDraw:
            return "JA-6: cards are drawn by chance";
        default:
            break;
    }
    const Reserve left = reserve(state, v);
    const bool ends = move.verb == Verb::kEnd || move.verb == Verb::kFestival;
    if (ends && left.in_force) return "JA-9: a land tile must still be placed in this turn";
    if (move.verb == Verb::kEnd) return nullptr;
    if (move.verb == Verb::kFestival) return refusal_of_festival(state, v, move.cell);
    return refusal_of_purchase(state, v, move, left);
}

// For all that is bought with what the reserve leaves.
Refusal Island::refusal_of_purchase(const State& state, const View& v, Move move, const Reserve& reserve) const {
    switch (move.verb) {
        case Verb::kEnter:
        case Verb::kLeave:
            return refusal_at_edge(state, v, move, reserve);
        case Verb::kTakeUp:
            if (!v.own.has(move.cell)) return "JA-21: there is no figure of the player to take up";
            return goals(state, v, move.cell, reserve.budget).empty()
                       ? "JA-21: the figure could not be set down anywhere"
                       : nullptr;
        case Verb::kWater:
            if (v.land.has(move.cell) || v.blocked.has(move.cell)) return "JA-16: irrigation needs a bare space";
            if (state.water == 0) return "JA-4: no irrigation tile is left";
            break;
        case Verb::kPalace:
            if (const Refusal refusal = refusal_of_palace(state, v, move)) return refusal;
            break;
        default:
            if (state.taken == kMostTaken) return "JA-27: at most two cards are taken in a turn";
            if (!some_card(state)) return "JA-27: pile and discards are empty";
    }
    if (reserve.allows(1)) return nullptr;
    return state.ap > 0 ? kKeepReserve : kTooFewPoints;
}

int Island::cost(const State& state, Move move) const {
    switch (move.verb) {
        case Verb::kThree:
        case Verb::kTwo: {
            int result = 1;
            if (has(state, Plane::kLand, move.cell)) return result;
            const std::array<std::size_t, 3> cells = cells_of(move);
            const std::size_t size = move.verb == Verb::kThree ? 3 : 2;
            for (std::size_t i = 0; i < size; ++i) result += outside_.has(cells[i]) ? 1 : 0;
            return result;
        }
        case Verb::kRice:
        case Verb::kVillage:
        case Verb::kWater:
        case Verb::kPalace:
        case Verb::kOpen:
        case Verb::kPile:
            return 1;
        case Verb::kEnter:
        case Verb::kLeave:
            return edge_price(state, move.cell);
        case Verb::kSetDown:
            return move_price(state, view(state), state.lifted, move.cell);
        default:
            return 0;
    }
}

}  // namespace tilery::java
