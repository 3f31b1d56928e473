// SPDX-License-Identifier: MIT
// Which build of the engine this processor can run.
#include <pybind11/pybind11.h>

PYBIND11_MODULE(_cpu, module) {
    module.doc() = "What the processor can do.";
    module.def(
        "has_x86_64_v3",
        [] {
#if defined(__x86_64__) && defined(__GNUC__)
            __builtin_cpu_init();
            return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                   __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                   __builtin_cpu_supports("popcnt") != 0;
#else
            return false;
#endif
        },
        "Whether it runs code for x86-64-v3 (AVX2, BMI2, FMA).");
}
