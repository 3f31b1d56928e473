// SPDX-License-Identifier: MIT
// N bytes as an array, and one loop for each operation: the definition that every register follows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tilery/simd/vector.hpp"

namespace tilery::simd {

template <std::size_t N>
struct Portable {
    using Raw = std::array<std::uint8_t, N>;
    using Lane = Portable<16>;                   // the part within which bytes are shuffled
    static constexpr bool kFastShuffle = false;  // whether a shuffle beats reading the bytes one by one

    template <class F>
    static Raw each(F&& f) {
        Raw raw;
        for (std::size_t i = 0; i < N; ++i) raw[i] = static_cast<std::uint8_t>(f(i));
        return raw;
    }
    // As words of the bytes' memory, each replaced by f(i) of word i.
    template <class Word, class F>
    static Raw each_word(F&& f) {
        Raw raw;
        for (std::size_t i = 0; i < N / sizeof(Word); ++i) {
            const auto word = static_cast<Word>(f(i));
            std::memcpy(raw.data() + i * sizeof word, &word, sizeof word);
        }
        return raw;
    }
    template <class Word>
    static Word word(const Raw& a, std::size_t i) {
        Word word;
        std::memcpy(&word, a.data() + i * sizeof word, sizeof word);
        return word;
    }

    static Raw broadcast(std::uint8_t byte) {
        return each([&](std::size_t) { return byte; });
    }
    static Raw broadcast32(std::uint32_t value) {
        return each_word<std::uint32_t>([&](std::size_t) { return value; });
    }
    static Raw broadcast128(const void* from) {
        Raw raw;
        for (std::size_t i = 0; i < N; i += 16) std::memcpy(raw.data() + i, from, 16);
        return raw;
    }
    static Raw load(const void* from) {
        Raw raw;
        std::memcpy(raw.data(), from, N);
        return raw;
    }
    static void store(const Raw& a, void* to) { std::memcpy(to, a.data(), N); }

    static Raw bit_and(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] & b[i]; });
    }
    static Raw bit_or(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] | b[i]; });
    }
    static Raw bit_xor(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] ^ b[i]; });
    }
    static Raw and_not(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] & ~b[i]; });
    }
    static Raw add(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] + b[i]; });
    }
    static Raw subtract(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] - b[i]; });
    }
    static Raw add64(const Raw& a, const Raw& b) {
        using Word = std::uint64_t;
        return each_word<Word>([&](std::size_t i) { return word<Word>(a, i) + word<Word>(b, i); });
    }
    static Raw max(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] > b[i] ? a[i] : b[i]; });
    }
    static Raw min(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] < b[i] ? a[i] : b[i]; });
    }
    static Raw equal(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return a[i] == b[i] ? 0xFF : 0; });
    }
    static Raw equal32(const Raw& a, const Raw& b) {
        using Word = std::uint32_t;
        return each_word<Word>([&](std::size_t i) { return word<Word>(a, i) == word<Word>(b, i) ? 0xFFFFFFFF : 0; });
    }
    static Raw shuffle(const Raw& a, const Raw& control) {
        return each([&](std::size_t i) { return control[i] < 0x80 ? a[i / 16 * 16 + control[i] % 16] : 0; });
    }
    static Raw high_nibbles(const Raw& a) {
        return each([&](std::size_t i) { return a[i] >> 4; });
    }
    template <int K>
    static Raw shift_right32(const Raw& a) {
        return each_word<std::uint32_t>([&](std::size_t i) { return word<std::uint32_t>(a, i) >> K; });
    }
    template <int K>
    static Raw shift_right64(const Raw& a) {
        return each_word<std::uint64_t>([&](std::size_t i) { return word<std::uint64_t>(a, i) >> K; });
    }
    static Raw align_right8(const Raw& a, const Raw& b) {
        return each([&](std::size_t i) { return i + 8 < N ? a[i + 8] : b[i + 8 - N]; });
    }
    static Mask<N> movemask(const Raw& a) {
        Mask<N> mask = 0;
        for (std::size_t i = 0; i < N; ++i) mask |= Mask<N>{a[i]} >> 7 << i;
        return mask;
    }
    static std::uint32_t movemask32(const Raw& a) {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < N / 4; ++i) mask |= word<std::uint32_t>(a, i) >> 31 << i;
        return mask;
    }
    static std::array<std::uint8_t, 16> or_lanes(const Raw& a) {
        std::array<std::uint8_t, 16> lane{};
        for (std::size_t i = 0; i < N; ++i) lane[i % 16] |= a[i];
        return lane;
    }

    // What only 16 bytes have.
    static Raw from64(std::uint64_t value) {
        return each_word<std::uint64_t>([&](std::size_t i) { return i == 0 ? value : 0; });
    }
    static Raw from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return load(std::array{a, b, c, d}.data());
    }
    static std::uint64_t low64(const Raw& a) { return word<std::uint64_t>(a, 0); }
    template <int K>
    static Raw shift_left_bytes(const Raw& a) {
        return each([&](std::size_t i) { return i < K ? 0 : a[i - K]; });
    }
    static Raw interleave_low32(const Raw& a, const Raw& b, const Raw& c, const Raw& d) {
        const auto first = [](const Raw& raw) { return word<std::uint32_t>(raw, 0); };
        return from32(first(a), first(b), first(c), first(d));
    }
};

}  // namespace tilery::simd
