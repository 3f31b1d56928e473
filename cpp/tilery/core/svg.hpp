// SPDX-License-Identifier: MIT
// Writing SVG: a string that grows. Coordinates are whole numbers, so that every platform writes the same bytes.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilery/core/picture.hpp"
#include "tilery/core/types.hpp"

namespace tilery::svg {

struct SeatColour {
    std::string_view name, colour;
};
// Seats in colours that people with any colour vision tell apart (after Okabe and Ito), and dark enough for white text
// (a contrast of 4.5) or light enough for dark text. Texts, pictures, pages and terminals name and paint seats by this.
inline constexpr std::array<SeatColour, kMaxPlayers> kSeatColours{
    {{"blue", "#0072b2"}, {"orange", "#c04f00"}, {"green", "#007a59"}, {"pink", "#cc79a7"}, {"yellow", "#f0c419"}}};
inline constexpr std::string_view kInk = "#2b2a28";    // of text
inline constexpr std::string_view kGrey = "#6b6453";   // of lesser text
inline constexpr std::string_view kPaper = "#fffdf7";  // of cards and panels

[[nodiscard]] inline std::string_view seat_name(Player seat) { return kSeatColours[index(seat)].name; }
[[nodiscard]] inline std::string_view seat_colour(Player seat) { return kSeatColours[index(seat)].colour; }
// Text on a seat's colour.
[[nodiscard]] inline std::string_view ink_on_seat(Player seat) { return seat < 3 ? "#fff" : kInk; }
// A colour "#rrggbb" darker (percent below 100) or lighter (up to 200).
[[nodiscard]] std::string shade(std::string_view colour, int percent);
// Text escaped for XML.
[[nodiscard]] std::string escaped(std::string_view text);

struct Point {
    int x = 0, y = 0;

    [[nodiscard]] constexpr Point operator+(Point other) const { return {x + other.x, y + other.y}; }
    bool operator==(const Point&) const = default;
};

struct Paint {
    std::string_view fill = "none";
    std::string_view stroke = {};
    int width = 1;
    std::string_view more = {};  // further attributes, such as stroke-dasharray="5 3"
};

enum class Anchor { kStart, kMiddle, kEnd };

struct Font {
    int size = 12;
    std::string_view fill = kInk;
    Anchor anchor = Anchor::kStart;
    bool bold = false;
    std::string_view halo = {};  // the colour around letters that lie on something
};

// A line of the panel of players.
struct PlayerLine {
    int points;
    std::string first = {}, second = {};  // what the player has
};

struct Shape;  // svg.cpp

class Canvas {
  public:
    explicit Canvas(const PictureInput& input) : input_(input) {}

    Canvas& operator<<(std::string_view markup) {
        layer().out += markup;
        return *this;
    }
    Canvas& operator<<(int number) { return *this << std::to_string(number); }

    void rect(Point corner, Point size, const Paint& paint, int radius = 0);
    void circle(Point centre, int radius, const Paint& paint);
    void polygon(std::span<const Point> corners, const Paint& paint);
    void polygon(std::initializer_list<Point> corners, const Paint& paint) {
        polygon(std::span(corners.begin(), corners.size()), paint);
    }
    void path(std::string_view data, const Paint& paint);
    void text(Point base, std::string_view text, const Font& font);
    void text(Point base, int number, const Font& font) { text(base, std::to_string(number), font); }

    // A shape with a name, which must be the game's own, for use() any number of times. `words` say what it means, if
    // it means anything: browsers show them where the pointer rests on it, and pages in their legend.
    void define(std::string_view id, std::string_view markup, std::string_view words = {});
    // The shapes of data/<game>-shapes.json: groups of them, each with its markup and words. A group whose names end
    // with {seat} is defined for each player; there {seat} is the seat, {ink} the colour of text on its colour, and {N}
    // its colour in a shade of N percent.
    void define(const Value& groups, int players);
    void use(std::string_view id, Point at);

    // Extends the panel down to y, for shapes that are given as markup.
    void extend_panel(int y) {
        if (in_panel_) panel_bottom_ = std::max(panel_bottom_, y);
    }
    // The drawing has a solid, seen from this of its four sides; PictureInput::turns turns it.
    void solid(int view) { solid_ = view; }
    // Directs the drawing that follows to the panel next to the board, or to the board again.
    void panel(bool on = true) { in_panel_ = on; }
    // A line for each player, from the corner down: seat, points, two lines of text; the player to act is marked. The
    // part kPanel begins below them.
    void players(Point corner, int width, std::span<const PlayerLine> lines, Player to_act);
    // The part kPanel begins here instead.
    void begin_panel(int y) { panel_top_ = y; }
    // The lines as data alone, for a game that draws its players itself.
    void note_players(std::span<const PlayerLine> lines) { players_.assign(lines.begin(), lines.end()); }
    static constexpr int kPlayerLine = 46;  // the height of one

    // The contents of the panel, as data. A group of things begins, of a player or of none; without words they are
    // only shown where they can be picked.
    void group(std::string words, std::optional<Player> seat = {}) { groups_.push_back({std::move(words), seat}); }
    // The same, with the words in the drawing.
    void group(Point base, std::string words, const Font& font, std::optional<Player> seat = {}) {
        text(base, words, font);
        group(std::move(words), seat);
    }
    // A thing of the group: what `draw` draws in this box, the words beside it, and the pick that it stands for or "".
    // It is shown at this percentage of its size.
    void thing(std::string_view pick, Point corner, Point size, std::string words, const auto& draw,
               int percent = 100) {
        const std::size_t begin = layer().out.size();
        draw();
        groups_.back().things.push_back(
            {std::string(pick), std::move(words), corner, size, percent, layer().out.substr(begin)});
    }
    // A thing that is words alone.
    void thing(std::string words) { groups_.back().things.push_back({"", std::move(words)}); }

    // A region to click above all else, if this pick is a target: the input asks for targets and this is one. The board
    // alone, and the panel alone where it has targets, have the others too, as `data-spot`, so that a page can say why
    // they are not possible, and light them up.
    void target_rect(std::string_view pick, Point corner, Point size, int radius = 0);
    void target_circle(std::string_view pick, Point centre, int radius);
    void target_polygon(std::string_view pick, std::span<const Point> corners);

    // The name of a pick in this position, where that says more than describe_pick.
    void label(const std::string& pick, std::string words) { labels_.emplace_back(pick, std::move(words)); }

    // The part of the drawing that the input asks for. From x = `panel` on there is what belongs next to the board.
    [[nodiscard]] std::string finish(Point size, std::string_view title, std::string_view background,
                                     int panel = 0) const;

  private:
    struct Layer {
        std::string out, spots, first_targets, later_targets;
        std::vector<std::string> picks, idle;  // that have a target, and those that have none now
    };
    struct Thing {
        std::string pick, words;
        Point corner = {}, size = {};
        int percent = 100;
        std::string drawn = {};
    };
    struct Group {
        std::string words;
        std::optional<Player> seat;
        std::vector<Thing> things = {};
    };
    [[nodiscard]] Layer& layer() { return layers_[in_panel_ ? 1 : 0]; }
    [[nodiscard]] std::string data(std::string_view title) const;
    void put(const Shape& shape, const Paint& paint);
    void put_target(std::string_view pick, const Shape& shape);

    const PictureInput& input_;
    std::vector<std::pair<std::string, std::string>> definitions_;  // ids and markup
    std::array<Layer, 2> layers_;                                   // of the board, of the panel
    bool in_panel_ = false;
    std::optional<int> solid_;
    int panel_top_ = 0, panel_bottom_ = 0;
    std::vector<PlayerLine> players_;
    std::vector<Group> groups_;
    Value::Object labels_;
};

}  // namespace tilery::svg
