// SPDX-License-Identifier: MIT
// Numbers of the search: utilities, margins, the one logarithm and the one exponential. No function of a
// mathematics library but sqrt is used, so that every platform computes the same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

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

// e^(-n / Scale), by squaring e^(-1 / Scale); the relative error is below n * 1e-16.
template <int Scale>
[[nodiscard]] constexpr double decay(std::uint32_t n) {
    constexpr double x = -1.0 / Scale;
    double factor = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)))), product = 1;
    for (; n > 0; n /= 2, factor *= factor) product *= n % 2 == 0 ? 1 : factor;
    return product;
}

// The logarithm rounded to float: from a table where n is small, as it is at most nodes of a tree, and otherwise
// computed once for each n up to a bound, because a search asks for the same few n often.
class Logarithms {
  public:
    [[nodiscard]] float operator[](std::uint32_t n) {
        if (n < kTable.size()) return kTable[n];
        if (n >= kMost) return static_cast<float>(natural_log(n));
        const std::size_t at = n - kTable.size();
        if (at >= known_.size()) extend(at);
        return known_[at];
    }

  private:
    static constexpr std::uint32_t kMost = 1U << 16;
    static constexpr auto kTable = [] {
        std::array<float, 2048> table{};
        for (std::size_t i = 1; i < table.size(); ++i) table[i] = static_cast<float>(natural_log(i));
        return table;
    }();

    [[gnu::noinline]] void extend(std::size_t at) {
        for (std::size_t i = known_.size(); i <= at + 1024; ++i) {
            known_.push_back(static_cast<float>(natural_log(i + kTable.size())));
        }
    }

    std::vector<float> known_;
};

// By how many points a player leads the best other player; negative behind.
template <Game G, class Points>
[[nodiscard]] Points margin(const G& game, const PerPlayer<Points>& scores, Player player) {
    const Points sign = G::kFewestPointsWin ? -1 : 1;
    const auto me = static_cast<std::size_t>(player);
    Points best = 0;
    bool any = false;
    for (std::size_t other = 0; other < static_cast<std::size_t>(game.num_players()); ++other) {
        if (other == me) continue;
        const Points points = sign * scores[other];
        best = any ? std::max(best, points) : points;
        any = true;
    }
    return sign * scores[me] - best;
}

// The lead of the player to act right after the i-th of their legal actions, by points(state).
template <Game G, ActionSet Actions, class Points>
[[nodiscard]] int lead_after(const G& game, const typename G::State& state, const Actions& actions, std::uint32_t i,
                             Points&& points) {
    typename G::State next = state;
    apply_nth(game, next, actions, i);
    return margin(game, points(next), game.current_player(state));
}

// The points by which a search judges a position: those if the game ended there and, if asked for, its prospects.
template <Game G>
[[nodiscard]] PerPlayer<int> judged_points(const G& game, const typename G::State& state,
                                           [[maybe_unused]] bool prospects) {
    PerPlayer<int> points = scores_if_over(game, state);
    if constexpr (HasProspects<G>) {
        const PerPlayer<int> more = prospects ? game.prospects(state) : PerPlayer<int>{};
        for (std::size_t player = 0; player < points.size(); ++player) points[player] += more[player];
    }
    return points;
}

// The utilities of G-6 of a finished game.
template <Game G>
[[nodiscard]] PerPlayer<float> final_utilities(const G& game, const typename G::State& state) {
    const PerPlayer<double> exact = returns(game, state);
    PerPlayer<float> utilities;
    std::ranges::transform(exact, utilities.begin(), [](double utility) { return static_cast<float>(utility); });
    return utilities;
}

}  // namespace tilery::search
