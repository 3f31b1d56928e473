// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne.hpp"

#include "bind_game.hpp"

namespace tilery::bindings {
namespace {

// The size of the window asked for; None is none in particular.
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
}

}  // namespace tilery::bindings
