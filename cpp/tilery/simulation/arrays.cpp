// SPDX-License-Identifier: MIT
#include "tilery/simulation/arrays.hpp"

#include <algorithm>
#include <utility>

namespace tilery {

namespace {

// Any number that is neither an index nor kLeave is refused by the comparison with the count.
template <class Integer>
std::uint32_t pick_of(Integer given) {
    if (std::cmp_equal(given, -1)) return kLeave;
    return std::cmp_less(given, 0) || std::cmp_greater_equal(given, kLeave) ? kLeave - 1
                                                                            : static_cast<std::uint32_t>(given);
}

}  // namespace

template <class Integer>
bool read_picks(const Integer* given, std::span<const std::uint32_t> num_legal_actions, std::uint32_t* picks) {
    const std::uint32_t* const counts = num_legal_actions.data();
    const std::size_t size = num_legal_actions.size();
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t pick = pick_of(given[i]);
        picks[i] = pick;
        wrong |= static_cast<std::uint32_t>(pick + 1 > counts[i]);  // kLeave + 1 is 0
    }
    return wrong == 0;
}

template bool read_picks(const std::int32_t*, std::span<const std::uint32_t>, std::uint32_t*);
template bool read_picks(const std::int64_t*, std::span<const std::uint32_t>, std::uint32_t*);
template bool read_picks(const std::uint64_t*, std::span<const std::uint32_t>, std::uint32_t*);

template <class Real>
std::size_t first_outside(std::span<const Real> uniforms) {
    // No branch between the comparisons, so that many numbers are compared at once. NaN is outside, not being below 1.
    const auto outside = [](Real uniform) { return static_cast<bool>((uniform < 0) | !(uniform < 1)); };
    std::uint32_t wrong = 0;
    for (const Real uniform : uniforms) wrong |= static_cast<std::uint32_t>(outside(uniform));
    if (wrong == 0) return uniforms.size();
    return static_cast<std::size_t>(std::ranges::find_if(uniforms, outside) - uniforms.begin());
}

template <class Real>
void spread_picks(std::span<const Real> uniforms, const std::uint32_t* num_legal_actions, std::int32_t* picks) {
    for (std::size_t i = 0; i < uniforms.size(); ++i) picks[i] = spread_pick(double{uniforms[i]}, num_legal_actions[i]);
}

template std::size_t first_outside(std::span<const float>);
template std::size_t first_outside(std::span<const double>);
template void spread_picks(std::span<const float>, const std::uint32_t*, std::int32_t*);
template void spread_picks(std::span<const double>, const std::uint32_t*, std::int32_t*);

std::size_t first_over(const std::uint32_t* num_legal_actions, std::size_t from, std::size_t to) {
    constexpr std::size_t kBlock = 32;  // few games end with a step, so looks at many counts at a time
    for (; from + kBlock <= to; from += kBlock) {
        std::uint32_t over = 0;
        for (std::size_t i = from; i < from + kBlock; ++i)
            over |= static_cast<std::uint32_t>(num_legal_actions[i] == 0);
        if (over != 0) break;
    }
    return static_cast<std::size_t>(std::find(num_legal_actions + from, num_legal_actions + to, 0U) -
                                    num_legal_actions);
}

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
