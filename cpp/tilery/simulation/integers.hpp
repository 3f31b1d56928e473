// SPDX-License-Identifier: MIT
// Observations in integers of two bytes, from others. This is compiled with the rules of games, for speed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilery/core/observation.hpp"

namespace tilery {

// From bytes that hold all of its parts.
void to_integers(std::span<const std::uint8_t> bytes, std::int16_t* integers);

// From floating-point numbers, which are exact enough for integers of two bytes.
void to_integers(std::span<const float> numbers, const std::vector<ObservationPart>& parts, std::int16_t* integers);

}  // namespace tilery
