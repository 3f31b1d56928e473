// SPDX-License-Identifier: MIT
// What must hold whatever a caller passes to the C table.
#pragma once

#include <span>
#include <string>

#include "subject.hpp"

namespace tilery::fuzz {

// Bytes are refused, or they are the one form of a state. Returns which; `state` is that state.
bool check_bytes(const Subject& subject, std::span<const char> envelope, Memory& state);

// Every question has an answer that fits the others, for every player and for ids that are not legal.
void check_questions(const Subject& subject, const Memory& state, Rng& rng);

// What follows by a legal action is accepted; tries at most so many.
void check_successors(const Subject& subject, const Memory& state, std::uint32_t most, Rng& rng);

// Plays at random to the end, which comes in time; every state on the way is accepted.
void check_playing_on(const Subject& subject, Memory state, Rng& rng);

// Ids from outside are refused without a change, or applied.
void check_ids(const Subject& subject, std::span<const std::int32_t> ids, Rng& rng);

// A token is refused, or is the token of its action. Returns which.
bool check_token(const Subject& subject, std::span<const char> token);

// Option words are refused, or give a game that can be played; every `play_one_in`-th is. Returns which.
bool check_words(const Subject& subject, std::span<const std::string> words, std::uint32_t play_one_in, Rng& rng);

// The text of a policy is refused, or gives a policy. Returns which.
bool check_policy(const Subject& subject, const std::string& text);

}  // namespace tilery::fuzz
