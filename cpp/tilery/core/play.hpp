// SPDX-License-Identifier: MIT
// What can be done with any game: ask, check, play at random, count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "tilery/core/errors.hpp"
#include "tilery/core/game.hpp"

namespace tilery {

// Whether an id is among the legal actions of a decision. A game that can tell without making
// the set says so by a member is_legal(state, action).
template <Game G>
[[nodiscard]] bool is_legal_decision(const G& game, const typename G::State& state, Action action) {
    if constexpr (requires { game.is_legal(state, action); }) {
        return action >= 0 && action < game.num_distinct_actions() && game.is_legal(state, action);
    } else {
        const auto actions = game.legal_actions(state);
        std::uint32_t low = 0, high = actions.size();
        while (low < high) {
            const std::uint32_t middle = (low + high) / 2;
            if (actions[middle] < action) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < actions.size() && actions[low] == action;
    }
}

// Whether an id may be applied: a legal action, or a possible outcome at a chance node.
template <Game G>
[[nodiscard]] bool is_legal(const G& game, const typename G::State& state, Action action) {
    switch (game.current_player(state)) {
        case kTerminal:
            return false;
        case kChance: {
            bool found = false;
            game.chance_outcomes(state).for_each([&](Action outcome, std::uint32_t) { found |= outcome == action; });
            return found;
        }
        default:
            return is_legal_decision(game, state, action);
    }
}

// Calls use(size, for_each) for all that may be applied, where for_each(f) calls f(action) on each,
// ascending: legal actions, or the outcomes of a chance node; nothing when the game is over.
template <Game G, class Use>
auto with_actions(const G& game, const typename G::State& state, Use&& use) {
    switch (game.current_player(state)) {
        case kTerminal:
            return use(0U, [](auto&&) {});
        case kChance: {
            const auto outcomes = game.chance_outcomes(state);
            std::uint32_t size = 0;
            outcomes.for_each([&](Action, std::uint32_t) { ++size; });
            return use(size, [&](auto&& f) { outcomes.for_each([&](Action outcome, std::uint32_t) { f(outcome); }); });
        }
        default: {
            const auto actions = game.legal_actions(state);
            return use(actions.size(), [&](auto&& f) { actions.for_each(f); });
        }
    }
}

// The door for actions from outside. On refusal the state is left as it was.
template <Game G>
void apply_checked(const G& game, typename G::State& state, Action action) {
    if (is_legal(game, state, action)) {
        game.apply_action(state, action);
        return;
    }
    const Player player = game.current_player(state);
    const std::string what = action >= 0 && action < game.num_distinct_actions()
                                 ? "'" + game.action_to_string(action) + "' (action " + std::to_string(action) + ")"
                                 : "action " + std::to_string(action) + ", which is no id of this game (0.." +
                                       std::to_string(game.num_distinct_actions() - 1) + "),";
    throw IllegalActionError(std::string(G::kName) + ": " + what + " is not legal: " +
                             (player == kTerminal ? "the game is over"
                              : player == kChance ? "it is no outcome of this chance node"
                                                  : "player " + std::to_string(player) + " may not do it here"));
}

// The utilities of G-6: zeros until the game is over.
template <Game G>
[[nodiscard]] PerPlayer<double> returns(const G& game, const typename G::State& state) {
    PerPlayer<double> result{};
    if (game.current_player(state) != kTerminal) return result;
    const auto scores = game.scores(state);
    const auto n = static_cast<std::size_t>(game.num_players());
    const auto [least, most] = std::minmax_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n));
    const int best = G::kFewestPointsWin ? *least : *most;
    const auto k =
        static_cast<double>(std::count(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n), best));
    const auto players = static_cast<double>(n);
    for (std::size_t player = 0; player < n; ++player) {
        result[player] = scores[player] == best ? (players - k) / (k * (players - 1)) : -1 / (players - 1);
    }
    return result;
}

// The action of the random policy (docs/interface.md): exactly one draw.
template <Game G>
[[nodiscard]] Action random_outcome(const G& game, const typename G::State& state, Rng& rng) {
    const auto outcomes = game.chance_outcomes(state);
    return outcomes.at(rng.below(outcomes.total()));
}

template <Game G>
[[nodiscard]] Action random_decision(const G& game, const typename G::State& state, Rng& rng) {
    const auto actions = game.legal_actions(state);
    return actions[rng.below(actions.size())];
}

// Takes the i-th of the legal actions of the decision that stands. A game that knows more about
// it than its id says how to take it by a member apply_nth(state, actions, i).
template <Game G, ActionSet Actions>
void apply_nth(const G& game, typename G::State& state, const Actions& actions, std::uint32_t i) {
    if constexpr (requires { game.apply_nth(state, actions, i); }) {
        game.apply_nth(state, actions, i);
    } else {
        game.apply_action(state, actions[i]);
    }
}

// Takes a random outcome of the chance node that stands, after showing it to `watch`. A game that
// knows more about it than its id says how to take the outcome whose share of [0, total) holds r by a
// member apply_outcome(state, outcomes, r).
template <Game G, class Watch>
void apply_chance(const G& game, typename G::State& state, Rng& rng, Watch&& watch) {
    if constexpr (requires { game.apply_outcome(state, game.chance_outcomes(state), 0U); }) {
        const auto outcomes = game.chance_outcomes(state);
        const std::uint32_t r = rng.below(outcomes.total());
        watch(outcomes.at(r));
        game.apply_outcome(state, outcomes, r);
    } else {
        const Action action = random_outcome(game, state, rng);
        watch(action);
        game.apply_action(state, action);
    }
}

struct Played {
    std::uint32_t actions = 0;    // chance included
    std::uint32_t decisions = 0;  // by players alone
};

// For the loop in which whole games are played. Not where every access is instrumented: what
// becomes one function there takes a compiler many minutes.
#ifdef __SANITIZE_ADDRESS__
#define TILERY_FLATTEN
#else
#define TILERY_FLATTEN [[gnu::flatten]]
#endif

// The watcher of those who do not look.
struct Unwatched {
    void operator()(Action) const {}
};

// Answers step(). A game whose phases (State::phase) have little in common says kPhasesApart; then
// each of the first twelve calls it at a place of its own. Where all is inlined a compiler knows there
// which phase it is, and leaves out the rest. Where phases share much, the copies only cost.
template <Game G, class Step>
bool in_phase(const typename G::State& state, Step&& step) {
    if constexpr (requires { requires G::kPhasesApart; }) {
        switch (static_cast<std::size_t>(state.phase)) {
            case 0:
                return step();
            case 1:
                return step();
            case 2:
                return step();
            case 3:
                return step();
            case 4:
                return step();
            case 5:
                return step();
            case 6:
                return step();
            case 7:
                return step();
            case 8:
                return step();
            case 9:
                return step();
            case 10:
                return step();
            case 11:
                return step();
        }
    }
    return step();
}

// Plays at random to the end, showing each action to `watch` before it is taken.
template <Game G, class Watch>
Played playout(const G& game, typename G::State& state, Rng& rng, Watch&& watch) {
    constexpr bool watched = !std::is_same_v<std::remove_cvref_t<Watch>, Unwatched>;
    Played played;
    const auto step = [&] {
        const Player player = game.current_player(state);
        if (player == kTerminal) return false;
        if (player == kChance) {
            apply_chance(game, state, rng, watch);
        } else {
            const auto actions = game.legal_actions(state);
            const std::uint32_t i = rng.below(actions.size());
            if constexpr (watched) watch(actions[i]);
            apply_nth(game, state, actions, i);
            ++played.decisions;
        }
        ++played.actions;
        return true;
    };
    while (in_phase<G>(state, step)) {
    }
    return played;
}

// The same, unwatched: where games are played by the million. Every game instantiates it in its own
// source, where all of a turn can become one function (an `extern template` behind its class).
template <Game G>
TILERY_FLATTEN Played playout(const G& game, typename G::State& state, Rng& rng) {
    Rng stream = rng;  // of our own, which no store into the state can touch
    const Played played = playout(game, state, stream, Unwatched{});
    rng = stream;
    return played;
}

// The number of paths of `depth` actions from here; chance outcomes are branches too. Paths that
// end earlier are not counted. `go_on` is asked now and then and ends the count by answering false.
template <Game G, class GoOn>
[[nodiscard]] std::uint64_t perft(const G& game, const typename G::State& state, int depth, GoOn&& go_on) {
    if (depth == 0) return 1;
    return with_actions(game, state, [&](std::uint32_t size, auto&& for_each) {
        if (depth == 1) return std::uint64_t{size};
        std::uint64_t paths = 0;
        for_each([&](Action action) {
            if (depth > 2 && !go_on()) return;
            typename G::State next = state;
            game.apply_action(next, action);
            paths += perft(game, next, depth - 1, go_on);
        });
        return paths;
    });
}

}  // namespace tilery
