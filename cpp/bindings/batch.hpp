// SPDX-License-Identifier: MIT
// The Python type of the batches of all games, and the methods of Game that make one.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "game_object.hpp"
#include "tilery/any/batch.hpp"

namespace tilery::bindings {

// The batch in a Python Batch, for calls that one game adds; TypeError for another object.
[[nodiscard]] const Batch& batch_in(const py::object& batch);
// Runs what reads that batch without the GIL, while no other call touches it.
void reading(const py::object& batch, const std::function<void()>& read);
// Defines the type Batch; call once.
void bind_batch(py::module_& module);

}  // namespace tilery::bindings
