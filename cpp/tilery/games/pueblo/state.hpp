// SPDX-License-Identifier: MIT
// Pueblo: the state.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tilery/core/types.hpp"
#include "tilery/games/pueblo/rules.hpp"
#include "tilery/simd/byte_cells.hpp"

namespace tilery::pueblo {

// Whose a cube is: a seat 0..3, or neutral. Inside a state a cube is its owner's code, 1..5, so that 0 is not a cube.
inline constexpr int kNeutral = kMostPlayers;
inline constexpr int kOwners = kNeutral + 1;
inline constexpr int kCodeBits = 3;
[[nodiscard]] constexpr int code_of(int owner) { return owner + 1; }

enum class Phase : std::uint8_t { kPlace, kMove, kRemove, kBid, kToken, kOver };
inline constexpr int kPhases = 6;
inline constexpr Keyed<std::string_view, kPhases> kPhaseNames{"place", "move", "remove", "bid", "token", "over"};

// Levels up to this one are bits of a byte for each square; what is higher is rare, and kept in a list.
inline constexpr int kLowLevels = 8;

// A block in the building, where demolition needs to know: the square that comes first rank by rank, the
// level (from 0) of its lowest cube there, and how it is turned. Blocks sort as their numbers in tokens do.
//
//   bits 0-3     shape: 3 * direction + which of apex, R, L has two of its cubes
//   bits 4-9     level
//   bits 10-15   square
using Block = std::uint16_t;

// Codes of the cubes above the low levels, four bits each, square by square and upwards.
using HighCubes = std::array<std::uint64_t, kMostBlocks * kCubes / 16>;

struct State {
    ByteCells heights;  // number of cubes on each square, rank by rank from a1
    // Bit k of cubes[b][square] is bit b of the code of the cube on level k + 1.
    std::array<ByteCells, kCodeBits> cubes;
    HighCubes high_cubes;
    // First squares of the blocks that the player to act may remove; none in other phases. A cache of
    // recomputed_removable(), which asks every block.
    Squares removable;
    PerSeat<int> points;
    FixedVector<Block, kMostBlocks> blocks;  // sorted; only with demolition
    PerSeat<Keyed<Byte, 2>> supply;          // coloured, neutral
    PerSeat<Byte> order;                     // of tokens: player + 1, or 0 if not yet taken
    Byte aside;                              // pairs set aside by each player
    Byte part;                               // 1..3
    Phase phase;
    Byte player;     // to act; 0 when the game is over
    Byte turn;       // the player's place in the order, from 0; 0 when no player builds or demolishes
    Byte chieftain;  // the space the chieftain is on
    // The auction for one token; all 0 outside of it.
    Byte opener;
    Byte bid;
    Byte bidder;  // player + 1
    Byte passed;  // set of players

    bool operator==(const State&) const = default;
};
static_assert(sizeof(State) <= 512);

// Three squares in a window (PB-4).
struct Window {
    Byte apex, right, left;
};

using Points = PerSeat<int>;

// The next player clockwise after this one in a set that is not empty.
[[nodiscard]] inline int next_of(const Seats& set, Player player) {
    const Seats after = set - Seats::below(index(player) + 1);
    return number((after.empty() ? set : after).first());
}

}  // namespace tilery::pueblo
