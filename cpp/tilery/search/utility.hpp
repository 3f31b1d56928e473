// SPDX-License-Identifier: MIT
// Numbers of the search: utilities, margins, and the one logarithm. No function of a mathematics
// library but sqrt is used, so that every platform computes the same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/views.hpp"

namespace tilery::search {

// The natural logarithm of n >= 1, by the series of artanh; the error is below 1e-7.
[[nodiscard]] constexpr double natural_log(std::uint64_t n) {
    const int exponent = 63 - std::countl_zero(n);
    const double m = static_cast<double>(n) / static_cast<double>(std::uint64_t{1} << exponent);  // in [1, 2)
    const double t = (m - 1) / (m + 1), square = t * t;
    double sum = 0;
    for (int k = 13; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 0.69314718055994530942 * exponent + 2 * t * sum;
}

// The same rounded to float, from a table where n is small, as it is at most nodes of a tree.
[[nodiscard]] inline float rounded_log(std::uint32_t n) {
    static constexpr auto kTable = [] {
        std::array<float, 2048> table{};
        for (std::size_t i = 1; i < table.size(); ++i) table[i] = static_cast<float>(natural_log(i));
        return table;
    }();
    return n < kTable.size() ? kTable[n] : static_cast<float>(natural_log(n));
}

// By how many points a player leads the best other player; negative behind.
template <Game G>
[[nodiscard]] int margin(const G& game, const PerPlayer<int>& scores, Player player) {
    const int sign = G::kFewestPointsWin ? -1 : 1;
    const auto me = static_cast<std::size_t>(player);
    int best = 0;
    bool any = false;
    for (std::size_t other = 0; other < static_cast<std::size_t>(game.num_players()); ++other) {
        if (other == me) continue;
        const int points = sign * scores[other];
        best = any ? std::max(best, points) : points;
        any = true;
    }
    return sign * scores[me] - best;
}

// The utilities of G-6 of a finished game.
template <Game G>
[[nodiscard]] PerPlayer<float> final_utilities(const G& game, const typename G::State& state) {
    PerPlayer<float> utilities{};
    if (game.num_players() == 2) {
        const auto scores = game.scores(state);
        const int lead = margin(game, scores, 0);
        utilities[0] = static_cast<float>((lead > 0) - (lead < 0));
        utilities[1] = -utilities[0];
        return utilities;
    }
    const PerPlayer<double> exact = returns(game, state);
    for (std::size_t player = 0; player < exact.size(); ++player) {
        utilities[player] = static_cast<float>(exact[player]);
    }
    return utilities;
}

}  // namespace tilery::search
