// SPDX-License-Identifier: MIT
// Where points come from, written down while they are given.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/core/score_events.hpp"

namespace tilery::java {

enum Source : std::size_t { kIrrigation, kPalaces, kFestivals, kFinalCounts };
inline constexpr std::array kSources{ScoreSource{"irrigation", "JA-18"}, ScoreSource{"palaces", "JA-24"},
                                     ScoreSource{"festivals", "JA-32"}, ScoreSource{"final counts", "JA-35"}};

// Called for the points that a player gets, with a cell or a set of cells. The places are spaces.
class EventWriter {
  public:
    EventWriter(EventList& list, std::span<const std::uint16_t> space_of) : list_(list), space_of_(space_of) {}

    template <class Cells>
    void operator()(Source source, std::size_t player, std::uint32_t points, const Cells& cells) const {
        std::vector<int> spaces;
        if constexpr (std::is_integral_v<Cells>) {
            spaces.push_back(space_of_[cells]);
        } else {
            cells.for_each([&](std::size_t cell) { spaces.push_back(space_of_[cell]); });
        }
        std::sort(spaces.begin(), spaces.end());
        list_.add(source, std::move(spaces), player, points);
    }

  private:
    EventList& list_;
    std::span<const std::uint16_t> space_of_;  // by cell
};

}  // namespace tilery::java
