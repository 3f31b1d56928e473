// SPDX-License-Identifier: MIT
// N bytes as a vector of GCC and Clang, which know the instructions of each processor; what they do not know is a loop
// here, and an intrinsic in registers.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tilery::simd {

// One bit for each of N bytes.
template <std::size_t N>
using Mask = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;

// Numbers in N bytes.
template <class Number, std::size_t N>
struct Numbers {
    using Type [[gnu::vector_size(N)]] = Number;
};

template <std::size_t N>
struct Vector {
    using Raw = typename Numbers<std::uint8_t, N>::Type;
    using Words32 = typename Numbers<std::uint32_t, N>::Type;
    using Words64 = typename Numbers<std::uint64_t, N>::Type;
    using Lane = Vector<16>;                     // the part within which bytes are shuffled
    static constexpr bool kFastShuffle = false;  // whether a shuffle beats reading the bytes one by one

    static Raw broadcast(std::uint8_t byte) { return Raw{} + byte; }
    static Raw broadcast32(std::uint32_t value) { return Raw(Words32{} + value); }
    static Raw broadcast128(const void* from) {
        Raw raw;
        for (std::size_t i = 0; i < N; i += 16) std::memcpy(reinterpret_cast<char*>(&raw) + i, from, 16);
        return raw;
    }
    static Raw load(const void* from) {
        Raw raw;
        std::memcpy(&raw, from, N);
        return raw;
    }
    static void store(Raw a, void* to) { std::memcpy(to, &a, N); }

    static Raw bit_and(Raw a, Raw b) { return a & b; }
    static Raw bit_or(Raw a, Raw b) { return a | b; }
    static Raw bit_xor(Raw a, Raw b) { return a ^ b; }
    static Raw and_not(Raw a, Raw b) { return a & ~b; }
    static Raw add(Raw a, Raw b) { return a + b; }
    static Raw subtract(Raw a, Raw b) { return a - b; }
    static Raw add64(Raw a, Raw b) { return Raw(Words64(a) + Words64(b)); }
    static Raw max(Raw a, Raw b) { return a > b ? a : b; }
    static Raw min(Raw a, Raw b) { return a < b ? a : b; }
    static Raw equal(Raw a, Raw b) { return Raw(a == b); }
    static Raw equal32(Raw a, Raw b) { return Raw(Words32(a) == Words32(b)); }
    static Raw shuffle(Raw a, Raw control) {
        Raw raw;
        for (std::size_t lane = 0; lane < N; lane += 16) {
            // With a zero behind the last byte for the bytes that become 0.
            std::array<std::uint8_t, 17> from{};
            std::array<std::uint8_t, 16> which;
            std::memcpy(from.data(), reinterpret_cast<const char*>(&a) + lane, 16);
            std::memcpy(which.data(), reinterpret_cast<const char*>(&control) + lane, 16);
            for (std::uint8_t& byte : which) byte = from[byte < 0x80 ? byte & 15 : 16];
            std::memcpy(reinterpret_cast<char*>(&raw) + lane, which.data(), 16);
        }
        return raw;
    }
    static Raw high_nibbles(Raw a) { return a >> 4; }
    template <int K>
    static Raw shift_right32(Raw a) {
        return Raw(Words32(a) >> K);
    }
    template <int K>
    static Raw shift_right64(Raw a) {
        return Raw(Words64(a) >> K);
    }
    static Raw align_right8(Raw a, Raw b) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Raw(__builtin_shufflevector(Words64(a), Words64(b), (I + 1)...));
        }(std::make_index_sequence<N / 8>());
    }
    static Mask<N> movemask(Raw a) {
        Mask<N> mask = 0;
        for (std::size_t i = 0; i < N; ++i) mask |= Mask<N>{a[i]} >> 7 << i;
        return mask;
    }
    static std::uint32_t movemask32(Raw a) {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < N / 4; ++i) mask |= Words32(a)[i] >> 31 << i;
        return mask;
    }
    static typename Numbers<std::uint8_t, 16>::Type or_lanes(Raw a) {
        typename Numbers<std::uint8_t, 16>::Type lane{};
        for (std::size_t i = 0; i < N; ++i) lane[i % 16] |= a[i];
        return lane;
    }

    // Operations of vectors of 16 bytes alone.
    static Raw from64(std::uint64_t value) { return Raw(Words64{value}); }
    static Raw from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return Raw(Words32{a, b, c, d});
    }
    static std::uint64_t low64(Raw a) { return Words64(a)[0]; }
    // Those of 2 N bytes, zeros and `a`, that begin K before `a`.
    template <int K>
    static Raw shift_left_bytes(Raw a) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return __builtin_shufflevector(Raw{}, a, (N - K + I)...);
        }(std::make_index_sequence<N>());
    }
    static Raw interleave_low32(Raw a, Raw b, Raw c, Raw d) {
        const auto pair = [](Raw x, Raw y) {
            return Words64(__builtin_shufflevector(Words32(x), Words32(y), 0, 4, 1, 5));
        };
        return Raw(__builtin_shufflevector(pair(a, b), pair(c, d), 0, 2));
    }
};

}  // namespace tilery::simd
