// SPDX-License-Identifier: MIT
// AnyForest for any Game.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "tilery/any/game.hpp"
#include "tilery/search/evaluated.hpp"

namespace tilery::any {

template <Game G>
class ForestOf final : public AnyForest {
  public:
    ForestOf(const G& game, const GameFacts& facts) : game_(game), facts_(facts) {}

    void plant(const void* root, Rng rng, float c) override {
        trees_.emplace_back(game_, *static_cast<const typename G::State*>(root), rng, c);
    }
    [[nodiscard]] std::size_t size() const override { return trees_.size(); }
    std::size_t collect(std::uint64_t simulations, const search::Control& control) override {
        search::Watchdog watchdog(control, 0);
        std::vector<std::size_t> waiting;
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            if (trees_[t].walk(simulations, watchdog)) waiting.push_back(t);
        }
        waiting_ = std::move(waiting);
        return waiting_.size();
    }
    void write_leaves(float* observations, bool* masks, std::int8_t* players) const override {
        const std::size_t size = facts_.observation_size(), width = index(facts_.num_distinct_actions);
        std::memset(masks, 0, waiting_.size() * width);
        for (const std::size_t tree : waiting_) {
            const auto& leaf = trees_[tree].leaf();
            const Player mover = game_.current_player(leaf);
            *players++ = static_cast<std::int8_t>(mover);
            game_.observe(leaf, mover, std::span(observations, size));
            game_.legal_actions(leaf).for_each([masks](Action action) { masks[action] = true; });
            observations += size;
            masks += width;
        }
    }
    void feed(const float* priors, const float* values) override {
        const std::size_t width = index(facts_.num_distinct_actions), players = index(facts_.num_players);
        for (const std::size_t tree : waiting_) {
            trees_[tree].evaluate(std::span(priors, width), std::span(values, players));
            priors += width;
            values += players;
        }
        waiting_.clear();
    }
    [[nodiscard]] std::size_t waiting() const override { return waiting_.size(); }
    [[nodiscard]] search::Analysis analysis(std::size_t tree) const override { return trees_[tree].analysis(); }

  private:
    const G& game_;
    const GameFacts& facts_;
    std::vector<search::Evaluated<G>> trees_;
    std::vector<std::size_t> waiting_;  // trees whose leaves are with the evaluator
};

}  // namespace tilery::any
