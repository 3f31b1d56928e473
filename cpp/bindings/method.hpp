// SPDX-License-Identifier: MIT
// The methods of types, in the words of Python's documentation.
#pragma once

#include <pybind11/pybind11.h>

namespace tilery::bindings {

namespace py = pybind11;

// Puts the functions that pybind11 added to a type behind descriptors like those of the types of Python itself. `help`
// and the names of pybind11's own end with the words of its internal types.
void name_methods(const py::object& type);

}  // namespace tilery::bindings
