// SPDX-License-Identifier: MIT
// Sums of rows of 16-bit numbers. Compilers keep sums in registers as vectors, and as arrays in memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tilery {

// Adds rows by their numbers to `sums`, modulo 2^16.
template <std::size_t N, class Ids>
void add_rows(std::array<std::uint16_t, N>& sums, const std::vector<std::array<std::int16_t, N>>& rows,
              const Ids& ids) {
#ifdef __AVX2__
    using Part = std::uint16_t __attribute__((vector_size(32)));
#else
    using Part = std::uint16_t __attribute__((vector_size(16)));
#endif
    constexpr std::size_t kNumbers = sizeof(Part) / sizeof(std::uint16_t);
    static_assert(N % kNumbers == 0);
    for (std::size_t at = 0; at < N; at += kNumbers) {
        Part sum, row;
        std::memcpy(&sum, sums.data() + at, sizeof sum);
        for (const auto id : ids) {
            std::memcpy(&row, rows[id].data() + at, sizeof row);
            sum += row;
        }
        std::memcpy(sums.data() + at, &sum, sizeof sum);
    }
}

// The sum of at most 2^16 rows by their numbers. Compilers keep vectors of four numbers in memory too, so two words
// hold two numbers each, made positive while they are added up.
[[nodiscard]] std::array<std::int32_t, 4> sum_rows(const std::vector<std::array<std::int16_t, 4>>& rows,
                                                   const auto& ids) {
    constexpr std::uint64_t kLow = 0x0000FFFF0000FFFF, kSigns = 0x8000800080008000;
    std::uint64_t even = 0, odd = 0;
    const std::uint32_t added = static_cast<std::uint32_t>(ids.size()) << 15;
    for (const auto id : ids) {
        const auto row = std::bit_cast<std::uint64_t>(rows[id]) ^ kSigns;
        even += row & kLow;
        odd += row >> 16 & kLow;
    }
    const auto number = [added](std::uint64_t sum) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) - added);
    };
    return {number(even), number(odd), number(even >> 32), number(odd >> 32)};
}

}  // namespace tilery
