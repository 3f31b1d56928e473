// SPDX-License-Identifier: MIT
// Players that judge positions by a network, and what they expect of a position.
// The definitions are in learned_engine.hpp, compiled once for each game.
#pragma once

#include <cstdint>
#include <memory>

#include "tilery/core/game.hpp"
#include "tilery/net/network.hpp"
#include "tilery/search/analysis.hpp"
#include "tilery/search/policy.hpp"

namespace tilery::search {

// The expectation of each seat from a position.
struct Expectation {
    PerPlayer<double> wins{}, points{};              // shares of the win (G-6), and final points
    PerPlayer<double> wins_error{}, points_error{};  // standard errors of these means
};

// A player that judges positions by a network. Keeps nothing between calls but memory to use again. For one thread at
// a time.
template <Game G>
class Learned {
  public:
    // Throws WeightsError for a game without inputs, and for a network that is not loaded or does not fit. A network
    // named "zero" is none: positions are judged by points alone.
    Learned(const G& game, const Nn& policy);
    ~Learned();
    Learned(const Learned&) = delete;
    Learned& operator=(const Learned&) = delete;

    // The choice: the place of an action among the legal ones, and what is judged to follow, in 1/256 points of
    // lead.
    struct Choice {
        std::uint32_t place;
        std::int32_t worth;
    };
    [[nodiscard]] Choice decide(const typename G::State& state, std::uint64_t luck, const Control& control);
    // As Chooser.
    [[nodiscard]] Action choose(const typename G::State& state, std::uint64_t luck, const Control& control);
    [[nodiscard]] Analysis analyse(const typename G::State& state, std::uint64_t luck, const Control& control);

    // The same by a tree search in which the network judges and orders (evaluated.hpp).
    [[nodiscard]] Analysis search(const typename G::State& state, const Mcts& policy, std::uint64_t luck,
                                  const Control& control);

    // The judgement of the network, for each seat by its own knowledge; after the game the results.
    [[nodiscard]] Expectation expect(const typename G::State& state);

    // The output of the network itself for a position from one seat.
    [[nodiscard]] net::Heads judge(const typename G::State& state, Player player);

    // Of the names of the game's inputs: a network is of one set of inputs.
    [[nodiscard]] static std::uint64_t inputs_hash(const G& game);

  private:
    struct Player_;
    std::unique_ptr<Player_> player_;
};

}  // namespace tilery::search
