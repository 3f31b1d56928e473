// SPDX-License-Identifier: MIT
// Positions from values: the inverse of position() in views.cpp.
#include <algorithm>
#include <string>
#include <utility>

#include "tilery/core/value_reader.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

std::string path_of(const std::string& key) { return "position." + key; }

[[noreturn]] void refuse_member(const std::string& key, const std::string& allowed, const Value& given) {
    throw StateDataError(path_of(key) + " must be " + allowed + ", got " + given.json());
}

const Value& member(const Value& position, const std::string& key) {
    const Value* const value = position.find(key);
    if (value == nullptr) throw StateDataError("position has no '" + key + "'");
    return *value;
}

ValueReader reader_of(const Value& position, const std::string& key) { return {member(position, key), path_of(key)}; }

// Calls read(name, reader) for each member of an object.
template <class Read>
void for_members(const Value& value, const std::string& key, Read&& read) {
    const auto* const object = value.get<Value::Object>();
    if (object == nullptr) refuse_member(key, "an object", value);
    for (const auto& [name, item] : *object) read(name, ValueReader(item, path_of(key) + "." + name));
}

bool flag_of(const Value& value, const std::string& key) {
    const auto* const flag = value.get<bool>();
    if (flag == nullptr) refuse_member(key, "true or false", value);
    return *flag;
}

// The place of a name in a list of names.
template <class Names>
std::size_t place_of(const Names& names, const ValueReader& name) {
    const auto at = std::find(names.begin(), names.end(), name.text());
    if (at == names.end()) name.refuse("a name that the game has");
    return static_cast<std::size_t>(at - names.begin());
}

// The letters of a word as names.
std::vector<std::string> letters_of(std::string_view word) {
    std::vector<std::string> letters;
    for (const char letter : word) letters.emplace_back(1, letter);
    return letters;
}

template <class Names>
std::uint8_t set_of(const Names& names, const Value& position, const std::string& key) {
    const ValueReader list = reader_of(position, key);
    std::uint32_t set = 0;
    list.items(list.size(names.size()),
               [&](std::size_t, const ValueReader& name) { set |= bit(place_of(names, name)); });
    return byte(set);
}

}  // namespace

State Game::state_of(const Value& position) const {
    State state = initial_;
    state.phase = Phase(place_of(kPhaseNames, reader_of(position, "phase")));
    state.visit = byte(reader_of(position, "visit").integer(1, int{kVisits}));
    state.turn = byte(std::max(reader_of(position, "turn").integer(-1, rules_.players - 1), 0));
    const ValueReader provinces = reader_of(position, "provinces");
    provinces.items(provinces.size(kVisits - 1), [&](std::size_t i, const ValueReader& letter) {
        state.numbers.put(i, place_of(letters_of(kProvinceLetters), letter) + 1);
    });
    read_sites(state, position);
    read_players(state, position);
    read_cards(state, position);
    state.offer = set_of(letters_of(kSymbolLetters), position, "offer");
    const ValueReader build = reader_of(position, "build");
    build.items(2, [&](std::size_t i, const ValueReader& number) {
        (i == 0 ? state.persons : state.crown) = byte(number.integer(0, i == 0 ? int{kPersons} : 1));
    });
    state.draws = byte(reader_of(position, "draws").integer(0, int{kPersons}));
    state.takes = byte(reader_of(position, "takes").integer(0, 2));
    const ValueReader first = reader_of(position, "first");
    if (!first.is_null()) state.first = byte(place_of(card_names(), first) + 1);
    if (state.phase == Phase::kBuild) {
        const std::size_t province = current_province(state);
        if (province >= kProvinces) first.refuse("in a visit whose province is given");
        const Cities built = state.sites.palaces_of(state.turn) & province_cities_[province];
        state.site = byte(built.up_to_last().size());
    }
    return state;
}

void Game::read_sites(State& state, const Value& position) const {
    const std::vector<std::string> names = city_names();
    const auto city_of = [&](const std::string& key, const std::string& name) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) throw StateDataError(path_of(key) + ": there is no city '" + name + "'");
        return static_cast<std::size_t>(at - names.begin());
    };
    state.sites = {};
    for_members(member(position, "bonus"), "bonus", [&](const std::string& name, const ValueReader& kind) {
        const std::size_t city = city_of("bonus", name);
        if (state.sites.any().has(city)) kind.refuse("given once");
        state.sites.put_tile(city, place_of(kBonusNames, kind));
    });
    for_members(member(position, "ordinary"), "ordinary", [&](const std::string& name, const ValueReader& owner) {
        const std::size_t city = city_of("ordinary", name), seat = byte(owner.integer(0, rules_.players - 1));
        if (state.sites.any().has(city)) owner.refuse("in a city without a bonus tile, and given once");
        state.sites.build(city, seat);
        ++state.palaces[seat];
    });
    for_members(member(position, "mogul"), "mogul", [&](const std::string& name, const ValueReader& owner) {
        const std::size_t city = city_of("mogul", name), seat = byte(owner.integer(0, rules_.players - 1));
        if (state.moguls.any().has(city)) owner.refuse("given once");
        state.moguls.put(city, seat + 1);
        ++state.palaces[seat];
    });
}

void Game::read_players(State& state, const Value& position) const {
    reader_of(position, "points").items(players_, [&](std::size_t seat, const ValueReader& points) {
        state.points[seat] = static_cast<std::uint16_t>(points.integer(0, most_points()));
    });
    reader_of(position, "goods").items(players_, [&](std::size_t seat, const ValueReader& goods) {
        goods.items(kCommodities, [&](std::size_t good, const ValueReader& symbols) {
            state.goods[seat][good] = byte(symbols.integer(0, most_goods()[good]));
        });
    });
    reader_of(position, "tiles").items(players_, [&](std::size_t seat, const ValueReader& tiles) {
        tiles.items(kPersons, [&](std::size_t person, const ValueReader& number) {
            state.tiles[seat] = byte(state.tiles[seat] | number.integer(0, 2) << (2 * person));
        });
    });
    reader_of(position, "special").items(kPersons, [&](std::size_t card, const ValueReader& holder) {
        const int seat = holder.integer(-1, rules_.players - 1);
        if (seat >= 0) state.specials[byte(seat)] = byte(state.specials[byte(seat)] | bit(card));
    });
    std::vector<std::string> specials;
    for (std::size_t card = 0; card < kPersons; ++card) specials.push_back(special_name(card));
    state.used = set_of(specials, position, "used");
    const auto* const in = member(position, "in").get<Value::List>();
    reader_of(position, "in").items(players_, [&](std::size_t seat, const ValueReader&) {
        if (flag_of((*in)[seat], "in")) state.in = byte(state.in | bit(seat));
    });
    reader_of(position, "colour").items(players_, [&](std::size_t seat, const ValueReader& colour) {
        const auto colours = letters_of(kColourLetters.substr(0, kColours));
        if (!colour.is_null()) state.colour[seat] = byte(place_of(colours, colour) + 1);
    });
}

void Game::read_cards(State& state, const Value& position) const {
    const std::vector<std::string> names = card_names();
    const auto counts_of = [&](const Value& value, const std::string& key) {
        Counts counts{};
        for_members(value, key, [&](const std::string& name, const ValueReader& copies) {
            const auto at = std::find(names.begin(), names.end(), name);
            if (at == names.end()) throw StateDataError(path_of(key) + ": there is no card '" + name + "'");
            const auto type = static_cast<std::size_t>(at - names.begin());
            counts[type] = byte(copies.integer(1, deck_.type(type).copies));
        });
        return counts;
    };
    const auto read_place = [&](const std::string& key) { return deck_.place(counts_of(member(position, key), key)); };
    state.cards = {};
    state.cards.pile = read_place("pile");
    state.cards.display = read_place("display");
    const std::pair<const char*, CardSet Cards::OfPlayer::*> places[] = {
        {"hands", &Cards::OfPlayer::hand}, {"known", &Cards::OfPlayer::known}, {"played", &Cards::OfPlayer::played}};
    for (const auto& [key, place] : places) {
        const auto* const list = member(position, key).get<Value::List>();
        reader_of(position, key).items(players_, [&, key = key, place = place](std::size_t seat, const ValueReader&) {
            state.cards.players[seat].*place = deck_.place(counts_of((*list)[seat], key));
        });
    }
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const Counts played = deck_.counts(state.cards.players[seat].played);
        state.cards.symbols[seat] = deck_.printed(played) + special_symbols(state, seat);
    }
    const Value& fictive = member(position, "fictive");
    if (fictive.is_null() != (players_ != 2))
        refuse_member("fictive", "an object with two players, else null", fictive);
    if (players_ == 2) {
        state.fictive_in = flag_of(member(fictive, "in"), "fictive.in") ? 1 : 0;
        const Counts cards = counts_of(member(fictive, "cards"), "fictive.cards");
        for (std::size_t type = 0; type < deck_.types(); ++type) {
            if (cards[type] > 0) state.fictive[deck_.type(type).colour] = byte(type + 1);
        }
        if (fictive_cards(state) != cards) refuse_member("fictive.cards", "one card of each colour at most", fictive);
    }
    if (discards(state) != counts_of(member(position, "discards"), "discards")) {
        refuse_member("discards", "the cards that are nowhere else", member(position, "discards"));
    }
}

}  // namespace tilery::tajmahal
