// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/compact.hpp"

#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {

Box::Rectangle CompactActions::frame(const State& state) const { return window_of(state, window_); }

std::optional<Action> CompactActions::compact(const Box::Rectangle& frame, Action action) const {
    if (action < box_.first_placement) return action;
    const auto [cell, rotation] = box_.placement_of(action);
    if (!frame.contains(cell)) return std::nullopt;
    const int line = rotation * window_ + y_of(cell) - frame.south;
    return box_.first_placement + line * window_ + x_of(cell) - frame.west;
}

std::optional<Action> CompactActions::expand(const Box::Rectangle& frame, Action compact) const {
    if (compact < box_.first_placement) return compact;
    const int place = compact - box_.first_placement, line = place / window_;
    const int x = frame.west + place % window_, y = frame.south + line % window_;
    if (!box_.land.contains(x, y)) return std::nullopt;
    return box_.placement(cell_at(x, y), line / window_);
}

}  // namespace tilery::carcassonne
