// SPDX-License-Identifier: MIT
// Registers of AArch64: 16 bytes with NEON. What the operations do is said in bytes.hpp and defined in portable.hpp.
#pragma once

#ifdef __aarch64__

#include <arm_neon.h>

#include "tilery/simd/portable.hpp"

namespace tilery::simd {

struct Neon {
    using Raw = uint8x16_t;
    using Lane = Neon;
    static constexpr bool kFastShuffle = true;

    static Raw broadcast(std::uint8_t byte) { return vdupq_n_u8(byte); }
    static Raw broadcast32(std::uint32_t value) { return vreinterpretq_u8_u32(vdupq_n_u32(value)); }
    static Raw broadcast128(const void* from) { return load(from); }
    static Raw load(const void* from) { return vld1q_u8(static_cast<const std::uint8_t*>(from)); }
    static void store(Raw a, void* to) { vst1q_u8(static_cast<std::uint8_t*>(to), a); }

    static Raw bit_and(Raw a, Raw b) { return vandq_u8(a, b); }
    static Raw bit_or(Raw a, Raw b) { return vorrq_u8(a, b); }
    static Raw bit_xor(Raw a, Raw b) { return veorq_u8(a, b); }
    static Raw and_not(Raw a, Raw b) { return vbicq_u8(a, b); }
    static Raw add(Raw a, Raw b) { return vaddq_u8(a, b); }
    static Raw subtract(Raw a, Raw b) { return vsubq_u8(a, b); }
    static Raw add64(Raw a, Raw b) { return vreinterpretq_u8_u64(vaddq_u64(words64(a), words64(b))); }
    static Raw max(Raw a, Raw b) { return vmaxq_u8(a, b); }
    static Raw min(Raw a, Raw b) { return vminq_u8(a, b); }
    static Raw equal(Raw a, Raw b) { return vceqq_u8(a, b); }
    static Raw equal32(Raw a, Raw b) { return vreinterpretq_u8_u32(vceqq_u32(words32(a), words32(b))); }
    // A table lookup gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return vqtbl1q_u8(a, vandq_u8(control, vdupq_n_u8(0x8F))); }
    static Raw high_nibbles(Raw a) { return vshrq_n_u8(a, 4); }
    template <int K>
    static Raw shift_right32(Raw a) {
        return vreinterpretq_u8_u32(vshrq_n_u32(words32(a), K));
    }
    template <int K>
    static Raw shift_right64(Raw a) {
        return vreinterpretq_u8_u64(vshrq_n_u64(words64(a), K));
    }
    static Raw align_right8(Raw a, Raw b) { return vextq_u8(a, b, 8); }
    static Mask<16> movemask(Raw a) {
        constexpr std::uint64_t kBitOfByte = 0x8040201008040201;
        const Raw signs = vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(a), 7));
        const Raw bits = vandq_u8(signs, vreinterpretq_u8_u64(vdupq_n_u64(kBitOfByte)));
        return vaddv_u8(vget_low_u8(bits)) | std::uint32_t{vaddv_u8(vget_high_u8(bits))} << 8;
    }
    static std::uint32_t movemask32(Raw a) {
        constexpr std::array<std::int32_t, 4> kPlaces{0, 1, 2, 3};
        return vaddvq_u32(vshlq_u32(vshrq_n_u32(words32(a), 31), vld1q_s32(kPlaces.data())));
    }
    static Raw or_lanes(Raw a) { return a; }

    static Raw from64(std::uint64_t value) { return vcombine_u8(vcreate_u8(value), vcreate_u8(0)); }
    static Raw from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return load(std::array{a, b, c, d}.data());
    }
    static std::uint64_t low64(Raw a) { return vgetq_lane_u64(words64(a), 0); }
    template <int K>
    static Raw shift_left_bytes(Raw a) {
        return vextq_u8(vdupq_n_u8(0), a, 16 - K);
    }
    static Raw interleave_low32(Raw a, Raw b, Raw c, Raw d) {
        const auto pair = [](Raw x, Raw y) { return vreinterpretq_u64_u32(vzip1q_u32(words32(x), words32(y))); };
        return vreinterpretq_u8_u64(vzip1q_u64(pair(a, b), pair(c, d)));
    }

  private:
    static uint32x4_t words32(Raw a) { return vreinterpretq_u32_u8(a); }
    static uint64x2_t words64(Raw a) { return vreinterpretq_u64_u8(a); }
};

}  // namespace tilery::simd

#endif
