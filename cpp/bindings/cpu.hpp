// SPDX-License-Identifier: MIT
// What the processor can do.
#pragma once

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace tilery::bindings {

// Whether it runs code for x86-64-v3 (AVX2, BMI2, FMA), and the system keeps the wide registers. Asked of the processor
// itself: __builtin_cpu_supports needs a library that Clang does not link on Windows.
inline bool has_x86_64_v3() {
#ifdef __x86_64__
    constexpr unsigned first = bit_FMA | bit_OSXSAVE | bit_POPCNT, seventh = bit_AVX2 | bit_BMI | bit_BMI2;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & first) != first) return false;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & seventh) != seventh) return false;
    asm("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (a & 6) == 6;
#else
    return false;
#endif
}

}  // namespace tilery::bindings
