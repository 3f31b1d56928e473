// SPDX-License-Identifier: MIT
// Scoring: completed roads, cities and monasteries, and the end of the game.
#include <algorithm>
#include <functional>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/score_events.hpp"
#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

// CA-10: the points go to those with most of these meeples.
template <class Events>
void pay(const Box& box, State& state, MeepleSet meeples, int points, Events events) {
    PerPlayer<int> counts;
    int most = 1;
    const std::size_t players = index_of(box.rules.players);
    for (std::size_t seat = 0; seat < players; ++seat) {
        counts[seat] = std::popcount(meeples >> kMeepleNumbers * seat & 0xFF);
        most = std::max(most, counts[seat]);
    }
    for (std::size_t seat = 0; seat < players; ++seat) {
        state.points[seat] = narrow<std::uint16_t>(state.points[seat] + (counts[seat] == most ? points : 0));
        events(state, seat, counts[seat] == most ? points : 0, index_of(std::countr_zero(meeples)));
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
    for (std::size_t side = 0; side < kSides; ++side) {
        const auto label = narrow<Label>(mains >> 8 * side);
        if (state.features.open_ends[bare(label)] != 0) continue;
        const bool city = edge_on(edges, side) == kCity;
        if (city) state.features.walled.insert(bare(label));
        if (label < kOccupied) continue;
        const MeepleSet meeples = meeples_with(state.meeples, label);
        if (meeples == 0) continue;  // another side of the tile has sent them home
        pay(box, state, meeples, value_of(state, label, city) * (city ? 2 : 1), events);
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
        pay(box, state, monk, points, events);
        send_home(state, monk);
    }
}

template <class Events>
void score_finally(const Box& box, State& state, Events events) {
    constexpr std::size_t kTogether = 8;
    struct {
        std::size_t size = 0;
        std::array<MeepleSet, kTogether> meeples;
        std::array<std::uint8_t, kLabels> bits{};  // of each label of a field
    } farms;
    const Meeples& meeples = state.meeples;
    MeepleSet left = ~meeples_with(meeples, 0) & ((MeepleSet{1} << kAllMeeples) - 1);
    while (left != 0) {
        const std::size_t meeple = index_of(std::countr_zero(left));
        const Label label = meeples.labels[meeple];
        const MeepleSet together = label == kMonk ? left & (0U - left) : meeples_with(meeples, label);
        left &= ~together;
        int points = 0;
        if (label < kOccupied) {
            if (farms.size == kTogether) [[unlikely]] {
                points = farm_value(state, label | kOccupied);
            } else {
                farms.bits[label] = narrow<std::uint8_t>(1U << farms.size);
                farms.meeples[farms.size++] = together;
                continue;
            }
        } else if (box.rules.score_unfinished) {
            const bool city = meeples.segments[meeple] < kFirstRoadId;
            points = label == kMonk ? tiles_around(state, state.land.cells[meeples.slots[meeple]])
                                    : value_of(state, label, city);
        }
        pay(box, state, together, points, events);
        // Events are told of the land as the meeples stood on it.
        if constexpr (std::is_same_v<Events, NoEvents>) {
            if (label >= kOccupied && box.rules.final_meeples == FinalMeeples::kHome) {
                if (label != kMonk) relabel(box, state, false, label, bare(label));
                send_home(state, together);
            }
        }
    }
    if (farms.size == 0) return;
    // Which of these fields border each city or road; once over the land, without branches.
    std::array<std::array<std::uint8_t, kLabels>, 2> near{};
    const Land& land = state.land;
    for (std::size_t slot = 1; slot < land.size; ++slot) {
        const auto labels = load<std::uint32_t>(&land.labels[slot]);
        near[0][labels & 0x7F] |= farms.bits[labels >> 16 & 0x7F];
        near[1][labels >> 8 & 0x7F] |= farms.bits[labels >> 24 & 0x7F];
    }
    std::uint64_t cities = 0;  // how many border each field, a byte each
    state.features.walled.for_each([&](std::size_t city) {
        const std::uint64_t bits = near[0][city] | near[1][city];
        // each bit to a byte of its own
        cities += ((bits & 0x7F) * 0x0002040810204081U & 0x0101010101010101U) | (bits & 0x80) << 49;
    });
    for (std::size_t i = 0; i < farms.size; ++i) {
        pay(box, state, farms.meeples[i], 3 * narrow<int>(cities >> 8 * i & 0xFF), events);
    }
}

using Writer = std::reference_wrapper<EventWriter>;
template void score_completed(const Box&, State&, std::uint32_t, NoEvents);
template void score_completed(const Box&, State&, std::uint32_t, Writer);
template void score_monasteries(const Box&, State&, MeepleSet, NoEvents);
template void score_monasteries(const Box&, State&, MeepleSet, Writer);
template void score_finally(const Box&, State&, NoEvents);
template void score_finally(const Box&, State&, Writer);

}  // namespace tilery::carcassonne
