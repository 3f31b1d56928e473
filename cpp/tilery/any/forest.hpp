// SPDX-License-Identifier: MIT
// The trees of many positions, whose leaves are evaluated outside: each round takes one leaf from every tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tilery/any/game.hpp"

namespace tilery::any {

class Forest {
  public:
    explicit Forest(const AnyGame& game) : game_(game) {}

    // Adds the tree of a decision.
    void plant(const void* root, Rng rng, float c) { trees_.push_back(game_.tree(root, rng, c)); }
    [[nodiscard]] std::size_t size() const { return trees_.size(); }
    // Walks every tree to its next leaf; returns how many wait for an evaluation. Throws search::Interrupted.
    std::size_t collect(std::uint64_t simulations, const search::Control& control);
    // Of the trees that wait: what the player to act sees, the legal actions, and that player.
    void write_leaves(float* observations, bool* masks, std::int8_t* players) const;
    // Their evaluations: num_distinct_actions priors and num_players values each.
    void feed(const float* priors, const float* values);
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
    [[nodiscard]] search::Analysis analysis(std::size_t tree) const { return trees_[tree]->analysis(); }

  private:
    const AnyGame& game_;
    std::vector<std::unique_ptr<AnyTree>> trees_;
    std::vector<AnyTree*> waiting_;  // trees whose leaves are with the evaluator
};

}  // namespace tilery::any
