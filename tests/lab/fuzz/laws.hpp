// SPDX-License-Identifier: MIT
// What must hold for any input to the C table.
#pragma once

#include <span>
#include <string>

#include "subject.hpp"

namespace tilery::fuzz {

// Bytes are refused, or they are exactly what serialize() writes for the state that they give. Returns whether they are
// accepted; `state` is then that state.
bool check_bytes(const Subject& subject, std::span<const char> envelope, Memory& state);

// All queries return consistent answers, for every player and also about ids that are not legal.
void check_questions(const Subject& subject, const Memory& state, Rng& rng);

// The state after a legal action is accepted; tries at most `most` actions.
void check_successors(const Subject& subject, const Memory& state, std::uint32_t most, Rng& rng);

// Random play reaches the end within the bound of the game, and every state on the way is accepted.
void check_playing_on(const Subject& subject, Memory state, Rng& rng);

// Legal ids are applied; all others are refused without a change.
void check_ids(const Subject& subject, std::span<const std::int32_t> ids, Rng& rng);

// A token is refused, or is the token of the action that it gives. Returns whether it is accepted.
bool check_token(const Subject& subject, std::span<const char> token);

// Option words are refused, or give a game that can be played; one in `play_one_in` is. Returns whether they are
// accepted.
bool check_words(const Subject& subject, std::span<const std::string> words, std::uint32_t play_one_in, Rng& rng);

// The text of a policy is refused, or gives a policy. Returns whether it is accepted.
bool check_policy(const Subject& subject, const std::string& text);

}  // namespace tilery::fuzz
