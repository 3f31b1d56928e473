// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bind_game.hpp"
#include "tilery/games/carcassonne/compact.hpp"
#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

using namespace bindings;

// The size of the window asked for; None is the default.
int to_window(const Game& game, const py::object& window) {
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

// CompactActions of tilery.carcassonne: the game it is for, and errors.
class Compact {
  public:
    Compact(py::object game, const py::object& window)
        : owner_(std::move(game)), actions_(game_of(owner_).box(), to_window(game_of(owner_), window)) {
        if (game_of(owner_).rules().table)
            throw py::value_error("with a table the ids of the game are compact already");
    }

    [[nodiscard]] const py::object& game() const { return owner_; }
    [[nodiscard]] Action size() const { return actions_.size(); }

    [[nodiscard]] Action compact(const py::object& state, const py::object& action) const {
        const Action id = in_range(to_action(action.ptr()), game_of(owner_).num_distinct_actions());
        if (const auto compact = actions_.compact(actions_.frame(checked(state)), id)) return *compact;
        throw py::value_error("'" + game_of(owner_).action_to_string(id) + "' is outside the window");
    }
    [[nodiscard]] Action expand(const py::object& state, const py::object& compact) const {
        const Action id = in_range(to_action(compact.ptr()), size());
        if (const auto action = actions_.expand(actions_.frame(checked(state)), id)) return *action;
        throw py::value_error("compact action " + std::to_string(id) + " is beyond the cells of the game");
    }
    // The compact ids of all that may be applied, ascending as legal_actions() is.
    [[nodiscard]] std::vector<Action> legal(const py::object& state) const {
        const State& position = checked(state);
        std::vector<Action> ids;
        with_actions(game_of(owner_), position, [&](std::uint32_t, auto&& for_each) {
            for_each_inside(position, for_each, [&](Action compact) { ids.push_back(compact); });
        });
        return ids;
    }
    [[nodiscard]] py::array_t<bool> mask(const py::object& state) const {
        py::array_t<bool> mask(size());
        std::fill_n(mask.mutable_data(), mask.size(), false);
        for (const Action id : legal(state)) mask.mutable_data()[id] = true;
        return mask;
    }
    [[nodiscard]] py::array_t<bool> batch_mask(const py::object& batch, const py::object& out) const {
        const Batch<Game>& games = checked_batch(batch);
        auto mask = array_for<bool>(out, {static_cast<int>(games.size()), size()}, "bool");
        const auto width = static_cast<std::size_t>(size());
        exclusively(batch, [&, data = mask.mutable_data()] {
            games.for_each_set([&, data](std::size_t i, auto&& for_each) {
                bool* const row = data + i * width;
                std::fill_n(row, width, false);
                for_each_inside(games.state(i), for_each, [row](Action compact) { row[compact] = true; });
            });
        });
        return mask;
    }
    [[nodiscard]] py::array_t<std::int64_t> batch_expand(const py::object& batch, const py::object& ids) const {
        const Batch<Game>& games = checked_batch(batch);
        const auto given = signed_integers(ids, games.size());
        py::array_t<std::int64_t> actions(given.shape(0));
        exclusively(batch, [&, from = given.data(), to = actions.mutable_data()] {
            games.in_pieces([&, from, to](std::size_t i) { to[i] = expanded(games.state(i), from[i]); });
        });
        return actions;
    }

  private:
    // What apply_actions() of a batch leaves alone, and what it always refuses.
    static constexpr std::int64_t kLeave = -1, kRefuse = -2;

    static const Game& game_of(const py::object& game) { return py::cast<const Game&>(game); }
    // Calls use(compact) on the actions of for_each that are inside the window.
    template <class ForEach, class Use>
    void for_each_inside(const State& state, ForEach&& for_each, Use&& use) const {
        const Box::Rectangle frame = actions_.frame(state);
        for_each([&](Action action) {
            if (const auto compact = actions_.compact(frame, action)) use(*compact);
        });
    }
    [[nodiscard]] std::int64_t expanded(const State& state, std::int64_t compact) const {
        if (compact < 0 || compact >= size()) return compact == kLeave ? kLeave : kRefuse;
        return actions_.expand(actions_.frame(state), static_cast<Action>(compact)).value_or(kRefuse);
    }
    [[nodiscard]] const Batch<Game>& checked_batch(const py::object& batch) const {
        const auto* const games = dynamic_cast<const BatchOf<Game>*>(&batch_in(batch));
        if (games == nullptr || &games->native().game() != &game_of(owner_)) {
            throw py::value_error("the batch is of another game object");
        }
        return games->native();
    }
    [[nodiscard]] const State& checked(const py::object& state) const {
        const auto& object = state_object<Game>(state);
        if (object.game != &game_of(owner_)) throw py::value_error("the state is of another game object");
        return object.state;
    }
    [[nodiscard]] static py::array_t<std::int64_t, py::array::c_style> signed_integers(const py::object& given,
                                                                                       std::size_t size) {
        const py::array array = py::array::ensure(given);
        const bool integers = array && (array.dtype().kind() == 'i' || array.dtype().kind() == 'u') &&
                              !array.dtype().equal(py::dtype::of<std::uint64_t>());
        if (!integers || array.ndim() != 1 || array.shape(0) != static_cast<py::ssize_t>(size)) {
            PyErr_Clear();
            throw py::value_error("ids must be integers[" + std::to_string(size) + "] that int64 can hold, got " +
                                  py::cast<std::string>(py::repr(given)));
        }
        return array;
    }
    static Action in_range(Action id, Action ids) {
        if (id >= 0 && id < ids) return id;
        throw py::value_error("ids are 0.." + std::to_string(ids - 1) + ", got " + std::to_string(id));
    }

    py::object owner_;
    CompactActions actions_;
};

void bind_compact(const py::object& module) {
    py::class_<Compact> actions(
        module, "CompactActions",
        "CompactActions(game, window=25)\n--\n\nAction ids for learners: placements relative to the window of the\n"
        "observation, all other ids as in the game. ValueError for a game with a table.",
        py::is_final());
    actions.attr("__module__") = "tilery.carcassonne";
    actions.def(py::init<py::object, const py::object&>(), py::arg("game"), py::arg("window") = py::none())
        .def_property_readonly("game", &Compact::game, "The game.")
        .def_property_readonly("num_actions", &Compact::size, "Compact ids are in [0, this).")
        .def("compact", &Compact::compact, py::arg("state"), py::arg("action"), py::pos_only(),
             "The compact id of an action id; ValueError if it is a placement outside the window.")
        .def("expand", &Compact::expand, py::arg("state"), py::arg("compact"), py::pos_only(),
             "The action id of a compact id; ValueError if the game has none for that cell.")
        .def("legal_actions", &Compact::legal, py::arg("state"), py::pos_only(),
             "The compact ids of the legal actions inside the window.")
        .def("mask", &Compact::mask, py::arg("state"), py::pos_only(), "The same as bool[num_actions].")
        .def("batch_mask", &Compact::batch_mask, py::arg("batch"), py::pos_only(), py::arg("out") = py::none(),
             "bool[size, num_actions]: mask() of every game of a batch; all False in games that wait for a reset.\n\n"
             "out: an array to fill and return.")
        .def("batch_expand", &Compact::batch_expand, py::arg("batch"), py::arg("ids"), py::pos_only(),
             "int64[size]: expand() in every game of a batch, for its apply_actions(), which leaves games with -1\n"
             "alone and refuses -2, what ids become that have no action. ids: integers[size].");
}

// The observation, with a window.
void bind_observation(const py::object& type) {
    add_view<Game>(
        type, "observation_tensor",
        [](const Game& game, const State& state, const py::object& player, const py::object& out,
           const py::object& window, bool scaled) {
            const Player viewer = to_player(player.ptr(), game.num_players());
            if (window.is_none()) return observation(game, state, viewer, out, scaled);
            const int cells = to_window(game, window);
            if (scaled) throw py::value_error("scaled: only without window");
            auto array = array_for<float>(out, {game.observation_size(cells)}, "float32");
            game.observe(state, viewer, std::span(array.mutable_data(), static_cast<std::size_t>(array.size())), cells);
            return array;
        },
        py::arg("player"), py::pos_only(), py::arg("out") = py::none(), py::kw_only(), py::arg("window") = py::none(),
        py::arg("scaled") = false,
        "observation_tensor(self, player, /, out=None, *, window=None, scaled=False)\n--\n\n"
        "What a player knows as a float32 vector of planes and numbers, which docs/rules/carcassonne.md lists.\n\n"
        "out, scaled: as in every game. window: without a table, the odd number of cells (1..167) that the planes are\n"
        "wide and high, 25 if not given; then out must have that size. Raises ValueError for another window.");
}

void bind_names(py::class_<Game> game) {
    game.def_property_readonly("tile_types", &Game::tile_types,
                               "The ids of the tile types in play; their order is that of all numbers of types.");
    game.def_property_readonly(
        "segment_names",
        [](const Game&) { return std::vector<std::string>(kSegmentNames.begin(), kSegmentNames.end()); },
        "The tokens of CA-22; their order is that of all numbers of segments, '-' being 0.");
}

// Adds a view, f(game, state).
template <class F>
void view(const py::object& type, const char* name, const char* doc, F f) {
    add_view<Game>(type, name, f, doc);
}

// Tiles, meeples and features.
void bind_land(const py::object& type) {
    const auto rows_of_four = [&type](const char* name, auto ask, const char* doc) {
        view(type, name, doc, [ask](const Game& self, const State& state) {
            const auto rows = (self.*ask)(state);
            return table<std::int16_t>(rows.size(), 4, [&](auto row, auto column) { return rows[row][column]; });
        });
    };
    rows_of_four("tiles", &Game::tiles_laid, "tiles(self)\n--\n\nint16[tiles, 4]: x, y, number of the type, rotation.");
    rows_of_four("meeples", &Game::meeples,
                 "meeples(self)\n--\n\nint16[meeples, 4]: x, y, number of the segment, seat.");
    view(type, "features", "features(self)\n--\n\nA dict for each feature of the land; see tilery.carcassonne.",
         [](const Game& self, const State& state) { return from_value(self.features(state)); });
}

// The open cells.
void bind_frontier(const py::object& type) {
    view(type, "frontier", "frontier(self)\n--\n\nint16[open cells, 2]: x, y.", [](const Game&, const State& state) {
        const auto& frontier = state.frontier;
        return table<std::int16_t>(frontier.size, 2, [&](auto at, auto axis) {
            return axis == 0 ? x_of(frontier.cells[at]) : y_of(frontier.cells[at]);
        });
    });
    view(type, "frontier_edges",
         "frontier_edges(self)\n--\n\nuint8[open cells, 4]: what the neighbours north, east, south, west "
         "ask for; 0 nothing, 1 city, 2 road, 3 field.",
         [](const Game& self, const State& state) {
             return table<std::uint8_t>(state.frontier.size, kSides,
                                        [&](auto at, auto side) { return self.edge_at(state, at, side); });
         });
    view(type, "fits",
         "fits(self)\n--\n\nbool[open cells, types, 4]: whether the type fits there in that rotation (CA-3, CA-4).",
         [](const Game& self, const State& state) {
             constexpr std::size_t kTurns = kRotations;
             const std::size_t types = self.box().num_types;
             return filled<bool>({state.frontier.size, static_cast<py::ssize_t>(types), py::ssize_t{kTurns}},
                                 [&](std::size_t i) {
                                     return self.fits_at(state, i / kTurns / types, i / kTurns % types, i % kTurns);
                                 });
         });
}

// What is still to be placed.
void bind_supplies(const py::object& type) {
    view(type, "remaining", "remaining(self)\n--\n\nuint8[types]: copies in the pile.",
         [](const Game& self, const State& state) { return numbers(self.pile_counts(state)); });
    add_view<Game>(
        type, "unseen",
        [](const Game& self, const State& state, const py::object& player) {
            return numbers(self.unseen_counts(state, to_player(player.ptr(), self.num_players())));
        },
        py::arg("player"), py::pos_only(),
        "unseen(self, player, /)\n--\n\nuint8[types]: copies that a player has not seen, in the pile or in hidden "
        "hands.");
    view(type, "supply", "supply(self)\n--\n\nMeeples at home, by seat.", [](const Game& self, const State& state) {
        const auto* const at_home = state.meeples.at_home.data();
        return std::vector<int>(at_home, at_home + self.num_players());
    });
    view(type, "hands", "hands(self)\n--\n\nuint8[players, types]: copies in each hand, hidden or not (CA-H3, CA-H4).",
         [](const Game& self, const State& state) {
             return table<std::uint8_t>(static_cast<std::size_t>(self.num_players()), self.box().num_types,
                                        [&](auto seat, auto kind) { return self.hand_counts(state, seat)[kind]; });
         });
}

}  // namespace
}  // namespace tilery::carcassonne

namespace tilery::bindings {

void bind_carcassonne(py::module_& parent) {
    const BoundGame bound = bind_game<carcassonne::Game>(
        parent,
        "Carcassonne, Winter Edition; rules in docs/rules/carcassonne.md.\n\n"
        "Game(*, players=2, tiles='winter', farmers=True, first_player='seat_0', hand_size=0, hands='hidden',\n"
        "     start_tile_in_bag=False, unplaceable='discard', trees_end_roads=True, tile_sale=False,\n"
        "     gap_bonus=False, score_unfinished=True, table=None, edge_closes=False)");
    carcassonne::bind_names(py::reinterpret_borrow<py::class_<carcassonne::Game>>(bound.game));
    carcassonne::bind_observation(bound.state);
    carcassonne::bind_land(bound.state);
    carcassonne::bind_frontier(bound.state);
    carcassonne::bind_supplies(bound.state);
    carcassonne::bind_compact(bound.module);
}

}  // namespace tilery::bindings
