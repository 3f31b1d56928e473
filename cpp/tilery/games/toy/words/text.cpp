// SPDX-License-Identifier: MIT
// Toy: actions and positions in words.
#include "tilery/core/token.hpp"
#include "tilery/games/toy/game.hpp"

namespace tilery::toy {
namespace {

// The board, with the hands of the players that are `shown` and the sizes of the others.
std::string board_of(const State& state, int players, auto&& shown) {
    std::string text = "prize " + (state.prize > 0 ? std::to_string(state.prize) : std::string("-"));
    for (Player player = 0; player < players; ++player) {
        text += "\nplayer " + std::to_string(player) + "  " + std::to_string(state.scores[player]) + " points  hand";
        for (int value = 0; value < kValues; ++value) {
            for (int copy = 0; copy < state.hands[player][value]; ++copy) {
                text += shown(player) ? " " + std::to_string(value + 1) : " ?";
            }
        }
        if (state.table[player] > 0) text += "  played " + std::to_string(state.table[player]);
    }
    return text;
}

}  // namespace

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    return (action < kValues ? "*" : "") + std::to_string(action % kValues + 1);
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const Action first = reader.accept("*") ? 0 : kValues;
    const Action action = first + reader.number(1, kValues) - 1;
    reader.end();
    return action;
}

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    return (action < kValues ? "draw the card " : "play the card ") + std::to_string(action % kValues + 1);
}

std::vector<std::string> Game::picks(Action action) const {
    check_action_id(action, num_distinct_actions());
    return {(action < kValues ? "draw:" : "card:") + std::to_string(action % kValues + 1)};
}

std::string Game::why_illegal(const State& state, Action action) const {
    const std::string player = "player " + std::to_string(current_player(state));
    if (action < kValues) return "T-4: " + player + " is to play a card, and chance draws none before";
    return "T-4: " + player + " does not hold the card " + std::to_string(action - kValues + 1);
}

std::string Game::to_string(const State& state) const {
    return board_of(state, rules_.players, [](Player) { return true; });
}

std::string Game::to_string(const State& state, Player player) const {
    return board_of(state, rules_.players, [player](Player other) { return other == player; });
}

}  // namespace tilery::toy
