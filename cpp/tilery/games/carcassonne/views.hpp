// SPDX-License-Identifier: MIT
// What views, texts and observations have in common. From scratch: nothing of it is kept in states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"

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

[[nodiscard]] inline bool sees_hand(const Box& box, Player player, std::size_t seat) {
    return box.rules.hands == HandKind::kOpen || narrow<int>(seat) == player;
}

}  // namespace tilery::carcassonne
