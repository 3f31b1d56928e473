// SPDX-License-Identifier: MIT
// Toy: a card game of a dozen lines of rules (docs/rules/toy.md) with chance and hidden hands.
// The worked example of docs/adding-a-game.md and the bed on which the core is tested.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tilery/core/game.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/playout.hpp"

namespace tilery::toy {

inline constexpr int kValues = 5;  // cards bear 1..5
inline constexpr int kCopies = 4;
inline constexpr int kMostPlayers = 4;

struct Rules {
    int players = 2;
    int hand = 3;

    static constexpr auto options() {
        return std::tuple{int_option("players", &Rules::players, 2, kMostPlayers),
                          int_option("hand", &Rules::hand, 1, kCopies)};
    }
};

using Cards = std::array<std::uint8_t, kValues>;  // how many of each value

struct State {
    Cards deck;
    std::array<Cards, kMostPlayers> hands;
    std::array<std::uint8_t, kMostPlayers> table;  // the card each has played this round, or 0
    std::array<std::uint8_t, kMostPlayers> scores;
    std::uint8_t prize;    // the prize of this round, or 0
    std::uint8_t undealt;  // cards still to be dealt to hands

    bool operator==(const State&) const = default;
};

// An action is a value: ids 0..4 deal or turn up the card 1..5 by chance, ids 5..9 play it.
class Game {
  public:
    using State = toy::State;
    using Rules = toy::Rules;
    static constexpr std::string_view kName = "toy";
    static constexpr bool kFewestPointsWin = false;

    explicit Game(const Rules& rules) : rules_(rules) {}
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return 2 * kValues; }
    [[nodiscard]] int max_game_length() const { return rules_.hand * (2 * rules_.players + 1); }

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const;
    [[nodiscard]] ActionList<kValues> legal_actions(const State& state) const;
    [[nodiscard]] OutcomeList<kValues> chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> observation_shape() const { return {2 * kValues + 1 + 3 * rules_.players}; }
    void observe(const State& state, Player player, std::span<float> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] std::string fault(const State& state) const;

  private:
    void award_prize(State& state) const;

    Rules rules_;
};

static_assert(tilery::Game<Game> && sizeof(State) == 35);

}  // namespace tilery::toy

extern template tilery::Played tilery::playout(const tilery::toy::Game&, tilery::toy::State&, tilery::Rng&);
