// SPDX-License-Identifier: MIT
// Taj Mahal: the map with palaces, and for each player goods, tiles, hand and cards played. What these look like is
// data (tajmahal-shapes.json).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tilery/core/svg.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::data {
const Value& tajmahal_shapes();
}

namespace tilery::tajmahal {
namespace {

using svg::Anchor;
using svg::Point;

// The colours of cards, by letter.
constexpr std::array<std::string_view, 5> kCardColours{"#3f9b58", "#8059b8", "#c53a36", "#e5b92e", "#f7f5ee"};
constexpr std::array<std::string_view, 6> kLand{"#e9d8a6", "#d9e2b0", "#f0cfa0", "#cfe0c0", "#ecd9c0", "#dfe0a8"};
constexpr Point kCard{26, 38};
constexpr int kPanel = 880, kPanelWidth = 470, kBox = 122;

// The data of a path from one point to another.
std::string line_of(Point from, Point to) {
    return "M" + std::to_string(from.x) + " " + std::to_string(from.y) + "L" + std::to_string(to.x) + " " +
           std::to_string(to.y);
}

std::string symbol_id(char letter) { return std::string("tajmahal-") + letter; }

double real(const Value& value) {
    const auto* const number = value.get<double>();
    return number != nullptr ? *number : value.integer();
}

// Whether a list of texts has this one.
bool lists(const Value& texts, std::string_view text) {
    return std::ranges::any_of(texts.items(), [text](const Value& one) { return one.text() == text; });
}

std::vector<std::string> types_of(const Value& cards) {
    std::vector<std::string> types;
    for (const auto& [type, copies] : cards.members()) types.insert(types.end(), index(copies.integer()), type);
    return types;
}

// The regions of the cities: each point of the land belongs to the nearest city, if that is near enough.
// In units of 1/64 pixel, so that whole numbers are exact enough.
constexpr int kFine = 64;
struct Corner {
    std::int64_t x, y;
    int next;  // the city on the other side of the edge that begins here, or -1: the coast
};
using Region = std::vector<Corner>;

// The part of a region on this side of the line halfway between two cities.
Region halved(const Region& region, Point here, Point there, int other) {
    const std::int64_t nx = there.x - here.x, ny = there.y - here.y;
    const std::int64_t middle = (nx * (here.x + there.x) + ny * (here.y + there.y)) * kFine / 2;
    Region part;
    for (std::size_t i = 0; i < region.size(); ++i) {
        const Corner &from = region[i], &to = region[(i + 1) % region.size()];
        const std::int64_t before = nx * from.x + ny * from.y - middle, after = nx * to.x + ny * to.y - middle;
        if (before <= 0) part.push_back(from);
        if ((before <= 0) != (after <= 0)) {
            const std::int64_t whole = before - after;
            part.push_back({from.x + (to.x - from.x) * before / whole, from.y + (to.y - from.y) * before / whole,
                            before > 0 ? from.next : other});
        }
    }
    return part;
}

// A disc around a city, as 24 corners.
Region disc(Point centre) {
    // 92 pixels in the directions of the first quarter, in steps of 15 degrees.
    constexpr std::array<Point, 6> kQuarter{
        {{5888, 0}, {5687, 1524}, {5099, 2944}, {4163, 4163}, {2944, 5099}, {1524, 5687}}};
    Region region;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (Point step : kQuarter) {
            for (int turn = 0; turn < quarter; ++turn) step = {-step.y, step.x};
            region.push_back({centre.x * kFine + step.x, centre.y * kFine + step.y, -1});
        }
    }
    return region;
}

class Drawing {
  public:
    Drawing(const PictureInput& input, const Game& game)
        : input_(input),
          game_(game),
          info_(input.common()),
          map_(game.map()),
          canvas_(input),
          players_(number(info_["points"].items().size())),
          visit_(info_["visit"].integer()) {
        read_cities(map_["cities"]);
        const std::string& phase = info_["phase"].text();
        if (phase == "turn" || phase == "build" || phase == "crown" || phase == "take")
            to_act_ = info_["turn"].integer();
        if (phase == "over" || phase == "provinces") return;
        for (const City& city : cities_) {
            if (visit_of(city.name[0]) == visit_) now_ = city.name[0];
        }
    }

    [[nodiscard]] std::string draw() {
        canvas_.define(data::tajmahal_shapes()["shapes"], players_);
        draw_land();
        draw_roads(map_["roads"]);
        draw_provinces();
        draw_cities();
        canvas_.panel();
        const std::vector<svg::PlayerLine> lines = player_lines();
        canvas_.note_players(lines);
        canvas_.text({kPanel, 32}, title(), {18, svg::kInk, Anchor::kStart, true});
        draw_offer();
        int y = 90;
        for (Player player = 0; player < players_; ++player, y += kBox) draw_player(y, player, lines[index(player)]);
        y = draw_display(y + 4);
        return canvas_.finish({kPanel + kPanelWidth + 20, input_.part == Part::kBoard ? 812 : std::max(812, y)},
                              title(), "#cfe3ea", kPanel - 18);
    }

  private:
    struct City {
        std::string name;
        Point at;
        bool fortress;
        Region region = {};
    };

    // The coordinates of a map may be any numbers: here they fill the room.
    void read_cities(const Value& cities) {
        constexpr int kLeft = 108, kTop = 100, kWidth = 660, kHeight = 600;
        double west = 1e9, east = -1e9, north = 1e9, south = -1e9;
        for (const Value& city : cities.items()) {
            const double x = real(city["xy"][0]), y = real(city["xy"][1]);
            west = std::min(west, x), east = std::max(east, x), north = std::min(north, y), south = std::max(south, y);
        }
        const auto scaled = [](double from, double value, double to, int length) {
            return to > from ? static_cast<int>(std::lround((value - from) * length / (to - from))) : length / 2;
        };
        for (const Value& city : cities.items()) {
            numbers_[city["name"].text()] = cities_.size();
            cities_.push_back({city["name"].text(),
                               {kLeft + scaled(west, real(city["xy"][0]), east, kWidth),
                                kTop + scaled(north, real(city["xy"][1]), south, kHeight)},
                               city["fortress"].flag()});
        }
        for (City& city : cities_) {
            city.region = disc(city.at);
            int other = -1;
            for (const City& next : cities_) {
                ++other;
                const Point away{next.at.x - city.at.x, next.at.y - city.at.y};
                if (away == Point{} || std::abs(away.x) > 190 || std::abs(away.y) > 190) continue;
                city.region = halved(city.region, city.at, next.at, other);
            }
        }
    }

    [[nodiscard]] Point place_of(const Value& name) const { return cities_[numbers_.find(name.text())->second].at; }
    // The number of a province's visit, or 0 while it has none.
    [[nodiscard]] int visit_of(char province) const {
        if (map_["taj_mahal"].text()[0] == province) return 12;
        int visit = 1;
        for (const Value& letter : info_["provinces"].items()) {
            if (letter.text()[0] == province) return visit;
            ++visit;
        }
        return 0;
    }

    void draw_land() {
        std::string seams, coast, border;
        const auto pixel = [](std::int64_t fine) { return static_cast<int>((fine + kFine / 2) / kFine); };
        for (const City& city : cities_) {
            const char province = city.name[0];
            const int visit = visit_of(province);
            const std::string_view plain = province == now_ ? "#fff2b0" : kLand[index((province - 'A') * 5 % 6)];
            const std::string fill = svg::shade(plain, visit > 0 && visit < visit_ ? 86 : 100);
            std::vector<Point> corners;
            for (const Corner& corner : city.region) corners.push_back({pixel(corner.x), pixel(corner.y)});
            canvas_.polygon(corners, {fill, fill, 2});
            for (std::size_t i = 0; i < corners.size(); ++i) {
                const int next = city.region[i].next;
                if (next >= 0 && cities_[index(next)].name[0] == province) continue;
                const std::string line = line_of(corners[i], corners[(i + 1) % corners.size()]);
                if (province == now_) border += line;
                if (next < 0) coast += line;
                if (next >= 0 && cities_[index(next)].name < city.name) seams += line;
            }
        }
        canvas_.path(seams, {"none", "#9a8350", 2, "stroke-dasharray=\"5 3\""});
        canvas_.path(coast, {"none", "#6f8f9c", 3, "stroke-linecap=\"round\""});
        if (!border.empty()) canvas_.path(border, {"none", "#c0392b", 4, "stroke-linecap=\"round\""});
    }

    void draw_roads(const Value& roads) {
        std::string lines;
        for (const Value& road : roads.items()) lines += line_of(place_of(road[0]), place_of(road[1]));
        canvas_.path(lines, {"none", "#7a5a34", 5});
        canvas_.path(lines, {"none", "#e3c79a", 3});
        // Chains of palaces, along which provinces are counted (TM-17).
        for (Player player = 0; player < players_; ++player) {
            std::string chain;
            for (const Value& road : roads.items()) {
                if (!has_palace(road[0].text(), player) || !has_palace(road[1].text(), player)) continue;
                chain += line_of(place_of(road[0]), place_of(road[1]));
            }
            const std::string seat = "data-seat=\"" + std::to_string(player) + "\"";
            if (!chain.empty()) canvas_.path(chain, {"none", svg::seat_colour(player), 6, seat});
        }
    }

    // The number of the visit of each province, in its middle.
    void draw_provinces() {
        std::map<char, std::vector<Point>> places;
        for (const City& city : cities_) places[city.name[0]].push_back(city.at);
        for (const auto& [province, cities] : places) {
            Point sum{};
            for (const Point city : cities) sum = sum + city;
            const bool taj = map_["taj_mahal"].text()[0] == province;
            const Point centre{sum.x / number(cities.size()) - (taj ? 30 : 0), sum.y / number(cities.size())};
            const int visit = visit_of(province);
            const bool done = visit > 0 && visit < visit_, dark = done || province == now_;
            canvas_.circle(centre, 12, {province == now_ ? "#c0392b" : done ? "#6b5b3a" : svg::kPaper, "#4a3d22"});
            canvas_.text(centre + Point{0, 5}, visit > 0 ? std::to_string(visit) : "?",
                         {13, dark ? "#fff" : svg::kInk, Anchor::kMiddle, true});
            if (!taj)
                canvas_.text(centre + Point{21, 5}, std::string(1, province), {13, "#6b5b3a", Anchor::kMiddle, true});
            canvas_.target_circle(std::string("province:") + province, centre, 30);
        }
    }

    void draw_cities() {
        for (const City& city : cities_) draw_city(city);
        for (const City& city : cities_) draw_palaces(city);
        const svg::Font above{10, "#33290f", Anchor::kMiddle, false, "#fdf8ea"};
        for (const City& city : cities_) canvas_.text(city.at + Point{0, 24}, city.name, above);
    }

    void draw_city(const City& city) {
        if (city.name == map_["taj_mahal"].text()) {
            canvas_.use("tajmahal-taj", city.at);
        } else if (city.fortress) {
            canvas_.use("tajmahal-fortress", city.at);
        } else {
            canvas_.circle(city.at, 8, {"#fdf8ea", "#33302b", 2});
        }
        if (const Value* const bonus = info_["bonus"].find(city.name); bonus != nullptr) {
            canvas_.use("tajmahal-" + bonus->text(), city.at + Point{13, -13});
        }
    }

    void draw_palaces(const City& city) {
        const Value* const ordinary = info_["ordinary"].find(city.name);
        const Value* const mogul = info_["mogul"].find(city.name);
        const bool both = ordinary != nullptr && mogul != nullptr;
        if (ordinary != nullptr) {
            canvas_.use("tajmahal-palace" + std::to_string(ordinary->integer()), city.at + Point{both ? -11 : 0, 0});
        }
        if (mogul != nullptr) {
            canvas_.use("tajmahal-mogul" + std::to_string(mogul->integer()), city.at + Point{both ? 13 : 0, 0});
        }
        if (input_.is_last("city:" + city.name)) {
            canvas_.circle(city.at + Point{0, -3}, 22, {"none", "#fff", 4});
            canvas_.circle(city.at + Point{0, -3}, 22, {"none", "#111", 2, "stroke-dasharray=\"6 4\""});
        }
        canvas_.target_circle("city:" + city.name, city.at, 18);
    }

    void draw_offer() {
        canvas_.group({kPanel, 66}, "on offer", {12, svg::kGrey});
        int x = kPanel + 70;
        for (const char letter : kSymbolLetters) {
            const bool there = lists(info_["offer"], {&letter, 1});
            canvas_.thing("", {x, 46}, {32, 32}, "", [&] {
                if (!there) canvas_ << "<g opacity=\"0.2\">";
                canvas_.rect({x, 46}, {32, 32}, {svg::kPaper, "#999"}, 5);
                canvas_.use(symbol_id(letter), {x + 16, 62});
                if (!there) canvas_ << "</g>";
            });
            x += 37;
        }
        x += 20;
        for (std::size_t good = 0; good < kCommodityNames.size(); ++good) {
            for (int copy = game_.production(index(visit_ - 1))[good]; copy > 0; --copy, x += 24) {
                draw_token({x, 62}, "tajmahal-" + std::string(kCommodityNames[good]));
            }
        }
    }

    // A symbol, and how many of them there are.
    void draw_token(Point at, const std::string& id, const std::string& count = {}, bool bold = false,
                    bool faint = false) {
        canvas_.thing("", at + Point{-11, -11}, {22, 22}, count, [&] {
            if (faint) canvas_ << "<g opacity=\"0.2\">";
            canvas_.use(id, at);
            if (faint) canvas_ << "</g>";
        });
        if (!count.empty()) canvas_.text(at + Point{11, 5}, count, {13, svg::kInk, Anchor::kStart, bold});
    }

    void draw_player(int y, Player player, const svg::PlayerLine& line) {
        const bool acts = player == to_act_;
        const std::string_view colour = svg::seat_colour(player);
        canvas_.rect({kPanel, y}, {kPanelWidth, kBox - 6}, {svg::kPaper, acts ? colour : "#c9bfa8", acts ? 4 : 1}, 8);
        canvas_.rect({kPanel, y}, {22, kBox - 6}, {colour}, 6);
        canvas_.text({kPanel + 11, y + 63}, player, {15, svg::ink_on_seat(player), Anchor::kMiddle, true});
        canvas_.text({kPanel + 56, y + 38}, line.points, {24, svg::kInk, Anchor::kMiddle, true});
        canvas_.text({kPanel + 56, y + 58}, line.first, {11, svg::kGrey, Anchor::kMiddle});
        if (!line.second.empty()) canvas_.text({kPanel + 56, y + 76}, "is out", {11, "#a33", Anchor::kMiddle});
        draw_goods({kPanel + 92, y + 8}, player);
        draw_hand({kPanel + 90, y + 33}, player);
        const std::vector<std::string> played = types_of(info_["played"][player]);
        if (!played.empty()) canvas_.group({kPanel + 86, y + 97}, "played", {10, svg::kGrey, Anchor::kEnd}, player);
        draw_sums({draw_cards({kPanel + 90, y + 74}, 160, played, "") + 14, y + 93}, player, played);
        if (acts) canvas_.polygon({{kPanel - 15, y + 48}, {kPanel - 4, y + 58}, {kPanel - 15, y + 68}}, {colour});
    }

    void draw_goods(Point corner, Player player) {
        canvas_.group("goods", player);
        int x = corner.x;
        for (std::size_t good = 0; good < kCommodityNames.size(); ++good, x += 34) {
            const std::string count = std::to_string(info_["goods"][player][number(good)].integer());
            draw_token({x + 9, corner.y + 10}, "tajmahal-" + std::string(kCommodityNames[good]), count);
        }
        x += 4;
        for (int person = 0; person < 4; ++person, x += 32) {
            const int tiles = info_["tiles"][player][person].integer();
            const std::string count = tiles > 0 ? std::to_string(tiles) : "";
            draw_token({x + 9, corner.y + 10}, symbol_id(kSpecialLetters[index(person)]), count, false, tiles == 0);
        }
        x = corner.x + kPanelWidth - 92 - 31;  // after the counters: four of them have room
        for (int person = 3; person >= 0; --person) {
            if (info_["special"][person].integer() != player) continue;
            const Point place{x, corner.y - 4};
            const std::string name = std::string("s") + kSpecialLetters[index(person)];
            canvas_.thing("special:" + name, place + Point{-1, -1}, {29, 29}, "", [&] {
                canvas_.rect(place, {27, 27}, {"#2f2a3d", "#f0c419", 2}, 4);
                canvas_.use(symbol_id(kSpecialLetters[index(person)]), place + Point{13, 13});
                if (lists(info_["used"], name))
                    canvas_.rect(place, {27, 27}, {"#2f2a3d", {}, 1, "fill-opacity=\"0.6\""}, 4);
            });
            canvas_.target_rect("special:" + name, place, {27, 27}, 4);
            x -= 28;
        }
    }

    // The own hand; of another, the cards that everybody knows and the backs of the others.
    void draw_hand(Point corner, Player player) {
        const bool own = !input_.viewer || *input_.viewer == player;
        const Value& seen = input_.viewer ? info_ : input_.known[index(player)];
        canvas_.group("hand", player);
        std::vector<std::string> types = types_of(own ? seen["hand"] : seen["known"][player]);
        types.resize(index(info_["hands"][player].integer()), "?");
        draw_cards(corner, kPanelWidth - 100, types, own && player == to_act_ ? "hand:" : "");
    }

    // How often a player shows each symbol in this visit: what is compared when somebody withdraws (TM-11, TM-21).
    void draw_sums(Point at, Player player, const std::vector<std::string>& played) {
        if (played.empty()) return;
        canvas_.group("shows", player);
        const auto used = [&](int person, std::string_view name) {
            return info_["special"][person].integer() == player && lists(info_["used"], name);
        };
        for (const char letter : kSymbolLetters) {
            int sum = 0;
            for (const std::string& type : played) {
                for (const char symbol : std::string_view(type).substr(1)) sum += symbol == letter ? 1 : 0;
            }
            if ((letter == 'M' && used(0, "sV")) || (letter == 'E' && used(1, "sG"))) sum += 2;
            if (sum == 0) continue;
            draw_token(at, symbol_id(letter), std::to_string(sum), true);
            at.x += 32;
        }
    }

    // Whether a player has a palace of either sort in a city.
    [[nodiscard]] bool has_palace(const std::string& city, Player player) const {
        return std::ranges::any_of(std::array{"ordinary", "mogul"}, [&](const char* sort) {
            const Value* const owner = info_[sort].find(city);
            return owner != nullptr && owner->integer() == player;
        });
    }

    int draw_display(int y) {
        canvas_.group({kPanel, y + 24}, "display", {12, svg::kGrey});
        const int end = draw_cards({kPanel + 90, y}, 260, types_of(info_["display"]), "display:");
        const std::string left = "pile of " + std::to_string(info_["pile"].integer());
        canvas_.text({std::max(end, kPanel + 90) + 12, y + 24}, left, {12, svg::kGrey});
        canvas_.thing(left);
        const Value& fictive = info_["fictive"];
        if (fictive.is_null()) return y + 52;
        y += 46;
        canvas_.group({kPanel, y + 24}, "third player", {12, svg::kGrey});
        draw_cards({kPanel + 90, y}, 260, types_of(fictive["cards"]), "");
        return y + 52;
    }

    [[nodiscard]] std::vector<svg::PlayerLine> player_lines() const {
        std::vector<svg::PlayerLine> lines;
        for (Player player = 0; player < players_; ++player) {
            const int cards = info_["hands"][player].integer();
            const bool out = !info_["in"][player].flag() && visit_ > 0 && to_act_ >= 0;
            lines.push_back({info_["points"][player].integer(),
                             std::to_string(cards) + (cards == 1 ? " card" : " cards"), out ? "withdrawn" : ""});
        }
        return lines;
    }

    // Cards in a row of this width, which overlap where they must; returns where the row ends.
    int draw_cards(Point corner, int width, const std::vector<std::string>& types, std::string_view pick) {
        if (types.empty()) return corner.x;
        canvas_.extend_panel(corner.y + kCard.y);
        const int step = std::min(kCard.x + 3, (width - kCard.x) / std::max(1, number(types.size()) - 1));
        for (const std::string& type : types) {
            const bool back = type == "?";
            const std::string id = back ? std::string("tajmahal-back") : "tajmahal-" + type;
            if (cards_.insert(id).second) {
                std::string shape = "<rect width=\"26\" height=\"38\" rx=\"4\" stroke=\"#333\" fill=\"" +
                                    std::string(back ? "#4a4a68" : kCardColours[kColourLetters.find(type[0])]) + "\"/>";
                if (back) shape += "<path d=\"M13 9L20 19L13 29L6 19Z\" fill=\"none\" stroke=\"#b9b9d6\"/>";
                int y = type.size() == 2 ? 19 : 10;
                for (const char letter : back ? std::string() : type.substr(1)) {
                    shape += "<use href=\"#" + symbol_id(letter) + "\" x=\"13\" y=\"" + std::to_string(y) + "\"/>";
                    y += 18;
                }
                canvas_.define(id, shape);
            }
            const std::string chosen = pick.empty() ? "" : std::string(pick) + type;
            canvas_.thing(chosen, corner, kCard, "", [&] { canvas_.use(id, corner); });
            if (!pick.empty()) canvas_.target_rect(chosen, corner, kCard, 4);
            corner.x += step;
        }
        return corner.x - step + kCard.x;
    }

    [[nodiscard]] std::string title() const {
        const std::string& phase = info_["phase"].text();
        const std::string visit = "Taj Mahal, visit " + std::to_string(visit_);
        if (phase == "over") return "Taj Mahal: the game is over";
        if (phase == "turn") return visit + ": play a card or withdraw";
        if (phase == "build") return visit + ": build a palace";
        if (phase == "crown") return visit + ": build the mogul palace";
        if (phase == "take") return visit + ": take a card";
        if (phase == "provinces" || phase == "bonus" || phase == "deal") return "Taj Mahal: the game is set up";
        return visit + ": cards are drawn";
    }

    const PictureInput& input_;
    const Game& game_;
    const Value& info_;
    Value map_;
    svg::Canvas canvas_;
    std::vector<City> cities_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
    std::set<std::string> cards_;  // whose shape is defined
    int players_, visit_;
    char now_ = ' ';  // the province that is visited
    Player to_act_ = kChance;
};

}  // namespace

std::string Game::picture(const PictureInput& input) const { return Drawing(input, *this).draw(); }

}  // namespace tilery::tajmahal
