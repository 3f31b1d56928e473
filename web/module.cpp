// SPDX-License-Identifier: MIT
// What the module needs besides the engine: the tag of C++ exceptions, which libc++abi leaves to the linker, and
// clang has no other way to define.
asm(R"(
.globl __cpp_exception
.tagtype __cpp_exception i32
__cpp_exception:
)");
