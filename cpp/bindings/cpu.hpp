// SPDX-License-Identifier: MIT
// The capabilities of the processor.
#pragma once

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace tilery::bindings {

// The highest level of x86-64 that it runs code for, up to 3: 2 has SSE4.2 and POPCNT, 3 AVX2, BMI2 and FMA, and the
// system keeps the wide registers. 0 on other processors. Asked of the processor itself: __builtin_cpu_supports needs a
// library that Clang does not link on Windows.
inline int x86_64_level() {
#ifdef __x86_64__
    constexpr unsigned second = bit_SSSE3 | bit_SSE4_2 | bit_POPCNT, third = bit_FMA | bit_OSXSAVE;
    constexpr unsigned seventh = bit_AVX2 | bit_BMI | bit_BMI2;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & second) != second) return 1;
    if ((c & third) != third || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & seventh) != seventh) return 2;
    asm("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (a & 6) == 6 ? 3 : 2;
#else
    return 0;
#endif
}

}  // namespace tilery::bindings
