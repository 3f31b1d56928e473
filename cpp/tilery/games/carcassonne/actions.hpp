// SPDX-License-Identifier: MIT
// Legal actions and chance outcomes, as sets.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"
#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::carcassonne {

// The legal actions of a decision: sets of open cells for placements, a few bits for anything else.
// Refers to the state; invalid once the state changes.
class LegalActions {
  public:
    // The actions `base` + i for each bit i.
    [[nodiscard]] static LegalActions of_bits(Action base, std::uint64_t bits) {
        LegalActions actions;
        actions.kind_ = Kind::kBits;
        actions.base_ = base;
        actions.bits_ = bits;
        actions.size_ = narrow<std::uint32_t>(std::popcount(bits));
        return actions;
    }
    // `count` prices from `lowest` on, and `pass`.
    [[nodiscard]] static LegalActions of_prices(Action lowest, int count, Action pass) {
        LegalActions actions;
        actions.kind_ = Kind::kPrices;
        actions.base_ = lowest;
        actions.bits_ = narrow<std::uint64_t>(pass);
        actions.size_ = narrow<std::uint32_t>(count + 1);
        return actions;
    }
    // The placements of the tile in turn.
    [[nodiscard]] static LegalActions of_placements(const Box& box, const State& state);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const;
    void for_each(auto&& f) const;

    [[nodiscard]] bool are_placements() const { return kind_ == Kind::kPlacements; }
    struct Place {
        std::size_t open_cell, rotation;
    };
    // Of the i-th action, if all are placements.
    [[nodiscard]] Place place(std::uint32_t i) const;

  private:
    static constexpr std::size_t kWords = (kMostOpen + 63) / 64;
    enum class Kind : std::uint32_t { kBits, kPrices, kPlacements };

    LegalActions() {}  // leaves uninitialized what its kind does not need

    Kind kind_;
    std::uint32_t size_;
    Action base_;  // the id of bit 0, or the lowest price
    const Box* box_;
    const State* state_;
    std::uint64_t bits_;                                                    // or the id behind the prices
    std::array<std::uint32_t, kRotations> begins_;                          // how many come before each rotation
    std::array<std::array<std::uint64_t, kWords>, kRotations> placements_;  // bits are indices of open cells
};

// The outcomes of a draw: types, weighted by copies.
class ChanceOutcomes {
  public:
    explicit ChanceOutcomes(const Pile& pile)
        : total_(pile.up_to[kTypes - 1]), low_(Bytes32::load(&pile.up_to[0])), high_(Bytes16::load(&pile.up_to[32])) {}

    [[nodiscard]] std::uint32_t total() const { return total_; }
    [[nodiscard]] Action at(std::uint32_t r) const;
    void for_each(auto&& f) const {
        std::array<std::uint8_t, kPileBytes> up_to_each;
        low_.store(&up_to_each[0]);
        high_.store(&up_to_each[32]);
        std::uint32_t before = 0;
        for (std::size_t type = 0; type < kTypes; ++type) {
            const std::uint32_t up_to = up_to_each[type];
            if (up_to > before) f(narrow<Action>(type), up_to - before);
            before = up_to;
        }
    }

  private:
    std::uint32_t total_;
    // Not the pile itself, whose copy would be stored in pieces and loaded at once.
    Bytes32 low_;
    Bytes16 high_;
};

inline LegalActions::Place LegalActions::place(std::uint32_t i) const {
    const std::size_t rotation =
        std::size_t{i >= begins_[1]} + std::size_t{i >= begins_[2]} + std::size_t{i >= begins_[3]};
    i -= begins_[rotation];
    std::size_t w = 0;
    for (;; ++w) {
        const auto count = narrow<std::uint32_t>(std::popcount(placements_[rotation][w]));
        if (i < count) break;
        i -= count;
    }
    return {64 * w + index_of(nth_bit(placements_[rotation][w], i)), rotation};
}

inline Action LegalActions::operator[](std::uint32_t i) const {
    assert(i < size_);
    if (kind_ == Kind::kPlacements) {
        const auto [at, rotation] = place(i);
        return box_->placement(state_->frontier.cells[at], narrow<int>(rotation));
    }
    if (kind_ == Kind::kBits) return base_ + nth_bit(bits_, i);
    return i + 1 < size_ ? base_ + narrow<Action>(i) : narrow<Action>(bits_);
}

void LegalActions::for_each(auto&& f) const {
    if (kind_ != Kind::kPlacements) {
        for (std::uint32_t i = 0; i < size_; ++i) f((*this)[i]);
        return;
    }
    const std::size_t words = (state_->frontier.size + std::size_t{63}) / 64;
    for (int rotation = 0; const auto& places : placements_) {
        for (std::size_t w = 0; w < words; ++w) {
            for (std::uint64_t set = places[w]; set != 0; set &= set - 1) {
                const std::size_t at = 64 * w + index_of(std::countr_zero(set));
                f(box_->placement(state_->frontier.cells[at], rotation));
            }
        }
        ++rotation;
    }
}

inline Action ChanceOutcomes::at(std::uint32_t r) const {
    assert(r < total());
    const auto drawn = narrow<std::uint8_t>(r);
    const Bytes32 limit = Bytes32::broadcast(drawn);
    const Bytes16 limit16 = Bytes16::broadcast(drawn);
    return low_.max(limit).equal(limit).count() + high_.max(limit16).equal(limit16).count();
}

}  // namespace tilery::carcassonne
