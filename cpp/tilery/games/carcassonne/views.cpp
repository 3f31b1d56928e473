// SPDX-License-Identifier: MIT
// The questions of bots about the land, answered without text.
#include "tilery/games/carcassonne/views.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"

namespace tilery::carcassonne {
namespace {

using Feature = tilery_carcassonne_feature;

// Gathers the features of the land, in the order of their first segments.
class Gatherer {
  public:
    Gatherer(const Box& box, const State& state, bool parts)
        : box_(box), state_(state), land_(laid_tiles(state)), parts_(parts) {
        for (auto& labels : by_label_) labels.fill(kNew);
        found_.reserve(3 * land_.size());
        for (const LaidTile& laid : land_) filled_.insert(bits_of(laid.cell));
        for (const LaidTile& laid : land_) add(laid);
        add_cities();
        for (Feature& feature : found_) feature.points = narrow<std::int16_t>(points_of(feature));
        sort(list_.borders, [](const auto& border) { return border.field << 16 | border.city; });
        sort(list_.open_cells,
             [](const auto& cell) { return cell.feature << 16 | (cell.y + 128) << 8 | (cell.x + 128); });
    }

    [[nodiscard]] FeatureList take() { return std::move(list_); }

  private:
    static constexpr std::uint16_t kNew = 0xFFFF;

    // Sorts a list and keeps one of equals.
    template <class Item, class Key>
    static void sort(std::vector<Item>& list, Key key) {
        std::ranges::sort(list, {}, key);
        const auto equal = [&key](const Item& a, const Item& b) { return key(a) == key(b); };
        list.erase(std::unique(list.begin(), list.end(), equal), list.end());
    }
    static std::size_t bits_of(Cell cell) { return narrow<std::uint16_t>(cell); }

    void add(const LaidTile& laid) {
        const TileType& type = box_.type(laid.code);
        const auto x = narrow<std::int8_t>(x_of(laid.cell)), y = narrow<std::int8_t>(y_of(laid.cell));
        std::uint8_t open = 0;  // half edges, as in Segment::halves
        for (std::size_t c = 0; c < kSides; ++c) {
            open |= narrow<std::uint8_t>(is_open(neighbour(laid.cell, kClockwise[c])) ? 3U << 2 * c : 0);
        }
        for (const Segment& segment : type.segments) {
            const std::uint16_t at = feature_of(laid, segment);
            Feature& feature = found_[at];
            if (last_tile_[at] != laid.slot) ++feature.tiles;
            last_tile_[at] = laid.slot;
            if (segment.kind == 'c' && type.shield) ++feature.shields;
            if (laid.seat >= 0 && laid.segment == segment.id) ++feature.meeples[index_of(laid.seat)];
            if (parts_) list_.segments.push_back({at, x, y, narrow<std::uint8_t>(segment.id), 0});
            if (segment.kind == 'm') {
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) look_at(at, cell_at(x + dx, y + dy));
                }
            } else if (open != 0) {
                const unsigned halves = turned_halves(segment.halves, rotation_of(laid.code)) & open;
                for (std::size_t c = 0; c < kSides; ++c) {
                    if ((halves >> 2 * c & 3) != 0) look_at(at, neighbour(laid.cell, kClockwise[c]));
                }
            }
        }
    }

    // The place of the feature of a segment, perhaps of a new one.
    std::uint16_t feature_of(const LaidTile& laid, const Segment& segment) {
        std::uint16_t none = kNew;
        std::uint16_t& at = segment.kind == 'm'
                                ? none
                                : by_label_[segment.kind == 'f'][bare(state_.land.label_at(laid.slot, segment.place))];
        if (at == kNew) {
            at = narrow<std::uint16_t>(found_.size());
            last_tile_[at] = 0;
            Feature& feature = found_.emplace_back();
            feature.x = narrow<std::int8_t>(x_of(laid.cell));
            feature.y = narrow<std::int8_t>(y_of(laid.cell));
            feature.segment = narrow<std::uint8_t>(segment.id);
            feature.kind = narrow<std::uint8_t>(std::string_view("crfm").find(segment.kind));
        }
        return at;
    }

    // CA-11, CA-12, CA-14: what keeps a feature from being complete at a neighbouring cell; CA-H11.
    [[nodiscard]] bool is_open(Cell cell) const {
        return !filled_.has(bits_of(cell)) && (box_.table_cells.contains(cell) || !box_.rules.edge_closes);
    }
    void look_at(std::uint16_t at, Cell cell) {
        if (!is_open(cell)) return;
        ++found_[at].open_ends;
        if (!parts_ || !box_.table_cells.contains(cell)) return;
        list_.open_cells.push_back({at, narrow<std::int8_t>(x_of(cell)), narrow<std::int8_t>(y_of(cell))});
    }

    // CA-16
    void add_cities() {
        std::array<LabelSet, kLabels> beside{};  // of each field the roads and cities
        for (std::size_t slot = 1; slot < state_.land.size; ++slot) {
            const auto& labels = state_.land.labels[slot];
            for (const std::size_t place : {0U, 1U}) beside[bare(labels[place + 2])].insert(bare(labels[place]));
        }
        LabelSet complete;  // cities
        for (std::size_t label = 1; label < kLabels; ++label) {
            const std::size_t at = by_label_[0][label];
            if (at != kNew && is_complete(found_[at]) && found_[at].kind == TILERY_CARCASSONNE_CITY) {
                complete.insert(label);
            }
        }
        for (Feature& feature : found_) feature.complete = is_complete(feature) ? 1 : 0;
        for (std::size_t label = 1; label < kLabels; ++label) {
            const std::uint16_t at = by_label_[1][label];
            if (at == kNew) continue;
            const LabelSet cities = beside[label] & complete;
            found_[at].cities = narrow<std::uint8_t>(cities.size());
            if (parts_) cities.for_each([&](auto city) { list_.borders.push_back({at, by_label_[0][city]}); });
        }
    }
    [[nodiscard]] static bool is_complete(const Feature& feature) {
        return feature.kind != TILERY_CARCASSONNE_FIELD && feature.open_ends == 0;
    }

    [[nodiscard]] int points_of(const Feature& feature) const {
        if (feature.kind == TILERY_CARCASSONNE_FIELD) return 3 * feature.cities;
        if (feature.complete == 0 && !box_.rules.score_unfinished) return 0;
        if (feature.kind == TILERY_CARCASSONNE_MONASTERY) return tiles_around(state_, cell_at(feature.x, feature.y));
        const bool twice = feature.kind == TILERY_CARCASSONNE_CITY && feature.complete != 0;
        return (feature.tiles + feature.shields) * (twice ? 2 : 1);
    }

    const Box& box_;
    const State& state_;
    std::vector<LaidTile> land_;
    bool parts_;
    CellSet<1U << 16> filled_;
    FeatureList list_;
    std::vector<Feature>& found_ = list_.features;
    std::array<std::array<std::uint16_t, kLabels>, 2> by_label_;  // the places of roads and cities, and of fields
    std::array<std::uint8_t, TILERY_CARCASSONNE_MOST_FEATURES> last_tile_;  // the slot of the last tile of each
};

// The number of each type that `copies` says.
std::vector<int> by_type(const Box& box, auto&& copies) {
    std::vector<int> counts(box.num_types);
    for (std::size_t type = 0; type < box.num_types; ++type) counts[type] = copies(type);
    return counts;
}

}  // namespace

std::vector<LaidTile> laid_tiles(const State& state) {
    const Land& land = state.land;
    std::vector<LaidTile> tiles;
    std::array<std::size_t, kTileSlots> index{};
    land.for_each_tile([&](std::size_t slot, std::size_t) {
        tiles.push_back({land.cells[slot], land.codes[slot], narrow<std::uint8_t>(slot), -1, 0});
    });
    std::ranges::sort(tiles, {}, &LaidTile::cell);
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
    // Without a table the open cells, which are sorted by y, go around the land. The shifts round down, below zero too;
    // the sums are zero if there is no land.
    const std::span open = std::span(state.frontier.cells).first(state.frontier.size);
    int least = kReach + 1, most = -least;
    for (const Cell cell : open) {
        least = std::min(least, x_of(cell));
        most = std::max(most, x_of(cell));
    }
    const int west = ((least + most) >> 1) - window / 2;
    const int south = (open.empty() ? 0 : (y_of(open.front()) + y_of(open.back())) >> 1) - window / 2;
    return {west, south, west + window - 1, south + window - 1};
}

FeatureList list_features(const Box& box, const State& state, bool parts) { return Gatherer(box, state, parts).take(); }

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
