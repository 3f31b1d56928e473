// SPDX-License-Identifier: MIT
// Observations: the parts in the order of docs/rules/tajmahal.md.
#include <cassert>

#include "tilery/games/tajmahal/fictive.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

std::vector<int> Game::observation_shape() const {
    const auto types = static_cast<int>(deck_.types()), cities = static_cast<int>(cities_), n = rules_.players;
    return {types * (2 * n + 5) + cities * (2 * n + 6) + 28 * n + 73};
}

void Game::observe(const State& state, Player player, std::span<float> out) const {
    const Places all = places(state);
    float* at = out.data();
    const auto put = [&at](auto number) { *at++ = static_cast<float>(number); };
    const auto put_cards = [&](const Counts& counts) {
        for (std::size_t type = 0; type < deck_.types(); ++type) put(counts[type]);
    };
    const auto put_bits = [&put](std::uint32_t set, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) put(has(set, i));
    };
    const auto put_lanes = [&put](Lanes lanes) {
        for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) put(count_of(lanes, symbol));
    };
    const auto put_cities = [&](const Cities& set) {
        for (std::size_t city = 0; city < cities_; ++city) put(set.has(city) ? 1 : 0);
    };
    const auto put_one_of = [&put](std::size_t which, std::size_t size) {  // none if which is not below size
        for (std::size_t i = 0; i < size; ++i) put(i == which ? 1 : 0);
    };
    const auto seats = [&](auto&& of_player) {
        for (std::size_t k = 0; k < players_; ++k) of_player((static_cast<std::size_t>(player) + k) % players_);
    };

    put_cards(all.hand[static_cast<std::size_t>(player)]);
    seats([&](std::size_t seat) { put_cards(all.known[seat]); });
    seats([&](std::size_t seat) { put(total(all.hand[seat]) - total(all.known[seat])); });
    seats([&](std::size_t seat) { put_cards(all.played[seat]); });
    seats([&](std::size_t seat) { put_lanes(state.cards.symbols[seat]); });
    seats([&](std::size_t seat) { put_one_of(state.colour[seat] - 1U, kColours); });
    seats([&](std::size_t seat) { put(has(state.in, seat)); });
    seats([&](std::size_t seat) { put_bits(state.specials[seat], kPersons); });
    put_bits(state.used, kPersons);
    seats([&](std::size_t seat) {
        for (std::size_t person = 0; person < kPersons; ++person) put(tiles_held(state.tiles[seat], person));
    });
    put_bits(state.offer, kSymbols);
    put_cards(all.display);
    put_cards(discards(state));
    put(total(all.pile));
    for (std::size_t province = 0; province < kProvinces; ++province) put(state.numbers.visit_of(province));
    put_one_of(state.numbers[visit_index(state)] - 1, kProvinces);
    for (const std::uint8_t symbols : production(visit_index(state))) put(symbols);
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) put_cities(state.sites.tiles_of(kind));
    seats([&](std::size_t seat) { put_cities(state.sites.palaces_of(seat)); });
    seats([&](std::size_t seat) { put_cities(own_moguls(state, seat)); });
    seats([&](std::size_t seat) { put(kPalaces - state.palaces[seat]); });
    seats([&](std::size_t seat) {
        for (const std::uint8_t symbols : state.goods[seat]) put(symbols);
    });
    seats([&](std::size_t seat) { put(state.points[seat]); });
    put_one_of(visit_index(state), kVisits);
    put_one_of(static_cast<std::size_t>(state.phase), kPhases);
    seats([&](std::size_t seat) { put(has_turn(state) && seat == state.turn ? 1 : 0); });
    seats([&](std::size_t seat) { put(seat == visit_index(state) % players_ ? 1 : 0); });
    put(state.persons);
    put(state.crown);
    put(state.draws);
    put(state.takes);
    put_one_of(state.first - 1U, deck_.types());
    put(state.fictive_in);
    put_cards(fictive_cards(state));
    put_lanes(fictive_symbols(state));
    assert(at == out.data() + out.size());
}

}  // namespace tilery::tajmahal
