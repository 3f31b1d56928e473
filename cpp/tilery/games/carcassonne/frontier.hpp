// SPDX-License-Identifier: MIT
// Cells of the plane as single numbers, and the open cells of the land, kept up tile by tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tilery/games/carcassonne/tiles.hpp"

namespace tilery::carcassonne {

inline constexpr int kReach = 83;  // no cell of the land is farther from (0, 0) (CA-2)

// A cell as one number that sorts by y, then x: y in the upper byte, x + 84 in the lower.
using Cell = std::int16_t;
inline constexpr int kMiddleColumn = 84;
inline constexpr Cell kNoCell = 0x7FFF;
inline constexpr int kRowStep = 256;  // from a cell to the one in the north
[[nodiscard]] constexpr Cell cell_at(int x, int y) { return static_cast<Cell>(y * kRowStep + x + kMiddleColumn); }
[[nodiscard]] constexpr int x_of(Cell cell) { return (cell & 0xFF) - kMiddleColumn; }
[[nodiscard]] constexpr int y_of(Cell cell) { return cell >> 8; }

// From a cell to its neighbour on each side.
inline constexpr std::array<int, kSides> kSteps{-1, -kRowStep, kRowStep, 1};
[[nodiscard]] constexpr Cell neighbour(Cell cell, std::size_t side) { return static_cast<Cell>(cell + kSteps[side]); }

// Whether two cells share a corner or are the same.
[[nodiscard]] constexpr bool are_near(Cell one, Cell other) {
    const int x = x_of(one) - x_of(other), y = y_of(one) - y_of(other);
    return (x * x | y * y) <= 1;  // without branches, which would be unpredictable
}

// n tiles touch at most 2 n + 2 empty cells, by as many edges.
inline constexpr std::size_t kMostOpen = 2 * kTiles + 2;

[[nodiscard]] constexpr std::size_t rounded_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

// The sides with a neighbour, as bits, of every byte of edges.
inline constexpr auto kTakenSides = array_of<256>([](Edges edges) {
    std::uint8_t taken = 0;
    for (std::size_t side = 0; side < kSides; ++side) {
        if (edge_on(edges, side) != kNoEdge) taken |= side_bit(side);
    }
    return taken;
});

// The open cells, sorted by y, then x, and the tiles that face each of them. Lists are longer than
// needed, so that blocks can be loaded whole.
struct Frontier {
    std::array<Cell, rounded_up(kMostOpen, 16)> cells;   // then kNoCell
    std::array<Edges, rounded_up(kMostOpen, 64)> edges;  // what the neighbours of each cell ask for; then 0
    std::array<std::uint8_t, rounded_up(kMostOpen, 16)>
        first;  // of each cell, and behind the last, an index in `facing`
    // The slots of the tiles that face each cell: of its western, southern, northern, eastern neighbour.
    std::array<std::uint8_t, rounded_up(kMostOpen, 64)> facing;
    std::uint8_t size;
    std::uint8_t padding;

    // The index of an open cell, or `size`.
    [[nodiscard]] std::size_t find(Cell cell) const;

    // CA-7: a tile fills the cell at an index, and its empty neighbours become open, except those on
    // the sides in `outside` (CA-H10). `mirrored` are the edges of the tile as its neighbours see them.
    void close(std::size_t at, Edges mirrored, std::uint8_t slot, unsigned outside);

    // Whether the lists are equal, without what is behind their ends.
    [[nodiscard]] bool same(const Frontier& other) const;
    bool operator==(const Frontier&) const = default;
};

}  // namespace tilery::carcassonne
