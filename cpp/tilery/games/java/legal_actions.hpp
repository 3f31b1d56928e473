// SPDX-License-Identifier: MIT
// The legal actions of a decision of Java, as sets of cells.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"
#include "tilery/games/java/state.hpp"

namespace tilery::java {

// The position of the lowest bit of a word that is not 0.
[[nodiscard]] constexpr std::size_t lowest_bit(std::uint64_t word) {
    return static_cast<std::size_t>(std::countr_zero(word));
}
[[nodiscard]] constexpr std::uint32_t count_bits(std::uint64_t word) {
    return static_cast<std::uint32_t>(std::popcount(word));
}

// Blocks of ids, ascending: a set of cells each, with the id that belongs to each cell.
// Cells ascend by slots of all words of a set, and by words within a slot (cells.hpp).
class LegalActions {
  public:
    LegalActions(std::size_t words, std::size_t slots) : set_words_(words), slots_(slots) {}

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const;
    template <class F>
    void for_each(F&& f) const {
        if (slots_ == 1) return visit<kMostSpaces / 64, 1>(f);
        visit<5, 3>(f);
    }

    // Room for the words of a set, which one block or several use.
    [[nodiscard]] std::uint64_t* room() {
        assert(used_ + set_words_ <= words_.size());
        std::uint64_t* const words = &words_[used_];
        used_ += set_words_;
        return words;
    }
    // Adds a block of ids base + ids[cell] over the `count` cells of a set stored in room().
    void add(const std::uint64_t* set, std::uint32_t count, Action base, const std::uint16_t* ids) {
        assert(blocks_ < kMostBlocks);
        size_ += count;
        first_word_[blocks_] = static_cast<std::uint16_t>(set - words_.data());
        base_[blocks_] = base;
        ids_[blocks_] = ids;
        end_[blocks_++] = size_;
    }

    // A block of actions without a space: their ids as bits.
    void add_plain(std::uint32_t bits, const std::uint16_t* ids) {
        std::uint64_t* const words = room();
        for (std::size_t w = 0; w < set_words_; ++w) words[w] = 0;
        words[0] = bits;
        add(words, count_bits(bits), 0, ids);
    }

  private:
    static constexpr std::size_t kMostBlocks = 26;

    [[nodiscard]] static constexpr std::uint64_t slot_mask(std::size_t slot, std::size_t slots) {
        const std::size_t width = 64 / slots;
        return (~std::uint64_t{0} >> (64 - width)) << (width * slot);
    }
    // The cells of a set with those of each slot together, so that they ascend; and where they were.
    template <std::size_t Words, std::size_t Slots>
    [[nodiscard]] static std::array<std::uint64_t, Words> ascending(const std::uint64_t* words);
    template <std::size_t Words, std::size_t Slots>
    [[nodiscard]] static constexpr std::array<std::uint16_t, 64 * Words> ascending_cells();
    template <std::size_t Words, std::size_t Slots, class F>
    void visit(F&& f) const;
    template <std::size_t Words, std::size_t Slots>
    [[nodiscard]] static std::size_t nth_cell(const std::uint64_t* words, std::uint32_t n);

    std::uint32_t size_ = 0;
    std::size_t set_words_, slots_;
    std::size_t blocks_ = 0;
    std::size_t used_ = 0;
    // Left uninitialised on purpose, as all scratch.
    std::array<std::uint32_t, kMostBlocks> end_;
    std::array<std::uint16_t, kMostBlocks> first_word_;
    std::array<Action, kMostBlocks> base_;
    std::array<const std::uint16_t*, kMostBlocks> ids_;
    std::array<std::uint64_t, kMostBlocks * kMostSpaces / 64> words_;
};

template <std::size_t Words, std::size_t Slots>
std::array<std::uint64_t, Words> LegalActions::ascending(const std::uint64_t* words) {
    constexpr std::size_t kWidth = 64 / Slots;
    std::array<std::uint64_t, Words> result{};
    for (std::size_t row = 0; row < Words * Slots; ++row) {
        const std::uint64_t cells = words[row % Words] >> (kWidth * (row / Words)) & slot_mask(0, Slots);
        result[row / Slots] |= cells << (kWidth * (row % Slots));
    }
    return result;
}

template <std::size_t Words, std::size_t Slots>
constexpr std::array<std::uint16_t, 64 * Words> LegalActions::ascending_cells() {
    constexpr std::size_t kWidth = 64 / Slots;
    std::array<std::uint16_t, 64 * Words> cells{};
    for (std::size_t row = 0; row < Words * Slots; ++row) {
        for (std::size_t i = 0; i < kWidth; ++i) {
            cells[64 * (row / Slots) + kWidth * (row % Slots) + i] =
                static_cast<std::uint16_t>(64 * (row % Words) + kWidth * (row / Words) + i);
        }
    }
    return cells;
}

// Few words with many cells: the end of each is a branch that is often mispredicted.
template <std::size_t Words, std::size_t Slots, class F>
void LegalActions::visit(F&& f) const {
    static constexpr auto kCells = ascending_cells<Words, Slots>();
    std::array<std::uint64_t, Words> set{};
    for (std::size_t b = 0; b < blocks_; ++b) {
        // Blocks that follow each other often use one set.
        if (b == 0 || first_word_[b] != first_word_[b - 1]) set = ascending<Words, Slots>(&words_[first_word_[b]]);
        for (std::size_t w = 0; w < Words; ++w) {
            for (std::uint64_t word = set[w]; word != 0; word &= word - 1) {
                f(base_[b] + ids_[b][kCells[64 * w + lowest_bit(word)]]);
            }
        }
    }
}

// Has no branch that depends on n, which random play makes unpredictable.
template <std::size_t Words, std::size_t Slots>
std::size_t LegalActions::nth_cell(const std::uint64_t* words, std::uint32_t n) {
    std::size_t slot = 0;
    std::uint32_t before = 0;  // cells in earlier slots
    for (std::uint32_t s = 0, sum = 0; s + 1 < Slots; ++s) {
        for (std::size_t w = 0; w < Words; ++w) sum += count_bits(words[w] & slot_mask(s, Slots));
        slot += n >= sum ? 1U : 0U;
        before = n >= sum ? sum : before;
    }
    n -= before;
    const std::uint64_t mask = slot_mask(slot, Slots);
    std::size_t word = 0;
    before = 0;
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w + 1 < Words; ++w) {
        sum += count_bits(words[w] & mask);
        word += n >= sum ? 1U : 0U;
        before = n >= sum ? sum : before;
    }
    return 64 * word + static_cast<std::size_t>(nth_bit(words[word] & mask, n - before));
}

}  // namespace tilery::java
