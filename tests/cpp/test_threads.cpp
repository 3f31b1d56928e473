// SPDX-License-Identifier: MIT
// Simulations, batches and searches give the same results on any number of threads; run under
// ThreadSanitizer by `nox -s threads`.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/simulation/batch.hpp"
#include "tilery/simulation/games.hpp"
#include "tilery/simulation/pool.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery::tests {

void test_threads(std::string_view name);

namespace {

constexpr unsigned kThreads = 3;

// Every item of a call is worked on once, on whichever threads.
void share_in_pools() {
    for (const unsigned threads : {1U, 2U, kThreads}) {
        Pool pool(threads);
        for (const std::size_t count : {0U, 1U, 2U, 63U, 64U, 65U, 1000U}) {
            std::vector<std::uint32_t> times(count, 0);
            const auto work = [&](std::size_t from, std::size_t to) {
                for (std::size_t i = from; i < to; ++i) ++times[i];
            };
            const auto all = [&](std::uint32_t n) {
                return std::ranges::all_of(times, [n](std::uint32_t time) { return time == n; });
            };
            std::uint32_t calls = 0;
            for (const std::size_t piece : {1U, 7U, 64U}) {
                pool.run(count, piece, work);
                CHECK(all(++calls));
            }
            for (const double worth_waking : {0.0, 1.0, 1e3, 1e9}) {
                Pace pace;
                for (int i = 0; i < 20; ++i) {
                    pool.run(count, pace, worth_waking, work);
                    CHECK(all(++calls));
                }
            }
        }
    }
}

void average_a_pace() {
    Pace pace;
    pace.add(0, 100);
    CHECK(!pace.known());
    pace.add(2, 200);
    CHECK(pace.known() && pace.of(3) == 300);
    pace.add(1, 12);
    CHECK(pace.of(1) == 89);
    pace.add(1, 1e9);  // was interrupted, and counts as twice the average
    CHECK(pace.of(8) == 9 * 89);
}

template <Game G>
void simulate_on_threads(const G& game) {
    constexpr std::size_t kGames = 100;
    const auto hashes = [&](unsigned threads) {
        std::vector<std::uint64_t> found(kGames);
        CHECK(simulate(
            game, [&](std::uint64_t) { return game.initial_state(); }, 5, 0, kGames, threads, Unwatched{},
            [&](std::uint64_t i, const typename G::State& state, Played) { found[i] = hash_state(game, state); },
            [] { return true; }));
        return found;
    };
    CHECK(hashes(1) == hashes(kThreads));
}

template <Game G>
void step_on_threads(const G& game) {
    constexpr std::size_t kSize = 70;
    Batch<G> alone(game, {.size = kSize, .seed = 5, .threads = 1});
    Batch<G> together(game, {.size = kSize, .seed = 5, .threads = kThreads, .worth_waking = 0});
    std::vector<std::int32_t> picks(kSize), others(kSize);
    for (int step = 0; step < 60; ++step) {
        alone.random_indices(picks.data());
        together.random_indices(others.data());
        CHECK(picks == others);
        alone.step(picks.data());
        together.step(others.data());
    }
    alone.determinize(0, 6);
    together.determinize(0, 6);
    const auto same = [&] {
        for (std::size_t i = 0; i < kSize; ++i) {
            if (!same_position(game, alone.state(i), together.state(i))) return false;
        }
        return alone.view()->num_legal_actions == together.view()->num_legal_actions;
    };
    CHECK(same());
    alone.playout();
    together.playout();
    CHECK(same() && alone.view()->scores == together.view()->scores);
}

template <Game G>
void search_on_threads(const G& game) {
    typename G::State state = game.initial_state();
    Rng rng(5);
    while (game.current_player(state) == kChance) game.apply_action(state, random_outcome(game, state, rng));
    for (const char* const text : {"uct:120,trees=4", "mcts:120,trees=4"}) {
        const auto analysed = [&](unsigned threads) {
            search::Chooser<G> chooser(game, search::parse_policy(text));
            return chooser.analyse(state, 7, {.threads = threads, .go_on = [] { return true; }});
        };
        const search::Analysis alone = analysed(1), together = analysed(kThreads);
        CHECK(alone.best == together.best && alone.line == together.line && alone.nodes == together.nodes);
        CHECK(alone.simulations == together.simulations);
    }
    const search::Analysis one = search::Chooser<G>(game, search::parse_policy("uct:1")).analyse(state, 7, {});
    CHECK(one.simulations == 1 && one.nodes == 1 && one.edges == 1 && one.bytes > 0);
    search::Chooser<G> chooser(game, search::parse_policy("uct:1000000,trees=3"));
    bool stopped = false;
    try {
        static_cast<void>(chooser.analyse(state, 7, {.threads = kThreads, .go_on = [] { return false; }}));
    } catch (const search::Interrupted&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

void test_threads(std::string_view name) {
    share_in_pools();
    average_a_pace();
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        const G game{typename G::Rules{}};
        simulate_on_threads(game);
        step_on_threads(game);
        search_on_threads(game);
    });
}

}  // namespace tilery::tests
