// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bind_game.hpp"
#include "tilery/games/java/game.hpp"

namespace tilery::java {
namespace {

using namespace bindings;

// The board, and games by the official rules.
void bind_game_views(py::class_<Game> game) {
    game.def_property_readonly(
        "spaces", [](const Game& self) { return from_value(self.spaces()); },
        "[row, column] of each space, outside ones included, by space number.");
    game.def_property_readonly(
        "board", [](const Game& self) { return from_value(self.board()); },
        "The spaces by their ground, as a board object (JA-2) has them: a dict of the lists 'land',\n"
        "'printed_irrigation', 'outside_mountains' and 'outside_lowlands' of [row, column].");
    game.def_static(
        "official",
        [](const py::kwargs& options) {
            py::dict all(py::arg("token_timing") = "turn_start", py::arg("two_on_three") = true,
                         py::arg("irrigation_on_perimeter") = false, py::arg("irrigation_scoring") = "per_space");
            for (const auto& [name, value] : options) all[name] = value;
            return make_game<Game>(py::reinterpret_borrow<py::kwargs>(all));
        },
        "official(**options)\n--\n\nA game with the options of the official rules, which the options given override.");
}

// The island, space by space.
void bind_island(const py::object& type) {
    add_view<Game>(
        type, "heights",
        [](const Game& g, const State& state) {
            const std::vector<int> heights = g.heights(state);
            return row<std::int8_t>(heights.size(), [&](std::size_t space) { return heights[space]; });
        },
        "heights(self)\n--\n\nint8[number of spaces]: layers of tiles on each space, by space number; 0 is bare.");
    add_view<Game>(
        type, "terrain", [](const Game& g, const State& state) { return g.terrain(state); },
        "terrain(self)\n--\n\nA character for each space, by space number: '.' bare, '~' printed irrigation,\n"
        "'w' irrigation tile, 'r' rice, 'v' village (also below a palace).");
    add_view<Game>(
        type, "figures",
        [](const Game& g, const State& state) {
            py::list figures;
            for (const py::handle pair : py::list(from_value(g.figures(state)))) {
                figures.append(py::tuple(py::reinterpret_borrow<py::object>(pair)));
            }
            return figures;
        },
        "figures(self)\n--\n\n(space, player) of each figure on the island, by space.");
    const auto view = [&type](const char* name, Value (Game::*ask)(const State&) const, const char* doc) {
        add_view<Game>(
            type, name, [ask](const Game& g, const State& state) { return from_value((g.*ask)(state)); }, doc);
    };
    view("tiles", &Game::tiles,
         "tiles(self)\n--\n\nLists of the spaces that one physical tile covers with all that is left of it on top\n"
         "(JA-R3), by first space.");
    view("settlements", &Game::settlements,
         "settlements(self)\n--\n\nA dict for each settlement (JA-14): 'spaces'; 'palace': None (a village) or a dict "
         "of\n"
         "'space', 'value', 'fresh'; 'ranking' (JA-26): dicts of 'players' who are level and their 'heights', best "
         "first.\nThe number of spaces is its size.");
    view("bodies", &Game::bodies,
         "bodies(self)\n--\n\nA dict for each body of irrigation (JA-17): 'spaces'; 'open': spaces of its shore "
         "without\n"
         "land (none: enclosed); 'ranking' of the figures on its shore, as in settlements().");
}

// What a player holds, and what actions cost.
void bind_means(const py::object& type) {
    add_view<Game>(
        type, "cards",
        [](const Game& g, const State& state, const py::int_& player) {
            return from_value(g.cards(state, to_player(player.ptr(), g.num_players())));
        },
        py::arg("player"), py::pos_only(),
        "cards(self, player, /)\n--\n\nWhat a player knows of the cards (JA-38): 'hand', 'known', 'unknown', 'open', "
        "'discards',\n"
        "'pile', as in the information state.");
    add_view<Game>(
        type, "costs",
        [](const Game& g, const State& state) {
            py::dict costs;
            if (g.current_player(state) >= 0) {
                g.legal_actions(state).for_each([&](Action a) { costs[py::int_(a)] = g.cost(state, a); });
            }
            return costs;
        },
        "costs(self)\n--\n\nAction points that each legal action of a player takes: {action: points}.");
}

}  // namespace
}  // namespace tilery::java

namespace tilery::bindings {

void bind_java(py::module_& parent) {
    const BoundGame bound = bind_game<java::Game>(
        parent,
        "Java (Kiesling, Kramer; Ravensburger 2000) for 2 to 4 players; rules, ids and planes are in "
        "docs/rules/java.md.\n"
        "\n"
        "Game(*, players=2, board=\"java-153\", token_timing=\"any\", two_on_three=True,\n"
        "     irrigation_on_perimeter=False, irrigation_scoring=\"per_body\")");
    java::bind_game_views(py::reinterpret_borrow<py::class_<java::Game>>(bound.game));
    java::bind_island(bound.state);
    java::bind_means(bound.state);
}

}  // namespace tilery::bindings
