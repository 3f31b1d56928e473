// SPDX-License-Identifier: MIT
#include "tilery/simulation/integers.hpp"

#include <algorithm>

namespace tilery {

void to_integers(std::span<const std::uint8_t> bytes, std::int16_t* integers) {
    std::copy(bytes.begin(), bytes.end(), integers);
}

void to_integers(std::span<const float> numbers, const std::vector<ObservationPart>& parts, std::int16_t* integers) {
    for (const ObservationPart& part : parts) {
        const auto divisor = static_cast<float>(part.divisor);
        const std::size_t offset = index(part.offset);
        const auto round = [divisor](float number) { return static_cast<std::int16_t>(number * divisor + 0.5F); };
        std::ranges::transform(numbers.subspan(offset, size_of(part.shape)), integers + offset, round);
    }
}

}  // namespace tilery
