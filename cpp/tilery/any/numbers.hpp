// SPDX-License-Identifier: MIT
// Observations in the numbers that a caller asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tilery/core/observation.hpp"
#include "tilery/simulation/arrays.hpp"

namespace tilery::any {

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

}  // namespace tilery::any
