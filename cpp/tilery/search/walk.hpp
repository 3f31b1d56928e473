// SPDX-License-Identifier: MIT
// One walk of a search down its tree and back. A search says how a node takes an edge: by the playouts it has seen
// (search.hpp), or by priors and values from outside (evaluated.hpp).
//
// A node is a decision as the searching player sees it: it is reached by the actions taken and by what
// that player saw of chance. Chance is sampled. Where something is hidden, each iteration plays in a
// world dealt again from what the player knows, and the legal actions of others depend on the world; so
// their nodes choose among the edges that are legal there (single-observer information-set search,
// Cowling, Powley and Whitehouse 2012).
#pragma once

#include <cstdint>
#include <vector>

#include "tilery/search/analysis.hpp"
#include "tilery/search/tree.hpp"
#include "tilery/search/utility.hpp"

namespace tilery::search {

template <Game G>
class Walk {
  public:
    using State = typename G::State;

    [[nodiscard]] std::uint64_t simulations() const { return done_; }
    [[nodiscard]] const Tree& tree() const { return tree_; }
    [[nodiscard]] std::vector<RootEdge> root_edges() const {
        const Node& root = tree_.node(0);
        std::vector<RootEdge> edges;
        for (std::uint32_t i = 0; i < root.count; ++i) {
            edges.push_back({tree_.actions(root)[i], static_cast<std::uint64_t>(tree_.visits(root)[i]), 0, {}});
            if (i < sums_.size()) edges.back().sums = sums_[i];
        }
        return edges;
    }

    // The most visited actions from the root on, as far as no chance comes between.
    [[nodiscard]] std::vector<Action> line(Action first) const {
        std::vector<Action> line;
        std::uint32_t index = 0;
        while (index != kNone && tree_.node(index).count > 0) {
            const Node& node = tree_.node(index);
            const std::int32_t* const visits = tree_.visits(node);
            std::uint32_t best = 0;
            for (std::uint32_t i = 0; i < node.count; ++i) {
                const bool better = line.empty() ? tree_.actions(node)[i] == first : visits[i] > visits[best];
                if (better) best = i;
            }
            if (line.empty() && tree_.actions(node)[best] != first) return {first};
            line.push_back(tree_.actions(node)[best]);
            index = tree_.child(node.edges + best);
        }
        return line;
    }

  protected:
    struct Step {
        std::uint32_t node, edge;
        Player player;
    };
    static constexpr std::uint32_t kFull = kNone;  // no edge: the walk ends at this node

    explicit Walk(const G& game) : game_(game), hides_(game.hides_information()) {}

    // Forgets the search before. A tree of `simulations` simulations (0: not known) takes at most `bytes` bytes.
    void clear(std::size_t bytes, std::uint64_t simulations) {
        tree_.clear(bytes, simulations);
        static_cast<void>(tree_.add_node());
        sums_.clear();
        done_ = 0;
    }
    // Searches from here on for the player to act.
    void plant(const State& root, Rng rng) {
        root_ = root;
        rng_ = rng;
        observer_ = game_.current_player(root);
    }

    // Whether the legal actions of a player depend on the world.
    [[nodiscard]] bool open(Player player) const { return hides_ && player != observer_; }

    // Walks from the root, as which the state comes, in a new world to a leaf of the tree, and returns it, or kNone
    // behind an edge that is fresh or ends the game. step(node, player, state, fresh) takes an edge, or is kFull.
    std::uint32_t descend(State& state, auto&& step) {
        if (hides_) game_.determinize(state, observer_, rng_);
        path_.clear();
        std::uint32_t node = 0;
        Player player = observer_;
        for (;;) {
            bool fresh = false;
            const std::uint32_t edge = step(node, player, state, fresh);
            if (edge == kFull) return node;
            path_.push_back({node, edge, player});
            player = game_.current_player(state);
            if (fresh || player == kTerminal) return kNone;  // chance after a new edge belongs to the playout
            const std::uint64_t key = edge - tree_.node(node).edges + (std::uint64_t{node} << 32);
            std::uint64_t seen = 0;
            while (player == kChance) {
                apply_chance(game_, state, rng_, [&](Action outcome) {
                    const Action shown = hides_ ? action_seen_by(game_, state, observer_, outcome) : outcome;
                    seen = mix(seen + static_cast<std::uint64_t>(shown) + 2);
                });
                player = game_.current_player(state);
            }
            if (player == kTerminal) return kNone;
            if (seen == 0) {
                std::uint32_t child = tree_.child(edge);
                if (child == kNone) {
                    child = tree_.add_node();
                    tree_.set_child(edge, child);
                }
                if (child == kNone) return kNone;
                node = child;
            } else {
                // Only one of the two is mixed: equal numbers on both sides would cancel out.
                const std::uint32_t child = tree_.find(key ^ seen);
                if (child == kNone) return tree_.add_behind_chance(key ^ seen);
                node = child;
            }
        }
    }

    // Takes an edge that is there.
    std::uint32_t take(std::uint32_t edge, State& state) const {
        tree_.prefetch_child(edge);
        game_.apply_action(state, tree_.action(edge));
        return edge;
    }

    // Adds what the simulation was worth to each mover, and at the root to all players.
    void credit(const PerPlayer<float>& values, const PerPlayer<float>& utilities) {
        for (const Step& step : path_) {
            tree_.add_visit(step.node, step.edge, values[static_cast<std::size_t>(step.player)]);
        }
        if (path_.empty()) return;
        const std::size_t tried = path_.front().edge - tree_.node(0).edges;
        if (tried >= sums_.size()) sums_.resize(tried + 1);
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            sums_[tried][player] += static_cast<double>(utilities[player]);
        }
    }

    const G& game_;
    const bool hides_;
    Tree tree_;
    State root_{};  // a copy, so that no thread reads memory next to what another writes
    Player observer_ = 0;
    Rng rng_{0};
    std::uint64_t done_ = 0;
    std::vector<Step> path_;
    std::vector<PerPlayer<double>> sums_;  // of the edges of the root, over all players
};

}  // namespace tilery::search
