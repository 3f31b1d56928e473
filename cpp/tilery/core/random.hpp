// SPDX-License-Identifier: MIT
// The random streams of docs/interface.md: the same numbers on every platform and in the reference.
#pragma once

#include <bit>
#include <cstdint>

#include "tilery/core/types.hpp"

namespace tilery {

// A bijection of 64-bit numbers; every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

// The high half of a 128-bit product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#else
    const std::uint64_t a_low = a & 0xFFFFFFFFU, a_high = a >> 32;
    const std::uint64_t b_low = b & 0xFFFFFFFFU, b_high = b >> 32;
    const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
    const std::uint64_t other = a_low * b_high + (middle & 0xFFFFFFFFU);
    return a_high * b_high + (middle >> 32) + (other >> 32);
#endif
}

// xoroshiro128++ (Blackman and Vigna, 2019), started at the stream (seed, index). The start is a
// bijection of the pair, so no two streams start the same.
class Rng {
  public:
    explicit constexpr Rng(std::uint64_t seed, std::uint64_t index = 0)
        : s0_(mix(seed + kGolden)), s1_(mix(index + s0_ + kGolden)) {
        if ((s0_ | s1_) == 0) s1_ = 1;
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(s0_ + s1_, 17) + s0_;
        const std::uint64_t t = s1_ ^ s0_;
        s0_ = std::rotl(s0_, 49) ^ t ^ (t << 21);
        s1_ = std::rotl(t, 28);
        return result;
    }

    // A number in [0, n). Exactly one draw, never a loop; the bias is below n / 2^64.
    constexpr std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(multiply_high(next(), n)); }

  private:
    static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

    std::uint64_t s0_;
    std::uint64_t s1_;
};

// The purpose of a random stream of a game (docs/interface.md), where more than the random policy draws numbers.
struct Purpose {
    std::uint64_t number;
    [[nodiscard]] static constexpr Purpose chance() { return {0}; }
    [[nodiscard]] static constexpr Purpose policy(Player seat) { return {1 + static_cast<std::uint64_t>(seat)}; }
    [[nodiscard]] static constexpr Purpose deals(Player player) { return {16 + static_cast<std::uint64_t>(player)}; }
};
[[nodiscard]] constexpr Rng stream_of(std::uint64_t seed, Purpose purpose, std::uint64_t game) {
    return Rng(mix(seed + (purpose.number + 1) * 0x9E3779B97F4A7C15U), game);
}

}  // namespace tilery
