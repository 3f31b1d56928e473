// SPDX-License-Identifier: MIT
// A search whose leaves are evaluated from outside, for many positions at once: each round takes one leaf from every
// tree, and an evaluator gives priors and values for all of them together, for example by a neural network.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tilery/search/analysis.hpp"
#include "tilery/search/utility.hpp"
#include "tilery/search/watchdog.hpp"

namespace tilery::search {

// The tree of one position. A node is a decision as the searching player sees it (search.hpp).
template <Game G>
class EvaluatedTree {
  public:
    using State = typename G::State;

    EvaluatedTree(const G& game, const State& root, Rng rng, float c)
        : game_(&game), root_(root), observer_(game.current_player(root)), rng_(rng), c_(c), nodes_(1) {
        hides_ = game.hides_information();
    }

    // Walks to a leaf that needs an evaluation, and true; walks that end a game count at once. False when so many
    // simulations are done (0: no bound) or the time is up, after one at least. Throws Interrupted between simulations.
    [[nodiscard]] bool walk(std::uint64_t simulations, Watchdog& watchdog) {
        while (simulations == 0 || done_ < simulations) {
            if (!watchdog.go_on() && done_ > 0) return false;
            leaf_ = root_;
            if (hides_) game_->determinize(leaf_, observer_, rng_);
            path_.clear();
            std::uint32_t node = 0;
            while (nodes_[node].evaluated) {
                take_edge(node);
                const Step step = path_.back();
                std::uint64_t seen = 0;
                while (game_->current_player(leaf_) == kChance) {
                    apply_chance(*game_, leaf_, rng_, [&](Action outcome) {
                        const Action shown = action_seen_by(*game_, leaf_, observer_, outcome);
                        seen = mix(seen + static_cast<std::uint64_t>(shown) + 2);
                    });
                }
                if (game_->current_player(leaf_) == kTerminal) break;
                node = child(step, seen);
            }
            if (game_->current_player(leaf_) != kTerminal) {
                waiting_ = node;
                return true;
            }
            const PerPlayer<float> utilities = final_utilities(*game_, leaf_);
            credit(utilities);
        }
        return false;
    }

    [[nodiscard]] const State& leaf() const { return leaf_; }

    // The evaluation of the leaf: a prior for every id of the game, of which those of legal actions count, and a
    // utility for every player.
    void evaluate(std::span<const float> priors, std::span<const float> values) {
        Node& node = nodes_[waiting_];
        const auto actions = game_->legal_actions(leaf_);
        node.edges = static_cast<std::uint32_t>(edges_.size());
        node.count = actions.size();
        node.evaluated = true;
        float sum = 0;
        actions.for_each([&](Action action) { sum += std::max(priors[static_cast<std::size_t>(action)], 0.0F); });
        actions.for_each([&](Action action) {
            const float prior = std::max(priors[static_cast<std::size_t>(action)], 0.0F);
            edges_.push_back({action, 0, 0, sum > 0 ? prior / sum : 1 / static_cast<float>(actions.size()), kNoChild});
        });
        PerPlayer<float> utilities{};
        std::copy(values.begin(), values.end(), utilities.begin());
        credit(utilities);
    }

    [[nodiscard]] Analysis analysis() const {
        Analysis analysis;
        analysis.player = observer_;
        analysis.simulations = done_;
        analysis.nodes = nodes_.size();
        analysis.edges = edges_.size();
        const Node& root = nodes_[0];
        std::uint64_t visits = 0;
        for (std::uint32_t i = 0; i < root.count; ++i)
            visits += static_cast<std::uint64_t>(edges_[root.edges + i].visits);
        for (std::uint32_t i = 0; i < root.count; ++i) {
            const Edge& edge = edges_[root.edges + i];
            ActionReport report;
            report.action = edge.action;
            report.visits = static_cast<std::uint64_t>(edge.visits);
            report.share = visits == 0 ? 0 : static_cast<double>(edge.visits) / static_cast<double>(visits);
            report.prior = static_cast<double>(edge.prior);
            for (std::size_t p = 0; p < kMaxPlayers && edge.visits > 0 && i < sums_.size(); ++p) {
                report.utilities[p] = sums_[i][p] / static_cast<double>(edge.visits);
            }
            analysis.actions.push_back(report);
        }
        std::stable_sort(analysis.actions.begin(), analysis.actions.end(), [](const auto& a, const auto& b) {
            return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
        });
        if (!analysis.actions.empty()) analysis.best = analysis.actions.front().action;
        analysis.line = {analysis.best};
        return analysis;
    }

  private:
    static constexpr std::uint32_t kNoChild = 0xFFFFFFFFU;
    struct Node {
        std::uint32_t visits = 0, edges = 0, count = 0;
        float value = 0;  // the sum of the mover's utilities, of its edges
        bool evaluated = false;
    };
    struct Edge {
        Action action;
        std::int32_t visits;
        float value;  // the sum of the mover's utilities
        float prior;
        std::uint32_t child;
    };
    struct Step {
        std::uint32_t node, i;
        Player player;
    };

    // Takes the edge with the greatest mean + c prior sqrt(n) / (1 + visits) among those legal in this world. An edge
    // without visits has the mean of its node.
    void take_edge(std::uint32_t index) {
        const Player player = game_->current_player(leaf_);
        std::uint32_t found = 0;
        if (hides_ && player != observer_) {
            const auto actions = game_->legal_actions(leaf_);
            add_missing(index, actions);
            found = best_edge(index, [&](Action action) { return index_in(actions, action).has_value(); });
        } else {
            found = best_edge(index, [](Action) { return true; });
        }
        path_.push_back({index, found, player});
        game_->apply_action(leaf_, edges_[nodes_[index].edges + found].action);
    }

    template <class Legal>
    [[nodiscard]] std::uint32_t best_edge(std::uint32_t index, Legal&& legal) const {
        const Node& node = nodes_[index];
        const std::span edges(edges_.data() + node.edges, node.count);
        const float unvisited = node.value / static_cast<float>(std::max(node.visits, 1U));
        const float width = c_ * std::sqrt(static_cast<float>(node.visits + 1));
        float best = 0;
        std::uint32_t found = node.count;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const Edge& edge = edges[i];
            if (!legal(edge.action)) continue;
            float score = unvisited + width * edge.prior;
            if (edge.visits > 0) {
                const auto n = static_cast<float>(edge.visits);
                score = edge.value / n + width * edge.prior / (1 + n);
            }
            if (found == node.count || score > best) {
                best = score;
                found = i;
            }
        }
        assert(found < node.count);
        return found;
    }

    // Gives edges to actions that were not legal in the worlds before, with the prior of one among equals.
    template <ActionSet Actions>
    void add_missing(std::uint32_t index, const Actions& actions) {
        std::vector<Action> missing;
        const Node node = nodes_[index];
        actions.for_each([&](Action action) {
            const auto first = edges_.begin() + node.edges, last = first + node.count;
            const bool known = std::any_of(first, last, [action](const Edge& edge) { return edge.action == action; });
            if (!known) missing.push_back(action);
        });
        if (missing.empty()) return;
        const auto begin = static_cast<std::uint32_t>(edges_.size());
        edges_.resize(begin + node.count);
        std::copy_n(edges_.begin() + node.edges, node.count, edges_.begin() + begin);
        const float prior = 1 / static_cast<float>(actions.size());
        for (const Action action : missing) edges_.push_back({action, 0, 0, prior, kNoChild});
        nodes_[index].edges = begin;
        nodes_[index].count = node.count + static_cast<std::uint32_t>(missing.size());
    }

    [[nodiscard]] std::uint32_t child(const Step& step, std::uint64_t seen) {
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        std::uint32_t found = kNoChild;
        if (seen == 0) {
            std::uint32_t& known = edges_[nodes_[step.node].edges + step.i].child;
            if (known == kNoChild) known = fresh;
            found = known;
        } else {
            // Only one of the two is mixed: equal numbers on both sides would cancel out.
            const std::uint64_t key = ((std::uint64_t{step.node} << 32) + step.i) ^ seen;
            found = behind_chance_.try_emplace(key, fresh).first->second;
        }
        if (found == fresh) nodes_.emplace_back();
        return found;
    }

    void credit(const PerPlayer<float>& utilities) {
        for (const Step& step : path_) {
            Edge& edge = edges_[nodes_[step.node].edges + step.i];
            const float value = utilities[static_cast<std::size_t>(step.player)];
            ++nodes_[step.node].visits;
            nodes_[step.node].value += value;
            ++edge.visits;
            edge.value += value;
        }
        // The evaluation of the root itself belongs to no action, and is not a simulation.
        if (path_.empty()) return;
        const std::size_t first = path_.front().i;
        if (first >= sums_.size()) sums_.resize(first + 1);
        for (std::size_t p = 0; p < kMaxPlayers; ++p) sums_[first][p] += static_cast<double>(utilities[p]);
        ++done_;
    }

    const G* game_;
    State root_, leaf_{root_};
    Player observer_;
    Rng rng_;
    float c_;
    bool hides_ = false;
    std::uint64_t done_ = 0;
    std::uint32_t waiting_ = 0;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Step> path_;
    std::vector<PerPlayer<double>> sums_;  // of the edges of the root, over all players
    std::unordered_map<std::uint64_t, std::uint32_t> behind_chance_;
};

}  // namespace tilery::search
