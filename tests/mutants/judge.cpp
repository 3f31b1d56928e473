// SPDX-License-Identifier: MIT
// What the fingerprints see (tests/recorded), without Python: for each line of a file of configurations hashes of all
// actions and scores of 1,000 random games, and of the ends of 100 games of the loop without a watcher. A few games of
// each configuration come first, since they tell most mutants.
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tilery/c/words.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/run/games.hpp"

namespace {

using namespace tilery;

template <Game G>
[[nodiscard]] std::uint64_t judged(const Value::Object& options, std::uint64_t first, std::uint64_t end) {
    constexpr std::uint64_t kSeed = 2026;
    const G game(read_rules<typename G::Rules>(options));
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t number) { hash = mix(hash ^ number); };
    for (std::uint64_t i = first; i < end; ++i) {
        typename G::State state = game.initial_state();
        Rng rng(kSeed, i);
        // A mutant may never end.
        const Played played =
            playout(game, state, rng, [&](Action action) { add(static_cast<std::uint64_t>(action)); });
        add(played.decisions);
        for (const int score : game.scores(state)) add(static_cast<std::uint64_t>(score));
        if (i % 10 != 0) continue;
        const std::uint64_t over = hash_state(game, state);
        typename G::State again = game.initial_state();
        Rng same(kSeed, i);
        playout(game, again, same);
        add(hash_state(game, again) == over ? 0 : 1);
    }
    return hash;
}

void judge(const std::string& line, std::uint64_t first, std::uint64_t end) {
    std::string_view rest(line);
    const std::string_view name = rest.substr(0, rest.find('\t'));
    Value::Object options;
    while (rest.find('\t') != std::string_view::npos) {
        rest.remove_prefix(rest.find('\t') + 1);
        add_option(options, rest.substr(0, rest.find('\t')));
    }
    for_each_game([&]<Game G>() {
        if (G::kName == name) std::cout << line << ' ' << first << ' ' << judged<G>(options, first, end) << std::endl;
    });
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) return 2;
    std::ifstream file(words[1]);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    constexpr std::array<std::uint64_t, 4> kEnds{0, 5, 100, 1000};
    for (std::size_t round = 1; round < kEnds.size(); ++round) {
        for (const std::string& line : lines) judge(line, kEnds[round - 1], kEnds[round]);
    }
    return 0;
}
