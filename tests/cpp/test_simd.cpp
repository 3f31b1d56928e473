// SPDX-License-Identifier: MIT
// The vectors of cpp/tilery/simd, as compiled, against plain loops on random input.
#include <array>
#include <cstdint>
#include <cstring>

#include "check.hpp"
#include "tilery/core/random.hpp"
#include "tilery/simd/bits.hpp"
#include "tilery/simd/byte_cells.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::tests {

void test_simd();

namespace {

template <std::size_t N>
using Array = std::array<std::uint8_t, N>;

// Random bytes, often equal to others and often with the highest bit.
template <std::size_t N>
Array<N> random_bytes(Rng& rng) {
    Array<N> bytes;
    const bool few = rng.below(2) == 0;
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(few ? 0x7E + rng.below(4) : rng.below(256));
    }
    return bytes;
}

template <class Vector, std::size_t N>
bool same(const Vector& vector, const Array<N>& expected) {
    Array<N> stored;
    vector.store(stored.data());
    return stored == expected;
}

// The array with f(i) at i.
template <std::size_t N, class F>
Array<N> each(F&& f) {
    Array<N> bytes;
    for (std::size_t i = 0; i < N; ++i) bytes[i] = static_cast<std::uint8_t>(f(i));
    return bytes;
}

// What both widths have.
template <class Vector, std::size_t N>
void test_bytes(Rng& rng) {
    const Array<N> a = random_bytes<N>(rng), b = random_bytes<N>(rng);
    const Vector x = Vector::load(a.data()), y = Vector::load(b.data());
    CHECK(same(x, a));
    CHECK(same(Vector::fill(a[0]), each<N>([&](std::size_t) { return a[0]; })));
    CHECK(same(x & y, each<N>([&](std::size_t i) { return a[i] & b[i]; })));
    CHECK(same(x | y, each<N>([&](std::size_t i) { return a[i] | b[i]; })));
    CHECK(same(x ^ y, each<N>([&](std::size_t i) { return a[i] ^ b[i]; })));
    CHECK(same(x + y, each<N>([&](std::size_t i) { return a[i] + b[i]; })));
    CHECK(same(x.equal(y), each<N>([&](std::size_t i) { return a[i] == b[i] ? 0xFF : 0; })));
    CHECK(same(x.max(y), each<N>([&](std::size_t i) { return std::max(a[i], b[i]); })));
    CHECK(same(x.upper_halves(), each<N>([&](std::size_t i) { return a[i] >> 4; })));
    CHECK(same(x.upper_pairs(), each<N>([&](std::size_t i) { return i % 4 < 2 ? a[i + 2] : 0; })));
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < N; ++i) mask |= static_cast<std::uint32_t>(a[i] >> 7) << i;
    CHECK(x.high_bits() == mask);
    // Within each half of 16 bytes; places from 16 to 127 count by their low four bits.
    CHECK(same(x.pick(y), each<N>([&](std::size_t i) { return b[i] < 0x80 ? a[i / 16 * 16 + b[i] % 16] : 0; })));
}

void test_bytes16(Rng& rng) {
    const Array<16> a = random_bytes<16>(rng), b = random_bytes<16>(rng);
    const Bytes16 x = Bytes16::load(a.data()), y = Bytes16::load(b.data());
    std::uint64_t low = 0;
    std::memcpy(&low, a.data(), sizeof low);
    CHECK(x.low() == low);
    CHECK(same(Bytes16::of(low), each<16>([&](std::size_t i) { return i < 8 ? a[i] : 0; })));
    CHECK(same(x.up<3>(), each<16>([&](std::size_t i) { return i < 3 ? 0 : a[i - 3]; })));
    CHECK(same(x.without(y), each<16>([&](std::size_t i) { return a[i] & ~b[i]; })));
    CHECK(same(x.with(y, y, x), each<16>([&](std::size_t i) { return i < 4 || i >= 12 ? a[i % 4] : b[i % 4]; })));
}

void test_bytes32(Rng& rng) {
    const Array<32> a = random_bytes<32>(rng), b = random_bytes<32>(rng);
    const Bytes32 x = Bytes32::load(a.data()), y = Bytes32::load(b.data());
    const auto word_equal = [&](std::size_t i) { return std::memcmp(&a[i / 4 * 4], &b[i / 4 * 4], 4) == 0; };
    CHECK(same(Bytes32::twice(a.data()), each<32>([&](std::size_t i) { return a[i % 16]; })));
    CHECK(same(x.equal_words(y), each<32>([&](std::size_t i) { return word_equal(i) ? 0xFF : 0; })));
    CHECK(same(x.equal_words(x), each<32>([](std::size_t) { return 0xFF; })));
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < 8; ++i) mask |= static_cast<std::uint32_t>(a[4 * i + 3] >> 7) << i;
    CHECK(x.high_bits_of_words() == mask);
}

void test_count_less(Rng& rng) {
    std::array<std::int16_t, 16> numbers;
    for (std::int16_t& each : numbers) each = static_cast<std::int16_t>(static_cast<int>(rng.below(200)) - 100);
    const std::int16_t limit = numbers[rng.below(16)];
    std::uint32_t less = 0;
    for (const std::int16_t each : numbers) less += each < limit ? 1 : 0;
    CHECK(count_less(numbers.data(), limit) == less);
}

void test_cells(Rng& rng) {
    ByteCells cells;
    const std::uint32_t most = 1 + rng.below(63);
    for (std::uint8_t& cell : cells) cell = static_cast<std::uint8_t>(rng.below(most + 1));
    const auto [east, north] = compare_neighbours(cells);
    const auto agrees = [&](const Comparison& found, std::size_t i, std::size_t next) {
        const int apart = cells[i] - cells[next];
        CHECK((found.equal >> i & 1) == (apart == 0 ? 1 : 0));
        CHECK((found.close >> i & 1) == (apart >= -1 && apart <= 1 ? 1 : 0));
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i % 8 < 7) agrees(east, i, i + 1);
        if (i < 56) agrees(north, i, i + 8);
    }
    std::array<std::uint8_t, 8> line;
    for (std::uint8_t& cell : line) cell = static_cast<std::uint8_t>(rng.below(64));
    const std::uint64_t gathered = ByteLine(line).gather(cells);
    for (std::size_t i = 0; i < line.size(); ++i) CHECK((gathered >> (8 * i) & 0xFF) == cells[line[i]]);
}

void test_bits(Rng& rng) {
    const std::uint64_t word = rng.next() & rng.next();
    std::uint32_t n = 0;
    for (int bit = 0; bit < 64; ++bit) {
        if ((word >> bit & 1) != 0) CHECK(nth_bit(word, n++) == bit);
    }
}

}  // namespace

void test_simd() {
    Rng rng(11);
    for (int round = 0; round < 1000; ++round) {
        test_bytes<Bytes16, 16>(rng);
        test_bytes<Bytes32, 32>(rng);
        test_bytes16(rng);
        test_bytes32(rng);
        test_count_less(rng);
        test_cells(rng);
        test_bits(rng);
    }
}

}  // namespace tilery::tests
