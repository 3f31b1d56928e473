// SPDX-License-Identifier: MIT
// Counts among sixteen numbers.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace tilery {

// How many of sixteen numbers are less than `limit`.
[[nodiscard]] inline std::uint32_t count_less(const std::int16_t* numbers, std::int16_t limit) {
#ifdef __AVX2__
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
    const __m256i less = _mm256_cmpgt_epi16(_mm256_set1_epi16(limit), all);
    return static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(less)))) / 2;
#elif defined(__aarch64__)
    const int16x8_t limits = vdupq_n_s16(limit);
    const uint16x8_t less =  // -1 for each
        vaddq_u16(vcltq_s16(vld1q_s16(numbers), limits), vcltq_s16(vld1q_s16(numbers + 8), limits));
    return static_cast<std::uint16_t>(-vaddvq_u16(less));
#else
    std::int16_t count = 0;
    for (int i = 0; i < 16; ++i) count = static_cast<std::int16_t>(count + (numbers[i] < limit ? 1 : 0));
    return static_cast<std::uint32_t>(count);
#endif
}

}  // namespace tilery
