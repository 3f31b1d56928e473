// SPDX-License-Identifier: MIT
// The random streams of a game, one for each purpose.
#pragma once

#include <cstdint>

#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"

namespace tilery {

// The purpose of a random stream of a game (docs/interface.md), where more than the random policy draws numbers.
struct Purpose {
    std::uint64_t number;
    [[nodiscard]] static constexpr Purpose chance() { return {0}; }
    [[nodiscard]] static constexpr Purpose policy(Player seat) { return {1 + static_cast<std::uint64_t>(seat)}; }
    [[nodiscard]] static constexpr Purpose deals(Player player) { return {16 + static_cast<std::uint64_t>(player)}; }
};
[[nodiscard]] constexpr Rng stream_of(std::uint64_t seed, Purpose purpose, std::uint64_t game) {
    return Rng(mix(seed + (purpose.number + 1) * 0x9E3779B97F4A7C15U), game);
}

}  // namespace tilery
