// SPDX-License-Identifier: MIT
#include "tilery/core/errors.hpp"

#include "tilery/core/token.hpp"

namespace tilery {
namespace {

// The number of bytes of the UTF-8 character that `text` begins with, or 0 if it begins with none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty() || (byte(0) >= 0x80 && byte(0) < 0xC2) || byte(0) > 0xF4) return 0;
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if (text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(i) >> 6 != 2) return 0;
    }
    // Overlong forms, surrogates, and numbers beyond Unicode.
    const bool wrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) >= 0xA0) ||
                       (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) >= 0x90);
    return wrong ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto byte = static_cast<unsigned char>(text.front());
        if (length == 0 || byte < 0x20 || byte == 0x7F) {
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15U]};
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

std::string quoted(std::string_view token) {
    constexpr std::size_t kLongest = 60;
    std::size_t size = token.size();
    if (size > kLongest) {
        // Not in the middle of a character, unless these are none.
        for (size = kLongest; size > kLongest - 4 && utf8_length(token.substr(size)) == 0; --size) {
        }
    }
    return "'" + std::string(token.substr(0, size)) + (size < token.size() ? "...'" : "'");
}

void refuse_action(std::string_view game, Action action, const std::string& token, const std::string& words,
                   const std::string& why) {
    std::string named;
    if (!token.empty()) named = "'" + token + "'" + (words == token ? "" : " (" + words + ")") + ", ";
    throw IllegalActionError(std::string(game) + ": " + named + "action " + std::to_string(action) +
                             ", is not legal. " + why);
}

}  // namespace tilery
