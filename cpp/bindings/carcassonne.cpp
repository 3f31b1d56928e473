// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bind_game.hpp"
#include "tilery/games/carcassonne/game.hpp"

namespace tilery::bindings {
namespace {

// The size of the window asked for; None is the default.
int to_window(const carcassonne::Game& game, const py::object& window) {
    using carcassonne::Game;
    if (window.is_none()) return Game::kWindow;
    if (game.rules().table) throw py::value_error("window: with a table the planes show the table");
    const long cells = PyLong_Check(window.ptr()) && !PyBool_Check(window.ptr()) ? PyLong_AsLong(window.ptr()) : -1;
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    if (cells < 1 || cells > Game::kWholeLand || cells % 2 == 0) {
        throw py::value_error("window must be an odd number from 1 to " + std::to_string(Game::kWholeLand) + ", got " +
                              py::cast<std::string>(py::repr(window)));
    }
    return static_cast<int>(cells);
}

py::array_t<std::uint8_t> numbers(const std::vector<int>& counts) {
    return row<std::uint8_t>(counts.size(), [&](std::size_t i) { return counts[i]; });
}

}  // namespace

void bind_carcassonne(py::module_& parent) {
    using carcassonne::Game;
    using carcassonne::State;
    const BoundGame bound = bind_game<Game>(
        parent,
        "Carcassonne, Winter Edition; rules in docs/rules/carcassonne.md.\n\n"
        "Game(*, players=2, tiles='winter', farmers=True, first_player='seat_0', hand_size=0, hands='hidden',\n"
        "     start_tile_in_bag=False, unplaceable='discard', trees_end_roads=True, tile_sale=False,\n"
        "     gap_bonus=False, score_unfinished=True, table=None, edge_closes=False)");
    add_view<Game>(
        bound.state, "observation_tensor",
        [](const Game& game, const State& state, const py::object& player, const py::object& window) {
            const int cells = to_window(game, window);
            py::array_t<float> array(game.observation_size(cells));
            game.observe(state, to_player(player.ptr(), game.num_players()),
                         std::span(array.mutable_data(), static_cast<std::size_t>(array.size())), cells);
            return array;
        },
        py::arg("player"), py::arg("window") = py::none(),
        "float32 vector of planes and numbers; docs/rules. `window`: without a table, the odd number of cells "
        "(1..167)\n"
        "that the planes are wide and high, 25 if not given.");

    auto game = py::reinterpret_borrow<py::class_<Game>>(bound.game);
    game.def_property_readonly("tile_types", &Game::tile_types,
                               "The ids of the tile types in play; their order is that of all numbers of types.");
    game.def_property_readonly(
        "segment_names",
        [](const Game&) {
            return std::vector<std::string>(carcassonne::kSegmentNames.begin(), carcassonne::kSegmentNames.end());
        },
        "The tokens of CA-22; their order is that of all numbers of segments, '-' being 0.");

    const auto view = [&bound](const char* name, const char* doc, auto ask) {
        add_view<Game>(bound.state, name, ask, doc);
    };
    const auto rows_of_four = [&view](const char* name, auto ask, const char* doc) {
        view(name, doc, [ask](const Game& self, const State& state) {
            const auto rows = (self.*ask)(state);
            return table<std::int16_t>(rows.size(), 4, [&](auto row, auto column) { return rows[row][column]; });
        });
    };
    rows_of_four("tiles", &Game::tiles_laid, "tiles()\n--\n\nint16[tiles, 4]: x, y, number of the type, rotation.");
    rows_of_four("meeples", &Game::meeples, "meeples()\n--\n\nint16[meeples, 4]: x, y, number of the segment, seat.");
    view("frontier", "frontier()\n--\n\nint16[open cells, 2]: x, y.", [](const Game&, const State& state) {
        const auto& frontier = state.frontier;
        return table<std::int16_t>(frontier.size, 2, [&](auto at, auto axis) {
            return axis == 0 ? carcassonne::x_of(frontier.cells[at]) : carcassonne::y_of(frontier.cells[at]);
        });
    });
    view("frontier_edges",
         "frontier_edges()\n--\n\nuint8[open cells, 4]: what the neighbours north, east, south, west "
         "ask for; 0 nothing, 1 city, 2 road, 3 field.",
         [](const Game& self, const State& state) {
             return table<std::uint8_t>(state.frontier.size, carcassonne::kSides,
                                        [&](auto at, auto side) { return self.edge_at(state, at, side); });
         });
    view("fits", "fits()\n--\n\nbool[open cells, types, 4]: whether the type fits there in that rotation (CA-3, CA-4).",
         [](const Game& self, const State& state) {
             constexpr std::size_t kTurns = carcassonne::kRotations;
             const std::size_t types = self.box().num_types;
             return filled<bool>({state.frontier.size, static_cast<py::ssize_t>(types), py::ssize_t{kTurns}},
                                 [&](std::size_t i) {
                                     return self.fits_at(state, i / kTurns / types, i / kTurns % types, i % kTurns);
                                 });
         });
    view("features", "features()\n--\n\nA dict for each feature of the land; see tilery.carcassonne.",
         [](const Game& self, const State& state) { return from_value(self.features(state)); });
    view("remaining", "remaining()\n--\n\nuint8[types]: copies in the pile.",
         [](const Game& self, const State& state) { return numbers(self.pile_counts(state)); });
    add_view<Game>(
        bound.state, "unseen",
        [](const Game& self, const State& state, const py::object& player) {
            return numbers(self.unseen_counts(state, to_player(player.ptr(), self.num_players())));
        },
        py::arg("player"), py::pos_only(),
        "unseen(player, /)\n--\n\nuint8[types]: copies that a player has not seen, in the pile or in hidden hands.");
    view("supply", "supply()\n--\n\nMeeples at home, by seat.", [](const Game& self, const State& state) {
        const auto* const at_home = state.meeples.at_home.data();
        return std::vector<int>(at_home, at_home + self.num_players());
    });
    view("hands", "hands()\n--\n\nuint8[players, types]: copies in each hand, hidden or not (CA-H3, CA-H4).",
         [](const Game& self, const State& state) {
             return table<std::uint8_t>(static_cast<std::size_t>(self.num_players()), self.box().num_types,
                                        [&](auto seat, auto type) { return self.hand_counts(state, seat)[type]; });
         });
}

}  // namespace tilery::bindings
