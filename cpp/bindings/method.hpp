// SPDX-License-Identifier: MIT
// The methods of types, in the words of Python's documentation.
#pragma once

#include <pybind11/pybind11.h>

namespace tilery::bindings {

namespace py = pybind11;

// Puts the functions that pybind11 added to a type behind descriptors like those of Python's own types. Without them
// `help` and `__qualname__` name an internal type of pybind11 with every method.
void name_methods(const py::object& type);

}  // namespace tilery::bindings
