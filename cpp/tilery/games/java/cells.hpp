// SPDX-License-Identifier: MIT
// Two ways to number the spaces of an island, so that rules about neighbours are set algebra.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "tilery/core/cell_set.hpp"
#include "tilery/games/java/board.hpp"

namespace tilery::java {

// By rows, for boards of up to 15 rows and 20 skewed columns q = (row + column) / 2, outside
// spaces included. In these coordinates every direction is one step on all of the island:
//
//       NW  NE        (-1, -1)  (-1, 0)
//      W  x  E        ( 0, -1)     x     ( 0, +1)
//       SW  SE        (+1,  0)  (+1, +1)
//
// Five words hold three rows each, in slots of 21 bits, as the stripes of a flag. So a step to the
// next row renames the words, but for one shift, and a step along the row is a shift without carry.
//
//                 slot 0   slot 1   slot 2
//       word 0    row 0    row 5    row 10
//       word 1    row 1    row 6    row 11
//        ...
//       word 4    row 4    row 9    row 14
//
// The last bit of a slot is no space, so that rows do not run into each other. A step off the
// island leads to bits that are no spaces: a set that was stepped to has to be intersected with a
// set of spaces before it is stepped from, counted or compared.
class Stripes {
  public:
    static constexpr std::size_t kWords = 5;
    static constexpr std::size_t kSlots = 3;
    static constexpr std::size_t kWidth = 64 / kSlots;

    [[nodiscard]] static Stripes load(const std::uint64_t* words);
    void store(std::uint64_t* words) const;
    // The set of one cell.
    [[nodiscard]] static Stripes only(std::size_t cell);

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool meets(const Stripes& other) const;
    [[nodiscard]] bool has(std::size_t cell) const { return (words()[cell / 64] >> (cell % 64) & 1) != 0; }
    void insert(std::size_t cell) { *this |= only(cell); }
    [[nodiscard]] std::uint32_t size() const {
        int count = 0;
        for (const std::uint64_t word : words()) count += std::popcount(word);
        return static_cast<std::uint32_t>(count);
    }
    // Any cell; the set must not be empty.
    [[nodiscard]] std::size_t first() const {
        const auto all = words();
        std::size_t w = 0;
        while (all[w] == 0) ++w;
        return 64 * w + static_cast<std::size_t>(std::countr_zero(all[w]));
    }
    template <class F>
    void for_each(F&& f) const {
        const auto all = words();
        for (std::size_t w = 0; w < kWords; ++w) {
            for (std::uint64_t word = all[w]; word != 0; word &= word - 1) {
                f(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

    Stripes& operator|=(const Stripes& other);
    Stripes& operator&=(const Stripes& other);
    Stripes& operator-=(const Stripes& other);
    Stripes& operator^=(const Stripes& other);
    [[nodiscard]] friend Stripes operator|(Stripes a, const Stripes& b) { return a |= b; }
    [[nodiscard]] friend Stripes operator&(Stripes a, const Stripes& b) { return a &= b; }
    [[nodiscard]] friend Stripes operator-(Stripes a, const Stripes& b) { return a -= b; }
    [[nodiscard]] friend Stripes operator^(Stripes a, const Stripes& b) { return a ^= b; }
    bool operator==(const Stripes& other) const { return (*this ^ other).empty(); }

    [[nodiscard]] Stripes east() const;
    [[nodiscard]] Stripes west() const;
    [[nodiscard]] Stripes south_west() const;
    [[nodiscard]] Stripes north_east() const;

  private:
    [[nodiscard]] std::array<std::uint64_t, kWords> words() const {
        std::array<std::uint64_t, kWords> all;
        store(all.data());
        return all;
    }

#ifdef __AVX2__
    __m256i low_ = _mm256_setzero_si256();   // words 0 to 3
    __m256i high_ = _mm256_setzero_si256();  // word 4; after a step the other three hold anything
#else
    std::array<std::uint64_t, kWords> words_{};
#endif
};

#ifdef __AVX2__

inline Stripes Stripes::load(const std::uint64_t* words) {
    Stripes set;
    set.low_ = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
    set.high_ = _mm256_zextsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(words + 4)));
    return set;
}
inline void Stripes::store(std::uint64_t* words) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), low_);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(words + 4), _mm256_castsi256_si128(high_));
}
inline Stripes Stripes::only(std::size_t cell) {
    Stripes set;
    const __m256i bit = _mm256_set1_epi64x(static_cast<std::int64_t>(std::uint64_t{1} << (cell % 64)));
    const __m256i word = _mm256_set1_epi64x(static_cast<std::int64_t>(cell / 64));
    set.low_ = _mm256_and_si256(bit, _mm256_cmpeq_epi64(word, _mm256_setr_epi64x(0, 1, 2, 3)));
    set.high_ = _mm256_and_si256(bit, _mm256_cmpeq_epi64(word, _mm256_setr_epi64x(4, -1, -1, -1)));
    return set;
}
inline bool Stripes::empty() const {
    const __m256i all = _mm256_or_si256(low_, high_);
    return _mm256_testz_si256(all, all) != 0;
}
inline bool Stripes::meets(const Stripes& other) const { return !(*this & other).empty(); }
inline Stripes& Stripes::operator|=(const Stripes& other) {
    low_ = _mm256_or_si256(low_, other.low_);
    high_ = _mm256_or_si256(high_, other.high_);
    return *this;
}
inline Stripes& Stripes::operator&=(const Stripes& other) {
    low_ = _mm256_and_si256(low_, other.low_);
    high_ = _mm256_and_si256(high_, other.high_);
    return *this;
}
inline Stripes& Stripes::operator-=(const Stripes& other) {
    low_ = _mm256_andnot_si256(other.low_, low_);
    high_ = _mm256_andnot_si256(other.high_, high_);
    return *this;
}
inline Stripes& Stripes::operator^=(const Stripes& other) {
    low_ = _mm256_xor_si256(low_, other.low_);
    high_ = _mm256_xor_si256(high_, other.high_);
    return *this;
}
inline Stripes Stripes::east() const {
    Stripes set;
    set.low_ = _mm256_slli_epi64(low_, 1);
    set.high_ = _mm256_slli_epi64(high_, 1);
    return set;
}
inline Stripes Stripes::west() const {
    Stripes set;
    set.low_ = _mm256_srli_epi64(low_, 1);
    set.high_ = _mm256_srli_epi64(high_, 1);
    return set;
}
inline Stripes Stripes::south_west() const {
    Stripes set;
    const __m256i turned = _mm256_permute4x64_epi64(low_, _MM_SHUFFLE(2, 1, 0, 3));
    set.low_ = _mm256_blend_epi32(turned, _mm256_slli_epi64(high_, kWidth), 0b00000011);
    set.high_ = turned;
    return set;
}
inline Stripes Stripes::north_east() const {
    Stripes set;
    const __m256i turned = _mm256_permute4x64_epi64(low_, _MM_SHUFFLE(0, 3, 2, 1));
    const __m256i last = _mm256_permute4x64_epi64(high_, _MM_SHUFFLE(0, 0, 0, 0));
    set.low_ = _mm256_blend_epi32(turned, last, 0b11000000);
    set.high_ = _mm256_srli_epi64(low_, kWidth);
    return set;
}

#else

inline Stripes Stripes::load(const std::uint64_t* words) {
    Stripes set;
    for (std::size_t w = 0; w < kWords; ++w) set.words_[w] = words[w];
    return set;
}
inline void Stripes::store(std::uint64_t* words) const {
    for (std::size_t w = 0; w < kWords; ++w) words[w] = words_[w];
}
inline Stripes Stripes::only(std::size_t cell) {
    Stripes set;
    set.words_[cell / 64] = std::uint64_t{1} << (cell % 64);
    return set;
}
inline bool Stripes::empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) any |= word;
    return any == 0;
}
inline bool Stripes::meets(const Stripes& other) const { return !(*this & other).empty(); }
inline Stripes& Stripes::operator|=(const Stripes& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
    return *this;
}
inline Stripes& Stripes::operator&=(const Stripes& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] &= other.words_[w];
    return *this;
}
inline Stripes& Stripes::operator-=(const Stripes& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] &= ~other.words_[w];
    return *this;
}
inline Stripes& Stripes::operator^=(const Stripes& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] ^= other.words_[w];
    return *this;
}
inline Stripes Stripes::east() const {
    Stripes set;
    for (std::size_t w = 0; w < kWords; ++w) set.words_[w] = words_[w] << 1;
    return set;
}
inline Stripes Stripes::west() const {
    Stripes set;
    for (std::size_t w = 0; w < kWords; ++w) set.words_[w] = words_[w] >> 1;
    return set;
}
inline Stripes Stripes::south_west() const {
    Stripes set;
    set.words_[0] = words_[kWords - 1] << kWidth;
    for (std::size_t w = 1; w < kWords; ++w) set.words_[w] = words_[w - 1];
    return set;
}
inline Stripes Stripes::north_east() const {
    Stripes set;
    for (std::size_t w = 0; w + 1 < kWords; ++w) set.words_[w] = words_[w + 1];
    set.words_[kWords - 1] = words_[0] >> kWidth;
    return set;
}

#endif

class Rows {
  public:
    using Set = Stripes;
    static constexpr std::size_t kWords = Set::kWords, kSlots = Set::kSlots;

    explicit Rows(const Board&) {}

    // The cells of the spaces, if the board can be numbered so.
    [[nodiscard]] static std::optional<Numbers> number(const Board& board) {
        const auto skewed = [](Space space) { return (space.row + space.column) / 2; };
        int first = skewed(board.spaces.front());
        for (const Space space : board.spaces) first = std::min(first, skewed(space));
        Numbers cells;
        for (const Space space : board.spaces) {
            const auto row = static_cast<std::size_t>(space.row - board.spaces.front().row);
            const auto q = static_cast<std::size_t>(skewed(space) - first);
            if (row >= kWords * kSlots || q + 1 >= Set::kWidth) return std::nullopt;
            cells.push_back(static_cast<std::uint16_t>(64 * (row % kWords) + Set::kWidth * (row / kWords) + q));
        }
        return cells;
    }

    [[nodiscard]] static Set load(const std::uint64_t* words) { return Set::load(words); }
    static void store(const Set& set, std::uint64_t* words) { set.store(words); }
    [[nodiscard]] static Set only(std::size_t cell) { return Set::only(cell); }

    // The neighbours in a direction of all cells of a set.
    template <Direction D>
    [[nodiscard]] Set step(const Set& set) const {
        if constexpr (D == kE) return set.east();
        if constexpr (D == kSE) return set.east().south_west();
        if constexpr (D == kSW) return set.south_west();
        if constexpr (D == kW) return set.west();
        if constexpr (D == kNW) return set.west().north_east();
        if constexpr (D == kNE) return set.north_east();
    }
    // All neighbours of the cells of a set.
    [[nodiscard]] Set beside(const Set& set) const {
        const Set east = set.east(), west = set.west();
        return (east | west) | ((set | east).south_west() | (set | west).north_east());
    }
    // A set and all neighbours of its cells.
    [[nodiscard]] Set around(const Set& set) const {
        const Set right = set | set.east(), left = set | set.west();
        return (right | left) | (right.south_west() | left.north_east());
    }
};

// By space numbers, for boards of any outline: slower, since each step looks up each cell.
class Anywhere {
  public:
    using Set = CellSet<kMostSpaces>;
    static constexpr std::size_t kWords = Set::kWords, kSlots = 1;

    explicit Anywhere(const Board& board) : neighbour_(board.neighbour) {}

    [[nodiscard]] static Numbers number(const Board& board) {
        Numbers cells(board.size());
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::uint16_t>(i);
        return cells;
    }

    [[nodiscard]] static Set load(const std::uint64_t* words) {
        Set set;
        for (std::size_t w = 0; w < kWords; ++w) set.set_word(w, words[w]);
        return set;
    }
    static void store(const Set& set, std::uint64_t* words) {
        for (std::size_t w = 0; w < kWords; ++w) words[w] = set.word(w);
    }
    [[nodiscard]] static Set only(std::size_t cell) {
        Set set;
        set.insert(cell);
        return set;
    }

    template <Direction D>
    [[nodiscard]] Set step(const Set& set) const {
        Set result;
        set.for_each([&](std::size_t cell) {
            if (neighbour_[cell][D] != kNowhere) result.insert(neighbour_[cell][D]);
        });
        return result;
    }
    [[nodiscard]] Set around(const Set& set) const { return set | beside(set); }
    [[nodiscard]] Set beside(const Set& set) const {
        Set result;
        set.for_each([&](std::size_t cell) {
            for (const std::uint16_t next : neighbour_[cell]) {
                if (next != kNowhere) result.insert(next);
            }
        });
        return result;
    }

  private:
    std::vector<std::array<std::uint16_t, kDirections>> neighbour_;
};

}  // namespace tilery::java
