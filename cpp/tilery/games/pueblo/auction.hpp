// SPDX-License-Identifier: MIT
// Pueblo: who takes part in an auction, as sets of seats.
#pragma once

#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {

// The next player clockwise after this one in a set that is not empty.
[[nodiscard]] inline int next_of(const Seats& set, int player) {
    const Seats after = set - Seats::below(index(player) + 1);
    return number((after.empty() ? set : after).first());
}

// The players of a game who do not have a token.
[[nodiscard]] inline Seats waiting(const State& state, int players) {
    Seats set = Seats::below(index(players));
    for (const int owner : state.order) {
        if (owner != 0) set.erase(index(owner - 1));
    }
    return set;
}

}  // namespace tilery::pueblo
