// SPDX-License-Identifier: MIT
// Scoring: completed roads, cities and monasteries, and the end of the game.
#include <algorithm>
#include <cstdlib>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

constexpr std::size_t kEight = 8;  // rows in thirty-two bytes
using RowSet = std::array<std::uint64_t, 2>;
using LabelSet = std::array<std::uint64_t, 2>;

// The main places of eight rows.
Bytes32 main_places() { return Bytes32::fill_words(0x0000FFFFU); }

}  // namespace

// The slots of meeples with this label, as bits.
std::uint64_t Game::slots_with(const State& state, std::uint8_t label) {
    return Bytes32::load(&state.meeple_labels[0]).equal(Bytes32::fill(label)).high_bits() |
           std::uint64_t{Bytes16::load(&state.meeple_labels[32]).equal(Bytes16::fill(label)).high_bits()} << 32;
}

// CA-10: the points go to those with most of these meeples.
void Game::pay(State& state, std::uint64_t slots, int points) const {
    std::array<int, kMaxPlayers> counts;
    int most = 1;
    const auto players = static_cast<std::size_t>(rules_.players);
    for (std::size_t seat = 0; seat < players; ++seat) {
        counts[seat] = std::popcount(slots >> kSlots * seat & 0xFF);
        most = std::max(most, counts[seat]);
    }
    for (std::size_t seat = 0; seat < players; ++seat) {
        state.scores[seat] = static_cast<std::uint16_t>(state.scores[seat] + (counts[seat] == most ? points : 0));
    }
}

void Game::send_home(State& state, std::uint64_t slots) const {
    for (; slots != 0; slots &= slots - 1) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(slots));
        state.meeple_labels[slot] = state.meeple_rows[slot] = state.meeple_segments[slot] = 0;
        ++state.supply[slot / kSlots];
    }
}

// The points of a road (CA-11), and half of those of a complete city (CA-12): one for each tile,
// however many of its segments are in it (CA-13), and in a city one for each shield; a road may run
// through the tile of one too.
int Game::value_of(const State& state, std::uint8_t label, bool city) const {
    RowSet rows{}, behind{};
    const Bytes32 wanted = Bytes32::fill(label), none = Bytes32::fill(0), mains = main_places();
    for (std::size_t row = 0; row < state.rows; row += kEight) {
        const Bytes32 eight = Bytes32::load(&state.labels[row]);
        const std::uint64_t absent = (eight.equal(wanted) & mains).equal_words(none).high_bits_of_words();
        rows[row / 64] |= (absent ^ 0xFF) << row % 64;
    }
    for (std::size_t row = 0; row < state.rows; row += 32) {
        behind[row / 64] |= std::uint64_t{Bytes32::load(&state.tile_codes[row]).equal(none).high_bits()} << row % 64;
    }
    const RowSet after{rows[0] << 1, rows[1] << 1 | rows[0] >> 63};  // the rows behind those
    int value = 0;
    for (std::size_t w = 0; w < rows.size(); ++w) {
        const std::uint64_t shields = city ? state.shields[w] : 0;
        value += std::popcount(rows[w] & ~(after[w] & behind[w])) + std::popcount(rows[w] & shields);
    }
    return value;
}

// CA-9 for roads and cities of the tile just placed; `mains` are their labels by side.
void Game::score_completed(State& state, std::uint32_t mains) const {
    const Sides edges = tiles_.edges[state.tile_codes[state.last]];
    for (std::size_t side = 0; side < kSides; ++side) {
        const auto label = static_cast<std::uint8_t>(mains >> 8 * side);
        const std::size_t number = label & 0x7FU;
        if (state.open[number] != 0) continue;
        const bool city = edge_on(edges, side) == kCity;
        if (city) state.walled[number / 64] |= std::uint64_t{1} << number % 64;
        if (label < kOccupied) continue;
        const std::uint64_t slots = slots_with(state, label);
        if (slots == 0) continue;  // another side of the tile has sent them home
        pay(state, slots, value_of(state, label, city) * (city ? 2 : 1));
        send_home(state, slots);
    }
}

int Game::tiles_around(const State& state, Cell cell) {
    // Columns and lines are the bytes of a cell: count those that are 0..2 from the corner.
    const auto corner = static_cast<std::uint32_t>(static_cast<std::uint16_t>(cell - kRowStep - 1));
    const std::uint32_t column = 0U - (corner & 0xFF), line = 0U - (corner >> 8);
    const Bytes32 back = Bytes32::fill_words(0x00010001U * (column & 0xFF) | 0x01000100U * (line & 0xFF));
    const Bytes32 two = Bytes32::fill(2);
    int count = 0;
    constexpr std::size_t kSixteen = 16;  // cells in thirty-two bytes
    for (std::size_t row = 0; row < state.rows; row += kSixteen) {
        // The rows are no multiple of sixteen: the last block begins early, and leaves out what has been counted.
        const std::size_t begin = std::min(row, kRows - kSixteen);
        const std::uint32_t near =
            (Bytes32::load(&state.tile_cells[begin]) + back).max(two).equal(two).high_bits() >> 2 * (row - begin);
        count += std::popcount(near & near >> 1 & 0x55555555U);
    }
    return count;
}

// CA-14, CA-H11: the tiles of a complete monastery. Where the edge does not close they are never all there.
int Game::monastery_tiles(Cell cell) const {
    if (!rules_.edge_closes) return kMonasteryTiles;
    const int columns = std::min(x_of(cell) + 1, rim_[2]) - std::max(x_of(cell) - 1, rim_[0]) + 1;
    const int lines = std::min(y_of(cell) + 1, rim_[3]) - std::max(y_of(cell) - 1, rim_[1]) + 1;
    return columns * lines;
}

// CA-14
void Game::score_monasteries(State& state, std::uint64_t monks) const {
    const Cell cell = state.tile_cells[state.last];
    for (; monks != 0; monks &= monks - 1) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(monks));
        const Cell monastery = state.tile_cells[state.meeple_rows[slot]];
        if (std::abs(x_of(cell) - x_of(monastery)) > 1 || std::abs(y_of(cell) - y_of(monastery)) > 1) continue;
        const int points = tiles_around(state, monastery);
        if (points < least_monastery_ || points < monastery_tiles(monastery)) continue;
        const std::uint64_t slots = std::uint64_t{1} << slot;
        pay(state, slots, points);
        send_home(state, slots);
    }
}

// CA-16: the points of a field, by its label: 3 for each complete city it borders.
int Game::farm_value(const State& state, std::uint8_t label) const {
    LabelSet cities{};
    const Bytes32 wanted = Bytes32::fill(label), none = Bytes32::fill(0);
    for (std::size_t row = 0; row < state.rows; row += kEight) {
        const Bytes32 eight = Bytes32::load(&state.labels[row]);
        std::uint32_t beside = ~(eight.equal(wanted).upper_pairs() & eight).equal(none).high_bits();
        for (; beside != 0; beside &= beside - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(beside));
            const std::size_t city = state.labels[row + place / kRowSegments][place % kRowSegments] & 0x7FU;
            cities[city / 64] |= std::uint64_t{1} << city % 64;
        }
    }
    return 3 * (std::popcount(cities[0] & state.walled[0]) + std::popcount(cities[1] & state.walled[1]));
}

// CA-15, CA-16. The meeples stay.
void Game::score_finally(State& state) const {
    std::uint64_t left = ~slots_with(state, 0) & ((std::uint64_t{1} << kAllSlots) - 1);
    while (left != 0) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(left));
        const std::uint8_t label = state.meeple_labels[slot];
        const std::uint64_t slots = label == kMonk ? left & (0U - left) : slots_with(state, label);
        left &= ~slots;
        int points = 0;
        if (label < kOccupied) {
            points = farm_value(state, label | kOccupied);
        } else if (rules_.score_unfinished) {
            const bool city = state.meeple_segments[slot] < kFirstRoadId;
            points = label == kMonk ? tiles_around(state, state.tile_cells[state.meeple_rows[slot]])
                                    : value_of(state, label, city);
        }
        pay(state, slots, points);
    }
}

}  // namespace tilery::carcassonne
