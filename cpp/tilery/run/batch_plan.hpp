// SPDX-License-Identifier: MIT
// What a batch is to play, and what a caller sees of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/search/policy.hpp"

namespace tilery {

// To wake a thread costs the caller 7 microseconds on an idle virtual machine, and the thread runs 20 to 40 after that
// began. Work of fewer nanoseconds than this is done about as fast by the caller alone.
inline constexpr double kWorthWaking = 60'000;

// What a caller reads after each step: one entry a game, at the same place for the life of the batch.
struct BatchView {
    std::vector<std::uint32_t> num_legal_actions;  // 0 in games that wait for a reset
    std::vector<std::int8_t> current_player;       // kTerminal in games that wait for a reset
    std::vector<std::uint8_t> done;                // 1 if the game ended in the last step
    std::vector<double> returns;                   // [size, players], of games that ended in the last step; else 0
    std::vector<std::int32_t> scores;              // likewise
    std::vector<std::uint64_t> game_index;         // which game of the seed this is
    std::vector<std::int8_t> player;               // whose decisions of that game the batch stops at; -1: everybody's

    BatchView(std::size_t size, std::size_t players)
        : num_legal_actions(size),
          current_player(size),
          done(size),
          returns(size * players),
          scores(size * players),
          game_index(size),
          player(size, std::int8_t{-1}) {}
};

// Slot i plays games first + i, first + i + size, ... of the seed, each from the streams that simulate() gives it.
struct BatchPlan {
    std::size_t size = 1;
    std::uint64_t seed = 0;
    std::uint64_t first = 0;
    unsigned threads = 1;
    bool autoreset = true;
    // With a player the batch stops only at their decisions, and the opponents play all other seats. With `rotate` the
    // player changes seats as the first policy of a LineUp that rotates.
    std::optional<Player> player = std::nullopt;
    bool rotate = false;
    search::Policy opponents = search::Random{};
    // Calls of fewer nanoseconds stay with the thread that calls. 0: all are shared.
    double worth_waking = kWorthWaking;

    [[nodiscard]] bool has_opponents() const { return player.has_value() || rotate; }
    // Whether opponents need more than one number of the stream of the game: a chooser, and streams of their own.
    [[nodiscard]] bool opponents_think() const {
        return has_opponents() && !std::holds_alternative<search::Random>(opponents);
    }
};

}  // namespace tilery
