// SPDX-License-Identifier: MIT
// Java (Kiesling and Kramer, Ravensburger 2000) for 2 to 4 players. Rules and all numbering are in
// docs/rules/java.md; comments cite its rule numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/games/java/legal_actions.hpp"
#include "tilery/games/java/rules.hpp"
#include "tilery/games/java/score_events.hpp"
#include "tilery/games/java/state.hpp"
#include "tilery/views/java.h"

namespace tilery::java {

struct Move;    // what an id means: board.hpp
struct Tables;  // board, ids and the sets of cells made from them: island.hpp
struct Survey;  // inputs.cpp

// Copies share their tables, which never change.
class Game {
  public:
    using State = java::State;
    using Rules = java::Rules;
    static constexpr std::string_view kName = "java";
    static constexpr bool kFewestPointsWin = false;
    static constexpr auto kScoreSources = kSources;
    // The lowest bits of heights; land, villages and water; fresh palaces and figures; most bonds and all behind them.
    static constexpr std::array<ByteRange, 4> kTouched{{
        {planes::offset(Plane::kHeight), planes::offset(planes::height(3))},
        {planes::offset(Plane::kLand), planes::offset(Plane::kPalace)},
        {planes::offset(Plane::kFresh), planes::offset(Plane::kBond)},
        {planes::offset(planes::bonds(2)), sizeof(State) + sizeof(Rng) + LegalActions::usual_bytes()},
    }};
    static constexpr std::size_t kNumInputs = 15038;

    static constexpr SearchTuning kSearch{.depth = 8, .rank = 4, .width = 2};
    static constexpr std::string_view kCostUnit = "action points";
    static constexpr NetTuning kNet{.form = NetTuning::Form::kBeam, .idle_price = 96};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const;
    [[nodiscard]] Action num_chance_actions() const { return kKinds; }
    [[nodiscard]] int max_decisions() const;
    [[nodiscard]] int max_chance_nodes() const;
    [[nodiscard]] bool hides_information() const { return true; }  // JA-38: hands

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const {
        switch (state.phase) {
            case Phase::kTurn:
                return state.turn;
            case Phase::kFestival:
                return state.bidder;
            case Phase::kOver:
                return kTerminal;
            default:
                return kChance;
        }
    }
    [[nodiscard, gnu::noinline]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] OutcomeList<kKinds> chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    void apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const { return per_player(state.scores); }
    [[nodiscard]] PerPlayer<int> scores_if_over(const State& state) const;

    [[nodiscard]] ScoreEvents score_events(const State& state, Action action) const;

    using InputMemory = std::shared_ptr<Survey>;
    void inputs(const State& state, Player player, Inputs& out, InputMemory& memory) const;
    void inputs(const State& state, Player player, Inputs& out) const;
    [[nodiscard]] std::string input_name(InputId id) const;
    // Not while a figure is lifted: where it is set down decides.
    [[nodiscard]] bool judgeable(const State& state, Player) const { return state.lifted == kNowhere; }

    // Whether a decision of a turn cost nothing, as moves of figures within a settlement do.
    [[nodiscard]] bool idles(const State& before, const State& after) const {
        return before.phase == Phase::kTurn && after.phase == Phase::kTurn && before.turn == after.turn &&
               before.ap == after.ap;
    }

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;
    [[nodiscard]] std::string to_string(const State& state, Player player) const;
    [[nodiscard]] std::string describe_action(Action action) const;
    [[nodiscard]] std::vector<std::string> picks(Action action) const;
    [[nodiscard]] std::string describe_pick(std::string_view pick) const;
    [[nodiscard]] std::string picture(const PictureInput& input) const;  // words/picture.cpp
    [[nodiscard]] std::string why_illegal(const State& state, Action action) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const { return seen_by(state, player); }
    [[nodiscard]] Value public_state(const State& state) const { return seen_by(state, std::nullopt); }
    [[nodiscard]] Action action_seen_by(const State& state, Player player, Action action) const;
    [[nodiscard]] std::vector<ObservationPart> observation_parts() const;
    template <class Number>  // float or std::uint8_t
    void observe(const State& state, Player player, std::span<Number> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] std::string fault(const State& state) const;
    [[nodiscard]] Value position(const State& state) const;
    [[nodiscard]] State state_of(const Value& position) const;

    // Views. Spaces are given by name, except where a list has an item for each, by number.
    [[nodiscard]] Value spaces() const;  // [row, column] of each
    [[nodiscard]] Value board() const;   // the four lists of a board object
    [[nodiscard]] std::vector<int> heights(const State& state) const;
    [[nodiscard]] std::vector<tilery_java_space> rows(const State& state) const;  // by space
    [[nodiscard]] std::string terrain(const State& state) const;                  // `tops` of the information state
    [[nodiscard]] Value tiles(const State& state) const;                          // bonds (JA-R3)
    [[nodiscard]] Value figures(const State& state) const;                        // [space, player]
    [[nodiscard]] Value settlements(const State& state) const;                    // JA-14
    [[nodiscard]] Value bodies(const State& state) const;                         // JA-17
    [[nodiscard]] Value cards(const State& state, std::optional<Player> viewer) const;  // as the viewer knows them
    [[nodiscard]] int cost(const State& state, Action action) const;  // action points of a legal action

  private:
    [[nodiscard]] std::size_t seats() const { return index(rules_.players); }
    [[nodiscard, gnu::noinline]] bool keeps_duty(const State& state, Action action) const;
    [[nodiscard]] const Move& move_of(Action action) const;

    // game.cpp
    [[gnu::noinline]] void apply(State& state, Move move, int price) const;
    void apply_with(State& state, Move move, int price, auto events) const;
    void act(State& state, Move move, int price, auto events) const;
    void take_card(State& state, bool open) const;
    void draw(State& state, std::size_t kind) const;
    void begin_turn(State& state, std::size_t player) const;
    void clear_turn(State& state) const;
    [[gnu::noinline]] void end_turn(State& state, auto events) const;

    // festival.cpp
    [[nodiscard]] static std::uint32_t bids(const State& state);  // ids as bits
    [[nodiscard]] static const char* refusal_of_bid(const State& state, Move move);
    [[gnu::noinline]] void call_festival(State& state, std::size_t palace) const;
    [[gnu::noinline]] void bid(State& state, Move move, auto events) const;
    [[nodiscard]] static bool bidding_is_over(const State& state);
    void end_festival(State& state, auto events) const;

    // views.cpp, in space numbers
    [[nodiscard]] int height_at(const State& state, std::size_t space) const;
    [[nodiscard]] std::size_t half_palace_at(const State& state, std::size_t space) const;  // half its value, or 0
    [[nodiscard]] int palace_at(const State& state, std::size_t space) const {              // its value, or 0
        return 2 * static_cast<int>(half_palace_at(state, space));
    }
    [[nodiscard]] Spaces spaces_in(const State& state, Plane plane) const;
    [[nodiscard]] std::vector<Spaces> settlement_spaces(const State& state) const;  // JA-14
    [[nodiscard]] bool is_water(const State& state, std::size_t space) const;
    [[nodiscard]] std::vector<Spaces> water_bodies(const State& state) const;  // JA-17
    [[nodiscard]] Value names(const Spaces& spaces) const;
    [[nodiscard]] Value name_of_cell(std::size_t cell) const;
    [[nodiscard]] Value ranking(const State& state, const Spaces& place) const;

    // observation.cpp
    [[nodiscard]] Value::Object turn_and_board(const State& state) const;
    [[nodiscard]] Value seen_by(const State& state, std::optional<Player> viewer) const;
    [[nodiscard]] Value pieces(const State& state) const;
    [[nodiscard]] Value festival(const State& state) const;

    void write_observation(const State& state, Player viewer, auto& out) const;
    void write_spaces(const State& state, auto& out) const;
    void write_bonds(const State& state, auto& out) const;
    [[nodiscard]] tilery::Plane observation_plane() const;
    [[nodiscard]] int most_points() const;

    // words/text.cpp; a viewer sees the other players' hands as far as they are known
    [[nodiscard]] std::string space_text(const State& state, std::size_t space) const;
    [[nodiscard]] std::string island_text(const State& state) const;
    [[nodiscard]] std::string player_text(const State& state, std::size_t player,
                                          std::optional<std::size_t> viewer) const;
    [[nodiscard]] std::string supply_text(const State& state) const;
    [[nodiscard]] std::string turn_text(const State& state) const;
    [[nodiscard]] std::string printed(const State& state, std::optional<std::size_t> viewer) const;

    // validation.cpp
    [[nodiscard]] std::string fault_of_planes(const State& state) const;
    [[nodiscard]] std::string fault_of_seats(const State& state) const;
    [[nodiscard]] std::string fault_of_supply(const State& state) const;
    [[nodiscard]] std::string fault_of_cards(const State& state) const;
    [[nodiscard]] std::string fault_of_scores(const State& state) const;
    [[nodiscard]] int enclosed_points(const State& state) const;
    [[nodiscard]] std::string fault_of_spaces(const State& state) const;
    [[nodiscard]] std::string fault_of_space(const State& state, std::size_t space) const;
    [[nodiscard]] std::string fault_of_settlements(const State& state) const;
    [[nodiscard]] std::string fault_of_bonds(const State& state) const;
    [[nodiscard]] std::string fault_of_bond(const State& state, const Spaces& bond) const;
    [[nodiscard]] bool lost_bond(const State& state, std::size_t space) const;
    [[nodiscard]] std::string fault_of_phase(const State& state) const;
    [[nodiscard]] std::string fault_of_turn(const State& state) const;
    [[nodiscard]] std::string fault_of_deal(const State& state) const;
    [[nodiscard]] std::string fault_of_festival(const State& state) const;

    Rules rules_;
    std::shared_ptr<const Tables> tables_;
};

static_assert(tilery::Game<Game>);

}  // namespace tilery::java

extern template struct tilery::Loops<tilery::java::Game>;
