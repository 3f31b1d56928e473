// SPDX-License-Identifier: MIT
// Bits and bytes of one word, and a hint to the processor.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#else
#include <array>
#endif
#ifdef __aarch64__
#include <arm_neon.h>

#include <type_traits>
#endif

namespace tilery {

#ifdef __aarch64__
// The number of bits of two words, which are counted in one register.
[[nodiscard]] constexpr int popcount(std::uint64_t a, std::uint64_t b) {
    if (std::is_constant_evaluated()) return std::popcount(a) + std::popcount(b);
    return vaddvq_u8(vcntq_u8(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(a), vcreate_u64(b)))));
}
#endif

#ifndef __BMI2__
// For each rank and byte, the position of the bit of that rank in the byte; 8 where there is none.
inline constexpr auto kBitInByte = [] {
    std::array<std::array<std::uint8_t, 256>, 8> positions{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t rank = 0;
        for (auto& of_rank : positions) of_rank[byte] = 8;
        for (std::uint8_t bit = 0; bit < 8; ++bit) {
            if ((byte >> bit & 1) != 0) positions[rank++][byte] = bit;
        }
    }
    return positions;
}();

// Without a loop over bits, whose end would be mispredicted.
[[nodiscard]] inline int nth_bit_by_bytes(std::uint64_t word, std::uint32_t n) {
    constexpr std::uint64_t kEach = 0x0101010101010101U;
#ifdef __aarch64__
    const std::uint64_t counts = vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(word))), 0);
#else
    std::uint64_t counts = word - (word >> 1 & 0x55 * kEach);
    counts = (counts & 0x33 * kEach) + (counts >> 2 & 0x33 * kEach);
    counts = (counts + (counts >> 4)) & 0x0F * kEach;
#endif
    const std::uint64_t up_to = counts * kEach;  // in this byte and those below
    const std::uint64_t passed = (((n * kEach) | 0x80 * kEach) - up_to) >> 7 & kEach;
    const auto place = static_cast<int>((passed * kEach) >> 56) * 8;
    const auto rank = n - static_cast<std::uint32_t>((up_to << 8) >> place & 0xFF);
    return place + kBitInByte[rank][word >> place & 0xFF];
}
#endif

// The position of the n-th set bit (n from 0) of a word that has more than n.
[[nodiscard]] inline int nth_bit(std::uint64_t word, std::uint32_t n) {
#ifdef __BMI2__  // 64 if it has not, for n below 64
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, word));
#else
    return nth_bit_by_bytes(word, n);
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
