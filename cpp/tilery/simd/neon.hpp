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
    static Mask<16> movemask(Raw a) {
        constexpr std::uint64_t kBitOfByte = 0x8040201008040201;
        const auto signs = uint8x16_t(vshrq_n_s8(int8x16_t(a), 7));
        const uint8x16_t bits = vandq_u8(signs, uint8x16_t(vdupq_n_u64(kBitOfByte)));
        return vaddv_u8(vget_low_u8(bits)) | std::uint32_t{vaddv_u8(vget_high_u8(bits))} << 8;
    }
    static std::uint32_t movemask32(Raw a) {
        constexpr std::array<std::int32_t, 4> kPlaces{0, 1, 2, 3};
        return vaddvq_u32(vshlq_u32(vshrq_n_u32(uint32x4_t(a), 31), vld1q_s32(kPlaces.data())));
    }
    static Raw or_lanes(Raw a) { return a; }
};

}  // namespace tilery::simd

#endif
