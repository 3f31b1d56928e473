// SPDX-License-Identifier: MIT
// The architecture on one screen: what a game must say of itself. All the rest is written once.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

// The legal actions of a decision, ascending. A game may list them (ActionList) or answer from
// something smaller, such as sets of cells: a random playout then never makes a list.
template <class S>
concept ActionSet = requires(const S set, std::uint32_t i, void (*visit)(Action)) {
    { set.size() } -> std::same_as<std::uint32_t>;
    { set[i] } -> std::same_as<Action>;  // the i-th in ascending order
    set.for_each(visit);
};

// The outcomes of a chance node, ascending, with integer weights (G-2).
template <class S>
concept OutcomeSet = requires(const S set, std::uint32_t r, void (*visit)(Action, std::uint32_t)) {
    { set.total() } -> std::same_as<std::uint32_t>;
    { set.at(r) } -> std::same_as<Action>;  // the outcome whose share of [0, total) holds r
    set.for_each(visit);
};

// A game is an immutable object, shared by all, that answers questions about a plain value.
//
// The value is a state: trivially copyable and without padding, so that copying it saves the
// game, its bytes are its identity, and undo is the copy one kept. Equal positions have equal
// bytes: dead storage is always cleared, and nothing in a state remembers how it came about.
//
// A game may keep names in its states that depend on the order of events (numbers of features,
// slots of pieces) if it says how to name anew: a member canonical(state) gives the one form of
// all states that are the same position. Equality, hashes and serialization go through it
// (serialize.hpp), and only that form has equal bytes for equal positions.
//
// Questions about what is legal may only be asked where they make sense (legal_actions at a
// decision, chance_outcomes at a chance node), and apply_action trusts its caller; the doors for
// everybody are in play.hpp. None of the three allocates, throws or locks.
template <class G>
concept Game =
    std::is_trivially_copyable_v<typename G::State> && std::has_unique_object_representations_v<typename G::State> &&
    std::constructible_from<G, const typename G::Rules&> &&  // throws OptionError
    requires(const G game, const typename G::State state, typename G::State next, Action action, Player player,
             Rng& rng, std::string_view token, std::span<float> floats) {
        { G::kName } -> std::convertible_to<std::string_view>;
        { G::kFewestPointsWin } -> std::convertible_to<bool>;  // else most points win; ties share
        { game.rules() } -> std::same_as<const typename G::Rules&>;
        { game.num_players() } -> std::same_as<int>;
        { game.num_distinct_actions() } -> std::same_as<Action>;
        { game.max_game_length() } -> std::same_as<int>;

        { game.initial_state() } -> std::same_as<typename G::State>;
        { game.current_player(state) } -> std::same_as<Player>;
        { game.legal_actions(state) } -> ActionSet;
        { game.chance_outcomes(state) } -> OutcomeSet;
        game.apply_action(next, action);
        { game.scores(state) } -> std::same_as<PerPlayer<int>>;

        { game.action_to_string(action) } -> std::same_as<std::string>;  // any id of the game
        { game.string_to_action(token) } -> std::same_as<Action>;        // throws ParseError
        { game.to_string(state) } -> std::same_as<std::string>;          // a board a person can read

        { game.information_state(state, player) } -> std::same_as<Value>;
        { game.observation_shape() } -> std::same_as<std::vector<int>>;
        game.observe(state, player, floats);  // fills all of floats, which has the shape's size
        game.determinize(next, player, rng);  // deals anew what the player does not know

        // What makes bytes from outside no possible state, or empty if nothing does. A state
        // without fault can be asked and played on safely.
        { game.fault(state) } -> std::same_as<std::string>;
    };

}  // namespace tilery
