// SPDX-License-Identifier: MIT
// Scoring: completed roads, cities and monasteries, and the end of the game.
#include <algorithm>
#include <functional>
#include <set>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/score_events.hpp"
#include "tilery/games/carcassonne/turn.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// CA-10: the points go to those with most of these meeples.
template <class Events>
void pay(const Box& box, const State& state, PerPlayer<std::uint16_t>& scores, MeepleSet meeples, int points,
         Events events) {
    PerPlayer<int> counts;
    int most = 1;
    const std::size_t players = index_of(box.rules.players);
    for (std::size_t seat = 0; seat < players; ++seat) {
        counts[seat] = std::popcount(meeples >> kMeepleNumbers * seat & 0xFF);
        most = std::max(most, counts[seat]);
    }
    for (std::size_t seat = 0; seat < players; ++seat) {
        const int paid = points & -int{counts[seat] == most};  // branch-free, because it is unpredictable
        scores[seat] = narrow<std::uint16_t>(scores[seat] + paid);
        events(state, seat, paid, index_of(std::countr_zero(meeples)));
    }
}

void send_home(State& state, MeepleSet set) {
    Meeples& meeples = state.meeples;
    for (; set != 0; set &= set - 1) {
        const std::size_t meeple = index_of(std::countr_zero(set));
        meeples.labels[meeple] = meeples.slots[meeple] = meeples.segments[meeple] = 0;
        ++meeples.at_home[meeple / kMeepleNumbers];
    }
}

}  // namespace

template <class Events>
void score_completed(const Box& box, State& state, std::uint32_t mains, Events events) {
    const Edges edges = box.tiles.edges[state.land.codes[state.turn.placed]];
    // Found without branches, which would be unpredictable.
    unsigned complete = 0;
    for (std::size_t side = 0; side < kSides; ++side) {
        complete |= unsigned{state.features.open_ends[mains >> 8 * side & 0x7F] == 0} << side;
    }
    for (; complete != 0; complete &= complete - 1) {
        const std::size_t side = index_of(std::countr_zero(complete));
        const auto label = narrow<Label>(mains >> 8 * side);
        const bool city = edge_on(edges, side) == kCity;
        state.features.walled.insert_if(city, bare(label));
        if (label < kOccupied) continue;
        const MeepleSet meeples = meeples_with(state.meeples, label);
        if (meeples == 0) continue;  // another side of the tile has sent them home
        pay(box, state, state.points, meeples, value_of(state, label, city) * (city ? 2 : 1), events);
        send_home(state, meeples);
    }
}

template <class Events>
void score_monasteries(const Box& box, State& state, MeepleSet monks, Events events) {
    const Cell cell = state.land.cells[state.turn.placed];
    for (; monks != 0; monks &= monks - 1) {
        const std::size_t meeple = index_of(std::countr_zero(monks));
        const Cell monastery = state.land.cells[state.meeples.slots[meeple]];
        if (!are_near(cell, monastery)) continue;
        const int points = tiles_around(state, monastery);
        if (points < box.least_monastery || points < monastery_tiles(box, monastery)) continue;
        const MeepleSet monk = MeepleSet{1} << meeple;
        pay(box, state, state.points, monk, points, events);
        send_home(state, monk);
    }
}

template <class Events>
void add_final_points(const Box& box, const State& state, KnownFeatures& known, PerPlayer<std::uint16_t>& scores,
                      Events events) {
    const Meeples& meeples = state.meeples;
    MeepleSet left = meeples_placed(meeples);
    while (left != 0) {
        const std::size_t meeple = index_of(std::countr_zero(left));
        const Label label = meeples.labels[meeple];
        const MeepleSet together = label == kMonk ? left & (0U - left) : meeples_with(meeples, label);
        left &= ~together;
        int points = 0;
        if (label < kOccupied) {
            points = 3 * narrow<int>((known.borders(state, label) & state.features.walled).size());
        } else if (box.rules.score_unfinished) {
            const bool city = meeples.segments[meeple] < kFirstRoadId;
            points = label == kMonk ? tiles_around(state, state.land.cells[meeples.slots[meeple]])
                                    : known.value(state, label, city);
        }
        pay(box, state, scores, together, points, events);
    }
}

PerPlayer<int> points_if_over(const Box& box, const State& state, KnownFeatures& known) {
    PerPlayer<std::uint16_t> points = state.points;
    if (state.turn.phase != Phase::kOver) add_final_points(box, state, known, points);
    return per_player(points);
}

void score_finally(const Box& box, State& state) {
    KnownFeatures known;
    add_final_points(box, state, known, state.points);
    if (box.rules.final_meeples == FinalMeeples::kStay) return;
    for (MeepleSet left = meeples_placed(state.meeples); left != 0; left &= left - 1) {
        const Label label = state.meeples.labels[index_of(std::countr_zero(left))];
        if (label < kOccupied) continue;
        const MeepleSet together = meeples_with(state.meeples, label);
        if (label != kMonk) relabel(box, state, false, label, bare(label));
        send_home(state, together);
    }
}

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

using Writer = std::reference_wrapper<EventWriter>;
template void score_completed(const Box&, State&, std::uint32_t, NoEvents);
template void score_completed(const Box&, State&, std::uint32_t, Writer);
template void score_monasteries(const Box&, State&, MeepleSet, NoEvents);
template void score_monasteries(const Box&, State&, MeepleSet, Writer);
template void add_final_points(const Box&, const State&, KnownFeatures&, PerPlayer<std::uint16_t>&, NoEvents);
template void add_final_points(const Box&, const State&, KnownFeatures&, PerPlayer<std::uint16_t>&, Writer);

}  // namespace tilery::carcassonne
