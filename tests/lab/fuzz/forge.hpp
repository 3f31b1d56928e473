// SPDX-License-Identifier: MIT
// Mutation of states, tokens and option words that knows where their content is.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "subject.hpp"

namespace tilery::fuzz {

// Mutates one to eight places of a state. The bytes that differ between the states of random games are taken for the
// fields: their bits, bytes and words are changed, swapped, moved from one to another, or replaced by those of another
// state.
void forge(const Subject& subject, std::span<char> state, Rng& rng);

// Makes one to four edits of a text: characters are inserted, removed, replaced or repeated, or the rest of the text is
// replaced by a part of `other`.
[[nodiscard]] std::string garbled(std::string text, const std::string& other, Rng& rng);

}  // namespace tilery::fuzz
