// SPDX-License-Identifier: MIT
// Java: the island seen from the south, each space a prism as high as its tiles; next to it supplies and hands.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tilery/core/svg.hpp"
#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::data {
const Value& java_shapes();
}

namespace tilery::java {
namespace {

using svg::Anchor;
using svg::Point;

constexpr int kLayer = 8;  // the height of a tile
constexpr int kWidth = 21, kRow = 36;
// The corners of a space, clockwise from the north, around its centre.
constexpr std::array<Point, 6> kCorners{{{0, -24}, {21, -12}, {21, 12}, {0, 24}, {-21, 12}, {-21, -12}}};
// Side i is between corners i + 1 and i + 2 and looks in direction i, where the next space is so far away.
constexpr std::array<Point, kDirections> kSides{{{42, 0}, {21, 36}, {-21, 36}, {-42, 0}, {-21, -36}, {21, -36}}};
constexpr std::array<std::string_view, kGroundLists.size()> kGrounds{"land", "printed", "mountains", "lowlands"};
constexpr Point kTool{54, 50};  // the size of a tool
constexpr Point kCard{26, 36};

struct Place {
    std::size_t space;
    std::string name;
    Point centre;
    std::string_view ground;  // the end of the name of its shape
    int height = 0;
    int tile = -1;                 // the tile that covers it with others
    int value = 0;                 // of its palace
    const Place* group = nullptr;  // the first place of the city or the lake that it is part of
    int worth = 0;                 // of a lake that has not been scored: the points for it (JA-18)
    bool fresh = false;
    std::vector<Player> figures = {};

    [[nodiscard]] Point top() const { return centre + Point{0, -kLayer * height}; }
};

// The corners of a space around a point.
std::array<Point, 6> corners_around(Point centre) {
    std::array<Point, 6> corners = kCorners;
    for (Point& corner : corners) corner = corner + centre;
    return corners;
}

class Drawing {
  public:
    Drawing(const PictureInput& input, const Board& board)
        : input_(input), board_(board), info_(input.common()), supply_(info_["supply"]), canvas_(input) {
        read_spaces();
        read_board();
        read_groups();
    }

    [[nodiscard]] std::string draw() {
        canvas_.define(data::java_shapes()["shapes"], number(info_["scores"].items().size()));
        for (const Place& place : places_) draw_space(place);
        draw_panel();
        return canvas_.finish({panel_ + 372, bottom_}, title(), "#cfe3ea", panel_ - 20);
    }

  private:
    void read_spaces() {
        const int north = board_.spaces.front().row;
        const int west = std::ranges::min(board_.spaces, {}, &Space::column).column;
        for (std::size_t space = 0; space < board_.size(); ++space) {
            const auto [row, column] = board_.spaces[space];
            const Point centre{46 + (column - west) * kWidth, 92 + (row - north) * kRow};
            const std::string_view ground = kGrounds[index(board_.ground[space])];
            places_.push_back({.space = space, .name = board_.name(space), .centre = centre, .ground = ground});
            panel_ = std::max(panel_, centre.x + 62);
            bottom_ = std::max(bottom_, centre.y + 46);
        }
    }

    void read_board() {
        static const std::map<char, std::string_view> kTops{{'r', "rice"}, {'v', "village"}, {'w', "water"}};
        const Value& board = info_["board"];
        const std::string& tops = board["tops"].text();
        int i = 0;
        for (Place& place : places_) {
            place.height = board["heights"][i].integer();
            const auto top = kTops.find(tops[index(i++)]);
            if (top != kTops.end()) place.ground = top->second;
        }
        int tile = 0;
        for (const Value& bond : board["bonds"].items()) {
            for (const Value& name : bond.items()) place_of(name).tile = tile;
            ++tile;
        }
        for (const Value& palace : board["palaces"].items()) {
            Place& place = place_of(palace[0]);
            place.value = palace[1].integer();
            place.fresh = palace[2].flag();
            place.ground = "court";
        }
        for (const Value& figure : board["figures"].items()) place_of(figure[0]).figures.push_back(figure[1].integer());
    }

    // Cities are settlements with a palace; lakes are bodies of irrigation.
    void read_groups() {
        const auto is = [this](std::size_t space, std::string_view ground) { return places_[space].ground == ground; };
        const auto wet = [&](std::size_t space) { return is(space, "water") || is(space, "printed"); };
        const auto built = [&](std::size_t space) { return is(space, "village") || is(space, "court"); };
        for (const Spaces& settlement : board_.connected(built)) {
            if (std::ranges::any_of(settlement, [&](std::size_t space) { return is(space, "court"); }))
                join(settlement);
        }
        const auto bare = [&](std::uint16_t next) {
            return next != kNowhere && !wet(next) && places_[next].height == 0;
        };
        for (const Spaces& lake : board_.connected(wet)) {
            join(lake);
            if (std::ranges::none_of(lake, [&](auto i) { return std::ranges::any_of(board_.neighbour[i], bare); }))
                continue;
            const int each = input_.rules["irrigation_scoring"].text() == "per_space" ? 3 * number(lake.size()) : 3;
            for (const std::size_t space : lake) places_[space].worth = each;
        }
    }

    // Makes some places a group.
    void join(const Spaces& spaces) {
        for (const std::size_t space : spaces) places_[space].group = &places_[spaces.front()];
    }

    // The place beyond a side, or null.
    [[nodiscard]] const Place* neighbour(const Place& place, std::size_t side) const {
        const std::uint16_t next = board_.neighbour[place.space][side];
        return next == kNowhere ? nullptr : &places_[next];
    }
    [[nodiscard]] Place& place_of(const Value& name) { return *std::ranges::find(places_, name.text(), &Place::name); }

    // The sides of a space that look at other groups, as a shape.
    void draw_border(const Place& place, std::string_view prefix, std::string_view stroke,
                     const std::function<bool(const Place&)>& same) {
        int thick = 0;
        for (std::size_t side = 0; side < kDirections; ++side) {
            const Place* const next = neighbour(place, side);
            if (next == nullptr || !same(*next)) thick |= 1 << side;
        }
        const std::string name = "java-" + std::string(prefix) + std::to_string(thick);
        if (sides_.insert(name).second) {
            std::string data;
            for (std::size_t side = 0; side < kDirections; ++side) {
                if ((thick >> side & 1) == 0) continue;
                const Point from = kCorners[(side + 1) % 6], to = kCorners[(side + 2) % 6];
                data += "M" + std::to_string(from.x) + " " + std::to_string(from.y) + "L" + std::to_string(to.x) + " " +
                        std::to_string(to.y);
            }
            canvas_.define(name, "<path d=\"" + data + "\" fill=\"none\" stroke=\"" + std::string(stroke) +
                                     "\" stroke-width=\"" + (prefix == "sides" ? "2" : "3") + "\"/>");
        }
        canvas_.use(name, place.top());
    }

    void draw_space(const Place& place) {
        for (int layer = place.height; layer > 0; --layer) {
            canvas_.use(layer % 2 == 0 ? "java-wall0" : "java-wall1", place.centre + Point{0, -kLayer * layer});
        }
        canvas_.use("java-" + std::string(place.ground), place.top());
        draw_light(place);
        draw_sides(place);
        draw_pieces(place);
        canvas_.target_polygon("space:" + place.name, corners_around(place.top()));
    }

    // The higher the lighter, and in the shadow of what is higher in the west.
    void draw_light(const Place& place) {
        for (int level = 1; level < std::min(place.height, 5); ++level) canvas_.use("java-lit", place.top());
        for (const std::size_t side : {std::size_t{3}, std::size_t{4}}) {
            const Place* const next = neighbour(place, side);
            if (next != nullptr && next->height > place.height)
                canvas_.use(side == 3 ? "java-shade3" : "java-shade4", place.top());
        }
    }

    // Thin lines inside a tile, thick ones around it; bright ones around a city, and around a lake that can be scored.
    void draw_sides(const Place& place) {
        if (place.height > 0)
            draw_border(place, "sides", "#3b2a14",
                        [&](const Place& next) { return place.tile >= 0 && next.tile == place.tile; });
        if (place.group == nullptr || (place.height == 0 && place.worth == 0)) return;
        draw_border(place, place.height > 0 ? "city" : "lake", place.height > 0 ? "#ffc400" : "#eaf7ff",
                    [&](const Place& next) { return next.group == place.group; });
        if (place.worth > 0 && place.group == &place) {
            canvas_.use("java-worth", place.centre);
            canvas_.text(place.centre + Point{0, 5}, place.worth, {13, "#fff", Anchor::kMiddle, true});
        }
    }

    void draw_pieces(const Place& place) {
        const Point top = place.top();
        if (place.height > 1 && place.value == 0) {
            canvas_.use("java-height", top);
            canvas_.text(top + Point{11, -8}, place.height, {11, svg::kInk, Anchor::kMiddle, true});
        }
        if (place.value > 0) {
            canvas_.use("java-palace", top);
            canvas_.text(top + Point{0, 8}, place.value, {15, "#3a2600", Anchor::kMiddle, true});
            if (place.fresh) canvas_.circle(top + Point{15, -14}, 5, {"#fff", "#5a3d00"});
        }
        int x = place.figures.size() > 1 ? -9 : -5;
        for (const Player player : place.figures) {
            canvas_.use("java-figure" + std::to_string(player), top + Point{x, 0});
            x += 18;
        }
        const Value& lifted = info_["lifted"];
        if (!lifted.is_null() && lifted.text() == place.name) {
            canvas_.circle(top, 18, {"none", "#fff", 5});
            canvas_.circle(top, 18, {"none", "#111", 3, "stroke-dasharray=\"4 4\""});
        }
        if (input_.is_last("space:" + place.name)) {
            canvas_.circle(top, 20, {"none", "#fff", 4});
            canvas_.circle(top, 20, {"none", "#111", 2, "stroke-dasharray=\"6 4\""});
        }
    }

    // A rose of the directions in which a tile can extend, where that is to be chosen.
    void draw_directions(Point centre) {
        const auto is_target = [this](std::string_view direction) {
            return input_.find_target("direction:" + std::string(direction)) != nullptr;
        };
        if (std::ranges::none_of(kDirectionNames, is_target)) return;
        canvas_.use("java-village", centre);
        for (std::size_t i = 0; i < kDirections; ++i) {
            const Point middle = centre + kSides[i];
            const std::array<Point, 6> corners = corners_around(middle);
            const std::string pick = "direction:" + std::string(kDirectionNames[i]);
            canvas_.thing(pick, middle + Point{-22, -25}, {44, 50}, "", [&] {
                canvas_.polygon(corners, {"#e3eecb", "#a39a86"});
                canvas_.text(middle + Point{0, 5}, kDirectionNames[i], {13, svg::kInk, Anchor::kMiddle, true});
            });
            canvas_.target_polygon(pick, corners);
        }
    }

    void draw_panel() {
        canvas_.panel();
        draw_turn();
        const std::vector<svg::PlayerLine> lines = player_lines();
        canvas_.players({panel_, 78}, 330, lines, info_["player"].integer());
        int y = 78 + number(lines.size()) * svg::Canvas::kPlayerLine + 6;
        y = draw_tools(y);
        const bool page = input_.beside();  // which has buttons for tools and directions
        if (page) {
            const std::string left = count("three") + " three-space and " + count("water") + " irrigation tiles left";
            canvas_.begin_panel(y - 4);
            canvas_.group({panel_, y + 10}, left, {12, svg::kGrey});
            y += 18;
        }
        y = draw_palaces(y);
        canvas_.group("");
        draw_directions({panel_ + 300, page ? 60 : y + 110});
        y = draw_cards(y) + 16;
        if (input_.part != Part::kBoard) bottom_ = std::max(bottom_, y);
    }

    void draw_turn() {
        canvas_.text({panel_, 40}, title(), {18, svg::kInk, Anchor::kStart, true});
        const int points = info_["ap"].integer();
        for (int k = 0; k < std::max(points, 6); ++k) {
            canvas_.circle({panel_ + 8 + 20 * k, 60}, 7, {k < points ? "#c0392b" : "none", "#c0392b"});
        }
        if (info_["owed"].flag()) canvas_.text({panel_ + 156, 64}, "a land tile is due", {12, svg::kGrey});
    }

    // The supplies that the player whose turn it is can use, and how many are left.
    int draw_tools(int y) {
        canvas_.group("");
        const Player player = info_["turn"].integer();
        const std::string village = "<use href=\"#java-village\"/>", rice = "<use href=\"#java-rice\"/>";
        const auto moved = [](int x, int up, std::string_view shape) {
            return "<g transform=\"translate(" + std::to_string(x) + " " + std::to_string(up) + ")\">" +
                   std::string(shape) + "</g>";
        };
        const std::string figure = "<use href=\"#java-figure" + std::to_string(player) + "\" transform=\"scale(2)\"/>";
        const auto arrow = [&](int turned) {
            return moved(-12, 0, figure) + "<path d=\"M22 -16V16M10 4L22 18L34 4\" transform=\"rotate(" +
                   std::to_string(turned) + " 22 0)\" fill=\"none\" stroke=\"#2b2a28\" stroke-width=\"5\"/>";
        };
        int i = 0;
        const auto tool = [&](std::string_view pick, const std::string& shape, const std::string& label) {
            const Point corner{panel_ + i % 5 * (kTool.x + 6), y + i / 5 * (kTool.y + 6)};
            canvas_.rect(corner, kTool, {svg::kPaper, "#c9bfa8"}, 6);
            canvas_.thing(pick, corner, kTool, label, [&] {
                canvas_ << "<g transform=\"translate(" << corner.x + kTool.x / 2 << " " << corner.y + 18
                        << ") scale(0.4)\">" << shape << "</g>";
            });
            canvas_.text(corner + Point{kTool.x / 2, 46}, label, {11, svg::kGrey, Anchor::kMiddle});
            canvas_.target_rect(pick, corner, kTool, 6);
            ++i;
        };
        tool("tool:3", moved(-21, -18, village) + moved(21, -18, rice) + moved(0, 18, rice), count("three"));
        tool("tool:2", moved(-21, 0, village) + moved(21, 0, rice), count("two", player));
        tool("tool:rice", rice, count("rice", player));
        tool("tool:village", village, count("village", player));
        tool("tool:water", "<use href=\"#java-water\"/>", count("water"));
        tool("tool:enter", arrow(0), "enter");
        tool("tool:move", arrow(-90), "move");
        tool("tool:leave", arrow(180), "leave");
        tool("tool:palace", "<use href=\"#java-palace\" transform=\"scale(2)\"/>", "palace");
        tool("tool:festival",
             "<use href=\"#java-palace\" transform=\"scale(2)\"/><path d=\"M-36 -34L36 -34\" "
             "stroke=\"#8e5bb0\" stroke-width=\"8\" stroke-dasharray=\"8 6\"/>",
             "festival");
        return y + 2 * (kTool.y + 6) + 4;
    }

    int draw_palaces(int y) {
        canvas_.group({panel_, y + 26}, "palaces", {12, svg::kGrey});
        int x = panel_ + 76, value = 2;
        for (const Value& left : supply_["palaces"].items()) {
            const std::string points = std::to_string(value), words = std::to_string(left.integer()) + " left";
            canvas_.thing("value:" + points, {x - 20, y}, {40, 38}, words, [&] {
                canvas_.use("java-palace", {x, y + 22});
                canvas_.text({x, y + 30}, points, {14, "#3a2600", Anchor::kMiddle, true});
            });
            canvas_.text({x, y + 46}, words, {10, svg::kGrey, Anchor::kMiddle});
            canvas_.target_rect("value:" + points, {x - 20, y}, {40, 50}, 5);
            x += 46;
            value += 2;
        }
        return y + 62;
    }

    int draw_cards(int y) {
        const Value& cards = info_["cards"];
        canvas_.group({panel_, y + 22}, "open card", {12, svg::kGrey});
        const Point open{panel_ + 76, y}, pile{panel_ + 134, y};
        const std::string left = "pile of " + std::to_string(cards["pile"].integer());
        if (!cards["open"].is_null()) draw_card(open, cards["open"].text(), "card:open");
        canvas_.target_rect("card:open", open, kCard, 4);
        draw_card(pile, "?", "card:pile", left);
        canvas_.text(pile + Point{34, 22}, left, {12, svg::kGrey});
        canvas_.target_rect("card:pile", pile, kCard, 4);
        y += 48;
        canvas_.text({panel_, y + 4}, "hands", {12, svg::kGrey});
        y += 12;
        for (Player player = 0; player < number(info_["scores"].items().size()); ++player) {
            y = draw_hand({panel_, y}, player);
        }
        return y;
    }

    // The own hand; of another, the cards that everybody knows and the backs of the others. Then what is laid in a
    // festival.
    int draw_hand(Point corner, Player player) {
        canvas_.group("hand", player);
        canvas_.rect(corner + Point{0, 6}, {22, 22}, {svg::seat_colour(player)}, 4);
        canvas_.text(corner + Point{11, 22}, player, {13, svg::ink_on_seat(player), Anchor::kMiddle, true});
        corner.x += 32;
        const bool own = !input_.viewer || *input_.viewer == player;
        const Value& cards = (input_.viewer ? input_.common() : input_.known[index(player)])["cards"];
        if (own) {
            corner = draw_kinds(corner, cards["hand"], player == info_["player"].integer() ? "hand:" : "");
        } else {
            corner = draw_kinds(corner, cards["known"][player], "");
            for (int left = cards["unknown"][player].integer(); left > 0; --left)
                corner = draw_card(fitting(corner), "?");
        }
        const Value& festival = info_["festival"];
        if (!festival.is_null()) {
            canvas_.group(corner + Point{8, 22}, "laid", {11, svg::kGrey}, player);
            corner = draw_kinds(corner + Point{38, 0}, festival["laid"][player], "");
        }
        return corner.y + kCard.y + 6;
    }

    Point draw_card(Point corner, std::string_view kind, std::string_view pick = {}, std::string words = {}) {
        canvas_.thing(pick, corner, kCard, std::move(words), [&] {
            const bool back = kind == "?";
            canvas_.rect(corner, kCard, {back ? "#7a5a3a" : svg::kPaper, "#333"}, 4);
            int y = kind.size() == 1 ? 18 : 11;
            for (const char symbol : back ? std::string_view() : kind) {
                const std::string_view colour = symbol == 'm' ? "#7d4aa0" : symbol == 'd' ? "#b4561a" : "#1f7a70";
                canvas_.circle(corner + Point{13, y}, 7, {colour});
                canvas_.text(corner + Point{13, y + 4}, std::string(1, symbol), {10, "#fff", Anchor::kMiddle, true});
                y += 15;
            }
            if (back) canvas_.circle(corner + Point{13, 18}, 6, {"none", "#e6cfa6", 2});
        });
        return corner + Point{kCard.x + 3, 0};
    }

    // Where the next card of a hand lies: in a new row if it would be outside.
    [[nodiscard]] Point fitting(Point corner) const {
        if (corner.x + kCard.x <= panel_ + 354) return corner;
        return {panel_ + 32, corner.y + kCard.y + 4};
    }

    Point draw_kinds(Point corner, const Value& counts, std::string_view pick) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            for (int copy = counts[number(kind)].integer(); copy > 0; --copy) {
                corner = fitting(corner);
                const std::string chosen = pick.empty() ? "" : std::string(pick) + std::string(kKindNames[kind]);
                if (!pick.empty()) canvas_.target_rect(chosen, corner, kCard, 4);
                corner = draw_card(corner, kKindNames[kind], chosen);
            }
        }
        return corner;
    }

    [[nodiscard]] std::vector<svg::PlayerLine> player_lines() const {
        std::vector<svg::PlayerLine> lines;
        Player player = 0;
        for (const Value& points : info_["scores"].items()) {
            lines.push_back({points.integer(),
                             count("two", player) + " two-space, " + count("rice", player) + " rice, " +
                                 count("village", player) + " village",
                             "figures " + count("figures", player) + ", action tokens " + count("tokens", player)});
            ++player;
        }
        return lines;
    }

    [[nodiscard]] std::string title() const {
        if (info_["player"].integer() == kTerminal) return "Java: the game is over";
        const Value& festival = info_["festival"];
        if (!festival.is_null()) return "Java: festival on " + festival["palace"].text();
        const Value& draw = info_["draw"];
        if (!draw.is_null()) return draw.text() == "deal" ? "Java: cards are dealt" : "Java: a card is drawn";
        const int points = info_["ap"].integer();
        return std::string("Java: ") + (info_["lifted"].is_null() ? "" : "set the figure down, ") +
               std::to_string(points) + (points == 1 ? " action point" : " action points");
    }

    [[nodiscard]] std::string count(std::string_view name) const { return std::to_string(supply_[name].integer()); }
    [[nodiscard]] std::string count(std::string_view name, Player player) const {
        return std::to_string(supply_[name][player].integer());
    }

    const PictureInput& input_;
    const Board& board_;
    const Value& info_;
    const Value& supply_;
    svg::Canvas canvas_;
    std::vector<Place> places_;    // by space number: from north to south
    std::set<std::string> sides_;  // those whose shape is defined
    int panel_ = 0, bottom_ = 0;
};

}  // namespace

std::string Game::picture(const PictureInput& input) const { return Drawing(input, tables_->board).draw(); }

}  // namespace tilery::java
