// SPDX-License-Identifier: MIT
// The samples that a network learns from, and how it is fitted to them: stochastic gradient descent with Adagrad's
// rates, one position after the other, so that equal samples and settings give equal bytes everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilery/net/network.hpp"

namespace tilery::net {

// The target of the judgement of a position, less what Inputs::points say already.
struct Target {
    float lead = 0, points = 0;  // points
    float share = 0;             // of the win, 0 to 1
};

// The positions of some games, one game after the other.
struct Samples {
    std::vector<InputId> ids;
    std::vector<std::uint64_t> ends;   // of each position in ids
    std::vector<Target> targets;       // of each position
    std::vector<std::uint64_t> games;  // the number of positions at the end of each game

    [[nodiscard]] std::size_t size() const { return targets.size(); }
    [[nodiscard]] std::span<const InputId> inputs(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(i == 0 ? 0 : ends[i - 1]);
        return std::span(ids).subspan(begin, static_cast<std::size_t>(ends[i]) - begin);
    }
    void add(std::span<const InputId> inputs, const Target& target) {
        ids.insert(ids.end(), inputs.begin(), inputs.end());
        ends.push_back(ids.size());
        targets.push_back(target);
    }
    void append(const Samples& more) {
        for (const std::uint64_t end : more.ends) ends.push_back(ids.size() + end);
        for (const std::uint64_t end : more.games) games.push_back(size() + end);
        ids.insert(ids.end(), more.ids.begin(), more.ids.end());
        targets.insert(targets.end(), more.targets.begin(), more.targets.end());
    }
};

struct FitSettings {
    std::uint64_t seed = 1;
    unsigned passes = 2;  // over all samples; the rate falls in the last two
    double rate = 0.03;
    double points = 0.05;  // weights of the errors besides that of the lead, by which the hidden layers are shaped
    double win = 0.1;
    unsigned held_out = 20;  // one game in this many is not learned from; 0: all games are
};

// Root mean squares of errors over the games held out, in points and shares: of the network, and without one.
struct FitErrors {
    double lead = 0, lead_without = 0, points = 0, points_without = 0, win = 0;
    std::uint64_t positions = 0;  // held out
};

struct Fitted {
    Weights weights;
    FitErrors errors;
};

// The weights without the rows that a fit with these settings never changed, because no sample had their input: they
// are still what it began with, and cost nothing but space.
[[nodiscard]] Weights without_unlearned(Weights weights, const FitSettings& settings);

// Returns false from go_on, asked now and then, to end early: the result is then empty.
[[nodiscard]] Fitted fit(std::size_t num_inputs, std::span<const Samples* const> all, const FitSettings& settings,
                         const GoOn& go_on);

}  // namespace tilery::net
