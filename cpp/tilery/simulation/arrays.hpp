// SPDX-License-Identifier: MIT
// Reading, searching and converting the arrays of a batch at every step, many entries at a time. arrays.cpp is compiled
// with the rules of games, for speed: the module that calls it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/observation.hpp"

namespace tilery {

// Reads what a caller chooses for each game as indices into its legal actions; -1 becomes kLeave. Returns whether each
// is below the number of legal actions or kLeave; others become numbers that are neither.
template <class Integer>
[[nodiscard]] bool read_picks(const Integer* given, std::span<const std::uint32_t> num_legal_actions,
                              std::uint32_t* picks);

// The first of the numbers that is not in [0, 1), or how many there are.
template <class Real>
[[nodiscard]] std::size_t first_outside(std::span<const Real> uniforms);

// spread_pick() of core/decisions.hpp for each game.
template <class Real>
void spread_picks(std::span<const Real> uniforms, const std::uint32_t* num_legal_actions, std::int32_t* picks);

// The first game in [from, to) without a legal action, or `to`.
[[nodiscard]] std::size_t first_over(const std::uint32_t* num_legal_actions, std::size_t from, std::size_t to);

// Observations in integers of two bytes: from bytes that hold all of its parts, or from floating-point numbers, which
// are exact enough for that.
void to_integers(std::span<const std::uint8_t> bytes, std::int16_t* integers);
void to_integers(std::span<const float> numbers, const std::vector<ObservationPart>& parts, std::int16_t* integers);

// Fills an array with an observation of these parts; write(span) writes it as floats or as bytes. Integers of two bytes
// are made from one of these: a third writer of each game would be a thirtieth of the code of a module.
void write_numbers(void* out, NumberKind kind, std::size_t size, const std::vector<ObservationPart>& parts,
                   auto&& write) {
    if (kind == NumberKind::kFloat32) return write(std::span(static_cast<float*>(out), size));
    if (kind == NumberKind::kUint8) return write(std::span(static_cast<std::uint8_t*>(out), size));
    auto* const integers = static_cast<std::int16_t*>(out);
    if (inexact_part<std::uint8_t>(parts) == nullptr) {
        const auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(size);
        write(std::span(bytes.get(), size));
        to_integers({bytes.get(), size}, integers);
    } else {
        const auto numbers = std::make_unique_for_overwrite<float[]>(size);
        write(std::span(numbers.get(), size));
        to_integers({numbers.get(), size}, parts, integers);
    }
}

}  // namespace tilery
