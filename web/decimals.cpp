// SPDX-License-Identifier: MIT
// What std::to_chars needs for whole doubles of 2**53 and more, by the C library: the tables that libc++ has for it are
// as large as two games.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "include/ryu/d2fixed.h"

namespace std {
inline namespace __1 {

static to_chars_result print(char* first, char* last, const char* format, unsigned precision, double number) {
    char text[400];
    const int length = snprintf(text, sizeof text, format, static_cast<int>(precision), number);
    if (length < 0 || length >= static_cast<int>(sizeof text) || length > last - first) {
        return {last, errc::value_too_large};
    }
    return {copy_n(text, length, first), errc{}};
}

to_chars_result __d2fixed_buffered_n(char* first, char* const last, const double number, const uint32_t precision) {
    return print(first, last, "%.*f", precision, number);
}

to_chars_result __d2exp_buffered_n(char* first, char* const last, const double number, uint32_t precision) {
    return print(first, last, "%.*e", precision, number);
}

}  // namespace __1
}  // namespace std
