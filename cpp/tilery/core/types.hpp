// SPDX-License-Identifier: MIT
// The words every game shares: actions, players, points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilery {

// The id of an action, in [0, num_distinct_actions) of its game (G-1).
using Action = std::int32_t;
// In place of an id: an action of which a player sees only that it happens.
inline constexpr Action kUnseen = -1;

// A player's number in seating order, or one of the two below (G-4).
using Player = int;
inline constexpr Player kChance = -1;
inline constexpr Player kTerminal = -4;

inline constexpr int kMaxPlayers = 5;

// One thing for each player. Games with fewer players leave the rest at T{}.
template <class T>
using PerPlayer = std::array<T, kMaxPlayers>;

}  // namespace tilery
