// SPDX-License-Identifier: MIT
// Positions as values: what a player knows (TM-28), what everybody sees, and what views show.
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

// From type to number of copies, in the order of types.
Value cards_value(const Deck& deck, const Counts& counts) {
    Value::Object cards;
    for (std::size_t type = 0; type < deck.types(); ++type) {
        if (counts[type] > 0) cards.emplace_back(deck.type(type).name(), int{counts[type]});
    }
    return cards;
}
Value cards_value(const Deck& deck, const CardSet& cards) { return cards_value(deck, deck.counts(cards)); }

// name(i) for each i of a set.
Value names_value(std::uint32_t set, std::size_t size, auto&& name) {
    Value::List list;
    for (std::size_t i = 0; i < size; ++i) {
        if (has(set, i)) list.emplace_back(name(i));
    }
    return list;
}

Value letter_value(std::string_view letters, std::size_t i) { return std::string(letters.substr(i, 1)); }

// The letters of the provinces with a number, number 12 excepted.
Value provinces_value(const State& state) {
    Value::List provinces;
    for (std::size_t i = 0; i + 1 < kVisits && state.numbers[i] > 0; ++i) {
        provinces.push_back(letter_value(kProvinceLetters, state.numbers[i] - 1));
    }
    return provinces;
}

// The holder of each special card, or -1.
Value holders_value(const State& state) {
    Value::List holders(kPersons, -1);
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        for (std::size_t card = 0; card < kPersons; ++card) {
            if (has(state.specials[seat], card)) holders[card] = number(seat);
        }
    }
    return holders;
}

}  // namespace

std::string_view phase_name(const State& state) { return kPhaseNames[static_cast<std::size_t>(state.phase)]; }

// The pieces that are nowhere else.
Counts Game::discards(const State& state) const {
    Counts left = deck_.unplaced(state.cards, players_);
    for (const std::size_t type : state.fictive) {
        if (type > 0) --left[type - 1];
    }
    return left;
}

Counts Game::fictive_cards(const State& state) const {
    Counts counts{};
    for (const std::size_t type : state.fictive) {
        if (type > 0) counts[type - 1] = 1;
    }
    return counts;
}

Value Game::information_state(const State& state, Player player) const {
    return value_of(state, Seen::kByPlayer, static_cast<std::size_t>(player));
}

Value Game::public_state(const State& state) const { return value_of(state, Seen::kByAll, 0); }

Value Game::position(const State& state) const { return value_of(state, Seen::kEverything, 0); }

Value Game::value_of(const State& state, Seen seen, std::size_t player) const {
    const bool everything = seen == Seen::kEverything;
    Value::Object value;
    const auto add = [&](const char* key, Value item) { value.emplace_back(key, std::move(item)); };
    const auto seats = [&](const char* key, auto&& of_seat) { add(key, Value::list_of(players_, of_seat)); };
    const auto places = [&](const char* key, CardSet Cards::OfPlayer::* place) {
        seats(key, [&](std::size_t seat) { return cards_value(deck_, state.cards.players[seat].*place); });
    };
    if (seen == Seen::kByPlayer) add("player", Value(int(player)));
    add("phase", phase_name(state));
    add("visit", int{state.visit});
    add("turn", has_turn(state) ? int{state.turn} : -1);
    add("provinces", provinces_value(state));
    add_map(value, state);
    seats("points", [&](std::size_t seat) { return int{state.points[seat]}; });
    seats("goods", [&](std::size_t seat) { return Value::list_of(state.goods[seat]); });
    seats("tiles", [&](std::size_t seat) {
        return Value::list_of(kPersons, [&](std::size_t person) { return tiles_held(state.tiles[seat], person); });
    });
    add("special", holders_value(state));
    add("used", names_value(state.used, kPersons, special_name));
    seats("in", [&](std::size_t seat) { return has(state.in, seat); });
    seats("colour", [&](std::size_t seat) {
        return state.colour[seat] > 0 ? letter_value(kColourLetters, state.colour[seat] - 1U) : Value();
    });
    places("played", &Cards::OfPlayer::played);
    add("offer", names_value(state.offer, kSymbols, [](std::size_t i) { return letter_value(kSymbolLetters, i); }));
    add("fictive", players_ == 2 ? Value::object({{"in", state.fictive_in != 0},
                                                  {"cards", cards_value(deck_, fictive_cards(state))}})
                                 : Value());
    add("display", cards_value(deck_, state.cards.display));
    add("discards", cards_value(deck_, discards(state)));
    add("pile", everything ? cards_value(deck_, state.cards.pile) : Value(state.cards.pile.size()));
    if (seen == Seen::kByPlayer) add("hand", cards_value(deck_, state.cards.players[player].hand));
    places("known", &Cards::OfPlayer::known);
    if (everything) {
        places("hands", &Cards::OfPlayer::hand);
    } else {
        seats("hands", [&](std::size_t seat) { return state.cards.players[seat].hand.size(); });
    }
    add("build", Value::list({int{state.persons}, int{state.crown}}));
    add("draws", int{state.draws});
    add("takes", int{state.takes});
    add("first", state.first > 0 ? Value(deck_.type(state.first - 1U).name()) : Value());
    return value;
}

// The bonus tiles and the owners of the palaces, by city.
void Game::add_map(Value::Object& value, const State& state) const {
    Value::Object bonus, ordinary, mogul;
    for (std::size_t city = 0; city < cities_; ++city) {
        const unsigned tile = state.sites.tile(city), owner = state.sites.owner(city);
        const unsigned mogul_owner = state.moguls.at(city);
        if (tile > 0) bonus.emplace_back(city_name(city), kBonusNames[tile - 1]);
        if (owner > 0) ordinary.emplace_back(city_name(city), owner - 1);
        if (mogul_owner > 0) mogul.emplace_back(city_name(city), mogul_owner - 1);
    }
    value.emplace_back("bonus", bonus);
    value.emplace_back("ordinary", ordinary);
    value.emplace_back("mogul", mogul);
}

void Game::determinize(State& state, Player player, Rng& rng) const {
    deck_.deal_unseen(state.cards, players_, static_cast<std::size_t>(player), rng);
}

}  // namespace tilery::tajmahal
