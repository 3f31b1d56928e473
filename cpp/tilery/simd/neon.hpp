// SPDX-License-Identifier: MIT
// Registers of AArch64: 16 bytes with NEON.
#pragma once

#ifdef __aarch64__

#include <arm_neon.h>

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

struct Neon : Vector<16> {
    using Lane = Neon;
    static constexpr bool kFastShuffle = true;

    // A table lookup gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return Raw(vqtbl1q_u8(uint8x16_t(a), uint8x16_t(control & 0x8F))); }
    // Sums of pairs join the bits of eight bytes in three steps, of two registers at once.
    static Mask<16> movemask(Raw a) {
        const uint8x16_t pairs = vpaddq_u8(bits(a), bits(a)), fours = vpaddq_u8(pairs, pairs);
        return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)), 0);
    }
    static Mask<32> movemask(Raw low, Raw high) {
        const uint8x16_t pairs = vpaddq_u8(bits(low), bits(high)), fours = vpaddq_u8(pairs, pairs);
        return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)), 0);
    }
    static int count(Raw a) { return vaddvq_u8(vshrq_n_u8(uint8x16_t(a), 7)); }
    static std::uint32_t movemask32(Raw a) {
        constexpr std::array<std::int32_t, 4> kPlaces{0, 1, 2, 3};
        return vaddvq_u32(vshlq_u32(vshrq_n_u32(uint32x4_t(a), 31), vld1q_s32(kPlaces.data())));
    }
    static Raw or_lanes(Raw a) { return a; }

  private:
    // In each byte whose highest bit is set the bit of its place among eight.
    static uint8x16_t bits(Raw a) {
        constexpr std::uint64_t kBitOfByte = 0x8040201008040201;
        return vandq_u8(uint8x16_t(vshrq_n_s8(int8x16_t(a), 7)), uint8x16_t(vdupq_n_u64(kBitOfByte)));
    }
};

}  // namespace tilery::simd

#endif
