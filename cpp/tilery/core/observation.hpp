// SPDX-License-Identifier: MIT
// Writing observations as lists of named parts. A game writes its list once, as a function of a writer:
//
//     void Game::write_observation(const State& state, ObservationWriter& out) const {
//         out.part("height", 0, 4.625).cells([&](std::size_t cell) { return state.heights[cell] / 8.0; });
//         out.part("points", 0, 10).seats([&](std::size_t seat) { out.number(state.points[seat] / 100.0); });
//         out.part("phase", 0, 1).one_hot(kPhases, phase);
//     }
//
// observe() runs it on a writer that fills an array, observation_parts() and observation_shape() on one
// that only counts, so that the three always agree. Parts are planes over a board, or plain values: what
// is said of a plane below is said of a single value there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilery/core/types.hpp"

namespace tilery {

struct ObservationPart {
    std::string name;
    int offset;              // of the first value in the flattened observation
    std::vector<int> shape;  // {planes, rows, columns}, or {values} of a part without a board
    float low, high;         // no value is outside of [low, high]
};

// The cells of one plane of an observation; {} for a single value.
struct Plane {
    int rows = 0, columns = 0;

    [[nodiscard]] std::size_t cells() const { return rows == 0 ? 1 : static_cast<std::size_t>(rows * columns); }
    bool operator==(const Plane&) const = default;
};

class ObservationWriter {
  public:
    // Writes what `viewer` sees into all of `out`.
    ObservationWriter(Plane plane, int players, Player viewer, std::span<float> out)
        : ObservationWriter(plane, players, viewer) {
        at_ = out.data();
        std::fill(out.begin(), out.end(), 0.0F);
    }
    // Counts, and writes nothing.
    ObservationWriter(Plane plane, int players) : ObservationWriter(plane, players, Player{0}) {}

    // Begins a part; `low` and `high` are bounds of its values.
    ObservationWriter& part(std::string_view name, double low, double high) {
        if (counting()) {
            end_part();
            parts_.push_back(
                {std::string(name), static_cast<int>(size_), {}, static_cast<float>(low), static_cast<float>(high)});
        }
        return *this;
    }
    // From the next part on, planes have these cells.
    void set_plane(Plane plane) {
        if (counting()) end_part();
        plane_ = plane;
        cells_ = plane.cells();
    }

    // A plane of this value.
    template <class Number>
    void number(Number value) {
        if (!counting()) at_ = std::fill_n(at_, cells_, static_cast<float>(value));
        size_ += cells_;
    }
    // A plane for each value.
    template <class Range>
    void numbers(const Range& values) {
        for (const auto& value : values) number(value);
    }
    // n planes of zeros, but ones on the i-th if i < n.
    void one_hot(std::size_t n, std::size_t i) {
        for (std::size_t k = 0; k < n; ++k) number(k == i);
    }
    // Calls write(seat) for each seat, beginning with the viewer's and going round.
    template <class Write>
    void seats(Write&& write) {
        for (std::size_t k = 0; k < players_; ++k) write((viewer_ + k) % players_);
    }
    // The place of a seat in that order.
    [[nodiscard]] std::size_t place_of(std::size_t seat) const { return (seat + players_ - viewer_) % players_; }
    // A plane for each seat, of ones for `seat` (none if it is negative) and of zeros for the others.
    void one_seat(Player seat) { one_hot(players_, seat < 0 ? players_ : place_of(static_cast<std::size_t>(seat))); }

    // A plane with value(cell) on each cell.
    template <class ValueOf>
    void cells(ValueOf&& value) {
        planes(1, [&](auto put) {
            for (std::size_t cell = 0; cell < cells_; ++cell) put(0, cell, value(cell));
        });
    }
    // A plane with 1 on the cells of a set, which calls a function for each by for_each.
    template <class Set>
    void set(const Set& set) {
        planes(1, [&](auto put) { set.for_each([&](auto cell) { put(0, static_cast<std::size_t>(cell), 1); }); });
    }
    // n planes of zeros, on which write(put) sets values by put(plane, cell, value). Not called when counting.
    template <class Write>
    void planes(std::size_t n, Write&& write) {
        if (!counting()) {
            write([this](std::size_t plane, std::size_t cell, auto value) {
                at_[plane * cells_ + cell] = static_cast<float>(value);
            });
            at_ += n * cells_;
        }
        size_ += n * cells_;
    }

    // What was counted; to be called once, at the end.
    [[nodiscard]] std::vector<ObservationPart> parts() && {
        end_part();
        return std::move(parts_);
    }

  private:
    ObservationWriter(Plane plane, int players, Player viewer)
        : plane_(plane),
          cells_(plane.cells()),
          players_(static_cast<std::size_t>(players)),
          viewer_(static_cast<std::size_t>(viewer)) {}

    [[nodiscard]] bool counting() const { return at_ == nullptr; }
    void end_part() {
        if (parts_.empty() || !parts_.back().shape.empty()) return;
        ObservationPart& part = parts_.back();
        part.shape = {(static_cast<int>(size_) - part.offset) / static_cast<int>(cells_)};
        if (plane_ != Plane{}) part.shape.insert(part.shape.end(), {plane_.rows, plane_.columns});
    }

    Plane plane_;
    std::size_t cells_, players_, viewer_;
    std::size_t size_ = 0;
    float* at_ = nullptr;
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

}  // namespace tilery
