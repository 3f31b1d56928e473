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

// Holds nothing between calls but memory that is used again. For one thread at a time.
template <Game G>
class Chooser {
  public:
    Chooser(const G& game, const Policy& policy);
    ~Chooser();
    Chooser(const Chooser&) = delete;
    Chooser& operator=(const Chooser&) = delete;

    // An action of the player to act: a function of the policy, of what that player knows and of `luck`, the
    // one number that a policy takes from a random stream. The state must be at a decision. Throws Interrupted.
    [[nodiscard]] Action choose(const typename G::State& state, std::uint64_t luck, const Control& control = {});

    // The same search in full, for policies that can_analyse().
    [[nodiscard]] Analysis analyse(const typename G::State& state, std::uint64_t luck, const Control& control = {});

  private:
    struct Scratch;
    const G& game_;
    Policy policy_;
    std::unique_ptr<Scratch> scratch_;
};

}  // namespace tilery::search
