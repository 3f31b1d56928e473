// SPDX-License-Identifier: MIT
// The sale of a tile that alone can complete something (CA-H7).
#include <algorithm>
#include <cstdlib>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/hands.hpp"

namespace tilery::carcassonne {
namespace {

constexpr unsigned kMonasteryBit = 1U << kSides;

// What ends on an open cell.
struct Ends {
    std::array<std::size_t, kSides> labels{};  // of the road or city on each side, or 0
    unsigned whole = 0;                        // sides where something ends that has no end elsewhere
    unsigned closed = 0;                       // sides closed by the edge of the table (CA-H11)
    bool monastery = false;                    // whether one lacks this cell and no other
};

Ends ends_on(const Box& box, const State& state, std::size_t at) {
    const Frontier& frontier = state.frontier;
    Ends ends;
    const std::uint8_t* facing = &frontier.facing[frontier.first[at]];
    for (std::size_t side = 0; side < kSides; ++side) {
        if (edge_on(frontier.edges[at], side) == kNoEdge) {
            if (box.rules.edge_closes && !box.table_cells.contains(neighbour(frontier.cells[at], side))) {
                ends.closed |= 1U << side;
            }
            continue;
        }
        const std::size_t slot = *facing++, place = box.tiles.facing[side][state.land.codes[slot]] & 0xFF;
        if (place < kPlaces) ends.labels[side] = bare(state.land.label_at(slot, place));
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        const std::size_t label = ends.labels[side];
        const auto here = std::count(ends.labels.begin(), ends.labels.end(), label);
        if (label != 0 && state.features.open_ends[label] == here) ends.whole |= 1U << side;
    }
    return ends;
}

// Which of them a tile of this type could complete in one of these rotations: their sides, and one
// bit for all monasteries around.
unsigned completions(const Box& box, const Ends& ends, std::size_t type, unsigned rotations) {
    if (rotations == 0) return 0;
    unsigned completed = ends.monastery ? kMonasteryBit : 0;
    for (std::size_t rotation = 0; rotation < kRotations; ++rotation) {
        if ((rotations >> (7 - rotation) & 1) == 0) continue;
        const std::uint32_t places = box.tiles.mains[code_of(type, rotation)];
        const auto joined = [&](std::size_t one, std::size_t other) {
            return (places >> 8 * one & 0xFF) == (places >> 8 * other & 0xFF) ||
                   (ends.labels[one] != 0 && ends.labels[one] == ends.labels[other]);
        };
        // An open end keeps open what it is joined to, by the tile or on the land: a chain of at most
        // three steps over four sides.
        unsigned open = ~(ends.whole | ends.closed);
        for (std::size_t step = 0; step < kSides - 1; ++step) {
            for (std::size_t side = 0; side < kSides; ++side) {
                for (std::size_t other = 0; other < kSides; ++other) {
                    if ((open >> side & 1) != 0 && joined(side, other)) open |= 1U << other;
                }
            }
        }
        completed |= ends.whole & ~open;
    }
    return completed;
}

// Whether a tile on the open cell can complete something that no tile of the pile can.
bool completes_alone(const Box& box, const State& state, const Ends& ends, std::size_t at, unsigned rotations) {
    const Edges edges = state.frontier.edges[at];
    unsigned features = completions(box, ends, state.turn.tile - std::size_t{1}, rotations);
    for (std::size_t type = 0; features != 0 && type < box.num_types; ++type) {
        if (state.pile.copies(type) == 0) continue;
        features &= ~completions(box, ends, type, fitting(box.tiles.tables[type], edges));
    }
    return features != 0;
}

}  // namespace

void offer_if_for_sale(const Box& box, State& state) {
    if (is_for_sale(box, state)) state.turn.phase = Phase::kOffer;
}

// A feature that one tile completes has all of its open ends on one cell, and a monastery lacks one
// cell. So all tiles that could complete it would do so in the same place, and cells can be looked
// at one by one.
bool is_for_sale(const Box& box, const State& state) {
    const std::size_t type = state.turn.tile - std::size_t{1};
    if (state.pile.copies(type) > 0) return false;
    const Land& land = state.land;
    std::array<Cell, kTileSlots> lacking;  // monasteries that lack one cell
    std::size_t monasteries = 0;
    for (std::size_t slot = 1; slot < land.size; ++slot) {
        if (!land.has_tile(slot) || box.table(land.codes[slot]).monastery == 0) continue;
        const Cell cell = land.cells[slot];
        if (tiles_around(state, cell) == monastery_tiles(box, cell) - 1) lacking[monasteries++] = cell;
    }
    for (std::size_t at = 0; at < state.frontier.size; ++at) {
        const unsigned rotations = fitting(box.tiles.tables[type], state.frontier.edges[at]);
        if (rotations == 0) continue;
        Ends ends = ends_on(box, state, at);
        for (std::size_t i = 0; i < monasteries; ++i) ends.monastery |= are_near(lacking[i], state.frontier.cells[at]);
        if ((ends.whole != 0 || ends.monastery) && completes_alone(box, state, ends, at, rotations)) return true;
    }
    return false;
}

LegalActions sale_actions(const Box& box, const State& state) {
    if (state.turn.phase == Phase::kOffer) return LegalActions::of_bits(box.first_sale + kOffer, 0b11);
    if (state.turn.phase == Phase::kAccept) return LegalActions::of_bits(box.first_sale + kAcceptSale, 0b11);
    // From one more than the last price up to the points of the bidder; behind them `pass`.
    const int price = state.sale.price, points = state.points[index_of(state.turn.actor)];
    return LegalActions::of_prices(box.first_sale + kPrice1 + price, std::max(0, std::min(points, kMostPoints) - price),
                                   box.first_sale + kPass);
}

void trade(const Box& box, State& state, Action id) {
    Turn& turn = state.turn;
    Sale& sale = state.sale;
    const auto clockwise = [&box](int seat) { return narrow<std::int8_t>(box.next_seat(seat)); };
    switch (id) {
        case kOffer:
            turn.phase = Phase::kBid;
            turn.actor = clockwise(turn.mover);
            return;
        case kKeep:
            turn.phase = Phase::kPlace;
            return;
        case kAcceptSale: {
            // CA-R6: no player gets the points.
            std::uint16_t& points = state.points[index_of(sale.buyer)];
            points = narrow<std::uint16_t>(points - sale.price);
            turn.mover = sale.buyer;
            break;
        }
        case kDecline:
            break;
        default:  // `pass` or a price
            if (id != kPass) {
                sale.price = narrow<std::uint16_t>(id - kPrice1 + 1);
                sale.buyer = turn.actor;
            }
            turn.actor = clockwise(turn.actor);
            if (turn.actor != turn.mover) return;
            if (sale.buyer >= 0) {
                turn.phase = Phase::kAccept;
                return;
            }
    }
    sale.price = 0;
    sale.buyer = -1;
    turn.actor = turn.mover;
    turn.phase = Phase::kPlace;
}

}  // namespace tilery::carcassonne
