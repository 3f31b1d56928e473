// SPDX-License-Identifier: MIT
// One small number per cell of an 8 x 8 board, processed 64 at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tilery/simd/bytes.hpp"

namespace tilery {

using ByteCells = std::array<std::uint8_t, 64>;  // row by row, of eight cells each

// One bit in each byte of a word.
inline constexpr std::uint64_t kEachByte = 0x0101010101010101;

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

template <class Bytes = Bytes64>
[[nodiscard]] Neighbours compare_neighbours(const ByteCells& cells) {
    const auto compare = [](const Bytes& a, const Bytes& b) {
        const Bytes from_0_to_2 = a - b + Bytes::broadcast(1);
        return Comparison{a.equal(b).movemask(), from_0_to_2.equal(from_0_to_2.min(Bytes::broadcast(2))).movemask()};
    };
    const Bytes here = Bytes::load(cells.data());
    return {compare(here, here.template shift_right64<8>()), compare(here, here.align_right8(here))};
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
        if constexpr (Bytes64::kFastShuffle) {
            return Bytes64::load(bytes.data()).shuffle(Bytes64::load(controls_.data())).or_lanes().low64();
        } else {
            std::uint64_t word = 0;
            for (std::size_t i = 0; i < kLength; ++i) word |= std::uint64_t{bytes[cells_[i]]} << (8 * i);
            return word;
        }
    }

  private:
    std::array<std::uint8_t, kLength> cells_;
    ByteCells controls_{};
};

}  // namespace tilery
