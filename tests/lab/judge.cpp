// SPDX-License-Identifier: MIT
// What the fingerprints see (tests/recorded), without Python: for each line of a file of configurations hashes of all
// actions and scores of 1,000 random games, and of the ends of 100 games of the loop without a watcher. A few games of
// each configuration come first, since they tell most mutants. In these everything else is hashed that the differential
// tests compare at each position.
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tilery/c/words.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/simulation/games.hpp"

namespace {

using namespace tilery;

constexpr std::uint64_t kWatched = 5;  // games looked at in every position

// Actions, weights and scores of a game on the way; now and then which ids are legal, and what each player knows.
template <Game G, class Add>
void watch(const G& game, std::uint64_t seed, std::uint64_t index, Add&& add) {
    typename G::State state = game.initial_state();
    Rng rng(seed, index);
    const int most = game.max_decisions() + game.max_chance_nodes();
    for (int step = 0; game.current_player(state) != kTerminal && step < most; ++step) {
        const bool chance = game.current_player(state) == kChance;
        add(static_cast<std::uint64_t>(game.current_player(state)) + 2);
        with_actions(game, state, [&](std::uint32_t, auto&& for_each) {
            for_each([&](Action action) { add(static_cast<std::uint64_t>(action)); });
        });
        if (chance) {
            game.chance_outcomes(state).for_each([&](Action, std::uint32_t weight) { add(weight); });
        }
        for (const int score : game.scores(state)) add(static_cast<std::uint64_t>(score));
        for (Action id = 0; step % 16 == 0 && id < game.num_distinct_actions(); ++id) add(is_legal(game, state, id));
        for (Player player = 0; step % 16 == 0 && player < game.num_players(); ++player) {
            const std::string seen = game.information_state(state, player).json();
            add(hash_bytes(std::as_bytes(std::span(seen))));
            typename G::State dealt = state;
            Rng deal(seed, static_cast<std::uint64_t>(player));
            game.determinize(dealt, player, deal);
            add(hash_state(game, dealt));
        }
        game.apply_action(state, chance ? random_outcome(game, state, rng) : random_decision(game, state, rng));
    }
    add(hash_state(game, state));
    for (const int bound : {most, game.max_decisions(), game.max_chance_nodes()}) {
        add(static_cast<std::uint64_t>(bound));
    }
    add(game.hides_information() ? 1 : 0);
}

template <Game G>
[[nodiscard]] std::uint64_t judged(const Value::Object& options, std::uint64_t first, std::uint64_t end) {
    constexpr std::uint64_t kSeed = 2026;
    const G game(read_rules<typename G::Rules>(options));
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t number) { hash = mix(hash ^ number); };
    for (std::uint64_t i = first; i < end; ++i) {
        if (i < kWatched) watch(game, kSeed, i, add);
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
    constexpr std::array<std::uint64_t, 5> kEnds{0, 1, kWatched, 100, 1000};
    for (std::size_t round = 1; round < kEnds.size(); ++round) {
        for (const std::string& line : lines) judge(line, kEnds[round - 1], kEnds[round]);
    }
    return 0;
}
