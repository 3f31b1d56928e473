// SPDX-License-Identifier: MIT
// Two words that are moved and computed as one: twins for compilers with vectors and for all others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilery {

// Whoever writes one of two words and soon reads both should write both: a wide load has to wait
// until a narrow store before it has left the processor.
#ifdef __GNUC__
using WordPair [[gnu::vector_size(16)]] = std::uint64_t;
#else
struct WordPair {
    std::array<std::uint64_t, 2> words{};

    [[nodiscard]] std::uint64_t& operator[](std::size_t i) { return words[i]; }
    [[nodiscard]] friend WordPair operator&(WordPair a, WordPair b) { return {a[0] & b[0], a[1] & b[1]}; }
    [[nodiscard]] friend WordPair operator|(WordPair a, WordPair b) { return {a[0] | b[0], a[1] | b[1]}; }
    [[nodiscard]] friend WordPair operator^(WordPair a, WordPair b) { return {a[0] ^ b[0], a[1] ^ b[1]}; }
    [[nodiscard]] friend WordPair operator+(WordPair a, WordPair b) { return {a[0] + b[0], a[1] + b[1]}; }
    [[nodiscard]] friend WordPair operator~(WordPair a) { return {~a[0], ~a[1]}; }
    [[nodiscard]] friend WordPair operator>>(WordPair a, int bits) { return {a[0] >> bits, a[1] >> bits}; }
};
#endif
static_assert(sizeof(WordPair) == 16);

[[nodiscard]] inline WordPair load_pair(const std::uint64_t* from) {
    WordPair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
}
inline void store_pair(std::uint64_t* to, WordPair pair) { std::memcpy(to, &pair, sizeof pair); }

}  // namespace tilery
