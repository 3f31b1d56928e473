// SPDX-License-Identifier: MIT
#include "forge.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace tilery::fuzz {

namespace {

class Forger {
  public:
    Forger(const Subject& subject, std::span<char> state, Rng& rng) : subject_(subject), state_(state), rng_(rng) {}

    void change() {
        const std::size_t width = std::size_t{1} << std::min(rng_.below(6), 3U);  // 8 bytes in half of the cases
        const std::size_t at = place(width), other = place(width);
        switch (rng_.below(10)) {
            case 0:
                state_[at] = flipped(state_[at], rng_.below(8));
                break;
            case 1:
                state_[at] = static_cast<char>(rng_.below(256));
                break;
            case 2:
                put(at, width, number(at, width) + (rng_.below(2) == 0 ? 1 : ~std::uint64_t{0}));
                break;
            case 3:
                put(at, width, kLimits[rng_.below(kLimits.size())]);
                break;
            case 4:
                splice(at, width * (1 + rng_.below(8)));
                break;
            case 5: {
                const std::uint64_t kept = number(at, width);
                put(at, width, number(other, width));
                put(other, width, kept);
                break;
            }
            case 6:
                put(at, width, number(other, width));
                break;
            case 7:  // a piece, a card or a point moves from one place to another
                put(at, 1, number(at, 1) - 1);
                put(other, 1, number(other, 1) + 1);
                break;
            case 8: {  // a member of a set moves
                const std::uint32_t bit = rng_.below(8);
                state_[at] = flipped(state_[at], bit);
                state_[other] = flipped(state_[other], bit);
                break;
            }
            default:  // a value close to that of another state
                splice(at, width);
                put(at, width, number(at, width) + rng_.below(3) - 1);
        }
    }

  private:
    static constexpr std::array<std::uint64_t, 6> kLimits{
        0, 1, 0x7F7F7F7F7F7F7F7F, 0x8080808080808080, ~std::uint64_t{0}, ~std::uint64_t{0} >> 1};

    [[nodiscard]] static char flipped(char byte, std::uint32_t bit) {
        return static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << bit));
    }
    // An offset of a field of this width; in one of sixteen cases any offset.
    [[nodiscard]] std::size_t place(std::size_t width) {
        const auto size = static_cast<std::uint32_t>(state_.size());
        const std::span varying = subject_.varying();
        std::size_t at = varying[rng_.below(static_cast<std::uint32_t>(varying.size()))];
        if (rng_.below(16) == 0 || at >= size) at = rng_.below(size);
        return std::min(at / width * width, state_.size() - width);
    }
    [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t width) const {
        std::uint64_t value = 0;
        std::memcpy(&value, &state_[at], width);
        return value;
    }
    void put(std::size_t at, std::size_t width, std::uint64_t value) { std::memcpy(&state_[at], &value, width); }
    void splice(std::size_t at, std::size_t length) {
        const auto& states = subject_.states();
        const std::string& other = states[rng_.below(static_cast<std::uint32_t>(states.size()))];
        std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(at), std::min(length, state_.size() - at), &state_[at]);
    }

    const Subject& subject_;
    std::span<char> state_;
    Rng& rng_;
};

}  // namespace

void forge(const Subject& subject, std::span<char> state, Rng& rng) {
    if (state.size() < 8 || state.size() > subject.api().state_size) return;
    Forger forger(subject, state, rng);
    int changes = 1;
    while (changes < 8 && rng.below(2) == 0) ++changes;
    for (; changes > 0; --changes) forger.change();
}

std::string garbled(std::string text, const std::string& other, Rng& rng) {
    static constexpr std::string_view kOdd = "0123456789abcdefnrstuvxyzABEJNRSTV+-*/=,.:[]{}\"\\ \t\n\x7F\x80\xFF";
    const auto below = [&rng](std::size_t n) { return rng.below(static_cast<std::uint32_t>(n)); };
    const auto letter = [&] {
        const std::string_view from = rng.below(2) == 0 && !other.empty() ? std::string_view(other) : kOdd;
        return from[below(from.size())];
    };
    for (std::uint32_t times = 1 + rng.below(4); times > 0; --times) {
        const std::size_t at = below(text.size() + 1);
        switch (rng.below(5)) {
            case 0:
                text.insert(at, 1, letter());
                break;
            case 1:
                text.erase(at, 1);
                break;
            case 2:
                if (at < text.size()) text[at] = letter();
                break;
            case 3:
                text = text.substr(0, at) + other.substr(below(other.size() + 1));
                break;
            default:
                if (text.size() < 4096) text.insert(at, text.substr(below(text.size() + 1)));
        }
    }
    return text;
}

}  // namespace tilery::fuzz
