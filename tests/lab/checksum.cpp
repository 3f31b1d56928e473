// SPDX-License-Identifier: MIT
// One number for each game that every compiler, every level of optimisation and every processor must print.
//
//     tilery_checksum GAMES WATCHED
//
// plays games 0..GAMES-1 of seed 1 with the loop of simulate(), and games 0..WATCHED-1 action by action with everything
// that players see on the way. `nox -s platforms` builds and runs it.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "tilery/core/observation.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/run/games.hpp"

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
    int size = 1;
    for (const int length : game.observation_shape()) size *= length;
    std::vector<float> floats(static_cast<std::size_t>(size));
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

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "tilery_checksum GAMES WATCHED\n");
        return 2;
    }
    const std::uint64_t games = std::strtoull(words[1], nullptr, 10), watched = std::strtoull(words[2], nullptr, 10);
    for_each_game([&]<Game G>() {
        std::printf("%s %016llx\n", std::string(G::kName).c_str(),
                    static_cast<unsigned long long>(checksum<G>(games, watched)));
        std::fflush(stdout);
    });
    return 0;
}
