// SPDX-License-Identifier: MIT
#include "tilery/views/pueblo.h"

#include <algorithm>
#include <utility>

#include "tilery/any/game_of.hpp"
#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {
namespace {

using namespace any;

// An array [..., rank, file], from f(plane, square).
template <class T, class F>
Array planes(std::vector<std::size_t> shape, F&& f) {
    shape.insert(shape.end(), {kSide, kSide});
    constexpr std::size_t squares = kSquares;
    return filled<T>(std::move(shape), [&](std::size_t i) { return f(i / squares, i % squares); });
}

int owner_or_none(const Game& game, const State& state, std::size_t square, int level) {
    return level < 0 || level >= state.heights[square] ? -1 : game.owner(state, static_cast<int>(square), level);
}

void add_views(GameKind& kind) {
    const Views<Game> views(kind);
    views.add("heights", "int8[8, 8]: cubes on each square, by rank and file.", [](const Game&, const State& state) {
        return planes<std::int8_t>({}, [&](auto, auto square) { return state.heights[square]; });
    });
    views.add("owners", "int8[8, 8]: whose the topmost cube is; a seat, NEUTRAL (4), or -1 for none.",
              [](const Game& game, const State& state) {
                  return planes<std::int8_t>({}, [&](auto, auto square) {
                      return owner_or_none(game, state, square, state.heights[square] - 1);
                  });
              });
    views.add("columns", "int8[levels, 8, 8]: whose each cube is, by level, up to the greatest height.",
              [](const Game& game, const State& state) {
                  return planes<std::int8_t>({index(int{*std::ranges::max_element(state.heights)})},
                                             [&](auto level, auto square) {
                                                 return owner_or_none(game, state, square, static_cast<int>(level));
                                             });
              });
    views.add("places",
              "bool[4, 8, 8]: where a block fits, by direction (ne, nw, se, sw) and apex (PB-4), in any part.",
              [](const Game& game, const State& state) {
                  return planes<bool>({4}, [fits = game.fits(state)](auto d, auto apex) { return fits[d].has(apex); });
              });
    views.add(
        "removable", "bool[8, 8]: the squares of blocks with nothing on top of them (PB-20); none without demolition.",
        [](const Game& game, const State& state) {
            return planes<bool>({}, [set = game.unburdened(state)](auto, auto square) { return set.has(square); });
        });
    views.add_of_number("seen_from", "Points that the chieftain would give each player from a space, a list by seat.",
                        "space", kSpaces, [](const Game& game, const State& state, int space) {
                            const auto points = game.seen_from(state, space);
                            return Value::list_of(std::span(points).first(index(game.num_players())));
                        });
    static_assert(TILERY_PUEBLO_NEUTRAL == kNeutral);
    views.add_rows("squares", [](const Game& game, const State& state) {
        std::vector<tilery_pueblo_square> rows;
        rows.reserve(kSquares);
        for (std::size_t square = 0; square < index(kSquares); ++square) {
            const std::uint8_t height = state.heights[square];
            rows.push_back({height, static_cast<std::int8_t>(owner_or_none(game, state, square, height - 1))});
        }
        return rows;
    });
    views.add_rows("cubes", [](const Game& game, const State& state) {
        std::vector<tilery_pueblo_cube> rows;
        for (std::uint8_t square = 0; square < kSquares; ++square) {
            for (std::uint8_t level = 0; level < state.heights[square]; ++level) {
                rows.push_back({square, static_cast<std::uint8_t>(level + 1),
                                static_cast<std::int8_t>(game.owner(state, square, level))});
            }
        }
        return rows;
    });
    for (const char* name : {"part", "step", "order", "chieftain", "supply", "aside", "auction"}) {
        views.add(name, "As in the information state.",
                  [name](const Game& game, const State& state) { return *Value(game.summary(state)).find(name); });
    }
}

}  // namespace
}  // namespace tilery::pueblo

namespace tilery::any {

GameKind pueblo_kind() {
    GameKind kind =
        kind_of<pueblo::Game>("Pueblo: blocks of one shape, and a chieftain who must not see their colours.");
    kind.editions = {{"source", {{"max_bid", 99}}}};
    kind.constants = {{"NEUTRAL", int{pueblo::kNeutral}}};
    pueblo::add_views(kind);
    return kind;
}

}  // namespace tilery::any
