// SPDX-License-Identifier: MIT
#include "tilery/games/toy/game.hpp"

#include <algorithm>
#include <numeric>

#include "tilery/core/playout.hpp"
#include "tilery/core/token.hpp"

namespace tilery::toy {
namespace {

int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

// Cards that lie open for all to see: everything that is in no hand and not in the deck.
Cards open_cards(const State& state) {
    Cards open;
    open.fill(kCopies);
    for (std::size_t value = 0; value < kValues; ++value) {
        int hidden = state.deck[value];
        for (const Cards& hand : state.hands) hidden += hand[value];
        open[value] = static_cast<std::uint8_t>(kCopies - hidden);
    }
    return open;
}

}  // namespace

State Game::initial_state() const {
    State state{};
    state.deck.fill(kCopies);
    state.undealt = static_cast<std::uint8_t>(rules_.players * rules_.hand);
    return state;
}

Player Game::current_player(const State& state) const {
    if (state.undealt > 0) return kChance;
    if (state.prize == 0) return count(state.hands[0]) > 0 ? kChance : kTerminal;
    return static_cast<Player>(std::find(state.table.begin(), state.table.end(), 0) - state.table.begin());
}

ActionList<kValues> Game::legal_actions(const State& state) const {
    ActionList<kValues> list;
    const Cards& hand = state.hands[static_cast<std::size_t>(current_player(state))];
    for (int value = 0; value < kValues; ++value) {
        if (hand[static_cast<std::size_t>(value)] > 0) list.add(kValues + value);
    }
    return list;
}

OutcomeList<kValues> Game::chance_outcomes(const State& state) const {
    OutcomeList<kValues> list;
    for (int value = 0; value < kValues; ++value) list.add(value, state.deck[static_cast<std::size_t>(value)]);
    return list;
}

void Game::apply_action(State& state, Action action) const {
    const auto value = static_cast<std::size_t>(action % kValues);
    const auto card = static_cast<std::uint8_t>(value + 1);
    if (action >= kValues) {  // T-4: a player plays a card
        const auto player = static_cast<std::size_t>(current_player(state));
        --state.hands[player][value];
        state.table[player] = card;
        if (player + 1 == static_cast<std::size_t>(rules_.players)) award_prize(state);
    } else if (state.undealt > 0) {  // T-2: the deal
        --state.deck[value];
        const int dealt = rules_.players * rules_.hand - state.undealt--;
        ++state.hands[static_cast<std::size_t>(dealt / rules_.hand)][value];
    } else {  // T-3: the prize
        --state.deck[value];
        state.prize = card;
    }
}

// T-5: the highest card that only one player has played wins the prize.
void Game::award_prize(State& state) const {
    for (std::uint8_t card = kValues; card > 0; --card) {
        if (std::count(state.table.begin(), state.table.end(), card) == 1) {
            const auto winner = std::find(state.table.begin(), state.table.end(), card) - state.table.begin();
            state.scores[static_cast<std::size_t>(winner)] += state.prize;
            break;
        }
    }
    state.table = {};
    state.prize = 0;
}

PerPlayer<int> Game::scores(const State& state) const {
    PerPlayer<int> scores{};
    std::copy(state.scores.begin(), state.scores.end(), scores.begin());
    return scores;
}

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

std::string Game::to_string(const State& state) const {
    std::string text = "prize " + (state.prize > 0 ? std::to_string(state.prize) : std::string("-"));
    for (std::size_t player = 0; player < static_cast<std::size_t>(rules_.players); ++player) {
        text += "\nplayer " + std::to_string(player) + "  " + std::to_string(state.scores[player]) + " points  hand";
        for (std::size_t value = 0; value < kValues; ++value) {
            for (int copy = 0; copy < state.hands[player][value]; ++copy) text += " " + std::to_string(value + 1);
        }
        if (state.table[player] > 0) text += "  played " + std::to_string(state.table[player]);
    }
    return text;
}

Value Game::information_state(const State& state, Player player) const {
    const auto players = std::span(state.hands).first(static_cast<std::size_t>(rules_.players));
    Value::List sizes;
    for (const Cards& hand : players) sizes.emplace_back(count(hand));
    return Value::object({
        {"hand", Value::list_of(state.hands[static_cast<std::size_t>(player)])},
        {"hand_sizes", sizes},
        {"open", Value::list_of(open_cards(state))},
        {"prize", state.prize},
        {"table", Value::list_of(std::span(state.table).first(players.size()))},
        {"scores", Value::list_of(std::span(state.scores).first(players.size()))},
    });
}

void Game::observe(const State& state, Player player, std::span<float> out) const {
    auto at = out.begin();
    for (const std::uint8_t copies : state.hands[static_cast<std::size_t>(player)]) *at++ = copies;
    for (const std::uint8_t copies : open_cards(state)) *at++ = copies;
    *at++ = state.prize;
    for (int k = 0; k < rules_.players; ++k) {
        const auto seat = static_cast<std::size_t>((player + k) % rules_.players);
        *at++ = static_cast<float>(count(state.hands[seat]));
        *at++ = state.table[seat];
        *at++ = state.scores[seat];
    }
}

void Game::determinize(State& state, Player player, Rng& rng) const {
    std::array<int, kMostPlayers> sizes{};
    for (std::size_t other = 0; other < state.hands.size(); ++other) {
        if (static_cast<Player>(other) == player) continue;
        sizes[other] = count(state.hands[other]);
        for (std::size_t value = 0; value < kValues; ++value) state.deck[value] += state.hands[other][value];
        state.hands[other] = {};
    }
    for (std::size_t other = 0; other < sizes.size(); ++other) {
        for (; sizes[other] > 0; --sizes[other]) {
            const Action card = random_outcome(*this, state, rng);
            --state.deck[static_cast<std::size_t>(card)];
            ++state.hands[other][static_cast<std::size_t>(card)];
        }
    }
}

std::string Game::fault(const State& state) const {
    const auto players = static_cast<std::size_t>(rules_.players);
    for (std::size_t value = 0; value < kValues; ++value) {
        int copies = state.deck[value];
        for (const Cards& hand : state.hands) copies += hand[value];
        if (copies > kCopies) return "more cards of a kind than the box holds";
    }
    for (std::size_t seat = players; seat < kMostPlayers; ++seat) {
        if (count(state.hands[seat]) + state.table[seat] + state.scores[seat] > 0) return "a seat too many";
    }
    if (state.prize > kValues) return "no such prize";
    if (state.undealt > players * static_cast<std::size_t>(rules_.hand)) return "more cards to deal than hands hold";
    const std::size_t dealt = players * static_cast<std::size_t>(rules_.hand) - state.undealt;
    if (state.undealt > 0) {
        int held = 0;
        for (std::size_t seat = 0; seat < players; ++seat) {
            const int due = std::clamp(static_cast<int>(dealt) - static_cast<int>(seat) * rules_.hand, 0, rules_.hand);
            if (count(state.hands[seat]) != due) return "a deal out of order";
            held += due;
        }
        if (state.prize > 0 || count(state.deck) + held != kValues * kCopies) return "play before the deal is over";
    }
    // T-4: those who have played this round sit before those who have not, and hold a card less.
    bool open = state.prize == 0;
    int points = 0;
    for (std::size_t seat = 0; seat < players; ++seat) {
        if (state.table[seat] > kValues) return "no such card on the table";
        if (state.table[seat] > 0 && open) return "a card on the table out of turn";
        open |= state.table[seat] == 0;
        points += state.scores[seat];
        const int round = count(state.hands[seat]) + (state.table[seat] > 0 ? 1 : 0);
        if (state.undealt == 0 && round != count(state.hands[players - 1])) return "hands of different length";
    }
    if (state.prize > 0 && !open) return "a round that should have ended";
    if (state.undealt > 0) return points > 0 ? "points before play" : "";
    const int left = count(state.hands[players - 1]);
    const int played = rules_.hand - left;
    if (left > rules_.hand || (state.prize > 0 && left == 0)) return "more rounds than cards";
    if (points > played * kValues) return "more points than prizes";
    int open_count = state.prize > 0 ? 1 : 0;
    for (const std::uint8_t card : state.table) open_count += card > 0 ? 1 : 0;
    if (count(open_cards(state)) != played * (rules_.players + 1) + open_count) return "cards astray";
    return "";
}

}  // namespace tilery::toy

template tilery::Played tilery::playout(const tilery::toy::Game&, tilery::toy::State&, tilery::Rng&);
