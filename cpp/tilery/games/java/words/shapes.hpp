// SPDX-License-Identifier: MIT
// What the drawing of Java is made of: the hexagons of spaces, and what lies on them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilery/core/svg.hpp"

// Apart from the names of the rules, some of which are the same.
namespace tilery::java::shapes {

using svg::Point;
using Space = std::pair<int, int>;  // row, column

inline constexpr int kLayer = 8;  // the height of a tile
inline constexpr int kWidth = 21, kRow = 36;
// The corners of a space, clockwise from the north, around its centre.
inline constexpr std::array<Point, 6> kCorners{{{0, -24}, {21, -12}, {21, 12}, {0, 24}, {-21, 12}, {-21, -12}}};
// Side i is between corners i + 1 and i + 2 and looks in this direction.
inline constexpr std::array<Space, 6> kSteps{{{0, 2}, {1, 1}, {1, -1}, {0, -2}, {-1, -1}, {-1, 1}}};
inline constexpr std::array<std::string_view, 6> kDirections{"E", "SE", "SW", "W", "NW", "NE"};
inline constexpr std::array<std::string_view, 6> kKinds{"m", "d", "p", "md", "dp", "pm"};  // of cards
inline constexpr Point kTool{54, 50};                                                      // the size of a tool
inline constexpr Point kCard{26, 36};

inline std::string hexagon(std::string_view fill, std::string_view stroke) {
    std::string points;
    for (const Point corner : kCorners) points += std::to_string(corner.x) + "," + std::to_string(corner.y) + " ";
    return "<polygon points=\"" + points + "\" fill=\"" + std::string(fill) + "\" stroke=\"" + std::string(stroke) +
           "\"/>";
}

inline constexpr std::string_view kRice =
    "<path d=\"M-13 -6q6 4 13 0t13 0M-14 1q7 4 14 0t14 0M-12 8q6 4 12 0t12 0\" fill=\"none\" stroke=\"#6f9a2a\" "
    "stroke-width=\"2\"/>";
inline constexpr std::string_view kHouses =
    "<path d=\"M-11 7V-1L-5 -7L1 -1V7Z M2 9V3L7 -2L12 3V9Z\" fill=\"#f6ead2\" stroke=\"#6b4a2b\"/>"
    "<path d=\"M-13 0L-5 -9L3 0M0 4L7 -4L14 4\" fill=\"none\" stroke=\"#9c3f22\" stroke-width=\"3\"/>";
inline constexpr std::string_view kWaves =
    "<path d=\"M-12 -3q4 -4 8 0t8 0t8 0M-12 6q4 -4 8 0t8 0t8 0\" fill=\"none\" stroke=\"#e8f6ff\" "
    "stroke-width=\"2\"/>";
inline constexpr std::string_view kTrees =
    "<path d=\"M-5 6v-5M6 8v-5\" stroke=\"#6b4a2b\" stroke-width=\"2\"/><circle cx=\"-5\" cy=\"-3\" r=\"5\" "
    "fill=\"#6f934a\"/><circle cx=\"6\" r=\"4\" fill=\"#6f934a\"/>";
inline constexpr std::string_view kPeaks =
    "<path d=\"M-11 7l8 -15l5 8l3 -4l7 11z\" fill=\"#8d857c\" stroke=\"#6d665e\"/>";
inline constexpr std::string_view kPalace =
    "<path d=\"M-16 11V-3L-10 -3L-10 -9L-4 -9L0 -19L4 -9L10 -9L10 -3L16 -3V11Z\" fill=\"#f5c542\" "
    "stroke=\"#5a3d00\"/>";

// What a space looks like on top, and what that means.
struct Ground {
    std::string_view name, fill, stroke, things, words;
};
inline constexpr std::array<Ground, 8> kGrounds{
    {{"land", "#8fae5d", "#6d7f45", kTrees, "bare land"},
     {"mountains", "#b3aaa0", "#a39a86", kPeaks, "mountains, outside the board: entering costs 2 (JA-19)"},
     {"lowlands", "#e6d9a8", "#a39a86", "", "lowlands, outside the board: entering costs 1 (JA-19)"},
     {"rice", "#b9d957", "#8aa83a", kRice, "a rice space"},
     {"village", "#d9b380", "#b48d58", kHouses, "a village space"},
     {"court", "#d9b380", "#b48d58", "", "the village below a palace"},
     {"water", "#4aa3d8", "#2f7fb8", kWaves, "an irrigation tile"},
     {"printed", "#2f7fb8", "#23638f", kWaves, "printed irrigation"}}};

struct Place {
    std::string name;
    Point centre;
    std::string_view ground;  // the end of the name of its shape
    int height = 0;
    int tile = -1;   // the tile that covers it with others
    int value = 0;   // of its palace
    int group = -1;  // the first place of the city or the lake that it is part of
    int worth = 0;   // of a lake that has not been scored: the points for it (JA-18)
    bool fresh = false;
    std::vector<Player> figures = {};

    [[nodiscard]] Point top() const { return centre + Point{0, -kLayer * height}; }
};

}  // namespace tilery::java::shapes
