// SPDX-License-Identifier: MIT
// The calls that only this game has: features, observations in windows of other sizes, and the action ids of such a
// window.
#pragma once

#include <functional>
#include <memory>
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

// CompactActions of a game that outlives it.
class CompactIds : public Interface {
  public:
    [[nodiscard]] virtual Action size() const = 0;
    [[nodiscard]] virtual std::optional<Action> compact(const void* state, Action action) const = 0;
    [[nodiscard]] virtual std::optional<Action> expand(const void* state, Action compact) const = 0;
    // Appends the compact ids of all that may be applied, ascending.
    virtual void legal(const void* state, std::vector<Action>& ids) const = 0;
    // In every game of a batch of this game: [size, size()] whether an id is legal; and the actions of compact ids, -1
    // for -1 and -2 where there is none.
    virtual void write_masks(const Batch& batch, bool* out) const = 0;
    virtual void expand_all(const Batch& batch, const std::int64_t* ids, std::int64_t* actions) const = 0;
};
[[nodiscard]] std::unique_ptr<CompactIds> compact_ids(const AnyGame& game, int window);

}  // namespace tilery::any
