// SPDX-License-Identifier: MIT
// Which build of the engine this processor can run. Plain C API: pybind11 would take longer to compile than the rest.
#include "cpu.hpp"

#include <Python.h>

namespace {

PyObject* x86_64_level(PyObject*, PyObject*) { return PyLong_FromLong(tilery::bindings::x86_64_level()); }

PyMethodDef methods[] = {{"x86_64_level", x86_64_level, METH_NOARGS,
                          "x86_64_level()\n--\n\nThe level of x86-64 that it runs, 1 to 3; 0 on other processors."},
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
