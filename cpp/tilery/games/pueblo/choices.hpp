// SPDX-License-Identifier: MIT
// Pueblo: what may be done, as something smaller than a list.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"

namespace tilery::pueblo {

inline constexpr int kSide = 8;
inline constexpr int kWindows = 4 * (kSide - 1) * (kSide - 1);  // with a direction (PB-4)
static_assert(kWindows == 196);

// The windows a block fits on: for each direction the set of their apexes.
using Fits = std::array<std::uint64_t, 4>;

// What may be done, without listing it: windows in one or two colours, or ids in a row, or a few of them.
class Choices {
  public:
    [[nodiscard]] static Choices places(const Fits& fits, bool coloured, bool neutral) {
        Choices choices;
        choices.kind_ = Kind::places;
        choices.sets_ = fits;
        std::uint32_t count = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            choices.before_[d] = count;
            count += static_cast<std::uint32_t>(std::popcount(fits[d]));
        }
        choices.count_ = count;
        choices.size_ = count << (coloured && neutral ? 1 : 0);
        choices.first_ = coloured ? 0 : kWindows;
        return choices;
    }
    [[nodiscard]] static Choices row(Action first, int size) {
        Choices choices;
        choices.kind_ = Kind::row;
        choices.size_ = static_cast<std::uint32_t>(size);
        choices.first_ = first;
        return choices;
    }
    [[nodiscard]] static Choices among(Action first, std::uint64_t set) {
        Choices choices;
        choices.kind_ = Kind::among;
        choices.sets_[0] = set;
        choices.size_ = static_cast<std::uint32_t>(std::popcount(set));
        choices.first_ = first;
        return choices;
    }

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const {
        if (kind_ == Kind::row) return first_ + static_cast<Action>(i);
        if (kind_ == Kind::among) return first_ + nth_bit(sets_[0], i);
        // Random play finds no pattern in i, so no branch may depend on it.
        const auto second = static_cast<std::uint32_t>(i >= count_);
        const std::uint32_t n = i - (count_ & -second);
        const std::size_t d = (n >= before_[1] ? 1u : 0u) + (n >= before_[2] ? 1u : 0u) + (n >= before_[3] ? 1u : 0u);
        return first_ + static_cast<Action>(second) * kWindows + window_id(d, nth_bit(sets_[d], n - before_[d]));
    }
    template <class F>
    void for_each(F&& f) const {
        if (kind_ != Kind::places) {
            for (std::uint32_t i = 0; i < size_; ++i) f((*this)[i]);
            return;
        }
        Action first = first_;
        for (std::uint32_t done = 0; done < size_; done += count_, first += kWindows) {
            for (std::size_t d = 0; d < 4; ++d) {
                for (std::uint64_t set = sets_[d]; set != 0; set &= set - 1) {
                    f(first + window_id(d, std::countr_zero(set)));
                }
            }
        }
    }

    // Of the window with this apex: its number among the 49 of its direction, after those before.
    [[nodiscard]] static Action window_id(std::size_t direction, int apex) {
        return kFirstIds[direction] + apex - apex / kSide;
    }

  private:
    static constexpr std::array<Action, 4> kFirstIds{0, kWindows / 4 - 1, kWindows / 2 - (kSide - 1),
                                                     3 * kWindows / 4 - kSide};
    enum class Kind : std::uint8_t { places, row, among };

    Choices() {}  // NOLINT: what the kind does not use stays uninitialised

    Kind kind_;
    Action first_;
    std::uint32_t size_, count_;  // count_: windows in one colour
    std::array<std::uint32_t, 4> before_;
    Fits sets_;
};

}  // namespace tilery::pueblo
