// SPDX-License-Identifier: MIT
// Arrays that callers give.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <string>
#include <vector>

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

// The array itself, checked: in C order, of this shape.
inline void check_layout(const py::array& array, const char* name, const std::vector<py::ssize_t>& shape) {
    if (!std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim())) {
        throw py::value_error(std::string(name) + " must have shape " + shown(py::tuple(py::cast(shape))) + ", got " +
                              shown(py::tuple(array.attr("shape"))));
    }
    if ((array.flags() & py::array::c_style) == 0) {
        throw py::value_error(std::string(name) + " must be contiguous, in C order");
    }
}

// The caller's array, checked, or if it is None a new one.
[[nodiscard]] inline py::array output(py::handle out, const py::dtype& dtype, const std::vector<py::ssize_t>& shape) {
    if (!out || out.is_none()) return py::array(dtype, shape);
    if (!py::isinstance<py::array>(out)) throw py::value_error("out must be a NumPy array, got " + shown(out));
    const auto array = py::reinterpret_borrow<py::array>(out);
    if (!array.dtype().is(dtype) && !array.dtype().equal(dtype)) {
        throw py::value_error("out must have dtype " + std::string(py::str(dtype)) + ", got " +
                              std::string(py::str(array.dtype())));
    }
    check_layout(array, "out", shape);
    if (!array.writeable()) throw py::value_error("out must be writable");
    return array;
}

}  // namespace tilery::bindings
