// SPDX-License-Identifier: MIT
// Sums of rows of 16-bit numbers. Compilers keep sums in registers as vectors, and as arrays in memory.
#pragma once

#include <array>
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

// The sum of rows by their numbers.
template <class Ids>
[[nodiscard]] std::array<std::int32_t, 4> sum_rows(const std::vector<std::array<std::int16_t, 4>>& rows,
                                                   const Ids& ids) {
    using Row = std::int16_t __attribute__((vector_size(8)));
    using Sum = std::int32_t __attribute__((vector_size(16)));
    Sum sum{};
    for (const auto id : ids) {
        Row row;
        std::memcpy(&row, rows[id].data(), sizeof row);
        sum += __builtin_convertvector(row, Sum);
    }
    std::array<std::int32_t, 4> found;
    std::memcpy(found.data(), &sum, sizeof sum);
    return found;
}

}  // namespace tilery
