// SPDX-License-Identifier: MIT
// What bots ask of the land without reading text. Slow and from scratch: none of it is kept for them.
#include <algorithm>
#include <map>
#include <set>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

struct Step {
    int x, y;
};
constexpr std::array<Step, kSides> kClockwiseSteps{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};

// A feature while its segments are gathered.
struct Gathered {
    char kind = 0;
    bool complete = false;
    Value::List segments;
    std::set<Cell> tiles, open_cells;
    int shields = 0, open_ends = 0;
    PerPlayer<int> meeples{};
    std::set<std::size_t> cities;  // of a field: the features of the complete cities on it
};

Value cells_value(const std::set<Cell>& cells) {
    Value::List list;
    for (const Cell cell : cells) list.push_back(Value::list({x_of(cell), y_of(cell)}));
    return list;
}

std::string_view kind_name(char kind) {
    switch (kind) {
        case 'c':
            return "city";
        case 'r':
            return "road";
        case 'f':
            return "field";
        default:
            return "monastery";
    }
}

}  // namespace

Value Game::features(const State& state) const {
    const std::vector<Laid> land = land_of(state);
    std::set<Cell> filled;
    for (const Laid& laid : land) filled.insert(laid.cell);
    // CA-11, CA-12, CA-14: what keeps a feature from being complete at a neighbouring cell; CA-H11.
    const auto look_at = [&](Gathered& feature, Cell cell) {
        const bool off = !on_table(cell);
        if (filled.contains(cell) || (off && rules_.edge_closes)) return;
        ++feature.open_ends;
        if (!off) feature.open_cells.insert(cell);
    };

    std::vector<Gathered> found;
    std::map<std::pair<bool, int>, std::size_t> by_label;                    // fields apart from roads and cities
    std::map<std::pair<std::uint8_t, std::size_t>, std::size_t> by_segment;  // row, place
    for (const Laid& laid : land) {
        const TileType& type = tiles_.types[type_of(laid.code)];
        const std::size_t rotation = rotation_of(laid.code);
        for (const Segment& segment : type.segments) {
            std::size_t at = found.size();
            if (segment.kind != 'm') {
                const std::size_t row = laid.row + segment.place / kRowSegments;
                const int label = state.labels[row][segment.place % kRowSegments] & 0x7F;
                at = by_label.try_emplace({segment.kind == 'f', label}, at).first->second;
                by_segment[{laid.row, segment.place}] = at;
            }
            if (at == found.size()) found.emplace_back().kind = segment.kind;
            Gathered& feature = found[at];
            feature.segments.push_back(Value::list({x_of(laid.cell), y_of(laid.cell), kSegmentNames[segment.id]}));
            feature.tiles.insert(laid.cell);
            if (segment.kind == 'c' && type.shield) ++feature.shields;
            if (laid.seat >= 0 && laid.segment == segment.id) ++feature.meeples[static_cast<std::size_t>(laid.seat)];
            if (segment.kind == 'm') {
                for (int y = -1; y <= 1; ++y) {
                    for (int x = -1; x <= 1; ++x) look_at(feature, cell_at(x_of(laid.cell) + x, y_of(laid.cell) + y));
                }
                continue;
            }
            const auto halves = std::rotl(segment.halves, static_cast<int>(2 * rotation));
            for (std::size_t side = 0; side < kSides; ++side) {
                if ((halves >> 2 * side & 3) == 0) continue;
                const Step step = kClockwiseSteps[side];
                look_at(feature, cell_at(x_of(laid.cell) + step.x, y_of(laid.cell) + step.y));
            }
        }
    }
    for (Gathered& feature : found) feature.complete = feature.kind != 'f' && feature.open_ends == 0;
    for (const Laid& laid : land) {
        const TileType& type = tiles_.types[type_of(laid.code)];
        for (const Segment& field : type.segments) {
            for (const Segment& city : type.segments) {
                if (city.kind != 'c' || std::ranges::count(field.borders, city.index) == 0) continue;
                const std::size_t at = by_segment[{laid.row, city.place}];
                if (found[at].complete) found[by_segment[{laid.row, field.place}]].cities.insert(at);
            }
        }
    }

    Value::List list;
    for (const Gathered& feature : found) {
        const int tiles = static_cast<int>(feature.tiles.size());
        int points = tiles + feature.shields;
        if (feature.kind == 'c' && feature.complete) points *= 2;
        if (feature.kind == 'f') points = 3 * static_cast<int>(feature.cities.size());
        if (feature.kind == 'm') points = tiles_around(state, *feature.tiles.begin());
        if (feature.kind != 'f' && !feature.complete && !rules_.score_unfinished) points = 0;
        Value::List cities;
        for (const std::size_t city : feature.cities) cities.emplace_back(static_cast<int>(city));
        list.push_back(Value::object({
            {"kind", kind_name(feature.kind)},
            {"segments", feature.segments},
            {"tiles", tiles},
            {"shields", feature.shields},
            {"complete", feature.complete},
            {"open_ends", feature.open_ends},
            {"open_cells", cells_value(feature.open_cells)},
            {"meeples", Value::list_of(std::span(feature.meeples).first(static_cast<std::size_t>(rules_.players)))},
            {"cities", std::move(cities)},
            {"points", points},
        }));
    }
    return list;
}

std::vector<std::array<int, 4>> Game::tiles_laid(const State& state) const {
    std::vector<std::array<int, 4>> tiles;
    for (const Laid& laid : land_of(state)) {
        tiles.push_back({x_of(laid.cell), y_of(laid.cell), static_cast<int>(type_of(laid.code)),
                         static_cast<int>(rotation_of(laid.code))});
    }
    return tiles;
}

std::vector<std::array<int, 4>> Game::meeples(const State& state) const {
    std::vector<std::array<int, 4>> meeples;
    for (const Laid& laid : land_of(state)) {
        if (laid.seat >= 0) meeples.push_back({x_of(laid.cell), y_of(laid.cell), int{laid.segment}, int{laid.seat}});
    }
    return meeples;
}

std::array<std::uint8_t, kSides> Game::edges_at(const State& state, std::size_t open_cell) const {
    std::array<std::uint8_t, kSides> edges{};
    for (std::size_t c = 0; c < kSides; ++c) edges[c] = edge_on(state.sides[open_cell], kClockwise[c]);
    return edges;
}

bool Game::fits_at(const State& state, std::size_t open_cell, std::size_t type, std::size_t rotation) const {
    return (fitting(tiles_.tables[type], state.sides[open_cell]) >> (7 - rotation) & 1) != 0;
}

}  // namespace tilery::carcassonne
