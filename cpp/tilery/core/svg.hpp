// SPDX-License-Identifier: MIT
// Writing SVG: a string that grows. Coordinates are whole numbers, so that every platform writes the same bytes.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "tilery/core/picture.hpp"
#include "tilery/core/types.hpp"

namespace tilery::svg {

// Seats in colours that people with any colour vision tell apart (Okabe and Ito).
inline constexpr std::array<std::string_view, kMaxPlayers> kSeatColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                        "#f0c419"};
inline constexpr std::string_view kInk = "#2b2a28";    // of text
inline constexpr std::string_view kGrey = "#6b6453";   // of lesser text
inline constexpr std::string_view kPaper = "#fffdf7";  // of cards and panels

[[nodiscard]] std::string_view seat_colour(Player seat);
// Text on a seat's colour.
[[nodiscard]] std::string_view ink_on_seat(Player seat);
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
};

// A line of the panel of players.
struct PlayerLine {
    int points;
    std::string first = {}, second = {};  // what the player has
};

class Canvas {
  public:
    explicit Canvas(const PictureInput& input) : input_(input) {}

    Canvas& operator<<(std::string_view markup) {
        out_ += markup;
        return *this;
    }
    Canvas& operator<<(int number);

    void rect(Point corner, Point size, const Paint& paint, int radius = 0);
    void circle(Point centre, int radius, const Paint& paint);
    void polygon(std::span<const Point> corners, const Paint& paint);
    void polygon(std::initializer_list<Point> corners, const Paint& paint) {
        polygon(std::span(corners.begin(), corners.size()), paint);
    }
    void path(std::string_view data, const Paint& paint);
    void text(Point base, std::string_view text, const Font& font);

    // A shape with a name, which must be the game's own, for use() any number of times.
    void define(std::string_view id, std::string_view markup);
    void use(std::string_view id, Point at);

    // A line for each player, from the corner down: seat, points, two lines of text; the player to act is marked.
    void players(Point corner, int width, std::span<const PlayerLine> lines, Player to_act);
    static constexpr int kPlayerLine = 46;  // the height of one

    // A region to click above all else, if this pick is a target: the input asks for targets and this is one.
    void target_rect(std::string_view pick, Point corner, Point size, int radius = 0);
    void target_circle(std::string_view pick, Point centre, int radius);
    void target_polygon(std::string_view pick, std::span<const Point> corners);

    // The whole drawing. From x = `panel` on there is what belongs next to the board, which a narrow page shows below.
    [[nodiscard]] std::string finish(Point size, std::string_view title, std::string_view background,
                                     int panel = 0) const;

  private:
    void put_paint(const Paint& paint);
    void put_points(std::string& out, std::span<const Point> points) const;
    // The shape of a target begins: where to write the rest of it, or nullptr.
    [[nodiscard]] std::string* begin_target(std::string_view pick, std::string_view shape);

    const PictureInput& input_;
    std::string definitions_, out_, first_targets_, later_targets_;
};

}  // namespace tilery::svg
