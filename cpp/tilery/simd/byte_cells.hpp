// SPDX-License-Identifier: MIT
// One small number per cell of an 8 x 8 board, processed 64 at a time; AVX2 with a portable fallback.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace tilery {

using ByteCells = std::array<std::uint8_t, 64>;  // row by row, of eight cells each

// One bit in each byte of a word.
inline constexpr std::uint64_t kEachByte = 0x0101010101010101;

#ifdef __AVX2__
// 64 bytes in two registers. If all 64 bytes will soon be read back, write all of them: a wide load cannot
// be forwarded from narrower stores, and stalls.
struct Bytes64 {
    __m256i low, high;

    [[nodiscard]] static Bytes64 load(const std::uint8_t* from) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)),
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32))};
    }
    void store(std::uint8_t* to) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 32), high);
    }
    // Each byte replaced by the entry of a table at its low four bits.
    [[nodiscard]] Bytes64 lookup(const std::array<std::uint8_t, 16>& table) const {
        const __m256i both =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
        return {_mm256_shuffle_epi8(both, low), _mm256_shuffle_epi8(both, high)};
    }
    // Bit i is the highest bit of byte i.
    [[nodiscard]] std::uint64_t movemask() const {
        const auto of = [](__m256i bytes) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)); };
        return of(low) | std::uint64_t{of(high)} << 32;
    }
};
[[nodiscard]] inline Bytes64 operator+(const Bytes64& a, const Bytes64& b) {
    return {_mm256_add_epi8(a.low, b.low), _mm256_add_epi8(a.high, b.high)};
}
[[nodiscard]] inline Bytes64 operator|(const Bytes64& a, const Bytes64& b) {
    return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
[[nodiscard]] inline Bytes64 operator^(const Bytes64& a, const Bytes64& b) {
    return {_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high)};
}
// Each byte and the mask.
[[nodiscard]] inline Bytes64 operator&(const Bytes64& a, std::uint8_t mask) {
    const __m256i all = _mm256_set1_epi8(static_cast<char>(mask));
    return {_mm256_and_si256(a.low, all), _mm256_and_si256(a.high, all)};
}
#endif

// How each cell compares with its neighbour to the east (the next one) and to the north (in the next row),
// as sets of cells in words. Bits of cells on the border, which have no such neighbour, are unspecified.
// All numbers must be below 64.
struct Comparison {
    std::uint64_t equal;
    std::uint64_t close;  // at most 1 apart
};
struct Neighbours {
    Comparison east, north;
};

[[nodiscard]] inline Neighbours compare_neighbours(const ByteCells& cells) {
#ifdef __AVX2__
    const auto compare = [](const Bytes64& a, const Bytes64& b) {
        const auto equal = [](__m256i x, __m256i y) { return _mm256_cmpeq_epi8(x, y); };
        const auto close = [](__m256i x, __m256i y) {
            const __m256i from_0_to_2 = _mm256_sub_epi8(_mm256_sub_epi8(x, y), _mm256_set1_epi8(-1));
            return _mm256_cmpeq_epi8(from_0_to_2, _mm256_min_epu8(from_0_to_2, _mm256_set1_epi8(2)));
        };
        return Comparison{Bytes64{equal(a.low, b.low), equal(a.high, b.high)}.movemask(),
                          Bytes64{close(a.low, b.low), close(a.high, b.high)}.movemask()};
    };
    constexpr int kNextRow = 0b00'11'10'01;
    const Bytes64 here = Bytes64::load(cells.data());
    const Bytes64 east{_mm256_srli_epi64(here.low, 8), _mm256_srli_epi64(here.high, 8)};
    const Bytes64 north{_mm256_permute4x64_epi64(_mm256_blend_epi32(here.low, here.high, 0b11), kNextRow),
                        _mm256_permute4x64_epi64(here.high, kNextRow)};
    return {compare(here, east), compare(here, north)};
#else
    constexpr std::uint64_t kHighest = 0x80 * kEachByte;
    Neighbours all{};
    std::array<std::uint64_t, 9> rows{};  // with an empty one beyond the last
    std::memcpy(rows.data(), cells.data(), cells.size());
    for (std::size_t r = 0; r < 8; ++r) {
        const auto put = [r](std::uint64_t& set, std::uint64_t highest_bits) {
            set |= (highest_bits >> 7) * 0x0102040810204080 >> 56 << 8 * r;
        };
        const auto compare = [&](std::uint64_t a, std::uint64_t b, Comparison& into) {
            put(into.equal, (kHighest - (a ^ b)) & kHighest);
            // 0, 1 or 2 for close ones; what is less than 0 has the highest bit.
            const std::uint64_t from_0_to_2 = ((a | kHighest) - b + kEachByte) ^ kHighest;
            put(into.close, (0x82 * kEachByte - (from_0_to_2 & ~kHighest)) & ~from_0_to_2 & kHighest);
        };
        compare(rows[r], rows[r] >> 8, all.east);
        compare(rows[r], rows[r + 1], all.north);
    }
    return all;
#endif
}

// Eight of the cells in any order, and how to gather them.
class ByteLine {
  public:
    static constexpr std::size_t kLength = 8;

    constexpr explicit ByteLine(const std::array<std::uint8_t, kLength>& cells) : cells_(cells) {
        // For each run of 16 cells where its bytes go, as the shuffle of 16 bytes wants it.
        controls_.fill(0x80);
        for (std::size_t i = 0; i < kLength; ++i) controls_[cells[i] / 16 * 16u + i] = cells[i] % 16;
    }
    [[nodiscard]] constexpr const std::array<std::uint8_t, kLength>& cells() const { return cells_; }

    // The bytes of the cells as a word, the first one lowest.
    [[nodiscard]] std::uint64_t gather(const ByteCells& bytes) const {
#ifdef __AVX2__
        const Bytes64 all = Bytes64::load(bytes.data()), control = Bytes64::load(controls_.data());
        const __m256i both =
            _mm256_or_si256(_mm256_shuffle_epi8(all.low, control.low), _mm256_shuffle_epi8(all.high, control.high));
        const __m128i word = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(word));
#else
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < kLength; ++i) word |= std::uint64_t{bytes[cells_[i]]} << (8 * i);
        return word;
#endif
    }

  private:
    std::array<std::uint8_t, kLength> cells_;
    ByteCells controls_{};
};

}  // namespace tilery
