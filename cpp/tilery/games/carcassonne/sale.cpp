// SPDX-License-Identifier: MIT
// The sale of a tile that alone can complete something (CA-H7).
#include <algorithm>
#include <bit>
#include <span>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

constexpr unsigned kMonasteryBit = 1U << kSides;

// The features that end on an open cell.
struct Ends {
    std::uint8_t at;      // the index of the cell
    Joins joins;          // sides with ends of one road or city
    std::uint8_t whole;   // sides where something ends that has no end elsewhere
    std::uint8_t closed;  // sides closed by the edge of the table (CA-H11)
    bool monastery;       // whether one lacks this cell and no other
};

Ends ends_on(const Box& box, const State& state, std::size_t at) {
    static constexpr Shuffle kMiddles{0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12};  // each of these sides
    static constexpr Shuffle kEach{0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};     // beside each of those
    const Frontier& frontier = state.frontier;
    const std::uint8_t taken = kTakenSides[frontier.edges[at]];
    const Bytes16 ports = facing_labels(box, state, at, taken) & Bytes16::broadcast(0x7F);
    const Bytes16 middles = ports.shuffle(Bytes16::load(&kMiddles)), nothing = middles.equal(Bytes16());
    const auto labels = narrow<std::uint32_t>(middles.low64());
    std::uint32_t all = 0;  // ends of each side's feature
    for (std::size_t side = 0; side < kSides; ++side) {
        all |= std::uint32_t{state.features.open_ends[labels >> 8 * side & 0x7F]} << 8 * side;
    }
    const Bytes16 here = Bytes16::broadcast32(sums_by_label(labels, 0x01010101U));
    const std::uint32_t some = ~nothing.movemask(), whole = here.equal(Bytes16::broadcast32(all)).movemask() & some;
    const std::uint32_t matrix = middles.equal(ports.shuffle(Bytes16::load(&kEach))).movemask() & some;
    Ends ends{narrow<std::uint8_t>(at), joins_of(matrix), narrow<std::uint8_t>(whole & 0xF), 0, false};
    if (!box.rules.edge_closes) return ends;
    for (std::size_t side = 0; side < kSides; ++side) {
        if ((taken >> side & 1) == 0 && !box.table_cells.contains(neighbour(frontier.cells[at], side))) {
            ends.closed |= side_bit(side);
        }
    }
    return ends;
}

// Which of them a tile of this type could complete in one of these rotations: their sides, and one
// bit for all monasteries around.
unsigned completions(const Box& box, const Ends& ends, std::size_t type, unsigned rotations) {
    unsigned completed = ends.monastery ? kMonasteryBit : 0;
    const unsigned open = ~(unsigned{ends.whole} | ends.closed) & ((1U << kSides) - 1);
    const auto& joins = box.tiles.joins;
    // All rotations are looked at, because which are asked for is unpredictable.
    for (std::size_t rotation = 0; rotation < kRotations; ++rotation) {
        // An open end keeps open what it is joined to, by the tile or on the land.
        const unsigned stay_open = kWithJoined[joins[code_of(type, rotation)] | ends.joins][open];
        completed |= ends.whole & ~stay_open & (0U - (rotations >> (7 - rotation) & 1U));
    }
    return completed;
}

// The types of which there are tiles in the pile.
std::uint64_t types_in_pile(const Pile& pile) {
    // Those of which there are more tiles up to them than up to the type before.
    const std::uint8_t* const up_to = pile.up_to.data();
    const std::uint64_t low = ~Bytes32::load(up_to).equal(Bytes32::load(up_to + 1)).movemask();
    const std::uint64_t high = ~Bytes16::load(up_to + 31).equal(Bytes16::load(up_to + 32)).movemask() & 0xFFFFU;
    return low << 1 | high << 32 | std::uint64_t{up_to[0] != 0};
}

// Whether the tile to be placed can complete something on the open cell that no tile of these types can.
bool completes_alone(const Box& box, const State& state, const Ends& ends, std::uint64_t others) {
    const Edges edges = state.frontier.edges[ends.at];
    const auto by = [&](std::size_t type) {
        return completions(box, ends, type, fitting(box.tiles.tables[type], edges));
    };
    unsigned features = by(state.turn.tile - std::size_t{1});
    others &= box.tiles.fitting_types[edges];
    for (; features != 0 && others != 0; others &= others - 1) features &= ~by(index_of(std::countr_zero(others)));
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
    const std::uint64_t others = types_in_pile(state.pile);
    const Land& land = state.land;
    std::array<Cell, kTileSlots> lacking;  // all monasteries, then those that lack one cell
    std::size_t all = 0, monasteries = 0;
    for (std::size_t slot = 1; slot < land.size; ++slot) {  // without a branch: where they are is unpredictable
        lacking[all] = land.cells[slot];
        all += box.tiles.monasteries[land.codes[slot]];
    }
    for (const Cell cell : std::span(lacking).first(all)) {
        if (tiles_around(state, cell) == monastery_tiles(box, cell) - 1) lacking[monasteries++] = cell;
    }
    const Frontier& frontier = state.frontier;
    for (std::size_t from = 0; from < frontier.size; from += 32) {
        std::array<Ends, 32> found;  // where something may be completed
        std::size_t size = 0;
        for (std::uint64_t cells = fitting_cells(box.tiles.tables[type], frontier, from); cells != 0;
             cells &= cells - 1) {
            const std::size_t at = from + index_of(std::countr_zero(cells));
            Ends ends = ends_on(box, state, at);
            for (std::size_t i = 0; i < monasteries; ++i) ends.monastery |= are_near(lacking[i], frontier.cells[at]);
            found[size] = ends;
            size += std::size_t{(ends.whole | std::uint8_t{ends.monastery}) != 0};
        }
        for (std::size_t i = 0; i < size; ++i) {
            if (completes_alone(box, state, found[i], others)) return true;
        }
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
        case kAcceptSale: {
            // CA-R6: no player gets the points.
            std::uint16_t& points = state.points[index_of(sale.buyer)];
            points = narrow<std::uint16_t>(points - sale.price);
            turn.mover = sale.buyer;
            break;
        }
        case kKeep:
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
