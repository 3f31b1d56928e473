// SPDX-License-Identifier: MIT
// A withdrawal: what the player wins, builds, draws and takes, and the points for it (TM-11 to TM-19); the points for
// cards at the end (TM-23). Inline, so that a playout becomes one function (core/playout.hpp).
#pragma once

#include <algorithm>
#include <cassert>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

// Two bits for each person of a set of persons.
inline constexpr auto kOneTileEach = array_of<1U << kPersons>([](std::uint32_t set) {
    std::uint32_t tiles = 0;
    for (std::size_t person = 0; person < kPersons; ++person) tiles |= (set >> person & 1U) << (2 * person);
    return byte(tiles);
});

// TM-15: what a bonus tile gives, by its kind plus 1; nothing where there is none.
struct BonusTile {
    std::uint8_t points, cards, goods, good;
};
inline constexpr auto kBonusTiles = [] {
    std::array<BonusTile, kBonusKinds + 1> table{};
    table[kPlusTwo + 1].points = 2;
    table[kPlusCard + 1].cards = 1;
    for (std::size_t good = 0; good < kCommodities; ++good) {
        table[kFirstCommodityTile + good + 1] = {0, 0, 1, byte(good)};
    }
    return table;
}();

// A set of provinces as bits.
struct Provinces {
    std::uint32_t bits;
};

// The cities from one on.
inline constexpr auto kCitiesFrom =
    array_of<kMostCities + 1>([](std::size_t city) { return Cities::below(128) - Cities::below(city); });

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

inline void Game::withdraw(State& state, auto events) const {
    const std::size_t player = state.turn;
    state.in = byte(state.in & ~bit(player));
    const std::uint32_t items = items_won(state);
    state.offer = byte(state.offer & ~items);
    // TM-12. Branch-free, because who wins the elephant is unpredictable.
    const ProductionTile& tile = production_tiles_[visit_index(state)];
    const std::size_t elephant = items >> kElephant & 1U;
    const Provinces here{bit(current_province(state))};
    gain_good(state, tile.goods[0], elephant, here, events);
    gain_good(state, tile.goods[1], elephant & (tile.size >> 1), here, events);
    const std::uint32_t persons = items >> kFirstPerson;
    state.tiles[player] = byte(state.tiles[player] + std::size_t{kOneTileEach[persons]});
    state.persons = byte(size_of(persons));
    state.crown = items >> kMogul & 1U;
    state.draws = state.cards.symbols[player] != 0 ? 0 : 1;  // TM-19
    if (items >> kMogul != 0) return go_on_building(state, events);
    end_building(state);
}

// TM-11. Players who have withdrawn have no symbols any more.
inline std::uint32_t Game::items_won(const State& state) const {
    const std::size_t player = state.turn;
    const Lanes mine = state.cards.symbols[player];
    Lanes won = greater(mine, 0);
    for (std::size_t other = 0; other < players_; ++other) {
        won &= greater(mine, state.cards.symbols[other] * (other != player ? 1 : 0));
    }
    if (players_ == 2) won &= greater(mine, fictive_symbols(state));  // TM-27
    return symbols_of(won) & state.offer;
}

// TM-13, TM-14: cities of the province without an ordinary palace, above those just built in.
inline Cities Game::building_sites(const State& state) const {
    return (province_cities_[current_province(state)] & kCitiesFrom[state.site]) - state.sites.palaces();
}

inline void Game::go_on_building(State& state, auto events) const {
    const std::size_t player = state.turn;
    if (state.persons > 0) {
        if (state.palaces[player] < kPalaces && !building_sites(state).empty()) {
            state.phase = Phase::kBuild;
            return;
        }
        state.persons = 0;
    }
    state.site = 0;
    if (state.crown != 0) {
        if (state.palaces[player] < kPalaces) {
            state.phase = Phase::kCrown;
            return;
        }
        state.crown = 0;
    }
    const std::uint32_t provinces = joined_provinces(state, player, current_province(state));
    add_points(state, player, size_of(provinces));  // TM-17
    events(kJoined, player, size_of(provinces), Provinces{provinces});
    end_building(state);
}

// TM-18
inline void Game::end_building(State& state) const {
    const std::size_t player = state.turn;
    deck_.discard_played(state.cards, player);
    state.used = byte(state.used & ~std::uint32_t{state.specials[player]});
    state.colour[player] = 0;
    go_on_drawing(state);
}

// TM-15
inline void Game::build_ordinary(State& state, std::size_t city, auto events) const {
    const std::size_t player = state.turn;
    const BonusTile& tile = kBonusTiles[state.sites.tile(city)];
    state.sites.build(city, player);
    ++state.palaces[player];
    --state.persons;
    state.site = byte(city + 1);
    state.draws = byte(state.draws + std::size_t{tile.cards});
    gain_good(state, tile.good, tile.goods, city, events);
    const std::size_t of_city = city == taj_mahal_ ? taj_mahal_points_ : 0;
    add_points(state, player, tile.points + of_city);
    events(kTiles, player, tile.points, city);
    events(kTajMahal, player, of_city, city);
}

inline void Game::build_mogul(State& state, std::size_t city) {
    state.moguls.put(city, state.turn + 1U);
    ++state.palaces[state.turn];
}

// TM-19
inline void Game::go_on_drawing(State& state) const {
    if (state.draws > 0) {
        if (can_draw(state)) {
            state.phase = Phase::kDraw;
            return;
        }
        state.draws = 0;
    }
    state.takes = byte(std::min(state.in != 0 ? 2U : 1U, state.cards.display.size()));
    if (state.takes == 0) return end_turn(state);
    state.phase = Phase::kTake;
}

// TM-19: two cards are taken in the order of types.
inline CardSet Game::takable(const State& state) const {
    const CardSet& display = state.cards.display;
    if (state.takes > 1) return display.but_last() & deck_.first_cards();
    return (display & deck_.first_cards()) - deck_.cards_before(state.first);
}

inline void Game::take(State& state, std::size_t card) const {
    deck_.take(state.cards, card, state.turn);
    if (--state.takes > 0) {
        state.first = byte(deck_.type_of(card) + 1);
        return;
    }
    state.first = 0;
    end_turn(state);
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
