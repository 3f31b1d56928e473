// SPDX-License-Identifier: MIT
// Deck, tiles and map from data of the form of python/tilery/data/tajmahal.json, every part checked.
#include <algorithm>
#include <cmath>
#include <string>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::data {
const Value& tajmahal();
}

namespace tilery::tajmahal {
namespace {

constexpr int kMostBonusTiles = 999;
constexpr int kMostTajMahalPoints = 99;

[[noreturn]] void refuse(const std::string& part, const std::string& allowed, const Value* given) {
    refuse_option("data: " + part, allowed, given == nullptr ? Value("nothing") : *given);
}
[[noreturn]] void refuse(const std::string& part, const std::string& allowed, const Value& given) {
    refuse(part, allowed, &given);
}

// A value as a T, which is called `allowed`.
template <class T>
const T& get(const Value* value, const std::string& part, const std::string& allowed) {
    const T* const found = value == nullptr ? nullptr : value->get<T>();
    if (found == nullptr) refuse(part, allowed, value);
    return *found;
}
const Value::Object& object_of(const Value& data, const std::string& part) {
    return get<Value::Object>(data.find(part), part, "an object");
}
const Value::List& list_of(const Value& data, const std::string& part) {
    return get<Value::List>(data.find(part), part, "a list");
}
const std::string& text_of(const Value* value, const std::string& part) {
    return get<std::string>(value, part, "a string");
}

std::uint32_t whole_number(const Value* value, const std::string& part, int high) {
    const auto* number = value == nullptr ? nullptr : value->get<std::int64_t>();
    if (number == nullptr || *number < 0 || *number > high) {
        refuse(part, "a whole number from 0 to " + std::to_string(high), value);
    }
    return static_cast<std::uint32_t>(*number);
}

std::size_t index_of(const auto& names, const Value* value, const std::string& part) {
    const auto at = std::ranges::find(names, text_of(value, part));
    if (at != names.end()) return index(at - names.begin());
    std::string allowed = "one of";
    for (const std::string_view name : names) allowed += " " + std::string(name);
    refuse(part, allowed, value);
}

bool finite(const Value& value) {
    if (const auto* number = value.get<double>()) return std::isfinite(*number);
    if (const auto* list = value.get<Value::List>()) return std::ranges::all_of(*list, finite);
    const auto* object = value.get<Value::Object>();
    return object == nullptr || std::ranges::all_of(*object, finite, &Value::Object::value_type::second);
}

// The place of a city's id among all there might be: nine cities for each province.
std::size_t place_of(const Value* value, const std::string& part) {
    const std::string& text = text_of(value, part);
    const std::size_t province = text.size() == 2 ? kProvinceLetters.find(text[0]) : kProvinceLetters.npos;
    const std::size_t digit = text.size() == 2 ? kCityDigits.find(text[1]) : kCityDigits.npos;
    if (province == kProvinceLetters.npos || digit == kCityDigits.npos) {
        refuse(part, "a letter A..L and a digit 1..9", value);
    }
    return province * kMostCitiesOfProvince + digit;
}

enum class Site { kNone, kCity, kFortress };
using SitesByPlace = std::array<Site, kMostCities>;

SitesByPlace read_cities(const Value& data) {
    SitesByPlace sites{};
    for (const Value& city : list_of(data, "cities")) {
        get<Value::Object>(&city, "cities", "a list of objects");
        const Value* const id = city.find("id");
        Site& site = sites[place_of(id, "cities: id")];
        if (site != Site::kNone) refuse("cities: id", "different in each city", id);
        const bool fortress = get<bool>(city.find("fortress"), "cities: fortress", "true or false");
        site = fortress ? Site::kFortress : Site::kCity;
    }
    return sites;
}

}  // namespace

// Checks only the form. The game's constructor reads what is in the object.
Value Rules::read_data(const Value& value) {
    const auto* text = value.get<std::string>();
    if (value.get<Value::Object>() == nullptr && (text == nullptr || *text != kShipped[0])) {
        refuse_option(kFileOption, "\"shipped\", a path to a JSON file, or an object of that form", value);
    }
    if (!finite(value)) refuse_option(kFileOption, "of plain JSON values", "a number that is not finite");
    return value;
}

Game::Game(const Rules& rules) : rules_(checked_rules(rules)), players_(index(rules.players)) {
    const Value& data = this->data();
    read_deck(data);
    read_map(data);
    read_tiles(data);
    read_bonus_tiles(data);
    number_actions();
    list_plays();
    initial_.cards = deck_.all_in_pile();
    initial_.numbers.put(kVisits - 1, province_of_[taj_mahal_] + 1U);
    initial_.visit = 1;
}

const Value& Game::data() const { return rules_.data.get<std::string>() != nullptr ? data::tajmahal() : rules_.data; }

void Game::read_deck(const Value& data) {
    std::array<std::uint8_t, kMostTypes> copies{};
    std::uint32_t cards = 0;
    for (const auto& [name, number] : object_of(data, "deck")) {
        const auto type = std::ranges::find(kAllTypes, name, &CardType::name);
        if (type == kAllTypes.end()) refuse("deck", "an object of card types such as gEV or wE", Value(name));
        const std::uint32_t number_of = whole_number(&number, "deck: " + name, kMostCopies);
        copies[index(type - kAllTypes.begin())] = byte(number_of);
        cards += number_of;
    }
    const std::size_t needed = 8 * players_ - 1;  // six for each player and a display
    if (cards < needed || cards > kMostCards) {
        refuse("deck", std::to_string(needed) + " to " + std::to_string(kMostCards) + " cards", cards);
    }
    deck_ = Deck(copies);
}

void Game::read_map(const Value& data) {
    const SitesByPlace sites = read_cities(data);
    std::array<std::size_t, kMostCities> number{};
    for (std::size_t place = 0; place < kMostCities; ++place) {
        const std::size_t province = place / kMostCitiesOfProvince, digit = place % kMostCitiesOfProvince;
        if (digit == 0) first_city_[province] = cities_;
        if (sites[place] == Site::kNone) continue;
        const std::size_t city = cities_++;
        number[place] = city;
        province_of_[city] = byte(province);
        city_digit_[city] = kCityDigits[digit];
        province_cities_[province].insert(city);
        if (sites[place] == Site::kFortress) fortresses_.insert(city);
    }
    for (std::size_t province = 0; province < kProvinces; ++province) {
        if (!province_cities_[province].empty()) continue;
        refuse("cities", "in every province A..L", "none in province " + std::string(1, kProvinceLetters[province]));
    }
    const auto city_of = [&](const Value* value, const std::string& part) {
        const std::size_t place = place_of(value, part);
        if (sites[place] == Site::kNone) refuse(part, "the id of one of the cities", value);
        return number[place];
    };
    for (const Value& road : list_of(data, "roads")) {
        const auto* ends = road.get<Value::List>();
        if (ends == nullptr || ends->size() != 2) refuse("roads", "a list of pairs of cities", &road);
        const std::size_t from = city_of(&(*ends)[0], "roads"), to = city_of(&(*ends)[1], "roads");
        if (from == to) refuse("roads", "between different cities", &road);
        neighbours_[from].insert(to);
        neighbours_[to].insert(from);
    }
    object_of(data, "taj_mahal");
    const Value& taj_mahal = *data.find("taj_mahal");
    const Value* const city = taj_mahal.find("city");
    taj_mahal_ = city_of(city, "taj_mahal: city");
    tiled_ = fortresses_;
    tiled_.erase(taj_mahal_);
    if (!fortresses_.has(taj_mahal_)) refuse("taj_mahal: city", "a fortress", city);
    taj_mahal_points_ = whole_number(taj_mahal.find("points"), "taj_mahal: points", kMostTajMahalPoints);
}

void Game::read_tiles(const Value& data) {
    for (const auto& [name, goods] : object_of(data, "province_tiles")) {
        std::size_t visit = 0;
        while (visit < kVisits && name != std::to_string(visit + 1)) ++visit;
        const std::string part = "province_tiles: " + name;
        const auto* list = goods.get<Value::List>();
        if (visit == kVisits) refuse("province_tiles", "an object with the keys 1..12", name);
        if (list == nullptr || list->empty() || list->size() > 2) {
            refuse(part, "a list of one or two commodities", &goods);
        }
        ProductionTile& tile = production_tiles_[visit] = {};
        for (const Value& good : *list) tile.goods[tile.size++] = byte(index_of(kCommodityNames, &good, part));
    }
    for (std::size_t visit = 0; visit < kVisits; ++visit) {
        if (data.find("province_tiles")->find(std::to_string(visit + 1)) == nullptr) {
            refuse("province_tiles", "an object with all the keys 1..12", data.find("province_tiles"));
        }
    }
}

void Game::read_bonus_tiles(const Value& data) {
    std::uint32_t all = 0;
    for (const auto& [name, number] : object_of(data, "bonus_tiles")) {
        const Value kind(name);
        const std::uint32_t supply = whole_number(&number, "bonus_tiles: " + name, kMostBonusTiles);
        bonus_supply_ += lane(index_of(kBonusNames, &kind, "bonus_tiles"), supply);
        all += supply;
    }
    const std::size_t needed = tiled_.size();
    if (all != needed) {
        refuse("bonus_tiles", std::to_string(needed) + " tiles in all, one less than there are fortresses", all);
    }
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
        bonus_offsets_[kind] = byte(bonus_kind_count_);
        if (count_of(bonus_supply_, kind) > 0) bonus_kinds_[bonus_kind_count_++] = byte(kind);
    }
}

void Game::number_actions() {
    const auto count = [](std::size_t number) { return static_cast<Action>(number); };
    const Action types = count(deck_.types()), coloured = count(deck_.coloured()), cities = count(cities_);
    const Action named_colours = rules_.monk_colour == MonkColour::kAnnounce ? count(kColours) : 0;
    ids_.card = 0;
    ids_.province = ids_.card + types;
    ids_.bonus = ids_.province + count(kProvinces) - 1;
    ids_.out = ids_.bonus + count(bonus_kind_count_);
    ids_.none = ids_.out + 1;
    ids_.alone = ids_.none + 1;
    ids_.white = ids_.alone + coloured;
    ids_.special = ids_.white + coloured * (types - coloured);
    ids_.announce = ids_.special + count(kPersons) * coloured;
    ids_.at = ids_.announce + named_colours * coloured;
    ids_.crown = ids_.at + cities;
    ids_.take = ids_.crown + cities;
    ids_.end = ids_.take + types;
    ids_.coloured = coloured;
    ids_.whites = types - coloured;
    for (std::size_t province = 0; province < kProvinces; ++province) {
        province_offsets_[province] = byte(province < province_of_[taj_mahal_] ? province : province - 1);
    }
}

void Game::list_plays() {
    const std::size_t none = Deck::kNoType, coloured = deck_.coloured();
    const auto add = [this](std::size_t type, std::size_t white, std::uint32_t special, std::size_t fixes) {
        const Lanes with = white == Deck::kNoType ? kSpecialSymbols[special] : deck_.type(white).symbols();
        plays_.push_back({deck_.type(type).symbols() + with, byte(type), byte(white), byte(special), byte(fixes),
                          byte(special == bit(kPrincessCard) ? kPrincessPoints : 0)});
    };
    const auto own_colour = [this](std::size_t type) { return deck_.type(type).colour + 1U; };
    for (std::size_t type = 0; type < coloured; ++type) add(type, none, 0, own_colour(type));
    for (std::size_t type = 0; type < coloured; ++type) {
        for (std::size_t white = coloured; white < deck_.types(); ++white) add(type, white, 0, own_colour(type));
    }
    for (std::size_t special = 0; special < kPersons; ++special) {
        for (std::size_t type = 0; type < coloured; ++type) {
            add(type, none, bit(special), special == kMonkCard ? 0 : own_colour(type));  // TM-8
        }
    }
    if (rules_.monk_colour != MonkColour::kAnnounce) return;
    for (std::size_t colour = 1; colour <= kColours; ++colour) {
        for (std::size_t type = 0; type < coloured; ++type) add(type, none, bit(kMonkCard), colour);
    }
}

namespace {

bool is_number(const Value& value) { return value.get<std::int64_t>() != nullptr || value.get<double>() != nullptr; }

// Where a city is drawn on a map without coordinates: provinces in rows of four, each with four cities at the corners
// of a square, clockwise, and further ones below.
Value grid_place(std::size_t province, std::size_t digit) {
    const auto at = [](std::size_t number) { return static_cast<int>(number); };
    const bool corner = digit < 4, east = digit == 1 || digit == 2;
    const std::size_t x = corner ? (east ? 12 : 0) : 4 * (digit - 4), y = corner ? digit / 2 * 10 : 19;
    return Value::list({at(8 + 24 * (province % 4) + x), at(8 + 28 * (province / 4) + y)});
}

}  // namespace

// Coordinates are those of the data if all cities have them, x to the right and y down, both about 0 to 100.
Value Game::map() const {
    Value::Object known;
    for (const Value& city : list_of(data(), "cities")) {
        const Value* const xy = city.find("xy");
        const auto* list = xy == nullptr ? nullptr : xy->get<Value::List>();
        if (list == nullptr || list->size() != 2 || !std::all_of(list->begin(), list->end(), is_number)) continue;
        known.emplace_back(text_of(city.find("id"), "cities: id"), *xy);
    }
    const Value coordinates(known);
    Value::List cities, roads;
    for (std::size_t city = 0; city < cities_; ++city) {
        const std::string name = city_name(city);
        const Value place = known.size() == cities_
                                ? *coordinates.find(name)
                                : grid_place(province_of_[city], kCityDigits.find(city_digit_[city]));
        cities.push_back(Value::object({{"name", name}, {"xy", place}, {"fortress", fortresses_.has(city)}}));
        (neighbours_[city] - Cities::below(city)).for_each([&](std::size_t other) {
            roads.push_back(Value::list({name, city_name(other)}));
        });
    }
    return Value::object({{"cities", cities}, {"roads", roads}, {"taj_mahal", city_name(taj_mahal_)}});
}

std::array<std::uint8_t, kCommodities> Game::production(std::size_t visit) const {
    std::array<std::uint8_t, kCommodities> symbols{};
    const ProductionTile& tile = production_tiles_[visit];
    for (std::size_t i = 0; i < tile.size; ++i) ++symbols[tile.goods[i]];
    return symbols;
}

// For n players, b bonus tiles and c of them card tiles. Each player withdraws in each visit: 12n; takes the
// cards of the displays: 12 (2n - 1); and in a visit there are at most four ordinary palaces to build or to
// decline and one mogul palace: 60. Cards played were dealt (6n), or taken or drawn in one of the first 11
// visits: 11 (2n - 1) from the displays, 11n for playing nothing, c for tiles.
int Game::max_decisions() const { return 75 * rules_.players + 37 + count_of(bonus_supply_, kPlusCard); }

// 11 numbers, b tiles, 6n cards dealt, 12 (2n - 1) laid out, 12n drawn for playing nothing, c for tiles. The
// fictive player turns up at most six cards in a visit, because the sixth repeats a colour.
int Game::max_chance_nodes() const {
    return 42 * rules_.players - 1 + int(tiled_.size()) + count_of(bonus_supply_, kPlusCard) +
           (rules_.players == 2 ? 6 * int{kVisits} : 0);
}

int Game::most_copies() const {
    int most = 0;
    for (std::size_t type = 0; type < deck_.types(); ++type) most = std::max(most, int{deck_.type(type).copies});
    return most;
}

std::array<int, kCommodities> Game::most_goods() const {
    std::array<int, kCommodities> symbols{};
    for (std::size_t good = 0; good < kCommodities; ++good) {
        symbols[good] = count_of(bonus_supply_, kFirstCommodityTile + good);
        for (std::size_t visit = 0; visit < kVisits; ++visit) symbols[good] += production(visit)[good];
    }
    return symbols;
}

int Game::most_points() const {
    int points = int(taj_mahal_points_) + kMostPalacePoints + int{kPrincessPoints * kVisits} +
                 2 * count_of(bonus_supply_, kPlusTwo) + kMostFinalPoints;
    for (const int symbols : most_goods()) points += triangle(symbols);
    return points;
}

}  // namespace tilery::tajmahal
