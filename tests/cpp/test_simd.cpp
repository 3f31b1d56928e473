// SPDX-License-Identifier: MIT
// The vectors of cpp/tilery/simd, as compiled, against the loops that define them on random input.
#include <array>
#include <cstdint>

#include "check.hpp"
#include "portable.hpp"
#include "tilery/core/random.hpp"
#include "tilery/simd/bits.hpp"
#include "tilery/simd/byte_cells.hpp"
#include "tilery/simd/bytes.hpp"
#include "tilery/simd/count.hpp"
#include "tilery/simd/words.hpp"

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

template <std::size_t N, class Registers>
Array<N> stored(const Bytes<N, Registers>& bytes) {
    Array<N> array;
    bytes.store(array.data());
    return array;
}

// The operations of a register against the loops that define them.
template <std::size_t N, class Registers>
void test_bytes(Rng& rng) {
    using Tested = Bytes<N, Registers>;
    using Defined = Bytes<N, simd::Portable<N>>;
    const Array<N> a = random_bytes<N>(rng), b = random_bytes<N>(rng);
    const auto same = [&](auto&& f) {
        return stored(f(Tested::load(a.data()), Tested::load(b.data()))) ==
               stored(f(Defined::load(a.data()), Defined::load(b.data())));
    };
    CHECK(stored(Tested::load(a.data())) == a);
    CHECK(stored(Tested()) == Array<N>{});
    CHECK(same([](auto x, auto y) { return x & y; }));
    CHECK(same([](auto x, auto y) { return x | y; }));
    CHECK(same([](auto x, auto y) { return x ^ y; }));
    CHECK(same([](auto x, auto y) { return x + y; }));
    CHECK(same([](auto x, auto y) { return x - y; }));
    CHECK(same([](auto x, auto y) { return x.and_not(y); }));
    CHECK(same([](auto x, auto y) { return x.max(y); }));
    CHECK(same([](auto x, auto y) { return x.min(y); }));
    CHECK(same([](auto x, auto y) { return x.equal(y); }));
    CHECK(same([](auto x, auto y) { return x.equal32(y); }));
    CHECK(same([](auto x, auto) { return x.equal32(x); }));
    CHECK(same([](auto x, auto y) { return x.add64(y); }));
    CHECK(same([](auto x, auto y) { return x.shuffle(y); }));
    CHECK(same([](auto x, auto y) { return x.align_right8(y); }));
    CHECK(same([](auto x, auto) { return x.high_nibbles(); }));
    CHECK(same([](auto x, auto) { return x.template shift_right32<16>(); }));
    CHECK(same([](auto x, auto) { return x.template shift_right64<1>(); }));
    CHECK(same([](auto x, auto) { return x.template shift_right64<8>(); }));
    CHECK(same([&](auto x, auto) { return decltype(x)::broadcast(a[0]); }));
    CHECK(same([&](auto x, auto) { return decltype(x)::broadcast32(a[0] * 0x10203U); }));
    CHECK(same([&](auto x, auto) { return decltype(x)::broadcast128(a.data()); }));
    CHECK(same([](auto x, auto) { return x.or_lanes(); }));
    const Tested x = Tested::load(a.data());
    const Defined defined = Defined::load(a.data());
    CHECK(x.movemask() == defined.movemask() && x.movemask32() == defined.movemask32());
    if constexpr (N == 16) {
        CHECK(x.low64() == defined.low64());
        CHECK(same([](auto y, auto) { return decltype(y)::from64(y.low64()); }));
        CHECK(same([](auto y, auto) { return decltype(y)::from32(y.movemask(), 2, 3, 4); }));
        CHECK(same([](auto y, auto) { return y.template shift_left_bytes<3>(); }));
        CHECK(same([](auto y, auto z) { return decltype(y)::interleave_low32(y, z, z, y); }));
    }
}

// The definitions themselves, on bytes that can be checked by eye.
void test_definitions() {
    using Sixteen = Bytes<16, simd::Portable<16>>;
    const Sixteen counted = Sixteen::from32(0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C);
    const Array<16> control{15, 0x80, 16, 0x7F, 0xFF, 1};
    CHECK(stored(counted.shuffle(Sixteen::load(control.data()))) == (Array<16>{15, 0, 0, 15, 0, 1}));
    CHECK(stored(counted.align_right8(Sixteen::broadcast(9)))[7] == 15);
    CHECK(stored(counted.align_right8(Sixteen::broadcast(9)))[8] == 9);
    CHECK(stored(counted.shift_left_bytes<3>())[2] == 0 && stored(counted.shift_left_bytes<3>())[15] == 12);
    CHECK(stored(counted.shift_right64<8>())[0] == 1 && stored(counted.shift_right64<8>())[7] == 0);
    CHECK((counted - Sixteen::broadcast(4)).movemask() == 0b1111);
    CHECK((counted + Sixteen::broadcast32(0x78000000)).movemask32() == 0b1100);
    CHECK(counted.low64() == 0x0706050403020100);
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

void test_five_words() {
    using Words = std::array<std::uint64_t, Words5::kWords>;
    Rng rng(9);
    const auto each = [](auto&& f) {
        Words words;
        for (std::size_t w = 0; w < words.size(); ++w) words[w] = f(w);
        return words;
    };
    const auto same = [](const Words5& words, const Words& expected) {
        Words stored;
        words.store(stored.data());
        return stored == expected;
    };
    for (int round = 0; round < 300; ++round) {
        const Words a = each([&](std::size_t) { return rng.next(); }),
                    b = each([&](std::size_t) { return rng.next(); });
        const Words5 x = Words5::load(a.data()), y = Words5::load(b.data());
        CHECK(same(Words5(x) |= y, each([&](std::size_t w) { return a[w] | b[w]; })));
        CHECK(same(Words5(x) &= y, each([&](std::size_t w) { return a[w] & b[w]; })));
        CHECK(same(Words5(x) ^= y, each([&](std::size_t w) { return a[w] ^ b[w]; })));
        CHECK(same(Words5(x).and_not(y), each([&](std::size_t w) { return a[w] & ~b[w]; })));
        CHECK(same(x.shift_left_one(), each([&](std::size_t w) { return a[w] << 1; })));
        CHECK(same(x.shift_right_one(), each([&](std::size_t w) { return a[w] >> 1; })));
        // Twice, since what the first rotation leaves must not matter to the second.
        const Words up = each([&](std::size_t w) { return w == 0 ? a[4] << 21 : a[w - 1]; });
        const Words down = each([&](std::size_t w) { return w == 4 ? a[0] >> 21 : a[w + 1]; });
        CHECK(same(x.rotate_up<21>(), up) && same(x.rotate_down<21>(), down));
        CHECK(same(x.rotate_up<21>().rotate_up<7>(),
                   each([&](std::size_t w) { return w == 0 ? up[4] << 7 : up[w - 1]; })));
        CHECK(same(x.rotate_down<21>().rotate_down<7>(),
                   each([&](std::size_t w) { return w == 4 ? down[0] >> 7 : down[w + 1]; })));
        const std::size_t i = rng.below(320);
        CHECK(same(Words5::bit(i), each([&](std::size_t w) { return std::uint64_t{w == i / 64} << (i % 64); })));
        const Words some =
            each([&](std::size_t w) { return (a[0] >> w & 1) != 0 ? std::uint64_t{1} << (b[w] % 64) : 0; });
        CHECK(Words5::load(some.data()).nonzero() == (a[0] & 0b11111) && Words5().nonzero() == 0);
        CHECK(!Words5::bit(i).is_zero() && Words5::bit(i).and_not(Words5::bit(i)).is_zero());
    }
}

}  // namespace

void test_simd() {
    test_definitions();
    test_five_words();
    Rng rng(11);
    for (int round = 0; round < 1000; ++round) {
        test_bytes<16, simd::Native16>(rng);
        test_bytes<32, simd::Native32>(rng);
        test_bytes<64, simd::Native64>(rng);
        test_bytes<32, simd::Halves<simd::Native16, 32>>(rng);
        test_bytes<64, simd::Halves<simd::Portable<32>, 64>>(rng);
        test_count_less(rng);
        test_cells(rng);
        test_bits(rng);
    }
}

}  // namespace tilery::tests
