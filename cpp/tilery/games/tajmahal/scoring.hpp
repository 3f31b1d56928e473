// SPDX-License-Identifier: MIT
// Points for goods and for chains of palaces (TM-16, TM-17).
// Inline, so that a playout becomes one function (core/playout.hpp).
#pragma once

#include <algorithm>
#include <cassert>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

// TM-16
inline void Game::gain_good(State& state, std::size_t player, std::size_t good, std::size_t number) {
    assert(number <= 1);
    std::uint8_t& symbols = state.goods[player][good];
    symbols = byte(symbols + number);
    add_points(state, player, symbols * number);
}

// TM-17
inline std::size_t Game::palace_points(const State& state, std::size_t player, std::size_t province) const {
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
    return size_of(provinces);
}

}  // namespace tilery::tajmahal
