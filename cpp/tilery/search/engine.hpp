// SPDX-License-Identifier: MIT
// The definitions of chooser.hpp. Only the sources that compile a game's search include it.
#pragma once

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "tilery/search/chooser.hpp"
#include "tilery/search/learned.hpp"
#include "tilery/search/search.hpp"
#include "tilery/search/threads.hpp"

namespace tilery::search {

template <Game G>
struct Chooser<G>::Scratch {
    std::vector<Search<G>> trees;
    std::unique_ptr<Learned<G>> learned;
};

template <Game G>
Chooser<G>::Chooser(const G& game, const Policy& policy)
    : game_(game), policy_(resolved(policy, G::kName)), scratch_(std::make_unique<Scratch>()) {
    const auto* const mcts = std::get_if<Mcts>(&policy_);
    const bool judges = mcts != nullptr && !mcts->eval.empty();
    const auto* const nn = std::get_if<Nn>(&policy_);
    if (nn != nullptr || judges) {
        scratch_->learned = std::make_unique<Learned<G>>(game, nn != nullptr ? *nn : Nn{.eval = mcts->eval});
    }
}

template <Game G>
Chooser<G>::~Chooser() = default;

// The index below `size` with the greatest value(i); of several with the same value, one uniformly at random.
template <class Value>
[[nodiscard]] std::uint32_t best_at_random(std::uint32_t size, Rng& rng, Value&& value) {
    std::uint32_t best = 0, equal = 0;
    std::invoke_result_t<Value, std::uint32_t> most{};
    for (std::uint32_t i = 0; i < size; ++i) {
        const auto now = value(i);
        if (i == 0 || now > most) {
            most = now;
            best = i;
            equal = 1;
        } else if (now == most && rng.below(++equal) == 0) {
            best = i;
        }
    }
    return best;
}

// The best margin of points that a player can have now or, where the next decision is theirs too and has at most so
// many actions, after it.
template <Game G>
[[nodiscard]] int margin_ahead(const G& game, const typename G::State& state, Player player, std::uint64_t most) {
    const auto scores = [&](const typename G::State& at) { return game.scores(at); };
    if (game.current_player(state) == player) {
        const auto actions = game.legal_actions(state);
        if (actions.size() <= most) {
            int best = std::numeric_limits<int>::min();
            for (std::uint32_t i = 0; i < actions.size(); ++i) {
                best = std::max(best, lead_after(game, state, actions, i, scores));
            }
            return best;
        }
    }
    return margin(game, scores(state), player);
}

template <Game G>
[[nodiscard]] Action choose_by(const Greedy& policy, const G& game, const typename G::State& state, Rng rng,
                               Watchdog& watchdog) {
    const auto actions = game.legal_actions(state);
    const Player player = game.current_player(state);
    std::vector<typename G::State> worlds(game.hides_information() ? static_cast<std::size_t>(policy.worlds) : 1,
                                          state);
    if (game.hides_information()) {
        for (auto& world : worlds) game.determinize(world, player, rng);
    }
    const std::uint32_t best = best_at_random(actions.size(), rng, [&](std::uint32_t i) {
        static_cast<void>(watchdog.go_on());
        std::int64_t sum = 0;
        for (const auto& world : worlds) {
            auto next = world;
            game.apply_action(next, actions[i]);
            sum += margin_ahead(game, next, player, policy.ahead);
        }
        return sum;
    });
    return actions[best];
}

template <Game G>
[[nodiscard]] Action choose_by(const Flat& policy, const G& game, const typename G::State& state, Rng rng,
                               Watchdog& watchdog) {
    const auto actions = game.legal_actions(state);
    const Player player = game.current_player(state);
    const bool hides = game.hides_information();
    const std::uint32_t best = best_at_random(actions.size(), rng, [&](std::uint32_t i) {
        double sum = 0;
        for (std::uint64_t n = 0; n < policy.playouts; ++n) {
            static_cast<void>(watchdog.go_on());
            auto next = state;
            if (hides) game.determinize(next, player, rng);
            game.apply_action(next, actions[i]);
            if (game.current_player(next) != kTerminal) playout(game, next, rng);
            sum += static_cast<double>(final_utilities(game, next)[static_cast<std::size_t>(player)]);
        }
        return sum;
    });
    return actions[best];
}

// Runs all trees of a budget, on the threads of the control, the caller among them. The first error on any thread, lack
// of memory included, stops the others and is thrown to the caller.
template <Game G>
void run_trees(std::vector<Search<G>>& trees, const Budget& budget, const typename G::State& state, std::uint64_t seed,
               [[maybe_unused]] const Control& control, Watchdog& watchdog) {
    const std::size_t count = trees.size();
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(budget.memory << 20, SIZE_MAX) / count);
    const auto share = [&](std::size_t t) {
        return budget.simulations / count + (t < budget.simulations % count ? 1 : 0);
    };
    for (std::size_t t = 0; t < count; ++t) trees[t].prepare(share(t), bytes);
    const auto run = [&](std::size_t t, Watchdog& dog) {
        if (budget.simulations == 0 || share(t) > 0) trees[t].run(state, Rng(seed, t), share(t), dog);
    };
#ifdef __STDCPP_THREADS__  // not in WebAssembly
    if (control.threads > 1 && count > 1) {
        std::atomic<bool> stop{false};
        std::atomic<std::size_t> next{0};
        const auto threads = static_cast<unsigned>(std::min<std::size_t>(control.threads, count));
        return run_on_threads(threads, stop, [&](unsigned self) {
            const Control own{
                .threads = 1, .go_on = self == 0 ? control.go_on : nullptr, .stop = &stop, .enough = control.enough};
            Watchdog dog(own, budget.seconds);
            for (std::size_t t = next++; t < count; t = next++) run(t, dog);
        });
    }
#endif
    for (std::size_t t = 0; t < count; ++t) run(t, watchdog);
}

// The trees as one.
template <Game G>
[[nodiscard]] Analysis merge(const std::vector<Search<G>>& trees, Player player) {
    std::vector<RootEdge> edges;
    for (const Search<G>& search : trees) std::ranges::copy(search.root_edges(), std::back_inserter(edges));
    Analysis analysis = analysis_of(merged(edges), player, utility_of);
    for (const Search<G>& search : trees) {
        analysis.simulations += search.simulations();
        analysis.nodes += search.tree().num_nodes();
        analysis.edges += search.tree().num_edges();
        analysis.bytes += search.tree().bytes();
    }
    return analysis;
}

// By trees of the settings, which are made unless there are some.
template <Game G>
[[nodiscard]] Analysis search_by(const Budget& budget, const Settings& settings, const G& game,
                                 const typename G::State& state, std::uint64_t seed, std::vector<Search<G>>& trees,
                                 const Control& control) {
    Watchdog watchdog(control, budget.seconds);
    if (trees.empty()) {
        for (std::uint64_t t = 0; t < budget.trees; ++t) trees.emplace_back(game, settings, control.callbacks);
    }
    run_trees(trees, budget, state, seed, control, watchdog);
    Analysis analysis = merge(trees, game.current_player(state));
    const auto legal = static_cast<double>(game.legal_actions(state).size());
    for (ActionReport& report : analysis.actions) report.prior = 1 / legal;
    analysis.line = trees.front().line(analysis.best);
    analysis.seconds = watchdog.seconds();
    return analysis;
}

template <Game G>
Action Chooser<G>::choose(const State& state, std::uint64_t luck, const Control& control) {
    return std::visit(
        [&]<class P>(const P& policy) {
            if constexpr (std::is_same_v<P, Random>) {
                const auto actions = game_.legal_actions(state);
                return actions[static_cast<std::uint32_t>(multiply_high(luck, actions.size()))];  // Rng::below
            } else if constexpr (std::is_same_v<P, Nn>) {
                return scratch_->learned->choose(state, luck, control);
            } else if constexpr (std::is_same_v<P, Rung> || std::is_same_v<P, Champion>) {
                return Action{0};  // resolved() leaves neither
            } else {
                const auto actions = game_.legal_actions(state);
                if (actions.size() == 1) return actions[0];
                if constexpr (std::is_base_of_v<Budget, P>) {
                    return analyse(state, luck, control).best;
                } else {
                    Watchdog watchdog(control, 0);
                    return choose_by(policy, game_, state, Rng(luck), watchdog);
                }
            }
        },
        policy_);
}

template <Game G>
Analysis Chooser<G>::analyse(const State& state, std::uint64_t luck, const Control& control) {
    return std::visit(
        [&]<class P>(const P& policy) {
            Analysis analysis;
            if constexpr (std::is_same_v<P, Nn>) {
                analysis = scratch_->learned->analyse(state, luck, control);
            } else if constexpr (std::is_base_of_v<Budget, P>) {
                if constexpr (std::is_same_v<P, Mcts>) {
                    if (scratch_->learned) return scratch_->learned->search(state, policy, luck, control);
                }
                const Settings settings(policy, tuning_of(game_), control.callbacks);
                analysis = search_by(policy, settings, game_, state, luck, scratch_->trees, control);
            }
            return analysis;
        },
        policy_);
}

}  // namespace tilery::search
