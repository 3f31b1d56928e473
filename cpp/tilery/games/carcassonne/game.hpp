// SPDX-License-Identifier: MIT
// Carcassonne, Winter Edition; rules and contract: docs/rules/carcassonne.md. Rule numbers in the
// comments are those of that page.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/games/carcassonne/actions.hpp"
#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/rules.hpp"
#include "tilery/games/carcassonne/score_events.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

struct Survey;  // inputs.cpp

class Game {
  public:
    using State = carcassonne::State;
    using Rules = carcassonne::Rules;
    static constexpr std::string_view kName = "carcassonne";
    static constexpr bool kFewestPointsWin = false;
    static constexpr auto kScoreSources = kSources;
    // Without the ends of lists, which only the last turns of a large land reach.
    static constexpr std::array<ByteRange, 6> kTouched{{
        {offsetof(State, land.shields), offsetof(State, land.cells)},
        {offsetof(State, land.labels), offsetof(State, land.labels) + 72 * kSlotPlaces},
        {offsetof(State, land.codes), offsetof(State, features.open_ends) + 56},
        {offsetof(State, frontier.cells), offsetof(State, frontier.cells) + 124 * sizeof(Cell)},
        {offsetof(State, frontier.edges), offsetof(State, frontier.facing) + 104},
        {offsetof(State, frontier.size), sizeof(State) + sizeof(Rng) + sizeof(LegalActions)},
    }};

    static constexpr std::size_t kNumInputs = 9265;

    static constexpr SearchTuning kSearch{.depth = 8};
    static constexpr NetTuning kNet{.form = NetTuning::Form::kReplies, .worlds = 6};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return box_.rules; }
    [[nodiscard]] int num_players() const { return box_.rules.players; }
    [[nodiscard]] Action num_distinct_actions() const { return box_.num_actions; }
    [[nodiscard]] Action num_chance_actions() const { return box_.first_meeple; }
    // At most one draw for each tile, and the draws for the start (CA-H2).
    [[nodiscard]] int max_chance_nodes() const;
    // For each tile: placement and meeple; with hands of three the choice; with sales the offer, a price or
    // pass of each other player, and the answer. The first tile of CA-H5 is not placed by an action.
    [[nodiscard]] int max_decisions() const;
    [[nodiscard]] bool hides_information() const { return box_.has_hidden_hands(); }

    [[nodiscard]] State initial_state() const { return initial_; }
    [[nodiscard]] Player current_player(const State& state) const { return state.turn.actor; }
    [[nodiscard]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] ChanceOutcomes chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    void apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const { return per_player(state.points); }
    [[nodiscard]] PerPlayer<int> scores_if_over(const State& state) const;
    [[nodiscard]] ScoreEvents score_events(const State& state, Action action) const;
    [[nodiscard]] ScoreEvents standing(const State& state) const;
    [[nodiscard]] PerPlayer<int> prospects(const State& state) const;
    using InputMemory = std::shared_ptr<Survey>;
    void inputs(const State& state, Player player, Inputs& out, InputMemory& memory) const;
    void inputs(const State& state, Player player, Inputs& out) const;
    [[nodiscard]] std::string input_name(InputId id) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string describe_action(Action action) const;
    [[nodiscard]] std::vector<std::string> picks(Action action) const;
    [[nodiscard]] std::string describe_pick(std::string_view pick) const;
    [[nodiscard]] std::string picture(const PictureInput& input) const;  // words/picture.cpp
    [[nodiscard]] std::string why_illegal(const State& state, Action action) const;
    [[nodiscard]] std::string to_string(const State& state) const;
    [[nodiscard]] std::string to_string(const State& state, Player player) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] Value public_state(const State& state) const;
    [[nodiscard]] Action action_seen_by(const State& state, Player player, Action action) const;
    [[nodiscard]] std::vector<ObservationPart> observation_parts() const { return observation_parts(kWindow); }
    template <class Number>  // float or std::uint8_t
    void observe(const State& state, Player player, std::span<Number> out) const {
        observe(state, player, out, kWindow);
    }
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] Value position(const State& state) const;
    [[nodiscard]] State state_of(const Value& position) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // The one form of all states that are the same position: tile slots by cell, labels and numbers of
    // meeples by first appearance, dead storage cleared.
    [[nodiscard]] State canonical(const State& state) const;
    // Made from tiles, meeples and the turn alone, from which all else follows.
    [[nodiscard]] std::uint64_t position_hash(const State& state) const;

    // The observation in a window of another size (odd, from 1 to kWholeLand). With a table there is no
    // window.
    static constexpr int kWindow = 25;
    static constexpr int kWholeLand = 2 * kReach + 1;
    [[nodiscard]] std::vector<ObservationPart> observation_parts(int window) const;
    template <class Number>
    void observe(const State& state, Player player, std::span<Number> out, int window) const;

    // Views; python/tilery/carcassonne.py documents them.
    using FourNumbers = std::array<int, 4>;
    [[nodiscard]] std::vector<FourNumbers> tiles_laid(const State& state) const;  // x, y, type, rotation
    [[nodiscard]] std::vector<FourNumbers> meeples(const State& state) const;     // x, y, segment, seat
    // Copies of each type: in the pile; that a player has not seen; in a hand.
    [[nodiscard]] std::vector<int> pile_counts(const State& state) const;
    [[nodiscard]] std::vector<int> unseen_counts(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> hand_counts(const State& state, std::size_t seat) const;
    [[nodiscard]] std::vector<std::string> tile_types() const;

    [[nodiscard]] const Box& box() const { return box_; }

  private:
    Box box_;
    State initial_;
};

static_assert(tilery::Game<Game>);

}  // namespace tilery::carcassonne

extern template struct tilery::Loops<tilery::carcassonne::Game>;
