// SPDX-License-Identifier: MIT
// What the processor can do.
#pragma once

namespace tilery::bindings {

// Whether it runs code for x86-64-v3 (AVX2, BMI2, FMA).
inline bool has_x86_64_v3() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("popcnt") != 0;
#else
    return false;
#endif
}

}  // namespace tilery::bindings
