// SPDX-License-Identifier: MIT
// Two numbers for each game that every compiler, every level of optimisation and every processor must print.
//
//     tilery_checksum GAMES WATCHED NETWORKS
//
// plays games 0..GAMES-1 of seed 1 with the loop of simulate(), and games 0..WATCHED-1 action by action with everything
// that players see on the way; that is the first number. The second is of what policies choose on the way of two games,
// with the network of the folder NETWORKS where it has one of the game. `nox -s platforms` builds and runs it.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/observation.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/net/shelf.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/simulation/games.hpp"

namespace {

using namespace tilery;

class Sum {
  public:
    void add(std::uint64_t number) { sum_ = mix(sum_ ^ number); }
    template <class T>
    void add_bytes(std::span<const T> items) {
        add(hash_bytes(std::as_bytes(items)));
    }
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

  private:
    std::uint64_t sum_ = 0;
};

template <Game G>
void watch(const G& game, const typename G::State& state, Sum& sum, std::vector<float>& floats) {
    if (!game.fault(state).empty()) sum.add(1);
    for (Player player = 0; player < game.num_players(); ++player) {
        game.observe(state, player, std::span<float>(floats));
        sum.add_bytes(std::span<const float>(floats));
        const std::string seen = game.information_state(state, player).json();
        sum.add_bytes(std::span<const char>(seen));
        typename G::State dealt = state;
        Rng rng(2, static_cast<std::uint64_t>(player));
        game.determinize(dealt, player, rng);
        sum.add(hash_state(game, dealt));
    }
    const std::string board = game.to_string(state);
    sum.add_bytes(std::span<const char>(board));
}

template <Game G>
[[nodiscard]] std::uint64_t checksum(std::uint64_t games, std::uint64_t watched) {
    const G game{typename G::Rules{}};
    Sum sum;
    for (std::uint64_t i = 0; i < games; ++i) {
        typename G::State state = game.initial_state();
        Rng rng(1, i);
        sum.add(playout(game, state, rng).actions);
        sum.add(hash_state(game, state));
    }
    std::vector<float> floats(size_of(shape_of(game.observation_parts())));
    for (std::uint64_t i = 0; i < watched; ++i) {
        typename G::State state = game.initial_state();
        Rng rng(1, i);
        for (int step = 0; game.current_player(state) != kTerminal; ++step) {
            if (step % 8 == 0) watch(game, state, sum, floats);
            const Action action = game.current_player(state) == kChance ? random_outcome(game, state, rng)
                                                                        : random_decision(game, state, rng);
            with_actions(game, state, [&](std::uint32_t count, auto&&) { sum.add(count); });
            sum.add(static_cast<std::uint64_t>(action));
            game.apply_action(state, action);
        }
        watch(game, state, sum, floats);
        for (const double utility : returns(game, state)) sum.add(std::bit_cast<std::uint64_t>(utility));
    }
    return sum.sum();
}

// What policies choose at every sixteenth decision of two random games, the ones with networks where there is one.
template <Game G>
[[nodiscard]] std::uint64_t choices(const std::string& networks) {
    const G game{typename G::Rules{}};
    std::vector<std::string_view> texts{"greedy", "flat:2", "uct:50", "mcts:50"};
    // By C's functions, since not every platform has streams of files.
    const std::string path = networks + "/" + std::string(G::kName) + ".tnn";
    if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
        std::string bytes;
        for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) bytes += static_cast<char>(byte);
        std::fclose(file);
        net::load_by_hash(bytes);
        for (const char* text : {"nn", "nn:2", "mcts:20,eval=nn"}) texts.emplace_back(text);
    }
    std::vector<std::unique_ptr<search::Chooser<G>>> choosers;
    for (const std::string_view text : texts) {
        choosers.push_back(std::make_unique<search::Chooser<G>>(game, search::parse_policy(text)));
    }
    Sum sum;
    sum.add(texts.size());
    for (std::uint64_t i = 0; i < 2; ++i) {
        typename G::State state = game.initial_state();
        Rng rng(1, i);
        for (int decisions = 0; game.current_player(state) != kTerminal;) {
            if (game.current_player(state) == kChance) {
                game.apply_action(state, random_outcome(game, state, rng));
                continue;
            }
            if (decisions++ % 16 == 0) {
                for (const auto& chooser : choosers) {
                    sum.add(static_cast<std::uint64_t>(chooser->choose(state, i)));
                }
            }
            game.apply_action(state, random_decision(game, state, rng));
        }
    }
    return sum.sum();
}

void print(std::string_view name, std::uint64_t number) {
    std::printf("%s %016llx\n", std::string(name).c_str(), static_cast<unsigned long long>(number));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    if (count != 4) {
        std::fprintf(stderr, "tilery_checksum GAMES WATCHED NETWORKS\n");
        return 2;
    }
    const std::uint64_t games = std::strtoull(words[1], nullptr, 10), watched = std::strtoull(words[2], nullptr, 10);
    const std::string networks = words[3];
    for_each_game([&]<Game G>() {
        print(G::kName, checksum<G>(games, watched));
        print(std::string(G::kName) + "_choices", choices<G>(networks));
    });
    return 0;
}
