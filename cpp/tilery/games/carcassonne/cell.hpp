// SPDX-License-Identifier: MIT
// Cells of the plane as single numbers.
#pragma once

#include <array>
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

}  // namespace tilery::carcassonne
