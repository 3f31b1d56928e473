// SPDX-License-Identifier: MIT
// The bits of a word as bytes of 0 and 1.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tilery/simd/bytes.hpp"

namespace tilery {

// The lowest eight bits of a word as bytes of 0 and 1, the lowest bit in the first byte.
[[nodiscard]] constexpr std::uint64_t bytes_of_bits(std::uint64_t word) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    const std::uint64_t apart = (word & 0xFFU) * kOnes & 0x8040201008040201U;  // bit k in byte k alone
    return (apart + 0x7F7F7F7F7F7F7F7FU) >> 7 & kOnes;
}

// The same of the lowest 32 bits.
[[nodiscard]] inline Bytes32 bytes_of_32_bits(std::uint64_t word) {
    alignas(32) static constexpr auto kWhich = [] {
        std::array<std::uint8_t, 32> which{};  // of the four bytes of the word
        for (std::size_t i = 0; i < which.size(); ++i) which[i] = static_cast<std::uint8_t>(i / 8);
        return which;
    }();
    alignas(32) static constexpr auto kBit = [] {
        std::array<std::uint8_t, 32> bit{};
        for (std::size_t i = 0; i < bit.size(); ++i) bit[i] = static_cast<std::uint8_t>(1U << (i % 8));
        return bit;
    }();
    const Bytes32 bits = Bytes32::load(kBit.data());
    const Bytes32 spread = Bytes32::broadcast32(static_cast<std::uint32_t>(word)).shuffle(Bytes32::load(kWhich.data()));
    return (spread & bits).equal(bits) & Bytes32::broadcast(1);
}

}  // namespace tilery
