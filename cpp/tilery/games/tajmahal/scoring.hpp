// SPDX-License-Identifier: MIT
// Points for goods, for chains of palaces and for cards at the end (TM-16, TM-17, TM-23).
// Inline, so that a playout becomes one function (core/playout.hpp).
#pragma once

#include <algorithm>
#include <cassert>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

// TM-16
inline void Game::gain_good(State& state, std::size_t good, std::size_t number, auto where, auto events) {
    assert(number <= 1);
    const std::size_t player = state.turn;
    std::uint8_t& symbols = state.goods[player][good];
    symbols = byte(symbols + number);
    add_points(state, player, symbols * number);
    events(kGoods, player, symbols * number, where);
}

// TM-17
inline std::uint32_t Game::joined_provinces(const State& state, std::size_t player, std::size_t province) const {
    const Cities own = own_cities(state, player);
    Cities fresh = own & province_cities_[province], reached = fresh;
    std::uint32_t provinces = 0;
    while (!fresh.empty()) {
        Cities next;
        fresh.for_each([&](std::size_t city) {
            next |= neighbours_[city];
            provinces |= bit(province_of_[city]);
        });
        fresh = (next & own) - reached;
        reached |= fresh;
    }
    return provinces;
}
inline std::size_t Game::palace_points(const State& state, std::size_t player, std::size_t province) const {
    return size_of(joined_provinces(state, player, province));
}

// TM-23
void Game::score_hands(State& state, std::size_t first, auto events) const {
    for (std::size_t i = 0; i < players_; ++i) {
        const std::size_t player = (first + i) % players_;
        Cards::OfPlayer& own = state.cards.players[player];
        const auto held = [&](std::size_t colour) {
            return std::size_t{(own.hand & deck_.cards_of_colour(colour)).size()};
        };
        const std::size_t specials = size_of(state.specials[player]), white = held(kWhite);
        std::size_t best = 0;
        for (std::size_t colour = 0; colour < kColours; ++colour) best = std::max(best, held(colour));
        add_points(state, player, specials + white + best);
        events(kSpecialCards, player, specials, nullptr);
        events(kWhiteCards, player, white, nullptr);
        events(kColourCards, player, best, nullptr);
        own.known = own.hand;  // TM-R4
    }
}

}  // namespace tilery::tajmahal
