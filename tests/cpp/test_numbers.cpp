// SPDX-License-Identifier: MIT
// The logarithm and the exponential of searches are those of the standard library, as exactly as they say.
#include <cmath>
#include <cstdint>

#include "check.hpp"
#include "tilery/search/utility.hpp"

namespace tilery::tests {

void test_numbers();

namespace {

bool is_log(double found, std::uint64_t n) { return std::abs(found - std::log(static_cast<double>(n))) < 1e-7; }

void take_logarithms() {
    for (std::uint64_t n = 1; n < 5000; ++n) CHECK(is_log(search::natural_log(n), n));
    for (int bits = 12; bits < 64; ++bits) {
        const std::uint64_t n = std::uint64_t{1} << bits;
        for (const std::uint64_t near : {n - 1, n, n + 1, n + n / 2}) CHECK(is_log(search::natural_log(near), near));
    }
}

// From the table, computed once and kept, or computed each time: the same.
void keep_logarithms() {
    search::Logarithms logarithms;
    for (const std::uint32_t n :
         {1U, 2047U, 2048U, 2049U, 3071U, 3072U, 3073U, 10'000U, 9'999U, 65'535U, 65'536U, 65'537U, 4'000'000'000U}) {
        for (int again = 0; again < 2; ++again) CHECK(logarithms[n] == static_cast<float>(search::natural_log(n)));
    }
}

template <int Scale>
void decay_by() {
    for (std::uint32_t n = 0; n <= 20 * Scale; n += 1 + n / 50) {
        const double exact = std::exp(-static_cast<double>(n) / Scale);
        CHECK(std::abs(search::decay<Scale>(n) - exact) <= (n + 4.0) * 1e-16 * exact);
    }
}

}  // namespace

void test_numbers() {
    take_logarithms();
    keep_logarithms();
    decay_by<512>();
    decay_by<2000>();
}

}  // namespace tilery::tests
