// SPDX-License-Identifier: MIT
// Registers of WebAssembly: 16 bytes with simd128.
#pragma once

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

struct Wasm : Vector<16> {
    using Lane = Wasm;
    static constexpr bool kFastShuffle = true;

    // A swizzle gives 0 from 16 on, so that the bits between the number and the highest one have to go.
    static Raw shuffle(Raw a, Raw control) { return Raw(wasm_i8x16_swizzle(v128_t(a), v128_t(control & 0x8F))); }
    static Mask<16> movemask(Raw a) { return wasm_i8x16_bitmask(v128_t(a)); }
    static std::uint32_t movemask32(Raw a) { return wasm_i32x4_bitmask(v128_t(a)); }
    static Raw or_lanes(Raw a) { return a; }
};

}  // namespace tilery::simd

#endif
