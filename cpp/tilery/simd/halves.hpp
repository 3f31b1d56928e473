// SPDX-License-Identifier: MIT
// Twice the bytes of a register, as two of them.
#pragma once

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

template <class Half, std::size_t N>
struct Halves {
    struct Raw {
        typename Half::Raw low, high;
    };
    using Lane = typename Half::Lane;
    static constexpr bool kFastShuffle = Half::kFastShuffle;

    static Raw broadcast(std::uint8_t byte) { return {Half::broadcast(byte), Half::broadcast(byte)}; }
    static Raw broadcast32(std::uint32_t value) { return {Half::broadcast32(value), Half::broadcast32(value)}; }
    static Raw broadcast128(const void* from) { return {Half::broadcast128(from), Half::broadcast128(from)}; }
    static Raw load(const void* from) {
        return {Half::load(from), Half::load(static_cast<const std::uint8_t*>(from) + N / 2)};
    }
    static void store(const Raw& a, void* to) {
        Half::store(a.low, to);
        Half::store(a.high, static_cast<std::uint8_t*>(to) + N / 2);
    }

    static Raw bit_and(const Raw& a, const Raw& b) {
        return {Half::bit_and(a.low, b.low), Half::bit_and(a.high, b.high)};
    }
    static Raw bit_or(const Raw& a, const Raw& b) { return {Half::bit_or(a.low, b.low), Half::bit_or(a.high, b.high)}; }
    static Raw bit_xor(const Raw& a, const Raw& b) {
        return {Half::bit_xor(a.low, b.low), Half::bit_xor(a.high, b.high)};
    }
    static Raw and_not(const Raw& a, const Raw& b) {
        return {Half::and_not(a.low, b.low), Half::and_not(a.high, b.high)};
    }
    static Raw add(const Raw& a, const Raw& b) { return {Half::add(a.low, b.low), Half::add(a.high, b.high)}; }
    static Raw subtract(const Raw& a, const Raw& b) {
        return {Half::subtract(a.low, b.low), Half::subtract(a.high, b.high)};
    }
    static Raw add64(const Raw& a, const Raw& b) { return {Half::add64(a.low, b.low), Half::add64(a.high, b.high)}; }
    static Raw max(const Raw& a, const Raw& b) { return {Half::max(a.low, b.low), Half::max(a.high, b.high)}; }
    static Raw min(const Raw& a, const Raw& b) { return {Half::min(a.low, b.low), Half::min(a.high, b.high)}; }
    static Raw equal(const Raw& a, const Raw& b) { return {Half::equal(a.low, b.low), Half::equal(a.high, b.high)}; }
    static Raw equal32(const Raw& a, const Raw& b) {
        return {Half::equal32(a.low, b.low), Half::equal32(a.high, b.high)};
    }
    static Raw shuffle(const Raw& a, const Raw& control) {
        return {Half::shuffle(a.low, control.low), Half::shuffle(a.high, control.high)};
    }
    static Raw high_nibbles(const Raw& a) { return {Half::high_nibbles(a.low), Half::high_nibbles(a.high)}; }
    template <int K>
    static Raw shift_right32(const Raw& a) {
        return {Half::template shift_right32<K>(a.low), Half::template shift_right32<K>(a.high)};
    }
    template <int K>
    static Raw shift_right64(const Raw& a) {
        return {Half::template shift_right64<K>(a.low), Half::template shift_right64<K>(a.high)};
    }
    static Raw align_right8(const Raw& a, const Raw& b) {
        return {Half::align_right8(a.low, a.high), Half::align_right8(a.high, b.low)};
    }
    static Mask<N> movemask(const Raw& a) {
        if constexpr (requires { Half::movemask(a.low, a.high); }) {
            return Half::movemask(a.low, a.high);
        } else {
            return Half::movemask(a.low) | Mask<N>{Half::movemask(a.high)} << N / 2;
        }
    }
    static int count(const Raw& a)
        requires requires { Half::count(a.low); }
    {
        return Half::count(a.low) + Half::count(a.high);
    }
    static std::uint32_t movemask32(const Raw& a) {
        return Half::movemask32(a.low) | Half::movemask32(a.high) << N / 8;
    }
    static typename Lane::Raw or_lanes(const Raw& a) { return Half::or_lanes(Half::bit_or(a.low, a.high)); }
};

}  // namespace tilery::simd
