// SPDX-License-Identifier: MIT
// The common parts of the members of the C table (tilery/capi.h). Those marked hot are templates over the game
// (hot.hpp); all others are functions over any::AnyGame, compiled once (table.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "tilery/any/game.hpp"
#include "tilery/c/capi.h"
#include "tilery/core/errors.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"
#include "tilery/search/analysis.hpp"

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
    } catch (const Error& error) {
        constexpr std::array<tilery_status, 5> kStatus{TILERY_OPTION_ERROR, TILERY_ILLEGAL_ACTION, TILERY_PARSE_ERROR,
                                                       TILERY_STATE_DATA_ERROR, TILERY_BAD_ARGUMENT};
        return refuse(kStatus[index(error.kind)], error.what());
    } catch (const std::invalid_argument& error) {
        return refuse(TILERY_BAD_ARGUMENT, error.what());
    } catch (const std::exception& error) {
        return refuse(TILERY_INTERNAL_ERROR, error.what());
    } catch (...) {
        return refuse(TILERY_INTERNAL_ERROR, "unknown C++ exception");
    }
}

// Runs the body of a call that C makes: no exception leaves it. Calls without a status have
// nothing to throw, and return 0 if they did.
auto without_throwing(auto&& body) noexcept -> decltype(body()) {
    using Result = decltype(body());
    try {
        return body();
    } catch (...) {
        const tilery_status status = refuse_current();
        if constexpr (std::is_same_v<Result, tilery_status>) return status;
        if constexpr (!std::is_void_v<Result>) return Result{};
    }
}

// The same of a body that throws what is wrong, and returns nothing.
tilery_status succeeding(auto&& body) noexcept {
    return without_throwing([&] {
        body();
        return tilery_status{TILERY_OK};
    });
}

// Whether there is room for `size` items; tells the caller the size in any case.
template <class Item, class Size>
[[nodiscard]] tilery_status check_room(std::size_t size, const Item* buffer, std::size_t capacity, Size* needed) {
    if (needed != nullptr) *needed = static_cast<Size>(size);
    if (size > capacity) {
        return refuse(TILERY_BUFFER_TOO_SMALL,
                      "the buffer has room for " + std::to_string(capacity) + ", not for " + std::to_string(size));
    }
    if (buffer == nullptr && size > 0) return refuse(TILERY_BAD_ARGUMENT, "the buffer is null");
    return TILERY_OK;
}

// Apart from the call that it belongs to, which then needs few registers.
[[gnu::noinline]] inline tilery_status refuse_index(std::uint32_t count, std::uint32_t i) noexcept {
    return without_throwing([&] {
        return refuse(TILERY_BAD_ARGUMENT,
                      "there are " + std::to_string(count) + " legal actions, no " + std::to_string(i));
    });
}

// A game of the table is an AnyGame.
[[nodiscard]] inline const any::AnyGame& any_of(const tilery_game* game) {
    return *reinterpret_cast<const any::AnyGame*>(game);
}
[[nodiscard]] inline const tilery_game* handle_of(const any::AnyGame& game) {
    return reinterpret_cast<const tilery_game*>(&game);
}

// The functions of a caller, which may be null, for a search in this game.
[[nodiscard]] inline search::Callbacks callbacks_of(const any::AnyGame& game, tilery_value value, tilery_order order,
                                                    void* data) {
    search::Callbacks made;
    if (value != nullptr) {
        made.value = [=, handle = handle_of(game)](const void* state, double* points) {
            value(handle, state, data, points);
        };
    }
    if (order != nullptr) {
        made.order = [=, handle = handle_of(game)](const void* state, const Action* actions, std::uint32_t count,
                                                   double* priorities) {
            order(handle, state, data, actions, count, priorities);
        };
    }
    return made;
}

inline void refuse_null(const void* pointer, std::string_view call) {
    if (pointer == nullptr) throw std::invalid_argument(std::string(call) + " was handed a null pointer");
}
inline void check_memory(const void* state) {
    if (state == nullptr || reinterpret_cast<std::uintptr_t>(state) % 8 != 0) {
        throw std::invalid_argument("the memory of a state must not be null, and be aligned to 8");
    }
}

// Calls use(rng) with the engine's generator in place of the caller's.
auto with_rng(tilery_rng* rng, auto&& use) {
    Rng stream = std::bit_cast<Rng>(*rng);
    const auto result = use(stream);
    *rng = std::bit_cast<tilery_rng>(stream);
    return result;
}

// The result of a search, with as many of its actions as there is room for.
[[nodiscard]] Value analysis_value(const any::AnyGame& game, const search::Analysis& found, std::size_t most);

// A text with its zero, into a caller's buffer.
[[nodiscard]] tilery_status write_text(const std::string& text, char* buffer, std::size_t capacity,
                                       std::size_t* length);

// The options that words OPTION=VALUE give; throws OptionError.
[[nodiscard]] Value::Object read_words(const char* const* words, std::size_t count);

// The members that are the same for all games; the others are null.
[[nodiscard]] tilery_api common_members();

}  // namespace tilery::c
