// SPDX-License-Identifier: MIT
// Five 64-bit words at a time, in two AVX2 registers or in three vectors of GCC and Clang, which define what each
// operation does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace tilery {

class Words5 {
  public:
    static constexpr std::size_t kWords = 5;

    [[nodiscard]] static Words5 load(const std::uint64_t* from);
    void store(std::uint64_t* to) const;
    // All zero but bit i % 64 of word i / 64.
    [[nodiscard]] static Words5 bit(std::size_t i);

    [[nodiscard]] bool is_zero() const;
    // A bit for each word that is not zero.
    [[nodiscard]] std::uint32_t nonzero() const;
    Words5& operator|=(const Words5& other) {
        return each(other, [](auto& a, auto b) { a |= b; });
    }
    Words5& operator&=(const Words5& other) {
        return each(other, [](auto& a, auto b) { a &= b; });
    }
    Words5& operator^=(const Words5& other) {
        return each(other, [](auto& a, auto b) { a ^= b; });
    }
    // Clears the bits that `other` has.
    Words5& and_not(const Words5& other) {
        return each(other, [](auto& a, auto b) { a &= ~b; });
    }

    // Every word shifted by itself.
    [[nodiscard]] Words5 shift_left_one() const {
        return Words5(*this).each({}, [](auto& a, auto) { a <<= 1; });
    }
    [[nodiscard]] Words5 shift_right_one() const {
        return Words5(*this).each({}, [](auto& a, auto) { a >>= 1; });
    }
    // Word w becomes word w + 1; the last word, shifted left by N, becomes the first.
    template <int N>
    [[nodiscard]] Words5 rotate_up() const;
    // Word w + 1 becomes word w; the first word, shifted right by N, becomes the last.
    template <int N>
    [[nodiscard]] Words5 rotate_down() const;

  private:
    // Calls f on each register and that of the other.
    Words5& each(const Words5& other, auto&& f);

#ifdef __AVX2__
    using Four = std::uint64_t __attribute__((vector_size(32)));
    Four low_{}, high_{};  // words 0 to 3; word 4, and after a rotation three that are unspecified
#else
    // SSE2, NEON, WebAssembly or whatever there is.
    using Pair = std::uint64_t __attribute__((vector_size(16)));
    Pair first_{}, second_{}, third_{};  // words 0 and 1, 2 and 3, 4 and a zero
#endif
};

#ifdef __AVX2__

Words5& Words5::each(const Words5& other, auto&& f) {
    f(low_, other.low_), f(high_, other.high_);
    return *this;
}
inline Words5 Words5::load(const std::uint64_t* from) {
    Words5 words;
    words.low_ = Four(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    words.high_ = Four(_mm256_zextsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + 4))));
    return words;
}
inline void Words5::store(std::uint64_t* to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), __m256i(low_));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 4), _mm256_castsi256_si128(__m256i(high_)));
}
inline Words5 Words5::bit(std::size_t i) {
    Words5 words;
    const __m256i bit = _mm256_set1_epi64x(static_cast<std::int64_t>(std::uint64_t{1} << (i % 64)));
    const __m256i word = _mm256_set1_epi64x(static_cast<std::int64_t>(i / 64));
    words.low_ = Four(_mm256_and_si256(bit, _mm256_cmpeq_epi64(word, _mm256_setr_epi64x(0, 1, 2, 3))));
    words.high_ = Four(_mm256_and_si256(bit, _mm256_cmpeq_epi64(word, _mm256_setr_epi64x(4, -1, -1, -1))));
    return words;
}
inline bool Words5::is_zero() const {
    const __m256i all = __m256i(low_ | high_);
    return _mm256_testz_si256(all, all) != 0;
}
inline std::uint32_t Words5::nonzero() const {
    const __m256d zeros = _mm256_castsi256_pd(_mm256_cmpeq_epi64(__m256i(low_), _mm256_setzero_si256()));
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_pd(zeros)) ^ 0b1111U;
    return low | (_mm_cvtsi128_si64(_mm256_castsi256_si128(__m256i(high_))) != 0 ? 0b10000U : 0U);
}
template <int N>
Words5 Words5::rotate_up() const {
    Words5 words;
    const __m256i turned = _mm256_permute4x64_epi64(__m256i(low_), _MM_SHUFFLE(2, 1, 0, 3));
    words.low_ = Four(_mm256_blend_epi32(turned, __m256i(high_ << N), 0b00000011));
    words.high_ = Four(turned);
    return words;
}
template <int N>
Words5 Words5::rotate_down() const {
    Words5 words;
    const __m256i turned = _mm256_permute4x64_epi64(__m256i(low_), _MM_SHUFFLE(0, 3, 2, 1));
    const __m256i last = _mm256_permute4x64_epi64(__m256i(high_), _MM_SHUFFLE(0, 0, 0, 0));
    words.low_ = Four(_mm256_blend_epi32(turned, last, 0b11000000));
    words.high_ = low_ >> N;
    return words;
}

#else

Words5& Words5::each(const Words5& other, auto&& f) {
    f(first_, other.first_), f(second_, other.second_), f(third_, other.third_);
    return *this;
}
inline Words5 Words5::load(const std::uint64_t* from) {
    Words5 words;
    std::memcpy(&words.first_, from, 16);
    std::memcpy(&words.second_, from + 2, 16);
    words.third_ = Pair{from[4], 0};
    return words;
}
inline void Words5::store(std::uint64_t* to) const {
    std::memcpy(to, &first_, 16);
    std::memcpy(to + 2, &second_, 16);
    to[4] = third_[0];
}
inline Words5 Words5::bit(std::size_t i) {
    // By arithmetic: stores of one word could not be forwarded to loads of two.
    const std::uint64_t bit = std::uint64_t{1} << (i % 64), word = i / 64;
    const auto if_word = [bit, word](std::uint64_t w) { return bit & (0U - std::uint64_t{word == w}); };
    Words5 words;
    words.first_ = Pair{if_word(0), if_word(1)};
    words.second_ = Pair{if_word(2), if_word(3)};
    words.third_ = Pair{if_word(4), 0};
    return words;
}
inline bool Words5::is_zero() const {
    const Pair all = first_ | second_ | third_;
    return (all[0] | all[1]) == 0;
}
inline std::uint32_t Words5::nonzero() const {
    const auto bits = [](Pair pair) { return std::uint32_t{pair[0] != 0} | std::uint32_t{pair[1] != 0} << 1; };
    return bits(first_) | bits(second_) << 2 | std::uint32_t{third_[0] != 0} << 4;
}
template <int N>
Words5 Words5::rotate_up() const {
    Words5 words;
    words.first_ = __builtin_shufflevector(third_ << N, first_, 0, 2);
    words.second_ = __builtin_shufflevector(first_, second_, 1, 2);
    words.third_ = __builtin_shufflevector(second_, Pair{}, 1, 2);
    return words;
}
template <int N>
Words5 Words5::rotate_down() const {
    Words5 words;
    words.first_ = __builtin_shufflevector(first_, second_, 1, 2);
    words.second_ = __builtin_shufflevector(second_, third_, 1, 2);
    words.third_ = __builtin_shufflevector(first_ >> N, Pair{}, 0, 2);
    return words;
}

#endif

}  // namespace tilery
