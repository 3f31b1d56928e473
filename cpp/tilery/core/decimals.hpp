// SPDX-License-Identifier: MIT
// Doubles as text and back, as std::to_chars and std::from_chars do it. A build that has to be small takes functions
// without their tables, which are as large as a game (TILERY_SMALL; web/decimals.cpp).
#pragma once

#include <charconv>
#include <system_error>
#include <type_traits>

namespace tilery {

#ifdef TILERY_SMALL
namespace small {
[[nodiscard]] std::to_chars_result to_chars(char* first, char* last, double number);
[[nodiscard]] std::from_chars_result from_chars(const char* first, const char* last, double& number);
}  // namespace small
#endif

// Writes the shortest text that reads back as the same number.
template <class Number>
[[nodiscard]] std::to_chars_result write_decimal(char* first, char* last, Number number) {
#ifdef TILERY_SMALL
    if constexpr (std::is_same_v<Number, double>) return small::to_chars(first, last, number);
#endif
    return std::to_chars(first, last, number);
}

// Reads the longest text of a number that is there.
template <class Number>
[[nodiscard]] std::from_chars_result read_decimal(const char* first, const char* last, Number& number) {
#ifdef TILERY_SMALL
    if constexpr (std::is_same_v<Number, double>) return small::from_chars(first, last, number);
#endif
    return std::from_chars(first, last, number);
}

}  // namespace tilery
