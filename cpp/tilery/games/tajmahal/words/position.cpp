// SPDX-License-Identifier: MIT
// Positions from values: the inverse of position() in views.cpp.
#include <algorithm>
#include <string>
#include <utility>

#include "tilery/core/value_reader.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

constexpr const char* kOfGame = "a name that the game has";

// The letters of a word as names.
std::vector<std::string> letters_of(std::string_view word) {
    std::vector<std::string> letters;
    for (const char letter : word) letters.emplace_back(1, letter);
    return letters;
}

std::uint8_t set_of(const auto& names, const ValueReader& list) {
    std::uint32_t set = 0;
    static_cast<void>(list.size(names.size()));
    for (const ValueReader& name : list.items()) set |= bit(name.place_in(names, kOfGame));
    return byte(set);
}

}  // namespace

State Game::state_of(const Value& value) const {
    const ValueReader position(value, "position");
    State state = initial_;
    state.phase = Phase(position.at("phase").place_in(kPhaseNames, kOfGame));
    state.visit = byte(position.at("visit").integer(1, int{kVisits}));
    state.turn = byte(std::max(position.at("turn").integer(-1, rules_.players - 1), 0));
    const ValueReader provinces = position.at("provinces");
    provinces.items(provinces.size(kVisits - 1), [&](std::size_t i, const ValueReader& letter) {
        state.numbers.put(i, letter.place_in(letters_of(kProvinceLetters), kOfGame) + 1);
    });
    read_sites(state, value);
    read_players(state, value);
    read_cards(state, value);
    state.offer = set_of(letters_of(kSymbolLetters), position.at("offer"));
    const auto build = position.at("build").items(2);
    state.persons = byte(build[0].integer(0, int{kPersons}));
    state.crown = byte(build[1].integer(0, 1));
    state.draws = byte(position.at("draws").integer(0, int{kPersons}));
    state.takes = byte(position.at("takes").integer(0, 2));
    const ValueReader first = position.at("first");
    if (!first.is_null()) state.first = byte(first.place_in(card_names(), kOfGame) + 1);
    if (state.phase == Phase::kBuild) {
        const std::size_t province = current_province(state);
        if (province >= kProvinces) first.refuse("in a visit whose province is given");
        const Cities built = state.sites.palaces_of(state.turn) & province_cities_[province];
        state.site = byte(built.up_to_last().size());
    }
    return state;
}

void Game::read_sites(State& state, const Value& value) const {
    const ValueReader position(value, "position");
    const std::vector<std::string> names = city_names();
    state.sites = {};
    position.at("bonus").members(names, [&](std::size_t city, const ValueReader& kind) {
        if (state.sites.any().has(city)) kind.refuse("given once");
        state.sites.put_tile(city, kind.place_in(kBonusNames, kOfGame));
    });
    position.at("ordinary").members(names, [&](std::size_t city, const ValueReader& owner) {
        const std::size_t seat = byte(owner.integer(0, rules_.players - 1));
        if (state.sites.any().has(city)) owner.refuse("in a city without a bonus tile, and given once");
        state.sites.build(city, seat);
        ++state.palaces[seat];
    });
    position.at("mogul").members(names, [&](std::size_t city, const ValueReader& owner) {
        const std::size_t seat = byte(owner.integer(0, rules_.players - 1));
        if (state.moguls.any().has(city)) owner.refuse("given once");
        state.moguls.put(city, seat + 1);
        ++state.palaces[seat];
    });
}

void Game::read_players(State& state, const Value& value) const {
    const ValueReader position(value, "position");
    position.at("points").integers(state.points, players_, 0, most_points());
    position.at("goods").items(players_, [&](std::size_t seat, const ValueReader& goods) {
        goods.items(kCommodities, [&](std::size_t good, const ValueReader& symbols) {
            state.goods[seat][good] = byte(symbols.integer(0, most_goods()[good]));
        });
    });
    position.at("tiles").items(players_, [&](std::size_t seat, const ValueReader& tiles) {
        tiles.items(kPersons, [&](std::size_t person, const ValueReader& number) {
            state.tiles[seat] = byte(state.tiles[seat] | number.integer(0, 2) << (2 * person));
        });
    });
    position.at("special").items(kPersons, [&](std::size_t card, const ValueReader& holder) {
        const int seat = holder.integer(-1, rules_.players - 1);
        if (seat >= 0) state.specials[byte(seat)] = byte(state.specials[byte(seat)] | bit(card));
    });
    std::vector<std::string> specials;
    for (std::size_t card = 0; card < kPersons; ++card) specials.push_back(special_name(card));
    state.used = set_of(specials, position.at("used"));
    position.at("in").items(players_, [&](std::size_t seat, const ValueReader& in) {
        if (in.boolean()) state.in = byte(state.in | bit(seat));
    });
    position.at("colour").items(players_, [&](std::size_t seat, const ValueReader& colour) {
        const auto colours = letters_of(kColourLetters.substr(0, kColours));
        if (!colour.is_null()) state.colour[seat] = byte(colour.place_in(colours, kOfGame) + 1);
    });
}

void Game::read_cards(State& state, const Value& value) const {
    const ValueReader position(value, "position");
    const std::vector<std::string> names = card_names();
    const auto counts_of = [&](const ValueReader& cards) {
        Counts counts{};
        cards.members(names, [&](std::size_t type, const ValueReader& copies) {
            counts[type] = byte(copies.integer(1, deck_.type(type).copies));
        });
        return counts;
    };
    state.cards = {};
    state.cards.pile = deck_.place(counts_of(position.at("pile")));
    state.cards.display = deck_.place(counts_of(position.at("display")));
    const std::pair<const char*, CardSet Cards::OfPlayer::*> places[] = {
        {"hands", &Cards::OfPlayer::hand}, {"known", &Cards::OfPlayer::known}, {"played", &Cards::OfPlayer::played}};
    for (const auto& [key, place] : places) {
        position.at(key).items(players_, [&, place = place](std::size_t seat, const ValueReader& cards) {
            state.cards.players[seat].*place = deck_.place(counts_of(cards));
        });
    }
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const Counts played = deck_.counts(state.cards.players[seat].played);
        state.cards.symbols[seat] = deck_.printed(played) + special_symbols(state, seat);
    }
    const ValueReader fictive = position.at("fictive"), discarded = position.at("discards");
    if (fictive.is_null() != (players_ != 2)) fictive.refuse("an object with two players, else null");
    if (players_ == 2) {
        state.fictive_in = fictive.at("in").boolean() ? 1 : 0;
        const Counts cards = counts_of(fictive.at("cards"));
        for (std::size_t type = 0; type < deck_.types(); ++type) {
            if (cards[type] > 0) state.fictive[deck_.type(type).colour] = byte(type + 1);
        }
        if (fictive_cards(state) != cards) fictive.at("cards").refuse("one card of each colour at most");
    }
    if (discards(state) != counts_of(discarded)) discarded.refuse("the cards that are nowhere else");
}

}  // namespace tilery::tajmahal
