// SPDX-License-Identifier: MIT
// Instances that Python must not make.
#pragma once

namespace tilery::bindings {

// Makes Python refuse instances of pybind11's base type, which pickle protocols 0 and 1 ask for; pybind11 itself throws
// through Python, which ends the process. Call before any class is made.
void guard_instances();

}  // namespace tilery::bindings
