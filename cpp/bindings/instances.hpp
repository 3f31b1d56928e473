// SPDX-License-Identifier: MIT
// Instances that Python must not make.
#pragma once

namespace tilery::bindings {

// Makes __new__ of all classes of pybind11, which are final, call __init__: what has no value would read memory that
// nothing has written. Makes Python refuse instances of pybind11's base type, which pickle protocols 0 and 1 ask for;
// pybind11 itself throws through Python, which ends the process. Call before any class is made.
void guard_instances();

}  // namespace tilery::bindings
