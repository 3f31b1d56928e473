// SPDX-License-Identifier: MIT
#include "tilery/any/forest.hpp"

#include <span>
#include <utility>

namespace tilery::any {

std::size_t Forest::collect(std::uint64_t simulations, const search::Control& control) {
    search::Watchdog watchdog(control, 0);
    std::vector<AnyTree*> waiting;
    for (const auto& tree : trees_) {
        if (tree->walk(simulations, watchdog)) waiting.push_back(tree.get());
    }
    waiting_ = std::move(waiting);
    return waiting_.size();
}

void Forest::write_leaves(float* observations, bool* masks, std::int8_t* players) const {
    const std::size_t size = game_.facts().observation_size(), width = index(game_.facts().num_distinct_actions);
    for (const AnyTree* tree : waiting_) {
        const void* const leaf = tree->leaf();
        const Player mover = game_.current_player(leaf);
        *players++ = static_cast<std::int8_t>(mover);
        game_.observe(leaf, mover, observations, NumberKind::kFloat32);
        game_.mask(leaf, reinterpret_cast<std::uint8_t*>(masks));
        observations += size;
        masks += width;
    }
}

void Forest::feed(const float* priors, const float* values) {
    const std::size_t width = index(game_.facts().num_distinct_actions), players = index(game_.num_players());
    for (AnyTree* tree : waiting_) {
        tree->evaluate(std::span(priors, width), std::span(values, players));
        priors += width;
        values += players;
    }
    waiting_.clear();
}

}  // namespace tilery::any
