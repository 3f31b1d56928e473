// SPDX-License-Identifier: MIT
#include "reachable.hpp"
#include "tilery/games/java/cells.hpp"
#include "tilery/games/java/game.hpp"

namespace tilery::java {
namespace {

using namespace tests;

Value spaces(std::initializer_list<Space> spaces) {
    Value::List list;
    for (const Space space : spaces) list.push_back(Value::list({space.row, space.column}));
    return list;
}

// One land space, with mountains to the north and lowlands to the south.
Game tiny_game() {
    Rules rules;
    rules.board = Value::object({{"land", spaces({{2, 2}})},
                                 {"printed_irrigation", spaces({})},
                                 {"outside_mountains", spaces({{1, 1}, {1, 3}, {2, 0}, {2, 4}})},
                                 {"outside_lowlands", spaces({{3, 1}, {3, 3}})}});
    return Game(rules);
}

// The deal of all cards but the open one, of three kinds that stand for all.
void test_deal() {
    const Game game = tiny_game();
    const auto inside = [](const State& state) {
        return state.phase == Phase::kDeal && state.pile[3] + state.pile[4] + state.pile[5] == 3 * kCopies;
    };
    Reachable(game, game.initial_state(), inside, kAll).change_some(300'000);
}

// With certain cards dealt: one tile, and one figure, on the board. What has been done in this turn and in those before
// leaves no trace but an upper bound: it is not compared.
void test_first_tile() {
    constexpr std::size_t kWords = Stripes::kWords;
    const Game game = tiny_game();
    const auto inside = [](const State& state) {
        const Cards masks{3}, drums{0, 3}, none{};
        if (state.phase == Phase::kDeal) {
            return count(state.hands[0]) == state.hands[0][0] && count(state.hands[1]) == state.hands[1][1];
        }
        int tiles = kThreeTiles - state.three;
        for (std::size_t player = 0; player < 2; ++player) {
            tiles += kOwnLandTiles - state.two[player] - state.rice[player] - state.village[player];
        }
        return state.phase == Phase::kTurn && state.hands[0] == masks && state.hands[1] == drums && state.open == 2 &&
               state.known[0] == none && state.known[1] == none && state.discards == none && state.taken == 0 &&
               tiles <= 1 && state.figures[0] >= kFigures - 1 && state.figures[1] == kFigures;
    };
    const auto kept = [](State state) {
        for (const Plane plane : {Plane::kFresh, Plane::kChanged, Plane::kStarted, Plane::kEnded}) {
            std::fill_n(&state.planes[planes::index(plane) * kWords], kWords, 0);
        }
        state.ap = state.owed = state.token = state.turn = state.final = state.barren = 0;
        state.tokens = {};
        return state;
    };
    Reachable(game, game.initial_state(), inside, kept).change_some(300'000);
}

const ReachableTest tiny("java", [] {
    test_deal();
    test_first_tile();
});

}  // namespace
}  // namespace tilery::java
