// SPDX-License-Identifier: MIT
// The fictive third player of a game for two (TM-25 to TM-27).
// Inline, so that a playout becomes one function (core/playout.hpp).
#pragma once

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

inline Lanes Game::fictive_symbols(const State& state) const {
    Lanes symbols = 0;
    for (const std::size_t type : state.fictive) symbols += type > 0 ? deck_.type(type - 1).symbols() : 0;
    return symbols;
}

inline void Game::turn_up(State& state, std::size_t card) const {
    deck_.turn_up(state.cards, card);
    const std::size_t type = deck_.type_of(card);
    std::uint8_t& of_colour = state.fictive[deck_.type(type).colour];
    if (of_colour == 0) {
        of_colour = byte(type + 1);
    } else {  // TM-26: the card turned up goes to the discards with the others
        const Lanes symbols = fictive_symbols(state);
        Lanes won = greater(symbols, 0);
        for (std::size_t player = 0; player < players_; ++player) won &= greater(symbols, state.cards.symbols[player]);
        state.offer = byte(state.offer & ~symbols_of(won));
        state.fictive = {};
        state.fictive_in = 0;
    }
    pass_turn(state);
}

}  // namespace tilery::tajmahal
