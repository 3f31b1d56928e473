// SPDX-License-Identifier: MIT
// Lists of bounded length: results of legal_actions and chance_outcomes, and storage inside states.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tilery/core/types.hpp"

namespace tilery {

// The simplest ActionSet: the ids themselves, added in ascending order.
// Left uninitialised on purpose: clearing room for thousands costs more than finding the legal ones.
template <std::size_t Capacity>
class ActionList {
  public:
    ActionList() {}  // not defaulted, or value-initialisation would clear it

    void add(Action action) {
        assert(size_ < Capacity && (size_ == 0 || actions_[size_ - 1] < action));
        actions_[size_++] = action;
    }
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const {
        assert(i < size_);
        return actions_[i];
    }
    void for_each(auto&& f) const {
        for (std::uint32_t i = 0; i < size_; ++i) f(actions_[i]);
    }

  private:
    std::uint32_t size_ = 0;
    std::array<Action, Capacity> actions_;
};

// The simplest OutcomeSet: outcomes with integer weights, added in ascending order.
template <std::size_t Capacity>
class OutcomeList {
  public:
    OutcomeList() {}  // as above

    // Outcomes of weight 0 are skipped.
    void add(Action action, std::uint32_t weight) {
        if (weight == 0) return;
        assert(size_ < Capacity && (size_ == 0 || actions_[size_ - 1] < action));
        actions_[size_] = action;
        weights_[size_++] = weight;
        total_ += weight;
    }
    [[nodiscard]] std::uint32_t total() const { return total_; }
    // The outcome whose share of [0, total) contains r.
    [[nodiscard]] Action at(std::uint32_t r) const {
        assert(r < total_);
        std::size_t i = 0;
        while (r >= weights_[i]) r -= weights_[i++];
        return actions_[i];
    }
    void for_each(auto&& f) const {
        for (std::uint32_t i = 0; i < size_; ++i) f(actions_[i], weights_[i]);
    }

  private:
    std::uint32_t size_ = 0;
    std::uint32_t total_ = 0;
    std::array<Action, Capacity> actions_;
    std::array<std::uint32_t, Capacity> weights_;
};

// The OutcomeSet of a game without chance.
struct NoOutcomes {
    [[nodiscard]] static std::uint32_t total() { return 0; }
    [[nodiscard]] static Action at(std::uint32_t) { return 0; }
    void for_each(auto&&) const {}
};

// A short list inside a state: inline storage, no allocation. Places at and after size() are always T{},
// so equal lists have equal bytes. The size is stored as wide as T, or in one or two bytes, so that there
// is no padding.
template <class T, std::size_t Capacity>
class FixedVector {
    static_assert(std::is_trivially_copyable_v<T>);
    using Size =
        std::conditional_t<sizeof(T) == 1 && Capacity <= 255, std::uint8_t,
                           std::conditional_t<alignof(T) <= 2, std::uint16_t,
                                              std::conditional_t<alignof(T) == 4, std::uint32_t, std::uint64_t>>>;
    static_assert(Capacity <= std::numeric_limits<Size>::max());

  public:
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) {
        assert(i < size_);
        return items_[i];
    }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const {
        assert(i < size_);
        return items_[i];
    }
    [[nodiscard]] constexpr T* begin() { return items_.data(); }
    [[nodiscard]] constexpr T* end() { return items_.data() + size_; }
    [[nodiscard]] constexpr const T* begin() const { return items_.data(); }
    [[nodiscard]] constexpr const T* end() const { return items_.data() + size_; }

    constexpr void push_back(const T& item) {
        assert(size_ < Capacity);
        items_[static_cast<std::size_t>(size_++)] = item;
    }
    constexpr void insert(std::size_t at, const T& item) {
        assert(size_ < Capacity && at <= size_);
        std::copy_backward(begin() + at, end(), end() + 1);
        items_[at] = item;
        ++size_;
    }
    constexpr void erase(std::size_t at) {
        assert(at < size_);
        std::copy(begin() + at + 1, end(), begin() + at);
        items_[--size_] = T{};
    }
    constexpr void clear() {
        std::fill(begin(), end(), T{});
        size_ = 0;
    }
    // Whether untrusted bytes are a list that push_back and erase can produce: size in range, unused places clear.
    [[nodiscard]] constexpr bool canonical() const {
        if (size_ > Capacity) return false;
        for (std::size_t i = size_; i < Capacity; ++i) {
            if (!(items_[i] == T{})) return false;
        }
        return true;
    }
    constexpr bool operator==(const FixedVector&) const = default;

  private:
    std::array<T, Capacity> items_{};
    Size size_ = 0;
};

}  // namespace tilery
