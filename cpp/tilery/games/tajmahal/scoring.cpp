// SPDX-License-Identifier: MIT
// The points at the end (TM-23).
#include "tilery/games/tajmahal/scoring.hpp"

#include <algorithm>
#include <numeric>

namespace tilery::tajmahal {

PerPlayer<int> Game::scores_if_over(const State& state) const {
    if (state.phase == Phase::kOver) return scores(state);
    State counted = state;
    score_hands(counted);
    return scores(counted);
}

// Cards, tiles and symbols bring points in later visits, and the fewer visits are to come the less.
PerPlayer<int> Game::prospects(const State& state) const {
    PerPlayer<int> prospects{};
    if (state.phase == Phase::kOver) return prospects;
    const std::size_t visits = kVisits - visit_index(state);  // to come, this one included
    const auto at_most = [visits](std::size_t most) { return std::min(most, visits); };
    PerPlayer<std::size_t> points{};
    for (std::size_t player = 0; player < players_; ++player) {
        const auto& goods = state.goods[player];
        points[player] = at_most(3) * state.cards.players[player].hand.size() +
                         (at_most(5) - 1) * size_of(state.tiles[player]) +
                         (3 + visits) * size_of(state.specials[player]) +
                         at_most(6) * std::accumulate(goods.begin(), goods.end(), std::size_t{0}) / 2;
    }
    std::copy(points.begin(), points.end(), prospects.begin());
    return prospects;
}

}  // namespace tilery::tajmahal
