// SPDX-License-Identifier: MIT
// Registers of x86-64: 16 bytes with SSE2 (and SSSE3 for the shuffle), 32 with AVX2. What the operations do is said
// in bytes.hpp and defined in portable.hpp.
#pragma once

#ifdef __SSE2__

#include <immintrin.h>

#include "tilery/simd/portable.hpp"

namespace tilery::simd {

struct Sse {
    using Raw = __m128i;
    using Lane = Sse;

    static Raw broadcast(std::uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
    static Raw broadcast32(std::uint32_t value) { return _mm_set1_epi32(static_cast<int>(value)); }
    static Raw broadcast128(const void* from) { return load(from); }
    static Raw load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
    static void store(Raw a, void* to) { _mm_storeu_si128(static_cast<__m128i*>(to), a); }

    static Raw bit_and(Raw a, Raw b) { return _mm_and_si128(a, b); }
    static Raw bit_or(Raw a, Raw b) { return _mm_or_si128(a, b); }
    static Raw bit_xor(Raw a, Raw b) { return _mm_xor_si128(a, b); }
    static Raw and_not(Raw a, Raw b) { return _mm_andnot_si128(b, a); }
    static Raw add(Raw a, Raw b) { return _mm_add_epi8(a, b); }
    static Raw subtract(Raw a, Raw b) { return _mm_sub_epi8(a, b); }
    static Raw add64(Raw a, Raw b) { return _mm_add_epi64(a, b); }
    static Raw max(Raw a, Raw b) { return _mm_max_epu8(a, b); }
    static Raw min(Raw a, Raw b) { return _mm_min_epu8(a, b); }
    static Raw equal(Raw a, Raw b) { return _mm_cmpeq_epi8(a, b); }
    static Raw equal32(Raw a, Raw b) { return _mm_cmpeq_epi32(a, b); }
#ifdef __SSSE3__
    static constexpr bool kFastShuffle = true;
    static Raw shuffle(Raw a, Raw control) { return _mm_shuffle_epi8(a, control); }
#else
    static constexpr bool kFastShuffle = false;
    static Raw shuffle(Raw a, Raw control) {
        // With a zero behind the last byte for the bytes that become 0.
        std::array<std::uint8_t, 17> from;
        std::array<std::uint8_t, 16> which;
        store(a, from.data());
        from[16] = 0;
        store(control, which.data());
        for (std::uint8_t& byte : which) byte = from[byte < 0x80 ? byte & 15 : 16];
        return load(which.data());
    }
#endif
    static Raw high_nibbles(Raw a) { return bit_and(_mm_srli_epi16(a, 4), _mm_set1_epi8(15)); }
    template <int K>
    static Raw shift_right32(Raw a) {
        return _mm_srli_epi32(a, K);
    }
    template <int K>
    static Raw shift_right64(Raw a) {
        return _mm_srli_epi64(a, K);
    }
    static Raw align_right8(Raw a, Raw b) {
        return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), 0b01));
    }
    static Mask<16> movemask(Raw a) { return static_cast<std::uint32_t>(_mm_movemask_epi8(a)); }
    static std::uint32_t movemask32(Raw a) { return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(a))); }
    static Raw or_lanes(Raw a) { return a; }

    static Raw from64(std::uint64_t value) { return _mm_cvtsi64_si128(static_cast<long long>(value)); }
    static Raw from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return _mm_setr_epi32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), static_cast<int>(d));
    }
    static std::uint64_t low64(Raw a) { return static_cast<std::uint64_t>(_mm_cvtsi128_si64(a)); }
    template <int K>
    static Raw shift_left_bytes(Raw a) {
        return _mm_slli_si128(a, K);
    }
    static Raw interleave_low32(Raw a, Raw b, Raw c, Raw d) {
        return _mm_unpacklo_epi64(_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    }
};

#ifdef __AVX2__
struct Avx2 {
    using Raw = __m256i;
    using Lane = Sse;
    static constexpr bool kFastShuffle = true;

    static Raw broadcast(std::uint8_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
    static Raw broadcast32(std::uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }
    static Raw broadcast128(const void* from) { return _mm256_broadcastsi128_si256(Sse::load(from)); }
    static Raw load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
    static void store(Raw a, void* to) { _mm256_storeu_si256(static_cast<__m256i*>(to), a); }

    static Raw bit_and(Raw a, Raw b) { return _mm256_and_si256(a, b); }
    static Raw bit_or(Raw a, Raw b) { return _mm256_or_si256(a, b); }
    static Raw bit_xor(Raw a, Raw b) { return _mm256_xor_si256(a, b); }
    static Raw and_not(Raw a, Raw b) { return _mm256_andnot_si256(b, a); }
    static Raw add(Raw a, Raw b) { return _mm256_add_epi8(a, b); }
    static Raw subtract(Raw a, Raw b) { return _mm256_sub_epi8(a, b); }
    static Raw add64(Raw a, Raw b) { return _mm256_add_epi64(a, b); }
    static Raw max(Raw a, Raw b) { return _mm256_max_epu8(a, b); }
    static Raw min(Raw a, Raw b) { return _mm256_min_epu8(a, b); }
    static Raw equal(Raw a, Raw b) { return _mm256_cmpeq_epi8(a, b); }
    static Raw equal32(Raw a, Raw b) { return _mm256_cmpeq_epi32(a, b); }
    static Raw shuffle(Raw a, Raw control) { return _mm256_shuffle_epi8(a, control); }
    static Raw high_nibbles(Raw a) { return bit_and(_mm256_srli_epi16(a, 4), _mm256_set1_epi8(15)); }
    template <int K>
    static Raw shift_right32(Raw a) {
        return _mm256_srli_epi32(a, K);
    }
    template <int K>
    static Raw shift_right64(Raw a) {
        return _mm256_srli_epi64(a, K);
    }
    static Raw align_right8(Raw a, Raw b) {
        return _mm256_permute4x64_epi64(_mm256_blend_epi32(a, b, 0b11), 0b00'11'10'01);
    }
    static Mask<32> movemask(Raw a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }
    static std::uint32_t movemask32(Raw a) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
    }
    static Sse::Raw or_lanes(Raw a) { return _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)); }
};
#endif

}  // namespace tilery::simd

#endif
