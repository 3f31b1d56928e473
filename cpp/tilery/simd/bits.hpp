// SPDX-License-Identifier: MIT
// Bits and bytes of one word, and a hint to the processor.
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

// The bytes of a word put, one after the other, where the mask has bytes 0xFF.
[[nodiscard]] inline std::uint32_t spread_bytes(std::uint32_t word, std::uint32_t mask) {
#ifdef __BMI2__
    return _pdep_u32(word, mask);
#else
    std::uint32_t result = 0;
    for (; mask != 0; word >>= 8) {
        const int at = std::countr_zero(mask);
        result |= (word & 0xFF) << at;
        mask &= ~(0xFFU << at);
    }
    return result;
#endif
}

// Says to the processor that a loop waits for another thread.
inline void wait_in_loop() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

}  // namespace tilery
