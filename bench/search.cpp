// SPDX-License-Identifier: MIT
// Simulations per second of a search and playouts per second, from the same states of a game.
//
//     tilery_search GAME SKIP SIMULATIONS [--policy TEXT] [--positions P] [--repeat R] [OPTION=VALUE ...]
//
// takes positions after SKIP random decisions (seeds 11, 12, ...) and prints for each one line of JSON:
// CPU seconds of every repetition of the search, and in turn with them of as many playouts, each after a
// determinization where something is hidden, and of as many determinizations alone (0 where nothing is hidden).
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

#include "program.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/search/utility.hpp"

namespace {

using namespace tilery;

struct Arguments {
    std::string policy;
    int skip, positions, repeat;
    std::uint64_t simulations;
    Value::Object options;
};

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double timed(Work&& work) {
    const double began = cpu_seconds();
    work();
    return cpu_seconds() - began;
}

// The first decision with a choice after a number of random decisions; a terminal state if the game ends before.
template <Game G>
typename G::State position(const G& game, int skip, std::uint64_t seed) {
    typename G::State state = game.initial_state();
    Rng rng(seed);
    for (int decisions = 0;;) {
        const Player player = game.current_player(state);
        if (player == kTerminal) return state;
        if (player == kChance) {
            game.apply_action(state, random_outcome(game, state, rng));
            continue;
        }
        if (decisions >= skip && game.legal_actions(state).size() > 1) return state;
        game.apply_action(state, random_decision(game, state, rng));
        ++decisions;
    }
}

template <Game G>
void run(const Arguments& arguments) {
    const G game(read_rules<typename G::Rules>(arguments.options));
    for (int p = 0; p < arguments.positions; ++p) {
        const auto state = position(game, arguments.skip, 11 + static_cast<std::uint64_t>(p));
        if (game.current_player(state) == kTerminal) continue;
        const std::string text = arguments.policy + ":" + std::to_string(arguments.simulations);
        search::Chooser<G> chooser(game, search::parse_policy(text));
        search::Analysis analysis;
        std::string searches, playouts, deals;
        std::int64_t points = 0;
        const bool hides = game.hides_information();
        const Player player = game.current_player(state);
        for (int repetition = 0; repetition < arguments.repeat; ++repetition) {
            Rng rng(7, static_cast<std::uint64_t>(repetition));
            const char* const comma = repetition > 0 ? ", " : "";
            searches += comma + std::to_string(timed([&] { analysis = chooser.analyse(state, rng.next()); }));
            playouts += comma + std::to_string(timed([&] {
                            for (std::uint64_t i = 0; i < arguments.simulations; ++i) {
                                auto copy = state;
                                if (hides) game.determinize(copy, player, rng);
                                playout(game, copy, rng);
                                points += game.scores(copy)[0];
                            }
                        }));
            deals += comma + std::to_string(timed([&] {
                         for (std::uint64_t i = 0; hides && i < arguments.simulations; ++i) {
                             auto copy = state;
                             game.determinize(copy, player, rng);
                             points += game.scores(copy)[0];
                         }
                     }));
        }
        std::cout << "{\"game\": \"" << G::kName << "\", \"legal\": " << game.legal_actions(state).size()
                  << ", \"simulations\": " << analysis.simulations << ", \"search_seconds\": [" << searches
                  << "], \"playout_seconds\": [" << playouts << "], \"determinize_seconds\": [" << deals
                  << "], \"nodes\": " << analysis.nodes << ", \"edges\": " << analysis.edges
                  << ", \"bytes\": " << analysis.bytes << ", \"best\": \"" << game.action_to_string(analysis.best)
                  << "\", \"points\": " << points << "}\n";
    }
}

}  // namespace

int main(int count, char** words) {
    const bench::Words given(count, words, {"--policy", "--positions", "--repeat"});
    if (given.plain().size() != 3) {
        std::cerr << "usage: tilery_search GAME SKIP SIMULATIONS [--policy TEXT] [--positions P] [--repeat R] "
                     "[OPTION=VALUE ...]\n";
        return 2;
    }
    const Arguments arguments{.policy = given.text("--policy", "uct"),
                              .skip = std::atoi(given.plain()[1].c_str()),
                              .positions = given.number("--positions", 4),
                              .repeat = given.number("--repeat", 5),
                              .simulations = bench::to_count(given.plain()[2]),
                              .options = given.options()};
    return bench::with_game(given.plain()[0], [&]<Game G>() { run<G>(arguments); });
}
