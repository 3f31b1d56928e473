// SPDX-License-Identifier: MIT
// The constant parts of a game: rules, tiles, the table, where the blocks of action ids begin.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tilery/core/types.hpp"
#include "tilery/games/carcassonne/frontier.hpp"
#include "tilery/games/carcassonne/rules.hpp"
#include "tilery/games/carcassonne/state.hpp"
#include "tilery/games/carcassonne/tiles.hpp"

namespace tilery::carcassonne {

struct Box {
    explicit Box(const Rules& rules);

    struct Rectangle {
        int west, south, east, north;  // inclusive
        // Without branches, because which cells are outside is unpredictable.
        [[nodiscard]] bool contains(int x, int y) const {
            return std::max(std::max(west - x, x - east), std::max(south - y, y - north)) <= 0;
        }
        [[nodiscard]] bool contains(Cell cell) const { return contains(x_of(cell), y_of(cell)); }
        [[nodiscard]] int width() const { return east - west + 1; }
        [[nodiscard]] int height() const { return north - south + 1; }
    };

    [[nodiscard]] bool has_hidden_hands() const { return rules.hand_size > 0 && rules.hands == HandKind::kHidden; }
    [[nodiscard]] int num_tiles() const { return rules.tiles == TileSet::kBase ? kBaseTiles : kTiles; }
    [[nodiscard]] int next_seat(int seat) const { return seat + 1 == rules.players ? 0 : seat + 1; }
    [[nodiscard]] const TileType& type(std::size_t code) const { return tiles.types[type_of(code)]; }
    [[nodiscard]] const TypeTables& table(std::size_t code) const { return tiles.tables[type_of(code)]; }

    struct Placement {
        Cell cell;
        int rotation;
    };
    [[nodiscard]] Action placement(Cell cell, int rotation) const {
        return first_placement + (rotation * height + y_of(cell) - land.south) * width + x_of(cell) - land.west;
    }
    [[nodiscard]] Placement placement_of(Action action) const {
        const int n = action - first_placement, row = n / width;
        return {cell_at(n % width + land.west, row % height + land.south), row / height};
    }

    Rules rules;
    Tiles tiles;
    std::size_t num_types;  // in play
    Rectangle table_cells;  // CA-H10: the table, as far as a tile can face it (CA-R9)
    Rectangle land;         // the cells on which a tile can be placed
    int width, height;      // of `land`
    int least_monastery;    // no complete one has fewer tiles (CA-14, CA-H11)
    // By the set of sides on which a cell has neighbours: with more open cells than this Frontier::close()
    // is used, which knows tables and gaps, instead of fast::close().
    std::array<std::size_t, 1U << kSides> fast_cells;
    // With more tiles than this in the pile the end of a turn is simply the draw of the next player: 0
    // in the basic game, never with house rules that change the order of turns.
    int plain_above;
    Action first_meeple, first_choice, first_discard, first_sale, first_placement, num_actions;
};

}  // namespace tilery::carcassonne
