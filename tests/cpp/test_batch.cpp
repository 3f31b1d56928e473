// SPDX-License-Identifier: MIT
// Threads in batches, simulations and searches change nothing. Under ThreadSanitizer this is what looks for races.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "check.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/options.hpp"
#include "tilery/simulation/batch.hpp"
#include "tilery/simulation/games.hpp"
#include "tilery/simulation/policies.hpp"

namespace tilery::tests {

void test_batch(std::string_view name, const Value::Object& options);

namespace {

constexpr unsigned kThreads = 4;

// What all games of a batch look like.
template <Game G>
struct Seen {
    std::vector<std::uint32_t> counts;
    std::vector<std::int8_t> players;
    std::vector<double> returns;
    std::vector<std::int32_t> scores, ids;
    std::vector<std::uint8_t> mask, packed;
    std::vector<float> observations, last;

    explicit Seen(const Batch<G>& batch)
        : counts(batch.view()->num_legal_actions),
          players(batch.view()->current_player),
          returns(batch.view()->returns),
          scores(batch.view()->scores) {
        const std::size_t size = batch.size();
        std::vector<std::int64_t> offsets(size + 1, 0);
        for (std::size_t i = 0; i < size; ++i) offsets[i + 1] = offsets[i] + counts[i];
        ids.resize(static_cast<std::size_t>(offsets[size]));
        batch.legal_actions(offsets.data(), ids.data());
        const auto actions = static_cast<std::size_t>(batch.game().num_distinct_actions());
        std::vector<char> bools(size * actions);
        batch.mask(reinterpret_cast<bool*>(bools.data()));
        mask.assign(bools.begin(), bools.end());
        packed.resize(size * ((actions + 7) / 8));
        batch.packed_mask(packed.data());
        std::size_t width = 1;
        for (const int length : batch.game().observation_shape()) width *= static_cast<std::size_t>(length);
        observations.resize(size * width);
        last.resize(size * width);
        batch.observations(observations.data(), NumberKind::kFloat32, std::nullopt);
        batch.final_observations(last.data(), NumberKind::kFloat32, std::nullopt);
    }
    bool operator==(const Seen&) const = default;
};

template <Game G>
void test_threads_of_a_batch(const G& game, BatchPlan plan, int steps) {
    Batch<G> alone(game, plan);
    plan.threads = kThreads;
    plan.worth_waking = 0;
    Batch<G> together(game, plan);
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
    }
    alone.determinize(0, 5);
    together.determinize(0, 5);
    alone.playout();
    together.playout();
    CHECK(Seen(alone) == Seen(together));
    std::vector<std::size_t> all(plan.size);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const std::unique_ptr<AnyBatch> copies = together.select(all);
    CHECK(Seen(static_cast<const Batch<G>&>(*copies)) == Seen(alone));
}

// A call that is told to stop leaves all games as they were.
template <Game G>
void test_a_stopped_batch(const G& game) {
    Batch<G> batch(game, {.size = 8, .threads = kThreads, .rotate = true, .opponents = search::Greedy{.worlds = 1}});
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
template <Game G>
void test_saved_streams(const G& game) {
    const auto streams = [&](const BatchPlan& plan) { return Batch<G>(game, plan).save(1).streams.size() / 2; };
    CHECK(streams({.size = 2}) == 1 && streams({.size = 2, .player = 0}) == 1);
    const BatchPlan thinking{.size = 2, .player = 0, .opponents = search::Greedy{.worlds = 1}};
    CHECK(streams(thinking) == 1 + static_cast<std::size_t>(game.num_players()));
}

template <Game G>
void test_threads_of_simulations(const G& game) {
    LineUp<G> line_up{.seats = {}, .rotate = true};
    for (Player p = 0; p < game.num_players(); ++p) {
        line_up.seats.emplace_back(p == 0 ? search::Policy(search::Greedy{.worlds = 1})
                                          : search::Policy(search::Random{}));
    }
    const auto scores = [&](unsigned threads, bool at_random) {
        std::vector<PerPlayer<int>> all(70);
        const auto start = [&](std::uint64_t) { return game.initial_state(); };
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played) { all[i] = game.scores(state); };
        const auto go_on = [] { return true; };
        if (at_random) {
            CHECK(simulate(game, start, 3, 0, all.size(), threads, Unwatched{}, done, go_on));
        } else {
            all.resize(9);
            CHECK(simulate(game, start, line_up, 3, 0, all.size(), threads, Unwatched{}, done, go_on));
        }
        return all;
    };
    for (const bool at_random : {true, false}) CHECK(scores(1, at_random) == scores(kThreads, at_random));
}

template <Game G>
void test_threads_of_a_search(const G& game) {
    Slot<G> slot;
    slot.state = game.initial_state();
    static_cast<void>(settle(game, slot));
    search::Mcts policy;
    policy.simulations = 60;
    policy.trees = 5;
    const auto visits = [&](unsigned threads) {
        search::Chooser<G> chooser(game, policy);
        const search::Analysis analysis =
            chooser.analyse(slot.state, 7, {.threads = threads, .go_on = nullptr, .stop = nullptr});
        std::map<Action, std::uint64_t> all;
        for (const search::ActionReport& report : analysis.actions) all[report.action] = report.visits;
        return all;
    };
    CHECK(visits(1) == visits(kThreads));
}

}  // namespace

void test_batch(std::string_view name, const Value::Object& options) {
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        const G game(read_rules<typename G::Rules>(options));
        test_threads_of_a_batch(game, {.size = 50, .seed = 1}, 20);
        test_threads_of_a_batch(game, {.size = 50, .seed = 2, .autoreset = false, .player = 0}, 10);
        test_threads_of_a_batch(game, {.size = 6, .seed = 3, .rotate = true, .opponents = search::Greedy{.worlds = 1}},
                                3);
        test_a_stopped_batch(game);
        test_saved_streams(game);
        test_threads_of_simulations(game);
        test_threads_of_a_search(game);
    });
}

}  // namespace tilery::tests
