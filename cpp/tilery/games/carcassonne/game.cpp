// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/game.hpp"

#include <algorithm>

#include "tilery/games/carcassonne/frontier_fast.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

// The part of the table within `reach` of (0, 0).
Box::Rectangle table_within(const Rules& rules, int reach) {
    const auto [west, south, east, north] = rules.table.value_or(Bounds{-reach, -reach, reach, reach});
    const auto clamped = [reach](std::int64_t bound) {
        return narrow<int>(std::clamp<std::int64_t>(bound, -reach, reach));
    };
    return {clamped(west), clamped(south), clamped(east), clamped(north)};
}

State empty_land(const Box& box) {
    State state{};
    state.land.size = 1;
    state.land.cells.fill(kNoCell);
    state.frontier.cells.fill(kNoCell);
    state.features.next_label.fill(1);
    state.features.open_ends[0] = 1;
    state.sale.buyer = -1;
    state.pile = Pile::of(box.num_types, [&](std::size_t type) { return box.tiles.types[type].count; });
    return state;
}

}  // namespace

Box::Box(const Rules& given)
    : rules(given),
      tiles(given.farmers, given.trees_end_roads),
      num_types(given.tiles == TileSet::kBase ? kBaseTypes : kTypes),
      // No tile is beyond kReach, and none faces a cell more than one beyond (CA-R9).
      table_cells(table_within(given, kReach + 1)),
      land(table_within(given, kReach)),
      width(land.width()),
      height(land.height()),
      least_monastery(given.edge_closes ? 1 : kMonasteryTiles) {
    rules.check();
    fast_cells.fill(rules.table ? 0 : fast::kMostCells);
    if (rules.gap_bonus) fast_cells.back() = 0;
    const bool house_turns =
        rules.hand_size > 0 || rules.unplaceable == Unplaceable::kReturn || rules.tile_sale || rules.gap_bonus;
    plain_above = house_turns ? kTiles : 0;
    const Action types = narrow<Action>(num_types), choices = rules.hand_size == kMostHand ? types : 0;
    first_meeple = types;
    first_choice = first_meeple + Action{kMeepleIds};
    first_discard = first_choice + choices;
    first_sale = first_discard + choices;
    first_placement = first_sale + (rules.tile_sale ? Action{kSaleIds} : 0);
    num_actions = first_placement + Action{kRotations} * width * height;
}

Game::Game(const Rules& rules) : box_(checked_rules(rules)), initial_(empty_land(box_)) {
    State& state = initial_;
    state.turn.mover = narrow<std::int8_t>(rules.players - 1);  // no turn, and no meeples, before the first
    if (!rules.start_tile_in_bag) {
        take_from_pile(box_, state, kStartType);
        first_tile(box_, state, kStartType);
    }
    std::fill_n(state.meeples.at_home.begin(), rules.players, std::uint8_t{kMeeples});
    begin(box_, state);
}

int Game::max_chance_nodes() const {
    const int order = box_.rules.first_player == FirstPlayer::kMostRoads ? kMostRounds * box_.rules.players : 0;
    return box_.num_tiles() - (box_.rules.start_tile_in_bag ? 0 : 1) + order;
}

int Game::max_decisions() const {
    const Rules& rules = box_.rules;
    const int choice = rules.hand_size == kMostHand ? 1 : 0, sale = rules.tile_sale ? rules.players + 1 : 0;
    const int first = rules.start_tile_in_bag ? choice + 1 : 0;
    return (box_.num_tiles() - 1) * (2 + choice + sale) + first;
}

PerPlayer<int> Game::scores_if_over(const State& state) const {
    KnownFeatures known;
    return points_if_over(box_, state, known);
}

// A meeple at home is worth 3 points until 16 tiles are left, and then less and less.
PerPlayer<int> Game::prospects(const State& state) const {
    PerPlayer<int> points{};
    if (state.turn.phase == Phase::kOver) return points;
    constexpr int kPoints = 3, kFull = 16;
    const int tiles = std::min(state.pile.size(), kFull);
    for (std::size_t player = 0; player < points.size(); ++player) {
        points[player] = kPoints * state.meeples.at_home[player] * tiles / kFull;
    }
    return points;
}

}  // namespace tilery::carcassonne
