// SPDX-License-Identifier: MIT
// The options of Carcassonne, with their values and a sentence each.
#include "tilery/games/carcassonne/rules.hpp"
#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

int Rules::read_hand_size(const Value& value) {
    const auto* const number = value.get<std::int64_t>();
    if (number != nullptr) {
        for (const int size : {0, 1, kMostHand}) {
            if (*number == size) return size;
        }
    }
    refuse_option("hand_size", "0, 1 or 3", value);
}

std::optional<Bounds> Rules::read_table(const Value& value) {
    if (value.is_null()) return std::nullopt;
    const auto* const list = value.get<Value::List>();
    Bounds bounds{};
    bool valid = list != nullptr && list->size() == bounds.size();
    for (std::size_t i = 0; valid && i < bounds.size(); ++i) {
        const auto* const number = (*list)[i].get<std::int64_t>();
        valid = number != nullptr;
        if (valid) bounds[i] = *number;
    }
    const auto [west, south, east, north] = bounds;
    if (!valid || west > 0 || east < 0 || south > 0 || north < 0 || (west == east && south == north)) {
        refuse_option("table",
                      "none or [west, south, east, north] with west <= 0 <= east and south <= 0 <= north and at least "
                      "two cells",
                      value);
    }
    return bounds;
}

Value Rules::write_table(const std::optional<Bounds>& table) { return table ? Value::list_of(*table) : Value(nullptr); }

void Rules::check() const {
    if (hand_size > 0 && unplaceable == Unplaceable::kReturn) {
        refuse_option("unplaceable", "\"discard\" with hand_size 1 or 3", "return");
    }
    if (hand_size > 0 && tile_sale) refuse_option("tile_sale", "false with hand_size 1 or 3", true);
    if (edge_closes && !table) refuse_option("edge_closes", "false without a table", true);
}

Options Rules::options() {
    return {
        int_option<&Rules::players>("players", 2, kMaxPlayers, "the number of players"),
        choice_option<&Rules::tiles>("tiles", {"winter", "base"},
                                     "plays with all 84 tiles, or with the 72 of the original game (CA-1)"),
        bool_option<&Rules::farmers>(
            "farmers", "allows meeples on fields, which score for completed cities at the end (CA-16, CA-17)"),
        choice_option<&Rules::first_player>(
            "first_player", {"seat_0", "most_roads"},
            "player 0 starts, or the player who draws the tile with most roads (CA-H2)"),
        own_option<&Rules::hand_size, read_hand_size, write_hand_size>(
            "hand_size",
            "each player holds this many tiles and refills after their turn; with 0 a tile is drawn and "
            "placed (CA-H3, CA-H4)",
            "0, 1 or 3"),
        choice_option<&Rules::hands>("hands", {"hidden", "open"},
                                     "whether players see each other's tiles; no effect with hand_size 0 (CA-H3)"),
        bool_option<&Rules::start_tile_in_bag>(
            "start_tile_in_bag", "shuffles the start tile in and begins with the first tile drawn (CA-H5)"),
        choice_option<&Rules::unplaceable>(
            "unplaceable", {"discard", "return"},
            "a drawn tile that fits nowhere leaves the game, or goes back into the pile (CA-6, CA-H5)"),
        bool_option<&Rules::trees_end_roads>("trees_end_roads",
                                             "whether roads end at a junction with trees, or go on through it (CA-H6)"),
        bool_option<&Rules::tile_sale>(
            "tile_sale", "lets players bid points for a drawn tile that alone can complete a feature (CA-H7)"),
        bool_option<&Rules::gap_bonus>(
            "gap_bonus", "gives another turn to a player who fills a cell with four occupied neighbours (CA-H8)"),
        bool_option<&Rules::score_unfinished>(
            "score_unfinished", "whether roads, cities and monasteries unfinished at the end score (CA-H9)"),
        own_option<&Rules::table, read_table, write_table>(
            "table", "limits the land to these cells, bounds included (CA-H10)", "null or [west, south, east, north]"),
        bool_option<&Rules::edge_closes>("edge_closes",
                                         "lets the border of the table close roads, cities and monasteries (CA-H11)"),
        added_later(choice_option<&Rules::final_meeples>(
            "final_meeples", {"stay", "home"},
            "whether meeples on unfinished roads, cities and monasteries stay in the final "
            "scoring, or go home (CA-15)"))};
}

}  // namespace tilery::carcassonne
