// SPDX-License-Identifier: MIT
// Which build of the engine this processor can run. Plain C API: pybind11 would take longer to compile than the rest.
#include "cpu.hpp"

#include <Python.h>

namespace {

PyObject* has_x86_64_v3(PyObject*, PyObject*) { return PyBool_FromLong(tilery::bindings::has_x86_64_v3() ? 1 : 0); }

PyMethodDef methods[] = {{"has_x86_64_v3", has_x86_64_v3, METH_NOARGS,
                          "has_x86_64_v3()\n--\n\nWhether it runs code for x86-64-v3 (AVX2, BMI2, FMA)."},
                         {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_cpu", "What the processor can do.", -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

// The first module of tilery that is imported, and so the one that refuses.
extern "C" PyMODINIT_FUNC PyInit__cpu() {
#ifdef Py_GIL_DISABLED
    // States and batches are guarded by the GIL.
    PyErr_SetString(PyExc_ImportError, "tilery needs a Python with the GIL, and this one is free-threaded");
    return nullptr;
#endif
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        PyErr_SetString(PyExc_ImportError, "tilery can be imported in the main interpreter only");
        return nullptr;
    }
    return PyModule_Create(&definition);
}
