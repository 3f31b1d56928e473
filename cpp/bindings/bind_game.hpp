// SPDX-License-Identifier: MIT
// The whole common surface of a game in Python, for any Game. A leaf adds the game's own views.
#pragma once

#include <string>
#include <utility>

#include "driver_object.hpp"
#include "state_object.hpp"
#include "tilery/c/table.hpp"
#include "tilery/run/simulate.hpp"

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
        const auto name = py::cast<std::string>(key);
        if constexpr (requires { Rules::kFileOption; }) {
            if (name == Rules::kFileOption) {
                bool shipped = false;
                for (const std::string_view known : Rules::kShipped) {
                    shipped |= PyUnicode_Check(value.ptr()) && py::cast<std::string>(value) == known;
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

// Plays games into `rows`, laid out as tilery.run lays out its results: returns (float64 a player),
// scores (int32 a player), num_actions (int32), num_decisions (int32). Answers the games' tokens if
// records are wanted, one string a game.
template <Game G>
py::object simulate_into(const G& game, const py::object& start, std::uint64_t count, const py::object& seed,
                         std::uint64_t first, unsigned threads, py::array_t<std::uint8_t, py::array::c_style> rows,
                         bool records) {
    const std::uint64_t stream_seed = to_seed(seed);
    const auto n = static_cast<std::size_t>(game.num_players());
    const std::size_t width = n * (sizeof(double) + sizeof(std::int32_t)) + 2 * sizeof(std::int32_t);
    if (rows.ndim() != 2 || static_cast<std::uint64_t>(rows.shape(0)) != count ||
        static_cast<std::size_t>(rows.shape(1)) != width || !rows.writeable()) {
        throw py::value_error("rows must be a writeable uint8 array of shape (count, " + std::to_string(width) + ")");
    }
    const typename G::State from = start.is_none() ? game.initial_state() : state_object<G>(start).state;
    std::uint8_t* const data = rows.mutable_data();
    std::vector<std::string> tokens(records ? static_cast<std::size_t>(count) : 0);
    bool finished = false;
    {
        const py::gil_scoped_release release;
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played played) {
            std::uint8_t* row = data + i * width;
            const auto put = [&row](const auto& item) {
                std::memcpy(row, &item, sizeof item);
                row += sizeof item;
            };
            const auto utilities = returns(game, state);
            const auto scores = game.scores(state);
            for (std::size_t player = 0; player < n; ++player) put(utilities[player]);
            for (std::size_t player = 0; player < n; ++player) put(std::int32_t{scores[player]});
            put(played.actions);
            put(played.decisions);
        };
        const auto go_on = [] {
            const py::gil_scoped_acquire acquire;
            return PyErr_CheckSignals() == 0;
        };
        auto ask_seldom = [&go_on, calls = 0u]() mutable { return ++calls % 64 != 0 || go_on(); };
        if (records) {
            const auto note = [&](std::uint64_t i, Action action) {
                std::string& text = tokens[static_cast<std::size_t>(i)];
                if (!text.empty()) text += ' ';
                text += game.action_to_string(action);
            };
            finished = simulate(game, from, stream_seed, first, count, threads, note, done, ask_seldom);
        } else {
            finished = simulate(game, from, stream_seed, first, count, threads, Unwatched{}, done, ask_seldom);
        }
    }
    if (!finished) throw py::error_already_set();
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
    py::class_<G> game(module, "Game", doc);
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
            return py::reinterpret_steal<py::object>(
                DriverMethods<G>::make(self.ptr(), py::cast<const G&>(self), to_seed(seed), to_seed(index)));
        },
        py::kw_only(), py::arg("seed") = 0, py::arg("index") = 0,
        "A game in progress that takes chance itself from stream (seed, index): one call per decision.");
    game.def(
        "_c_handle", [](const py::object& self) { return handle_capsule<G>(self, handle_name.c_str()); },
        "A capsule of the `tilery_game *` for the table `_C_API` (docs/embedding.md); good as long as this game "
        "lives.");
    game.def("_simulate_into", &simulate_into<G>, py::arg("start"), py::arg("count"), py::arg("seed"), py::arg("first"),
             py::arg("threads"), py::arg("rows"), py::arg("records"), py::pos_only());
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
