// SPDX-License-Identifier: MIT
// The land around each city, for drawings of maps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilery/core/svg.hpp"

namespace tilery::tajmahal {

// The regions of the cities: each point of the land belongs to the nearest city, if that is near enough.
// In units of 1/64 pixel, so that whole numbers are exact enough.
inline constexpr int kFine = 64;
struct Corner {
    std::int64_t x, y;
    int next;  // the city on the other side of the edge that begins here, or -1: the coast
};
using Region = std::vector<Corner>;

// The part of a region on this side of the line halfway between two cities.
[[nodiscard]] inline Region halved(const Region& region, svg::Point here, svg::Point there, int other) {
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
[[nodiscard]] inline Region disc(svg::Point centre) {
    // 92 pixels in the directions of the first quarter, in steps of 15 degrees.
    constexpr std::array<svg::Point, 6> kQuarter{
        {{5888, 0}, {5687, 1524}, {5099, 2944}, {4163, 4163}, {2944, 5099}, {1524, 5687}}};
    Region region;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (svg::Point step : kQuarter) {
            for (int turn = 0; turn < quarter; ++turn) step = {-step.y, step.x};
            region.push_back({centre.x * kFine + step.x, centre.y * kFine + step.y, -1});
        }
    }
    return region;
}

}  // namespace tilery::tajmahal
