// SPDX-License-Identifier: MIT
#include "reachable.hpp"
#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

using namespace tests;

// The first tiles on a tiny table. Who placed which tile is not known later, nor therefore on which of the tiles of a
// feature their meeple can be.
void test_tiles(Bounds table, int players, int tiles, bool returns) {
    Rules rules;
    rules.players = players;
    rules.tiles = TileSet::kBase;
    rules.table = table;
    rules.unplaceable = returns ? Unplaceable::kReturn : Unplaceable::kDiscard;
    const Game game(rules);
    const int all = game.initial_state().pile.size();
    const auto inside = [all, tiles](const State& state) { return all - state.pile.size() <= tiles; };
    const auto kept = [](State state) {
        state.meeples.slots = {};
        state.meeples.segments = {};
        return state;
    };
    Reachable(game, game.initial_state(), inside, kept).change_some(200'000);
}

const ReachableTest tables("carcassonne", [] {
    test_tiles({0, 0, 1, 0}, 2, 1, false);
    test_tiles({0, 0, 2, 0}, 2, 2, true);
    test_tiles({-1, -1, 1, 1}, 3, 1, true);
});

}  // namespace
}  // namespace tilery::carcassonne
