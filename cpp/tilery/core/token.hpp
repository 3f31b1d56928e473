// SPDX-License-Identifier: MIT
// Reading an action's token piece by piece, with errors that say where (G-7).
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "tilery/core/errors.hpp"
#include "tilery/core/types.hpp"

namespace tilery {

// A token from outside as an error may show it: not too long.
[[nodiscard]] std::string quoted(std::string_view token);

class TokenReader {
  public:
    explicit TokenReader(std::string_view token) : token_(token) {}

    [[nodiscard]] bool at_end() const { return position_ == token_.size(); }
    [[nodiscard]] char peek() const { return at_end() ? '\0' : token_[position_]; }

    // Takes `word` if it comes next.
    bool accept(std::string_view word) {
        if (token_.substr(position_, word.size()) != word) return false;
        position_ += word.size();
        return true;
    }
    void expect(std::string_view word) {
        if (!accept(word)) fail("expected '" + std::string(word) + "'");
    }
    // Takes one of these characters and returns its place among them.
    std::size_t one_of(std::string_view characters, std::string_view what) {
        const std::size_t which = at_end() ? characters.npos : characters.find(token_[position_]);
        if (which == characters.npos) fail("expected " + std::string(what));
        ++position_;
        return which;
    }
    // Takes a decimal number in its shortest form: no plus, no leading zero, no "-0".
    int number(int low, int high) {
        const std::string_view rest = token_.substr(position_);
        int value = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        const std::string_view text = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc{} || text != std::to_string(value) || value < low || value > high) {
            fail("expected a number from " + std::to_string(low) + " to " + std::to_string(high));
        }
        position_ += text.size();
        return value;
    }
    void end() const {
        if (!at_end()) fail("expected the end");
    }
    // Position counts characters from 0.
    [[noreturn]] void fail(const std::string& reason) const { fail_at(position_, reason); }
    [[noreturn]] void fail_at(std::size_t position, const std::string& reason) const {
        throw ParseError("token " + quoted(token_) + ", at position " + std::to_string(position) + ": " + reason);
    }

  private:
    std::string_view token_;
    std::size_t position_ = 0;
};

// Throws ParseError unless this is an id of the game.
inline void check_action_id(Action action, Action num_distinct_actions) {
    if (action < 0 || action >= num_distinct_actions) {
        throw ParseError("action " + std::to_string(action) + " is not an id of this game (0.." +
                         std::to_string(num_distinct_actions - 1) + ")");
    }
}

}  // namespace tilery
