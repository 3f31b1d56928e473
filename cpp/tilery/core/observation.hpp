// SPDX-License-Identifier: MIT
// Writing observations as lists of named parts. A game writes its list once, as a template over the writer:
//
//     template <class Writer>
//     void Game::write_observation(const State& state, Writer& out) const {
//         out.part("height", 37, 8).cells([&](std::size_t cell) { return state.heights[cell]; });
//         out.part("cards", 12).seats([&](std::size_t seat) { out.number(state.cards[seat]); });
//         out.part("phase", 1).one_hot(kPhases, phase);
//     }
//
// All values are integers, from 0 to a bound of their part. As integers they are written as they are, as floating-point
// numbers divided by the divisor of their part: a height of 3 as 3, or as 0.375.
//
// observe() runs it on an ObservationWriter, which fills an array of numbers of one kind, observation_parts() on an
// ObservationCounter, so that they agree. Parts are planes over a board, or plain values: what is said of a plane below
// is said of a single value there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"
#include "tilery/simd/spread.hpp"

namespace tilery {

// The number of values in an array of this shape.
[[nodiscard]] inline std::size_t size_of(std::span<const int> shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                           [](std::size_t size, int length) { return size * static_cast<std::size_t>(length); });
}

// The kinds of numbers an array of observations may hold.
enum class NumberKind { kFloat32, kUint8, kInt16 };

// Returns f(Number{}) for the type of these numbers.
auto with_number(NumberKind kind, auto&& f) {
    if (kind == NumberKind::kUint8) return f(std::uint8_t{});
    if (kind == NumberKind::kInt16) return f(std::int16_t{});
    return f(float{});
}

struct ObservationPart {
    std::string name;
    int offset;              // of the first value in the flattened observation
    std::vector<int> shape;  // {planes, rows, columns}, or {values} of a part without a board
    int most;                // integers are from 0 to this
    int divisor;             // floating-point numbers are the integers divided by this

    // The bound of floating-point numbers.
    [[nodiscard]] float high() const { return static_cast<float>(static_cast<double>(most) / divisor); }
};

// The cells of one plane of an observation; {} for a single value.
struct Plane {
    int rows = 0, columns = 0;

    [[nodiscard]] std::size_t cells() const { return rows == 0 ? 1 : static_cast<std::size_t>(rows * columns); }
    bool operator==(const Plane&) const = default;
};

// A bound of a part as a number. One that takes time to compute is given as a function.
template <class Bound>
[[nodiscard]] int value_of_bound(const Bound& most) {
    if constexpr (std::is_invocable_v<Bound>) {
        return static_cast<int>(most());
    } else {
        return static_cast<int>(most);
    }
}

// Writes that are the same for any sink, by its part(), number() and planes(). CRTP.
template <class Sink>
class ObservationSink {
  public:
    // n planes, with ones for those that are in a set of numbers, and zeros for the others.
    template <std::size_t N>
    void members(const CellSet<N>& set, std::size_t n) {
        for (std::size_t w = 0; w < set.kWords && 64 * w < n; ++w) {
            sink().bits(set.word(w), std::min<std::size_t>(n - 64 * w, 64));
        }
    }
    // Calls write(seat) for each seat, beginning with the viewer's and going round.
    void seats(auto&& write) {
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

    // Two parts for what may be greater than a byte: up to 255, and how much it is above, up to 255 again. Calls
    // write(split) for each, which writes split(value) for each value.
    void in_bytes(std::string_view name, std::string_view above, const auto& most, int divisor, auto&& write) {
        sink().part(name, [&] { return std::min(value_of_bound(most), kByte); }, divisor);
        write([](int value) { return std::min(value, kByte); });
        sink().part(above, [&] { return std::clamp(value_of_bound(most) - kByte, 0, kByte); }, divisor);
        write([](int value) { return std::clamp(value - kByte, 0, kByte); });
    }

    // A plane with 1 on the cells of a set, which calls a function for each by for_each.
    void set(const auto& set) {
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
    static constexpr int kByte = 255;

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
        : Sink(plane, players, viewer), at_(out.data()), end_(out.data() + out.size()) {
        std::fill(out.begin(), out.end(), Number{0});
    }

    // Begins a part of integers up to a bound. Only a counter calls bounds that are functions.
    ObservationWriter& part(std::string_view /*name*/, const auto& /*most*/, int divisor = 1) {
        if constexpr (std::is_floating_point_v<Number>) divisor_ = divisor;
        return *this;
    }
    // From the next part on, planes have these cells.
    void set_plane(Plane plane) { cells_ = plane.cells(); }

    // A plane of this value.
    void number(auto value) {
        if (cells_ == 1) {
            *at_++ = number_of(value);
        } else {
            if (value != 0) std::fill_n(at_, cells_, number_of(value));
            at_ += cells_;
        }
    }
    // A plane for each value. (Many stores through a local pointer: one of bytes may change any member.)
    template <class Range>
    void numbers(const Range& values) {
        const std::size_t cells = cells_;
        Number* at = at_;
        if (cells == 1) {
            if constexpr (std::is_same_v<std::ranges::range_value_t<Range>, Number>) {
                at = std::copy(std::ranges::begin(values), std::ranges::end(values), at);  // by the library, in blocks
            } else {
                for (const auto& value : values) *at++ = number_of(value);
            }
        } else {
            for (const auto& value : values) {
                if (value != 0) std::fill_n(at, cells, number_of(value));
                at += cells;
            }
        }
        at_ = at;
    }
    // A plane with value(cell) on each cell. (The values are not read from the array, which bytes would not rule out.)
    void cells(auto&& value) {
        const std::size_t cells = cells_;
        Number* __restrict at = at_;
        for (std::size_t cell = 0; cell < cells; ++cell) at[cell] = number_of(value(cell));
        at_ += cells;
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
        if (static_cast<std::size_t>(end_ - at) < 64) {
            for (std::size_t i = 0; i < n; ++i) at[i] = static_cast<Number>(word >> i & 1);
            return;
        }
        if (n < 64) word &= (std::uint64_t{1} << n) - 1;
        for (std::size_t begin = 0; begin < n; begin += kBits) write_bits(at + begin, word >> begin);
    }
    // n planes of zeros, but ones on the i-th if i < n.
    void one_hot(std::size_t n, std::size_t i) {
        if (i < n) std::fill_n(at_ + i * cells_, cells_, Number{1});
        at_ += n * cells_;
    }
    // n planes of zeros, on which write(put) sets values by put(plane, cell, value). Not called when counting.
    void planes(std::size_t n, auto&& write) {
        write([this, at = at_, cells = cells_](std::size_t plane, std::size_t cell, auto value) {
            at[plane * cells + cell] = this->number_of(value);
        });
        at_ += n * cells_;
    }

  private:
    template <class Integer>
    [[nodiscard]] Number number_of(Integer value) const {
        static_assert(!std::is_floating_point_v<Integer>);
        if constexpr (std::is_floating_point_v<Number>) {
            if (divisor_ != 1) return static_cast<Number>(static_cast<double>(value) / divisor_);
        }
        return static_cast<Number>(value);
    }

    static constexpr bool kWideBytes = sizeof(Number) == 1 && Bytes32::kFastShuffle;
    static constexpr std::size_t kBits = sizeof(Number) == 1 && !kWideBytes ? 8 : 32;

    // The kBits lowest bits of a word as values. Zeros may be written too far: what comes there is written later.
    static void write_bits(Number* at, std::uint64_t word) {
        if constexpr (kWideBytes) {
            bytes_of_32_bits(word).store(at);
        } else if constexpr (sizeof(Number) == 1) {
            const std::uint64_t bytes = bytes_of_bits(word);
            std::memcpy(at, &bytes, kBits);
        } else {
            const auto low = static_cast<std::uint32_t>(word);
            for (std::uint32_t k = 0; k < kBits; ++k) at[k] = static_cast<Number>(low >> k & 1);
        }
    }

    Number *at_, *end_;
    int divisor_ = 1;
};

// Counts what is written, by parts.
class ObservationCounter : public ObservationSink<ObservationCounter> {
  public:
    ObservationCounter(Plane plane, int players) : ObservationSink(plane, players, Player{0}), plane_(plane) {}

    ObservationCounter& part(std::string_view name, const auto& most, int divisor = 1) {
        end_part();
        parts_.push_back({.name = std::string(name),
                          .offset = static_cast<int>(size_),
                          .shape = {},
                          .most = value_of_bound(most),
                          .divisor = divisor});
        return *this;
    }
    void set_plane(Plane plane) {
        end_part();
        plane_ = plane;
        cells_ = plane.cells();
    }
    void number(const auto& /*value*/) { count(1); }
    void numbers(const auto& values) {
        for (const auto& value : values) number(value);
    }
    void cells(const auto& /*value*/) { count(1); }
    void bits(std::uint64_t /*word*/, std::size_t n) { count(n); }
    void one_hot(std::size_t n, std::size_t /*i*/) { count(n); }
    void planes(std::size_t n, const auto& /*write*/) { count(n); }

    // The result of the count; to be called once, at the end.
    [[nodiscard]] std::vector<ObservationPart> parts() && {
        end_part();
        return std::move(parts_);
    }

  private:
    void count(std::size_t planes) { size_ += planes * cells_; }
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
        values += static_cast<int>(size_of(part.shape));
    }
    if (!alike) return {values};
    for (const int length : std::span(shape).subspan(1)) values /= length;
    shape.front() = values;
    return shape;
}

// The first part with integers that this kind of numbers does not hold, or null.
template <class Number>
[[nodiscard]] const ObservationPart* inexact_part(const std::vector<ObservationPart>& parts) {
    if constexpr (std::is_floating_point_v<Number>) {
        return nullptr;
    } else {
        const auto found = std::ranges::find_if(
            parts, [](const ObservationPart& part) { return part.most > int{std::numeric_limits<Number>::max()}; });
        return found == parts.end() ? nullptr : &*found;
    }
}

}  // namespace tilery
