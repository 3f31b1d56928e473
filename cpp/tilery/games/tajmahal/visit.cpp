// SPDX-License-Identifier: MIT
// The end of a visit (TM-20, TM-22), and what a position is worth (TM-23).
#include "tilery/games/tajmahal/visit.hpp"

#include <algorithm>
#include <numeric>

#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

// Where two tiles of a person are held, in the two bits of each person; and the persons, by the lower of these bits.
constexpr std::uint32_t kSecondTiles = 0xAA;
constexpr auto kPersonsOfTiles = array_of<(kSecondTiles >> 1) + 1>([](std::uint32_t tiles) {
    std::uint32_t persons = 0;
    for (std::size_t person = 0; person < kPersons; ++person) {
        if (tiles_held(tiles, person) == 1) persons |= bit(person);
    }
    return byte(persons);
});

}  // namespace

// TM-22
void Game::end_visit(State& state) const {
    state.fictive = {};
    state.fictive_in = 0;
    state.offer = 0;
    state.turn = 0;
    hand_over_special_cards(state);
    if (state.visit == kVisits) {
        score_hands(state);
        state.phase = Phase::kOver;
        return;
    }
    ++state.visit;
    begin_visit(state);
}

// TM-20. Branch-free, because who has two tiles is unpredictable.
void Game::hand_over_special_cards(State& state) const {
    PerPlayer<std::uint32_t> gained{};
    std::uint32_t all = 0;
    for (std::size_t player = 0; player < players_; ++player) {
        const std::uint32_t second = state.tiles[player] & kSecondTiles;
        state.tiles[player] = byte(state.tiles[player] - second);
        gained[player] = kPersonsOfTiles[second >> 1];
        all |= gained[player];
    }
    for (std::size_t player = 0; player < players_; ++player) {
        state.specials[player] = byte((state.specials[player] & ~all) | gained[player]);
    }
}

PerPlayer<int> Game::scores_if_over(const State& state) const {
    if (state.phase == Phase::kOver) return scores(state);
    State counted = state;
    score_hands(counted);
    return scores(counted);
}

// Cards, tiles and symbols bring points in later visits, and the fewer visits are to come the less.
PerPlayer<int> Game::prospects(const State& state) const {
    PerPlayer<int> prospects{};
    if (state.phase == Phase::kOver) return prospects;
    const std::size_t visits = kVisits - visit_index(state);  // to come, this one included
    const auto at_most = [visits](std::size_t most) { return std::min(most, visits); };
    for (std::size_t player = 0; player < players_; ++player) {
        const auto& goods = state.goods[player];
        prospects[player] =
            number(at_most(3) * state.cards.players[player].hand.size() +
                   (at_most(5) - 1) * size_of(state.tiles[player]) + (3 + visits) * size_of(state.specials[player]) +
                   at_most(6) * std::accumulate(goods.begin(), goods.end(), std::size_t{0}) / 2);
    }
    return prospects;
}

}  // namespace tilery::tajmahal
