// SPDX-License-Identifier: MIT
// The whole common surface of a game in Python, for any Game. A leaf adds the game's own views.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "batch.hpp"
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

// The array to which a line-up adds its thinking.
[[nodiscard]] inline Thinking* thinking_rows(const py::object& rows, std::uint64_t count, int num_players) {
    using Array = py::array_t<double, py::array::c_style>;
    const auto array = Array::check_(rows) ? py::reinterpret_borrow<Array>(rows) : Array();
    if (array.ndim() != 3 || static_cast<std::uint64_t>(array.shape(0)) != count || array.shape(1) != num_players ||
        array.shape(2) != 2 || !array.writeable()) {
        throw py::value_error("thinking must be a writeable float64 array of shape (" + std::to_string(count) + ", " +
                              std::to_string(num_players) + ", 2) in C order");
    }
    static_assert(sizeof(Thinking) == 2 * sizeof(double));
    return reinterpret_cast<Thinking*>(const_cast<double*>(array.data()));
}

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

// Plays games into `rows` (ResultRows), each from `start`, or if `player` is not None from a determinization of it for
// that player: at random, or where `seats` is a list, between its policies (read_line_up). Returns the games' tokens if
// records are wanted, one string a game. `progress`: None, or called with the number of games that are over.
// `thinking`: None, or float64[count, players, 2], to which the policies' seconds and decisions are added.
template <Game G>
py::object simulate_into(const py::object& self, const py::object& start, const py::object& player, std::uint64_t count,
                         const py::object& seed, std::uint64_t first, unsigned threads, const py::object& rows,
                         bool records, const py::object& progress, const py::object& seats, bool rotate,
                         const py::object& thinking) {
    const G& game = py::cast<const G&>(self);
    LineUp<G> line_up = seats.is_none() ? LineUp<G>{} : read_line_up<G>(self, py::cast<py::list>(seats), rotate);
    if (!thinking.is_none()) line_up.thinking = thinking_rows(thinking, count, game.num_players());
    const std::uint64_t stream_seed = to_seed(seed, "seed");
    const ResultRows results(rows, count, game.num_players());
    const typename G::State from = start_state(game, start);
    const Player viewer = player.is_none() ? Player{-1} : to_player(player.ptr(), game.num_players());
    std::vector<std::string> tokens(records ? static_cast<std::size_t>(count) : 0);
    std::atomic<std::uint64_t> over{0};
    std::function<void()> report;
    if (!progress.is_none()) report = [&] { progress(over.load()); };
    NativeCall call(1, report);
    bool finished = false;
    {
        const py::gil_scoped_release release;
        const auto begin = [&](std::uint64_t i) {
            typename G::State state = from;
            if (viewer >= 0) {
                Rng rng = stream_of(stream_seed, Purpose::deals(viewer), first + i);
                game.determinize(state, viewer, rng);
            }
            return state;
        };
        const auto done = [&](std::uint64_t i, const typename G::State& state, Played played) {
            results.write(i, game, state, played);
            if (report) over.fetch_add(1, std::memory_order_relaxed);
        };
        const auto go_on = [&call] { return call.go_on(); };
        const auto play = [&](const auto& watch) {
            if (line_up.seats.empty())
                return simulate(game, begin, stream_seed, first, count, threads, watch, done, go_on);
            return simulate(game, begin, line_up, stream_seed, first, count, threads, watch, done, go_on);
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
    if (report) report();
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

// Names, sizes, bounds and flags of a game.
template <Game G>
void bind_properties(py::class_<G>& game) {
    const auto property = [&game](const char* member, auto ask) {
        game.def_property_readonly(member, ask, documentation("Game", member));
    };
    property("name", [](const G&) { return std::string(G::kName); });
    property("num_players", [](const G& self) { return self.num_players(); });
    property("rules",
             [](const G& self) { return py::module_::import("tilery.rules").attr("Rules")(rules_dict(self)); });
    property("fewest_points_win", [](const G&) { return bool{G::kFewestPointsWin}; });
    property("num_distinct_actions", [](const G& self) { return self.num_distinct_actions(); });
    property("num_chance_actions", [](const G& self) { return self.num_chance_actions(); });
    property("max_decisions", [](const G& self) { return self.max_decisions(); });
    property("max_chance_nodes", [](const G& self) { return self.max_chance_nodes(); });
    property("max_game_length", [](const G& self) { return self.max_game_length(); });
    property("hides_information", [](const G& self) { return self.hides_information(); });
    property("min_utility", [](const G& self) { return min_utility(self); });
    property("max_utility", [](const G&) { return 1.0; });
    property("utility_sum", [](const G&) { return 0.0; });
    property("observation_tensor_shape", [](const G& self) { return py::tuple(py::cast(self.observation_shape())); });
    property("observation_parts", [](const G& self) {
        const py::object kind = py::module_::import("tilery.protocol").attr("ObservationPart");
        py::list parts;
        for (const auto& part : self.observation_parts()) {
            parts.append(
                kind(part.name, part.offset, py::tuple(py::cast(part.shape)), 0.0F, part.high(), part.divisor));
        }
        return parts;
    });
    game.def_property_readonly_static("__signature__", [](const py::object&) {
        return py::module_::import("tilery.options").attr("signature")(std::string(G::kName));
    });
    game.def_property_readonly_static("state_size", [](const py::object&) { return sizeof(typename G::State); });
}

// What makes states: from nothing, from bytes, and the driver.
template <Game G>
void bind_states(py::class_<G>& game) {
    const auto doc_of = [](const char* member) { return documentation("Game", member); };
    game.def(
        "new_initial_state",
        [](py::object self) {
            const G& rules = py::cast<const G&>(self);
            return py::reinterpret_steal<py::object>(new_state(self.ptr(), rules, rules.initial_state()));
        },
        doc_of("new_initial_state"));
    game.def(
        "deserialize_state",
        [](py::object self, const py::object& data) {
            const G& rules = py::cast<const G&>(self);
            const auto view = py::reinterpret_steal<py::object>(PyBytes_FromObject(data.ptr()));
            if (!view || PyUnicode_Check(data.ptr()) || PyLong_Check(data.ptr())) {
                PyErr_Clear();
                throw StateDataError("serialized state must be bytes, got " +
                                     std::string(Py_TYPE(data.ptr())->tp_name));
            }
            const std::string_view bytes(PyBytes_AS_STRING(view.ptr()),
                                         static_cast<std::size_t>(PyBytes_GET_SIZE(view.ptr())));
            return py::reinterpret_steal<py::object>(new_state(self.ptr(), rules, deserialize(rules, bytes)));
        },
        py::arg("data"), py::pos_only(), doc_of("deserialize_state"));
    game.def(
        "driver",
        [](py::object self, const py::object& seed, const py::object& index) {
            return py::reinterpret_steal<py::object>(DriverMethods<G>::make(
                self.ptr(), py::cast<const G&>(self), to_seed(seed, "seed"), to_seed(index, "index")));
        },
        py::kw_only(), py::arg("seed") = 0, py::arg("index") = 0, doc_of("driver"));
}

// Ids, tokens and words.
template <Game G>
void bind_actions(py::class_<G>& game) {
    const auto of_action = [&](const char* member, auto ask) {
        game.def(
            member, [ask](const G& self, const py::object& action) { return ask(self, to_action(action.ptr())); },
            py::arg("action"), py::pos_only(), documentation("Game", member));
    };
    of_action("action_to_string", [](const G& self, Action action) { return self.action_to_string(action); });
    of_action("describe_action", [](const G& self, Action action) { return describe_action(self, action); });
    of_action("picks", [](const G& self, Action action) { return picks(self, action); });
    game.def(
        "string_to_action",
        [](const G& self, const py::object& token) { return self.string_to_action(to_token(token.ptr())); },
        py::arg("token"), py::pos_only(), documentation("Game", "string_to_action"));
    game.def(
        "describe_pick",
        [](const G& self, const py::object& pick) {
            if (!PyUnicode_Check(pick.ptr())) throw py::type_error("a pick must be a string, got " + shown(pick));
            return describe_pick(self, text_of(pick, "a pick"));
        },
        py::arg("pick"), py::pos_only(), documentation("Game", "describe_pick"));
}

// The options that differ from their defaults, and always the number of players.
template <Game G>
[[nodiscard]] std::string representation(const G& game) {
    const py::dict all = rules_dict(game), defaults = from_value(write_rules(typename G::Rules{}));
    std::string options;
    for (const auto& [option, value] : all) {
        const auto name = py::cast<std::string>(option);
        if (name != "players" && value.equal(defaults[option])) continue;
        options += (options.empty() ? "" : ", ") + name + "=" + py::cast<std::string>(py::repr(value));
    }
    return "tilery." + std::string(G::kName) + ".Game(" + options + ")";
}

// Games are values: equal where their rules are, hashable, copied as themselves, pickled as their options.
template <Game G>
void bind_as_value(py::class_<G>& game) {
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
    game.def("__repr__", &representation<G>);
}

// Positions as dicts, where the game has a readable form of them.
template <Game G>
void bind_positions(py::class_<G>& game, const py::object& state) {
    if constexpr (HasPosition<G>) {
        add_view<G>(
            state, "to_dict",
            [](const G& self, const typename G::State& position) { return from_value(self.position(position)); },
            documentation("View", "to_dict"));
        py::options signatures;
        signatures.disable_function_signatures();
        game.def(
            "state_from_dict",
            [](py::object self, const py::object& position) {
                const G& rules = py::cast<const G&>(self);
                Value value;
                try {
                    value = to_value(position, "position");
                } catch (const OptionError& error) {
                    throw StateDataError(error.what());
                }
                return py::reinterpret_steal<py::object>(new_state(self.ptr(), rules, state_of_position(rules, value)));
            },
            py::arg("position"), py::pos_only(), documentation("Game", "state_from_dict"));
    }
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
    py::options signatures;
    signatures.disable_function_signatures();  // tilery.protocol has them
    game.def(py::init([](const py::args& arguments, const py::kwargs& options) {
        if (!arguments.empty()) {
            throw py::type_error("options are given by name, Game(players=3), got " + shown(arguments));
        }
        return make_game<G>(options);
    }));
    bind_properties(game);
    bind_states(game);
    bind_actions(game);
    bind_as_value(game);
    define_batch<G>(game, documentation("Game", "batch"));
    game.def(
        "_c_handle", [](const py::object& self) { return handle_capsule<G>(self, handle_name.c_str()); },
        documentation("Game", "_c_handle"));
    game.def("_simulate_into", &simulate_into<G>, py::arg("start"), py::arg("player"), py::arg("count"),
             py::arg("seed"), py::arg("first"), py::arg("threads"), py::arg("rows"), py::arg("records"),
             py::arg("progress"), py::arg("seats") = py::none(), py::arg("rotate") = false,
             py::arg("thinking") = py::none(), py::pos_only(), documentation("Game", "_simulate_into"));
    bind_search(game);
    bind_evaluated(module, game);

    const py::object state = StateMethods<G>::make_type(module, state_name.c_str());
    bind_positions(game, state);
    module.attr("State") = state;
    module.attr("options") = from_value(describe_options<typename G::Rules>());
    module.attr("Driver") = DriverMethods<G>::make_type(module, driver_name.c_str());
    module.attr("_C_API") = py::capsule(&c::CTable<G>::api, table_name.c_str());
    return {module, game, state};
}

}  // namespace tilery::bindings
