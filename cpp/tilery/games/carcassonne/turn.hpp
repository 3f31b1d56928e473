// SPDX-License-Identifier: MIT
// The turn: draw, place, meeple, score. The chapters of the house rules call these.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tilery/core/score_events.hpp"
#include "tilery/games/carcassonne/actions.hpp"
#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/state.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::carcassonne {

// The rotations in which a type agrees with 32 cells, as bit 7 - r of each byte.
[[nodiscard]] inline Bytes32 fitting(const TypeTables& table, const Edges* edges) {
    const Bytes32 all = Bytes32::load(edges);
    return Bytes32::broadcast128(&table.fits_low).shuffle(all & Bytes32::broadcast(15)) &
           Bytes32::broadcast128(&table.fits_high).shuffle(all.high_nibbles());
}
// Of 32 open cells from an index on, those where a type fits, as bits.
[[nodiscard]] inline std::uint64_t fitting_cells(const TypeTables& table, const Frontier& frontier, std::size_t from) {
    const std::uint64_t fit = ~fitting(table, &frontier.edges[from]).equal(Bytes32::broadcast(0)).movemask();
    const std::size_t cells = frontier.size - from;
    return cells < 32 ? fit & ((std::uint64_t{1} << cells) - 1) : fit;
}
// Whether a type fits on some open cell (CA-4).
[[nodiscard]] bool fits_somewhere(const Box& box, const State& state, std::size_t type);
// Whether a tile can be placed, the first of the land too.
[[nodiscard]] inline bool can_be_played(const Box& box, const State& state, std::size_t type) {
    return state.land.size == 1 || fits_somewhere(box, state, type);
}

void take_from_pile(const Box& box, State& state, std::size_t type);
// CA-2, CA-H5: the tile at (0, 0), where there is nothing yet.
[[gnu::noinline]] void first_tile(const Box& box, State& state, std::size_t type);
// CA-6, CA-15
[[gnu::noinline]] void end_game(const Box& box, State& state);

// The labels of the roads and cities on the four sides of a tile, one byte each.
[[nodiscard]] std::uint32_t main_labels(const Box& box, const State& state, std::size_t slot);

// scoring.cpp; events(state, seat, points, meeple) is called for each seat that is paid, before meeples go home
// CA-9 for roads and cities of the tile just placed; `mains` are their labels by side.
template <class Events = NoEvents>
[[gnu::noinline]] void score_completed(const Box& box, State& state, std::uint32_t mains, Events events = {});
// CA-14 for these meeples, which are in monasteries.
template <class Events = NoEvents>
[[gnu::noinline]] void score_monasteries(const Box& box, State& state, std::uint64_t monks, Events events = {});
// CA-15, CA-16
template <class Events = NoEvents>
void add_final_points(const Box& box, const State& state, KnownFeatures& known, PerPlayer<std::uint16_t>& scores,
                      Events events = {});
// The points of the seats if the game were over.
[[nodiscard]] PerPlayer<int> points_if_over(const Box& box, const State& state, KnownFeatures& known);
[[gnu::noinline]] void score_finally(const Box& box, State& state);

}  // namespace tilery::carcassonne
