// SPDX-License-Identifier: MIT
// The options of the toy, with their values and a sentence each.
#include "tilery/games/toy/game.hpp"

namespace tilery::toy {

Options Rules::options() {
    return {int_option<&Rules::players>("players", 2, kMostPlayers, "the number of players (T-1)"),
            int_option<&Rules::hand>("hand", 1, kCopies, "the number of cards dealt to each player (T-1)")};
}

}  // namespace tilery::toy
