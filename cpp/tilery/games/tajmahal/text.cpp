// SPDX-License-Identifier: MIT
// Taj Mahal as people and programs read it: tokens (TM-30 to TM-33), the board, what a player knows (TM-28).
#include <algorithm>
#include <bit>
#include <string>

#include "tilery/core/token.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

constexpr std::string_view kProvinceLetters = "ABCDEFGHIJKL";
static_assert(kProvinceLetters.size() == kProvinces);

std::size_t seat_of(Player player) { return static_cast<std::size_t>(player); }

// From type to number of copies, in the order of types.
Value cards_value(const Deck& deck, const Counts& counts) {
    Value::Object cards;
    for (std::size_t type = 0; type < deck.types(); ++type) {
        if (counts[type] > 0) cards.emplace_back(deck.type(type).name(), int{counts[type]});
    }
    return cards;
}

std::string cards_text(const Deck& deck, const Counts& counts, const std::string& prefix = "") {
    std::string text;
    for (std::size_t type = 0; type < deck.types(); ++type) {
        for (int copy = 0; copy < counts[type]; ++copy) text += ' ' + prefix + deck.type(type).name();
    }
    return text;
}

template <class Letters>
std::string set_text(std::uint32_t set, const Letters& letters) {
    std::string text;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if ((set >> i & 1U) != 0) text += letters[i];
    }
    return text;
}

std::string special_name(std::size_t special) { return std::string("s") + kSpecialLetters[special]; }

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

}  // namespace

std::string Game::city_name(std::size_t city) const {
    return {kProvinceLetters[province_of_[city]], static_cast<char>('0' + city_digit_[city])};
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
    const auto member = [action](Action base) { return static_cast<std::size_t>(action - base); };
    if (action < ids_.province) return "*" + deck_.type(member(ids_.card)).name();
    if (action < ids_.bonus) {
        std::size_t province = member(ids_.province);
        if (province >= province_of_[taj_mahal_]) ++province;
        return std::string("*") + kProvinceLetters[province];
    }
    if (action < ids_.out) return "*" + std::string(kBonusNames[bonus_kinds_[member(ids_.bonus)]]);
    if (action == ids_.out) return "out";
    if (action == ids_.none) return "none";
    if (action >= ids_.take) return "take:" + deck_.type(member(ids_.take)).name();
    if (action >= ids_.crown) return "crown:" + city_name(member(ids_.crown));
    if (action >= ids_.at) return "at:" + city_name(member(ids_.at));
    const Play& play = play_of(action);
    std::string text = deck_.type(play.type).name();
    if (play.white != Deck::kNoType) text += "+" + deck_.type(play.white).name();
    if (play.special != 0) {
        text += "+" + special_name(static_cast<std::size_t>(std::countr_zero(play.special)));
    }
    if (action >= ids_.announce) text += std::string("/") + kColourLetters[play.fixes - std::size_t{1}];
    return text;
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto id = [](std::size_t number) { return static_cast<Action>(number); };
    // One of the names a game has for something, spelled out to the end or to `stop`.
    std::size_t position = 0;
    const auto read_type = [&](bool white, bool colour) {
        std::string name;
        const std::size_t which = reader.one_of(kColourLetters, "a card");
        name += kColourLetters[which];
        if (which == kWhite && !white) reader.fail_at(position, "a white card is never played alone");
        if (which != kWhite && !colour) reader.fail_at(position, "expected a white or a special card");
        for (int symbols = which == kWhite ? 1 : 2; symbols > 0; --symbols) {
            name += kSymbolLetters[reader.one_of(kSymbolLetters, "a symbol: one of EMVGKP")];
        }
        for (std::size_t type = 0; type < deck_.types(); ++type) {
            if (deck_.type(type).name() == name) {
                position += name.size();
                return type;
            }
        }
        reader.fail_at(position, "there is no card " + name);
    };
    const auto read_city = [&] {
        const std::size_t province = reader.one_of(kProvinceLetters, "a city");
        const std::size_t digit = reader.one_of("123456789", "the digit of a city") + 1;
        for (std::size_t city = first_city_[province]; city < cities_ && province_of_[city] == province; ++city) {
            if (city_digit_[city] == digit) return id(city);
        }
        reader.fail_at(position, "there is no such city");
    };
    const auto ended = [&reader](Action action) {
        reader.end();
        return action;
    };
    if (reader.accept("*")) {
        position = 1;
        const std::size_t province = reader.at_end() ? kProvinceLetters.npos : kProvinceLetters.find(reader.peek());
        if (province != kProvinceLetters.npos) {
            reader.one_of(kProvinceLetters, "a province");
            if (province == province_of_[taj_mahal_]) reader.fail_at(position, "this province always bears 12");
            return ended(ids_.province + province_names_[province]);
        }
        for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
            if (!reader.accept(kBonusNames[kind])) continue;
            if (count_of(bonus_supply_, kind) == 0) reader.fail_at(position, "there is no such bonus tile");
            return ended(ids_.bonus + bonus_names_[kind]);
        }
        return ended(ids_.card + id(read_type(true, true)));
    }
    if (token == "out") return ids_.out;
    if (token == "none") return ids_.none;
    if (reader.accept("at:")) {
        position = 3;
        return ended(ids_.at + read_city());
    }
    if (reader.accept("crown:")) {
        position = 6;
        return ended(ids_.crown + read_city());
    }
    if (reader.accept("take:")) {
        position = 5;
        return ended(ids_.take + id(read_type(true, true)));
    }
    const std::size_t type = read_type(false, true);
    if (reader.at_end()) return ids_.alone + id(type);
    reader.expect("+");
    ++position;
    if (!reader.accept("s")) {
        const std::size_t white = read_type(true, false) - deck_.coloured();
        return ended(ids_.white + id(type * deck_.whites() + white));
    }
    const std::size_t special = reader.one_of(kSpecialLetters, "a special card: one of sV sG sK sP");
    const bool announce = rules_.monk_colour == MonkColour::announce && special == kMonkCard;
    if (announce && reader.accept("/")) {
        const std::size_t colour = reader.one_of(kColourLetters.substr(0, kColours), "a colour: one of gvry");
        return ended(ids_.announce + id(colour * deck_.coloured() + type));
    }
    return ended(ids_.special + id(special * deck_.coloured() + type));
}

// The board.

std::string Game::to_string(const State& state) const {
    const Places all = places(state);
    const bool numbered = state.numbers[state.visit - std::size_t{1}] > 0;
    std::string text = "visit " + std::to_string(state.visit) + "  ";
    if (numbered) text += std::string("province ") + kProvinceLetters[current_province(state)] + "  ";
    text += std::string(kPhaseNames[static_cast<std::size_t>(state.phase)]);
    const Player actor = current_player(state);
    if (actor >= 0) text += ": player " + std::to_string(actor);
    text += "\ntile";
    for (std::size_t good = 0; good < kCommodities; ++good) {
        for (int i = 0; i < production(state.visit - std::size_t{1})[good]; ++i) {
            text += ' ' + std::string(kCommodityNames[good]);
        }
    }
    const auto or_dash = [](std::string set) { return set.empty() ? std::string("-") : set; };
    text += "  to be had " + or_dash(set_text(state.offer, kSymbolLetters));
    text += "  pile " + std::to_string(total(all.pile)) + "  discards " + std::to_string(total(discards(state)));
    text += "\ndisplay" + cards_text(deck_, all.display) + "\n\n";

    // One line for each province: number, cities. 7 columns a city: fortress, name, tile or owner, mogul palace.
    constexpr std::size_t kCityWidth = 10;
    for (std::size_t province = 0; province < kProvinces; ++province) {
        const std::size_t bears = number_of(state, province);
        const std::string number = bears == 0 ? "  " : (bears < 10 ? " " : "") + std::to_string(bears);
        std::string line = std::string(1, kProvinceLetters[province]) + ' ' + number +
                           (numbered && current_province(state) == province && state.in != 0 ? " > " : "   ");
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
        text += line + "\n";
    }
    for (std::size_t player = 0; player < players_; ++player) {
        text += "\nplayer " + std::to_string(player) + ((state.in >> player & 1U) != 0 ? " in  " : "     ");
        text += padded(std::to_string(state.points[player]) + " points", 12);
        text += "palaces left " + padded(std::to_string(kPalaces - state.palaces[player]), 4) + "goods";
        for (const std::uint8_t symbols : state.goods[player]) text += ' ' + std::to_string(symbols);
        text += "  tiles ";
        std::string tiles;
        for (std::size_t person = 0; person < kPersons; ++person) {
            tiles.append(state.tiles[player] >> (2 * person) & 3U, kSpecialLetters[person]);
        }
        text += padded(or_dash(tiles), 5) + "special";
        for (std::size_t special = 0; special < kPersons; ++special) {
            if ((state.specials[player] >> special & 1U) != 0) text += ' ' + special_name(special);
        }
        Counts unknown = all.hand[player];
        for (std::size_t type = 0; type < deck_.types(); ++type) {
            unknown[type] = static_cast<std::uint8_t>(unknown[type] - all.known[player][type]);
        }
        text += "\n  hand  " + cards_text(deck_, all.known[player]) + cards_text(deck_, unknown, "?");
        text += "\n  played" + cards_text(deck_, all.played[player]);
        for (std::size_t special = 0; special < kPersons; ++special) {
            if ((state.specials[player] & state.used) >> special & 1U) text += ' ' + special_name(special);
        }
        if (state.colour[player] > 0) {
            text += std::string("  colour ") + kColourLetters[state.colour[player] - std::size_t{1}];
        }
    }
    if (players_ == 2) {
        text += std::string("\nfictive player ") + (state.fictive_in != 0 ? "in" : "out") +
                cards_text(deck_, fictive_cards(state));
    }
    return text;
}

// What lies nowhere else.
Counts Game::discards(const State& state) const {
    const Places all = places(state);
    const Counts fictive = fictive_cards(state);
    Counts left{};
    for (std::size_t type = 0; type < deck_.types(); ++type) {
        int copies = deck_.type(type).copies - all.pile[type] - all.display[type] - fictive[type];
        for (std::size_t player = 0; player < players_; ++player) {
            copies -= all.hand[player][type] + all.played[player][type];
        }
        left[type] = static_cast<std::uint8_t>(copies);
    }
    return left;
}

Counts Game::fictive_cards(const State& state) const {
    Counts counts{};
    for (const std::size_t card : state.fictive) {
        if (card > 0) counts[card - 1] = 1;
    }
    return counts;
}

// Information state.

Value Game::information_state(const State& state, Player player) const {
    const Places all = places(state);
    const auto seats = [&](auto&& of_player) {
        Value::List list;
        for (std::size_t seat = 0; seat < players_; ++seat) list.emplace_back(of_player(seat));
        return list;
    };
    const auto bits = [](std::uint32_t set, std::size_t i) { return (set >> i & 1U) != 0; };

    Value::List provinces;
    for (std::size_t i = 0; i + 1 < kVisits && state.numbers[i] > 0; ++i) {
        provinces.emplace_back(std::string(1, kProvinceLetters[state.numbers[i] - 1]));
    }
    Value::Object bonus, ordinary, mogul;
    for (std::size_t city = 0; city < cities_; ++city) {
        const unsigned tile = state.sites.tile(city), owner = state.sites.owner(city);
        const unsigned of_mogul = state.moguls.at(city);
        if (tile > 0) bonus.emplace_back(city_name(city), kBonusNames[tile - 1]);
        if (owner > 0) ordinary.emplace_back(city_name(city), static_cast<int>(owner) - 1);
        if (of_mogul > 0) mogul.emplace_back(city_name(city), static_cast<int>(of_mogul) - 1);
    }
    Value::List special, used, offer;
    for (std::size_t card = 0; card < kPersons; ++card) {
        int holder = -1;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            if (bits(state.specials[seat], card)) holder = static_cast<int>(seat);
        }
        special.emplace_back(holder);
        if (bits(state.used, card)) used.emplace_back(special_name(card));
    }
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
        if (bits(state.offer, symbol)) offer.emplace_back(std::string(1, kSymbolLetters[symbol]));
    }
    Value fictive;
    if (players_ == 2) {
        fictive = Value::object({{"in", state.fictive_in != 0}, {"cards", cards_value(deck_, fictive_cards(state))}});
    }
    Value first;
    if (state.first > 0) first = deck_.type(state.first - std::size_t{1}).name();
    return Value::object({
        {"player", player},
        {"phase", kPhaseNames[static_cast<std::size_t>(state.phase)]},
        {"visit", int{state.visit}},
        {"turn", has_turn(state) ? int{state.turn} : -1},
        {"provinces", provinces},
        {"bonus", bonus},
        {"ordinary", ordinary},
        {"mogul", mogul},
        {"points", seats([&](std::size_t seat) { return int{state.points[seat]}; })},
        {"goods", seats([&](std::size_t seat) { return Value::list_of(state.goods[seat]); })},
        {"tiles", seats([&](std::size_t seat) {
             Value::List tiles;
             for (std::size_t person = 0; person < kPersons; ++person) {
                 tiles.emplace_back(static_cast<int>(state.tiles[seat] >> (2 * person) & 3U));
             }
             return tiles;
         })},
        {"special", special},
        {"used", used},
        {"in", seats([&](std::size_t seat) { return bits(state.in, seat); })},
        {"colour", seats([&](std::size_t seat) {
             const std::size_t colour = state.colour[seat];
             return colour == 0 ? Value() : Value(std::string(1, kColourLetters[colour - 1]));
         })},
        {"played", seats([&](std::size_t seat) { return cards_value(deck_, all.played[seat]); })},
        {"offer", offer},
        {"fictive", fictive},
        {"display", cards_value(deck_, all.display)},
        {"discards", cards_value(deck_, discards(state))},
        {"pile", total(all.pile)},
        {"hand", cards_value(deck_, all.hand[seat_of(player)])},
        {"known", seats([&](std::size_t seat) { return cards_value(deck_, all.known[seat]); })},
        {"hands", seats([&](std::size_t seat) { return total(all.hand[seat]); })},
        {"build", Value::list({int{state.persons}, int{state.crown}})},
        {"draws", int{state.draws}},
        {"takes", int{state.takes}},
        {"first", first},
    });
}

// Observation.

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
        for (std::size_t i = 0; i < size; ++i) put(set >> i & 1U);
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
        for (std::size_t k = 0; k < players_; ++k) of_player((seat_of(player) + k) % players_);
    };

    put_cards(all.hand[seat_of(player)]);
    seats([&](std::size_t seat) { put_cards(all.known[seat]); });
    seats([&](std::size_t seat) { put(total(all.hand[seat]) - total(all.known[seat])); });
    seats([&](std::size_t seat) { put_cards(all.played[seat]); });
    seats([&](std::size_t seat) { put_lanes(state.cards.symbols[seat]); });
    seats([&](std::size_t seat) { put_one_of(state.colour[seat] - std::size_t{1}, kColours); });
    seats([&](std::size_t seat) { put(state.in >> seat & 1U); });
    seats([&](std::size_t seat) { put_bits(state.specials[seat], kPersons); });
    put_bits(state.used, kPersons);
    seats([&](std::size_t seat) {
        for (std::size_t person = 0; person < kPersons; ++person) put(state.tiles[seat] >> (2 * person) & 3U);
    });
    put_bits(state.offer, kSymbols);
    put_cards(all.display);
    put_cards(discards(state));
    put(total(all.pile));
    for (std::size_t province = 0; province < kProvinces; ++province) put(number_of(state, province));
    put_one_of(state.numbers[state.visit - std::size_t{1}] - 1, kProvinces);
    for (const std::uint8_t symbols : production(state.visit - std::size_t{1})) put(symbols);
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) put_cities(state.sites.tiles_of(kind));
    seats([&](std::size_t seat) { put_cities(state.sites.palaces_of(seat)); });
    seats([&](std::size_t seat) { put_cities(own_moguls(state, seat)); });
    seats([&](std::size_t seat) { put(kPalaces - state.palaces[seat]); });
    seats([&](std::size_t seat) {
        for (const std::uint8_t symbols : state.goods[seat]) put(symbols);
    });
    seats([&](std::size_t seat) { put(state.points[seat]); });
    put_one_of(state.visit - std::size_t{1}, kVisits);
    put_one_of(static_cast<std::size_t>(state.phase), kPhases);
    seats([&](std::size_t seat) { put(has_turn(state) && seat == state.turn ? 1 : 0); });
    seats([&](std::size_t seat) { put(seat == (state.visit - std::size_t{1}) % players_ ? 1 : 0); });
    put(state.persons);
    put(state.crown);
    put(state.draws);
    put(state.takes);
    put_one_of(state.first - std::size_t{1}, deck_.types());
    put(state.fictive_in);
    put_cards(fictive_cards(state));
    put_lanes(fictive_symbols(state));
    assert(at == out.data() + out.size());
}

// What the player has not seen is dealt anew: cards of the others that are not known, and the pile.
void Game::determinize(State& state, Player player, Rng& rng) const {
    deck_.deal_unseen(state.cards, players_, seat_of(player), rng);
}

}  // namespace tilery::tajmahal
