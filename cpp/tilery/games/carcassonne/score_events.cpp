// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/score_events.hpp"

#include <set>

#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {

void EventWriter::operator()(const State& state, std::size_t seat, int points, std::size_t meeple) {
    const Land& land = state.land;
    const Label label = state.meeples.labels[meeple], wanted = label | kOccupied;
    const bool field = label < kOccupied, city = state.meeples.segments[meeple] < kFirstRoadId;
    std::set<int> cells;
    if (label == kMonk) cells.insert(land.cells[state.meeples.slots[meeple]]);
    for (std::size_t slot = 1; slot < land.size && label != kMonk; ++slot) {
        const auto& labels = land.labels[slot];
        const Label one = labels[field ? 2 : 0], two = labels[field ? 3 : 1];
        if (one == wanted || two == wanted) cells.insert(land.cells[land.has_tile(slot) ? slot : slot - 1]);
    }
    const Source whole = label == kMonk ? kMonasteries : city ? kCities : kRoads;
    const Source source = field ? kFarms : over ? kUnfinished : whole;
    list.add(source, {cells.begin(), cells.end()}, seat, points);
}

ScoreEvents EventWriter::sorted() {
    return list.sorted([](int cell) { return "cell:" + cell_text(narrow<Cell>(cell)); });
}

}  // namespace tilery::carcassonne
