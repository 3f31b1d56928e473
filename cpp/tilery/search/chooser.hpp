// SPDX-License-Identifier: MIT
// A policy at work in one game: what callers include. The definitions are in engine.hpp, compiled once
// for each game.
#pragma once

#include <cstdint>
#include <memory>

#include "tilery/core/game.hpp"
#include "tilery/search/analysis.hpp"
#include "tilery/search/policy.hpp"

namespace tilery::search {

// Holds nothing between calls but memory that is used again, and refers to the game. For one thread at a time.
template <Game G>
class Chooser final : public AnyChooser {
  public:
    using State = typename G::State;

    Chooser(const G& game, const Policy& policy);
    ~Chooser() override;

    // An action of the player to act: a function of the policy, of what that player knows and of `luck`, the
    // one number that a policy takes from a random stream. The state must be at a decision. Throws Interrupted.
    [[nodiscard]] Action choose(const State& state, std::uint64_t luck, const Control& control = {});

    // The same search in full, for policies that can_analyse().
    [[nodiscard]] Analysis analyse(const State& state, std::uint64_t luck, const Control& control = {});

    [[nodiscard]] Action choose(const void* state, std::uint64_t luck, const Control& control) override {
        return choose(*static_cast<const State*>(state), luck, control);
    }
    [[nodiscard]] Analysis analyse(const void* state, std::uint64_t luck, const Control& control) override {
        return analyse(*static_cast<const State*>(state), luck, control);
    }

  private:
    struct Scratch;
    const G& game_;
    Policy policy_;
    std::unique_ptr<Scratch> scratch_;
};

}  // namespace tilery::search
