// SPDX-License-Identifier: MIT
// The inputs of a learner at a position from one seat: a list of small ids, the inputs that are on. A network adds up
// one row of weights for each.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tilery/core/types.hpp"

namespace tilery {

using InputId = std::uint16_t;

// The inputs of a position from one seat. An id may occur more than once: two roads alike are two inputs. The order has
// no meaning, and nothing may depend on it; Python sees the ids ascending.
class Inputs {
  public:
    static constexpr std::size_t kMost = 512;

    Inputs() {}  // not defaulted, or value-initialisation would clear the ids

    // Ids beyond the most are left out. A game has that many only in positions made up to have them.
    void add(InputId id) {
        if (size_ < kMost) ids_[size_++] = id;
    }
    void clear() {
        size_ = 0;
        points = {};
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] InputId operator[](std::size_t i) const {
        assert(i < size_);
        return ids_[i];
    }
    [[nodiscard]] const InputId* begin() const { return ids_.data(); }
    [[nodiscard]] const InputId* end() const { return ids_.data() + size_; }
    void sort() { std::sort(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(size_)); }

    // The points of all seats if the game ended here, as far as the viewing player knows. A network adds what it has
    // learned to them; they must be the final scores when the game is over.
    PerPlayer<int> points{};

  private:
    std::size_t size_ = 0;
    std::array<InputId, kMost> ids_;
};

// How a player that judges positions by a network plays a game (search/learned.hpp), measured by matches. A game may
// have its own as static constexpr NetTuning kNet.
struct NetTuning {
    // The positions that are looked at behind each of the best turns.
    enum class Form {
        kReplies,  // the mean over chance of the best reply
        kRounds,   // in dealt worlds, play by the network to the end of the round
        kBeam,     // the rest of the turn: the best positions after each action of it
        kTurns,    // the best turns of all players in turn: alpha-beta, where nothing is hidden or drawn
    };
    Form form = Form::kReplies;
    std::uint32_t worlds = 8;  // dealt worlds of kRounds; outcomes of kReplies, the likeliest ones
    std::uint32_t depth = 3;   // turns of kTurns
    // The number of first actions of a turn that are judged, those that lead by most points if the game ended right
    // after them; 0: all. Of the turn that is chosen, of turns behind it, and in games to learn from, by which the
    // shipped network learned.
    std::uint32_t judged = 0, judged_behind = 0, judged_learning = 0;
    std::int32_t idle_price = 0;  // of an action that changes no point and spends nothing (idles()), in 1/256 points
    std::int32_t near = 6 * 256;  // how far below the best turn another is worth a look, in 1/256 points
};

// Inputs of one kind: one for each combination of values of up to four factors.
struct InputGroup {
    static constexpr std::size_t kMostFactors = 4;
    struct Factor {
        std::string_view name;
        int size = 1;  // its values are 0..size-1
    };

    std::string_view name;
    std::array<Factor, kMostFactors> factors{};
    int first = 0;  // set by InputGroups

    [[nodiscard]] constexpr int size() const {
        int product = 1;
        for (const Factor& factor : factors) product *= factor.size;
        return product;
    }
    // The input of these values. A value beyond the last counts as the last, one below 0 as 0.
    template <class... Values>
    [[nodiscard]] constexpr InputId operator()(Values... values) const {
        static_assert(sizeof...(Values) <= kMostFactors);
        int id = 0;
        std::size_t factor = 0;
        ((id = id * factors[factor].size + std::clamp(static_cast<int>(values), 0, factors[factor].size - 1), ++factor),
         ...);
        assert(factor == kMostFactors || factors[factor].size == 1);
        return static_cast<InputId>(first + id);
    }
};

// The name of an input: "city value:owner=2,points=12". Empty unless it is one of the groups'.
[[nodiscard]] std::string input_name(std::span<const InputGroup> groups, InputId id);

// The groups of a game, numbered one after the other.
template <std::size_t N>
class InputGroups {
  public:
    consteval explicit InputGroups(const std::array<InputGroup, N>& groups) : groups_(groups) {
        for (InputGroup& group : groups_) {
            group.first = size_;
            size_ += group.size();
        }
    }
    [[nodiscard]] consteval std::size_t num_inputs() const {
        return size_ <= 0x10000 ? static_cast<std::size_t>(size_) : throw "ids of inputs have 16 bits";
    }
    // The group of a name, found when the program is compiled; it does not compile if there is none.
    [[nodiscard]] consteval InputGroup operator[](std::string_view name) const {
        for (const InputGroup& group : groups_) {
            if (group.name == name) return group;
        }
        throw "no group of inputs has this name";
    }
    [[nodiscard]] std::string name_of(InputId id) const { return input_name(groups_, id); }

  private:
    std::array<InputGroup, N> groups_;
    int size_ = 0;
};

// How many of some ascending limits a number exceeds: a factor from a large number.
template <std::size_t N>
[[nodiscard]] constexpr int bucket(int number, const std::array<int, N>& limits) {
    int place = 0;
    for (const int limit : limits) place += number > limit ? 1 : 0;
    return place;
}

}  // namespace tilery
