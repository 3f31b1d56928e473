// SPDX-License-Identifier: MIT
#include "instances.hpp"

#include <stdexcept>

#include "convert.hpp"

namespace tilery::bindings {
namespace {

[[nodiscard]] PyTypeObject* base_type() {
    return reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
}

}  // namespace

void guard_instances() {
    static const newfunc original = base_type()->tp_new;
    base_type()->tp_new = [](PyTypeObject* type, PyObject* arguments, PyObject* keywords) -> PyObject* {
        try {
            return original(type, arguments, keywords);
        } catch (const std::runtime_error&) {
            return PyErr_Format(PyExc_TypeError, "cannot create instances of %s", type->tp_name);
        }
    };
}

void seal_class(const py::object& type) {
    // Python refuses the __new__ of a base type for a type that has a tp_new of its own.
    reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = [](PyTypeObject* kind, PyObject* arguments,
                                                             PyObject* keywords) -> PyObject* {
        return base_type()->tp_new(kind, arguments, keywords);
    };
    seal(type);
}

}  // namespace tilery::bindings
