// SPDX-License-Identifier: MIT
// What a batch writes into arrays of its caller, one row a game: legal actions and observations. Rows of games that
// wait for a reset are zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "tilery/run/batch.hpp"

namespace tilery {

// The legal ids of game i, ascending, from out[offsets[i]] on.
template <Game G>
void write_legal_actions(const Batch<G>& batch, const std::int64_t* offsets, std::int32_t* out) {
    batch.for_each_set([=](std::size_t i, auto&& for_each) {
        std::int32_t* at = out + offsets[i];
        for_each([&at](Action action) { *at++ = action; });
    });
}

// [size, num_distinct_actions]: whether an id is legal.
template <Game G>
void write_mask(const Batch<G>& batch, bool* out) {
    const auto width = static_cast<std::size_t>(batch.game().num_distinct_actions());
    batch.for_each_set([=](std::size_t i, auto&& for_each) {
        bool* const row = out + i * width;
        std::memset(row, 0, width);
        for_each([row](Action action) { row[action] = true; });
    });
}

// The bytes of a row of a packed mask.
template <Game G>
[[nodiscard]] std::size_t packed_width(const G& game) {
    return (static_cast<std::size_t>(game.num_distinct_actions()) + 7) / 8;
}

// [size, packed_width]: the same, eight ids to a byte, the lowest bit first.
template <Game G>
void write_packed_mask(const Batch<G>& batch, std::uint8_t* out) {
    const std::size_t width = packed_width(batch.game());
    batch.for_each_set([=](std::size_t i, auto&& for_each) {
        std::uint8_t* const row = out + i * width;
        std::memset(row, 0, width);
        for_each([row](Action action) {
            row[action >> 3] = static_cast<std::uint8_t>(row[action >> 3] | (1U << (action & 7)));
        });
    });
}

// [size, width]: what `player` sees, or the player to act. `width` is that of the game's observations.
template <Game G, class Number>
void write_observations(const Batch<G>& batch, std::size_t width, std::optional<Player> player, Number* out) {
    batch.in_pieces(Batch<G>::Task::kObserve, [=, &batch](std::size_t i) {
        const std::span row(out + i * width, width);
        if (batch.waits(i)) {
            std::ranges::fill(row, Number{0});
            return;
        }
        batch.game().observe(batch.state(i), player.value_or(batch.view()->current_player[i]), row);
    });
}

// The same of the final states of games that ended in the last step, seen by default by Batch::ended_by().
template <Game G, class Number>
void write_final_observations(const Batch<G>& batch, std::size_t width, std::optional<Player> player, Number* out) {
    batch.in_pieces(Batch<G>::Task::kObserveEnds, [=, &batch](std::size_t i) {
        const std::span row(out + i * width, width);
        if (batch.view()->done[i] == 0) {
            std::ranges::fill(row, Number{0});
            return;
        }
        batch.game().observe(batch.ended_in(i), player.value_or(batch.ended_by(i)), row);
    });
}

}  // namespace tilery
