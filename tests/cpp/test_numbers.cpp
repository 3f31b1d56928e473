// SPDX-License-Identifier: MIT
// The logarithm and the exponential of searches are those of the standard library, as exactly as they say; integers
// come back from what was divided.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "tilery/search/utility.hpp"
#include "tilery/simulation/arrays.hpp"

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

// Observations hold integers divided in floating point, from which all of 16 bits come back.
void test_integers() {
    constexpr int kAll = 1 << 15;
    std::vector<float> numbers(kAll);
    std::vector<std::int16_t> integers(kAll);
    for (int divisor = 1; divisor < 500; ++divisor) {
        for (int i = 0; i < kAll; ++i) numbers[index(i)] = static_cast<float>(static_cast<double>(i) / divisor);
        const std::vector<ObservationPart> parts{
            {.name = "all", .offset = 0, .shape = {kAll}, .most = kAll - 1, .divisor = divisor}};
        to_integers(numbers, parts, integers.data());
        for (int i = 0; i < kAll; ++i) CHECK(integers[index(i)] == i);
    }
    const std::array<std::uint8_t, 3> bytes{0, 7, 255};
    to_integers(bytes, integers.data());
    CHECK(integers[1] == 7 && integers[2] == 255);
}

}  // namespace

void test_numbers() {
    test_integers();
    take_logarithms();
    keep_logarithms();
    decay_by<512>();
    decay_by<2000>();
}

}  // namespace tilery::tests
