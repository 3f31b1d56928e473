// SPDX-License-Identifier: MIT
// The bare loop: random games inside C++, nothing else. What callgrind counts and what simulate is
// measured against.
//
//     tilery_play GAME N [--threads T] [--repeat R] [--table | --driver] [--copy] [OPTION=VALUE ...]
//
// plays games 0..N-1 of seed 1 and prints one line of JSON with times, counts and a checksum of all
// results, which must be the same for every build. Times are of each repetition; --table plays the
// games action by action through the C table, --driver decision by decision, on one thread; --copy also
// times the copy of a state in the cache.
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "program.hpp"
#include "tilery/any/game_of.hpp"
#include "tilery/any/kinds.hpp"
#include "tilery/c/table.hpp"
#include "tilery/simulation/simulate.hpp"

namespace {

using namespace tilery;

struct Arguments {
    std::uint64_t n;
    unsigned threads;
    int repeat;
    bool table, driver, copy;
    Value::Object options;
};

std::string scientific(double number) {
    std::ostringstream out;
    out << std::scientific << number;
    return out.str();
}

// Seconds per copy of a state from one place in the cache to another.
template <Game G>
double copy_time(const typename G::State& start) {
    constexpr int kCopies = 2'000'000;
    std::array<typename G::State, 2> states{start, start};
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kCopies; ++i) {
        // The barrier keeps the compiler from leaving copies out.
        std::memcpy(&states[static_cast<std::size_t>(i & 1)], &states[static_cast<std::size_t>(~i & 1)], sizeof start);
        asm volatile("" : : "r"(states.data()) : "memory");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return took.count() / kCopies;
}

// The loop of a bot that has the table from a capsule: three calls for each action.
template <Game G, class Done>
void simulate_through_table(const tilery_game* handle, std::uint64_t seed, std::uint64_t count, const Done& done) {
    const tilery_api* const api = tilery_find_api(G::kName.data());
    alignas(8) typename G::State state;
    for (std::uint64_t i = 0; i < count; ++i) {
        tilery_rng rng;
        Played played;
        api->seed_rng(&rng, seed, i);
        api->initial_state(handle, &state);
        for (;; ++played.actions) {
            const Player player = api->current_player(handle, &state);
            if (player == kTerminal) break;
            played.decisions += player == kChance ? 0U : 1U;
            api->apply_action(handle, &state, api->random_action(handle, &state, &rng));
        }
        done(i, state, played);
    }
}

// The same with a driver: one call for each decision.
template <Game G, class Done>
void simulate_through_driver(const tilery_game* handle, std::uint64_t seed, std::uint64_t count, const Done& done) {
    const tilery_api* const api = tilery_find_api(G::kName.data());
    tilery_driver* driver = nullptr;
    if (api->new_driver(handle, &driver) != TILERY_OK) std::exit(1);
    tilery_rng* const stream = api->driver_rng(driver);
    for (std::uint64_t i = 0; i < count; ++i) {
        tilery_rng rng;
        Played played;
        api->seed_rng(&rng, seed, i);
        for (std::int32_t legal = api->drive(driver, nullptr, &rng); legal > 0; ++played.decisions) {
            legal = api->play(driver, tilery_below(stream, static_cast<std::uint32_t>(legal)));
        }
        played.actions = played.decisions;  // a driver does not count chance
        done(i, *static_cast<const typename G::State*>(api->driver_state(driver)), played);
    }
    api->free_driver(driver);
}

template <Game G>
void run(const Arguments& arguments, const any::GameKind& kind) {
    const G game(read_rules<typename G::Rules>(arguments.options));
    const std::unique_ptr<any::AnyGame> made = kind.make(kind, arguments.options);  // for the table
    const typename G::State start = game.initial_state();
    std::vector<std::uint64_t> hashes(arguments.n);
    std::vector<Played> counts(arguments.n);
    std::string seconds;
    for (int repetition = 0; repetition < arguments.repeat; ++repetition) {
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played played) {
            std::uint64_t hash = played.decisions;
            for (const int score : game.scores(state)) hash = mix(hash ^ static_cast<std::uint64_t>(score));
            hashes[i] = hash;
            counts[i] = played;
        };
        const auto began = std::chrono::steady_clock::now();
        if (arguments.table) {
            simulate_through_table<G>(c::handle_of(*made), 1, arguments.n, done);
        } else if (arguments.driver) {
            simulate_through_driver<G>(c::handle_of(*made), 1, arguments.n, done);
        } else {
            simulate(
                game, [&start](std::uint64_t) { return start; }, 1, 0, arguments.n, arguments.threads, Unwatched{},
                done, [] { return true; });
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        seconds += (repetition > 0 ? ", " : "") + std::to_string(took.count());
    }
    std::uint64_t checksum = 0, actions = 0, decisions = 0;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        checksum = mix(checksum ^ hashes[i]);
        actions += counts[i].actions;
        decisions += counts[i].decisions;
    }
    std::cout << "{\"game\": \"" << G::kName << "\", \"games\": " << arguments.n
              << ", \"threads\": " << arguments.threads << ", \"seconds\": [" << seconds
              << "], \"actions\": " << actions << ", \"decisions\": " << decisions
              << (arguments.copy ? ", \"copy_seconds\": " + scientific(copy_time<G>(start)) : std::string())
              << ", \"state_bytes\": " << sizeof(typename G::State) << ", \"checksum\": \"" << std::hex << checksum
              << "\"}\n";
}

}  // namespace

int main(int count, char** words) {
    const bench::Words given(count, words, {"--threads", "--repeat"}, {"--table", "--driver", "--copy"});
    if (given.plain().size() != 2) {
        std::cerr << "usage: tilery_play GAME N [--threads T] [--repeat R] [--table | --driver] [--copy] "
                     "[OPTION=VALUE ...]\n";
        return 2;
    }
    const Arguments arguments{.n = bench::to_count(given.plain()[1]),
                              .threads = static_cast<unsigned>(given.number("--threads", 1)),
                              .repeat = given.number("--repeat", 1),
                              .table = given.has("--table"),
                              .driver = given.has("--driver"),
                              .copy = given.has("--copy"),
                              .options = given.options()};
    return bench::with_game(given.plain()[0], [&]<Game G>() {
        any::for_each_kind([&]<Game Other, auto kind>() {
            if constexpr (std::is_same_v<G, Other>) run<G>(arguments, kind());
        });
    });
}
