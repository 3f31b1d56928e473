// SPDX-License-Identifier: MIT
// Carcassonne: the land with meeples, the tile to place, and hands. What tiles and meeples look like is data
// (carcassonne-pictures.json, made by tests/lab/carcassonne_pictures.py, and carcassonne-shapes.json).
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tilery/core/svg.hpp"
#include "tilery/games/carcassonne/game.hpp"

namespace tilery::data {
const Value& carcassonne_pictures();
const Value& carcassonne_shapes();
}  // namespace tilery::data

namespace tilery::carcassonne {
namespace {

using svg::Anchor;
using svg::Point;

constexpr int kTile = 100, kMargin = 40, kPanelWidth = 330;

// A point of a tile after quarter turns, clockwise.
Point turned(Point point, int times) {
    for (; times > 0; --times) point = {kTile - point.y, point.x};
    return point;
}

// "the city in the north": by where a meeple on it stands on the tile.
std::string place_text(const std::string& segment, Point at) {
    constexpr int kMiddle = 270;  // the square of how far from the middle a part of the tile begins
    const int east = at.x - kTile / 2, south = at.y - kTile / 2;
    const bool middle = east * east + south * south < kMiddle;
    const auto part = [&](int along, int across, const char* back, const char* on) {
        return middle || 5 * std::abs(along) < 2 * std::abs(across) ? "" : along < 0 ? back : on;
    };
    const std::string where = std::string(part(south, east, "north", "south")) + part(east, south, "west", "east");
    const char* const kind = segment[0] == 'c' ? "city" : segment[0] == 'r' ? "road" : "field";
    if (segment == "m") return "the monastery";
    return std::string("the ") + kind + " in the " + (middle ? "middle" : where);
}

class Drawing {
  public:
    explicit Drawing(const PictureInput& input)
        : input_(input),
          info_(input.common()),
          pictures_(data::carcassonne_pictures()),
          shapes_(data::carcassonne_shapes()),
          canvas_(input) {
        for (const Value& laid : info_["land"].items()) {
            land_[{laid[1].integer(), laid[0].integer()}] = {laid[2].text(), laid[3].integer()};
        }
        for (const auto& [cell, laid] : land_) {
            const auto [y, x] = cell;
            // A preview has the size of the position, so that nothing moves below the pointer.
            if (input.ghost && input.is_last(pick_of(cell))) continue;
            for (const Cell& next : {Cell{y + 1, x}, Cell{y, x + 1}, Cell{y - 1, x}, Cell{y, x - 1}}) {
                if (!land_.contains(next)) open_.insert(next);
            }
        }
        measure();
    }

    [[nodiscard]] std::string draw() {
        canvas_.define(shapes_["shapes"], number(info_["scores"].items().size()));
        canvas_ << "<g transform=\"scale(" << percent_ / 100 << "." << percent_ / 10 % 10 << percent_ % 10
                << ")translate(" << origin().x << " " << origin().y << ")\">";
        draw_open_cells();
        draw_land();
        draw_meeples();
        draw_coordinates();
        canvas_ << "</g>";
        draw_panel();
        return canvas_.finish({panel_ + kPanelWidth + 40, bottom_}, title(), "#dfe7e6", panel_ - 18);
    }

  private:
    using Cell = std::pair<int, int>;  // y, x
    struct Laid {
        std::string type;
        int rotation;
    };

    void measure() {
        if (land_.empty()) open_.insert({0, 0});
        const auto include = [this](Cell cell) {
            const auto [y, x] = cell;
            west_ = std::min(west_, x), east_ = std::max(east_, x);
            south_ = std::min(south_, y), north_ = std::max(north_, y);
        };
        for (const Cell& cell : open_) include(cell);
        for (const auto& [cell, laid] : land_) include(cell);
        constexpr Point kMost{1040, 900};
        const Point land{(east_ - west_ + 1) * kTile + kMargin, (north_ - south_ + 1) * kTile + 2 * kMargin};
        percent_ = std::clamp(std::min(100 * kMost.x / land.x, 100 * kMost.y / land.y), 10, 100);
        panel_ = shrunk(land).x + 50;
        bottom_ = shrunk(land).y;
    }

    // The same however the land grows, so that a page can keep what it has drawn.
    [[nodiscard]] static Point corner_of(Cell cell) { return {cell.second * kTile, -cell.first * kTile}; }
    [[nodiscard]] static std::string pick_of(Cell cell) {
        return "cell:" + std::to_string(cell.second) + "," + std::to_string(cell.first);
    }
    // Where the cell 0,0 is among the cells that are drawn.
    [[nodiscard]] Point origin() const { return {kMargin - west_ * kTile, kMargin + north_ * kTile}; }
    // The drawing makes a large land smaller.
    [[nodiscard]] Point shrunk(Point size) const { return {size.x * percent_ / 100, size.y * percent_ / 100}; }
    // A point of the land in the drawing.
    [[nodiscard]] Point shown(Point point) const { return shrunk(origin() + point); }
    [[nodiscard]] Point anchor_of(Cell cell, std::string_view segment) const {
        const Laid& laid = land_.find(cell)->second;
        const Value& anchor = pictures_[laid.type]["anchors"][segment];
        return corner_of(cell) + turned({anchor[0].integer(), anchor[1].integer()}, laid.rotation);
    }
    // The name of the shape of a tile as placed, which is defined when it is first asked for.
    // Ground, roads and walls turn with the tile; houses, trees and shields stay upright.
    std::string shape_of(const std::string& type, int rotation) {
        std::string id = "carcassonne-" + type + "-" + std::to_string(rotation);
        if (!defined_.insert(id).second) return id;
        const Value& picture = pictures_[type];
        const auto path = [](const std::string& data, std::string_view attributes) {
            return "<path d=\"" + data + "\" " + std::string(attributes) + "/>";
        };
        std::string markup = shapes_["ground"].text();  // the same for each rotation
        if (rotation > 0) markup += "<g transform=\"rotate(" + std::to_string(90 * rotation) + " 50 50)\">";
        for (const Value& road : picture["roads"].items()) {
            markup += path(road.text(), "stroke=\"#8f7a5c\" stroke-width=\"11\" fill=\"none\"") +
                      path(road.text(), "stroke=\"#d8c29a\" stroke-width=\"8\" fill=\"none\"");
        }
        for (const Value& city : picture["cities"].items()) {
            markup += path(city["outline"].text(), "fill=\"#bd8a5f\"");
            const std::string& walls = city["walls"].text();
            if (walls.empty()) continue;
            markup += path(walls, "stroke=\"#5f5a55\" stroke-width=\"5\" fill=\"none\"") +
                      path(walls, "stroke=\"#b9b3aa\" stroke-width=\"3\" stroke-dasharray=\"5 3\" fill=\"none\"");
        }
        if (rotation > 0) markup += "</g>";
        std::vector<std::pair<Point, std::string_view>> things;
        for (const Value& thing : picture["things"].items()) {
            things.emplace_back(turned({thing[1].integer(), thing[2].integer()}, rotation), thing[0].text());
        }
        std::ranges::stable_sort(things, {}, [](const auto& thing) { return thing.first.y; });
        for (const auto& [at, kind] : things) use_thing(markup, kind, at);
        markup += shapes_["frame"].text();
        canvas_.define(id, markup);
        return id;
    }

    void use_thing(std::string& markup, std::string_view kind, Point at) {
        const std::string id = "carcassonne-" + std::string(kind);
        if (defined_.insert(id).second) {
            const Value& thing = shapes_["things"][kind];
            canvas_.define(id, thing["svg"].text(), thing["words"].text());
        }
        markup += "<use href=\"#" + id + "\" x=\"" + std::to_string(at.x) + "\" y=\"" + std::to_string(at.y) + "\"/>";
    }

    void draw_open_cells() {
        for (const Cell& cell : open_) {
            const Point corner = corner_of(cell) + Point{6, 6};
            constexpr Point kSize{kTile - 12, kTile - 12};
            canvas_.rect(corner, kSize, {"#eef2f1", "#c9bfa8", 1, "stroke-dasharray=\"8 6\""}, 10);
            canvas_.target_rect(pick_of(cell), shown(corner), shrunk(kSize), 6);
        }
    }

    void draw_land() {
        for (const auto& [cell, laid] : land_) {
            const Point corner = corner_of(cell);
            canvas_.use(shape_of(laid.type, laid.rotation), corner);
            canvas_.target_rect(pick_of(cell), shown(corner), shrunk({kTile, kTile}));
        }
        std::optional<Cell> marked;
        if (const Value& placed = info_["cell"]; !placed.is_null()) marked = {placed[1].integer(), placed[0].integer()};
        for (const auto& [cell, laid] : land_) {
            if (input_.is_last(pick_of(cell))) marked = cell;
        }
        if (!marked) return;
        canvas_.rect(corner_of(*marked), {kTile, kTile}, {"none", "#fff", 6});
        canvas_.rect(corner_of(*marked), {kTile, kTile}, {"none", "#111", 3, "stroke-dasharray=\"8 5\""});
    }

    // A farmer lies in the field. While a meeple may be placed, its places can be pointed at.
    void draw_meeples() {
        for (const Value& meeple : info_["meeples"].items()) {
            const Cell cell{meeple[1].integer(), meeple[0].integer()};
            const std::string& segment = meeple[2].text();
            canvas_.use(
                (segment[0] == 'f' ? "carcassonne-farmer" : "carcassonne-meeple") + std::to_string(meeple[3].integer()),
                anchor_of(cell, segment));
        }
        const Value& placed = info_["cell"];
        if (placed.is_null()) return;
        const Cell cell{placed[1].integer(), placed[0].integer()};
        for (const auto& [segment, anchor] : pictures_[land_[cell].type]["anchors"].members()) {
            if (input_.find_target("segment:" + segment) == nullptr) continue;
            const Point place = anchor_of(cell, segment);
            const Point on_tile = turned({anchor[0].integer(), anchor[1].integer()}, land_[cell].rotation);
            canvas_.label("segment:" + segment, place_text(segment, on_tile));
            canvas_.circle(place, 11, {"#fff", "#c0392b", 2});
            canvas_.target_circle("segment:" + segment, shown(place), std::max(8, shrunk({12, 12}).x));
        }
    }

    void draw_coordinates() {
        for (int x = west_; x <= east_; ++x) {
            canvas_.text(corner_of({south_ - 1, x}) + Point{kTile / 2, 22}, x, {14, svg::kGrey, Anchor::kMiddle});
        }
        for (int y = south_; y <= north_; ++y) {
            canvas_.text(corner_of({y, west_}) + Point{-18, kTile / 2 + 5}, y, {14, svg::kGrey, Anchor::kMiddle});
        }
    }

    void draw_panel() {
        canvas_.panel();
        canvas_.text({panel_, 44}, title(), {17, svg::kInk, Anchor::kStart, true});
        canvas_.text({panel_, 64}, std::to_string(info_["pile"].integer()) + " tiles left", {12, svg::kGrey});
        const std::vector<svg::PlayerLine> lines = player_lines();
        canvas_.players({panel_, 78}, kPanelWidth, lines, info_["actor"].integer());
        int y = 78 + number(lines.size()) * svg::Canvas::kPlayerLine + 8;
        y = draw_choice(y);
        y = draw_hands(y);
        if (input_.beside()) draw_unseen(y);
        if (input_.part != Part::kBoard) bottom_ = std::max(bottom_, y + 20);
    }

    // The tile to place, in each rotation.
    int draw_choice(int y) {
        const Value& tile = info_["tile"];
        if (tile.is_null()) return y;
        canvas_.group({panel_, y + 12}, "to place: " + tile.text(), {13});
        for (int rotation = 0; rotation < 4; ++rotation) {
            const Point corner{panel_ + 84 * rotation, y + 22};
            draw_small(corner, tile.text(), rotation, 78, "turn:" + std::to_string(rotation));
        }
        return y + 120;
    }

    int draw_hands(int y) {
        const int hands = number(info_["hands"].items().size());
        if (hands == 0) return y;
        canvas_.text({panel_, y + 12}, "hands", {13, svg::kGrey});
        y += 22;
        for (Player player = 0; player < hands; ++player) y = draw_hand(y, player);
        return y;
    }

    // The tiles that the viewer has not seen yet.
    void draw_unseen(int y) {
        constexpr int kSmall = 30, kStep = 46, kInRow = 7;
        const auto& unseen = info_["unseen"].items();
        const bool some = std::ranges::any_of(unseen, [](const Value& copies) { return copies.integer() > 0; });
        const std::string left = std::to_string(info_["pile"].integer()) + " tiles left in the pile";
        canvas_.group({panel_, y + 16}, left + (some ? "; unseen:" : ""), {13});
        const auto& types = pictures_.members();
        int i = 0;
        std::size_t type = 0;
        for (const Value& copies : unseen) {
            const std::string& id = types[type++].first;
            if (copies.integer() == 0) continue;
            const Point corner{panel_ + i % kInRow * kStep, y + 24 + i / kInRow * (kSmall + 6)};
            draw_small(corner, id, 0, kSmall, "", std::to_string(copies.integer()));
            canvas_.text(corner + Point{kSmall + 3, kSmall / 2 + 5}, copies.integer(), {13});
            ++i;
        }
    }

    // The tiles that the viewer sees, and the backs of the others.
    int draw_hand(int y, Player player) {
        constexpr int kSmall = 44, kStep = 49, kInRow = 6;
        const Value& hand = (input_.viewer ? info_ : input_.known[index(player)])["hands"][player];
        std::vector<std::string> types;
        for (const Value& type : hand[hand["held"].is_null() ? "shown" : "held"].items()) types.push_back(type.text());
        types.resize(index(hand["size"].integer()), "?");
        canvas_.group("hand", player);
        canvas_.rect({panel_, y + 10}, {22, 22}, {svg::seat_colour(player)}, 4);
        canvas_.text({panel_ + 11, y + 26}, player, {13, svg::ink_on_seat(player), Anchor::kMiddle, true});
        int i = 0;
        for (const std::string& type : types) {
            const Point corner{panel_ + 32 + i % kInRow * kStep, y + i / kInRow * kStep};
            const bool can_choose = player == info_["actor"].integer() && type != "?";
            draw_small(corner, type, 0, kSmall, can_choose ? "hand:" + type : "");
            ++i;
        }
        return y + std::max(1, (i + kInRow - 1) / kInRow) * kStep + 6;
    }

    void draw_small(Point corner, const std::string& type, int rotation, int size, std::string_view pick,
                    std::string words = {}) {
        canvas_ << "<g transform=\"translate(" << corner.x << " " << corner.y << ") scale(0." << size << ")\">";
        const auto draw = [&] {
            if (type == "?") {
                canvas_.rect({0, 0}, {kTile, kTile}, {"#7f8f94", "#4d5a50"}, 6);
                canvas_.circle({kTile / 2, kTile / 2}, 20, {"none", "#dfe7e6", 6});
            } else {
                canvas_.use(shape_of(type, rotation), {0, 0});
            }
        };
        // A page keeps what it shows of a thing, wherever that is in the picture.
        canvas_.thing(pick, {0, 0}, {kTile, kTile}, std::move(words), draw, size);
        canvas_ << "</g>";
        canvas_.extend_panel(corner.y + size);
        if (!pick.empty()) canvas_.target_rect(pick, corner, {size, size}, 3);
    }

    [[nodiscard]] std::string title() const {
        return "Carcassonne: " + shapes_["titles"][info_["phase"].text()].text();
    }

    [[nodiscard]] std::vector<svg::PlayerLine> player_lines() const {
        std::vector<svg::PlayerLine> lines;
        for (const Value& points : info_["scores"].items()) {
            const Player player = number(lines.size());
            const int home = info_["supply"][player].integer();
            const bool buys = info_["buyer"].integer() == player;
            lines.push_back({points.integer(), std::to_string(home) + (home == 1 ? " meeple" : " meeples") + " at home",
                             buys ? "names the price " + std::to_string(info_["price"].integer()) : ""});
        }
        return lines;
    }

    const PictureInput& input_;
    const Value& info_;
    const Value &pictures_, &shapes_;
    svg::Canvas canvas_;
    std::map<Cell, Laid> land_;
    std::set<Cell> open_;  // next to the land
    std::set<std::string> defined_;
    int west_ = 0, east_ = 0, south_ = 0, north_ = 0, percent_ = 100, panel_ = 0, bottom_ = 0;
};

}  // namespace

std::string Game::picture(const PictureInput& input) const { return Drawing(input).draw(); }

}  // namespace tilery::carcassonne
