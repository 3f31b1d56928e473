// SPDX-License-Identifier: MIT
// The whole architecture: what a type must provide to be a game, and what else it may provide.
// Everything else is generic over this concept.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tilery/core/inputs.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/score_events.hpp"
#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

struct PictureInput;  // picture.hpp

// The legal actions of a decision, ascending. A game may list them (ActionList) or compute them from
// something smaller, such as sets of cells: a random playout then never makes a list. The set may refer
// to the state and is valid until the state changes.
template <class S>
concept ActionSet = requires(const S set, std::uint32_t i, void (*visit)(Action)) {
    { set.size() } -> std::same_as<std::uint32_t>;
    { set[i] } -> std::same_as<Action>;  // the i-th in ascending order
    set.for_each(visit);
};

// The outcomes of a chance node, ascending, with integer weights (G-2). Valid until the state changes.
template <class S>
concept OutcomeSet = requires(const S set, std::uint32_t r, void (*visit)(Action, std::uint32_t)) {
    { set.total() } -> std::same_as<std::uint32_t>;
    { set.at(r) } -> std::same_as<Action>;  // the outcome whose share of [0, total) contains r
    set.for_each(visit);
};

// Hooks: optional members. Some make a game faster, the others tell more about it; without them generic code has a
// default. Tests find a hook with a misspelt name (tests/house/test_hooks.py) or another signature (test_laws.cpp).

// Whether an id of the game is a legal action of the decision, without making the set.
template <class G>
concept HasIsLegal = requires(const G game, const typename G::State state, Action action) {
    { game.is_legal(state, action) } -> std::same_as<bool>;
};
// Applies the i-th legal action of the decision without computing its id.
template <class G>
concept HasApplyNth = requires(const G game, const typename G::State state, typename G::State next, std::uint32_t i) {
    { game.apply_nth(next, game.legal_actions(state), i) } -> std::same_as<void>;
};
// Applies the outcome whose share of [0, total) contains r without computing its id.
template <class G>
concept HasApplyOutcome =
    requires(const G game, const typename G::State state, typename G::State next, std::uint32_t r) {
        { game.apply_outcome(next, game.chance_outcomes(state), r) } -> std::same_as<void>;
    };
// The number of values of State::phase; the hot loop is compiled once for each (playout.hpp).
template <class G>
concept HasPhasesApart = requires(const typename G::State state) {
    { G::kPhasesApart } -> std::same_as<const std::size_t&>;
    static_cast<std::size_t>(state.phase);
};
// The bytes of a slot (decisions.hpp: the state, its stream, the actions) that most steps touch, as ranges. They are
// loaded ahead where many games are stepped in turn; the processor does the same for small slots by itself.
struct ByteRange {
    std::size_t begin, end;
};
template <class G>
concept HasTouched = requires { std::span<const ByteRange>(G::kTouched); };
// The one form of all states that are the same position.
template <class G>
concept HasCanonical = requires(const G game, const typename G::State state) {
    { game.canonical(state) } -> std::same_as<typename G::State>;
};
// A hash that is the same for all states that are the same position, where canonical(state) takes long.
template <class G>
concept HasPositionHash = requires(const G game, const typename G::State state) {
    { game.position_hash(state) } -> std::same_as<std::uint64_t>;
};
// Why an id of the game is not legal at this decision: one sentence that begins with the number of the
// first rule broken ("PB-5: ...").
template <class G>
concept HasWhyIllegal = requires(const G game, const typename G::State state, Action action) {
    { game.why_illegal(state, action) } -> std::same_as<std::string>;
};
// An action about to be applied as a player sees it: its id, or kUnseen (types.hpp).
template <class G>
concept HasActionSeenBy = requires(const G game, const typename G::State state, Player player, Action action) {
    { game.action_seen_by(state, player, action) } -> std::same_as<Action>;
};
// The position as every spectator sees it, with the keys of information_state except private ones.
template <class G>
concept HasPublicState = requires(const G game, const typename G::State state) {
    { game.public_state(state) } -> std::same_as<Value>;
};
// The board as a player may see it.
template <class G>
concept HasPlayerToString = requires(const G game, const typename G::State state, Player player) {
    { game.to_string(state, player) } -> std::same_as<std::string>;
};
// The whole state in readable keys and tokens, and back. state_of throws StateDataError where it cannot
// read a value; its callers then ask fault().
template <class G>
concept HasPosition = requires(const G game, const typename G::State state, const Value position) {
    { game.position(state) } -> std::same_as<Value>;
    { game.state_of(position) } -> std::same_as<typename G::State>;
};
// An action in words, for any id of the game.
template <class G>
concept HasDescribeAction = requires(const G game, Action action) {
    { game.describe_action(action) } -> std::same_as<std::string>;
};
// The things that a person points at, one after the other, to choose an action: {"cell:1,2", "turn:3"}.
template <class G>
concept HasPicks = requires(const G game, Action action) {
    { game.picks(action) } -> std::same_as<std::vector<std::string>>;
};
// One of these things in words, for a button where a picture does not show it; "" where the default will do.
template <class G>
concept HasDescribePick = requires(const G game, std::string_view pick) {
    { game.describe_pick(pick) } -> std::same_as<std::string>;
};
// A drawing of a position as SVG, made only from what its viewers know.
template <class G>
concept HasPicture = requires(const G game, const PictureInput& input) {
    { game.picture(input) } -> std::same_as<std::string>;
};
// The points if the game ended at this state: scores() and what the final scoring would add to the position as it lies.
// Equal to scores() when the game is over. A search judges by them where it cuts a playout.
template <class G>
concept HasScoresIfOver = requires(const G game, const typename G::State state) {
    { game.scores_if_over(state) } -> std::same_as<PerPlayer<int>>;
};
// The same by what the points are for; nothing that is hidden. A page shows it where one points at the board.
template <class G>
concept HasStanding = requires(const G game, const typename G::State state) {
    { game.standing(state) } -> std::same_as<ScoreEvents>;
};
// The price of a legal action in a currency of the turn, such as action points.
template <class G>
concept HasCost = requires(const G game, const typename G::State state, Action action) {
    { game.cost(state, action) } -> std::same_as<int>;
    { G::kCostUnit } -> std::convertible_to<std::string_view>;
};
// The points that a position is worth to each player beyond scores_if_over, as measured by matches (docs/bots.md); none
// when the game is over. A search adds them where it judges a position.
template <class G>
concept HasProspects = requires(const G game, const typename G::State state) {
    { game.prospects(state) } -> std::same_as<PerPlayer<int>>;
};
// Whether a round of the game begins here, before its first action. A search cuts playouts only there, because the
// things played in a round under way cannot be judged by what is left in hand.
template <class G>
concept HasRoundBegins = requires(const G game, const typename G::State state) {
    { game.round_begins(state) } -> std::same_as<bool>;
};

// The inputs of a learner at a position from one seat (inputs.hpp), made from the knowledge of that player alone, with
// the other seats relative to theirs, so that equal knowledge gives equal inputs.
template <class G>
concept HasInputs = requires(const G game, const typename G::State state, Player player, Inputs& inputs, InputId id) {
    { G::kNumInputs } -> std::convertible_to<std::size_t>;
    { game.inputs(state, player, inputs) } -> std::same_as<void>;  // adds to cleared inputs, and sets their points
    { game.input_name(id) } -> std::same_as<std::string>;
};
// Whether a network judges the position right after an action of this player. By default where their turn is over: the
// next action is not theirs. A game whose inputs tell its actions apart may have every action judged. A position that
// is not judged is played on by the best actions of the player.
template <class G>
concept HasJudgeable = requires(const G game, const typename G::State state, Player player) {
    { game.judgeable(state, player) } -> std::same_as<bool>;
};

// The points that a legal action or outcome is going to give, with their reasons, in an order that the game's page
// fixes; per player they sum to the change of scores().
template <class G>
concept HasScoreEvents = requires(const G game, const typename G::State state, Action action) {
    { std::span(G::kScoreSources) } -> std::convertible_to<std::span<const ScoreSource>>;
    { game.score_events(state, action) } -> std::same_as<ScoreEvents>;
};

// How the strongest search plays a game, measured (docs/bots.md). A game may have its own as
// static constexpr SearchTuning kSearch.
struct SearchTuning {
    static constexpr std::uint32_t kToTheEnd = 0xFFFFFFFF;
    static constexpr std::uint32_t kNever = 1'000'000;

    double exploration = 0.5;
    std::uint32_t depth = 20;     // decisions from the root after which a playout is cut
    std::uint32_t rank = kNever;  // at which pass a node ranks its actions by the lead right after them
    std::uint32_t width = 4;      // a node of n visits tries at most width * sqrt(n + 1) actions
    std::uint32_t best = 1;       // a decision of a cut playout is the best by lead of this many random ones
    int cut_up_to = kMaxPlayers;  // players of the games whose playouts are cut; those of more go to the end
};

// A game is an immutable, shared object whose functions take a plain value, the state.
//
// The value is a state: trivially copyable and without padding, so that a copy saves the game, the
// bytes are the identity, and undo is a copy kept from before. Equal positions have equal bytes: unused
// storage is always cleared, and nothing in a state records how it was reached.
//
// A game may use names in its states that depend on the order of events (numbers of features, slots of
// pieces) if it has the hook canonical(state), which returns the one form of all states of a position.
// Equality, hashes and serialization use that form (serialize.hpp).
//
// Preconditions: call legal_actions only at a decision and chance_outcomes only at a chance node;
// apply_action does not check its argument. The checked entry points are in play.hpp. These three
// functions never allocate, throw or lock.
template <class G>
concept Game =
    std::is_trivially_copyable_v<typename G::State> && std::has_unique_object_representations_v<typename G::State> &&
    std::constructible_from<G, const typename G::Rules&> &&  // throws OptionError
    requires(const G game, const typename G::State state, typename G::State next, Action action, Player player,
             Rng& rng, std::string_view token, std::span<float> floats) {
        { G::kName } -> std::convertible_to<std::string_view>;
        { G::kFewestPointsWin } -> std::convertible_to<bool>;  // otherwise most points win; ties share
        { game.rules() } -> std::same_as<const typename G::Rules&>;
        { game.num_players() } -> std::same_as<int>;
        { game.num_distinct_actions() } -> std::same_as<Action>;
        { game.num_chance_actions() } -> std::same_as<Action>;  // the ids of chance are [0, this)
        { game.max_decisions() } -> std::same_as<int>;
        { game.max_chance_nodes() } -> std::same_as<int>;
        { game.hides_information() } -> std::same_as<bool>;  // if false, determinize is the identity

        { game.initial_state() } -> std::same_as<typename G::State>;
        { game.current_player(state) } -> std::same_as<Player>;
        { game.legal_actions(state) } -> ActionSet;
        { game.chance_outcomes(state) } -> OutcomeSet;
        game.apply_action(next, action);
        { game.scores(state) } -> std::same_as<PerPlayer<int>>;

        { game.action_to_string(action) } -> std::same_as<std::string>;  // any id of the game
        { game.string_to_action(token) } -> std::same_as<Action>;        // throws ParseError
        { game.to_string(state) } -> std::same_as<std::string>;          // a board for people to read

        { game.information_state(state, player) } -> std::same_as<Value>;
        { game.observation_parts() } -> std::same_as<std::vector<ObservationPart>>;
        game.observe(state, player, floats);  // fills all of floats, which has the size of all parts
        game.determinize(next, player, rng);  // redraws what the player does not know

        // Why this state cannot occur, or "" if it can. Untrusted bytes that pass are safe to query and
        // to play on.
        { game.fault(state) } -> std::same_as<std::string>;
    };

}  // namespace tilery
