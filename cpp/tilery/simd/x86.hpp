// SPDX-License-Identifier: MIT
// Registers of x86-64: 16 bytes with SSE2 (and SSSE3 for the shuffle), 32 with AVX2.
#pragma once

#ifdef __SSE2__

#include <immintrin.h>

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

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
#endif

}  // namespace tilery::simd

#endif
