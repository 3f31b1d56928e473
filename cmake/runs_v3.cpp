// SPDX-License-Identifier: MIT
// Exits with 0 where the processor runs code for x86-64-v3.
#include "cpu.hpp"

int main() { return tilery::bindings::x86_64_level() == 3 ? 0 : 1; }
