// SPDX-License-Identifier: MIT
// The whole common surface of a game in Python, for any Game. A leaf adds the game's own views.
#pragma once

#include <string>
#include <utility>

#include "driver_object.hpp"
#include "evaluated.hpp"
#include "native_call.hpp"
#include "search.hpp"
#include "state_object.hpp"
#include "tilery/c/table.hpp"
#include "tilery/run/simulate.hpp"

// The one way from a Python Game to the engine's. pybind11 makes memory for an object that was made by
// Game.__new__() alone when it is first asked for: nothing may read that.
template <tilery::Game G>
class pybind11::detail::type_caster<G> : public type_caster_base<G> {
  public:
    bool load(handle source, bool convert) {
        if (!isinstance<G>(source)) return false;
        if (!reinterpret_cast<instance*>(source.ptr())->get_value_and_holder().holder_constructed()) {
            throw type_error("Game.__init__() of " + std::string(G::kName) + " has not been called");
        }
        return type_caster_base<G>::load(source, convert);
    }
};

namespace tilery::bindings {

// The Python objects a leaf may add to.
struct BoundGame {
    py::module_ module;
    py::object game;   // the type Game
    py::object state;  // the type State
};

template <Game G>
[[nodiscard]] G make_game(const py::kwargs& options) {
    using Rules = typename G::Rules;
    Value::Object given;
    for (const auto& [key, value] : options) {
        const std::string name = text_of(key, "the name of an option");
        if constexpr (requires { Rules::kFileOption; }) {
            if (name == Rules::kFileOption) {
                bool shipped = false;
                for (const std::string_view known : Rules::kShipped) {
                    shipped |= PyUnicode_Check(value.ptr()) &&
                               PyUnicode_CompareWithASCIIString(value.ptr(), std::string(known).c_str()) == 0;
                }
                given.emplace_back(name, to_value_or_file(value, name, shipped));
                continue;
            }
        }
        given.emplace_back(name, to_value(value, name));
    }
    return G(read_rules<Rules>(given));
}

template <Game G>
[[nodiscard]] py::dict rules_dict(const G& game) {
    return from_value(write_rules(game.rules()));
}

// The rows into which games are played, laid out as tilery.run lays out its results: returns (float64 a player),
// scores (int32 a player), num_actions (int32), num_decisions (int32).
class ResultRows {
  public:
    ResultRows(py::handle rows, std::uint64_t count, int num_players)
        : players_(static_cast<std::size_t>(num_players)),
          width_(players_ * (sizeof(double) + sizeof(std::int32_t)) + 2 * sizeof(std::int32_t)) {
        using Array = py::array_t<std::uint8_t, py::array::c_style>;
        if (Array::check_(rows)) array_ = py::reinterpret_borrow<py::array>(rows);
        if (array_.ndim() != 2 || static_cast<std::uint64_t>(array_.shape(0)) != count ||
            static_cast<std::size_t>(array_.shape(1)) != width_ || !array_.writeable()) {
            throw py::value_error("rows must be a writeable uint8 array of shape (" + std::to_string(count) + ", " +
                                  std::to_string(width_) + ") in C order");
        }
        data_ = static_cast<std::uint8_t*>(array_.mutable_data());
    }

    // Writes row i; any thread may, each row from one.
    template <Game G>
    void write(std::uint64_t i, const G& game, const typename G::State& state, Played played) const {
        std::uint8_t* row = data_ + i * width_;
        const auto put = [&row](const auto& item) {
            std::memcpy(row, &item, sizeof item);
            row += sizeof item;
        };
        const auto utilities = returns(game, state);
        const auto scores = game.scores(state);
        for (std::size_t player = 0; player < players_; ++player) put(utilities[player]);
        for (std::size_t player = 0; player < players_; ++player) put(std::int32_t{scores[player]});
        put(played.actions);
        put(played.decisions);
    }

  private:
    std::size_t players_, width_;
    py::array array_;
    std::uint8_t* data_ = nullptr;
};

// The state that games are to be played on from: of this game, or of another with the same rules.
template <Game G>
[[nodiscard]] typename G::State start_state(const G& game, const py::object& start) {
    if (start.is_none()) return game.initial_state();
    const StateObject<G>& object = state_object<G>(start);
    if (object.game != &game && write_rules(object.game->rules()) != write_rules(game.rules())) {
        throw py::value_error("start must be a state of this game, got one of other rules");
    }
    return object.state;
}

// Plays games into `rows` (ResultRows): at random, or where `seats` is a list, between its policies (read_line_up).
// Returns the games' tokens if records are wanted, one string a game.
template <Game G>
py::object simulate_into(const py::object& self, const py::object& start, std::uint64_t count, const py::object& seed,
                         std::uint64_t first, unsigned threads, const py::object& rows, bool records,
                         const py::object& seats, bool rotate) {
    const G& game = py::cast<const G&>(self);
    const LineUp<G> line_up = seats.is_none() ? LineUp<G>{} : read_line_up<G>(self, py::cast<py::list>(seats), rotate);
    const std::uint64_t stream_seed = to_seed(seed, "seed");
    const ResultRows results(rows, count, game.num_players());
    const typename G::State from = start_state(game, start);
    std::vector<std::string> tokens(records ? static_cast<std::size_t>(count) : 0);
    NativeCall call;
    bool finished = false;
    {
        const py::gil_scoped_release release;
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played played) {
            results.write(i, game, state, played);
        };
        const auto go_on = [&call] { return call.go_on(); };
        const auto play = [&](const auto& watch) {
            if (line_up.seats.empty())
                return simulate(game, from, stream_seed, first, count, threads, watch, done, go_on);
            return simulate(game, from, line_up, stream_seed, first, count, threads, watch, done, go_on);
        };
        if (records) {
            const auto note = [&](std::uint64_t i, Action action) {
                std::string& text = tokens[static_cast<std::size_t>(i)];
                if (!text.empty()) text += ' ';
                text += game.action_to_string(action);
            };
            finished = play(note);
        } else {
            finished = play(Unwatched{});
        }
    }
    if (!finished) call.throw_reason();
    if (!records) return py::none();
    return py::cast(tokens);
}

// A capsule around the C++ game of a Python Game. It holds on to the Python object, so that the
// pointer in it is good as long as either of them lives.
template <Game G>
[[nodiscard]] py::object handle_capsule(const py::object& game, const char* name) {
    const tilery_game* const handle = c::CTable<G>::handle(py::cast<const G&>(game));
    auto capsule =
        py::reinterpret_steal<py::object>(PyCapsule_New(const_cast<tilery_game*>(handle), name, [](PyObject* self) {
            Py_XDECREF(static_cast<PyObject*>(PyCapsule_GetContext(self)));
        }));
    if (!capsule || PyCapsule_SetContext(capsule.ptr(), game.ptr()) != 0) throw py::error_already_set();
    Py_INCREF(game.ptr());
    return capsule;
}

template <Game G>
BoundGame bind_game(py::module_& parent, const char* doc) {
    static const std::string name(G::kName),
        state_name = "tilery." + name + ".State", driver_name = "tilery." + name + ".Driver",
        handle_name = "tilery." + name + ".Game", table_name = "tilery." + name + "._C_API";
    py::module_ module = parent.def_submodule(name.c_str());
    // Final: a subclass could hold a state that holds the game, a cycle that nothing would free, since states take no
    // part in garbage collection (which would cost every clone).
    py::class_<G> game(module, "Game", doc, py::is_final());
    game.attr("__module__") = "tilery." + name;
    game.def(py::init([](const py::kwargs& options) { return make_game<G>(options); }));
    game.def_property_readonly("name", [](const G&) { return name; }, "The game's name.");
    game.def_property_readonly("num_players", &G::num_players, "The number of players.");
    game.def_property_readonly(
        "rules", [](const G& self) { return py::module_::import("tilery.rules").attr("Rules")(rules_dict(self)); },
        "All options, frozen: a read-only mapping with attribute access.");
    game.def_property_readonly("num_distinct_actions", &G::num_distinct_actions, "Action ids are in [0, this).");
    game.def_property_readonly("max_game_length", &G::max_game_length,
                               "An upper bound on the number of actions, chance included, of any game.");
    game.def_property_readonly(
        "observation_tensor_shape", [](const G& self) { return py::tuple(py::cast(self.observation_shape())); },
        "The shape of state.observation_tensor(player).");
    game.def_property_readonly_static(
        "state_size", [](const py::object&) { return sizeof(typename G::State); },
        "Bytes of a state inside the engine.");
    game.def(
        "new_initial_state",
        [](py::object self) {
            const G& rules = py::cast<const G&>(self);
            return py::reinterpret_steal<py::object>(new_state(self.ptr(), rules, rules.initial_state()));
        },
        "The state before any action.");
    game.def(
        "deserialize_state",
        [](py::object self, const py::object& data) {
            const auto view = py::reinterpret_steal<py::object>(PyBytes_FromObject(data.ptr()));
            if (!view || PyUnicode_Check(data.ptr()) || PyLong_Check(data.ptr())) {
                PyErr_Clear();
                throw StateDataError("serialized state must be bytes, got " +
                                     std::string(Py_TYPE(data.ptr())->tp_name));
            }
            const G& rules = py::cast<const G&>(self);
            const std::string_view bytes(PyBytes_AS_STRING(view.ptr()),
                                         static_cast<std::size_t>(PyBytes_GET_SIZE(view.ptr())));
            return py::reinterpret_steal<py::object>(new_state(self.ptr(), rules, deserialize(rules, bytes)));
        },
        py::arg("data"), py::pos_only(),
        "The state that state.serialize() wrote under these rules; StateDataError, a ValueError, for anything else.");
    game.def(
        "action_to_string",
        [](const G& self, const py::object& action) { return self.action_to_string(to_action(action.ptr())); },
        py::arg("action"), py::pos_only(), "The token of an action id (G-7).");
    game.def(
        "string_to_action",
        [](const G& self, const py::object& token) { return self.string_to_action(to_token(token.ptr())); },
        py::arg("token"), py::pos_only(), "The id of a token (G-7).");
    game.def(
        "driver",
        [](py::object self, const py::object& seed, const py::object& index) {
            return py::reinterpret_steal<py::object>(DriverMethods<G>::make(
                self.ptr(), py::cast<const G&>(self), to_seed(seed, "seed"), to_seed(index, "index")));
        },
        py::kw_only(), py::arg("seed") = 0, py::arg("index") = 0,
        "A game in progress that takes chance itself from stream (seed, index): one call per decision.");
    game.def(
        "_c_handle", [](const py::object& self) { return handle_capsule<G>(self, handle_name.c_str()); },
        "A capsule of the `tilery_game *` for the table `_C_API` (docs/embedding.md); good as long as this game "
        "lives.");
    game.def("_simulate_into", &simulate_into<G>, py::arg("start"), py::arg("count"), py::arg("seed"), py::arg("first"),
             py::arg("threads"), py::arg("rows"), py::arg("records"), py::arg("seats") = py::none(),
             py::arg("rotate") = false, py::pos_only());
    bind_search(game);
    bind_evaluated(module, game);
    game.def("__eq__", [](const G& self, const py::object& other) -> py::object {
        if (!py::isinstance<G>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
        return py::bool_(write_rules(self.rules()) == write_rules(py::cast<const G&>(other).rules()));
    });
    game.def("__hash__", [](const G& self) { return py::hash(py::int_(rules_fingerprint(self))); });
    game.def("__copy__", [](py::object self) { return self; });
    game.def("__deepcopy__", [](py::object self, const py::object&) { return self; });
    game.def("__reduce__", [](const py::object& self) {
        const py::object partial = py::module_::import("functools").attr("partial");
        return py::make_tuple(partial(py::type::of(self), **rules_dict(py::cast<const G&>(self))), py::tuple());
    });
    game.def("__repr__", [](const G& self) {
        const py::dict all = rules_dict(self), defaults = from_value(write_rules(typename G::Rules{}));
        std::string text = "tilery." + name + ".Game(";
        bool any = false;
        for (const auto& [option, value] : all) {
            const bool said = py::cast<std::string>(option) == "players" || !value.equal(defaults[option]);
            if (said)
                text +=
                    (any ? ", " : "") + py::cast<std::string>(option) + "=" + py::cast<std::string>(py::repr(value));
            any |= said;
        }
        return text + ")";
    });

    const py::object state = StateMethods<G>::make_type(module, state_name.c_str());
    module.attr("State") = state;
    module.attr("Driver") = DriverMethods<G>::make_type(module, driver_name.c_str());
    module.attr("_C_API") = py::capsule(&c::CTable<G>::api, table_name.c_str());
    return {module, game, state};
}

}  // namespace tilery::bindings
