// SPDX-License-Identifier: MIT
// The hot members of the C table as templates, so that a game inlines into them, and the table of a game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "tilery/any/game_of.hpp"
#include "tilery/c/table.hpp"
#include "tilery/core/decisions.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"

namespace tilery::c {

template <Game G>
struct Hot {
    using State = typename G::State;
    static_assert(sizeof(State) <= TILERY_MAX_STATE_SIZE);
    static_assert(alignof(State) <= 8 && sizeof(Action) == sizeof(std::int32_t));

    static const G& of(const tilery_game* game) { return any::game_in<G>(any_of(game)); }
    static const State& of(const void* state) { return *static_cast<const State*>(state); }
    static State& of(void* state) { return *static_cast<State*>(state); }

    static tilery_status initial_state(const tilery_game* game, void* state) {
        return succeeding([&] {
            check_memory(state);
            new (state) State(of(game).initial_state());
        });
    }
    static std::int32_t current_player(const tilery_game* game, const void* state) {
        return without_throwing([&] { return std::int32_t{of(game).current_player(of(state))}; });
    }
    static std::int32_t is_terminal(const tilery_game* game, const void* state) {
        return current_player(game, state) == kTerminal ? 1 : 0;
    }
    static std::int32_t num_legal_actions(const tilery_game* game, const void* state) {
        return without_throwing([&] {
            return tilery::with_actions(of(game), of(state),
                                        [](std::uint32_t size, auto&&) { return static_cast<std::int32_t>(size); });
        });
    }
    static tilery_status legal_actions(const tilery_game* game, const void* state, std::int32_t* actions,
                                       std::uint32_t capacity, std::uint32_t* count) {
        return without_throwing([&] {
            return tilery::with_actions(of(game), of(state), [&](std::uint32_t size, auto&& for_each) {
                const tilery_status status = check_room(size, actions, capacity, count);
                if (status == TILERY_OK) write_actions(for_each, actions, capacity, std::identity{});
                return status;
            });
        });
    }
    static std::int32_t legal_action(const tilery_game* game, const void* state, std::uint32_t i) {
        return without_throwing([&]() -> std::int32_t {
            const auto refuse_place = [i](std::uint32_t size) {
                return size == 0 ? refuse(TILERY_BAD_ARGUMENT, "the game is over") : refuse_index(size, i);
            };
            if (of(game).current_player(of(state)) >= 0) {
                const auto actions = of(game).legal_actions(of(state));
                return i < actions.size() ? actions[i] : refuse_place(actions.size());
            }
            return tilery::with_actions(of(game), of(state), [&](std::uint32_t size, auto&& for_each) -> std::int32_t {
                if (i >= size) return refuse_place(size);
                Action found = 0;
                for_each([&, at = std::uint32_t{0}](Action action) mutable {
                    if (at++ == i) found = action;
                });
                return found;
            });
        });
    }
    static std::int32_t is_legal(const tilery_game* game, const void* state, std::int32_t action) {
        return without_throwing([&] { return std::int32_t{tilery::is_legal(of(game), of(state), action)}; });
    }
    static tilery_status chance_outcomes(const tilery_game* game, const void* state, std::int32_t* ids,
                                         std::uint32_t* weights, std::uint32_t capacity, std::uint32_t* count,
                                         std::uint32_t* total) {
        return without_throwing([&] {
            if (of(game).current_player(of(state)) != kChance) {
                if (total != nullptr) *total = 0;
                return check_room(0, ids, capacity, count);
            }
            const auto outcomes = of(game).chance_outcomes(of(state));
            std::uint32_t size = 0;
            outcomes.for_each([&](Action, std::uint32_t) { ++size; });
            if (total != nullptr) *total = outcomes.total();
            const tilery_status status = check_room(size, weights == nullptr ? nullptr : ids, capacity, count);
            if (status == TILERY_OK) {
                outcomes.for_each([&, i = 0U](Action outcome, std::uint32_t weight) mutable {
                    ids[i] = outcome;
                    weights[i++] = weight;
                });
            }
            return status;
        });
    }
    static void scores(const tilery_game* game, const void* state, std::int32_t* scores) {
        without_throwing([&] { std::copy_n(of(game).scores(of(state)).begin(), of(game).num_players(), scores); });
    }
    static void returns(const tilery_game* game, const void* state, double* returns) {
        without_throwing(
            [&] { std::copy_n(tilery::returns(of(game), of(state)).begin(), of(game).num_players(), returns); });
    }
    static void apply_action(const tilery_game* game, void* state, std::int32_t action) {
        without_throwing([&] { of(game).apply_action(of(state), action); });
    }
    static tilery_status apply_checked(const tilery_game* game, void* state, std::int32_t action) {
        return succeeding([&] { tilery::apply_checked(of(game), of(state), action); });
    }
    static std::int32_t random_action(const tilery_game* game, const void* state, tilery_rng* rng) {
        return without_throwing([&]() -> std::int32_t {
            const Player player = of(game).current_player(of(state));
            if (player == kTerminal) return refuse(TILERY_BAD_ARGUMENT, "the game is over");
            return with_rng(rng, [&](Rng& stream) {
                return player == kChance ? random_outcome(of(game), of(state), stream)
                                         : random_decision(of(game), of(state), stream);
            });
        });
    }
    static void playout(const tilery_game* game, void* state, tilery_rng* rng, tilery_played* played) {
        without_throwing([&] {
            const Played length =
                with_rng(rng, [&](Rng& stream) { return tilery::playout(of(game), of(state), stream); });
            if (played != nullptr) *played = {length.actions, length.decisions};
        });
    }
    static tilery_status apply_nth(const tilery_game* game, void* state, std::uint32_t i) {
        return without_throwing([&]() -> tilery_status {
            if (of(game).current_player(of(state)) >= 0) {
                const auto actions = of(game).legal_actions(of(state));
                if (i < actions.size()) {
                    tilery::apply_nth(of(game), of(state), actions, i);
                    return TILERY_OK;
                }
            }
            const std::int32_t action = legal_action(game, state, i);
            if (action < 0) return action;
            of(game).apply_action(of(state), action);
            return TILERY_OK;
        });
    }

    // Only drive and play need be hot, but all know how a driver is made.
    struct Driver {
        const G& game;
        std::uint32_t count = 0;
        Slot<G> slot;

        explicit Driver(const G& rules) : game(rules) { slot.state = rules.initial_state(); }
        static Driver& of(tilery_driver* driver) { return *reinterpret_cast<Driver*>(driver); }
    };
    static tilery_status new_driver(const tilery_game* game, tilery_driver** driver) {
        return succeeding([&] {
            refuse_null(driver, "new_driver");
            *driver = reinterpret_cast<tilery_driver*>(new Driver(of(game)));
        });
    }
    static void free_driver(tilery_driver* driver) { delete reinterpret_cast<Driver*>(driver); }
    static std::int32_t drive(tilery_driver* driver, const void* state, const tilery_rng* rng) {
        Driver& it = Driver::of(driver);
        it.slot.state = state == nullptr ? it.game.initial_state() : of(state);
        it.slot.rng = std::bit_cast<Rng>(*rng);
        it.count = settle(it.game, it.slot).num_legal_actions;
        return static_cast<std::int32_t>(it.count);
    }
    static std::int32_t play(tilery_driver* driver, std::uint32_t i) {
        Driver& it = Driver::of(driver);
        if (i >= it.count) [[unlikely]]
            return refuse_index(it.count, i);
        it.count = Loops<G>::step(it.game, it.slot, i).num_legal_actions;
        return static_cast<std::int32_t>(it.count);
    }
    static const void* driver_state(const tilery_driver* driver) {
        return &reinterpret_cast<const Driver*>(driver)->slot.state;
    }
    static tilery_rng* driver_rng(tilery_driver* driver) {
        return reinterpret_cast<tilery_rng*>(&Driver::of(driver).slot.rng);
    }
};

// The table of a game. Its new_game and options alone are handed no game: `kind` is what they are of.
template <Game G, auto kind>
[[nodiscard]] const tilery_api& table_of() {
    static const any::GameKind known = kind();
    static const std::string name(G::kName);
    static const tilery_api table = [] {
        tilery_api api = common_members();
        api.name = name.c_str();
        api.state_size = sizeof(typename G::State);
        api.new_game = [](const char* const* options, std::size_t count, tilery_game** game) {
            return succeeding([&] {
                refuse_null(options == nullptr && count > 0 ? nullptr : game, "new_game");
                *game = reinterpret_cast<tilery_game*>(known.make(known, read_words(options, count)).release());
            });
        };
        api.options = [](char* buffer, std::size_t capacity, std::size_t* length) {
            return without_throwing([&] { return write_text(known.options.json(), buffer, capacity, length); });
        };
        api.initial_state = Hot<G>::initial_state;
        api.current_player = Hot<G>::current_player;
        api.is_terminal = Hot<G>::is_terminal;
        api.num_legal_actions = Hot<G>::num_legal_actions;
        api.legal_actions = Hot<G>::legal_actions;
        api.legal_action = Hot<G>::legal_action;
        api.is_legal = Hot<G>::is_legal;
        api.chance_outcomes = Hot<G>::chance_outcomes;
        api.scores = Hot<G>::scores;
        api.returns = Hot<G>::returns;
        api.apply_action = Hot<G>::apply_action;
        api.apply_checked = Hot<G>::apply_checked;
        api.random_action = Hot<G>::random_action;
        api.playout = Hot<G>::playout;
        api.apply_nth = Hot<G>::apply_nth;
        api.new_driver = Hot<G>::new_driver;
        api.free_driver = Hot<G>::free_driver;
        api.drive = Hot<G>::drive;
        api.play = Hot<G>::play;
        api.driver_state = Hot<G>::driver_state;
        api.driver_rng = Hot<G>::driver_rng;
        return api;
    }();
    return table;
}

}  // namespace tilery::c
