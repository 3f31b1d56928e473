// SPDX-License-Identifier: MIT
// A game with its options, used through the C table only, and the states and tokens of random games that inputs are
// made from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/c/capi.h"
#include "tilery/core/random.hpp"

namespace tilery::fuzz {

// Memory for a state of any game.
struct alignas(8) Memory {
    std::array<std::byte, TILERY_MAX_STATE_SIZE> bytes{};
};

class Subject {
  public:
    // `line` is the name of a game and its options as OPTION=VALUE, separated by tabs.
    explicit Subject(const std::string& line);

    [[nodiscard]] const tilery_api& api() const { return *api_; }
    [[nodiscard]] const tilery_game* game() const { return game_.get(); }
    [[nodiscard]] const std::string& line() const { return line_; }
    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

    // The bytes before a serialized state, the same for all states of these rules.
    [[nodiscard]] std::string_view head() const { return head_; }
    // States of random games as serialize() wrote them, head and checksum taken off.
    [[nodiscard]] const std::vector<std::string>& states() const { return states_; }
    // The offsets at which these states differ.
    [[nodiscard]] std::span<const std::uint32_t> varying() const { return varying_; }
    // Tokens of actions of these games.
    [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }

    // The serialized state, with head and checksum.
    [[nodiscard]] std::string serialize(const Memory& state) const;
    // Whether deserialize accepts the bytes; `state` is then the state. A refusal with another status than
    // TILERY_STATE_DATA_ERROR is a broken law.
    [[nodiscard]] bool accepts(std::span<const char> envelope, Memory& state) const;

    // Prints the configuration and the broken law, and aborts.
    [[noreturn]] void fail(std::string_view law, std::string_view detail) const;
    void require(bool holds, std::string_view law) const {
        if (!holds) fail(law, "");
    }

  private:
    void play_random_games();

    struct Free {
        const tilery_api* api;
        void operator()(tilery_game* game) const { api->free_game(game); }
    };
    std::string line_;
    std::vector<std::string> words_;
    const tilery_api* api_ = nullptr;
    std::unique_ptr<tilery_game, Free> game_;
    std::string head_;
    std::vector<std::string> states_, tokens_;
    std::vector<std::uint32_t> varying_;
};

// The subjects of a file, which has one line for each.
[[nodiscard]] std::vector<Subject> read_subjects(const char* path);

// Replaces the checksum at the end of an envelope by the correct one.
void seal(std::span<char> envelope);

// The text that a call of the table writes into a buffer of exactly its size.
template <class Ask>
[[nodiscard]] std::string text_from(const Subject& subject, Ask&& ask) {
    std::size_t length = 0;
    const tilery_status status = ask(nullptr, std::size_t{0}, &length);
    subject.require(status == TILERY_BUFFER_TOO_SMALL, "a text needs room");
    const std::unique_ptr<char[]> buffer(new char[length + 1]);
    subject.require(ask(buffer.get(), length + 1, &length) == TILERY_OK, "a text is written where there is room");
    return {buffer.get(), length};
}

}  // namespace tilery::fuzz
