// SPDX-License-Identifier: MIT
// A flat Monte Carlo bot for any game, written on the C++ concept.
//
//     bot GAME N PLAYOUTS [OPTION=VALUE ...]
//
// plays games 0..N-1 of seed 1 and prints the final scores of each. Player 0 tries every legal action with this many
// random games, after dealing again what they cannot see; the others play at random. With 0 playouts everybody does,
// and the games are those of tilery.simulate(game, N, seed=1) in Python.
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "tilery/c/words.hpp"
#include "tilery/run/games.hpp"
#include "tilery/run/simulate.hpp"

namespace {

using namespace tilery;

template <Game G>
Action best_action(const G& game, const typename G::State& state, int playouts, Rng& rng) {
    const Player player = game.current_player(state);
    Action best = -1;
    double best_sum = 0;
    game.legal_actions(state).for_each([&](Action action) {
        double sum = 0;
        for (int i = 0; i < playouts; ++i) {
            typename G::State trial = state;
            game.determinize(trial, player, rng);
            game.apply_action(trial, action);
            playout(game, trial, rng);
            sum += returns(game, trial)[static_cast<std::size_t>(player)];
        }
        if (best < 0 || sum > best_sum) best = action, best_sum = sum;
    });
    return best;
}

template <Game G>
void play(const G& game, int playouts, Rng rng, Rng luck) {
    typename G::State state = game.initial_state();
    for (Player player = game.current_player(state); player != kTerminal; player = game.current_player(state)) {
        if (player == kChance) {
            game.apply_action(state, random_outcome(game, state, rng));
        } else if (player == 0 && playouts > 0) {
            game.apply_action(state, best_action(game, state, playouts, luck));
        } else {
            game.apply_action(state, random_decision(game, state, rng));
        }
    }
    const auto scores = game.scores(state);
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(game.num_players()); ++seat) {
        std::cout << (seat == 0 ? "" : " ") << scores[seat];
    }
    std::cout << '\n';
}

int run(std::string_view name, std::uint64_t games, int playouts, const Value::Object& options) {
    bool found = false;
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        found = true;
        const G game(read_rules<typename G::Rules>(options));
        for (std::uint64_t i = 0; i < games; ++i) play(game, playouts, Rng(1, i), Rng(2, i));
    });
    if (!found) std::cerr << "bot: unknown game '" << name << "'\n";
    return found ? 0 : 2;
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::cerr << "usage: bot GAME N PLAYOUTS [OPTION=VALUE ...]\n";
        return 2;
    }
    try {
        Value::Object options;
        for (int i = 4; i < count; ++i) {
            if (!add_option(options, words[i]))
                throw OptionError("expected OPTION=VALUE, got " + std::string(words[i]));
        }
        return run(words[1], std::stoull(words[2]), std::stoi(words[3]), options);
    } catch (const std::exception& error) {
        std::cerr << "bot: " << error.what() << '\n';
        return 2;
    }
}
