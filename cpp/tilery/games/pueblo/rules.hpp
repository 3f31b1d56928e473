// SPDX-License-Identifier: MIT
// Pueblo: the site, the material and the options.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/types.hpp"

namespace tilery {
class TokenReader;
}

namespace tilery::pueblo {

inline constexpr int kMostPlayers = 4;
inline constexpr int kSide = 8;
inline constexpr int kSquares = kSide * kSide;
inline constexpr int kSpaces = 4 * (kSide + 1);      // of the chieftain's path, corners included (PB-7)
inline constexpr int kMostSteps = 4;                 // of the chieftain in one turn (PB-13)
inline constexpr int kCubes = 4;                     // of a block
inline constexpr int kMostBlocks = 36;               // of all players (PB-11)
inline constexpr int kMostLevels = kMostBlocks + 1;  // PB-6
inline constexpr int kMostSites = 4;
inline constexpr int kRemovable = kSquares - kSide;  // squares that can be the first of a block
inline constexpr int kDirectionWindows = (kSide - 1) * (kSide - 1);
inline constexpr int kWindows = 4 * kDirectionWindows;  // with a direction (PB-4)
static_assert(kWindows == 196);

// Pairs of a coloured and a neutral block for each number of players, besides the single coloured one (PB-11).
inline constexpr Keyed<int, kMostPlayers + 1> kPairs{0, 0, 7, 5, 4};
inline constexpr int kAsidePairs = 2;  // PB-23
static_assert(2 * (2 * kPairs[2] + 1) == 30 && 3 * (2 * kPairs[3] + 1) == 33 && 4 * (2 * kPairs[4] + 1) == kMostBlocks);

// A set of squares, which are numbered rank by rank from a1.
using Squares = CellSet<kSquares>;

template <class T>
using PerSeat = Keyed<T, kMostPlayers>;
using Seats = CellSet<kMostPlayers>;

// Where the square that a window leaves out is, seen from its apex (PB-29).
enum class Direction : std::uint8_t { kNe, kNw, kSe, kSw };
inline constexpr Keyed<std::string_view, 4> kDirections{"ne", "nw", "se", "sw"};
inline constexpr std::array kEachDirection{Direction::kNe, Direction::kNw, Direction::kSe, Direction::kSw};
template <class T>
using PerDirection = Keyed<T, 4>;

enum class Corner : std::uint8_t { kSw, kNw, kNe, kSe };  // clockwise, nine spaces apart
enum class Handedness : std::uint8_t { kRight, kLeft };

// R and L of each direction, as steps from the apex (PB-4, PB-29).
struct Arms {
    int right, left;
};
inline constexpr PerDirection<Arms> kArms{{{{1, kSide}, {kSide, -1}, {-kSide, 1}, {-1, -kSide}}}};

struct Site {  // a sacred site (PB-27)
    Byte apex;
    Direction direction;
    auto operator<=>(const Site&) const = default;
};
using Sites = FixedVector<Site, kMostSites>;

struct Rules {
    int players = 2;
    bool demolition = false;
    bool pro = false;
    Sites sites{};
    Corner start_corner = Corner::kSw;
    Handedness handedness = Handedness::kRight;
    int first_bidder = 0;
    int max_bid = 50;

    static Options options();  // words/options.cpp
    static Sites read_sites(const Value& value);
    static Value write_sites(const Sites& sites);
};

// Whether the window with this apex is inside the site (PB-30).
[[nodiscard]] bool inside(int apex, Direction direction);
// The squares of the window with this apex.
[[nodiscard]] Squares squares_of(int apex, Direction direction);

[[nodiscard]] std::string square_name(int square);
[[nodiscard]] int read_square(TokenReader& reader);
// An apex and a direction; only windows inside the site can be read.
[[nodiscard]] std::string window_name(int apex, Direction direction);
[[nodiscard]] Site read_window(TokenReader& reader);

}  // namespace tilery::pueblo
