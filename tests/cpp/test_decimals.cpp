// SPDX-License-Identifier: MIT
// The decimals of the build for WebAssembly are those of the standard library.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "../../web/decimals.cpp"
#include "check.hpp"
#include "tilery/core/random.hpp"

namespace tilery::tests {
namespace {

void check_read(std::string_view text) {
    double expected = 0.125, found = 0.125;
    const char *const first = text.data(), *const last = first + text.size();
    const auto there = std::from_chars(first, last, expected);
    const auto here = small::from_chars(first, last, found);
    CHECK(there.ptr == here.ptr && there.ec == here.ec);
    CHECK(std::bit_cast<std::uint64_t>(expected) == std::bit_cast<std::uint64_t>(found));
}

void check_written(double number) {
    std::array<char, 400> expected{}, found{};
    const auto there = std::to_chars(expected.data(), expected.data() + expected.size(), number);
    const auto here = small::to_chars(found.data(), found.data() + found.size(), number);
    CHECK(here.ec == std::errc());
    const std::string_view text(expected.data(), there.ptr);
    CHECK(text == std::string_view(found.data(), here.ptr));
    if (std::isfinite(number)) check_read(text);
}

[[nodiscard]] std::string random_text(Rng& rng) {
    std::string text = rng.below(8) == 0 ? "-" : "";
    const std::uint32_t length = 1 + rng.below(25), point = rng.below(30);
    for (std::uint32_t i = 0; i < length; ++i) {
        if (i == point) text += '.';
        text += static_cast<char>('0' + rng.below(10));
    }
    if (rng.below(2) == 0) text += "e" + std::to_string(static_cast<int>(rng.below(700)) - 350);
    return text + (rng.below(5) == 0 ? "x" : "");
}

}  // namespace

void test_decimals() {
    Rng rng(3);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double number : {0.0, -0.0, 1.0, -0.1, 1e21, 1e22, 1e23, 5e-324, 9007199254740993.0,
                                1.7976931348623157e308, 2.2250738585072014e-308, kInfinity, -kInfinity}) {
        check_written(number);
    }
    for (int i = 0; i < 3000; ++i) {
        check_written(std::bit_cast<double>(rng.next()));
        check_written(static_cast<double>(rng.next() >> 11) / 9007199254740992.0);
        check_written(static_cast<double>(rng.next() >> rng.below(64)));
        check_written(static_cast<double>(rng.below(1000)) / (1 + rng.below(1000)));
        check_written(std::ldexp(1.0, static_cast<int>(rng.below(2098)) - 1074));
        check_read(random_text(rng));
    }
    for (const char* const text : {"", "-", ".", "e5", "1e", "1e+", "1.", "-.5", ".5e-3", "+1", " 1", "0x10",
                                   "1e99999999999", "0e99999", "1e-99999", "2.4703282292062327e-324",
                                   "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308"}) {
        check_read(text);
    }
    std::array<char, 3> narrow{};
    CHECK(small::to_chars(narrow.data(), narrow.data() + narrow.size(), 0.25).ec == std::errc::value_too_large);
}

}  // namespace tilery::tests
