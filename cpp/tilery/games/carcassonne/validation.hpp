// SPDX-License-Identifier: MIT
// Why a state cannot occur.
#pragma once

#include <string>

#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

// The copies of a type in the pile, in turn and in all hands; and with those on the land.
[[nodiscard]] int copies_left(const State& state, std::size_t type);
[[nodiscard]] int copies_in_game(const State& state, std::size_t type);

// Of the tiles and meeples on the land, hands and pile: of all that derive() relies on.
[[nodiscard]] std::string laid_fault(const Box& box, const State& state);

// turn_validation.cpp
[[nodiscard]] std::string hand_fault(const Box& box, const State& state);
// Of a state whose hands and land are possible.
[[nodiscard]] std::string turn_fault(const Box& box, const State& state);

// Whether all players take turns in seat order, and each of them places a tile.
[[nodiscard]] bool has_plain_turns(const Box& box);
// How many turns are over: each has placed a tile.
[[nodiscard]] int turns_finished(const Box& box, const State& state);

}  // namespace tilery::carcassonne
