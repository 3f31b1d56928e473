// SPDX-License-Identifier: MIT
// The sale of a tile that alone can complete something (CA-H7).
#include <algorithm>
#include <cstdlib>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

constexpr unsigned kMonasteryBit = 1U << kSides;
constexpr std::array<int, kSides> kSteps{-1, -kRowStep, kRowStep, 1};

}  // namespace

void Game::offer_if_for_sale(State& state) const {
    if (is_for_sale(state)) state.phase = Phase::kOffer;
}

// A feature that one tile completes has all of its open ends on one cell, and a monastery lacks one
// cell. So all tiles that could complete it would do so in the same place, and cells can be looked
// at one by one.
bool Game::is_for_sale(const State& state) const {
    const std::size_t type = state.tile - std::size_t{1};
    if (copies_left(state, type) > 0) return false;
    std::array<Cell, kRows> lacking;  // monasteries that lack one cell
    std::size_t monasteries = 0;
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0 || tiles_.tables[type_of(code)].monastery == 0) continue;
        const Cell cell = state.tile_cells[row];
        if (tiles_around(state, cell) == monastery_tiles(cell) - 1) lacking[monasteries++] = cell;
    }
    for (std::size_t at = 0; at < state.num_cells; ++at) {
        const unsigned rotations = fitting(tiles_.tables[type], state.sides[at]);
        if (rotations == 0) continue;
        Ends ends = ends_on(state, at);
        for (std::size_t i = 0; i < monasteries; ++i) {
            const int x = x_of(lacking[i]) - x_of(state.cells[at]), y = y_of(lacking[i]) - y_of(state.cells[at]);
            ends.monastery |= std::abs(x) <= 1 && std::abs(y) <= 1;
        }
        if (ends.whole == 0 && !ends.monastery) continue;
        unsigned features = completions(ends, type, rotations);
        for (std::size_t other = 0; features != 0 && other < types_; ++other) {
            if (copies_left(state, other) == 0) continue;
            features &= ~completions(ends, other, fitting(tiles_.tables[other], state.sides[at]));
        }
        if (features != 0) return true;
    }
    return false;
}

// The roads and cities that end on an open cell.
Game::Ends Game::ends_on(const State& state, std::size_t at) const {
    Ends ends;
    const std::uint8_t* neighbour = &state.neighbours[state.first[at]];
    for (std::size_t side = 0; side < kSides; ++side) {
        if (edge_on(state.sides[at], side) == kNoEdge) {
            const auto beyond = static_cast<Cell>(state.cells[at] + kSteps[side]);
            if (rules_.edge_closes && !on_table(beyond)) ends.closed |= 1U << side;
            continue;
        }
        const std::size_t row = *neighbour++, place = tiles_.facing[side][state.tile_codes[row]] & 0xFF;
        if (place >= kPlaces) continue;
        ends.labels[side] = state.labels[row + place / kRowSegments][place % kRowSegments] & 0x7FU;
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        const std::size_t label = ends.labels[side];
        const auto here = std::count(ends.labels.begin(), ends.labels.end(), label);
        if (label != 0 && state.open[label] == here) ends.whole |= 1U << side;
    }
    return ends;
}

// Which of them a tile of this type could complete in one of these rotations: their sides, and one
// bit for all monasteries around.
unsigned Game::completions(const Ends& ends, std::size_t type, unsigned rotations) const {
    if (rotations == 0) return 0;
    unsigned completed = ends.monastery ? kMonasteryBit : 0;
    for (std::size_t rotation = 0; rotation < kRotations; ++rotation) {
        if ((rotations >> (7 - rotation) & 1) == 0) continue;
        const std::uint32_t places = tiles_.mains[code_of(type, rotation)];
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

void Game::trade(State& state, Action id) const {
    const auto clockwise = [this](int seat) { return static_cast<std::int8_t>((seat + 1) % rules_.players); };
    switch (id) {
        case kOffer:
            state.phase = Phase::kBid;
            state.actor = clockwise(state.turn);
            return;
        case kKeep:
            state.phase = Phase::kPlace;
            return;
        case kAcceptSale: {
            // CA-R6: nobody gets the points.
            std::uint16_t& points = state.scores[static_cast<std::size_t>(state.buyer)];
            points = static_cast<std::uint16_t>(points - state.price);
            state.turn = state.buyer;
            break;
        }
        case kDecline:
            break;
        default:  // `pass` or a price
            if (id != kPass) {
                state.price = static_cast<std::uint16_t>(id - kPrice1 + 1);
                state.buyer = state.actor;
            }
            state.actor = clockwise(state.actor);
            if (state.actor != state.turn) return;
            if (state.buyer >= 0) {
                state.phase = Phase::kAccept;
                return;
            }
    }
    state.price = 0;
    state.buyer = -1;
    state.actor = state.turn;
    state.phase = Phase::kPlace;
}

}  // namespace tilery::carcassonne
