// SPDX-License-Identifier: MIT
// The options of Carcassonne.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tilery/core/options.hpp"
#include "tilery/core/types.hpp"

namespace tilery::carcassonne {

// West, south, east, north; inclusive (CA-H10).
using Bounds = std::array<std::int64_t, 4>;

enum class TileSet { kWinter, kBase };
enum class FirstPlayer { kSeat0, kMostRoads };
enum class HandKind { kHidden, kOpen };
enum class Unplaceable { kDiscard, kReturn };
enum class FinalMeeples { kStay, kHome };

struct Rules {
    int players = 2;
    TileSet tiles = TileSet::kWinter;
    bool farmers = true;
    FirstPlayer first_player = FirstPlayer::kSeat0;
    int hand_size = 0;
    HandKind hands = HandKind::kHidden;
    bool start_tile_in_bag = false;
    Unplaceable unplaceable = Unplaceable::kDiscard;
    bool trees_end_roads = true;
    bool tile_sale = false;
    bool gap_bonus = false;
    bool score_unfinished = true;
    std::optional<Bounds> table;
    bool edge_closes = false;
    FinalMeeples final_meeples = FinalMeeples::kStay;

    static int read_hand_size(const Value& value);
    static Value write_hand_size(const int& size) { return size; }
    static std::optional<Bounds> read_table(const Value& value);
    static Value write_table(const std::optional<Bounds>& table);

    // Throws OptionError if the options do not combine.
    void check() const;

    static Options options();  // words/options.cpp
};

}  // namespace tilery::carcassonne
