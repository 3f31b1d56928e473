// SPDX-License-Identifier: MIT
// The random policy, and the loop that plays whole games with it.
//
// How a playout becomes one function. Loops<G>::playout is a template that calls the game
// directly, so a compiler can see all of it from here. Each game declares Loops `extern template` behind its
// class and instantiates it at the end of one source file, which contains the code of a turn.
// TILERY_FLATTEN then inlines everything it can reach there: legal actions, the random draw and the move
// become one loop. Three hooks (game.hpp) help. With apply_nth and apply_outcome the drawn choice is
// applied without being turned into an id and back. With kPhasesApart the body of the loop is inlined
// once per phase, so that the compiler drops the code of all other phases from each copy.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tilery/core/game.hpp"

// Inlines all calls of a function, directly and indirectly. Off in instrumented builds, where compiling
// the result takes minutes; define TILERY_NO_FLATTEN to turn it off elsewhere.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer) || __has_feature(coverage_sanitizer)
#define TILERY_INSTRUMENTED
#endif
#endif
#if defined(TILERY_NO_FLATTEN) || defined(TILERY_INSTRUMENTED) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__)
#define TILERY_FLATTEN
#else
#define TILERY_FLATTEN [[gnu::flatten]]
#endif

namespace tilery {

// The random policy (docs/interface.md) draws exactly one number for each action.
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

// Applies the i-th legal action of the current decision.
template <Game G, ActionSet Actions>
void apply_nth(const G& game, typename G::State& state, const Actions& actions, std::uint32_t i) {
    if constexpr (HasApplyNth<G>) {
        game.apply_nth(state, actions, i);
    } else {
        game.apply_action(state, actions[i]);
    }
}

// Applies a random outcome of the current chance node, after passing it to `watch`.
template <Game G, class Watch>
void apply_chance(const G& game, typename G::State& state, Rng& rng, Watch&& watch) {
    if constexpr (HasApplyOutcome<G>) {
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

// A watcher that does nothing.
struct Unwatched {
    void operator()(Action) const {}
};

// Returns step(), called at a place of its own for each phase in [0, kPhases). A switch, because a fold
// over an index sequence becomes a chain of comparisons (6 % more instructions in Taj Mahal).
template <std::size_t kPhases, class Step>
bool visit_phase(std::size_t phase, Step&& step) {
    static_assert(kPhases <= 12, "add cases below");
    assert(phase < kPhases);
    switch (phase) {
        case 0:
            return step();
        case 1:
            return kPhases > 1 && step();
        case 2:
            return kPhases > 2 && step();
        case 3:
            return kPhases > 3 && step();
        case 4:
            return kPhases > 4 && step();
        case 5:
            return kPhases > 5 && step();
        case 6:
            return kPhases > 6 && step();
        case 7:
            return kPhases > 7 && step();
        case 8:
            return kPhases > 8 && step();
        case 9:
            return kPhases > 9 && step();
        case 10:
            return kPhases > 10 && step();
        case 11:
            return kPhases > 11 && step();
        default:
            return false;
    }
}

// Returns step(), inlined once per phase for games with kPhasesApart.
template <Game G, class Step>
bool in_phase(const typename G::State& state, Step&& step) {
    if constexpr (HasPhasesApart<G>) {
        return visit_phase<G::kPhasesApart>(static_cast<std::size_t>(state.phase), step);
    } else {
        return step();
    }
}

// Plays at random to the end of the game, passing each action to `watch` before it is applied.
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

template <Game G>
struct Slot;
struct Decision;

// The loops in which games are played by the million: playout() without a watcher, and those of decisions.hpp.
template <Game G>
struct Loops {
    static Played playout(const G& game, typename G::State& state, Rng& rng);
    static Decision step(const G& game, Slot<G>& slot, std::uint32_t pick);
    static void step_all(const G& game, Slot<G>* slots, const std::uint32_t* picks, std::size_t size, bool fetches,
                         std::uint32_t* num_legal_actions, std::int8_t* players);
};

template <Game G>
TILERY_FLATTEN Played Loops<G>::playout(const G& game, typename G::State& state, Rng& rng) {
    Rng stream = rng;  // a local copy, which no store into the state can alias
    const Played played = tilery::playout(game, state, stream, Unwatched{});
    rng = stream;
    return played;
}

template <Game G>
Played playout(const G& game, typename G::State& state, Rng& rng) {
    return Loops<G>::playout(game, state, rng);
}

}  // namespace tilery
