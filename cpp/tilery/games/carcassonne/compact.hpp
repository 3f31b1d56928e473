// SPDX-License-Identifier: MIT
// Action ids for learners: placements relative to the window of the observation.
#pragma once

#include <optional>
#include <vector>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {

// The ids of a game without a table, with 4 * window * window placements in place of 4 * 167 * 167: the
// blocks before keep their ids, and `first + (r * window + y - south) * window + x - west` is a placement
// in the window of the observation, whose south-west corner moves with the land.
class CompactActions {
  public:
    CompactActions(const Box& box, int window) : box_(box), window_(window) {}

    [[nodiscard]] Action size() const { return box_.first_placement + Action{kRotations} * window_ * window_; }
    [[nodiscard]] Box::Rectangle frame(const State& state) const;
    // The compact id of an action in a window, or nothing if it is a placement outside.
    [[nodiscard]] std::optional<Action> compact(const Box::Rectangle& frame, Action action) const;
    // The action of a compact id in a window, or nothing if it is a placement that the game has no id for.
    [[nodiscard]] std::optional<Action> expand(const Box::Rectangle& frame, Action compact) const;

  private:
    const Box& box_;
    int window_;
};

}  // namespace tilery::carcassonne
