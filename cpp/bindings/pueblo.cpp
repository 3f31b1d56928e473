// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "arrays.hpp"
#include "bind_game.hpp"
#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {
namespace {

using namespace bindings;

// An array [..., rank, file], from f(plane, square).
template <class T, class F>
py::array_t<T> planes(std::vector<py::ssize_t> shape, F&& f) {
    shape.insert(shape.end(), {kSide, kSide});
    constexpr std::size_t squares = kSquares;
    return filled<T>(std::move(shape), [&](std::size_t i) { return f(i / squares, i % squares); });
}

int owner_or_none(const Game& game, const State& state, std::size_t square, int level) {
    return level < 0 || level >= state.heights[square] ? -1 : game.owner(state, static_cast<int>(square), level);
}

void bind_views(const py::object& type) {
    const auto view = [&](const char* name, const char* doc, auto f, const auto&... extra) {
        add_view<Game>(type, name, f, doc, extra...);
    };
    view("heights", "int8[8, 8]: cubes on each square.", [](const Game&, const State& state) {
        return planes<std::int8_t>({}, [&](auto, auto square) { return state.heights[square]; });
    });
    view("owners", "int8[8, 8]: whose the topmost cube is.", [](const Game& game, const State& state) {
        return planes<std::int8_t>(
            {}, [&](auto, auto square) { return owner_or_none(game, state, square, state.heights[square] - 1); });
    });
    view("columns", "int8[levels, 8, 8]: whose each cube is.", [](const Game& game, const State& state) {
        return planes<std::int8_t>({*std::ranges::max_element(state.heights)}, [&](auto level, auto square) {
            return owner_or_none(game, state, square, static_cast<int>(level));
        });
    });
    view("places", "bool[4, 8, 8]: where a block fits.", [](const Game& game, const State& state) {
        return planes<bool>({4}, [fits = game.fits(state)](auto d, auto apex) { return fits[d].has(apex); });
    });
    view("removable", "bool[8, 8]: the squares of blocks with nothing on top of them.",
         [](const Game& game, const State& state) {
             return planes<bool>({}, [set = game.unburdened(state)](auto, auto square) { return set.has(square); });
         });
    const auto seen_from = [](const Game& game, const State& state, int space) {
        if (space < 0 || space >= kSpaces) throw py::value_error("space must be an integer from 0 to 35");
        const auto points = game.seen_from(state, space);
        return std::vector<std::uint32_t>(points.begin(), points.begin() + game.num_players());
    };
    view("seen_from", "Points for each player, seen from a space.", seen_from, py::arg("space"), py::pos_only());
    for (const char* name : {"part", "step", "order", "chieftain", "supply", "aside", "auction"}) {
        view(name, "As in the information state.", [name](const Game& game, const State& state) {
            return from_value(*Value(game.summary(state)).find(name));
        });
    }
}

}  // namespace
}  // namespace tilery::pueblo

namespace tilery::bindings {

void bind_pueblo(py::module_& parent) {
    const BoundGame bound =
        bind_game<pueblo::Game>(parent,
                                "Pueblo: blocks of one shape, and a chieftain who must not see their colours.\n\n"
                                "Game(*, players=2, demolition=False, pro=False, sites=(), start_corner='sw', "
                                "handedness='right', first_bidder=0, max_bid=50)");
    bound.module.attr("NEUTRAL") = int{pueblo::kNeutral};
    pueblo::bind_views(bound.state);
}

}  // namespace tilery::bindings
