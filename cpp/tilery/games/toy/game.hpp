// SPDX-License-Identifier: MIT
// Toy: a card game of six rules (docs/rules/toy.md) with chance and hidden hands. The worked example of
// docs/adding-a-game.md, and the test bed of the core.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/options.hpp"

namespace tilery::toy {

inline constexpr int kValues = 5;  // of cards: 1..5
inline constexpr int kCopies = 4;
inline constexpr int kMostPlayers = 4;

struct Rules {
    int players = 2;
    int hand = 3;

    static Options options();  // words/options.cpp
};

using Cards = Keyed<Byte, kValues>;  // copies of the values 1..5
template <class T>
using PerSeat = Keyed<T, kMostPlayers>;

struct State {
    Cards deck;
    PerSeat<Cards> hands;
    PerSeat<Byte> table;  // the card each player has played this round, or 0
    PerSeat<Byte> scores;
    Byte prize;    // the prize of this round, or 0
    Byte undealt;  // cards still to be dealt to hands

    bool operator==(const State&) const = default;
};

// Ids 0..4 draw a card of value 1..5 by chance, ids 5..9 play it.
class Game {
  public:
    using State = toy::State;
    using Rules = toy::Rules;
    static constexpr std::string_view kName = "toy";
    static constexpr bool kFewestPointsWin = false;
    static constexpr std::array kScoreSources{ScoreSource{"prizes", "T-5"}};
    static constexpr std::size_t kNumInputs = 353;

    explicit Game(const Rules& rules) : rules_(checked_rules(rules)) {}
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return 2 * kValues; }
    [[nodiscard]] Action num_chance_actions() const { return kValues; }
    // Every card that is dealt is played once, and each round has one prize.
    [[nodiscard]] int max_decisions() const { return rules_.players * rules_.hand; }
    [[nodiscard]] int max_chance_nodes() const { return (rules_.players + 1) * rules_.hand; }
    [[nodiscard]] bool hides_information() const { return true; }

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const;
    [[nodiscard]] ActionList<kValues> legal_actions(const State& state) const;
    [[nodiscard]] OutcomeList<kValues> chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const { return per_player(state.scores); }

    [[nodiscard]] ScoreEvents score_events(const State& state, Action action) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string describe_action(Action action) const;
    [[nodiscard]] std::vector<std::string> picks(Action action) const;
    [[nodiscard]] std::string why_illegal(const State& state, Action action) const;
    [[nodiscard]] std::string to_string(const State& state) const;
    [[nodiscard]] std::string to_string(const State& state, Player player) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] Value public_state(const State& state) const;
    [[nodiscard]] Action action_seen_by(const State& state, Player player, Action action) const;
    [[nodiscard]] std::vector<ObservationPart> observation_parts() const;
    template <class Number>  // float or std::uint8_t
    void observe(const State& state, Player player, std::span<Number> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    void inputs(const State& state, Player player, Inputs& out) const;
    [[nodiscard]] std::string input_name(InputId id) const;

    [[nodiscard]] Value position(const State& state) const;
    [[nodiscard]] State state_of(const Value& position) const;
    [[nodiscard]] std::string fault(const State& state) const;

  private:
    // The player to whom the next card is dealt, during the deal.
    [[nodiscard]] Player dealt_to(const State& state) const {
        return (rules_.players * rules_.hand - state.undealt) / rules_.hand;
    }
    template <class Events>  // called with the winner, the points and the card that wins them
    void award_prize(State& state, const Events& events) const;
    void write_observation(const State& state, Player player, auto& out) const;
    [[nodiscard]] std::string deal_fault(const State& state) const;
    [[nodiscard]] std::string round_fault(const State& state) const;
    [[nodiscard]] std::string past_fault(const State& state) const;

    Rules rules_;
};

[[nodiscard]] int count(const Cards& cards);
// Cards that have been turned up or played: in no hand and not in the deck.
[[nodiscard]] Cards open_cards(const State& state);

static_assert(tilery::Game<Game> && sizeof(State) == 35);

}  // namespace tilery::toy

extern template struct tilery::Loops<tilery::toy::Game>;
