// SPDX-License-Identifier: MIT
// The spaces of an island numbered by rows, so that rules about neighbours become set algebra.
#pragma once

#include <array>

#include "tilery/games/java/board.hpp"
#include "tilery/games/java/legal_actions.hpp"
#include "tilery/simd/words.hpp"

namespace tilery::java {

// A set of cells by rows. Boards have up to 15 rows and 20 skewed columns q = (row + column) / 2, outside spaces
// included (JA-2). In these coordinates each direction is the same step everywhere:
//
//       NW  NE        (-1, -1)  (-1, 0)
//      W  x  E        ( 0, -1)     x     ( 0, +1)
//       SW  SE        (+1,  0)  (+1, +1)
//
// Five words hold three rows each, in slots of 21 bits, like the stripes of a flag. So a step to the
// next row moves whole words and shifts one, and a step along the row is a shift without carry.
//
//                 slot 0   slot 1   slot 2
//       word 0    row 0    row 5    row 10
//       word 1    row 1    row 6    row 11
//        ...
//       word 4    row 4    row 9    row 14
//
// The last bit of a slot is never a space, so that rows do not run into each other. A step off the
// island sets bits that are not spaces: intersect the result with a set of spaces before stepping
// again, counting or comparing.
class Stripes {
  public:
    static constexpr std::size_t kWords = Words5::kWords;
    static constexpr std::size_t kWidth = 64 / kSlots;
    static_assert(kWords == kSetWords && kWords * kSlots >= kMostRows && kWidth > kMostSkewedColumns);

    [[nodiscard]] static Stripes load(const std::uint64_t* words) { return Stripes(Words5::load(words)); }
    void store(std::uint64_t* words) const { words_.store(words); }
    // The set of one cell.
    [[nodiscard]] static Stripes only(std::size_t cell) { return Stripes(Words5::bit(cell)); }

    Stripes() = default;
    [[nodiscard]] bool empty() const { return words_.is_zero(); }
    [[nodiscard]] bool meets(const Stripes& other) const { return !(*this & other).empty(); }
    [[nodiscard]] bool has(std::size_t cell) const { return (words()[cell / 64] >> (cell % 64) & 1) != 0; }
    void insert(std::size_t cell) { *this |= only(cell); }
    [[nodiscard]] std::uint32_t size() const {
        std::uint32_t count = 0;
        for (const std::uint64_t word : words()) count += count_bits(word);
        return count;
    }
    // Any cell; the set must not be empty.
    [[nodiscard]] std::size_t first() const {
        const std::size_t w = lowest_bit(words_.nonzero());
        return 64 * w + lowest_bit(words()[w]);
    }
    void for_each(auto&& f) const {
        const auto all = words();
        for (std::uint32_t left = words_.nonzero(); left != 0; left &= left - 1) {
            const std::size_t w = lowest_bit(left);
            for (std::uint64_t word = all[w]; word != 0; word &= word - 1) f(64 * w + lowest_bit(word));
        }
    }

    Stripes& operator|=(const Stripes& other) { return words_ |= other.words_, *this; }
    Stripes& operator&=(const Stripes& other) { return words_ &= other.words_, *this; }
    Stripes& operator-=(const Stripes& other) { return words_.and_not(other.words_), *this; }
    Stripes& operator^=(const Stripes& other) { return words_ ^= other.words_, *this; }
    [[nodiscard]] friend Stripes operator|(Stripes a, const Stripes& b) { return a |= b; }
    [[nodiscard]] friend Stripes operator&(Stripes a, const Stripes& b) { return a &= b; }
    [[nodiscard]] friend Stripes operator-(Stripes a, const Stripes& b) { return a -= b; }
    [[nodiscard]] friend Stripes operator^(Stripes a, const Stripes& b) { return a ^= b; }
    bool operator==(const Stripes& other) const { return (*this ^ other).empty(); }

    [[nodiscard]] Stripes east() const { return Stripes(words_.shift_left_one()); }
    [[nodiscard]] Stripes west() const { return Stripes(words_.shift_right_one()); }
    [[nodiscard]] Stripes south_west() const { return Stripes(words_.rotate_up<kWidth>()); }
    [[nodiscard]] Stripes north_east() const { return Stripes(words_.rotate_down<kWidth>()); }

  private:
    explicit Stripes(const Words5& words) : words_(words) {}
    [[nodiscard]] std::array<std::uint64_t, kWords> words() const {
        std::array<std::uint64_t, kWords> all;
        store(all.data());
        return all;
    }

    Words5 words_;
};

// The neighbours of all cells of a set in one direction.
template <Direction D>
[[nodiscard]] Stripes step(const Stripes& set) {
    if constexpr (D == kE) return set.east();
    if constexpr (D == kSE) return set.east().south_west();
    if constexpr (D == kSW) return set.south_west();
    if constexpr (D == kW) return set.west();
    if constexpr (D == kNW) return set.west().north_east();
    if constexpr (D == kNE) return set.north_east();
}
// All neighbours of the cells of a set.
[[nodiscard]] inline Stripes adjacent(const Stripes& set) {
    const Stripes east = set.east(), west = set.west();
    return (east | west) | ((set | east).south_west() | (set | west).north_east());
}
// A set and all neighbours of its cells.
[[nodiscard]] inline Stripes around(const Stripes& set) {
    const Stripes right = set | set.east(), left = set | set.west();
    return (right | left) | (right.south_west() | left.north_east());
}

}  // namespace tilery::java
