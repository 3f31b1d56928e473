// SPDX-License-Identifier: MIT
// Toy: the rules.
#include "tilery/games/toy/game.hpp"

#include <algorithm>
#include <numeric>

#include "tilery/core/playout.hpp"

namespace tilery::toy {

int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

State Game::initial_state() const {
    State state{};
    state.deck.fill(kCopies);
    state.undealt = rules_.players * rules_.hand;
    return state;
}

Player Game::current_player(const State& state) const {
    if (state.undealt > 0) return kChance;
    if (state.prize == 0) return count(state.hands[0]) > 0 ? kChance : kTerminal;
    Player player = 0;
    while (state.table[player] > 0) ++player;
    return player;
}

ActionList<kValues> Game::legal_actions(const State& state) const {
    ActionList<kValues> list;
    const Cards& hand = state.hands[current_player(state)];
    for (int value = 0; value < kValues; ++value) {
        if (hand[value] > 0) list.add(kValues + value);
    }
    return list;
}

OutcomeList<kValues> Game::chance_outcomes(const State& state) const {
    OutcomeList<kValues> list;
    for (int value = 0; value < kValues; ++value) list.add(value, state.deck[value]);
    return list;
}

void Game::apply_action(State& state, Action action) const {
    const int value = action % kValues;
    if (action >= kValues) {  // T-4: a player plays a card
        const Player player = current_player(state);
        --state.hands[player][value];
        state.table[player] = value + 1;
        if (player + 1 == rules_.players) award_prize(state, NoEvents{});
    } else if (state.undealt > 0) {  // T-2: the deal
        --state.deck[value];
        ++state.hands[dealt_to(state)][value];
        --state.undealt;
    } else {  // T-3: the prize
        --state.deck[value];
        state.prize = value + 1;
    }
}

// T-5: the highest card that only one player has played wins the prize.
void Game::award_prize(State& state, const auto& events) const {
    for (int card = kValues; card > 0; --card) {
        if (std::count(state.table.begin(), state.table.end(), card) == 1) {
            Player winner = 0;
            while (state.table[winner] != card) ++winner;
            state.scores[winner] += state.prize;
            events(winner, state.prize, card);
            break;
        }
    }
    state.table = {};
    state.prize = 0;
}

ScoreEvents Game::score_events(const State& state, Action action) const {
    ScoreEvents events;
    const Player player = current_player(state);
    if (player + 1 < rules_.players) return events;
    State after = state;
    after.table[player] = action % kValues + 1;
    award_prize(after, [&](Player winner, int points, int card) {
        events.push_back({winner, points, 0, {"card:" + std::to_string(card)}});
    });
    return events;
}

}  // namespace tilery::toy

template struct tilery::Loops<tilery::toy::Game>;
