// SPDX-License-Identifier: MIT
// A set of board cells with set algebra.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "tilery/simd/bits.hpp"

namespace tilery {

// An ordered set of cells 0..N-1.
template <std::size_t N>
class CellSet {
  public:
    static constexpr std::size_t kWords = (N + 63) / 64;

    constexpr CellSet() = default;

    // The cells given by the bits of a word.
    [[nodiscard]] static constexpr CellSet of_word(std::uint64_t word) {
        CellSet set;
        set.words_[0] = word;
        return set;
    }
    [[nodiscard]] static constexpr CellSet only(std::size_t cell) {
        CellSet set;
        set.insert(cell);
        return set;
    }
    // All cells below n.
    [[nodiscard]] static constexpr CellSet below(std::size_t n) {
        CellSet set;
        for (std::size_t w = 0; w < kWords && n > 64 * w; ++w) {
            set.words_[w] = n - 64 * w >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (n - 64 * w)) - 1;
        }
        return set;
    }

    [[nodiscard]] constexpr bool has(std::size_t cell) const { return (words_[cell / 64] >> (cell % 64) & 1) != 0; }
    constexpr void insert(std::size_t cell) { words_[cell / 64] |= std::uint64_t{1} << (cell % 64); }
    // Without a branch, for where it is unpredictable.
    constexpr void insert_if(bool wanted, std::size_t cell) {
        words_[cell / 64] |= std::uint64_t{wanted} << (cell % 64);
    }
    constexpr void erase(std::size_t cell) { words_[cell / 64] &= ~(std::uint64_t{1} << (cell % 64)); }

    [[nodiscard]] constexpr bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    [[nodiscard]] constexpr std::uint32_t size() const {
#ifdef __aarch64__  // elsewhere the loop below takes fewer instructions
        if constexpr (kWords == 2) return static_cast<std::uint32_t>(popcount(words_[0], words_[1]));
#endif
        int count = 0;
        for (const std::uint64_t word : words_) count += std::popcount(word);
        return static_cast<std::uint32_t>(count);
    }
    // The least cell; the set must not be empty.
    [[nodiscard]] constexpr std::size_t first() const {
        std::size_t w = 0;
        while (words_[w] == 0) ++w;
        return 64 * w + static_cast<std::size_t>(std::countr_zero(words_[w]));
    }
    // All cells up to the greatest of the set; none if the set is empty.
    [[nodiscard]] constexpr CellSet up_to_last() const {
        std::size_t end = 0;
        for_each([&end](std::size_t cell) { end = cell + 1; });
        return below(end);
    }
    // All but the greatest cell, if there is any.
    [[nodiscard]] constexpr CellSet but_last() const {
        CellSet set = *this;
        std::uint64_t open = 1;
        for (std::size_t w = kWords; w-- > 0;) {
            const int above = std::countl_zero(words_[w]);
            set.words_[w] &= ~(open << ((63 - above) & 63));  // no change to an empty word
            open &= words_[w] == 0 ? std::uint64_t{1} : 0;
        }
        return set;
    }
    // The cell with n smaller ones in the set; the set must have more than n.
    [[nodiscard]] std::size_t nth(std::uint32_t n) const {
        assert(n < size());
        if constexpr (kWords == 1) return static_cast<std::size_t>(nth_bit(words_[0], n));
        if constexpr (kWords == 2) {  // a branch here would be mispredicted half the time
            const auto count = static_cast<std::uint32_t>(std::popcount(words_[0]));
#ifdef __BMI2__
            auto lower = static_cast<std::size_t>(nth_bit(words_[0], n % 64));
            auto upper = static_cast<std::size_t>(nth_bit(words_[1], (n - count) % 64)) + 64;
            asm("" : "+r"(lower), "+r"(upper));  // both are computed before one is selected
            return __builtin_expect_with_probability(n < count, 1, 0.5) ? lower : upper;
#else
            const std::uint64_t upper = n >= count ? ~std::uint64_t{0} : 0;
            const std::uint64_t word = words_[0] ^ ((words_[0] ^ words_[1]) & upper);
            n -= count & static_cast<std::uint32_t>(upper);
            return (upper & 64) + static_cast<std::size_t>(nth_bit(word, n));
#endif
        }
        std::size_t w = 0;
        for (;; ++w) {
            assert(w < kWords);
            const auto count = static_cast<std::uint32_t>(std::popcount(words_[w]));
            if (n < count) break;
            n -= count;
        }
        return 64 * w + static_cast<std::size_t>(nth_bit(words_[w], n));
    }
    // Calls f with every cell, ascending.
    constexpr void for_each(auto&& f) const {
        for (std::size_t w = 0; w < kWords; ++w) {
            for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
                f(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

    [[nodiscard]] constexpr bool subset_of(const CellSet& other) const { return (*this - other).empty(); }
    [[nodiscard]] constexpr bool meets(const CellSet& other) const { return !(*this & other).empty(); }

    constexpr CellSet& operator|=(const CellSet& other) {
        for (std::size_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
        return *this;
    }
    constexpr CellSet& operator&=(const CellSet& other) {
        for (std::size_t w = 0; w < kWords; ++w) words_[w] &= other.words_[w];
        return *this;
    }
    constexpr CellSet& operator-=(const CellSet& other) {
        for (std::size_t w = 0; w < kWords; ++w) words_[w] &= ~other.words_[w];
        return *this;
    }
    [[nodiscard]] friend constexpr CellSet operator|(CellSet a, const CellSet& b) { return a |= b; }
    [[nodiscard]] friend constexpr CellSet operator&(CellSet a, const CellSet& b) { return a &= b; }
    [[nodiscard]] friend constexpr CellSet operator-(CellSet a, const CellSet& b) { return a -= b; }
    constexpr bool operator==(const CellSet&) const = default;

    // The words themselves, for games whose moves are shifts of whole rows.
    [[nodiscard]] constexpr std::uint64_t word(std::size_t w) const { return words_[w]; }
    constexpr void set_word(std::size_t w, std::uint64_t value) { words_[w] = value; }

  private:
    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tilery
