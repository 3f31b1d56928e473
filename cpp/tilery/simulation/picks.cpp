// SPDX-License-Identifier: MIT
#include "tilery/simulation/picks.hpp"

#include <algorithm>
#include <type_traits>

namespace tilery {

namespace {

template <class Integer>
std::uint32_t pick_of(Integer given) {
    if constexpr (std::is_signed_v<Integer>) {
        if (given == -1) return kLeave;
        // Any number that is neither an index nor kLeave is refused by the comparison with the count.
        return given < 0 || std::int64_t{given} >= std::int64_t{kLeave} ? kLeave - 1
                                                                        : static_cast<std::uint32_t>(given);
    } else {
        return std::uint64_t{given} >= std::uint64_t{kLeave} ? kLeave - 1 : static_cast<std::uint32_t>(given);
    }
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
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
        const auto count = static_cast<std::int32_t>(num_legal_actions[i]);
        // The product may be rounded up to the count.
        picks[i] = std::min(static_cast<std::int32_t>(double{uniforms[i]} * count), count - 1);
    }
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

}  // namespace tilery
