// SPDX-License-Identifier: MIT
#include "tilery/run/picks.hpp"

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
