// SPDX-License-Identifier: MIT
// Writing observations as lists of named parts. A game writes its list once, as a template over the writer:
//
//     template <class Writer>
//     void Game::write_observation(const State& state, Writer& out) const {
//         out.part("height", 0, 4.625).cells([&](std::size_t cell) { return state.heights[cell] / 8.0; });
//         out.part("points", 0, 10).seats([&](std::size_t seat) { out.number(state.points[seat] / 100.0); });
//         out.part("phase", 0, 1).one_hot(kPhases, phase);
//     }
//
// observe() runs it on an ObservationWriter, which fills an array of numbers of one kind, observation_parts() and
// observation_shape() on an ObservationCounter, so that all of them agree. Parts are planes over a board, or plain
// values: what is said of a plane below is said of a single value there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"

namespace tilery {

struct ObservationPart {
    std::string name;
    int offset;              // of the first value in the flattened observation
    std::vector<int> shape;  // {planes, rows, columns}, or {values} of a part without a board
    float low, high;         // no value is outside of [low, high]
    bool whole = true;       // all values are integers
};

// The cells of one plane of an observation; {} for a single value.
struct Plane {
    int rows = 0, columns = 0;

    [[nodiscard]] std::size_t cells() const { return rows == 0 ? 1 : static_cast<std::size_t>(rows * columns); }
    bool operator==(const Plane&) const = default;
};

// The lowest eight bits of a word as bytes of 0 and 1, the lowest bit in the first byte.
[[nodiscard]] constexpr std::uint64_t bytes_of_bits(std::uint64_t word) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    const std::uint64_t apart = (word & 0xFFU) * kOnes & 0x8040201008040201U;  // bit k in byte k alone
    return (apart + 0x7F7F7F7F7F7F7F7FU) >> 7 & kOnes;
}

// What is written in the same way to any sink, by its part(), number() and planes(). CRTP.
template <class Sink>
class ObservationSink {
  public:
    // n planes, with ones for those that are in a set of numbers, and zeros for the others.
    template <std::size_t N>
    void members(const CellSet<N>& set, std::size_t n) {
        for (std::size_t w = 0; 64 * w < n; ++w) sink().bits(set.word(w), std::min<std::size_t>(n - 64 * w, 64));
    }
    // Calls write(seat) for each seat, beginning with the viewer's and going round.
    template <class Write>
    void seats(Write&& write) {
        for (std::size_t seat = viewer_; seat < players_; ++seat) write(seat);
        for (std::size_t seat = 0; seat < viewer_; ++seat) write(seat);
    }
    // The place of a seat in that order.
    [[nodiscard]] std::size_t place_of(std::size_t seat) const {
        return seat >= viewer_ ? seat - viewer_ : seat + players_ - viewer_;
    }
    // A plane for each seat, of ones for `seat` (none if it is negative) and of zeros for the others.
    void one_seat(Player seat) {
        sink().one_hot(players_, seat < 0 ? players_ : place_of(static_cast<std::size_t>(seat)));
    }

    // A plane with value(cell) on each cell.
    template <class ValueOf>
    void cells(ValueOf&& value) {
        sink().template planes<std::invoke_result_t<ValueOf, std::size_t>>(1, [&](auto put) {
            for (std::size_t cell = 0; cell < cells_; ++cell) put(0, cell, value(cell));
        });
    }
    // A plane with 1 on the cells of a set, which calls a function for each by for_each.
    template <class Set>
    void set(const Set& set) {
        sink().planes(1,
                      [&](auto put) { set.for_each([&](auto cell) { put(0, static_cast<std::size_t>(cell), 1); }); });
    }

  protected:
    ObservationSink(Plane plane, int players, Player viewer)
        : cells_(plane.cells()),
          players_(static_cast<std::size_t>(players)),
          viewer_(static_cast<std::size_t>(viewer)) {}

    std::size_t cells_, players_, viewer_;

  private:
    [[nodiscard]] Sink& sink() { return static_cast<Sink&>(*this); }
};

// Writes what a viewer sees as an array of numbers.
template <class Number>
class ObservationWriter : public ObservationSink<ObservationWriter<Number>> {
    using Sink = ObservationSink<ObservationWriter<Number>>;
    using Sink::cells_;

  public:
    // Fills all of `out`.
    ObservationWriter(Plane plane, int players, Player viewer, std::span<Number> out)
        : Sink(plane, players, viewer), at_(out.data()) {
        std::fill(out.begin(), out.end(), Number{0});
    }

    // Begins a part; `low` and `high` are bounds of its values. A bound that takes time to compute is given as a
    // function, which only a counter calls.
    template <class Bound>
    ObservationWriter& part(std::string_view /*name*/, double /*low*/, const Bound& /*high*/) {
        return *this;
    }
    // From the next part on, planes have these cells.
    void set_plane(Plane plane) { cells_ = plane.cells(); }

    // A plane of this value.
    template <class Value>
    void number(Value value) {
        if (cells_ == 1) {
            *at_++ = static_cast<Number>(value);
        } else {
            at_ = std::fill_n(at_, cells_, static_cast<Number>(value));
        }
    }
    // A plane for each value. (Many stores through a local pointer: one of bytes may change any member.)
    template <class Range>
    void numbers(const Range& values) {
        const std::size_t cells = cells_;
        Number* at = at_;
        if (cells == 1) {
            for (const auto& value : values) *at++ = static_cast<Number>(value);
        } else {
            for (const auto& value : values) at = std::fill_n(at, cells, static_cast<Number>(value));
        }
        at_ = at;
    }
    // n planes, the i-th of ones or zeros as bit i of a word says; n is at most 64.
    void bits(std::uint64_t word, std::size_t n) {
        Number* const at = at_;
        at_ = at + n * cells_;
        if (cells_ > 1) {
            for (std::size_t i = 0; i < n; ++i) {
                if ((word >> i & 1) != 0) std::fill_n(at + i * cells_, cells_, Number{1});
            }
            return;
        }
        for (std::size_t begin = 0; begin < n; begin += kBits) {
            write_bits(at + begin, word >> begin, std::min(n - begin, kBits));
        }
    }
    // n planes of zeros, but ones on the i-th if i < n.
    void one_hot(std::size_t n, std::size_t i) {
        if (i < n) std::fill_n(at_ + i * cells_, cells_, Number{1});
        at_ += n * cells_;
    }
    // n planes of zeros, on which write(put) sets values by put(plane, cell, value). Not called when counting, so a
    // part with values that are not integers says so by their type, planes<double>(...).
    template <class Value = int, class Write>
    void planes(std::size_t n, Write&& write) {
        write([this]<class V>(std::size_t plane, std::size_t cell, V value) {
            static_assert(std::is_floating_point_v<Value> || !std::is_floating_point_v<V>);
            at_[plane * cells_ + cell] = static_cast<Number>(value);
        });
        at_ += n * cells_;
    }

  private:
    static constexpr std::size_t kBits = sizeof(Number) == 1 ? 8 : 32;

    // The n lowest bits of a word as values; n is at most kBits.
    static void write_bits(Number* at, std::uint64_t word, std::size_t n) {
        if constexpr (sizeof(Number) == 1) {
            const std::uint64_t bytes = bytes_of_bits(word);
            if (n == kBits) {
                std::memcpy(at, &bytes, kBits);
            } else {
                for (std::size_t k = 0; k < n; ++k) at[k] = static_cast<Number>(bytes >> (8 * k) & 1);
            }
        } else {
            const auto low = static_cast<std::uint32_t>(word);
            for (std::uint32_t k = 0; k < n; ++k) at[k] = static_cast<Number>(low >> k & 1);
        }
    }

    Number* at_;
};

// Counts what is written, by parts.
class ObservationCounter : public ObservationSink<ObservationCounter> {
  public:
    ObservationCounter(Plane plane, int players) : ObservationSink(plane, players, Player{0}), plane_(plane) {}

    template <class Bound>
    ObservationCounter& part(std::string_view name, double low, const Bound& high) {
        end_part();
        ObservationPart part{.name = std::string(name),
                             .offset = static_cast<int>(size_),
                             .shape = {},
                             .low = static_cast<float>(low),
                             .high = 0};
        if constexpr (std::is_invocable_v<Bound>) {
            part.high = static_cast<float>(high());
        } else {
            part.high = static_cast<float>(high);
        }
        parts_.push_back(std::move(part));
        return *this;
    }
    void set_plane(Plane plane) {
        end_part();
        plane_ = plane;
        cells_ = plane.cells();
    }
    template <class Value>
    void number(Value /*value*/) {
        count<Value>(1);
    }
    template <class Range>
    void numbers(const Range& values) {
        for (const auto& value : values) number(value);
    }
    void bits(std::uint64_t /*word*/, std::size_t n) { count<int>(n); }
    void one_hot(std::size_t n, std::size_t /*i*/) { count<int>(n); }
    template <class Value = int, class Write>
    void planes(std::size_t n, Write&& /*write*/) {
        count<Value>(n);
    }

    // What was counted; to be called once, at the end.
    [[nodiscard]] std::vector<ObservationPart> parts() && {
        end_part();
        return std::move(parts_);
    }

  private:
    template <class Value>
    void count(std::size_t planes) {
        size_ += planes * cells_;
        if constexpr (std::is_floating_point_v<Value>) parts_.back().whole = false;
    }
    void end_part() {
        if (parts_.empty() || !parts_.back().shape.empty()) return;
        ObservationPart& part = parts_.back();
        part.shape = {(static_cast<int>(size_) - part.offset) / static_cast<int>(cells_)};
        if (plane_ != Plane{}) part.shape.insert(part.shape.end(), {plane_.rows, plane_.columns});
    }

    Plane plane_;
    std::size_t size_ = 0;
    std::vector<ObservationPart> parts_;
};

// The shape of an observation of these parts: {planes, rows, columns} if all have planes of the same
// cells, else {values}.
[[nodiscard]] inline std::vector<int> shape_of(const std::vector<ObservationPart>& parts) {
    std::vector<int> shape = parts.front().shape;
    int values = 0;
    bool alike = true;
    for (const ObservationPart& part : parts) {
        alike = alike && std::equal(part.shape.begin() + 1, part.shape.end(), shape.begin() + 1, shape.end());
        values += std::reduce(part.shape.begin(), part.shape.end(), 1, std::multiplies<>());
    }
    if (!alike) return {values};
    for (const int length : std::span(shape).subspan(1)) values /= length;
    shape.front() = values;
    return shape;
}

// The first part with values that are not exact as integers of this kind, or null.
template <class Number>
[[nodiscard]] const ObservationPart* inexact_part(const std::vector<ObservationPart>& parts) {
    const auto exact = [](const ObservationPart& part) {
        using Limits = std::numeric_limits<Number>;
        return !Limits::is_integer || (part.whole && part.low >= static_cast<float>(Limits::min()) &&
                                       part.high <= static_cast<float>(Limits::max()));
    };
    const auto found = std::ranges::find_if_not(parts, exact);
    return found == parts.end() ? nullptr : &*found;
}

}  // namespace tilery
