// SPDX-License-Identifier: MIT
// Reading, searching and converting the arrays of a batch at every step, many entries at a time. This is compiled with
// the rules of games, for speed: the module that calls it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/observation.hpp"

namespace tilery {

// Reads what a caller chooses for each game as indices into its legal actions; -1 becomes kLeave. Returns whether each
// is below the number of legal actions or kLeave; others become numbers that are neither.
template <class Integer>
[[nodiscard]] bool read_picks(const Integer* given, std::span<const std::uint32_t> num_legal_actions,
                              std::uint32_t* picks);

// The first of the numbers that is not in [0, 1), or how many there are.
template <class Real>
[[nodiscard]] std::size_t first_outside(std::span<const Real> uniforms);

// spread_pick() of core/decisions.hpp for each game.
template <class Real>
void spread_picks(std::span<const Real> uniforms, const std::uint32_t* num_legal_actions, std::int32_t* picks);

// The first game in [from, to) without a legal action, or `to`.
[[nodiscard]] std::size_t first_over(const std::uint32_t* num_legal_actions, std::size_t from, std::size_t to);

// Observations in integers of two bytes: from bytes that hold all of its parts, or from floating-point numbers, which
// are exact enough for that.
void to_integers(std::span<const std::uint8_t> bytes, std::int16_t* integers);
void to_integers(std::span<const float> numbers, const std::vector<ObservationPart>& parts, std::int16_t* integers);

}  // namespace tilery
