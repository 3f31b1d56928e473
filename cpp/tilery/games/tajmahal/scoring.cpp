// SPDX-License-Identifier: MIT
// The points at the end (TM-23).
#include "tilery/games/tajmahal/scoring.hpp"

namespace tilery::tajmahal {

// TM-23
void Game::score_hands(State& state) const {
    for (std::size_t player = 0; player < players_; ++player) {
        Cards::OfPlayer& own = state.cards.players[player];
        const auto held = [&](std::size_t colour) { return (own.hand & deck_.cards_of_colour(colour)).size(); };
        std::uint32_t best = 0;
        for (std::size_t colour = 0; colour < kColours; ++colour) best = std::max(best, held(colour));
        add_points(state, player, size_of(state.specials[player]) + held(kWhite) + best);
        own.known = own.hand;  // TM-R4
    }
}

PerPlayer<int> Game::scores_if_over(const State& state) const {
    if (state.phase == Phase::kOver) return scores(state);
    State counted = state;
    score_hands(counted);
    return scores(counted);
}

}  // namespace tilery::tajmahal
