// SPDX-License-Identifier: MIT
// The options of Carcassonne.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "tilery/core/options.hpp"
#include "tilery/core/types.hpp"

namespace tilery::carcassonne {

// West, south, east, north; inclusive (CA-H10).
using Bounds = std::array<std::int64_t, 4>;

enum class TileSet { kWinter, kBase };
enum class FirstPlayer { kSeat0, kMostRoads };
enum class HandKind { kHidden, kOpen };
enum class Unplaceable { kDiscard, kReturn };

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

    static int read_hand_size(const Value& value);
    static Value write_hand_size(const int& size) { return size; }
    static std::optional<Bounds> read_table(const Value& value);
    static Value write_table(const std::optional<Bounds>& table);

    // Throws OptionError if the options do not combine.
    void check() const;

    static auto options() {
        static constexpr std::string_view tile_sets[] = {"winter", "base"};
        static constexpr std::string_view starts[] = {"seat_0", "most_roads"};
        static constexpr std::string_view hand_kinds[] = {"hidden", "open"};
        static constexpr std::string_view fates[] = {"discard", "return"};
        return std::tuple{int_option("players", &Rules::players, 2, kMaxPlayers),
                          choice_option("tiles", &Rules::tiles, tile_sets),
                          bool_option("farmers", &Rules::farmers),
                          choice_option("first_player", &Rules::first_player, starts),
                          own_option("hand_size", &Rules::hand_size, read_hand_size, write_hand_size),
                          choice_option("hands", &Rules::hands, hand_kinds),
                          bool_option("start_tile_in_bag", &Rules::start_tile_in_bag),
                          choice_option("unplaceable", &Rules::unplaceable, fates),
                          bool_option("trees_end_roads", &Rules::trees_end_roads),
                          bool_option("tile_sale", &Rules::tile_sale),
                          bool_option("gap_bonus", &Rules::gap_bonus),
                          bool_option("score_unfinished", &Rules::score_unfinished),
                          own_option("table", &Rules::table, read_table, write_table),
                          bool_option("edge_closes", &Rules::edge_closes)};
    }
};

}  // namespace tilery::carcassonne
