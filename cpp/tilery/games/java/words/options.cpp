// SPDX-License-Identifier: MIT
// The options of Java, with their values and a sentence each.
#include "tilery/games/java/rules.hpp"

namespace tilery::java {

Options Rules::options() {
    return {int_option<&Rules::players>("players", 2, kMostPlayers, "the number of players"),
            own_option<&Rules::board, read_board_option, write_board_option>(
                "board", "the island: a built-in one, or a custom one from a file or a mapping (JA-2)",
                "a shipped board, a path to a JSON file, or a board object"),
            choice_option<&Rules::token_timing>(
                "token_timing", {"any", "turn_start"},
                "whether an action token may be used at any time, or only as the first action of a turn (JA-8)"),
            bool_option<&Rules::two_on_three>("two_on_three",
                                              "lets a two-space tile cover two spaces of one three-space tile (JA-13)"),
            bool_option<&Rules::irrigation_on_perimeter>(
                "irrigation_on_perimeter", "allows irrigation tiles on spaces at the border of the board (JA-16)"),
            choice_option<&Rules::irrigation_scoring>(
                "irrigation_scoring", {"per_body", "per_space"},
                "an enclosed body of irrigation scores 3 points, or 3 for each of its spaces (JA-18)"),
            added_later(choice_option<&Rules::land_reserve>(
                "land_reserve", {"before", "after"},
                "whether the duty to place a land tile is judged in the state before an action, "
                "or in the state after it (JA-9)"))};
}

}  // namespace tilery::java
