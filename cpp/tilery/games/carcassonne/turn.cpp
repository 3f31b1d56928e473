// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/turn.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

#include "tilery/core/play.hpp"
#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/frontier_fast.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/score_events.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// A map from ports as placed to ports as printed, by rotation of the tile.
constexpr auto kUnturn = array_of<kRotations>([](std::size_t r) {
    Shuffle ports{};
    for (std::size_t c = 0; c < kSides; ++c) {
        for (std::size_t part = 0; part < 4; ++part) {
            ports[4 * kClockwise[c] + part] = narrow<std::uint8_t>(4 * kClockwise[(c + r) % kSides] + part);
        }
    }
    return ports;
});

std::size_t type_in_turn(const State& state) { return state.turn.tile - std::size_t{1}; }

}  // namespace

bool fits_somewhere(const Box& box, const State& state, std::size_t type) {
    const TypeTables& table = box.tiles.tables[type];
    for (std::size_t at = 0; at < state.frontier.size; at += 32) {
        if (fitting_cells(table, state.frontier, at) != 0) return true;
    }
    return false;
}

LegalActions LegalActions::of_placements(const Box& box, const State& state) {
    LegalActions actions;
    actions.kind_ = Kind::kPlacements;
    actions.box_ = &box;
    actions.state_ = &state;
    const TypeTables& table = box.tiles.tables[type_in_turn(state)];
    const auto& edges = state.frontier.edges;
    auto& placements = actions.placements_;
    std::array<std::uint32_t, kRotations> counts{};
    const auto add = [&](std::size_t r, std::size_t w, std::uint64_t cells) {
        placements[r][w] = cells;
        counts[r] += narrow<std::uint32_t>(std::popcount(cells));
    };
    // The rotations are the highest four bits of each byte: doubling bytes brings the next one to the top.
    std::size_t cells = state.frontier.size;
    if (cells <= 32) {
        Bytes32 fits = fitting(table, &edges[0]);
        const std::uint64_t open = (std::uint64_t{1} << cells) - 1;
        for (std::size_t r = 0; r < kRotations; ++r) {
            add(r, 0, fits.movemask() & open);
            fits = fits + fits;
        }
        cells = 0;
    }
    for (std::size_t w = 0; cells > 0; ++w) {
        Bytes32 low = fitting(table, &edges[64 * w]), high = fitting(table, &edges[64 * w + 32]);
        const std::uint64_t open = cells >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells) - 1;
        for (std::size_t r = 0; r < kRotations; ++r) {
            add(r, w, (low.movemask() | std::uint64_t{high.movemask()} << 32) & open);
            low = low + low;
            high = high + high;
        }
        cells -= std::min<std::size_t>(cells, 64);
    }
    actions.begins_ = {0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]};
    actions.size_ = actions.begins_[3] + counts[3];
    return actions;
}

void take_from_pile(const Box& box, State& state, std::size_t type) {
    std::uint8_t* const pile = state.pile.up_to.data();
    const std::uint8_t* const drawn = box.tiles.drawn[type].data();
    (Bytes32::load(pile) + Bytes32::load(drawn)).store(pile);
    (Bytes16::load(pile + 32) + Bytes16::load(drawn + 32)).store(pile + 32);
}

std::uint32_t main_labels(const Box& box, const State& state, std::size_t slot) {
    const Bytes16 labels = Bytes16::from64(load<std::uint64_t>(&state.land.labels[slot]));
    return narrow<std::uint32_t>(labels.shuffle(Bytes16::from64(box.tiles.mains[state.land.codes[slot]])).low64());
}

namespace {

// CA-9
void finish_turn(const Box& box, State& state, std::uint32_t mains, auto events) {
    Turn& turn = state.turn;
    unsigned open = 1;  // 0 if any of them is complete
    for (std::size_t side = 0; side < kSides; ++side) open *= state.features.open_ends[mains >> 8 * side & 0x7F];
    if (open == 0) score_completed(box, state, mains, events);
    const MeepleSet monks = meeples_with(state.meeples, kMonk);
    if (monks != 0) score_monasteries(box, state, monks, events);
    turn.placed = 0;
    turn.options = 0;
    if (state.pile.size() <= box.plain_above) return finish_house_turn(box, state);
    turn.mover = turn.ordinary = narrow<std::int8_t>(box.next_seat(turn.mover));
    turn.phase = Phase::kDraw;
    turn.actor = kChance;
}

// Frontier::close() with tables and gaps.
[[gnu::noinline]] void close_cell(const Box& box, State& state, std::size_t at, std::size_t code, std::size_t slot) {
    const Cell cell = state.frontier.cells[at];
    const unsigned taken = kTakenSides[state.frontier.edges[at]];
    state.turn.goes_on = box.rules.gap_bonus && std::popcount(taken) == kSides ? 1 : 0;  // CA-H8
    unsigned outside = 0;
    for (std::size_t side = 0; side < kSides; ++side) {
        if ((taken >> side & 1) != 0 || box.table_cells.contains(neighbour(cell, side))) continue;
        outside |= side_bit(side);
        // CA-H11: the end that place() has opened here is closed.
        const std::size_t label = main_labels(box, state, slot) >> 8 * side & 0x7F;
        if (box.rules.edge_closes && label != 0) --state.features.open_ends[label];
    }
    state.frontier.close(at, box.tiles.mirrored[code], narrow<std::uint8_t>(slot), outside);
}

// The tile just placed fills an open cell.
void update_frontier(const Box& box, State& state, std::size_t at, std::size_t code) {
    Frontier& frontier = state.frontier;
    const std::uint8_t slot = state.turn.placed;
    const Edges mirrored = box.tiles.mirrored[code];
#ifndef NDEBUG
    Frontier expected = frontier;
    expected.close(at, mirrored, slot, 0);
#endif
    if (!fast::close(frontier, at, box.fast_cells[kTakenSides[frontier.edges[at]]], mirrored, slot)) [[unlikely]]
        return close_cell(box, state, at, code, slot);
    assert(frontier.same(expected));
}

// CA-8: the segments where a meeple may go, as bits of ids; 0 if there is none. Of several segments of
// one feature only the first counts.
std::uint32_t meeple_options(const TypeTables& table, Bytes16 labels) {
    const Bytes16 by_id = labels.shuffle(Bytes16::load(&table.by_id));
    const std::uint32_t repeated = (by_id.equal(by_id.shift_left_bytes<1>()).movemask() & ~(1U << kFirstFieldId)) |
                                   (by_id.equal(by_id.shift_left_bytes<2>()).movemask() & ~(3U << kFirstFieldId)) |
                                   (by_id.equal(by_id.shift_left_bytes<3>()).movemask() & ~(7U << kFirstFieldId));
    return (table.ids & ~(by_id.movemask() | repeated)) | std::uint32_t{table.monastery} << kMonkId;
}

// Adds to the open ends of each side's feature (a label in each byte) the steps (a byte each) of all sides that belong
// to it; their sums, because adding them one after the other would wait for each store.
void count_ends(Features& features, std::uint32_t labels, std::uint32_t steps) {
    const std::uint32_t sums = sums_by_label(labels, steps);
    std::array<std::uint8_t, kSides> ends;
    for (std::size_t side = 0; side < kSides; ++side) ends[side] = features.open_ends[labels >> 8 * side & 0x7F];
    for (std::size_t side = 0; side < kSides; ++side) {
        features.open_ends[labels >> 8 * side & 0x7F] = narrow<std::uint8_t>(ends[side] + (sums >> 8 * side));
    }
    features.open_ends[0] = 1;
}

// CA-7: puts a tile on an open cell; the turn goes on with the meeple.
template <class Events = NoEvents>
void place(const Box& box, State& state, std::size_t at, std::size_t code, Events events = {}) {
    const TypeTables& table = box.table(code);
    Land& land = state.land;
    const Cell cell = state.frontier.cells[at];
    const std::uint8_t taken = kTakenSides[state.frontier.edges[at]];
    const Bytes16 met = facing_labels(box, state, at, taken).shuffle(Bytes16::load(&kUnturn[rotation_of(code)]));
    const Bytes16 labels = join(box, state, met, code);

    const std::size_t slot = land.size;
    const std::uint64_t words = labels.low64();
    std::memcpy(&land.labels[slot], &words, sizeof words);
    land.cells[slot] = cell;
    land.codes[slot] = narrow<Code>(code);
    land.size = narrow<std::uint8_t>(slot + table.slots);
    land.shields.insert_if(table.shield != 0, slot);
    state.turn.tile = 0;
    state.turn.placed = narrow<std::uint8_t>(slot);

    // Ends of roads and cities close where there is a neighbour and open where there is none.
    const auto mains = narrow<std::uint32_t>(labels.shuffle(Bytes16::from64(box.tiles.mains[code])).low64());
    const std::uint32_t steps = kSideBytes[taken] | 0x01010101U;  // -1 or 1
    count_ends(state.features, mains & 0x7F7F7F7FU, steps);

    update_frontier(box, state, at, code);

    if (state.meeples.at_home[index_of(state.turn.mover)] > 0) {
        const std::uint32_t options = meeple_options(table, labels);
        if (options != 0) {
            state.turn.options = narrow<std::uint16_t>(1U | options);
            state.turn.phase = Phase::kMeeple;
            return;
        }
    }
    finish_turn(box, state, mains, events);
}

// CA-8
template <class Events = NoEvents>
void put_meeple(const Box& box, State& state, std::size_t segment, Events events = {}) {
    const std::size_t slot = state.turn.placed;
    if (segment != 0) {
        Meeples& meeples = state.meeples;
        const std::size_t seat = index_of(state.turn.mover);
        const auto labels = load<std::uint64_t>(&meeples.labels[kMeepleNumbers * seat]);
        // The first byte that is 0 is the lowest that borrows from its own highest bit.
        const std::uint64_t free = (labels - 0x0101010101010101U) & ~labels & 0x8080808080808080U;
        const std::size_t meeple = kMeepleNumbers * seat + index_of(std::countr_zero(free)) / 8;
        --meeples.at_home[seat];
        meeples.slots[meeple] = state.turn.placed;
        meeples.segments[meeple] = narrow<std::uint8_t>(segment);
        Label meeple_label = kMonk;
        if (segment != kMonkId) {
            const std::size_t place = box.table(state.land.codes[slot]).by_id[segment];
            const Label label = state.land.label_at(slot, place), occupied = label | kOccupied;
            const bool field = is_field_place(place);
            relabel(box, state, field, label, occupied);
            meeple_label = field ? label : occupied;
        }
        meeples.labels[meeple] = meeple_label;
    }
    finish_turn(box, state, main_labels(box, state, slot), events);
}

// CA-6; with nothing there to fit on it is the first tile of CA-H5.
[[gnu::noinline]] void draw_unplaceable(const Box& box, State& state, std::size_t type) {
    if (state.land.size == 1) {
        first_tile(box, state, type);
    } else if (state.pile.size() == 0) {
        end_game(box, state);
    }
}

// CA-6
void draw(const Box& box, State& state, std::size_t type) {
    take_from_pile(box, state, type);
    if (!fits_somewhere(box, state, type)) return draw_unplaceable(box, state, type);
    state.turn.tile = narrow<std::uint8_t>(type + 1);
    state.turn.phase = Phase::kPlace;
    state.turn.actor = state.turn.mover;
    if (box.rules.tile_sale) [[unlikely]]
        offer_if_for_sale(box, state);
}

}  // namespace

void first_tile(const Box& box, State& state, std::size_t type) {
    state.turn.actor = state.turn.mover;
    state.frontier.cells[0] = cell_at(0, 0);
    state.frontier.size = 1;
    place(box, state, 0, code_of(type, 0));
}

void end_game(const Box& box, State& state) {
    score_finally(box, state);
    state.turn.mover = state.turn.ordinary = -1;
    state.turn.phase = Phase::kOver;
    state.turn.actor = kTerminal;
}

LegalActions Game::legal_actions(const State& state) const {
    if (state.turn.phase == Phase::kPlace) return LegalActions::of_placements(box_, state);
    if (state.turn.phase != Phase::kMeeple) [[unlikely]]
        return house_actions(box_, state);
    return LegalActions::of_bits(box_.first_meeple, state.turn.options);
}

bool Game::is_legal(const State& state, Action action) const {
    if (state.turn.phase == Phase::kPlace) {
        if (action < box_.first_placement) return false;
        const auto [cell, rotation] = box_.placement_of(action);
        const std::size_t at = state.frontier.find(cell);
        if (at == state.frontier.size) return false;
        return fits(box_.tiles.tables[type_in_turn(state)], state.frontier.edges[at], index_of(rotation));
    }
    if (state.turn.phase != Phase::kMeeple) {
        bool found = false;
        legal_actions(state).for_each([&](Action legal) { found |= legal == action; });
        return found;
    }
    const Action id = action - box_.first_meeple;
    return id >= 0 && id < Action{kMeepleIds} && (state.turn.options >> id & 1) != 0;
}

ChanceOutcomes Game::chance_outcomes(const State& state) const {
    if (box_.rules.unplaceable == Unplaceable::kReturn) [[unlikely]]
        return ChanceOutcomes(placeable_pile(box_, state));
    return ChanceOutcomes(state.pile);
}

void Game::apply_action(State& state, Action action) const {
    switch (state.turn.phase) {
        case Phase::kPlace: {
            const auto [cell, rotation] = box_.placement_of(action);
            return place(box_, state, state.frontier.find(cell), code_of(type_in_turn(state), index_of(rotation)));
        }
        case Phase::kMeeple:
            return put_meeple(box_, state, index_of(action - box_.first_meeple));
        case Phase::kDraw:
            return draw(box_, state, index_of(action));
        default:
            apply_house(box_, state, action);
    }
}

ScoreEvents Game::score_events(const State& state, Action action) const {
    EventWriter writer{{num_players(), state.turn.mover}};
    State after = state;
    if (state.turn.phase == Phase::kPlace) {
        const auto [cell, rotation] = box_.placement_of(action);
        place(box_, after, state.frontier.find(cell), code_of(type_in_turn(state), index_of(rotation)),
              std::ref(writer));
    } else if (state.turn.phase == Phase::kMeeple) {
        put_meeple(box_, after, index_of(action - box_.first_meeple), std::ref(writer));
    } else {
        apply_action(after, action);
        const int buyer = state.sale.buyer;
        if (state.turn.phase == Phase::kAccept) {
            writer.list.add(kSales, {}, buyer, after.points[index_of(buyer)] - state.points[index_of(buyer)]);
        }
    }
    if (after.turn.phase == Phase::kOver) {
        if (box_.rules.final_meeples == FinalMeeples::kHome) {  // the land with the meeples that have gone home
            Rules staying = box_.rules;
            staying.final_meeples = FinalMeeples::kStay;
            after = state;
            Game(staying).apply_action(after, action);
        }
        writer.over = true;
        KnownFeatures known;
        add_final_points(box_, after, known, after.points, std::ref(writer));
    }
    return writer.sorted();
}

ScoreEvents Game::standing(const State& state) const {
    EventWriter writer{{num_players(), 0}, true};
    PerPlayer<std::uint16_t> points = state.points;
    KnownFeatures known;
    if (state.turn.phase != Phase::kOver) add_final_points(box_, state, known, points, std::ref(writer));
    return writer.sorted();
}

void Game::apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const {
    if (!actions.are_placements()) return apply_action(state, actions[i]);
    const auto [at, rotation] = actions.place(i);
    place(box_, state, at, code_of(type_in_turn(state), rotation));
}

}  // namespace tilery::carcassonne

template struct tilery::Loops<tilery::carcassonne::Game>;
