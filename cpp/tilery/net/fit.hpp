// SPDX-License-Identifier: MIT
// Fits a network to samples: stochastic gradient descent with Adagrad's rates, one position after the other, so that
// equal samples and settings give equal bytes everywhere.
#pragma once

#include <cstdint>
#include <span>

#include "tilery/net/network.hpp"
#include "tilery/net/samples.hpp"

namespace tilery::net {

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
