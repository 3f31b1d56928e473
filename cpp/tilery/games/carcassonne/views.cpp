// SPDX-License-Identifier: MIT
// What bots ask of the land without reading text.
#include "tilery/games/carcassonne/views.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"

namespace tilery::carcassonne {
namespace {

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

// Gathers the features of the land, in the order of their first segments.
class Gatherer {
  public:
    Gatherer(const Box& box, const State& state) : box_(box), state_(state), land_(laid_tiles(state)) {
        for (const LaidTile& laid : land_) filled_.insert(laid.cell);
        for (const LaidTile& laid : land_) {
            for (const Segment& segment : box.type(laid.code).segments) add(laid, segment);
        }
        for (Gathered& feature : found_) feature.complete = feature.kind != 'f' && feature.open_ends == 0;
        for (const LaidTile& laid : land_) add_cities(laid);
    }

    [[nodiscard]] Value::List list() const {
        Value::List list;
        for (const Gathered& feature : found_) list.push_back(value_of(feature));
        return list;
    }

  private:
    void add(const LaidTile& laid, const Segment& segment) {
        Gathered& feature = feature_of(laid, segment);
        feature.segments.push_back(Value::list({x_of(laid.cell), y_of(laid.cell), kSegmentNames[segment.id]}));
        feature.tiles.insert(laid.cell);
        if (segment.kind == 'c' && box_.type(laid.code).shield) ++feature.shields;
        if (laid.seat >= 0 && laid.segment == segment.id) ++feature.meeples[index_of(laid.seat)];
        if (segment.kind == 'm') {
            for (int y = -1; y <= 1; ++y) {
                for (int x = -1; x <= 1; ++x) look_at(feature, cell_at(x_of(laid.cell) + x, y_of(laid.cell) + y));
            }
            return;
        }
        const auto halves = turned_halves(segment.halves, rotation_of(laid.code));
        for (std::size_t c = 0; c < kSides; ++c) {
            if ((halves >> 2 * c & 3) != 0) look_at(feature, neighbour(laid.cell, kClockwise[c]));
        }
    }

    // The feature of a segment, perhaps a new one.
    Gathered& feature_of(const LaidTile& laid, const Segment& segment) {
        std::size_t at = found_.size();
        if (segment.kind != 'm') {
            const Label label = bare(state_.land.label_at(laid.slot, segment.place));
            at = by_label_.try_emplace({segment.kind == 'f', label}, at).first->second;
            by_segment_[{laid.slot, segment.place}] = at;
        }
        if (at == found_.size()) found_.emplace_back().kind = segment.kind;
        return found_[at];
    }

    // CA-11, CA-12, CA-14: what keeps a feature from being complete at a neighbouring cell; CA-H11.
    void look_at(Gathered& feature, Cell cell) {
        const bool off = !box_.table_cells.contains(cell);
        if (filled_.contains(cell) || (off && box_.rules.edge_closes)) return;
        ++feature.open_ends;
        if (!off) feature.open_cells.insert(cell);
    }

    // CA-16
    void add_cities(const LaidTile& laid) {
        const TileType& type = box_.type(laid.code);
        for (const Segment& field : type.segments) {
            for (const Segment& city : type.segments) {
                if (city.kind != 'c' || std::ranges::count(field.borders, city.index) == 0) continue;
                const std::size_t at = by_segment_[{laid.slot, city.place}];
                if (found_[at].complete) found_[by_segment_[{laid.slot, field.place}]].cities.insert(at);
            }
        }
    }

    [[nodiscard]] int points_of(const Gathered& feature) const {
        const int tiles = narrow<int>(feature.tiles.size()), cities = narrow<int>(feature.cities.size());
        if (feature.kind == 'f') return 3 * cities;
        if (!feature.complete && !box_.rules.score_unfinished) return 0;
        if (feature.kind == 'm') return tiles_around(state_, *feature.tiles.begin());
        return (tiles + feature.shields) * (feature.kind == 'c' && feature.complete ? 2 : 1);
    }

    [[nodiscard]] Value value_of(const Gathered& feature) const {
        return Value::object({
            {"kind", kind_name(feature.kind)},
            {"segments", feature.segments},
            {"tiles", narrow<int>(feature.tiles.size())},
            {"shields", feature.shields},
            {"complete", feature.complete},
            {"open_ends", feature.open_ends},
            {"open_cells", cells_value(feature.open_cells)},
            {"meeples", Value::list_of(std::span(feature.meeples).first(index_of(box_.rules.players)))},
            {"cities", Value::list_of(std::vector<int>(feature.cities.begin(), feature.cities.end()))},
            {"points", points_of(feature)},
        });
    }

    const Box& box_;
    const State& state_;
    std::vector<LaidTile> land_;
    std::set<Cell> filled_;
    std::vector<Gathered> found_;
    std::map<std::pair<bool, Label>, std::size_t> by_label_;                  // fields apart from roads and cities
    std::map<std::pair<std::uint8_t, std::size_t>, std::size_t> by_segment_;  // slot, place
};

// The number of each type that `copies` says.
template <class Copies>
std::vector<int> by_type(const Box& box, Copies&& copies) {
    std::vector<int> counts;
    for (std::size_t type = 0; type < box.num_types; ++type) counts.push_back(copies(type));
    return counts;
}

}  // namespace

std::vector<LaidTile> laid_tiles(const State& state) {
    const Land& land = state.land;
    std::vector<LaidTile> tiles;
    std::array<std::size_t, kTileSlots> index{};
    for (std::uint8_t slot = 1; slot < land.size; ++slot) {
        if (land.has_tile(slot)) tiles.push_back({land.cells[slot], land.codes[slot], slot, -1, 0});
    }
    std::sort(tiles.begin(), tiles.end(), [](const LaidTile& a, const LaidTile& b) { return a.cell < b.cell; });
    for (std::size_t i = 0; i < tiles.size(); ++i) index[tiles[i].slot] = i;
    for (std::size_t meeple = 0; meeple < kAllMeeples; ++meeple) {
        if (state.meeples.labels[meeple] == 0) continue;
        LaidTile& laid = tiles[index[state.meeples.slots[meeple]]];
        laid.seat = narrow<std::int8_t>(meeple / kMeepleNumbers);
        laid.segment = state.meeples.segments[meeple];
    }
    return tiles;
}

Box::Rectangle window_of(const State& state, int window) {
    constexpr int kFar = kReach + 1;
    Box::Rectangle land{kFar, kFar, -kFar, -kFar};
    for (std::size_t slot = 1; slot < state.land.size; ++slot) {
        if (!state.land.has_tile(slot)) continue;
        const int x = x_of(state.land.cells[slot]), y = y_of(state.land.cells[slot]);
        land = {std::min(land.west, x), std::min(land.south, y), std::max(land.east, x), std::max(land.north, y)};
    }
    // The shifts round down, below zero too; the sums are zero if there is no land.
    const int west = ((land.west + land.east) >> 1) - window / 2;
    const int south = ((land.south + land.north) >> 1) - window / 2;
    return {west, south, west + window - 1, south + window - 1};
}

Value Game::features(const State& state) const { return Gatherer(box_, state).list(); }

std::vector<Game::FourNumbers> Game::tiles_laid(const State& state) const {
    std::vector<FourNumbers> tiles;
    for (const LaidTile& laid : laid_tiles(state)) {
        tiles.push_back(
            {x_of(laid.cell), y_of(laid.cell), narrow<int>(type_of(laid.code)), narrow<int>(rotation_of(laid.code))});
    }
    return tiles;
}

std::vector<Game::FourNumbers> Game::meeples(const State& state) const {
    std::vector<FourNumbers> meeples;
    for (const LaidTile& laid : laid_tiles(state)) {
        if (laid.seat >= 0) meeples.push_back({x_of(laid.cell), y_of(laid.cell), laid.segment, laid.seat});
    }
    return meeples;
}

Edge Game::edge_at(const State& state, std::size_t open_cell, std::size_t clockwise) const {
    return edge_on(state.frontier.edges[open_cell], kClockwise[clockwise]);
}

bool Game::fits_at(const State& state, std::size_t open_cell, std::size_t type, std::size_t rotation) const {
    return fits(box_.tiles.tables[type], state.frontier.edges[open_cell], rotation);
}

std::vector<int> Game::pile_counts(const State& state) const {
    return by_type(box_, [&](std::size_t type) { return state.pile.copies(type); });
}

// CA-H3: what is in the pile and, as far as it is not shown, in the hidden hands of the others.
std::vector<int> Game::unseen_counts(const State& state, Player player) const {
    std::vector<int> counts = pile_counts(state);
    for (std::size_t seat = 0; seat < index_of(box_.rules.players); ++seat) {
        if (sees_hand(box_, player, seat)) continue;
        const std::span<const std::uint8_t> hand = hand_of(state, seat);
        for (std::size_t i = 0; i < hand.size(); ++i) {
            if ((state.hands.shown[seat] >> i & 1) == 0) ++counts[hand[i] - std::size_t{1}];
        }
    }
    return counts;
}

std::vector<int> Game::hand_counts(const State& state, std::size_t seat) const {
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    return by_type(box_, [&](std::size_t type) { return narrow<int>(std::ranges::count(hand, type + 1)); });
}

std::vector<std::string> Game::tile_types() const {
    std::vector<std::string> ids;
    for (std::size_t type = 0; type < box_.num_types; ++type) ids.push_back(box_.tiles.types[type].id);
    return ids;
}

}  // namespace tilery::carcassonne
