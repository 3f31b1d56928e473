// SPDX-License-Identifier: MIT
// The registers of each processor: 16 bytes with SSE2 (and SSSE3 for the shuffle), NEON or WebAssembly's simd128, 32
// with AVX2.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

// Twice the bytes of a register, as two of them.
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

// Native16, Native32 and Native64 hold 16, 32 and 64 bytes in this build.
#if defined(__SSE2__)
struct Sse : Vector<16> {
    using Lane = Sse;

#ifdef __SSSE3__
    static constexpr bool kFastShuffle = true;
    static Raw shuffle(Raw a, Raw control) { return Raw(_mm_shuffle_epi8(__m128i(a), __m128i(control))); }
#endif
    static Mask<16> movemask(Raw a) { return static_cast<std::uint32_t>(_mm_movemask_epi8(__m128i(a))); }
    static std::uint32_t movemask32(Raw a) { return static_cast<std::uint32_t>(_mm_movemask_ps(__m128(a))); }
    static Raw or_lanes(Raw a) { return a; }
};
using Native16 = Sse;
#elif defined(__aarch64__)
struct Neon : Vector<16> {
    using Lane = Neon;
    static constexpr bool kFastShuffle = true;

    // A table lookup gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return Raw(vqtbl1q_u8(uint8x16_t(a), uint8x16_t(control & 0x8F))); }
    // Sums of pairs join the bits of eight bytes in three steps, of two registers at once.
    static Mask<16> movemask(Raw a) {
        const uint8x16_t pairs = vpaddq_u8(bits(a), bits(a)), fours = vpaddq_u8(pairs, pairs);
        return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)), 0);
    }
    static Mask<32> movemask(Raw low, Raw high) {
        const uint8x16_t pairs = vpaddq_u8(bits(low), bits(high)), fours = vpaddq_u8(pairs, pairs);
        return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)), 0);
    }
    static int count(Raw a) { return vaddvq_u8(vshrq_n_u8(uint8x16_t(a), 7)); }
    static std::uint32_t movemask32(Raw a) {
        constexpr std::array<std::int32_t, 4> kPlaces{0, 1, 2, 3};
        return vaddvq_u32(vshlq_u32(vshrq_n_u32(uint32x4_t(a), 31), vld1q_s32(kPlaces.data())));
    }
    static Raw or_lanes(Raw a) { return a; }

  private:
    // In each byte whose highest bit is set the bit of its place among eight.
    static uint8x16_t bits(Raw a) {
        constexpr std::uint64_t kBitOfByte = 0x8040201008040201;
        return vandq_u8(uint8x16_t(vshrq_n_s8(int8x16_t(a), 7)), uint8x16_t(vdupq_n_u64(kBitOfByte)));
    }
};
using Native16 = Neon;
#elif defined(__wasm_simd128__)
struct Wasm : Vector<16> {
    using Lane = Wasm;
    static constexpr bool kFastShuffle = true;

    // A swizzle gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return Raw(wasm_i8x16_swizzle(v128_t(a), v128_t(control & 0x8F))); }
    static Mask<16> movemask(Raw a) { return wasm_i8x16_bitmask(v128_t(a)); }
    static std::uint32_t movemask32(Raw a) { return wasm_i32x4_bitmask(v128_t(a)); }
    static Raw or_lanes(Raw a) { return a; }
};
using Native16 = Wasm;
#else
using Native16 = Vector<16>;
#endif

#ifdef __AVX2__
struct Avx2 : Vector<32> {
    using Lane = Sse;
    static constexpr bool kFastShuffle = true;

    static Raw broadcast128(const void* from) { return Raw(_mm256_broadcastsi128_si256(__m128i(Sse::load(from)))); }
    static Raw shuffle(Raw a, Raw control) { return Raw(_mm256_shuffle_epi8(__m256i(a), __m256i(control))); }
    static Mask<32> movemask(Raw a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(__m256i(a))); }
    static std::uint32_t movemask32(Raw a) { return static_cast<std::uint32_t>(_mm256_movemask_ps(__m256(a))); }
    static Sse::Raw or_lanes(Raw a) {
        return Sse::Raw(_mm_or_si128(_mm256_castsi256_si128(__m256i(a)), _mm256_extracti128_si256(__m256i(a), 1)));
    }
};
using Native32 = Avx2;
#else
using Native32 = Halves<Native16, 32>;
#endif
using Native64 = Halves<Native32, 64>;
template <std::size_t N>
using Native = std::conditional_t<N == 16, Native16, std::conditional_t<N == 32, Native32, Native64>>;

}  // namespace tilery::simd
