// SPDX-License-Identifier: MIT
// Results for readers of Arrow.
#pragma once

#include <pybind11/pybind11.h>

namespace tilery::bindings {

namespace py = pybind11;

// Adds the function arrow_stream to the module.
void bind_arrow(py::module_& module);

}  // namespace tilery::bindings
