// SPDX-License-Identifier: MIT
// A search whose leaves are evaluated from outside, for many positions at once: each round takes one leaf from every
// tree, and an evaluator gives priors and values for all of them together, for example by a neural network.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tilery/search/walk.hpp"

namespace tilery::search {

// The tree of one position; it refers to the game.
template <Game G>
class Evaluated final : public Walk<G>, public AnyTree {
  public:
    using State = typename G::State;

    Evaluated(const G& game, const State& root, Rng rng, float c) : Walk<G>(game), c_(c) {
        this->clear(std::numeric_limits<std::size_t>::max(), 0);
        this->plant(root, rng);
    }

    // Walks to a leaf that needs an evaluation, and true; walks that end a game count at once. False when all
    // simulations are done (0: no bound) or the time is up, after one at least. Throws Interrupted between simulations.
    [[nodiscard]] bool walk(std::uint64_t simulations, Watchdog& watchdog) override {
        while (simulations == 0 || done_ < simulations) {
            if (!watchdog.go_on() && done_ > 0) return false;
            leaf_ = this->root_;
            waiting_ = this->descend(leaf_, [this](std::uint32_t node, Player player, State& state, bool&) {
                return step(node, player, state);
            });
            if (game_.current_player(leaf_) != kTerminal) return true;
            credit(final_utilities(game_, leaf_));
        }
        return false;
    }

    [[nodiscard]] const void* leaf() const override { return &leaf_; }
    [[nodiscard]] const State& state() const { return leaf_; }  // of the leaf

    // The evaluation of the leaf: a prior for every id of the game, of which those of legal actions count, and a
    // utility for every player.
    void evaluate(std::span<const float> priors, std::span<const float> values) override {
        const auto actions = game_.legal_actions(leaf_);
        const auto prior_of = [&](Action action) { return std::max(priors[static_cast<std::size_t>(action)], 0.0F); };
        float sum = 0;
        actions.for_each([&](Action action) { sum += prior_of(action); });
        assert(actions.size() <= Tree::kMostEdges);
        make_room(waiting_, static_cast<unsigned>(std::bit_width(actions.size() - 1U)) + 1);
        actions.for_each([&](Action action) {
            const float prior = sum > 0 ? prior_of(action) / sum : 1 / static_cast<float>(actions.size());
            priors_[tree_.add_edge(waiting_, action)] = prior;
        });
        PerPlayer<float> utilities{};
        std::copy(values.begin(), values.end(), utilities.begin());
        credit(utilities);
    }

    [[nodiscard]] Analysis analysis() const override {
        std::vector<RootEdge> edges = this->root_edges();
        for (std::size_t i = 0; i < edges.size(); ++i) {
            edges[i].prior = static_cast<double>(priors_[tree_.node(0).edges + i]);
        }
        Analysis analysis = analysis_of(edges, this->observer_, prior_of);
        analysis.simulations = done_;
        analysis.nodes = tree_.num_nodes();
        analysis.edges = tree_.num_edges();
        analysis.line = this->line(analysis.best);
        return analysis;
    }

  private:
    using Walk<G>::game_, Walk<G>::tree_, Walk<G>::done_, Walk<G>::path_;

    // Takes the edge with the greatest mean + c prior sqrt(n) / (1 + visits) among those legal in this world. An edge
    // without visits has the mean of its node.
    [[nodiscard]] std::uint32_t step(std::uint32_t node, Player player, State& state) {
        if (tree_.node(node).count == 0) return Walk<G>::kFull;
        if (!this->open(player)) return this->take(best_edge(node, [](Action) { return true; }), state);
        const auto actions = game_.legal_actions(state);
        add_missing(node, actions);
        const auto legal = [&](Action action) { return index_in(actions, action).has_value(); };
        return this->take(best_edge(node, legal), state);
    }

    [[nodiscard]] std::uint32_t best_edge(std::uint32_t index, auto&& legal) const {
        const Node& node = tree_.node(index);
        const float mean = index < values_.size() ? values_[index] / static_cast<float>(std::max(node.visits, 1U)) : 0;
        const float width = c_ * std::sqrt(static_cast<float>(node.visits + 1));
        float best = 0;
        std::uint32_t found = node.count;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            if (!legal(tree_.actions(node)[i])) continue;
            const auto visits = static_cast<float>(tree_.visits(node)[i]);
            const float more = width * priors_[node.edges + i];
            const float score = visits > 0 ? tree_.values(node)[i] / visits + more / (1 + visits) : mean + more;
            if (found == node.count || score > best) {
                best = score;
                found = i;
            }
        }
        assert(found < node.count);
        return node.edges + found;
    }

    // Gives edges to actions that were not legal in the worlds before, with the prior of one among equals.
    void add_missing(std::uint32_t index, const ActionSet auto& actions) {
        const Action* const known = tree_.actions(tree_.node(index));
        std::vector<Action> missing;
        actions.for_each([&, last = known + tree_.node(index).count](Action action) {
            if (std::find(known, last, action) == last) missing.push_back(action);
        });
        for (const Action action : missing) {
            make_room(index, 1);
            priors_[tree_.add_edge(index, action)] = 1 / static_cast<float>(actions.size());
        }
    }

    void make_room(std::uint32_t index, unsigned size_class) {
        const std::uint32_t before = tree_.node(index).edges;
        static_cast<void>(tree_.make_room(index, size_class));
        const Node& node = tree_.node(index);
        priors_.resize(std::max(priors_.size(), std::size_t{node.edges} + Tree::room_of(node)));
        if (node.edges != before) std::copy_n(&priors_[before], node.count, &priors_[node.edges]);
    }

    void credit(const PerPlayer<float>& utilities) {
        values_.resize(tree_.num_nodes());
        for (const auto& step : path_) values_[step.node] += utilities[static_cast<std::size_t>(step.player)];
        Walk<G>::credit(utilities, utilities);
        // The evaluation of the root itself belongs to no action, and is not a simulation.
        if (!path_.empty()) ++done_;
    }

    State leaf_{};
    float c_;
    std::uint32_t waiting_ = 0;
    std::vector<float> priors_;  // by edge
    std::vector<float> values_;  // by node: the sums of the mover's utilities
};

}  // namespace tilery::search
