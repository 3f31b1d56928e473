// SPDX-License-Identifier: MIT
// The consequences of the tiles and meeples of a position, from scratch: the specification of all that
// states keep up move by move.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

// Finds the tile on a cell.
class SlotMap {
  public:
    static constexpr std::size_t kNone = kTileSlots;

    explicit SlotMap(const Land& land) {
        land.for_each_tile([&](std::size_t slot, std::size_t) { tiles_[size_++] = {land.cells[slot], slot}; });
        std::sort(tiles_.data(), tiles_.data() + size_);
    }
    // The slot of the tile on a cell, or kNone.
    [[nodiscard]] std::size_t slot(Cell cell) const {
        const auto* const end = tiles_.data() + size_;
        const auto* const at = std::lower_bound(tiles_.data(), end, std::pair{cell, std::size_t{0}});
        return at != end && at->first == cell ? at->second : kNone;
    }

  private:
    std::array<std::pair<Cell, std::size_t>, kTileSlots> tiles_;
    std::size_t size_ = 0;
};

// Calls f(side, slot, neighbour's slot) for each two tiles that share an edge.
void for_each_meeting(const Land& land, const SlotMap& map, auto&& f) {
    land.for_each_tile([&](std::size_t slot, std::size_t) {
        for (const std::size_t side : {kWest, kSouth}) {
            const std::size_t other = map.slot(neighbour(land.cells[slot], side));
            if (other != SlotMap::kNone) f(side, slot, other);
        }
    });
}

// Numbers below N, joined into sets: union-find with path halving.
template <std::size_t N>
class UnionFind {
  public:
    UnionFind() { std::iota(parents_.begin(), parents_.end(), std::size_t{0}); }
    // The number that stands for the set of a number.
    [[nodiscard]] std::size_t find(std::size_t i) {
        while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parents_[find(a)] = find(b); }

  private:
    std::array<std::size_t, N> parents_;
};

// Fills in all that follows from the tiles and their slots, the meeples, and the phase.
void derive(const Box& box, State& state);

}  // namespace tilery::carcassonne
