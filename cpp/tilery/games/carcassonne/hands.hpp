// SPDX-License-Identifier: MIT
// The house rules of the turn: who starts, hands of tiles, what comes after a turn, the sale of tiles.
// Tables, edges, gaps and trees are part of placing a tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tilery/core/playout.hpp"
#include "tilery/games/carcassonne/actions.hpp"
#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

// hands.cpp
void begin(const Box& box, State& state);  // CA-H2
// The types, from 1, that a player holds (CA-H3); none while tiles are drawn for the start.
[[nodiscard]] std::span<const std::uint8_t> hand_of(const State& state, std::size_t seat);
[[nodiscard]] bool can_play_any(const Box& box, const State& state, std::span<const std::uint8_t> hand);
void take_in_hand(State& state, std::size_t seat, std::size_t type);
// The step after a turn where it is not simply the next player's turn: with some house rules, and at the end.
TILERY_FLATTEN [[gnu::noinline]] void finish_house_turn(const Box& box, State& state);
// CA-H5: with `return` only tiles that fit are drawn.
[[nodiscard, gnu::noinline]] bool can_draw(const Box& box, const State& state);
[[nodiscard, gnu::noinline]] Pile placeable_pile(const Box& box, const State& state);

// Decisions other than placements and meeples, chance other than the draw of a turn.
[[nodiscard]] LegalActions house_actions(const Box& box, const State& state);
void apply_house(const Box& box, State& state, Action action);

// sale.cpp
TILERY_FLATTEN [[gnu::noinline]] void offer_if_for_sale(const Box& box, State& state);
[[nodiscard, gnu::noinline]] bool is_for_sale(const Box& box, const State& state);
[[nodiscard]] LegalActions sale_actions(const Box& box, const State& state);
void trade(const Box& box, State& state, Action id);

}  // namespace tilery::carcassonne
