// SPDX-License-Identifier: MIT
// The words every game shares: actions, players, points; and arrays and small integers without casts.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#if !defined(__GNUC__) && !defined(__clang__)
#error tilery needs GCC or Clang; on Windows build with clang++
#endif

namespace tilery {

// A state has the same layout on every target, and fields of 64 bits without padding before them.
static_assert(alignof(std::uint64_t) == 8,
              "tilery needs 64-bit integers that are aligned to 8 bytes, as on all "
              "64-bit targets and WebAssembly; 32-bit x86 aligns them to 4");

// Tells the compiler what it cannot see, where that saves instructions in the hottest code.
[[gnu::always_inline]] inline void assume(bool holds) {
    assert(holds);
    if (!holds) __builtin_unreachable();
}

// The id of an action, in [0, num_distinct_actions) of its game (G-1).
using Action = std::int32_t;
// In place of an id: an action of which a player sees only that it happens.
inline constexpr Action kUnseen = -1;

// A player's number in seating order, or one of the two below (G-4).
using Player = int;
inline constexpr Player kChance = -1;
inline constexpr Player kTerminal = -4;

inline constexpr int kMaxPlayers = 5;

// One thing for each player. Games with fewer players leave the rest at T{}.
template <class T>
using PerPlayer = std::array<T, kMaxPlayers>;

// How a caller ends a call early: asked now and then, and the call ends once it returns false.
using GoOn = std::function<bool()>;

// A place in an array, from a number or enumerator that is not negative.
template <class Key>
[[nodiscard]] constexpr std::size_t index(Key key) {
    if constexpr (std::is_signed_v<Key>) assert(key >= 0);
    return static_cast<std::size_t>(key);
}

// A place in an array, or another small count, as a number to compute with.
[[nodiscard]] constexpr int number(std::size_t place) {
    assert(place <= 0x7FFFFFFF);
    return static_cast<int>(place);
}

// An integer stored in few bytes that converts to and from int: no cast when it is read or written, and an
// assertion that every value fits.
template <class T>
class Narrow {
  public:
    Narrow() = default;
    constexpr Narrow(int value) : value_(static_cast<T>(value)) { assert(value_ == value); }

    constexpr operator T() const { return value_; }
    constexpr Narrow& operator+=(int other) { return *this = value_ + other; }
    constexpr Narrow& operator-=(int other) { return *this = value_ - other; }
    constexpr Narrow& operator|=(int other) { return *this = value_ | other; }
    constexpr Narrow& operator++() { return *this += 1; }
    constexpr Narrow& operator--() { return *this -= 1; }
    constexpr int operator++(int) { return std::exchange(*this, value_ + 1); }
    constexpr int operator--(int) { return std::exchange(*this, value_ - 1); }

  private:
    T value_;
};
using Byte = Narrow<std::uint8_t>;

// An array whose places are named by players, by enumerators or by other small numbers.
template <class T, std::size_t N>
class Keyed {
  public:
    [[nodiscard]] constexpr T& operator[](auto key) { return items_[index(key)]; }
    [[nodiscard]] constexpr const T& operator[](auto key) const { return items_[index(key)]; }
    [[nodiscard]] static constexpr int size() { return int{N}; }
    [[nodiscard]] constexpr auto begin() { return items_.begin(); }
    [[nodiscard]] constexpr auto end() { return items_.end(); }
    [[nodiscard]] constexpr auto begin() const { return items_.begin(); }
    [[nodiscard]] constexpr auto end() const { return items_.end(); }
    [[nodiscard]] constexpr auto* data() { return items_.data(); }
    [[nodiscard]] constexpr const auto* data() const { return items_.data(); }
    // The first items, as many as players take part, say.
    [[nodiscard]] constexpr std::span<const T> first(int count) const { return std::span(items_).first(index(count)); }
    constexpr void fill(const T& item) { items_.fill(item); }
    [[nodiscard]] friend constexpr bool operator==(const Keyed& a, const Keyed& b) { return a.items_ == b.items_; }

    std::array<T, N> items_;  // public, so that Keyed<int, 2>{1, 2} needs no constructor
};

// The array of f(0), f(1) and so on, of N items: a table by something's number.
template <std::size_t N>
[[nodiscard]] constexpr auto array_of(const auto& f) {
    return [&f]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
        return std::array{f(I)...};
    }(std::make_integer_sequence<std::uint32_t, N>());
}

// The points of the players as scores() returns them.
[[nodiscard]] constexpr PerPlayer<int> per_player(const auto& points) {
    PerPlayer<int> scores{};
    std::size_t player = 0;
    for (const int amount : points) scores[player++] = amount;
    return scores;
}

}  // namespace tilery
