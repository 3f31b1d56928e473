// SPDX-License-Identifier: MIT
// Where points come from, written down while they are given (scoring.cpp).
#pragma once

#include <array>
#include <cstddef>

#include "tilery/core/score_events.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

enum Source : std::size_t { kCities, kRoads, kMonasteries, kUnfinished, kFarms, kSales };
inline constexpr std::array kSources{ScoreSource{"cities", "CA-12"},      ScoreSource{"roads", "CA-11"},
                                     ScoreSource{"monasteries", "CA-14"}, ScoreSource{"unfinished", "CA-15"},
                                     ScoreSource{"farms", "CA-16"},       ScoreSource{"tile sales", "CA-H7"}};

// Called for the points that a seat gets for the feature of a meeple. The places are cells.
struct EventWriter {
    EventList list;
    bool over = false;  // whether these are the points at the end of the game

    void operator()(const State& state, std::size_t seat, int points, std::size_t meeple);
    [[nodiscard]] ScoreEvents sorted();
};

}  // namespace tilery::carcassonne
