// SPDX-License-Identifier: MIT
// Changing states, tokens and words at the places where they have their content.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "subject.hpp"

namespace tilery::fuzz {

// Changes one to eight places of a state. What varies between the states of random games is where the fields are: their
// bits, bytes and words are changed, exchanged, moved from one to another, and replaced by those of another state.
void forge(const Subject& subject, std::span<char> state, Rng& rng);

// Changes one to four characters of a text, or joins it to a part of `other`.
[[nodiscard]] std::string garbled(std::string text, const std::string& other, Rng& rng);

}  // namespace tilery::fuzz
