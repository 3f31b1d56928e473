// SPDX-License-Identifier: MIT
// Doubles as text and back without tables: exact, by arithmetic with natural numbers of any length. Infinities and NaN
// are written, but not read.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

namespace tilery::small {
namespace {

class Natural {
  public:
    explicit Natural(std::uint64_t number = 0) {
        for (; number > 0; number >>= 32) words_.push_back(static_cast<std::uint32_t>(number));
    }
    // This * factor + summand.
    void multiply(std::uint32_t factor, std::uint32_t summand = 0) {
        std::uint64_t carry = summand;
        for (std::uint32_t& word : words_) {
            carry += std::uint64_t{word} * factor;
            word = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry > 0) words_.push_back(static_cast<std::uint32_t>(carry));
    }
    void shift_left(int bits) {
        if (words_.empty()) return;
        for (; bits >= 32; bits -= 32) words_.insert(words_.begin(), 0);
        multiply(std::uint32_t{1} << bits);
    }
    void add(const Natural& other) {
        words_.resize(std::max(words_.size(), other.words_.size()) + 1, 0);
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            carry += std::uint64_t{words_[i]} + (i < other.words_.size() ? other.words_[i] : 0);
            words_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        trim();
    }
    // Takes away a number that is no greater.
    void subtract(const Natural& other) {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::uint64_t part = (i < other.words_.size() ? other.words_[i] : 0) + borrow;
            borrow = words_[i] < part ? 1 : 0;
            words_[i] = static_cast<std::uint32_t>(words_[i] - part);
        }
        trim();
    }
    [[nodiscard]] int bits() const {
        if (words_.empty()) return 0;
        return 32 * static_cast<int>(words_.size()) - std::countl_zero(words_.back());
    }
    friend std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
        if (a.words_.size() != b.words_.size()) return a.words_.size() <=> b.words_.size();
        return std::lexicographical_compare_three_way(a.words_.rbegin(), a.words_.rend(), b.words_.rbegin(),
                                                      b.words_.rend());
    }
    friend bool operator==(const Natural&, const Natural&) = default;

  private:
    void trim() {
        while (!words_.empty() && words_.back() == 0) words_.pop_back();
    }
    std::vector<std::uint32_t> words_;  // the lowest first, the highest not 0
};

// Decimal digits, and the exponent of the last one.
struct Digits {
    std::string text;
    int exponent;
};

// The digits of mantissa * 2^exponent: the fewest that lie nearer to it than to any other double, or all of a whole
// number (Steele and White, How to print floating-point numbers accurately, 1990).
[[nodiscard]] Digits digits_of(std::uint64_t mantissa, int exponent, bool all) {
    const bool even = mantissa % 2 == 0, narrow = mantissa == std::uint64_t{1} << 52 && exponent > -1074;
    Natural rest(mantissa), unit(1), below(all ? 0 : 1), above(all ? 0 : 1);  // rest / unit is the number
    const int up = std::max(exponent, 0) + 1 + narrow, down = std::max(-exponent, 0) + 1 + narrow;
    rest.shift_left(up);
    unit.shift_left(down);
    below.shift_left(up - 1 - narrow);
    above.shift_left(up - 1);
    const auto too_high = [&] {
        Natural sum = rest;
        sum.add(above);
        return even && !all ? sum >= unit : sum > unit || (all && sum == unit);
    };
    int first = 0;  // the exponent of the first digit, and one more
    for (; too_high(); ++first) unit.multiply(10);
    const auto next = [&] {
        for (Natural* const number : {&rest, &below, &above}) number->multiply(10);
        --first;
    };
    next();
    for (; !too_high(); next()) {
    }
    Digits digits{"", 0};
    for (;; next()) {
        char digit = '0';
        for (; rest >= unit; ++digit) rest.subtract(unit);
        const bool low = all ? rest == Natural() && first <= 0 : even ? rest <= below : rest < below;
        const bool high = !all && too_high();
        if (!low && !high) {
            digits.text += digit;
            continue;
        }
        Natural twice = rest;
        twice.multiply(2);
        const auto half = twice <=> unit;
        if (high && (!low || half > 0 || (half == 0 && digit % 2 == 1))) ++digit;
        digits.text += digit;
        digits.exponent = first;
        return digits;
    }
}

// The double nearest to above / below, of two equally near ones the even one; both are greater than 0.
[[nodiscard]] double nearest(Natural above, Natural below) {
    int shift = std::min(55 - (above.bits() - below.bits()), 1076);  // two bits more than a double has
    (shift > 0 ? above : below).shift_left(std::abs(shift));
    below.shift_left(55);
    if (above >= below) {
        below.shift_left(1);
        --shift;
    }
    std::uint64_t quotient = 0;
    for (int bit = 0; bit < 55; ++bit) {
        quotient *= 2;
        above.shift_left(1);
        if (above >= below) {
            above.subtract(below);
            ++quotient;
        }
    }
    const unsigned rest = static_cast<unsigned>(quotient % 4) | (above == Natural() ? 0U : 1U);
    quotient /= 4;
    if (rest == 3 || (rest == 2 && quotient % 2 == 1)) ++quotient;
    return std::ldexp(static_cast<double>(quotient), 2 - shift);
}

}  // namespace

[[nodiscard]] std::to_chars_result to_chars(char* first, char* last, double number) {
    std::string text = std::signbit(number) ? "-" : "";
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const int biased = static_cast<int>(bits >> 52 & 0x7FF);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased == 0x7FF) {
        text += mantissa == 0 ? "inf" : "nan";
    } else if (number == 0) {
        text += "0";
    } else {
        if (biased > 0) mantissa |= std::uint64_t{1} << 52;
        const int exponent = std::max(biased, 1) - 1075;
        Digits digits = digits_of(mantissa, exponent, false);
        int length = static_cast<int>(digits.text.size());
        if (length == 1 ? -3 <= digits.exponent && digits.exponent <= 4
                        : -(length + 3) <= digits.exponent && digits.exponent <= 5) {  // where that is no longer
            if (digits.exponent > 0) digits = digits_of(mantissa, exponent, true);
            length = static_cast<int>(digits.text.size());
            const int whole = length + digits.exponent;
            if (whole <= 0) {
                text += "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits.text;
            } else {
                text += digits.text;
                if (digits.exponent < 0) text.insert(text.size() - static_cast<std::size_t>(-digits.exponent), ".");
            }
        } else {
            const int power = digits.exponent + length - 1;
            if (length > 1) digits.text.insert(1, ".");
            text += digits.text + (power < 0 ? "e-" : "e+") + (std::abs(power) < 10 ? "0" : "") +
                    std::to_string(std::abs(power));
        }
    }
    if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
    return {std::copy(text.begin(), text.end(), first), std::errc()};
}

[[nodiscard]] std::from_chars_result from_chars(const char* first, const char* last, double& number) {
    const char* at = first;
    const auto is_digit = [&](const char* c) { return c != last && *c >= '0' && *c <= '9'; };
    const bool minus = at != last && *at == '-';
    if (minus) ++at;
    Natural above, below(1);  // the number is above / below
    bool any = false, point = false;
    long exponent = 0;
    for (; is_digit(at) || (!point && at != last && *at == '.'); ++at) {
        if (*at == '.') {
            point = true;
            continue;
        }
        const auto digit = static_cast<std::uint32_t>(*at - '0');
        if (above == Natural()) {
            above = Natural(digit);
        } else {
            above.multiply(10, digit);
        }
        if (point) --exponent;
        any = true;
    }
    if (!any) return {first, std::errc::invalid_argument};
    if (at != last && (*at == 'e' || *at == 'E')) {
        const char* digits = at + 1;
        const bool negative = digits != last && *digits == '-';
        if (digits != last && (*digits == '-' || *digits == '+')) ++digits;
        long power = 0;
        for (at = is_digit(digits) ? digits : at; at >= digits && is_digit(at); ++at) {
            power = std::min(10 * power + (*at - '0'), 1'000'000L);
        }
        exponent += negative ? -power : power;
    }
    double magnitude = 0;
    if (above != Natural()) {
        const long size = exponent + above.bits() * 3 / 10;  // about the decimal exponent of the number
        if (size > 400 || size < -400) return {at, std::errc::result_out_of_range};
        for (; exponent > 0; --exponent) above.multiply(10);
        for (; exponent < 0; ++exponent) below.multiply(10);
        magnitude = nearest(above, below);
        if (magnitude == 0 || std::isinf(magnitude)) return {at, std::errc::result_out_of_range};
    }
    number = minus ? -magnitude : magnitude;
    return {at, std::errc()};
}

}  // namespace tilery::small
