// SPDX-License-Identifier: MIT
// Instances that Python must not make.
#pragma once

#include <pybind11/pybind11.h>

namespace tilery::bindings {

namespace py = pybind11;

// Makes Python refuse instances of pybind11's base type, which pickle protocols 0 and 1 ask for; pybind11 itself throws
// through Python, which ends the process. Call before any class is made. Other modules may share the base type.
void guard_instances();

// Makes a final class of pybind11 immutable, once all its members are there, and __new__ alone a TypeError: it makes
// objects without a value, and to read one is to read memory that nothing has written.
void seal_class(const py::object& type);

}  // namespace tilery::bindings
