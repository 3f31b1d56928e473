// SPDX-License-Identifier: MIT
// Pueblo (Kiesling, Kramer; Ravensburger 2002): blocks of one shape on a site of 8 x 8 squares, and a
// chieftain who walks around it and punishes what is visible. The rules: docs/rules/pueblo.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/games/pueblo/legal_actions.hpp"
#include "tilery/games/pueblo/rules.hpp"
#include "tilery/games/pueblo/state.hpp"

namespace tilery {
template <class Thrown>
class ReaderOf;
using ValueReader = ReaderOf<StateDataError>;
}  // namespace tilery

namespace tilery::pueblo {

// Ids: places, steps of the chieftain, then removals, bids, pass and tokens as far as the rules have
// them; see docs/rules/pueblo.md.
class Game {
  public:
    using State = pueblo::State;
    using Rules = pueblo::Rules;
    static constexpr std::string_view kName = "pueblo";
    static constexpr bool kFewestPointsWin = true;
    static constexpr std::array kScoreSources{ScoreSource{"views", "PB-8"}, ScoreSource{"views", "PB-9"},
                                              ScoreSource{"final lap", "PB-17"}, ScoreSource{"bids", "PB-25"}};
    static constexpr std::size_t kNumInputs = 18639;

    static constexpr SearchTuning kSearch{.depth = 8, .rank = 2, .width = 2, .best = 16};
    static constexpr NetTuning kNet{
        .form = NetTuning::Form::kTurns, .depth = 4, .judged = 20, .judged_behind = 8, .judged_learning = 12};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return end_; }
    [[nodiscard]] Action num_chance_actions() const { return 0; }
    [[nodiscard]] int max_decisions() const;
    [[nodiscard]] int max_chance_nodes() const { return 0; }
    [[nodiscard]] bool hides_information() const { return false; }

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const {
        return state.phase == Phase::kOver ? kTerminal : Player{state.player};
    }
    [[nodiscard]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] static NoOutcomes chance_outcomes(const State&) { return {}; }
    void apply_action(State& state, Action action) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const { return per_player(state.points); }
    [[nodiscard]] PerPlayer<int> scores_if_over(const State& state) const;

    [[nodiscard]] ScoreEvents score_events(const State& state, Action action) const;

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

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<ObservationPart> observation_parts() const;
    template <class Number>  // float or std::uint8_t
    void observe(const State& state, Player player, std::span<Number> out) const;
    void determinize(State&, Player, Rng&) const {}  // nothing is hidden

    [[nodiscard]] Value position(const State& state) const { return information_state(state, 0); }
    [[nodiscard]] State state_of(const Value& position) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // The information state except the building.
    [[nodiscard]] Value::Object summary(const State& state) const;
    // Where a block fits (PB-4).
    [[nodiscard]] Fits fits(const State& state) const;
    // The owner of a cube; level from 0, below the square's height.
    [[nodiscard]] int owner(const State& state, int square, int level) const;
    // The points that the chieftain would give from a space (PB-8, PB-9).
    [[nodiscard]] Points seen_from(const State& state, int space) const {
        Points points{};
        add_seen_from(state, space, points);
        return points;
    }
    // The squares the chieftain looks along, nearest first, or the quarter seen from a corner.
    [[nodiscard]] static std::span<const std::uint8_t> looked_at(int space);
    // The squares of the blocks that own the topmost cubes of all of them (PB-20), of any owner.
    [[nodiscard]] Squares unburdened(const State& state) const;
    [[nodiscard]] static bool in_auction(const State& state) {
        return state.phase == Phase::kBid || state.phase == Phase::kToken;
    }
    // The players without a token, and those of them who are not out for this one.
    [[nodiscard]] Seats waiting(const State& state) const;
    [[nodiscard]] Seats bidders_left(const State& state) const;

  private:
    class Validation;  // validation.cpp

    // One of the three columns of a block, relative to its first square and its level there.
    struct Column {
        Narrow<std::int8_t> square, level;
        Byte cubes;
    };
    using Shape = std::array<Column, 3>;
    // The effect of an id in any position.
    struct Meaning {
        Phase phase;
        bool neutral;  // of a placed block
        int number;    // of a window, steps, a square, an amount (0: pass) or a token from 0
    };

    [[nodiscard]] Meaning meaning(Action action) const;
    [[nodiscard]] int blocks_of_each() const { return 2 * kPairs[rules_.players] + 1; }

    // Building (building.cpp)
    [[nodiscard]] bool window_fits(const State& state, const Window& window) const;
    void place(State& state, Action action) const;
    void move(State& state, int steps) const;
    void end_building(State& state) const;
    void give_turn(State& state, int turn) const {
        state.turn = turn;
        state.player = state.order[turn] - 1;
        state.phase = Phase::kPlace;
        if (state.part == 3) begin_demolition_turn(state);
    }
    void end_game(State& state) const;
    [[nodiscard]] bool fits_anywhere(const State& state) const;

    // The chieftain (chieftain.cpp)
    [[gnu::noinline]] void add_seen_from(const State& state, int space, Points& points) const;
    void add_seen_from_corner(const State& state, int corner, Points& points) const;
    [[nodiscard, gnu::noinline]] Points seen_all_round(const State& state) const;
    // The points from a space, an event for each player from the first on.
    void tell_seen(const State& state, int space, Player first, std::size_t source, ScoreEvents& events) const;

    // Demolition (demolition.cpp)
    [[nodiscard]] static int first_square(Block block) { return block >> 10; }
    [[nodiscard]] static int level_of(Block block) { return block >> 4 & 63; }
    [[nodiscard]] const Shape& shape_of_block(Block block) const { return shapes_[block & 15]; }
    [[nodiscard]] int block_owner(const State& state, Block block) const {
        return owner(state, first_square(block), level_of(block));
    }
    [[nodiscard]] bool is_removable(const State& state, Block block) const;
    void begin_demolition_turn(State& state) const;
    [[nodiscard]] Squares recomputed_removable(const State& state, int player) const;
    void take_away(State& state, std::size_t index) const;
    void remove(State& state, int square) const;
    [[nodiscard]] Value block_numbers(const State& state) const;

    // Auction (auction.cpp)
    void open_auction(State& state, int part) const;
    void open_token(State& state, int opener) const;
    void bid(State& state, int amount) const;
    void take_token(State& state, int token) const;

    // Words and observations (words/text.cpp, observation.cpp)
    [[nodiscard]] std::string why_not_here(const State& state, const Window& window) const;
    [[nodiscard]] std::string why_not_removed(const State& state, int square) const;
    // No player ever has more.
    [[nodiscard]] int most_points() const;
    void write_observation(const State& state, auto& out) const;
    void write_building(const State& state, auto& out) const;
    void read_building(const ValueReader& columns, State& state) const;
    void read_blocks(const ValueReader& numbers, State& state) const;

    Rules rules_;
    Action remove_, bid_, pass_, token_, end_;  // the first ids of the blocks
    Squares covered_;                           // under sacred sites
    Fits open_{};  // apexes of the windows inside the site that no sacred site touches (PB-5)
    Keyed<Window, kWindows> windows_{};
    Keyed<Shape, 12> shapes_{};
};

inline Fits Game::fits(const State& state) const {
    const auto [east, north] = compare_neighbours(state.heights);
    // As in the table of the rules: R is where the heights must be equal, L where they must be close.
    const auto open = [this](int d, std::uint64_t windows) { return open_[d] & Squares::of_word(windows); };
    if (rules_.handedness == Handedness::kRight) {
        return {open(0, east.equal & north.close), open(1, north.equal & east.close << 1),
                open(2, north.equal << kSide & east.close), open(3, east.equal << 1 & north.close << kSide)};
    }
    return {open(0, north.equal & east.close), open(1, east.equal << 1 & north.close),
            open(2, east.equal & north.close << kSide), open(3, north.equal << kSide & east.close << 1)};
}

static_assert(tilery::Game<Game>);

}  // namespace tilery::pueblo

extern template struct tilery::Loops<tilery::pueblo::Game>;
