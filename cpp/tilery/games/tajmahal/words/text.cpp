// SPDX-License-Identifier: MIT
// Taj Mahal as people read it: names, tokens (TM-30 to TM-33), and the board.
#include <bit>
#include <string>

#include "tilery/core/token.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

std::string cards_text(const Deck& deck, const Counts& counts, const std::string& prefix = "") {
    std::string text;
    for (std::size_t type = 0; type < deck.types(); ++type) {
        for (int copy = 0; copy < counts[type]; ++copy) text += ' ' + prefix + deck.type(type).name();
    }
    return text;
}

std::string set_text(std::uint32_t set, const auto& letters) {
    std::string text;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (has(set, i)) text += letters[i];
    }
    return text.empty() ? "-" : text;
}

std::string specials_text(std::uint32_t set) {
    std::string text;
    for (std::size_t special = 0; special < kPersons; ++special) {
        if (has(set, special)) text += ' ' + special_name(special);
    }
    return text;
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

Action id(std::size_t number) { return static_cast<Action>(number); }

}  // namespace

std::string special_name(std::size_t special) { return std::string("s") + kSpecialLetters[special]; }

std::string Game::city_name(std::size_t city) const {
    return {kProvinceLetters[province_of_[city]], city_digit_[city]};
}

std::vector<std::string> Game::city_names() const {
    std::vector<std::string> names;
    for (std::size_t city = 0; city < cities_; ++city) names.push_back(city_name(city));
    return names;
}

std::vector<std::string> Game::card_names() const {
    std::vector<std::string> names;
    for (std::size_t type = 0; type < deck_.types(); ++type) names.push_back(deck_.type(type).name());
    return names;
}

// Tokens.

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action < ids_.province) return "*" + deck_.type(place_in(ids_.card, action)).name();
    if (action < ids_.bonus) return std::string("*") + kProvinceLetters[province_of_action(action)];
    if (action < ids_.out) return "*" + std::string(kBonusNames[bonus_kinds_[place_in(ids_.bonus, action)]]);
    if (action == ids_.out) return "out";
    if (action == ids_.none) return "none";
    if (action >= ids_.take) return "take:" + deck_.type(place_in(ids_.take, action)).name();
    if (action >= ids_.crown) return "crown:" + city_name(place_in(ids_.crown, action));
    if (action >= ids_.at) return "at:" + city_name(place_in(ids_.at, action));
    const Play& play = play_of(action);
    std::string text = deck_.type(play.type).name();
    if (play.white != Deck::kNoType) text += "+" + deck_.type(play.white).name();
    if (play.special != 0) text += "+" + special_name(special_of(play));
    if (action >= ids_.announce) text += std::string("/") + kColourLetters[play.fixes - 1U];
    return text;
}

namespace {

enum class Allowed { kAny, kColoured, kWhite };

// The type of the card whose name begins at the position.
std::size_t read_type(TokenReader& reader, std::size_t position, const Deck& deck, Allowed allowed) {
    const std::size_t colour = reader.one_of(kColourLetters, "a card");
    if (colour == kWhite && allowed == Allowed::kColoured) {
        reader.fail_at(position, "a white card is never played alone");
    }
    if (colour != kWhite && allowed == Allowed::kWhite) reader.fail_at(position, "expected a white or a special card");
    std::string name(1, kColourLetters[colour]);
    for (int symbols = colour == kWhite ? 1 : 2; symbols > 0; --symbols) {
        name += kSymbolLetters[reader.one_of(kSymbolLetters, "a symbol: one of EMVGKP")];
    }
    for (std::size_t type = 0; type < deck.types(); ++type) {
        if (deck.type(type).name() == name) return type;
    }
    reader.fail_at(position, "there is no card " + name);
}

}  // namespace

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto read_city = [&](std::size_t position) {
        const std::size_t province = reader.one_of(kProvinceLetters, "a city");
        const char digit = kCityDigits[reader.one_of(kCityDigits, "the digit of a city")];
        for (std::size_t city = first_city_[province]; city < cities_ && province_of_[city] == province; ++city) {
            if (city_digit_[city] == digit) return id(city);
        }
        reader.fail_at(position, "there is no such city");
    };
    Action action = 0;
    if (reader.accept("*")) {
        action = read_outcome(reader);
    } else if (token == "out" || token == "none") {
        return token == "out" ? ids_.out : ids_.none;
    } else if (reader.accept("at:")) {
        action = ids_.at + read_city(3);
    } else if (reader.accept("crown:")) {
        action = ids_.crown + read_city(6);
    } else if (reader.accept("take:")) {
        action = ids_.take + id(read_type(reader, 5, deck_, Allowed::kAny));
    } else {
        action = read_play(reader);
    }
    reader.end();
    return action;
}

Action Game::read_outcome(TokenReader& reader) const {
    const std::size_t province = reader.at_end() ? kProvinceLetters.npos : kProvinceLetters.find(reader.peek());
    if (province != kProvinceLetters.npos) {
        reader.one_of(kProvinceLetters, "a province");
        if (province == province_of_[taj_mahal_]) reader.fail_at(1, "this province always has number 12");
        return ids_.province + province_offsets_[province];
    }
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
        if (!reader.accept(kBonusNames[kind])) continue;
        if (count_of(bonus_supply_, kind) == 0) reader.fail_at(1, "there is no such bonus tile");
        return ids_.bonus + bonus_offsets_[kind];
    }
    return ids_.card + id(read_type(reader, 1, deck_, Allowed::kAny));
}

Action Game::read_play(TokenReader& reader) const {
    const Action type = id(read_type(reader, 0, deck_, Allowed::kColoured));
    if (reader.at_end()) return ids_.alone + type;
    reader.expect("+");
    if (!reader.accept("s")) {
        const Action white = id(read_type(reader, 4, deck_, Allowed::kWhite)) - ids_.coloured;
        return ids_.white + type * ids_.whites + white;
    }
    const std::size_t special = reader.one_of(kSpecialLetters, "a special card: one of sV sG sK sP");
    if (rules_.monk_colour == MonkColour::kAnnounce && special == kMonkCard && reader.accept("/")) {
        const std::size_t colour = reader.one_of(kColourLetters.substr(0, kColours), "a colour: one of gvry");
        return ids_.announce + id(colour) * ids_.coloured + type;
    }
    return ids_.special + id(special) * ids_.coloured + type;
}

// The board.

std::string Game::to_string(const State& state) const { return board_text(state, bit(players_) - 1); }

std::string Game::to_string(const State& state, Player player) const {
    return board_text(state, bit(static_cast<std::size_t>(player)));
}

// The hands in the set are shown, of the others only the known cards and a ? for each other one.
std::string Game::board_text(const State& state, std::uint32_t open_hands) const {
    std::string text = visit_text(state) + "\n\n";
    for (std::size_t province = 0; province < kProvinces; ++province) text += province_text(state, province) + "\n";
    for (std::size_t player = 0; player < players_; ++player) {
        text += "\n" + player_text(state, player, has(open_hands, player));
    }
    if (players_ == 2) {
        text += std::string("\nfictive player ") + (state.fictive_in != 0 ? "in" : "out") +
                cards_text(deck_, fictive_cards(state));
    }
    return text;
}

std::string Game::visit_text(const State& state) const {
    std::string text = "visit " + std::to_string(state.visit) + "  ";
    if (state.numbers[visit_index(state)] > 0) {
        text += std::string("province ") + kProvinceLetters[current_province(state)] + "  ";
    }
    text += std::string(phase_name(state));
    const Player actor = current_player(state);
    if (actor >= 0) text += ": player " + std::to_string(actor);
    text += "\ntile";
    for (std::size_t good = 0; good < kCommodities; ++good) {
        for (int i = 0; i < production(visit_index(state))[good]; ++i) text += ' ' + std::string(kCommodityNames[good]);
    }
    text += "  on offer " + set_text(state.offer, kSymbolLetters);
    text += "  pile " + std::to_string(state.cards.pile.size());
    text += "  discards " + std::to_string(total(discards(state)));
    return text + "\ndisplay" + cards_text(deck_, deck_.counts(state.cards.display));
}

// Letter and number of the province, > where the visit is, then for each city: name, # for a fortress, the
// owner of the ordinary palace, m and the owner of the mogul palace, the bonus tile.
std::string Game::province_text(const State& state, std::size_t province) const {
    constexpr std::size_t kCityWidth = 10;
    const std::size_t visit = state.numbers.visit_of(province);
    std::string number = visit == 0 ? "" : std::to_string(visit);
    number.insert(0, 2 - number.size(), ' ');
    const bool visited = state.visit == visit && state.in != 0;
    std::string line = std::string(1, kProvinceLetters[province]) + ' ' + number + (visited ? " > " : "   ");
    province_cities_[province].for_each([&](std::size_t city) {
        std::string cell = city_name(city) + (fortresses_.has(city) ? "#" : " ");
        const unsigned owner = state.sites.owner(city), tile = state.sites.tile(city);
        const unsigned mogul = state.moguls.at(city);
        if (owner > 0) cell += std::to_string(owner - 1);
        if (mogul > 0) cell += "m" + std::to_string(mogul - 1);
        if (tile > 0) cell += std::string(kBonusNames[tile - 1]);
        if (city == taj_mahal_ && owner == 0) cell += "+" + std::to_string(taj_mahal_points_);
        line += padded(cell, kCityWidth);
    });
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string Game::player_text(const State& state, std::size_t player, bool open_hand) const {
    const Cards::OfPlayer& own = state.cards.players[player];
    std::string text = "player " + std::to_string(player) + (has(state.in, player) ? " in  " : "     ");
    text += padded(std::to_string(state.points[player]) + " points", 12);
    text += "palaces left " + padded(std::to_string(kPalaces - state.palaces[player]), 4) + "goods";
    for (const std::uint8_t symbols : state.goods[player]) text += ' ' + std::to_string(symbols);
    std::string tiles;
    for (std::size_t person = 0; person < kPersons; ++person) {
        tiles.append(tiles_held(state.tiles[player], person), kSpecialLetters[person]);
    }
    text += "  tiles " + padded(tiles.empty() ? "-" : tiles, 5) + "special" + specials_text(state.specials[player]);
    text += "\n  hand  " + cards_text(deck_, deck_.counts(own.known));
    const CardSet unknown = own.hand - own.known;
    if (open_hand) {
        text += cards_text(deck_, deck_.counts(unknown), "?");
    } else {
        for (std::uint32_t card = 0; card < unknown.size(); ++card) text += " ?";
    }
    text += "\n  played" + cards_text(deck_, deck_.counts(own.played));
    text += specials_text(state.specials[player] & state.used);
    if (state.colour[player] > 0) text += std::string("  colour ") + kColourLetters[state.colour[player] - 1U];
    return text;
}

}  // namespace tilery::tajmahal
