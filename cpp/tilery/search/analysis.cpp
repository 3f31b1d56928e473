// SPDX-License-Identifier: MIT
#include "tilery/search/analysis.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace tilery::search {

Analysis analysis_of(const std::vector<RootEdge>& edges, Player player, ReportValue value) {
    Analysis analysis;
    analysis.player = player;
    std::uint64_t visits = 0;
    for (const RootEdge& edge : edges) visits += edge.visits;
    for (const RootEdge& edge : edges) {
        ActionReport report{.action = edge.action, .visits = edge.visits, .prior = edge.prior};
        report.share = visits == 0 ? 0 : static_cast<double>(edge.visits) / static_cast<double>(visits);
        for (std::size_t p = 0; p < kMaxPlayers && edge.visits > 0; ++p) {
            report.utilities[p] = edge.sums[p] / static_cast<double>(edge.visits);
        }
        analysis.actions.push_back(report);
    }
    std::stable_sort(analysis.actions.begin(), analysis.actions.end(), [&](const auto& a, const auto& b) {
        return a.visits != b.visits ? a.visits > b.visits : value(a, player) > value(b, player);
    });
    if (!analysis.actions.empty()) analysis.best = analysis.actions.front().action;
    return analysis;
}

std::vector<RootEdge> merged(const std::vector<RootEdge>& edges) {
    std::map<Action, RootEdge> sums;
    for (const RootEdge& edge : edges) {
        RootEdge& sum = sums[edge.action];
        sum.action = edge.action;
        sum.visits += edge.visits;
        for (std::size_t p = 0; p < kMaxPlayers; ++p) sum.sums[p] += edge.sums[p];
    }
    std::vector<RootEdge> all;
    for (const auto& [action, sum] : sums) all.push_back(sum);
    return all;
}

std::vector<std::size_t> greatest_first(const std::vector<std::int64_t>& values) {
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::ranges::greater{}, [&](std::size_t place) { return values[place]; });
    return places;
}

}  // namespace tilery::search
