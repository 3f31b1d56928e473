// SPDX-License-Identifier: MIT
// Pueblo: the columns of cubes, how they are kept in a state and how they grow and shrink.
//
// A cube is its owner's code. On a square's low levels the three bits of the codes are in three bytes, bit
// k of each for level k + 1, so that one operation on bytes or words works on all levels at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "tilery/games/pueblo/game.hpp"
#include "tilery/simd/byte_cells.hpp"

namespace tilery::pueblo {

// Words or bytes of sets of levels: where the codes' three bits are set.
struct LevelSets {
    std::uint64_t bit0, bit1, bit2;

    // Eight squares beginning with this one.
    [[nodiscard]] static LevelSets load(const State& state, std::size_t square) {
        const auto word = [square](const ByteCells& cells) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, cells.data() + square, sizeof bytes);
            return bytes;
        };
        return {word(state.cubes[0]), word(state.cubes[1]), word(state.cubes[2])};
    }
    [[nodiscard]] std::uint64_t all() const { return bit0 | bit1 | bit2; }
    [[nodiscard]] LevelSets operator&(std::uint64_t levels) const {
        return {bit0 & levels, bit1 & levels, bit2 & levels};
    }
    void operator|=(const LevelSets& more) {
        bit0 |= more.bit0;
        bit1 |= more.bit1;
        bit2 |= more.bit2;
    }
    // The cubes of each player: the codes 1, 2, 3, 4, while 5 is neutral.
    [[nodiscard]] PerSeat<std::uint64_t> by_player() const {
        return {bit0 & ~(bit1 | bit2), bit1 & ~bit0, bit0 & bit1, bit2 & ~bit0};
    }
};

// ---- above the low levels: a list of nibbles in words, the lowest first

[[nodiscard]] inline bool has_high_cubes(const State& state) { return state.high_cubes[0] != 0; }

[[nodiscard]] inline int nibble(const HighCubes& words, std::size_t i) {
    return static_cast<int>(words[i / 16] >> (4 * (i % 16)) & 15);
}

inline void insert_nibble(HighCubes& words, std::size_t i, int value) {
    const std::size_t first = i / 16;
    for (std::size_t w = words.size() - 1; w > first; --w) words[w] = words[w] << 4 | words[w - 1] >> 60;
    const std::uint64_t below = (std::uint64_t{1} << (4 * (i % 16))) - 1;
    const std::uint64_t inserted = index(value);
    words[first] = (words[first] & below) | (words[first] & ~below) << 4 | inserted << (4 * (i % 16));
}

inline void erase_nibble(HighCubes& words, std::size_t i) {
    const std::size_t first = i / 16;
    const std::uint64_t below = (std::uint64_t{1} << (4 * (i % 16))) - 1;
    words[first] = (words[first] & below) | (words[first] >> 4 & ~below);
    for (std::size_t w = first; w + 1 < words.size(); ++w) {
        words[w] |= words[w + 1] << 60;
        words[w + 1] >>= 4;
    }
}

// How many high cubes there are on the squares before this one.
[[nodiscard]] inline std::size_t high_cubes_before(const State& state, std::size_t square) {
    int count = 0;
    for (std::size_t s = 0; s < square; ++s) count += std::max(0, state.heights[s] - kLowLevels);
    return index(count);
}

// ---- one cube, one column

// The code of a cube that is there; level from 0.
[[nodiscard]] inline int code_at(const State& state, std::size_t square, int level) {
    if (level >= kLowLevels) {
        return nibble(state.high_cubes, high_cubes_before(state, square) + index(level - kLowLevels));
    }
    int code = 0;
    for (std::size_t b = 0; b < kCodeBits; ++b) code |= (state.cubes[b][square] >> level & 1) << b;
    return code;
}

inline void pile_up(State& state, std::size_t square, int cubes, int code) {
    for (; cubes > 0; --cubes) {
        const int level = state.heights[square]++;
        if (level >= kLowLevels) {
            insert_nibble(state.high_cubes, high_cubes_before(state, square + 1) - 1, code);
            continue;
        }
        for (std::size_t b = 0; b < kCodeBits; ++b) state.cubes[b][square] |= Byte((code >> b & 1) << level);
    }
}

inline void pull_down(State& state, std::size_t square, int cubes) {
    for (; cubes > 0; --cubes) {
        const std::uint8_t level = --state.heights[square];
        if (level >= kLowLevels) erase_nibble(state.high_cubes, high_cubes_before(state, square + 1));
    }
    const Byte kept = (1 << std::min<int>(state.heights[square], kLowLevels)) - 1;
    for (ByteCells& bits : state.cubes) bits[square] &= kept;
}

// ---- a block

// How many of its cubes come on apex, R and L, by whether L is lower than the apex, level with it or higher (PB-4).
struct Rise {
    Byte apex, right, left;
};
inline constexpr Keyed<Rise, 3> kRises{{{{1, 1, 2}, {1, 2, 1}, {2, 1, 1}}}};

inline void build(State& state, const Window& window, const Rise& rise, int code) {
    // Nothing gets higher than the low levels.
    if (Bytes64::kFastShuffle && std::max(state.heights[window.apex], state.heights[window.left]) < kLowLevels - 1)
        [[likely]] {
        // A lone 1 or 2, to be loaded from so that it falls on any cell.
        constexpr std::size_t kMiddle = kSquares - 1;
        static constexpr auto kLone = [] {
            std::array<std::array<std::uint8_t, 2 * kSquares>, 3> lone{};
            for (std::uint8_t cubes = 0; cubes < lone.size(); ++cubes) lone[cubes][kMiddle] = cubes;
            return lone;
        }();
        static constexpr std::array<std::uint8_t, 16> kLevelsUpTo{0,   1,   3,   7,   15,  31,  63,  127,
                                                                  255, 255, 255, 255, 255, 255, 255, 255};
        const auto lone = [](std::uint8_t cubes, std::uint8_t square) {
            return Bytes64::load(&kLone[cubes][kMiddle - square]);
        };
        const Bytes64 levels_up_to = Bytes64::broadcast128(kLevelsUpTo.data());
        const Bytes64 before = Bytes64::load(state.heights.data());
        const Bytes64 after =
            before + (lone(rise.apex, window.apex) + (lone(rise.right, window.right) + lone(rise.left, window.left)));
        after.store(state.heights.data());
        const Bytes64 fresh = levels_up_to.shuffle(before) ^ levels_up_to.shuffle(after);
        for (std::size_t b = 0; b < kCodeBits; ++b) {
            const Bytes64 mask = Bytes64::broadcast(-(code >> b & 1) & 0xFF);
            (Bytes64::load(state.cubes[b].data()) | (fresh & mask)).store(state.cubes[b].data());
        }
        return;
    }
    pile_up(state, window.apex, rise.apex, code);
    pile_up(state, window.right, rise.right, code);
    pile_up(state, window.left, rise.left, code);
}

}  // namespace tilery::pueblo
