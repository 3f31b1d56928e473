// SPDX-License-Identifier: MIT
#include "reachable.hpp"
#include "tilery/games/toy/game.hpp"

namespace tilery::toy {
namespace {

using namespace tests;

// Cards, table, points, prize and deal, in every number that the game knows and one above it.
const ReachableTest cards("toy", [] {
    for (const auto& [players, hand, depth] : {std::array{2, 1, 2}, std::array{3, 1, 1}}) {
        const Game game(Rules{.players = players, .hand = hand});
        std::vector<Field> fields;
        for (std::size_t at = 0; at < sizeof(State); ++at) fields.push_back({at, 7});
        Reachable reachable(game, game.initial_state(), [](const State&) { return true; }, kAll);
        reachable.change_all(fields, depth);
    }
});

}  // namespace
}  // namespace tilery::toy
