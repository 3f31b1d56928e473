// SPDX-License-Identifier: MIT
// The inputs of the fuzzer: what they mean, and how one is made from another.
//
//     byte 0       what the rest is (Kind)
//     bytes 1-2    which subject
//     bytes 3-10   the random stream of the check
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

// Changes an input in memory of `capacity` bytes and returns its new size. An input too short to be one is replaced by
// what random games left. `mutate(data, size, capacity)` changes bytes of which nothing is known. With `only`, inputs
// of other kinds are replaced too.
using MutateBytes = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t capacity);
[[nodiscard]] std::size_t mutate_input(const std::vector<Subject>& subjects, std::uint8_t* data, std::size_t size,
                                       std::size_t capacity, std::uint32_t seed, MutateBytes mutate,
                                       std::optional<Kind> only = std::nullopt);

}  // namespace tilery::fuzz
