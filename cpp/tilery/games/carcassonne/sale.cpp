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
    Joins joins = 0;         // sides with ends of one road or city
    unsigned whole = 0;      // sides where something ends that has no end elsewhere
    unsigned closed = 0;     // sides closed by the edge of the table (CA-H11)
    bool monastery = false;  // whether one lacks this cell and no other
};

Ends ends_on(const Box& box, const State& state, std::size_t at) {
    static constexpr Shuffle kMiddles{0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12};  // each of these sides
    static constexpr Shuffle kEach{0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};     // beside each of those
    const Frontier& frontier = state.frontier;
    const std::uint8_t taken = kTakenSides[frontier.edges[at]];
    const Bytes16 ports = facing_labels(box, state, at, taken) & Bytes16::broadcast(0x7F);
    const Bytes16 middles = ports.shuffle(Bytes16::load(&kMiddles)), each = ports.shuffle(Bytes16::load(&kEach));
    Ends ends;
    const std::uint32_t matrix = middles.equal(each).movemask() & ~each.equal(Bytes16()).movemask();
    ends.joins = joins_of(matrix);
    const std::uint64_t labels = middles.low64();
    for (std::size_t side = 0; side < kSides; ++side) {
        const int here = std::popcount(matrix >> kSides * side & 0xFU);  // 0 where no road or city ends
        const int all = state.features.open_ends[labels >> 8 * side & 0x7F];
        ends.whole |= (all == here ? 1U : 0U) << side;
        if (box.rules.edge_closes && (taken >> side & 1) == 0 &&
            !box.table_cells.contains(neighbour(frontier.cells[at], side))) {
            ends.closed |= 1U << side;
        }
    }
    return ends;
}

// Which of them a tile of this type could complete in one of these rotations: their sides, and one
// bit for all monasteries around.
unsigned completions(const Box& box, const Ends& ends, std::size_t type, unsigned rotations) {
    unsigned completed = ends.monastery ? kMonasteryBit : 0;
    const unsigned open = ~(ends.whole | ends.closed) & ((1U << kSides) - 1);
    const auto& joins = box.tiles.joins;
    for (std::size_t rotation = 0; rotation < kRotations; ++rotation) {
        if ((rotations >> (7 - rotation) & 1) == 0) continue;
        // An open end keeps open what it is joined to, by the tile or on the land.
        const unsigned stay_open = kWithJoined[joins[code_of(type, rotation)] | ends.joins][open];
        completed |= ends.whole & ~stay_open;
    }
    return completed;
}

// Whether a tile on the open cell can complete something that no tile of the pile can.
bool completes_alone(const Box& box, const State& state, const Ends& ends, std::size_t at, unsigned rotations) {
    const Edges edges = state.frontier.edges[at];
    unsigned features = completions(box, ends, state.turn.tile - std::size_t{1}, rotations);
    for (std::size_t type = 0; features != 0 && type < box.num_types; ++type) {
        const unsigned fit = fitting(box.tiles.tables[type], edges);
        if (fit == 0 || state.pile.copies(type) == 0) continue;
        features &= ~completions(box, ends, type, fit);
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
