// SPDX-License-Identifier: MIT
// Registers of WebAssembly: 16 bytes with simd128. What the operations do is said in bytes.hpp and defined in
// portable.hpp.
#pragma once

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#include "tilery/simd/portable.hpp"

namespace tilery::simd {

struct Wasm {
    using Raw = v128_t;
    using Lane = Wasm;
    static constexpr bool kFastShuffle = true;

    static Raw broadcast(std::uint8_t byte) { return wasm_u8x16_splat(byte); }
    static Raw broadcast32(std::uint32_t value) { return wasm_u32x4_splat(value); }
    static Raw broadcast128(const void* from) { return load(from); }
    static Raw load(const void* from) { return wasm_v128_load(from); }
    static void store(Raw a, void* to) { wasm_v128_store(to, a); }

    static Raw bit_and(Raw a, Raw b) { return wasm_v128_and(a, b); }
    static Raw bit_or(Raw a, Raw b) { return wasm_v128_or(a, b); }
    static Raw bit_xor(Raw a, Raw b) { return wasm_v128_xor(a, b); }
    static Raw and_not(Raw a, Raw b) { return wasm_v128_andnot(a, b); }
    static Raw add(Raw a, Raw b) { return wasm_i8x16_add(a, b); }
    static Raw subtract(Raw a, Raw b) { return wasm_i8x16_sub(a, b); }
    static Raw add64(Raw a, Raw b) { return wasm_i64x2_add(a, b); }
    static Raw max(Raw a, Raw b) { return wasm_u8x16_max(a, b); }
    static Raw min(Raw a, Raw b) { return wasm_u8x16_min(a, b); }
    static Raw equal(Raw a, Raw b) { return wasm_i8x16_eq(a, b); }
    static Raw equal32(Raw a, Raw b) { return wasm_i32x4_eq(a, b); }
    // A swizzle gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return wasm_i8x16_swizzle(a, bit_and(control, broadcast(0x8F))); }
    static Raw high_nibbles(Raw a) { return wasm_u8x16_shr(a, 4); }
    template <int K>
    static Raw shift_right32(Raw a) {
        return wasm_u32x4_shr(a, K);
    }
    template <int K>
    static Raw shift_right64(Raw a) {
        return wasm_u64x2_shr(a, K);
    }
    static Raw align_right8(Raw a, Raw b) { return wasm_i64x2_shuffle(a, b, 1, 2); }
    static Mask<16> movemask(Raw a) { return wasm_i8x16_bitmask(a); }
    static std::uint32_t movemask32(Raw a) { return wasm_i32x4_bitmask(a); }
    static Raw or_lanes(Raw a) { return a; }

    static Raw from64(std::uint64_t value) { return wasm_u64x2_make(value, 0); }
    static Raw from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return wasm_u32x4_make(a, b, c, d);
    }
    static std::uint64_t low64(Raw a) { return wasm_u64x2_extract_lane(a, 0); }
    // Those of 32 bytes, zeros and `a`, that begin K before `a`.
    template <int K>
    static Raw shift_left_bytes(Raw a) {
        return wasm_i8x16_shuffle(broadcast(0), a, 16 - K, 17 - K, 18 - K, 19 - K, 20 - K, 21 - K, 22 - K, 23 - K,
                                  24 - K, 25 - K, 26 - K, 27 - K, 28 - K, 29 - K, 30 - K, 31 - K);
    }
    static Raw interleave_low32(Raw a, Raw b, Raw c, Raw d) {
        return wasm_i64x2_shuffle(wasm_i32x4_shuffle(a, b, 0, 4, 0, 4), wasm_i32x4_shuffle(c, d, 0, 4, 0, 4), 0, 2);
    }
};

}  // namespace tilery::simd

#endif
