// SPDX-License-Identifier: MIT
// Threads in batches, simulations and searches change nothing. Under ThreadSanitizer, which `nox -s threads` uses, this
// is what looks for races.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "check.hpp"
#include "tilery/any/batch.hpp"
#include "tilery/any/kinds.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/simulation/games.hpp"
#include "tilery/simulation/policies.hpp"
#include "tilery/simulation/pool.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery::tests {

void test_pools();
void test_threads(std::string_view name, const Value::Object& options);

namespace {

constexpr unsigned kThreads = 4;

// Every item of a call is worked on once, on whichever threads.
void share_in_pools() {
    for (const unsigned threads : {1U, 2U, 3U, kThreads}) {
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

// A caller that has nothing left to do waits for the others, and meanwhile calls what it was given to watch.
void wait_in_pools() {
    Pool pool(2);
    for (const bool watched : {false, true}) {
        std::atomic<bool> begun{false};
        std::atomic<int> done{0}, watches{0};
        const auto work = [&, caller = std::this_thread::get_id()](std::size_t, std::size_t) {
            if (std::this_thread::get_id() == caller) {
                while (!begun) std::this_thread::yield();
            } else {
                begun = true;
                do {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                } while (watched && watches == 0);
            }
            ++done;
        };
        std::function<void()> watch;
        if (watched) watch = [&] { ++watches; };
        pool.run(2, 1, work, watch);
        CHECK(done == 2);
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

using any::Batch;
using any::BatchPlan;

// What all games of a batch look like.
struct Seen {
    std::vector<std::uint32_t> counts;
    std::vector<std::int8_t> players;
    std::vector<double> returns;
    std::vector<std::int32_t> scores, ids;
    std::vector<std::uint8_t> mask, packed;
    std::vector<float> observations, last;

    explicit Seen(const Batch& batch)
        : counts(batch.view()->num_legal_actions),
          players(batch.view()->current_player),
          returns(batch.view()->returns),
          scores(batch.view()->scores) {
        const std::size_t size = batch.size();
        std::vector<std::int64_t> offsets(size + 1, 0);
        for (std::size_t i = 0; i < size; ++i) offsets[i + 1] = offsets[i] + counts[i];
        ids.resize(static_cast<std::size_t>(offsets[size]));
        batch.legal_actions(offsets.data(), ids.data());
        const any::GameFacts& facts = batch.game().facts();
        const auto actions = static_cast<std::size_t>(facts.num_distinct_actions);
        std::vector<char> bools(size * actions);
        batch.mask(reinterpret_cast<bool*>(bools.data()));
        mask.assign(bools.begin(), bools.end());
        packed.resize(size * ((actions + 7) / 8));
        batch.packed_mask(packed.data());
        observations.resize(size * facts.observation_size());
        last.resize(size * facts.observation_size());
        batch.observations(observations.data(), NumberKind::kFloat32, std::nullopt);
        batch.final_observations(last.data(), NumberKind::kFloat32, std::nullopt);
    }
    bool operator==(const Seen&) const = default;
};

bool same_games(const Batch& one, const Batch& other) {
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (!one.game().same_position(one.state_in(i), other.state_in(i))) return false;
    }
    return Seen(one) == Seen(other);
}

void test_threads_of_a_batch(const any::AnyGame& game, BatchPlan plan, int steps) {
    Batch alone(game, plan);
    plan.threads = kThreads;
    plan.worth_waking = 0;
    Batch together(game, plan);
    std::vector<std::int32_t> picks(plan.size), others(plan.size);
    for (int step = 0; step < steps; ++step) {
        CHECK(Seen(alone) == Seen(together));
        alone.random_indices(picks.data());
        together.random_indices(others.data());
        CHECK(picks == others);
        alone.step(picks.data());
        together.step(others.data());
        CHECK(Seen(alone) == Seen(together));
        alone.random_step();
        together.random_step();
        const std::vector<float> uniforms(plan.size * 2, 0.5F);
        CHECK(alone.random_steps(uniforms.data(), 2) == together.random_steps(uniforms.data(), 2));
    }
    alone.determinize(0, 5);
    together.determinize(0, 5);
    CHECK(same_games(alone, together));
    alone.playout();
    together.playout();
    CHECK(same_games(alone, together));
    std::vector<std::size_t> all(plan.size);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    CHECK(Seen(*together.select(all)) == Seen(alone));
}

// A call that is told to stop leaves all games as they were.
void test_a_stopped_batch(const any::AnyGame& game) {
    Batch batch(game, {.size = 8, .threads = kThreads, .rotate = true, .opponents = search::Greedy{.worlds = 1}});
    const Seen before(batch);
    std::vector<std::int32_t> picks(batch.size(), 0);
    bool stopped = false;
    try {
        batch.step(picks.data(), [n = 0]() mutable { return ++n < 3; });
    } catch (const search::Interrupted&) {
        stopped = true;
    }
    CHECK(!stopped || Seen(batch) == before);
}

// What is saved of a game: the stream of the game, and one of each seat only where opponents think.
void test_saved_streams(const any::AnyGame& game) {
    const auto streams = [&](const BatchPlan& plan) { return Batch(game, plan).save(1).streams.size() / 2; };
    CHECK(streams({.size = 2}) == 1 && streams({.size = 2, .player = 0}) == 1);
    const BatchPlan thinking{.size = 2, .player = 0, .opponents = search::Greedy{.worlds = 1}};
    CHECK(streams(thinking) == 1 + static_cast<std::size_t>(game.num_players()));
}

template <Game G>
void test_threads_of_simulations(const G& game) {
    LineUp line_up{.seats = {}, .rotate = true};
    for (Player p = 0; p < game.num_players(); ++p) {
        line_up.seats.emplace_back(p == 0 ? search::Policy(search::Greedy{.worlds = 1})
                                          : search::Policy(search::Random{}));
    }
    const auto hashes = [&](unsigned threads, bool at_random) {
        std::vector<std::uint64_t> all(at_random ? 100 : 9);
        const auto start = [&](std::uint64_t) { return game.initial_state(); };
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played) {
            all[i] = hash_state(game, state);
        };
        const auto go_on = [] { return true; };
        CHECK(at_random ? simulate(game, start, 3, 0, all.size(), threads, Unwatched{}, done, go_on)
                        : simulate(game, start, line_up, 3, 0, all.size(), threads, Unwatched{}, done, go_on));
        return all;
    };
    for (const bool at_random : {true, false}) CHECK(hashes(1, at_random) == hashes(kThreads, at_random));
}

template <Game G>
typename G::State first_decision(const G& game) {
    Slot<G> slot;
    slot.state = game.initial_state();
    static_cast<void>(settle(game, slot));
    return slot.state;
}

template <Game G>
void test_threads_of_a_search(const G& game) {
    const auto state = first_decision(game);
    for (const char* const text : {"uct:120,trees=4", "mcts:60,trees=5"}) {
        const auto analysed = [&](unsigned threads) {
            search::Chooser<G> chooser(game, search::parse_policy(text));
            return chooser.analyse(state, 7, {.threads = threads, .go_on = [] { return true; }});
        };
        const search::Analysis alone = analysed(1), together = analysed(kThreads);
        CHECK(alone.best == together.best && alone.line == together.line && alone.nodes == together.nodes);
        CHECK(alone.simulations == together.simulations);
        const auto visited = [](const search::ActionReport& each) { return std::pair(each.action, each.visits); };
        CHECK(std::ranges::equal(alone.actions, together.actions, {}, visited, visited));
    }
    const search::Analysis one = search::Chooser<G>(game, search::parse_policy("uct:1")).analyse(state, 7, {});
    CHECK(one.simulations == 1 && one.nodes == 1 && one.edges == 1 && one.bytes > 0);
}

template <Game G>
void test_a_stopped_search(const G& game) {
    search::Chooser<G> chooser(game, search::parse_policy("uct:1000000,trees=3"));
    const auto state = first_decision(game);
    bool stopped = false;
    try {
        static_cast<void>(chooser.analyse(state, 7, {.threads = kThreads, .go_on = [] { return false; }}));
    } catch (const search::Interrupted&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

void test_pools() {
    share_in_pools();
    wait_in_pools();
    average_a_pace();
}

void test_threads(std::string_view name, const Value::Object& options) {
    any::for_each_kind([&]<Game G, auto kind>() {
        if (G::kName != name) return;
        const any::GameKind known = kind();
        const std::unique_ptr<any::AnyGame> any = known.make(known, options);
        test_threads_of_a_batch(*any, {.size = 70, .seed = 1}, 30);
        test_threads_of_a_batch(*any, {.size = 50, .seed = 2, .autoreset = false, .player = 0}, 10);
        test_threads_of_a_batch(*any, {.size = 6, .seed = 3, .rotate = true, .opponents = search::Greedy{.worlds = 1}},
                                3);
        test_a_stopped_batch(*any);
        test_saved_streams(*any);
        const G game(read_rules<typename G::Rules>(options));
        test_threads_of_simulations(game);
        test_threads_of_a_search(game);
        test_a_stopped_search(game);
    });
}

}  // namespace tilery::tests
