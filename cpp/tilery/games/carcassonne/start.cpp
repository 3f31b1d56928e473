// SPDX-License-Identifier: MIT
// Who starts (CA-H2).
#include <algorithm>
#include <bit>
#include <cassert>

#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

void start(const Box& box, State& state, int seat) {
    state.turn.phase = box.rules.hand_size > 0 ? Phase::kDeal : Phase::kDraw;
    state.turn.actor = kChance;
    state.turn.mover = state.turn.ordinary = narrow<std::int8_t>(seat);
    state.turn.goes_on = 0;
}

// Those who drew a tile with most roads, as bits; all tiles go back.
unsigned compare_draws(const Box& box, State& state) {
    int most = -1;
    unsigned tied = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        std::uint8_t& tile = state.hands.tiles[seat][0];
        if (tile == 0) continue;
        const std::size_t type = tile - std::size_t{1};
        const int roads = box.tiles.types[type].printed_roads;
        tied = roads > most ? 1U << seat : roads == most ? tied | 1U << seat : tied;
        most = std::max(most, roads);
        for (std::size_t i = type; i < kPileBytes; ++i) ++state.pile.up_to[i];
        tile = 0;
    }
    return tied;
}

}  // namespace

void begin(const Box& box, State& state) {
    if (box.rules.first_player == FirstPlayer::kSeat0) return start(box, state, 0);
    state.turn.phase = Phase::kOrder;
    state.turn.actor = kChance;
    state.turn.mover = state.turn.ordinary = -1;
    state.turn.goes_on = 0;
    state.turn.round = 1;
    state.turn.contenders = narrow<std::uint8_t>((1U << box.rules.players) - 1U);
}

// CA-H2, CA-R3
void draw_for_start(const Box& box, State& state, std::size_t type) {
    Turn& turn = state.turn;
    take_from_pile(box, state, type);
    std::uint8_t* drawn = nullptr;  // of the next contender without a tile
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if ((turn.contenders >> seat & 1) == 0 || state.hands.tiles[seat][0] != 0) continue;
        if (drawn != nullptr) {
            *drawn = narrow<std::uint8_t>(type + 1);
            return;
        }
        drawn = &state.hands.tiles[seat][0];
    }
    assert(drawn != nullptr);
    *drawn = narrow<std::uint8_t>(type + 1);
    const unsigned tied = compare_draws(box, state);
    if (std::has_single_bit(tied) || turn.round == kMostRounds) {
        turn.round = turn.contenders = 0;
        return start(box, state, std::countr_zero(tied));
    }
    ++turn.round;
    turn.contenders = narrow<std::uint8_t>(tied);
}

}  // namespace tilery::carcassonne
