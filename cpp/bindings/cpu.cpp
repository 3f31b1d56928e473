// SPDX-License-Identifier: MIT
// Which build of the engine this processor can run. Plain C API: pybind11 would take longer to compile than the rest.
#include <Python.h>

namespace {

PyObject* has_x86_64_v3(PyObject*, PyObject*) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return PyBool_FromLong(__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                           __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                           __builtin_cpu_supports("popcnt") != 0);
#else
    return PyBool_FromLong(0);
#endif
}

PyMethodDef methods[] = {{"has_x86_64_v3", has_x86_64_v3, METH_NOARGS,
                          "has_x86_64_v3()\n--\n\nWhether it runs code for x86-64-v3 (AVX2, BMI2, FMA)."},
                         {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_cpu", "What the processor can do.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

extern "C" PyMODINIT_FUNC PyInit__cpu() { return PyModule_Create(&definition); }
