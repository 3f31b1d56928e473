// SPDX-License-Identifier: MIT
// Bits of one 64-bit word.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace tilery {

// The position of the n-th set bit (n from 0) of a word that has more than n.
[[nodiscard]] inline int nth_bit(std::uint64_t word, std::uint32_t n) {
#ifdef __BMI2__  // 64 if it has not, for n below 64
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, word));
#else
    for (; n > 0; --n) word &= word - 1;
    return std::countr_zero(word);
#endif
}

}  // namespace tilery
