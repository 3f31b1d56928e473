// SPDX-License-Identifier: MIT
// Toy: which states can occur. All that pass can be reached (tests/games/toy/test_reachable.cpp).
#include "tilery/core/validation.hpp"

#include <algorithm>

#include "tilery/games/toy/game.hpp"

namespace tilery::toy {
namespace {

// Whether f(cards) is true for some choice of `left` cards from `from`: `chosen`, and others of at least
// `value`.
bool any_choice(const Cards& from, int left, auto&& f, Cards chosen = {}, int value = 0) {
    if (left == 0) return f(chosen);
    for (; value < kValues; ++value) {
        if (chosen[value] >= from[value]) continue;
        Cards more = chosen;
        ++more[value];
        if (any_choice(from, left - 1, f, more, value)) return true;
    }
    return false;
}

Cards without(Cards cards, const Cards& taken) {
    for (int value = 0; value < kValues; ++value) cards[value] -= taken[value];
    return cards;
}

// Whether the cards can have been played in these numbers of rounds with a winner and without one (T-5).
bool makes_rounds(const Cards& cards, int players, int won, int tied) {
    if (won + tied == 0) return true;
    return any_choice(cards, players, [&](const Cards& round) {
        // Rounds may be taken in any order: always the one with the lowest card that is left.
        const auto lowest = std::find_if(cards.begin(), cards.end(), [](int copies) { return copies > 0; });
        if (round[lowest - cards.begin()] == 0) return false;
        const bool winner = std::count(round.begin(), round.end(), 1) > 0;
        if ((winner ? won : tied) == 0) return false;
        return makes_rounds(without(cards, round), players, won - winner, tied - !winner);
    });
}

// Whether prizes that were won can be shared out so that the players have these points.
bool makes_points(Cards prizes, PerSeat<Byte> points) {
    int card = kValues;
    while (card > 0 && prizes[card - 1] == 0) --card;
    if (card == 0) return std::all_of(points.begin(), points.end(), [](int left) { return left == 0; });
    --prizes[card - 1];
    return std::any_of(points.begin(), points.end(), [&](Byte& left) {
        if (left < card) return false;
        left -= card;
        const bool done = makes_points(prizes, points);
        left += card;
        return done;
    });
}

}  // namespace

std::string Game::fault(const State& state) const {
    for (int value = 0; value < kValues; ++value) {
        int copies = state.deck[value];
        for (const Cards& hand : state.hands) copies += hand[value];
        if (copies > kCopies) return "more cards of one value than the deck has";
    }
    for (Player player = rules_.players; player < kMostPlayers; ++player) {
        if (count(state.hands[player]) + state.table[player] + state.scores[player] > 0) {
            return "cards or points of a player who does not take part";
        }
    }
    if (state.undealt > 0) return deal_fault(state);
    return first_fault(*this, {&Game::round_fault, &Game::past_fault}, state);
}

// T-2: until all cards are dealt nothing else has happened.
std::string Game::deal_fault(const State& state) const {
    if (state.undealt > rules_.players * rules_.hand) return "more cards to deal than the hands hold";
    const int dealt = rules_.players * rules_.hand - state.undealt;
    for (Player player = 0; player < rules_.players; ++player) {
        const int due = std::clamp(dealt - player * rules_.hand, 0, rules_.hand);
        if (count(state.hands[player]) != due) return "hands of the wrong size during the deal";
        if (state.table[player] + state.scores[player] > 0) return "cards or points before the deal is over";
    }
    if (state.prize > 0 || count(open_cards(state)) > 0) return "open cards before the deal is over";
    return "";
}

// T-3, T-4: who has played this round sits before those who have not, and holds one card less.
std::string Game::round_fault(const State& state) const {
    if (state.prize > kValues) return "no such prize";
    const int left = count(state.hands[rules_.players - 1]);
    if (left > rules_.hand || (state.prize > 0 && left == 0)) return "more cards in hand than were dealt";
    bool waiting = state.prize == 0;
    for (Player player = 0; player < rules_.players; ++player) {
        const bool played = state.table[player] > 0;
        if (state.table[player] > kValues) return "no such card on the table";
        if (played && waiting) return "a card on the table out of turn";
        waiting = !played;
        if (count(state.hands[player]) != left - (played ? 1 : 0)) return "hands of different sizes";
    }
    return waiting ? "" : "a round that should have ended";
}

// T-5: the open cards are those of this round and of rounds that give the players their points.
std::string Game::past_fault(const State& state) const {
    Cards past = open_cards(state);
    const auto take = [&past](int card) {
        if (card == 0) return true;
        if (past[card - 1] == 0) return false;
        --past[card - 1];
        return true;
    };
    if (!take(state.prize) || !std::all_of(state.table.begin(), state.table.end(), take)) {
        return "a prize or a card on the table that is also in a hand or in the deck";
    }
    const int players = rules_.players, rounds = rules_.hand - count(state.hands[players - 1]);
    if (count(past) != rounds * (players + 1)) return "a wrong number of cards in the rounds that are over";
    const bool possible = any_choice(past, rounds, [&](const Cards& prizes) {
        for (int won = 0; won <= rounds; ++won) {
            const bool found = any_choice(prizes, won, [&](const Cards& given) {
                return makes_points(given, state.scores) &&
                       makes_rounds(without(past, prizes), players, won, rounds - won);
            });
            if (found) return true;
        }
        return false;
    });
    return possible ? "" : "points that the open cards cannot have given";
}

}  // namespace tilery::toy
