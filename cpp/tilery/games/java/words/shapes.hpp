// SPDX-License-Identifier: MIT
// Measures of the drawing of Java. What it looks like is data (java-shapes.json).
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
