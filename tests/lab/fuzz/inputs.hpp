// SPDX-License-Identifier: MIT
// The inputs of the fuzzer: their format, and how they are mutated.
//
//     byte 0       the kind of the rest (Kind)
//     bytes 1-2    the number of the subject
//     bytes 3-10   the seed of the random choices of the check
//     ...          the bytes of a state, ids of four bytes, a token, option words in lines, or a policy
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "subject.hpp"

namespace tilery::fuzz {

enum class Kind : std::uint8_t { kState, kEnvelope, kIds, kToken, kWords, kPolicy };
inline constexpr std::array<std::string_view, 6> kKindNames{"state", "envelope", "ids", "token", "words", "policy"};

// Checks the laws on an input. Any bytes are an input.
void check_input(const std::vector<Subject>& subjects, std::span<const std::uint8_t> input);

// Mutates an input in place, in memory of `capacity` bytes, and returns its new size. An input that is too short is
// replaced by one made from random games. `mutate(data, size, capacity)` mutates bytes without knowledge of the layout.
// With `only`, inputs of other kinds are replaced too.
using MutateBytes = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t capacity);
[[nodiscard]] std::size_t mutate_input(const std::vector<Subject>& subjects, std::uint8_t* data, std::size_t size,
                                       std::size_t capacity, std::uint32_t seed, MutateBytes mutate,
                                       std::optional<Kind> only = std::nullopt);

}  // namespace tilery::fuzz
