// SPDX-License-Identifier: MIT
// Games that a network plays against itself, and what can be learned from them. The definition is in
// self_play_engine.hpp, compiled once for each game.
#pragma once

#include <cstdint>
#include <string>

#include "tilery/core/game.hpp"
#include "tilery/net/fit.hpp"

namespace tilery {

// How games are played to learn from: by one network on all seats, with noise.
struct SelfPlay {
    std::uint64_t seed = 0, first = 0, count = 0;
    unsigned threads = 1;
    double noise = 2;      // points added to the judgement of a turn, uniform from 0; none, half or all of it by game
    double random = 0.02;  // share of decisions made at random; none, half or all of it by game
    unsigned opening = 4;  // random decisions at the beginning, none, half or all of them by game
    double searched = 0;   // share of the other decisions that are made by `nn:K` with this K
    std::uint64_t best = 3;
    double keep = 1;            // share of the positions that become samples
    double others = 0.25;       // share of these that are also seen from another seat
    double lambda = 0.9;        // weight of later judgements against the next one in the target of the lead
    double final_weight = 0.3;  // weight of the result in it
};

// Plays games on threads; the same samples for any number of them. Returns none where go_on, asked now and then, said
// no. The network "zero" is none: positions are judged by points alone.
template <Game G>
[[nodiscard]] net::Samples self_play(const G& game, const std::string& network, const SelfPlay& plan,
                                     const GoOn& go_on);

}  // namespace tilery
