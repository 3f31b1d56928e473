// SPDX-License-Identifier: MIT
// What is read and found in the arrays of a batch at every step, many entries at a time. It is compiled with the rules
// of games, for speed: the module that calls it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tilery/core/decisions.hpp"

namespace tilery {

// Reads what a caller chooses for each game as indices into its legal actions; -1 becomes kLeave. Returns whether each
// is below the number of legal actions or kLeave; others become numbers that are neither.
template <class Integer>
[[nodiscard]] bool read_picks(const Integer* given, std::span<const std::uint32_t> num_legal_actions,
                              std::uint32_t* picks);

// The first game in [from, to) without a legal action, or `to`.
[[nodiscard]] std::size_t first_over(const std::uint32_t* num_legal_actions, std::size_t from, std::size_t to);

}  // namespace tilery
