// SPDX-License-Identifier: MIT
// The Python type Driver.
#pragma once

#include "game_object.hpp"

namespace tilery::bindings {

// Makes the type Driver of a game.
void make_driver_type(const py::module_& module, GameType& type);

// A new driver at the first decision of a game of the seed; `owner` is the Python Game. A new reference.
[[nodiscard]] PyObject* new_driver(PyObject* owner, std::uint64_t seed, std::uint64_t game);

}  // namespace tilery::bindings
