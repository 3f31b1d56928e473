// SPDX-License-Identifier: MIT
// The types of the module when all their members are there: in the words of Python's documentation, and for good.
#pragma once

#include <pybind11/pybind11.h>

namespace tilery::bindings {

namespace py = pybind11;

// Makes Python refuse instances of pybind11's base type, which pickle protocols 0 and 1 ask for; pybind11 itself throws
// through Python, which ends the process. Call before any class is made. Other modules may share the base type.
void guard_instances();

// Makes a type immutable, and puts the functions that pybind11 added to it behind descriptors like those of Python's
// own types. Without them `help` and `__qualname__` name an internal type of pybind11 with every method.
void seal(const py::object& type);

// The same of a final class of pybind11, with __new__ alone a TypeError: it makes objects without a value, and to read
// one is to read memory that nothing has written.
void seal_class(const py::object& type);

}  // namespace tilery::bindings
