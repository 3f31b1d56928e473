// SPDX-License-Identifier: MIT
// Common parts of views, texts and observations, computed from scratch: states keep nothing of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"
#include "tilery/views/carcassonne.h"

namespace tilery::carcassonne {

// A tile with the meeple on it, if there is one.
struct LaidTile {
    Cell cell;
    Code code;
    std::uint8_t slot;
    std::int8_t seat;      // or -1
    std::uint8_t segment;  // meeple id
};
[[nodiscard]] std::vector<LaidTile> laid_tiles(const State& state);  // by cell

// The features of the land, in the order of their first segments, and what belongs to them.
struct FeatureList {
    std::vector<tilery_carcassonne_feature> features;
    std::vector<tilery_carcassonne_segment> segments;
    std::vector<tilery_carcassonne_open_cell> open_cells;
    std::vector<tilery_carcassonne_border> borders;
};
// parts: whether the other lists are made too.
[[nodiscard]] FeatureList list_features(const Box& box, const State& state, bool parts);

// The window around the middle of the land, or around (0, 0) if there is none; docs/rules, Observation.
[[nodiscard]] Box::Rectangle window_of(const State& state, int window);

[[nodiscard]] inline bool sees_hand(const Box& box, Player player, std::size_t seat) {
    return box.rules.hands == HandKind::kOpen || narrow<int>(seat) == player;
}

inline constexpr std::array<std::string_view, kPhases> kPhaseNames{
    "order", "deal", "draw", "choose", "discard", "offer", "bid", "accept", "place", "meeple", "refill", "over"};
[[nodiscard]] inline std::string_view phase_name(const State& state) { return kPhaseNames[index_of(state.turn.phase)]; }
[[nodiscard]] inline std::string cell_text(Cell cell) {
    return std::to_string(x_of(cell)) + "," + std::to_string(y_of(cell));
}
// The id of a type from 1.
[[nodiscard]] inline const std::string& type_id(const Box& box, std::uint8_t tile) {
    return box.tiles.types[tile - std::size_t{1}].id;
}
// Size, tiles shown and, if they are seen, tiles held.
[[nodiscard]] Value hand_value(const Box& box, const State& state, std::size_t seat, bool seen);

}  // namespace tilery::carcassonne
