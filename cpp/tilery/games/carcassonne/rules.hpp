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

    static auto options() {
        static constexpr std::string_view tile_sets[] = {"winter", "base"};
        static constexpr std::string_view starts[] = {"seat_0", "most_roads"};
        static constexpr std::string_view hand_kinds[] = {"hidden", "open"};
        static constexpr std::string_view fates[] = {"discard", "return"};
        static constexpr std::string_view last_places[] = {"stay", "home"};
        return std::tuple{
            int_option("players", &Rules::players, 2, kMaxPlayers, "the number of players"),
            choice_option("tiles", &Rules::tiles, tile_sets,
                          "plays with all 84 tiles, or with the 72 of the original game (CA-1)"),
            bool_option("farmers", &Rules::farmers,
                        "allows meeples on fields, which score for completed cities at the end (CA-16, CA-17)"),
            choice_option("first_player", &Rules::first_player, starts,
                          "player 0 starts, or the player who draws the tile with most roads (CA-H2)"),
            own_option("hand_size", &Rules::hand_size, read_hand_size, write_hand_size,
                       "each player holds this many tiles and refills after their turn; with 0 a tile is drawn and "
                       "placed (CA-H3, CA-H4)",
                       "0, 1 or 3"),
            choice_option("hands", &Rules::hands, hand_kinds,
                          "whether players see each other's tiles; no effect with hand_size 0 (CA-H3)"),
            bool_option("start_tile_in_bag", &Rules::start_tile_in_bag,
                        "shuffles the start tile in and begins with the first tile drawn (CA-H5)"),
            choice_option("unplaceable", &Rules::unplaceable, fates,
                          "a drawn tile that fits nowhere leaves the game, or goes back into the pile (CA-6, CA-H5)"),
            bool_option("trees_end_roads", &Rules::trees_end_roads,
                        "whether roads end at a junction with trees, or go on through it (CA-H6)"),
            bool_option("tile_sale", &Rules::tile_sale,
                        "lets players bid points for a drawn tile that alone can complete a feature (CA-H7)"),
            bool_option("gap_bonus", &Rules::gap_bonus,
                        "gives another turn to a player who fills a cell with four occupied neighbours (CA-H8)"),
            bool_option("score_unfinished", &Rules::score_unfinished,
                        "whether roads, cities and monasteries unfinished at the end score (CA-H9)"),
            own_option("table", &Rules::table, read_table, write_table,
                       "limits the land to these cells, bounds included (CA-H10)",
                       "null or [west, south, east, north]"),
            bool_option("edge_closes", &Rules::edge_closes,
                        "lets the border of the table close roads, cities and monasteries (CA-H11)"),
            added_later(choice_option("final_meeples", &Rules::final_meeples, last_places,
                                      "whether meeples on unfinished roads, cities and monasteries stay in the final "
                                      "scoring, or go home (CA-15)"))};
    }
};

}  // namespace tilery::carcassonne
