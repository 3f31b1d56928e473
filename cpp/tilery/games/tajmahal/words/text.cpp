// SPDX-License-Identifier: MIT
// Taj Mahal as people read it: names, tokens (TM-30 to TM-33) and words of actions, why one is illegal, and the board.
#include <bit>
#include <string>

#include "tilery/core/token.hpp"
#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

constexpr std::array<std::string_view, kColours + 1> kColourNames{"green", "violet", "red", "yellow", "white"};
constexpr std::array<std::string_view, kSymbols> kSymbolNames{"elephant", "mogul", "vizier",
                                                              "general",  "monk",  "princess"};

// "green card with elephant and vizier"
std::string card_words(const CardType& card) {
    std::string text = std::string(kColourNames[card.colour]) + " card with ";
    if (card.first == card.second) return text + "two symbols of " + std::string(kSymbolNames[card.first]);
    text += kSymbolNames[card.first];
    if (card.colour != kWhite) text += " and " + std::string(kSymbolNames[card.second]);
    return text;
}

std::string special_words(std::size_t special) {
    return std::string(kSymbolNames[kFirstPerson + special]) + "'s special card";
}

std::string player_name(std::size_t player) { return "player " + std::to_string(player); }

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

// Actions for people.

Action Game::action_seen_by(const State& state, Player player, Action action) const {
    const bool dealt = state.phase == Phase::kDeal;
    if (!dealt && state.phase != Phase::kDraw) return action;
    const std::size_t seat = dealt ? (deck_.size() - state.cards.pile.size()) / kDealt : state.turn;
    return seat == index(player) ? action : kUnseen;
}

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action < ids_.province) return "draw a " + card_words(deck_.type(place_in(ids_.card, action)));
    if (action < ids_.bonus) {
        return std::string("give province ") + kProvinceLetters[province_of_action(action)] + " the next number";
    }
    if (action < ids_.out) {
        return "put a bonus tile (" + std::string(kBonusNames[bonus_kinds_[place_in(ids_.bonus, action)]]) +
               ") on the next fortress";
    }
    if (action == ids_.out) return "withdraw from the visit";
    if (action == ids_.none) return "build no further palace of this sort";
    if (action >= ids_.take) return "take a " + card_words(deck_.type(place_in(ids_.take, action)));
    if (action >= ids_.crown) return "build a mogul palace in " + city_name(place_in(ids_.crown, action));
    if (action >= ids_.at) return "build a palace in " + city_name(place_in(ids_.at, action));
    const Play& play = play_of(action);
    std::string text = "play a " + card_words(deck_.type(play.type));
    if (play.white != Deck::kNoType) text += " and a " + card_words(deck_.type(play.white));
    if (play.special != 0) text += " and the " + special_words(special_of(play));
    if (action >= ids_.announce) text += ", naming " + std::string(kColourNames[play.fixes - std::size_t{1}]);
    return text;
}

std::vector<std::string> Game::picks(Action action) const {
    const std::string token = action_to_string(action);
    if (action < ids_.out) return {"draw:" + token.substr(1)};
    if (action == ids_.out || action == ids_.none) return {"button:" + token};
    if (action >= ids_.at) {  // at:A1, crown:A1 or take:gEV
        return {(action >= ids_.take ? "display:" : "city:") + token.substr(token.find(':') + 1)};
    }
    const Play& play = play_of(action);
    std::vector<std::string> path{"hand:" + deck_.type(play.type).name()};
    if (play.white != Deck::kNoType) {
        path.push_back("hand:" + deck_.type(play.white).name());
    } else if (play.special != 0) {
        path.push_back("special:" + special_name(special_of(play)));
    } else {
        path.emplace_back("button:alone");
    }
    if (action >= ids_.announce) path.push_back(std::string("colour:") + kColourLetters[play.fixes - std::size_t{1}]);
    return path;
}

std::string Game::describe_pick(std::string_view pick) const {
    if (pick == "button:alone") return "without a white or special card";
    if (pick == "button:out" || pick == "button:none")
        return describe_action(pick.back() == 't' ? ids_.out : ids_.none);
    for (std::size_t colour = 0; colour < kColours; ++colour) {
        if (pick == std::string("colour:") + kColourLetters[colour]) return "name " + std::string(kColourNames[colour]);
    }
    for (std::size_t special = 0; special < kPersons; ++special) {
        if (pick == "special:" + special_name(special)) return "the " + special_words(special);
    }
    const std::string_view place = pick.substr(0, pick.find(':'));
    for (std::size_t type = 0; type < deck_.types() && (place == "hand" || place == "display"); ++type) {
        if (pick.substr(place.size() + 1) == deck_.type(type).name()) return "a " + card_words(deck_.type(type));
    }
    return "";
}

std::string Game::why_illegal(const State& state, Action action) const {
    const std::string player = player_name(state.turn);
    if (action < ids_.out) return "G-2: " + player + " is to act, and chance draws nothing before";
    const bool at = action >= ids_.at && action < ids_.crown, crown = action >= ids_.crown && action < ids_.take;
    switch (state.phase) {
        case Phase::kTurn:
            if (action >= ids_.alone && action < ids_.at) return why_illegal_play(state, play_of(action), action);
            return "TM-7: " + player + " is to play a coloured card or to withdraw";
        case Phase::kBuild:
            if (at) return why_no_palace(state, place_in(ids_.at, action));
            if (crown)
                return "TM-14: ordinary palaces are built before the mogul palace, and " + player + " builds those";
            return "TM-14: " + player + " is to build an ordinary palace or none";
        case Phase::kCrown:
            if (crown) return why_no_palace(state, place_in(ids_.crown, action));
            return "TM-14: " + player + " is to build the mogul palace or none";
        default:
            if (action >= ids_.take) return why_not_taken(state, place_in(ids_.take, action));
            return "TM-19: " + player + " is to take a card of the display";
    }
}

std::string Game::why_illegal_play(const State& state, const Play& play, Action action) const {
    const std::size_t seat = state.turn, fixed = state.colour[seat];
    const std::string player = player_name(seat);
    for (const std::size_t type : {play.type, play.white}) {
        if (type != Deck::kNoType && !state.cards.players[seat].hand.has(deck_.first_card(type))) {
            return "TM-7: " + player + " has no " + deck_.type(type).name() + " in hand";
        }
    }
    const std::string special = play.special != 0 ? special_name(special_of(play)) : "";
    if ((play.special & ~std::uint32_t{state.specials[seat]}) != 0) {
        return "TM-7: " + player + " does not hold the special card " + special;
    }
    if ((play.special & state.used) != 0) return "TM-21: " + special + " has been played in this visit already";
    if (play.special == bit(kMonkCard)) {
        if (action < ids_.announce)
            return "TM-8: " + player + " must name a colour with the monk's card, as in gEV+sK/g";
        return "TM-8: a colour is fixed already, so none is named with the monk's card";
    }
    return "TM-8: the colour of " + player + " in this visit is " + std::string(kColourNames[fixed - 1]);
}

std::string Game::why_no_palace(const State& state, std::size_t city) const {
    const std::size_t province = current_province(state);
    if (province_of_[city] != province) {
        return std::string("TM-13: this visit is to province ") + kProvinceLetters[province];
    }
    const unsigned owner = state.sites.owner(city);
    if (owner > 0) return "TM-13: " + city_name(city) + " has an ordinary palace of " + player_name(owner - 1);
    return "TM-14: palaces are built in rising order of cities, and " + city_name(city) + " comes before the last one";
}

std::string Game::why_not_taken(const State& state, std::size_t type) const {
    const std::string name = deck_.type(type).name();
    if (!state.cards.display.has(deck_.first_card(type))) return "TM-19: there is no " + name + " in the display";
    if (state.first > 0) {
        return "TM-19: the second card may not come before the first, which was " +
               deck_.type(state.first - std::size_t{1}).name() + ", in the order of types";
    }
    return "TM-19: two cards are taken in the order of types, and after " + name + " none is left";
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
