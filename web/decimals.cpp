// SPDX-License-Identifier: MIT
// Doubles as text and back by the C library, without the tables of std::to_chars and std::from_chars and with the same
// results. Infinities and NaN are written, but not read.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace tilery::small {
namespace {

[[nodiscard]] std::string printed(const char* format, int precision, double number) {
    std::array<char, 400> text{};
    const int size = std::snprintf(text.data(), text.size(), format, precision, number);
    return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

[[nodiscard]] std::to_chars_result to_chars(char* first, char* last, double number) {
    std::string text = printed("%.*e", 0, number);
    if (std::isfinite(number)) {
        const auto reads_back = [&] { return std::strtod(text.c_str(), nullptr) == number; };
        int digits = 0;  // behind the first one: the fewest that read back as the number
        while (!reads_back()) {
            // Above a power of two there is more room than below it, where its own digits may lie.
            if (text[text.find('e') - 1]++ < '9' && reads_back()) break;
            text = printed("%.*e", ++digits, number);
        }
        const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
        const std::string fixed = printed("%.*f", std::max(digits - exponent, 0), number);
        if (fixed.size() <= text.size()) text = fixed;
    }
    if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
    return {std::copy(text.begin(), text.end(), first), std::errc()};
}

[[nodiscard]] std::from_chars_result from_chars(const char* first, const char* last, double& number) {
    const char* at = first;
    const auto skip_digits = [&at, last] {
        const char* const from = at;
        while (at != last && *at >= '0' && *at <= '9') ++at;
        return at - from;
    };
    if (at != last && *at == '-') ++at;
    auto digits = skip_digits();
    if (at != last && *at == '.') {
        ++at;
        digits += skip_digits();
    }
    if (digits == 0) return {first, std::errc::invalid_argument};
    const std::string_view mantissa(first, at);
    if (at != last && (*at == 'e' || *at == 'E')) {
        const char* const before = at++;
        if (at != last && (*at == '-' || *at == '+')) ++at;
        if (skip_digits() == 0) at = before;
    }
    const double found = std::strtod(std::string(first, at).c_str(), nullptr);
    const bool zero = mantissa.find_first_of("123456789") == std::string_view::npos;
    if (std::isinf(found) || (found == 0 && !zero)) return {at, std::errc::result_out_of_range};
    number = found;
    return {at, std::errc()};
}

}  // namespace tilery::small
