// SPDX-License-Identifier: MIT
// Sixteen and thirty-two bytes at a time, for games that look at many small numbers at once. One
// instruction each where the processor has it, elsewhere a loop with the same result.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace tilery {

class Bytes16 {
  public:
    Bytes16() : Bytes16(fill(0)) {}

    [[nodiscard]] static Bytes16 fill(std::uint8_t byte);
    [[nodiscard]] static Bytes16 load(const void* from);
    // The bytes of a word, then zeros.
    [[nodiscard]] static Bytes16 of(std::uint64_t word);
    // Four words of four bytes.
    [[nodiscard]] static Bytes16 of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
    void store(void* to) const;
    [[nodiscard]] std::uint64_t low() const;  // the first eight bytes

    // Byte i is the byte that `picks` names at i: its number in 0..15, or 0x80 for a zero.
    [[nodiscard]] Bytes16 pick(Bytes16 picks) const;
    // The first words of four bytes of `this`, b, c and d.
    [[nodiscard]] Bytes16 with(Bytes16 b, Bytes16 c, Bytes16 d) const;
    // The bytes moved up by N places; the first N become 0.
    template <int N>
    [[nodiscard]] Bytes16 up() const;
    // 0xFF where equal, else 0.
    [[nodiscard]] Bytes16 equal(Bytes16 other) const;
    [[nodiscard]] Bytes16 max(Bytes16 other) const;  // as numbers 0..255
    // Each byte's upper half, as a number 0..15.
    [[nodiscard]] Bytes16 upper_halves() const;
    // Of each word of four bytes the last two, as the first two.
    [[nodiscard]] Bytes16 upper_pairs() const;
    // Bit i is the highest bit of byte i.
    [[nodiscard]] std::uint32_t high_bits() const;
    // The bits that `other` does not have (and-not).
    [[nodiscard]] Bytes16 without(Bytes16 other) const;
    // Two words of eight bytes added; both moved down by a bit.
    [[nodiscard]] Bytes16 plus_words(Bytes16 other) const;
    [[nodiscard]] Bytes16 halved_words() const;

    friend Bytes16 operator&(Bytes16 a, Bytes16 b);
    friend Bytes16 operator|(Bytes16 a, Bytes16 b);
    friend Bytes16 operator^(Bytes16 a, Bytes16 b);
    friend Bytes16 operator+(Bytes16 a, Bytes16 b);

  private:
#ifdef __SSE2__
    using Raw = __m128i;
#else
    using Raw = std::array<std::uint8_t, 16>;
    template <class F>
    [[nodiscard]] static Bytes16 each(F&& f) {
        Raw raw;
        for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::uint8_t>(f(i));
        return Bytes16(raw);
    }
#endif
    explicit Bytes16(Raw raw) : raw_(raw) {}

    Raw raw_;
};

class Bytes32 {
  public:
    [[nodiscard]] static Bytes32 fill(std::uint8_t byte);
    [[nodiscard]] static Bytes32 fill_words(std::uint32_t word);  // eight times the same four bytes
    [[nodiscard]] static Bytes32 load(const void* from);
    [[nodiscard]] static Bytes32 twice(const void* from);  // sixteen bytes, two times
    void store(void* to) const;

    // As Bytes16::pick, in each half by itself.
    [[nodiscard]] Bytes32 pick(Bytes32 picks) const;
    [[nodiscard]] Bytes32 equal(Bytes32 other) const;
    [[nodiscard]] Bytes32 max(Bytes32 other) const;
    [[nodiscard]] Bytes32 equal_words(Bytes32 other) const;  // words of four bytes
    [[nodiscard]] Bytes32 upper_halves() const;
    [[nodiscard]] Bytes32 upper_pairs() const;  // of each word of four bytes the last two, as the first two
    [[nodiscard]] std::uint32_t high_bits() const;
    [[nodiscard]] std::uint32_t high_bits_of_words() const;  // of each word of four bytes: eight bits

    friend Bytes32 operator&(Bytes32 a, Bytes32 b);
    friend Bytes32 operator|(Bytes32 a, Bytes32 b);
    friend Bytes32 operator^(Bytes32 a, Bytes32 b);
    friend Bytes32 operator+(Bytes32 a, Bytes32 b);

  private:
#ifdef __AVX2__
    explicit Bytes32(__m256i raw) : raw_(raw) {}
    __m256i raw_;
#else
    Bytes32(Bytes16 low, Bytes16 high) : low_(low), high_(high) {}
    Bytes16 low_, high_;
#endif
};

// How many of sixteen numbers are less than `limit`.
[[nodiscard]] inline std::uint32_t count_less(const std::int16_t* numbers, std::int16_t limit) {
#ifdef __AVX2__
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
    const __m256i less = _mm256_cmpgt_epi16(_mm256_set1_epi16(limit), all);
    return static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(less)))) / 2;
#else
    std::int16_t count = 0;
    for (int i = 0; i < 16; ++i) count = static_cast<std::int16_t>(count + (numbers[i] < limit ? 1 : 0));
    return static_cast<std::uint32_t>(count);
#endif
}

#ifdef __SSE2__

inline Bytes16 Bytes16::fill(std::uint8_t byte) { return Bytes16(_mm_set1_epi8(static_cast<char>(byte))); }
inline Bytes16 Bytes16::load(const void* from) { return Bytes16(_mm_loadu_si128(static_cast<const __m128i*>(from))); }
inline Bytes16 Bytes16::of(std::uint64_t word) { return Bytes16(_mm_cvtsi64_si128(static_cast<long long>(word))); }
inline Bytes16 Bytes16::of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return Bytes16(_mm_setr_epi32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), static_cast<int>(d)));
}
inline void Bytes16::store(void* to) const { _mm_storeu_si128(static_cast<__m128i*>(to), raw_); }
inline std::uint64_t Bytes16::low() const { return static_cast<std::uint64_t>(_mm_cvtsi128_si64(raw_)); }
inline Bytes16 Bytes16::pick(Bytes16 picks) const {
#ifdef __SSSE3__
    return Bytes16(_mm_shuffle_epi8(raw_, picks.raw_));
#else
    std::array<std::uint8_t, 17> from;
    std::array<std::uint8_t, 16> which;
    store(from.data());
    from[16] = 0;
    picks.store(which.data());
    for (std::uint8_t& byte : which) byte = from[byte < 0x80 ? byte & 15 : 16];
    return load(which.data());
#endif
}
inline Bytes16 Bytes16::with(Bytes16 b, Bytes16 c, Bytes16 d) const {
    return Bytes16(_mm_unpacklo_epi64(_mm_unpacklo_epi32(raw_, b.raw_), _mm_unpacklo_epi32(c.raw_, d.raw_)));
}
template <int N>
Bytes16 Bytes16::up() const {
    return Bytes16(_mm_slli_si128(raw_, N));
}
inline Bytes16 Bytes16::equal(Bytes16 other) const { return Bytes16(_mm_cmpeq_epi8(raw_, other.raw_)); }
inline Bytes16 Bytes16::max(Bytes16 other) const { return Bytes16(_mm_max_epu8(raw_, other.raw_)); }
inline Bytes16 Bytes16::upper_halves() const {
    return Bytes16(_mm_and_si128(_mm_srli_epi16(raw_, 4), _mm_set1_epi8(15)));
}
inline Bytes16 Bytes16::upper_pairs() const { return Bytes16(_mm_srli_epi32(raw_, 16)); }
inline std::uint32_t Bytes16::high_bits() const { return static_cast<std::uint32_t>(_mm_movemask_epi8(raw_)); }
inline Bytes16 Bytes16::without(Bytes16 other) const { return Bytes16(_mm_andnot_si128(other.raw_, raw_)); }
inline Bytes16 Bytes16::plus_words(Bytes16 other) const { return Bytes16(_mm_add_epi64(raw_, other.raw_)); }
inline Bytes16 Bytes16::halved_words() const { return Bytes16(_mm_srli_epi64(raw_, 1)); }
inline Bytes16 operator&(Bytes16 a, Bytes16 b) { return Bytes16(_mm_and_si128(a.raw_, b.raw_)); }
inline Bytes16 operator|(Bytes16 a, Bytes16 b) { return Bytes16(_mm_or_si128(a.raw_, b.raw_)); }
inline Bytes16 operator^(Bytes16 a, Bytes16 b) { return Bytes16(_mm_xor_si128(a.raw_, b.raw_)); }
inline Bytes16 operator+(Bytes16 a, Bytes16 b) { return Bytes16(_mm_add_epi8(a.raw_, b.raw_)); }

#else

inline Bytes16 Bytes16::fill(std::uint8_t byte) {
    return each([byte](std::size_t) { return byte; });
}
inline Bytes16 Bytes16::load(const void* from) {
    Raw raw;
    std::memcpy(raw.data(), from, raw.size());
    return Bytes16(raw);
}
inline Bytes16 Bytes16::of(std::uint64_t word) {
    Raw raw{};
    std::memcpy(raw.data(), &word, sizeof word);
    return Bytes16(raw);
}
inline Bytes16 Bytes16::of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    const std::array words{a, b, c, d};
    return load(words.data());
}
inline void Bytes16::store(void* to) const { std::memcpy(to, raw_.data(), raw_.size()); }
inline std::uint64_t Bytes16::low() const {
    std::uint64_t word;
    std::memcpy(&word, raw_.data(), sizeof word);
    return word;
}
inline Bytes16 Bytes16::pick(Bytes16 picks) const {
    return each([&](std::size_t i) { return (picks.raw_[i] & 0x80) != 0 ? 0 : raw_[picks.raw_[i] & 15]; });
}
inline Bytes16 Bytes16::with(Bytes16 b, Bytes16 c, Bytes16 d) const {
    return of(static_cast<std::uint32_t>(low()), static_cast<std::uint32_t>(b.low()),
              static_cast<std::uint32_t>(c.low()), static_cast<std::uint32_t>(d.low()));
}
template <int N>
Bytes16 Bytes16::up() const {
    return each([&](std::size_t i) { return i < N ? 0 : raw_[i - N]; });
}
inline Bytes16 Bytes16::equal(Bytes16 other) const {
    return each([&](std::size_t i) { return raw_[i] == other.raw_[i] ? 0xFF : 0; });
}
inline Bytes16 Bytes16::max(Bytes16 other) const {
    return each([&](std::size_t i) { return raw_[i] > other.raw_[i] ? raw_[i] : other.raw_[i]; });
}
inline Bytes16 Bytes16::upper_halves() const {
    return each([&](std::size_t i) { return raw_[i] >> 4; });
}
inline Bytes16 Bytes16::upper_pairs() const {
    return each([&](std::size_t i) { return i % 4 < 2 ? raw_[i + 2] : 0; });
}
inline std::uint32_t Bytes16::high_bits() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < raw_.size(); ++i) bits |= static_cast<std::uint32_t>(raw_[i] >> 7) << i;
    return bits;
}
inline Bytes16 Bytes16::without(Bytes16 other) const {
    return each([&](std::size_t i) { return raw_[i] & ~other.raw_[i]; });
}
inline Bytes16 Bytes16::plus_words(Bytes16 other) const {
    std::array<std::uint64_t, 2> a, b;
    store(a.data());
    other.store(b.data());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return load(a.data());
}
inline Bytes16 Bytes16::halved_words() const {
    std::array<std::uint64_t, 2> words;
    store(words.data());
    for (std::uint64_t& word : words) word >>= 1;
    return load(words.data());
}
inline Bytes16 operator&(Bytes16 a, Bytes16 b) {
    return Bytes16::each([&](std::size_t i) { return a.raw_[i] & b.raw_[i]; });
}
inline Bytes16 operator|(Bytes16 a, Bytes16 b) {
    return Bytes16::each([&](std::size_t i) { return a.raw_[i] | b.raw_[i]; });
}
inline Bytes16 operator^(Bytes16 a, Bytes16 b) {
    return Bytes16::each([&](std::size_t i) { return a.raw_[i] ^ b.raw_[i]; });
}
inline Bytes16 operator+(Bytes16 a, Bytes16 b) {
    return Bytes16::each([&](std::size_t i) { return a.raw_[i] + b.raw_[i]; });
}

#endif

#ifdef __AVX2__

inline Bytes32 Bytes32::fill(std::uint8_t byte) { return Bytes32(_mm256_set1_epi8(static_cast<char>(byte))); }
inline Bytes32 Bytes32::fill_words(std::uint32_t word) { return Bytes32(_mm256_set1_epi32(static_cast<int>(word))); }
inline Bytes32 Bytes32::load(const void* from) {
    return Bytes32(_mm256_loadu_si256(static_cast<const __m256i*>(from)));
}
inline Bytes32 Bytes32::twice(const void* from) {
    return Bytes32(_mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(from))));
}
inline void Bytes32::store(void* to) const { _mm256_storeu_si256(static_cast<__m256i*>(to), raw_); }
inline Bytes32 Bytes32::pick(Bytes32 picks) const { return Bytes32(_mm256_shuffle_epi8(raw_, picks.raw_)); }
inline Bytes32 Bytes32::equal(Bytes32 other) const { return Bytes32(_mm256_cmpeq_epi8(raw_, other.raw_)); }
inline Bytes32 Bytes32::max(Bytes32 other) const { return Bytes32(_mm256_max_epu8(raw_, other.raw_)); }
inline Bytes32 Bytes32::equal_words(Bytes32 other) const { return Bytes32(_mm256_cmpeq_epi32(raw_, other.raw_)); }
inline Bytes32 Bytes32::upper_halves() const {
    return Bytes32(_mm256_and_si256(_mm256_srli_epi16(raw_, 4), _mm256_set1_epi8(15)));
}
inline Bytes32 Bytes32::upper_pairs() const { return Bytes32(_mm256_srli_epi32(raw_, 16)); }
inline std::uint32_t Bytes32::high_bits() const { return static_cast<std::uint32_t>(_mm256_movemask_epi8(raw_)); }
inline std::uint32_t Bytes32::high_bits_of_words() const {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(raw_)));
}
inline Bytes32 operator&(Bytes32 a, Bytes32 b) { return Bytes32(_mm256_and_si256(a.raw_, b.raw_)); }
inline Bytes32 operator|(Bytes32 a, Bytes32 b) { return Bytes32(_mm256_or_si256(a.raw_, b.raw_)); }
inline Bytes32 operator^(Bytes32 a, Bytes32 b) { return Bytes32(_mm256_xor_si256(a.raw_, b.raw_)); }
inline Bytes32 operator+(Bytes32 a, Bytes32 b) { return Bytes32(_mm256_add_epi8(a.raw_, b.raw_)); }

#else

inline Bytes32 Bytes32::fill(std::uint8_t byte) { return {Bytes16::fill(byte), Bytes16::fill(byte)}; }
inline Bytes32 Bytes32::fill_words(std::uint32_t word) {
    const Bytes16 half = Bytes16::of(word, word, word, word);
    return {half, half};
}
inline Bytes32 Bytes32::load(const void* from) {
    return {Bytes16::load(from), Bytes16::load(static_cast<const char*>(from) + 16)};
}
inline Bytes32 Bytes32::twice(const void* from) { return {Bytes16::load(from), Bytes16::load(from)}; }
inline void Bytes32::store(void* to) const {
    low_.store(to);
    high_.store(static_cast<char*>(to) + 16);
}
inline Bytes32 Bytes32::pick(Bytes32 picks) const { return {low_.pick(picks.low_), high_.pick(picks.high_)}; }
inline Bytes32 Bytes32::equal(Bytes32 other) const { return {low_.equal(other.low_), high_.equal(other.high_)}; }
inline Bytes32 Bytes32::max(Bytes32 other) const { return {low_.max(other.low_), high_.max(other.high_)}; }
inline Bytes32 Bytes32::equal_words(Bytes32 other) const {
    std::array<std::uint32_t, 8> a, b;
    store(a.data());
    other.store(b.data());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] == b[i] ? 0xFFFFFFFFU : 0;
    return load(a.data());
}
inline Bytes32 Bytes32::upper_halves() const { return {low_.upper_halves(), high_.upper_halves()}; }
inline Bytes32 Bytes32::upper_pairs() const { return {low_.upper_pairs(), high_.upper_pairs()}; }
inline std::uint32_t Bytes32::high_bits() const { return low_.high_bits() | high_.high_bits() << 16; }
inline std::uint32_t Bytes32::high_bits_of_words() const {
    const std::uint32_t bits = high_bits();
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < 8; ++i) result |= (bits >> (4 * i + 3) & 1) << i;
    return result;
}
inline Bytes32 operator&(Bytes32 a, Bytes32 b) { return {a.low_ & b.low_, a.high_ & b.high_}; }
inline Bytes32 operator|(Bytes32 a, Bytes32 b) { return {a.low_ | b.low_, a.high_ | b.high_}; }
inline Bytes32 operator^(Bytes32 a, Bytes32 b) { return {a.low_ ^ b.low_, a.high_ ^ b.high_}; }
inline Bytes32 operator+(Bytes32 a, Bytes32 b) { return {a.low_ + b.low_, a.high_ + b.high_}; }

#endif

}  // namespace tilery
