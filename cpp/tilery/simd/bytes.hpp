// SPDX-License-Identifier: MIT
// N bytes at a time: one instruction for each operation where the processor has it, elsewhere a loop with the same
// result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tilery/simd/registers.hpp"

namespace tilery {

// If all bytes will soon be read back, store all of them at once: a wide load cannot be forwarded from narrower stores,
// and waits until they have left the store buffer.
template <std::size_t N, class Registers = simd::Native<N>>
class Bytes {
  public:
    using Mask = simd::Mask<N>;
    using Lane = Bytes<16, typename Registers::Lane>;
    static constexpr bool kFastShuffle = Registers::kFastShuffle;

    Bytes() : raw_(Registers::broadcast(0)) {}

    [[nodiscard]] static Bytes broadcast(std::uint8_t byte) { return Bytes(Registers::broadcast(byte)); }
    // The same four bytes everywhere.
    [[nodiscard]] static Bytes broadcast32(std::uint32_t word) { return Bytes(Registers::broadcast32(word)); }
    // The same sixteen bytes everywhere.
    [[nodiscard]] static Bytes broadcast128(const void* from) { return Bytes(Registers::broadcast128(from)); }
    [[nodiscard]] static Bytes load(const void* from) { return Bytes(Registers::load(from)); }
    void store(void* to) const { Registers::store(raw_, to); }

    // Byte by byte, modulo 256 and as unsigned numbers.
    friend Bytes operator&(const Bytes& a, const Bytes& b) { return Bytes(Registers::bit_and(a.raw_, b.raw_)); }
    friend Bytes operator|(const Bytes& a, const Bytes& b) { return Bytes(Registers::bit_or(a.raw_, b.raw_)); }
    friend Bytes operator^(const Bytes& a, const Bytes& b) { return Bytes(Registers::bit_xor(a.raw_, b.raw_)); }
    friend Bytes operator+(const Bytes& a, const Bytes& b) { return Bytes(Registers::add(a.raw_, b.raw_)); }
    friend Bytes operator-(const Bytes& a, const Bytes& b) { return Bytes(Registers::subtract(a.raw_, b.raw_)); }
    // The bits that `other` does not have.
    [[nodiscard]] Bytes and_not(const Bytes& other) const { return Bytes(Registers::and_not(raw_, other.raw_)); }
    [[nodiscard]] Bytes max(const Bytes& other) const { return Bytes(Registers::max(raw_, other.raw_)); }
    [[nodiscard]] Bytes min(const Bytes& other) const { return Bytes(Registers::min(raw_, other.raw_)); }
    // 0xFF where equal, else 0.
    [[nodiscard]] Bytes equal(const Bytes& other) const { return Bytes(Registers::equal(raw_, other.raw_)); }
    // The upper four bits of each byte, as a number below 16.
    [[nodiscard]] Bytes high_nibbles() const { return Bytes(Registers::high_nibbles(raw_)); }

    // In each 16 bytes by themselves: byte i is the one whose number, 0 to 15, is the low four bits of byte i of
    // `control`; 0 where that has the highest bit.
    [[nodiscard]] Bytes shuffle(const Bytes& control) const { return Bytes(Registers::shuffle(raw_, control.raw_)); }

    // On words of four or eight bytes, lowest byte first.
    [[nodiscard]] Bytes equal32(const Bytes& other) const { return Bytes(Registers::equal32(raw_, other.raw_)); }
    [[nodiscard]] Bytes add64(const Bytes& other) const { return Bytes(Registers::add64(raw_, other.raw_)); }
    template <int K>
    [[nodiscard]] Bytes shift_right32() const {
        return Bytes(Registers::template shift_right32<K>(raw_));
    }
    template <int K>
    [[nodiscard]] Bytes shift_right64() const {
        return Bytes(Registers::template shift_right64<K>(raw_));
    }
    // All bytes moved down by eight places, followed by the first eight of `next`.
    [[nodiscard]] Bytes align_right8(const Bytes& next) const {
        return Bytes(Registers::align_right8(raw_, next.raw_));
    }

    // Bit i is the highest bit of byte i, or of word i of four bytes.
    [[nodiscard]] Mask movemask() const { return Registers::movemask(raw_); }
    [[nodiscard]] std::uint32_t movemask32() const { return Registers::movemask32(raw_); }
    // The number of bytes with their highest bit.
    [[nodiscard]] int count() const {
        if constexpr (requires { Registers::count(raw_); }) {
            return Registers::count(raw_);
        } else {
            return std::popcount(movemask());
        }
    }

    // All groups of 16 bytes combined by or.
    [[nodiscard]] Lane or_lanes() const { return Lane(Registers::or_lanes(raw_)); }

    // The bytes of a word, then zeros.
    [[nodiscard]] static Bytes from64(std::uint64_t word)
        requires(N == 16)
    {
        return Bytes(Registers::from64(word));
    }
    [[nodiscard]] static Bytes from32(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
        requires(N == 16)
    {
        return Bytes(Registers::from32(a, b, c, d));
    }
    // The first eight bytes.
    [[nodiscard]] std::uint64_t low64() const
        requires(N == 16)
    {
        return Registers::low64(raw_);
    }
    // All bytes moved up by K places; the first K become 0.
    template <int K>
    [[nodiscard]] Bytes shift_left_bytes() const
        requires(N == 16)
    {
        return Bytes(Registers::template shift_left_bytes<K>(raw_));
    }
    // The first words of four bytes of a, b, c and d.
    [[nodiscard]] static Bytes interleave_low32(const Bytes& a, const Bytes& b, const Bytes& c, const Bytes& d)
        requires(N == 16)
    {
        return Bytes(Registers::interleave_low32(a.raw_, b.raw_, c.raw_, d.raw_));
    }

  private:
    template <std::size_t, class>
    friend class Bytes;

    using Raw = typename Registers::Raw;
    explicit Bytes(const Raw& raw) : raw_(raw) {}

    Raw raw_;
};

using Bytes16 = Bytes<16>;
using Bytes32 = Bytes<32>;
using Bytes64 = Bytes<64>;

}  // namespace tilery
