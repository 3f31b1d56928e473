// SPDX-License-Identifier: MIT
#include "instances.hpp"

#include <pybind11/pybind11.h>

#include <stdexcept>

namespace tilery::bindings {

void guard_instances() {
    auto* const base = reinterpret_cast<PyTypeObject*>(pybind11::detail::get_internals().instance_base);
    static const newfunc original = base->tp_new;
    base->tp_new = [](PyTypeObject* type, PyObject* arguments, PyObject* keywords) -> PyObject* {
        try {
            PyObject* const self = original(type, arguments, keywords);
            // pybind11 ignores a second call, which type() makes.
            if (self == nullptr || type->tp_init(self, arguments, keywords) == 0) return self;
            Py_DECREF(self);
            return nullptr;
        } catch (const std::runtime_error&) {
            return PyErr_Format(PyExc_TypeError, "cannot create instances of %s", type->tp_name);
        }
    };
}

}  // namespace tilery::bindings
