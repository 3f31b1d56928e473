// SPDX-License-Identifier: MIT
// The laws that matter under sanitizers: random games of every game, every question asked on the
// way, and states made of changed bytes that are refused or played to their end.
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/run/games.hpp"

namespace tilery::tests {

void test_laws(std::string_view name, const Value::Object& options);

namespace {

template <Game G>
void ask_everything(const G& game, const typename G::State& state) {
    CHECK(game.fault(state).empty());
    CHECK(!game.to_string(state).empty());
    int size = 1;
    for (const int length : game.observation_shape()) size *= length;
    std::vector<float> floats(static_cast<std::size_t>(size));
    for (Player player = 0; player < game.num_players(); ++player) {
        typename G::State dealt = state;
        Rng rng(3, static_cast<std::uint64_t>(player));
        game.determinize(dealt, player, rng);
        CHECK(game.fault(dealt).empty());
        CHECK(game.information_state(dealt, player) == game.information_state(state, player));
        game.observe(state, player, floats);
    }
    const auto again = deserialize(game, serialize(game, state));
    CHECK(same_position(game, again, state));
}

template <Game G>
void ask_about_actions(const G& game, const typename G::State& state) {
    const Player player = game.current_player(state);
    if (player < 0) return;
    const auto actions = game.legal_actions(state);
    CHECK(actions.size() > 0);
    std::uint32_t i = 0;
    Action last = -1;
    actions.for_each([&](Action action) {
        CHECK(action > last && action == actions[i]);
        if (i % 16 == 0) {
            CHECK(is_legal(game, state, action));
            CHECK(game.string_to_action(game.action_to_string(action)) == action);
        }
        // The gap between two legal actions is illegal.
        if (action > last + 1 && i % 8 == 0) CHECK(!is_legal(game, state, action - 1));
        last = action;
        ++i;
    });
    CHECK(i == actions.size());
    CHECK(!is_legal(game, state, last + 1) || last + 1 < game.num_distinct_actions());
    CHECK(!is_legal(game, state, -1) && !is_legal(game, state, game.num_distinct_actions()));
}

template <Game G>
void play_every_step(const G& game, std::uint64_t seed) {
    typename G::State state = game.initial_state();
    Rng rng(seed);
    int length = 0;
    while (game.current_player(state) != kTerminal) {
        if (length % 10 == 0) ask_everything(game, state);
        CHECK(game.fault(state).empty());
        ask_about_actions(game, state);
        const Action action = game.current_player(state) == kChance ? random_outcome(game, state, rng)
                                                                    : random_decision(game, state, rng);
        game.apply_action(state, action);
        ++length;
    }
    ask_everything(game, state);
    CHECK(length <= game.max_game_length());
}

// Changes a few bytes of a state that has come to pass, and plays on whatever passes for possible.
template <Game G>
void play_changed_states(const G& game, std::uint64_t seed, int rounds) {
    Rng rng(seed, 9);
    typename G::State state = game.initial_state();
    for (int round = 0; round < rounds; ++round) {
        if (game.current_player(state) == kTerminal) state = game.initial_state();
        for (std::uint32_t steps = rng.below(12); steps > 0 && game.current_player(state) != kTerminal; --steps) {
            game.apply_action(state, game.current_player(state) == kChance ? random_outcome(game, state, rng)
                                                                           : random_decision(game, state, rng));
        }
        for (int change = 0; change < 50; ++change) {
            typename G::State changed = state;
            const std::span bytes = std::as_writable_bytes(std::span(&changed, 1));
            for (std::uint32_t times = 1 + rng.below(3); times > 0; --times) {
                const auto at = rng.below(static_cast<std::uint32_t>(bytes.size()));
                const std::uint32_t value = rng.below(2) == 0
                                                ? rng.below(256)
                                                : std::to_integer<std::uint32_t>(bytes[at]) + 255 + 2 * rng.below(2);
                bytes[at] = static_cast<std::byte>(value);
            }
            if (!game.fault(changed).empty()) continue;
            static_cast<void>(game.to_string(changed));
            Rng luck(seed, static_cast<std::uint64_t>(change));
            const Played played = playout(game, changed, luck);
            CHECK(static_cast<int>(played.actions) <= game.max_game_length());
        }
    }
}

}  // namespace

void test_laws(std::string_view name, const Value::Object& options) {
    bool found = false;
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        found = true;
        const G game(read_rules<typename G::Rules>(options));
        for (std::uint64_t seed = 0; seed < 3; ++seed) play_every_step(game, seed);
        play_changed_states(game, options.size(), 60);
    });
    CHECK(found);
}

}  // namespace tilery::tests
