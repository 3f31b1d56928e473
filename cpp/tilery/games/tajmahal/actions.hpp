// SPDX-License-Identifier: MIT
// The ids of Taj Mahal's actions, and the sets of legal actions and of outcomes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tilery/core/types.hpp"
#include "tilery/games/tajmahal/cards.hpp"
#include "tilery/games/tajmahal/state.hpp"

namespace tilery::tajmahal {

// Where the blocks of action ids begin (docs/rules/tajmahal.md).
struct ActionIds {
    Action card, province, bonus, out, none, alone, white, special, announce, at, crown, take, end;
    Action coloured, whites;  // numbers of types
};

// The place of an action in its block.
[[nodiscard]] constexpr std::size_t place_in(Action block, Action action) {
    return static_cast<std::size_t>(action - block);
}

// A play of one coloured card and perhaps another one: what an id from `alone` to `at` means.
struct Play {
    Lanes symbols;
    std::uint8_t type;
    std::uint8_t white;    // type, or Deck::kNoType
    std::uint8_t special;  // a set of at most one
    std::uint8_t fixes;    // colour plus 1 if no colour is fixed before
    std::uint8_t points;   // TM-9
};

// The special card of a play with one.
[[nodiscard]] inline std::size_t special_of(const Play& play) {
    return static_cast<std::size_t>(std::countr_zero(play.special));
}

// The numbers that are added to the id of a block for each member of a set; several members may have the same id.
using Offsets = std::array<std::uint8_t, 128>;

inline constexpr Offsets kSameOffsets = array_of<128>([](std::size_t member) { return byte(member); });

// i / n for the pairs of a coloured and one of n white cards, without the latency of a division.
[[nodiscard]] constexpr std::uint32_t quotient(std::uint32_t i, std::uint32_t n) {
    constexpr std::array<std::uint32_t, kSymbols + 1> kReciprocals{0, 65536, 32768, 21846, 16384, 13108, 10923};
    return i * kReciprocals[n] >> 16;
}
static_assert([] {
    for (std::uint32_t n = 1; n <= kSymbols; ++n) {
        for (std::uint32_t i = 0; i < kColours * kPairs * n; ++i) {
            if (quotient(i, n) != i / n) return false;
        }
    }
    return true;
}());

// An action and what it stands for: a city or a card, and a white card or Deck::kNoCard.
struct Choice {
    Action action;
    std::size_t member, white;
};

// Perhaps one action, then one for each member of a set of cities or cards.
struct OneOf {
    bool has_head;
    Action head, base;
    const Offsets* offsets;
    CellSet<128> members;
    std::uint32_t count;  // of the members

    [[nodiscard]] std::uint32_t size() const { return (has_head ? 1 : 0) + count; }
    [[nodiscard]] Choice choice(std::uint32_t i) const {
        if (has_head && i-- == 0) return {head, 0, Deck::kNoCard};
        const std::size_t member = members.nth(i);
        return {base + (*offsets)[member], member, Deck::kNoCard};
    }
    void for_each(auto&& f) const {
        if (has_head) f(head);
        members.for_each([&](std::size_t member) { f(base + (*offsets)[member]); });
    }
};

// The legal actions of a player: perhaps one action, then one for each member of a set. At a turn these are `out` and
// the coloured cards alone; then follows each coloured card with each white one and with each special one.
class LegalActions {
  public:
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const { return choice(i).action; }
    [[nodiscard]] Choice choice(std::uint32_t i) const {
        if (ids_ == nullptr || i < single_.size()) return single_.choice(i);
        i -= single_.size();
        if (i >= single_.count * whites_count_) return with_special(i - single_.count * whites_count_);
        const std::uint32_t row = quotient(i, whites_count_);
        const std::size_t card = single_.members.nth(row), white = whites_.nth(i - row * whites_count_);
        return {with_white(card, white), card, white};
    }
    void for_each(auto&& f) const {
        single_.for_each(f);
        if (whites_count_ > 0) {
            single_.members.for_each(
                [&](std::size_t card) { whites_.for_each([&](std::size_t white) { f(with_white(card, white)); }); });
        }
        const std::uint32_t left = size_ - single_.size() - single_.count * whites_count_;
        if (left > 0) for_each_special(left, f);
    }

  private:
    friend class Game;

    // The number of the last ones, in the order of with_special.
    void for_each_special(std::uint32_t left, auto& f) const {
        const auto with = [&](Action first, const CardSet& cards) {
            cards.for_each([&](std::size_t card) { f(first + (*single_.offsets)[card]); });
            return cards.size();
        };
        for (std::uint32_t specials = specials_; specials != 0; specials &= specials - 1) {
            const int special = std::countr_zero(specials);
            left -= with(ids_->special + special * ids_->coloured,
                         special == int{kMonkCard} ? with_monk_ : single_.members);
        }
        for (Action first = ids_->announce; left > 0; first += ids_->coloured) left -= with(first, with_monk_);
    }

    [[nodiscard]] Action with_white(std::size_t card, std::size_t white) const {
        return ids_->white + (*single_.offsets)[card] * ids_->whites + (*single_.offsets)[white] - ids_->coloured;
    }
    [[nodiscard]] Choice with_special(std::uint32_t i) const;

    OneOf single_;
    std::uint32_t size_;
    std::uint32_t whites_count_ = 0;
    const ActionIds* ids_ = nullptr;  // only at a turn
    CardSet whites_;
    CardSet with_monk_;       // the coloured cards that may be played with the monk's card (TM-8)
    std::uint32_t specials_;  // those that may be played, a bit for each; the monk's only if it names no colour
};

// The bonus tiles left of each kind.
struct WeightedKinds {
    Lanes sums;  // of the weights of a kind and those before it

    [[nodiscard]] std::uint32_t total() const { return static_cast<std::uint32_t>(count_of(sums, kBonusKinds - 1)); }
    [[nodiscard]] std::size_t at(std::uint32_t r) const {
        return static_cast<std::size_t>(std::popcount(greater((r + 1) * kLaneOnes, sums)));
    }
    [[nodiscard]] Lanes weights() const { return sums - (sums << 8); }
};

// The outcomes of chance: equally likely members of a set, of which several may be the same outcome, or
// kinds of bonus tiles.
class ChanceOutcomes {
  public:
    [[nodiscard]] std::uint32_t total() const { return of_kinds_ ? kinds_.total() : uniform_.count; }
    [[nodiscard]] Action at(std::uint32_t r) const {
        return uniform_.base + (*uniform_.offsets)[of_kinds_ ? kinds_.at(r) : uniform_.members.nth(r)];
    }
    void for_each(auto&& f) const {
        Action outcome = -1;
        std::uint32_t weight = 0;
        const auto give = [&](Action next, std::uint32_t more) {
            if (next != outcome && weight > 0) {
                f(outcome, weight);
                weight = 0;
            }
            outcome = next;
            weight += more;
        };
        if (of_kinds_) {
            for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
                give(uniform_.base + (*uniform_.offsets)[kind],
                     static_cast<std::uint32_t>(count_of(kinds_.weights(), kind)));
            }
        } else {
            uniform_.for_each([&](Action next) { give(next, 1); });
        }
        if (weight > 0) f(outcome, weight);
    }

  private:
    friend class Game;

    bool of_kinds_ = false;
    OneOf uniform_;  // of bonus tiles only what makes the id of a kind
    WeightedKinds kinds_;
};

}  // namespace tilery::tajmahal
