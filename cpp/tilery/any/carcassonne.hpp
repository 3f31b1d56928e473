// SPDX-License-Identifier: MIT
// The calls that only this game has: features, observations in windows of other sizes, and the action ids of such a
// window.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tilery/any/game.hpp"
#include "tilery/views/carcassonne.h"

namespace tilery::any {

class Batch;

struct WindowBounds {
    int usual, most;
    bool has_table;  // no windows then
};
[[nodiscard]] WindowBounds window_bounds(const AnyGame& game);
[[nodiscard]] int window_observation_size(const AnyGame& game, int window);
void observe_window(const AnyGame& game, const void* state, Player player, int window, void* out, NumberKind kind);

// Calls use with the features of the land, and what belongs to them.
using UseFeatures =
    std::function<void(std::span<const tilery_carcassonne_feature>, std::span<const tilery_carcassonne_segment>,
                       std::span<const tilery_carcassonne_open_cell>, std::span<const tilery_carcassonne_border>)>;
void with_features(const AnyGame& game, const void* state, const UseFeatures& use);

// CompactActions of a game without a table, which outlives it: ids with 4 * window * window placements in place of
// 4 * 167 * 167. The blocks before keep their ids, and `first + (r * window + y - south) * window + x - west` is a
// placement in the window of the observation, whose south-west corner moves with the land.
class CompactIds {
  public:
    CompactIds(const AnyGame& game, int window) : game_(game), window_(window) {}

    [[nodiscard]] Action size() const;
    [[nodiscard]] std::optional<Action> compact(const void* state, Action action) const;
    [[nodiscard]] std::optional<Action> expand(const void* state, Action compact) const;
    // The compact ids of all that may be applied, ascending.
    [[nodiscard]] std::vector<Action> legal(const void* state) const;
    // In every game of a batch of this game: [size, size()] whether an id is legal; and the actions of compact ids, -1
    // for -1 and -2 where there is none.
    void write_masks(const Batch& batch, bool* out) const;
    void expand_all(const Batch& batch, const std::int64_t* ids, std::int64_t* actions) const;

  private:
    const AnyGame& game_;
    int window_;
};

}  // namespace tilery::any
