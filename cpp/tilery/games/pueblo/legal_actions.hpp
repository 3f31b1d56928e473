// SPDX-License-Identifier: MIT
// Pueblo: the legal actions, as something smaller than a list.
#pragma once

#include <cstdint>

#include "tilery/games/pueblo/rules.hpp"

namespace tilery::pueblo {

// The windows a block fits on: for each direction the set of their apexes.
using Fits = PerDirection<Squares>;

// Windows in one or two colours, or consecutive ids, or the ids of a set.
class LegalActions {
  public:
    [[nodiscard]] static LegalActions places(const Fits& fits, bool coloured, bool neutral) {
        LegalActions actions;
        actions.kind_ = Kind::kPlaces;
        actions.sets_ = fits;
        std::uint32_t count = 0;
        for (int d = 0; d < 4; ++d) {
            actions.before_[d] = count;
            count += fits[d].size();
        }
        actions.count_ = count;
        actions.size_ = count << (coloured && neutral ? 1 : 0);
        actions.first_ = coloured ? 0 : kWindows;
        return actions;
    }
    // The ids from `first` up to but not including `end`.
    [[nodiscard]] static LegalActions range(Action first, Action end) {
        LegalActions actions;
        actions.kind_ = Kind::kRange;
        actions.size_ = static_cast<std::uint32_t>(end - first);
        actions.first_ = first;
        return actions;
    }
    // `first` plus each of a set.
    [[nodiscard]] static LegalActions among(Action first, const Squares& set) {
        LegalActions actions;
        actions.kind_ = Kind::kSet;
        actions.sets_[0] = set;
        actions.size_ = set.size();
        actions.first_ = first;
        return actions;
    }

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const {
        const Action place = static_cast<Action>(i);
        if (kind_ == Kind::kRange) return first_ + place;
        if (kind_ == Kind::kSet) return first_ + number(sets_[0].nth(i));
        // Random play finds no pattern in i, so no branch may depend on it.
        const bool second = i >= count_;
        const std::uint32_t n = i - (count_ & -std::uint32_t{second});
        const int d = (n >= before_[1] ? 1 : 0) + (n >= before_[2] ? 1 : 0) + (n >= before_[3] ? 1 : 0);
        return first_ + int{second} * kWindows + window_id(d, number(sets_[d].nth(n - before_[d])));
    }
    void for_each(auto&& f) const {
        if (kind_ != Kind::kPlaces) {
            for (std::uint32_t i = 0; i < size_; ++i) f((*this)[i]);
            return;
        }
        Action first = first_;
        for (std::uint32_t done = 0; done < size_; done += count_, first += kWindows) {
            for (int d = 0; d < 4; ++d) {
                sets_[d].for_each([&](std::size_t apex) { f(first + window_id(d, number(apex))); });
            }
        }
    }

    // Of the window with this apex: its number among the 49 of its direction, after those before.
    [[nodiscard]] static Action window_id(int direction, int apex) {
        return kFirstIds[direction] + apex - apex / kSide;
    }

  private:
    static constexpr PerDirection<Action> kFirstIds{0, kWindows / 4 - 1, kWindows / 2 - (kSide - 1),
                                                    3 * kWindows / 4 - kSide};
    enum class Kind : std::uint8_t { kPlaces, kRange, kSet };

    LegalActions() {}  // not defaulted: what the kind does not use stays uninitialized

    Kind kind_;
    Action first_;
    std::uint32_t size_, count_;  // count_: windows in one colour
    PerDirection<std::uint32_t> before_;
    Fits sets_;
};

}  // namespace tilery::pueblo
