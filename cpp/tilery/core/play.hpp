// SPDX-License-Identifier: MIT
// Common operations on any game: ask what is legal and why not, apply with a check, count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "tilery/core/errors.hpp"
#include "tilery/core/game.hpp"

namespace tilery {

// The first of the places below size that holds an id, if one does; the id at a place, at(i), never falls from one
// place to the next.
[[nodiscard]] std::optional<std::uint32_t> place_of(Action action, std::uint32_t size, auto&& at) {
    std::uint32_t low = 0, high = size;
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (at(middle) < action) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < size && at(low) == action ? std::optional(low) : std::nullopt;
}

// The place of an id in a set of legal actions, if it is there.
[[nodiscard]] std::optional<std::uint32_t> index_in(const ActionSet auto& actions, Action action) {
    return place_of(action, actions.size(), [&actions](std::uint32_t i) { return actions[i]; });
}

// Whether an id may be applied: a legal action, or a possible outcome at a chance node.
template <Game G>
[[nodiscard]] bool is_legal(const G& game, const typename G::State& state, Action action) {
    switch (game.current_player(state)) {
        case kTerminal:
            return false;
        case kChance: {
            // Not by visiting all: some sets hold every card of which several are the same outcome.
            const auto outcomes = game.chance_outcomes(state);
            return place_of(action, outcomes.total(), [&outcomes](std::uint32_t r) { return outcomes.at(r); })
                .has_value();
        }
        default:
            if constexpr (HasIsLegal<G>) {
                return action >= 0 && action < game.num_distinct_actions() && game.is_legal(state, action);
            } else {
                return index_in(game.legal_actions(state), action).has_value();
            }
    }
}

// An action in words.
template <Game G>
[[nodiscard]] std::string describe_action(const G& game, Action action) {
    const std::string token = game.action_to_string(action);  // throws ParseError for what is not an id
    if constexpr (HasDescribeAction<G>) return game.describe_action(action);
    return token;
}

// One sentence that begins with the number of a rule ("PB-5: ..."), or "" if the action may be applied.
// The reasons that hold for every game are given here; a game explains its own rules in its hook why_illegal.
template <Game G>
[[nodiscard]] std::string why_illegal(const G& game, const typename G::State& state, Action action) {
    if (is_legal(game, state, action)) return "";
    const Action ids = game.num_distinct_actions();
    if (action < 0 || action >= ids) {
        return "G-4: the action ids of this game are 0.." + std::to_string(ids - 1);
    }
    const Player player = game.current_player(state);
    if (player == kTerminal) return "G-4: the game is over";
    if (player == kChance) return "G-2: chance is to act, and this is not one of the possible outcomes";
    if constexpr (HasWhyIllegal<G>) return game.why_illegal(state, action);
    return "G-4: this is not one of the legal actions of player " + std::to_string(player);
}

// A set of legal actions as the function that visits them; the set may also have a faster way to list them.
template <ActionSet Actions>
struct EachAction {
    const Actions& actions;

    void operator()(auto&& f) const { actions.for_each(f); }
    template <class T, class Map>
        requires requires(const Actions& set, T* to, const Map& map) { set.write(to, 0, map); }
    void write(T* to, std::size_t room, const Map& map) const {
        actions.write(to, room, map);
    }
};

// Writes map(action) for each action that for_each(f) visits, in order. There is room for at least these, and what is
// in the rest of it may change; map is called for other ids of the game, too.
template <class ForEach, class T, class Map>
void write_actions(const ForEach& for_each, T* to, std::size_t room, const Map& map) {
    if constexpr (requires { for_each.write(to, room, map); }) {
        for_each.write(to, room, map);
    } else {
        for_each([&to, &map](Action action) { *to++ = map(action); });
    }
}

// Calls use(size, for_each) with everything that may be applied, where for_each(f) calls f(action) for
// each, ascending: legal actions, or the outcomes of a chance node, or nothing when the game is over.
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
            return use(actions.size(), EachAction<decltype(game.legal_actions(state))>{actions});
        }
    }
}

// Throws IllegalActionError unless an action from an untrusted caller may be applied.
template <Game G>
void check_legal(const G& game, const typename G::State& state, Action action) {
    if (is_legal(game, state, action)) return;
    const bool known = action >= 0 && action < game.num_distinct_actions();
    refuse_action(G::kName, action, known ? game.action_to_string(action) : "",
                  known ? describe_action(game, action) : "", why_illegal(game, state, action));
}

// Applies an action from an untrusted caller. An illegal one throws IllegalActionError and leaves the
// state unchanged.
template <Game G>
void apply_checked(const G& game, typename G::State& state, Action action) {
    check_legal(game, state, action);
    game.apply_action(state, action);
}

// The points if the game ended here: those on the track, where a game gives none at its end.
template <Game G>
[[nodiscard]] PerPlayer<int> scores_if_over(const G& game, const typename G::State& state) {
    if constexpr (HasScoresIfOver<G>) return game.scores_if_over(state);
    return game.scores(state);
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

// The number of paths of `depth` actions from this state; chance outcomes are branches too. Paths that
// end earlier are not counted. `go_on` is called now and then and ends the count by returning false.
template <Game G>
[[nodiscard]] std::uint64_t perft(const G& game, const typename G::State& state, int depth, const GoOn& go_on) {
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
