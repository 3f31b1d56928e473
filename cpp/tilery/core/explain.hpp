// SPDX-License-Identifier: MIT
// Actions in words, and why one may not be applied.
#pragma once

#include <string>
#include <string_view>

#include "tilery/core/game.hpp"

namespace tilery {

template <Game G>
[[nodiscard]] bool is_legal(const G& game, const typename G::State& state, Action action);  // play.hpp

// An action in words.
template <Game G>
[[nodiscard]] std::string describe_action(const G& game, Action action) {
    const std::string token = game.action_to_string(action);  // throws ParseError for what is not an id
    if constexpr (HasDescribeAction<G>) return game.describe_action(action);
    return token;
}

// One sentence that begins with the number of a rule ("PB-5: ..."), or "" if the action may be applied.
// The reasons that hold for every game are given here; a game explains its own rules in its hook why_illegal.
template <Game G>
[[nodiscard]] std::string why_illegal(const G& game, const typename G::State& state, Action action) {
    if (is_legal(game, state, action)) return "";
    const Action ids = game.num_distinct_actions();
    if (action < 0 || action >= ids) {
        return "G-4: the action ids of this game are 0.." + std::to_string(ids - 1);
    }
    const Player player = game.current_player(state);
    if (player == kTerminal) return "G-4: the game is over";
    if (player == kChance) return "G-2: chance is to act, and this is not one of the possible outcomes";
    if constexpr (HasWhyIllegal<G>) return game.why_illegal(state, action);
    return "G-4: this is not one of the legal actions of player " + std::to_string(player);
}

// Throws IllegalActionError for an action with this token and these words; both are empty if it is not an id.
[[noreturn]] void refuse_action(std::string_view game, Action action, const std::string& token,
                                const std::string& words, const std::string& why);

}  // namespace tilery
