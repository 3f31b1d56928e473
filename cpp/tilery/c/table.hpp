// SPDX-License-Identifier: MIT
// Any Game as a table of C functions (tilery/capi.h): the one place where a game becomes pointers.
// Knows no Python, so that programs without it can have the same table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tilery/c/capi.h"
#include "tilery/c/words.hpp"
#include "tilery/core/decisions.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/core/views.hpp"
#include "tilery/search/chooser.hpp"

namespace tilery::c {

static_assert(TILERY_CHANCE == kChance && TILERY_TERMINAL == kTerminal && TILERY_MAX_PLAYERS == kMaxPlayers);
static_assert(sizeof(tilery_rng) == sizeof(Rng) && std::is_trivially_copyable_v<Rng>);

// The text of last_error(). Of fixed length, so that telling of an error cannot fail.
using ErrorText = std::array<char, 512>;
[[nodiscard]] inline ErrorText& error_text() noexcept {
    static thread_local constinit ErrorText text{};
    return text;
}

inline tilery_status refuse(tilery_status status, std::string_view reason) noexcept {
    ErrorText& text = error_text();
    const std::size_t length = std::min(reason.size(), text.size() - 1);
    std::copy_n(reason.data(), length, text.data());
    text[length] = '\0';
    return status;
}

// The status of the exception in flight.
inline tilery_status refuse_current() noexcept {
    try {
        throw;
    } catch (const OptionError& error) {
        return refuse(TILERY_OPTION_ERROR, error.what());
    } catch (const IllegalActionError& error) {
        return refuse(TILERY_ILLEGAL_ACTION, error.what());
    } catch (const ParseError& error) {
        return refuse(TILERY_PARSE_ERROR, error.what());
    } catch (const StateDataError& error) {
        return refuse(TILERY_STATE_DATA_ERROR, error.what());
    } catch (const std::exception& error) {
        return refuse(TILERY_INTERNAL_ERROR, error.what());
    } catch (...) {
        return refuse(TILERY_INTERNAL_ERROR, "unknown C++ exception");
    }
}

// Runs the body of a call that C makes: no exception leaves it. Calls without a status have
// nothing to throw, and return 0 if they did.
template <class Body>
auto without_throwing(Body&& body) noexcept -> decltype(body()) {
    using Result = decltype(body());
    try {
        return body();
    } catch (...) {
        const tilery_status status = refuse_current();
        if constexpr (std::is_same_v<Result, tilery_status>) return status;
        if constexpr (!std::is_void_v<Result>) return Result{};
    }
}

// Whether there is room for `size` items; tells the caller the size in any case.
template <class Item, class Size>
[[nodiscard]] tilery_status check_room(std::size_t size, const Item* buffer, std::size_t capacity, Size* told) {
    if (told != nullptr) *told = static_cast<Size>(size);
    if (size > capacity) {
        return refuse(TILERY_BUFFER_TOO_SMALL,
                      "the buffer has room for " + std::to_string(capacity) + ", not for " + std::to_string(size));
    }
    if (buffer == nullptr && size > 0) return refuse(TILERY_BAD_ARGUMENT, "the buffer is null");
    return TILERY_OK;
}

[[nodiscard]] inline tilery_status write_bytes(std::string_view bytes, void* buffer, std::size_t capacity,
                                               std::size_t* length) {
    const tilery_status status = check_room(bytes.size(), static_cast<char*>(buffer), capacity, length);
    if (status == TILERY_OK) std::memcpy(buffer, bytes.data(), bytes.size());
    return status;
}

[[nodiscard]] inline tilery_status write_text(const std::string& text, char* buffer, std::size_t capacity,
                                              std::size_t* length) {
    const tilery_status status = write_bytes(std::string_view(text.c_str(), text.size() + 1), buffer, capacity, length);
    if (length != nullptr) *length = text.size();
    return status;
}

// Apart from the call that it belongs to, which then needs few registers.
[[gnu::noinline]] inline tilery_status refuse_index(std::uint32_t count, std::uint32_t i) noexcept {
    return without_throwing([&] {
        return refuse(TILERY_BAD_ARGUMENT,
                      "there are " + std::to_string(count) + " legal actions, no " + std::to_string(i));
    });
}

template <Game G>
struct CTable {
    using State = typename G::State;
    static_assert(sizeof(State) <= TILERY_MAX_STATE_SIZE);
    static_assert(alignof(State) <= 8 && sizeof(Action) == sizeof(std::int32_t));

    static const G& of(const tilery_game* game) { return *reinterpret_cast<const G*>(game); }
    static const State& of(const void* state) { return *static_cast<const State*>(state); }
    static State& of(void* state) { return *static_cast<State*>(state); }
    [[nodiscard]] static const tilery_game* handle(const G& game) {
        return reinterpret_cast<const tilery_game*>(&game);
    }

    static tilery_status check_memory(const void* state) {
        if (state != nullptr && reinterpret_cast<std::uintptr_t>(state) % 8 == 0) return TILERY_OK;
        return refuse(TILERY_BAD_ARGUMENT, "the memory of a state must not be null, and be aligned to 8");
    }
    static tilery_status check_player(const tilery_game* game, std::int32_t player) {
        const int players = of(game).num_players();
        if (player >= 0 && player < players) return TILERY_OK;
        return refuse(TILERY_BAD_ARGUMENT,
                      "player must be in 0.." + std::to_string(players - 1) + ", got " + std::to_string(player));
    }
    // Calls use(rng) with the engine's generator in place of the caller's.
    template <class Use>
    static auto with_rng(tilery_rng* rng, Use&& use) {
        Rng stream = std::bit_cast<Rng>(*rng);
        const auto result = use(stream);
        *rng = std::bit_cast<tilery_rng>(stream);
        return result;
    }

    static const char* last_error() { return error_text().data(); }

    static tilery_status new_game(const char* const* options, std::size_t count, tilery_game** game) {
        return without_throwing([&] {
            if (game == nullptr || (options == nullptr && count > 0)) {
                return refuse(TILERY_BAD_ARGUMENT, "new_game was handed a null pointer");
            }
            Value::Object given;
            for (const char* const word : std::span(options, count)) {
                if (word == nullptr || !add_option(given, word)) {
                    throw OptionError("an option is written OPTION=VALUE, not " +
                                      std::string(word == nullptr ? "null" : word));
                }
            }
            *game = reinterpret_cast<tilery_game*>(new G(read_rules<typename G::Rules>(given)));
            return tilery_status{TILERY_OK};
        });
    }
    static void free_game(tilery_game* game) { delete reinterpret_cast<G*>(game); }
    static std::int32_t num_players(const tilery_game* game) { return of(game).num_players(); }
    static std::int32_t num_distinct_actions(const tilery_game* game) { return of(game).num_distinct_actions(); }
    static std::int32_t max_game_length(const tilery_game* game) { return of(game).max_game_length(); }

    static tilery_status initial_state(const tilery_game* game, void* state) {
        return without_throwing([&] {
            const tilery_status status = check_memory(state);
            if (status == TILERY_OK) new (state) State(of(game).initial_state());
            return status;
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
            const auto refuse_index = [i](std::uint32_t size) {
                return refuse(TILERY_BAD_ARGUMENT, size == 0 ? "the game is over"
                                                             : "there are " + std::to_string(size) +
                                                                   " legal actions, no " + std::to_string(i));
            };
            if (of(game).current_player(of(state)) >= 0) {
                const auto actions = of(game).legal_actions(of(state));
                return i < actions.size() ? actions[i] : refuse_index(actions.size());
            }
            return tilery::with_actions(of(game), of(state), [&](std::uint32_t size, auto&& for_each) -> std::int32_t {
                if (i >= size) return refuse_index(size);
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
        return without_throwing([&] {
            tilery::apply_checked(of(game), of(state), action);
            return tilery_status{TILERY_OK};
        });
    }

    static void seed_rng(tilery_rng* rng, std::uint64_t seed, std::uint64_t index) {
        *rng = std::bit_cast<tilery_rng>(Rng(seed, index));
    }
    static std::uint64_t next(tilery_rng* rng) {
        return with_rng(rng, [](Rng& stream) { return stream.next(); });
    }
    static std::uint32_t below(tilery_rng* rng, std::uint32_t n) {
        return with_rng(rng, [n](Rng& stream) { return stream.below(n); });
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

    static tilery_status determinize(const tilery_game* game, void* state, std::int32_t player, tilery_rng* rng) {
        return without_throwing([&] {
            const tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            return with_rng(rng, [&](Rng& stream) {
                of(game).determinize(of(state), player, stream);
                return tilery_status{TILERY_OK};
            });
        });
    }
    static tilery_status information_state_string(const tilery_game* game, const void* state, std::int32_t player,
                                                  char* buffer, std::size_t capacity, std::size_t* length) {
        return without_throwing([&] {
            const tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            return write_text(of(game).information_state(of(state), player).json(), buffer, capacity, length);
        });
    }
    static tilery_status observation_tensor(const tilery_game* game, const void* state, std::int32_t player,
                                            float* values, std::uint32_t capacity, std::uint32_t* count) {
        return without_throwing([&] {
            tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            const auto size = static_cast<std::size_t>(observation_size(game));
            status = check_room(size, values, capacity, count);
            if (status == TILERY_OK) of(game).observe(of(state), player, std::span(values, size));
            return status;
        });
    }

    static tilery_status action_to_string(const tilery_game* game, std::int32_t action, char* buffer,
                                          std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(of(game).action_to_string(action), buffer, capacity, length); });
    }
    static tilery_status string_to_action(const tilery_game* game, const char* token, std::size_t length,
                                          std::int32_t* action) {
        return without_throwing([&] {
            if (action == nullptr || (token == nullptr && length > 0)) {
                return refuse(TILERY_BAD_ARGUMENT, "string_to_action was handed a null pointer");
            }
            *action = of(game).string_to_action(std::string_view(token, length));
            return tilery_status{TILERY_OK};
        });
    }
    static tilery_status to_string(const tilery_game* game, const void* state, char* buffer, std::size_t capacity,
                                   std::size_t* length) {
        return without_throwing([&] { return write_text(of(game).to_string(of(state)), buffer, capacity, length); });
    }
    static tilery_status serialize(const tilery_game* game, const void* state, void* buffer, std::size_t capacity,
                                   std::size_t* length) {
        return without_throwing(
            [&] { return write_bytes(tilery::serialize(of(game), of(state)), buffer, capacity, length); });
    }
    static tilery_status deserialize(const tilery_game* game, const void* data, std::size_t length, void* state) {
        return without_throwing([&] {
            const tilery_status status = check_memory(state);
            if (status != TILERY_OK) return status;
            if (data == nullptr && length > 0) return refuse(TILERY_BAD_ARGUMENT, "the data is null");
            // Not straight into the caller's memory, which must stay as it was if the bytes are refused.
            const State read = tilery::deserialize(of(game), std::string_view(static_cast<const char*>(data), length));
            new (state) State(read);
            return tilery_status{TILERY_OK};
        });
    }
    static std::uint64_t hash_state(const tilery_game* game, const void* state) {
        return without_throwing([&] { return tilery::hash_state(of(game), of(state)); });
    }
    static std::int32_t same_position(const tilery_game* game, const void* a, const void* b) {
        return without_throwing([&] { return std::int32_t{tilery::same_position(of(game), of(a), of(b))}; });
    }

    static std::int32_t observation_size(const tilery_game* game) {
        return without_throwing([&] { return static_cast<std::int32_t>(size_of(of(game).observation_shape())); });
    }
    static std::int32_t fewest_points_win(const tilery_game*) { return G::kFewestPointsWin ? 1 : 0; }
    static tilery_status options(char* buffer, std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(describe_options<typename G::Rules>().json(), buffer, capacity, length); });
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
    static tilery_status why_illegal(const tilery_game* game, const void* state, std::int32_t action, char* buffer,
                                     std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(tilery::why_illegal(of(game), of(state), action), buffer, capacity, length); });
    }
    static tilery_status action_seen_by(const tilery_game* game, const void* state, std::int32_t player,
                                        std::int32_t action, std::int32_t* seen) {
        return without_throwing([&] {
            const tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            if (seen == nullptr) return refuse(TILERY_BAD_ARGUMENT, "action_seen_by was handed a null pointer");
            check_legal(of(game), of(state), action);
            *seen = tilery::action_seen_by(of(game), of(state), player, action);
            return tilery_status{TILERY_OK};
        });
    }
    static tilery_status information_state_hash(const tilery_game* game, const void* state, std::int32_t player,
                                                std::uint64_t* hash) {
        return without_throwing([&] {
            const tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            if (hash == nullptr) return refuse(TILERY_BAD_ARGUMENT, "information_state_hash was handed a null pointer");
            *hash = tilery::information_state_hash(of(game), of(state), player);
            return tilery_status{TILERY_OK};
        });
    }
    static tilery_status public_state_string(const tilery_game* game, const void* state, char* buffer,
                                             std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(tilery::public_state_string(of(game), of(state)), buffer, capacity, length); });
    }
    static tilery_status player_to_string(const tilery_game* game, const void* state, std::int32_t player, char* buffer,
                                          std::size_t capacity, std::size_t* length) {
        return without_throwing([&] {
            const tilery_status status = check_player(game, player);
            if (status != TILERY_OK) return status;
            return write_text(tilery::to_string(of(game), of(state), player), buffer, capacity, length);
        });
    }
    static tilery_status describe_action(const tilery_game* game, std::int32_t action, char* buffer,
                                         std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(tilery::describe_action(of(game), action), buffer, capacity, length); });
    }
    static tilery_status picks(const tilery_game* game, std::int32_t action, char* buffer, std::size_t capacity,
                               std::size_t* length) {
        return without_throwing([&] {
            return write_text(Value::list_of(tilery::picks(of(game), action)).json(), buffer, capacity, length);
        });
    }
    static tilery_status describe_pick(const tilery_game* game, const char* pick, char* buffer, std::size_t capacity,
                                       std::size_t* length) {
        return without_throwing([&] {
            if (pick == nullptr) return refuse(TILERY_BAD_ARGUMENT, "describe_pick was handed a null pointer");
            return write_text(tilery::describe_pick(of(game), pick), buffer, capacity, length);
        });
    }
    static tilery_status picture(const tilery_game* game, const void* state, std::int32_t player, std::int32_t last,
                                 std::int32_t targets, char* buffer, std::size_t capacity, std::size_t* length) {
        return draw(game, state, player, last, targets, TILERY_PART_ALL, TILERY_NO_ACTION, buffer, capacity, length);
    }
    static tilery_status draw(const tilery_game* game, const void* state, std::int32_t player, std::int32_t last,
                              std::int32_t targets, std::int32_t part, std::int32_t ghost, char* buffer,
                              std::size_t capacity, std::size_t* length) {
        return without_throwing([&] {
            PictureRequest request;
            if (player != TILERY_EVERYBODY) {
                const tilery_status status = check_player(game, player);
                if (status != TILERY_OK) return status;
                request.viewer = player;
            }
            if (part < TILERY_PART_ALL || part > TILERY_PART_DATA) {
                return refuse(TILERY_BAD_ARGUMENT, "there is no part " + std::to_string(part) + " of a picture");
            }
            if (last != TILERY_NO_ACTION) request.last = last;
            if (ghost != TILERY_NO_ACTION) request.ghost = ghost;
            request.targets = targets != 0;
            request.part = static_cast<Part>(part);
            return write_text(tilery::picture(of(game), of(state), request), buffer, capacity, length);
        });
    }
    static tilery_status rules(const tilery_game* game, char* buffer, std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(Value(write_rules(of(game).rules())).json(), buffer, capacity, length); });
    }
    struct PolicyInGame {
        const G& game;
        search::Chooser<G> chooser;
        bool searches;
    };
    static tilery_status check_decision(const G& game, const State& state) {
        const Player player = game.current_player(state);
        if (player == kTerminal) return refuse(TILERY_BAD_ARGUMENT, "the game is over");
        if (player == kChance) return refuse(TILERY_BAD_ARGUMENT, "chance is to act");
        return TILERY_OK;
    }
    static Value analysis_value(const G& game, const search::Analysis& found, std::size_t most) {
        Value::List actions;
        for (const search::ActionReport& report : found.actions) {
            if (actions.size() == most) break;
            Value::List utilities;
            for (Player p = 0; p < game.num_players(); ++p)
                utilities.emplace_back(report.utilities[static_cast<std::size_t>(p)]);
            actions.emplace_back(Value::Object{{"action", report.action},
                                               {"token", game.action_to_string(report.action)},
                                               {"visits", static_cast<std::int64_t>(report.visits)},
                                               {"share", report.share},
                                               {"prior", report.prior},
                                               {"utilities", std::move(utilities)}});
        }
        return Value::Object{{"player", found.player},
                             {"simulations", static_cast<std::int64_t>(found.simulations)},
                             {"best", found.best},
                             {"actions", std::move(actions)}};
    }
    static tilery_status new_policy(const tilery_game* game, const char* text, tilery_policy** policy) {
        return without_throwing([&] {
            if (text == nullptr || policy == nullptr) {
                return refuse(TILERY_BAD_ARGUMENT, "new_policy was handed a null pointer");
            }
            try {
                const search::Policy parsed = search::parse_policy(text);
                auto* const made = new PolicyInGame{of(game), search::Chooser<G>(of(game), parsed),
                                                    search::budget_of(parsed) != nullptr};
                *policy = reinterpret_cast<tilery_policy*>(made);
            } catch (const std::invalid_argument& error) {
                return refuse(TILERY_BAD_ARGUMENT, error.what());
            }
            return tilery_status{TILERY_OK};
        });
    }
    static void free_policy(tilery_policy* policy) { delete reinterpret_cast<PolicyInGame*>(policy); }
    static std::int32_t choose(tilery_policy* policy, const void* state, tilery_rng* rng) {
        return without_throwing([&]() -> std::int32_t {
            PolicyInGame& in_game = *reinterpret_cast<PolicyInGame*>(policy);
            const tilery_status status = check_decision(in_game.game, of(state));
            if (status != TILERY_OK) return status;
            return with_rng(rng, [&](Rng& stream) { return in_game.chooser.choose(of(state), stream.next()); });
        });
    }

    static std::int32_t num_chance_actions(const tilery_game* game) { return of(game).num_chance_actions(); }
    static std::int32_t max_decisions(const tilery_game* game) { return of(game).max_decisions(); }
    static std::int32_t max_chance_nodes(const tilery_game* game) { return of(game).max_chance_nodes(); }
    static std::int32_t hides_information(const tilery_game* game) { return of(game).hides_information() ? 1 : 0; }
    static tilery_status analyse(tilery_policy* policy, const void* state, std::uint32_t most, tilery_rng* rng,
                                 char* buffer, std::size_t capacity, std::size_t* length) {
        return without_throwing([&]() -> tilery_status {
            PolicyInGame& in_game = *reinterpret_cast<PolicyInGame*>(policy);
            const tilery_status status = check_decision(in_game.game, of(state));
            if (status != TILERY_OK) return status;
            if (!in_game.searches)
                return refuse(TILERY_BAD_ARGUMENT, "the policy is not a search; uct:N and mcts:N are");
            tilery_rng copy = *rng;
            const search::Analysis found =
                with_rng(&copy, [&](Rng& stream) { return in_game.chooser.analyse(of(state), stream.next()); });
            const tilery_status written =
                write_text(analysis_value(in_game.game, found, most).json(), buffer, capacity, length);
            if (written == TILERY_OK) *rng = copy;
            return written;
        });
    }

    static tilery_status score_sources(const tilery_game*, char* buffer, std::size_t capacity, std::size_t* length) {
        return without_throwing(
            [&] { return write_text(Value::list_of(tilery::score_sources<G>()).json(), buffer, capacity, length); });
    }
    static tilery_status score_events(const tilery_game* game, const void* state, std::int32_t action, char* buffer,
                                      std::size_t capacity, std::size_t* length) {
        return without_throwing([&] {
            return write_text(tilery::score_events(of(game), of(state), action).json(), buffer, capacity, length);
        });
    }

    struct Driver {
        const G& game;
        std::uint32_t count = 0;
        Slot<G> slot;

        explicit Driver(const G& rules) : game(rules) { slot.state = rules.initial_state(); }
        static Driver& of(tilery_driver* driver) { return *reinterpret_cast<Driver*>(driver); }
    };
    static tilery_status new_driver(const tilery_game* game, tilery_driver** driver) {
        return without_throwing([&] {
            if (driver == nullptr) return refuse(TILERY_BAD_ARGUMENT, "new_driver was handed a null pointer");
            *driver = reinterpret_cast<tilery_driver*>(new Driver(of(game)));
            return tilery_status{TILERY_OK};
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
        it.count = step_alone(it.game, it.slot, i).num_legal_actions;
        return static_cast<std::int32_t>(it.count);
    }
    static const void* driver_state(const tilery_driver* driver) {
        return &reinterpret_cast<const Driver*>(driver)->slot.state;
    }
    static tilery_rng* driver_rng(tilery_driver* driver) {
        return reinterpret_cast<tilery_rng*>(&Driver::of(driver).slot.rng);
    }

    // The name with its zero at the end.
    static constexpr auto name = [] {
        std::array<char, std::string_view(G::kName).size() + 1> text{};
        std::ranges::copy(std::string_view(G::kName), text.begin());
        return text;
    }();
    // In the order of the header; the compiler holds us to the names.
    static constexpr tilery_api api{.version = TILERY_API_VERSION,
                                    .struct_size = sizeof(tilery_api),
                                    .name = name.data(),
                                    .state_size = sizeof(State),
                                    .last_error = last_error,
                                    .new_game = new_game,
                                    .free_game = free_game,
                                    .num_players = num_players,
                                    .num_distinct_actions = num_distinct_actions,
                                    .max_game_length = max_game_length,
                                    .initial_state = initial_state,
                                    .current_player = current_player,
                                    .is_terminal = is_terminal,
                                    .num_legal_actions = num_legal_actions,
                                    .legal_actions = legal_actions,
                                    .legal_action = legal_action,
                                    .is_legal = is_legal,
                                    .chance_outcomes = chance_outcomes,
                                    .scores = scores,
                                    .returns = returns,
                                    .apply_action = apply_action,
                                    .apply_checked = apply_checked,
                                    .seed_rng = seed_rng,
                                    .next = next,
                                    .below = below,
                                    .random_action = random_action,
                                    .playout = playout,
                                    .determinize = determinize,
                                    .information_state_string = information_state_string,
                                    .observation_tensor = observation_tensor,
                                    .action_to_string = action_to_string,
                                    .string_to_action = string_to_action,
                                    .to_string = to_string,
                                    .serialize = serialize,
                                    .deserialize = deserialize,
                                    .hash_state = hash_state,
                                    .same_position = same_position,
                                    .observation_size = observation_size,
                                    .fewest_points_win = fewest_points_win,
                                    .options = options,
                                    .apply_nth = apply_nth,
                                    .why_illegal = why_illegal,
                                    .action_seen_by = action_seen_by,
                                    .information_state_hash = information_state_hash,
                                    .public_state_string = public_state_string,
                                    .player_to_string = player_to_string,
                                    .describe_action = describe_action,
                                    .new_policy = new_policy,
                                    .free_policy = free_policy,
                                    .choose = choose,
                                    .num_chance_actions = num_chance_actions,
                                    .max_decisions = max_decisions,
                                    .max_chance_nodes = max_chance_nodes,
                                    .hides_information = hides_information,
                                    .picks = picks,
                                    .describe_pick = describe_pick,
                                    .picture = picture,
                                    .rules = rules,
                                    .analyse = analyse,
                                    .new_driver = new_driver,
                                    .free_driver = free_driver,
                                    .drive = drive,
                                    .play = play,
                                    .driver_state = driver_state,
                                    .driver_rng = driver_rng,
                                    .draw = draw,
                                    .score_sources = score_sources,
                                    .score_events = score_events};
};

}  // namespace tilery::c
