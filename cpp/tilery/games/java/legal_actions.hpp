// SPDX-License-Identifier: MIT
// The legal actions of a decision of Java, as sets of cells.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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

// The cell at a place among all cells, ascending; kNowhere where there is none.
[[nodiscard]] constexpr std::size_t ascending_cell(std::size_t place) {
    constexpr std::size_t kWidth = 64 / kSlots;
    const std::size_t in_word = place % 64, row = place / 64 * kSlots + in_word / kWidth;
    if (in_word >= kWidth * kSlots) return kNowhere;
    return 64 * (row % kSetWords) + kWidth * (row / kSetWords) + in_word % kWidth;
}

// The ids of a block minus its first, by cell; kNowhere for cells that have none.
class IdTable {
  public:
    IdTable() { ids_.fill(kNowhere); }
    [[nodiscard]] std::uint16_t& operator[](std::size_t cell) { return ids_[cell]; }
    [[nodiscard]] std::uint16_t operator[](std::size_t cell) const { return ids_[cell]; }
    // The same by places, and 0 for cells that have none; after the last id.
    void order() {
        for (std::size_t place = 0; place < kCells; ++place) {
            const std::size_t cell = ascending_cell(place);
            in_order_[place] = cell == kNowhere || ids_[cell] == kNowhere ? std::uint16_t{0} : ids_[cell];
        }
    }
    [[nodiscard]] std::uint16_t at_place(std::size_t place) const { return in_order_[place]; }

  private:
    // The tables of a game follow each other: at a power of two bytes they would share few lines of a cache.
    static constexpr std::size_t kApart = 160;

    std::array<std::uint16_t, kCells> ids_;
    std::array<std::uint16_t, kCells + kApart> in_order_{};
};

// Blocks of ids, ascending: a set of cells each, with the id that belongs to each cell.
// Cells ascend by slots of all words of a set, and by words within a slot (cells.hpp). Their places number
// them in that order, with the slots that follow each other together in a word.
class LegalActions {
  public:
    LegalActions() { end_.fill(0xFFFF); }

    // The bytes that most decisions use: of all sets the first eight.
    static constexpr std::size_t usual_bytes() { return sizeof(LegalActions) - (kMostBlocks - 8) * sizeof(Words); }

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const;
    [[gnu::always_inline]] void for_each(auto&& f) const {
        for_each_word([&f](const IdTable& ids, Action base, std::size_t place, std::uint64_t word) {
            for (; word != 0; word &= word - 1) f(base + ids.at_place(place + lowest_bit(word)));
        });
    }
    // Writes map(id) for each id. With room for a few more, it writes four at a time, whether or not there are as
    // many: how many ids there are in a word is what a processor mispredicts.
    template <class T, class Map>
    void write(T* to, std::size_t room, const Map& map) const {
        constexpr std::size_t kTogether = 4;
        if (room < size_ + kTogether - 1) return for_each([&to, &map](Action id) { *to++ = map(id); });
        for_each_word([&to, &map](const IdTable& ids, Action base, std::size_t place, std::uint64_t word) {
            T* const end = to + count_bits(word);
            while (to < end) {
                for (std::size_t i = 0; i < kTogether; ++i, word &= word - 1) {
                    *to++ = map(base + ids.at_place(place + lowest_bit(word) % 64));
                }
            }
            to = end;
        });
    }

    // Room for the words of a set, which one block or several use.
    [[nodiscard]] std::uint64_t* room() {
        assert(used_ + kSetWords <= words_.size());
        std::uint64_t* const words = &words_[used_];
        used_ += kSetWords;
        return words;
    }
    // The number of the set kept in room() that has a cell; some set has.
    [[nodiscard]] int kept_with(std::size_t cell) const {
        int n = 0;
        for (const std::uint64_t* word = &words_[cell / 64]; (*word >> (cell % 64) & 1) == 0; word += kSetWords) ++n;
        return n;
    }
    // Adds a block of ids base + ids[cell] over the `count` cells of a set stored in room().
    void add(const std::uint64_t* set, std::uint32_t count, Action base, const IdTable& ids) {
        assert(blocks_ < kMostBlocks);
        size_ += count;
        first_word_[blocks_] = static_cast<std::uint16_t>(set - words_.data());
        base_[blocks_] = base;
        ids_[blocks_] = &ids;
        end_[blocks_++] = static_cast<std::uint16_t>(size_);
    }

    // A block of actions without a space: their ids as bits.
    void add_plain(std::uint32_t bits, const IdTable& ids) {
        std::uint64_t* const words = room();
        for (std::size_t w = 0; w < kSetWords; ++w) words[w] = 0;
        words[0] = bits;
        add(words, count_bits(bits), 0, ids);
    }

    // Leaves out the ids for which keep(id) is false. Slow, and for sets that no other block uses.
    void keep_if(const auto& keep) {
        std::uint32_t removed = 0;
        for (std::size_t b = 0; b < blocks_; ++b) {
            for (std::size_t w = 0; w < kSetWords; ++w) {
                std::uint64_t& word = words_[first_word_[b] + w];
                for (std::uint64_t left = word; left != 0; left &= left - 1) {
                    const std::size_t bit = lowest_bit(left);
                    if (keep(base_[b] + (*ids_[b])[64 * w + bit])) continue;
                    word &= ~(std::uint64_t{1} << bit);
                    ++removed;
                }
            }
            end_[b] = static_cast<std::uint16_t>(end_[b] - removed);
        }
        size_ -= removed;
    }

  private:
    static constexpr std::size_t kMostBlocks = 26;
    static constexpr std::size_t kStride = 8;  // blocks that are passed over without a branch
    static_assert(kMostBlocks * kCells < 0xFFFF);

    using Words = std::array<std::uint64_t, kSetWords>;

    // The cells of a set by their places.
    [[nodiscard]] static Words in_order(const std::uint64_t* words);
    // Calls f(ids, base, place, word) for the words of all blocks in order; bit i of a word is at place + i.
    // Inlined, so that what f counts stays in registers.
    [[gnu::always_inline]] void for_each_word(auto&& f) const;
    [[nodiscard]] static std::size_t nth_place(const std::uint64_t* words, std::uint32_t n);

    std::uint32_t size_ = 0;
    std::size_t blocks_ = 0;
    std::size_t used_ = 0;
    std::array<std::uint16_t, (kMostBlocks + kStride - 1) / kStride * kStride> end_;
    // Left uninitialised on purpose, as all scratch.
    std::array<std::uint16_t, kMostBlocks> first_word_;
    std::array<Action, kMostBlocks> base_;
    std::array<const IdTable*, kMostBlocks> ids_;
    std::array<std::uint64_t, kMostBlocks * kSetWords> words_;
};

// Unrolled, since the rows of a word then are shifts by constants: as loops, divisions took a tenth of the time of a
// search by lists of ids.
inline LegalActions::Words LegalActions::in_order(const std::uint64_t* words) {
    constexpr std::size_t kWidth = 64 / kSlots;
    constexpr std::uint64_t kRow = (std::uint64_t{1} << kWidth) - 1;
    const auto slot = [words]<std::size_t Row>(std::integral_constant<std::size_t, Row>) {
        return (words[Row % kSetWords] >> (kWidth * (Row / kSetWords)) & kRow) << (kWidth * (Row % kSlots));
    };
    const auto word = [slot]<std::size_t First, std::size_t... S>(std::integral_constant<std::size_t, First>,
                                                                  std::index_sequence<S...>) {
        return (slot(std::integral_constant<std::size_t, First + S>()) | ...);
    };
    return [word]<std::size_t... W>(std::index_sequence<W...>) {
        return Words{word(std::integral_constant<std::size_t, kSlots * W>(), std::make_index_sequence<kSlots>())...};
    }(std::make_index_sequence<kSetWords>());
}

// Few words with many cells: the end of each is a branch that is often mispredicted.
inline void LegalActions::for_each_word(auto&& f) const {
    Words set{};
    for (std::size_t b = 0; b < blocks_; ++b) {
        // Blocks that follow each other often use one set.
        if (b == 0 || first_word_[b] != first_word_[b - 1]) set = in_order(&words_[first_word_[b]]);
        for (std::size_t w = 0; w < kSetWords; ++w) f(*ids_[b], base_[b], 64 * w, set[w]);
    }
}

// Has no branch that depends on n, which random play makes unpredictable.
inline std::size_t LegalActions::nth_place(const std::uint64_t* words, std::uint32_t n) {
    const Words set = in_order(words);
    std::array<std::uint32_t, kSetWords> before;
    std::uint32_t sum = 0;
    std::size_t word = 0;
    for (std::size_t w = 0; w < kSetWords; ++w) {
        before[w] = sum;
        sum += count_bits(set[w]);
        word += sum <= n ? 1U : 0U;
    }
    return 64 * word + static_cast<std::size_t>(nth_bit(set[word], n - before[word]));
}

}  // namespace tilery::java
