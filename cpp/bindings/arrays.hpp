// SPDX-License-Identifier: MIT
// Arrays that callers give.
#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "convert.hpp"

namespace tilery::bindings {

// An array, or what NumPy makes an array of in C order; `wanted` is what the ValueError says that it must be.
[[nodiscard]] inline py::array array_from(const py::object& given, const std::string& wanted) {
    if (py::isinstance<py::array>(given)) return py::reinterpret_borrow<py::array>(given);
    using Api = py::detail::npy_api;
    const int plain = Api::NPY_ARRAY_ENSUREARRAY_, ordered = py::array::c_style;
    PyObject* const made = Api::get().PyArray_FromAny_(given.ptr(), nullptr, 0, 0, plain | ordered, nullptr);
    if (made == nullptr) {
        drop_error();
        throw py::value_error(wanted + ", got " + shown(given));
    }
    return py::reinterpret_steal<py::array>(made);
}

}  // namespace tilery::bindings
