// SPDX-License-Identifier: MIT
#include "game_object.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "state_object.hpp"
#include "tilery/c/table.hpp"
#include "tilery/core/errors.hpp"

namespace tilery::bindings {
namespace {

// The types of all games, for the life of the process.
std::vector<std::unique_ptr<GameType>>& all_types() {
    static auto* const types = new std::vector<std::unique_ptr<GameType>>();
    return *types;
}

GameObject& game_in(PyObject* self) { return *reinterpret_cast<GameObject*>(self); }

// Options as Python gave them. A path is read if the option may be a file.
[[nodiscard]] Value::Object read_options(const GameKind& kind, const py::dict& options) {
    Value::Object given;
    for (const auto& [key, value] : options) {
        const std::string name = text_of(key, "the name of an option");
        if (kind.file.empty() || name != kind.file) {
            given.emplace_back(name, to_value(value, name));
            continue;
        }
        const bool shipped =
            PyUnicode_Check(value.ptr()) && std::ranges::any_of(kind.shipped, [&text = value](std::string_view known) {
                return PyUnicode_CompareWithASCIIString(text.ptr(), std::string(known).c_str()) == 0;
            });
        given.emplace_back(name, to_value_or_file(value, name, shipped));
    }
    return given;
}

PyObject* create_game(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* const self = type->tp_alloc(type, 0);
    if (self == nullptr) return nullptr;
    const auto found = std::ranges::find(all_types(), type, [](const auto& known) { return known->game; });
    game_in(self).type = found->get();
    return self;
}

int initialize(PyObject* self, PyObject* arguments, PyObject* options) {
    const PyObject* const done = guarded([&] {
        if (PyTuple_GET_SIZE(arguments) > 0) {
            throw py::type_error("options are given by name, Game(players=3), got " + shown(arguments));
        }
        const auto given = options == nullptr ? py::dict() : py::reinterpret_borrow<py::dict>(options);
        GameObject& object = game_in(self);
        const GameKind& kind = object.type->kind;
        auto game = kind.make(kind, read_options(kind, given));
        if (object.game == nullptr) object.game = game.release();  // states hold on to the first
        return self;
    });
    return done == nullptr ? -1 : 0;
}

void dealloc_game(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    if (game_in(self).weak_references != nullptr) PyObject_ClearWeakRefs(self);
    delete game_in(self).game;
    type->tp_free(self);
    Py_DECREF(type);
}

[[nodiscard]] py::dict rules_dict(const AnyGame& game) { return from_value(Value(game.rules())); }

// Names, sizes, bounds and flags of a game.
void bind_properties(const Members& members) {
    const auto property = [&members](const char* name, auto ask) {
        members.property(name, documentation("Game", name), [ask](py::handle self) { return ask(game_of(self)); });
    };
    const auto fact = [&property](const char* name, auto member) {
        property(name, [member](const AnyGame& game) { return game.facts().*member; });
    };
    property("name", [](const AnyGame& game) { return game.kind().name; });
    property("rules",
             [](const AnyGame& game) { return py::module_::import("tilery.rules").attr("Rules")(rules_dict(game)); });
    fact("num_players", &GameFacts::num_players);
    fact("fewest_points_win", &GameFacts::fewest_points_win);
    fact("num_distinct_actions", &GameFacts::num_distinct_actions);
    fact("num_chance_actions", &GameFacts::num_chance_actions);
    fact("max_decisions", &GameFacts::max_decisions);
    fact("max_chance_nodes", &GameFacts::max_chance_nodes);
    fact("max_game_length", &GameFacts::max_game_length);
    fact("hides_information", &GameFacts::hides_information);
    fact("min_utility", &GameFacts::min_utility);
    fact("score_sources", &GameFacts::score_sources);
    fact("num_inputs", &GameFacts::num_inputs);
    property("input_names", [](const AnyGame& game) {
        py::list names;
        for (std::size_t id = 0; id < game.facts().num_inputs; ++id) {
            names.append(game.input_name(static_cast<InputId>(id)));
        }
        return names;
    });
    property("max_utility", [](const AnyGame&) { return 1.0; });
    property("utility_sum", [](const AnyGame&) { return 0.0; });
    property("observation_tensor_shape",
             [](const AnyGame& game) { return py::tuple(py::cast(game.facts().observation_shape)); });
    property("observation_parts", [](const AnyGame& game) {
        const py::object kind = py::module_::import("tilery.protocol").attr("ObservationPart");
        py::list parts;
        for (const ObservationPart& part : game.facts().observation_parts) {
            const py::tuple shape(py::cast(part.shape));
            parts.append(kind(part.name, part.offset, shape, 0.0F, part.high(), part.divisor));
        }
        return parts;
    });
}

// The makers of states: from nothing, from bytes or words, and the driver.
void bind_states(const Members& members, const GameKind& kind) {
    const auto doc_of = [](const char* member) { return documentation("Game", member); };
    // A new state that fill(game, state) fills.
    const auto filled = [](py::handle self, const auto& fill) {
        const AnyGame& game = game_of(self);
        py::object state = new_state(self);
        fill(game, reinterpret_cast<StateObject*>(state.ptr())->state());
        return state;
    };
    members.method("new_initial_state", doc_of("new_initial_state"), [filled](py::handle self) {
        return filled(self, [](const AnyGame& game, void* state) { game.initial_state(state); });
    });
    members.method(
        "deserialize_state", doc_of("deserialize_state"),
        [filled](py::handle self, const py::object& data) {
            static_cast<void>(game_of(self));
            const auto view = py::reinterpret_steal<py::object>(PyBytes_FromObject(data.ptr()));
            if (!view || PyUnicode_Check(data.ptr()) || PyLong_Check(data.ptr())) {
                if (!view) drop_error();
                throw StateDataError("serialized state must be bytes, got " +
                                     std::string(Py_TYPE(data.ptr())->tp_name));
            }
            const std::string_view bytes(PyBytes_AS_STRING(view.ptr()),
                                         static_cast<std::size_t>(PyBytes_GET_SIZE(view.ptr())));
            return filled(self, [bytes](const AnyGame& game, void* state) { game.deserialize(bytes, state); });
        },
        py::arg("data"), py::pos_only());
    members.method(
        "driver", doc_of("driver"),
        [](py::handle self, const py::object& seed, const py::object& index) {
            static_cast<void>(game_of(self));
            const std::uint64_t stream = to_seed(seed, "seed"), game = to_seed(index, "index");
            return py::reinterpret_steal<py::object>(new_driver(self.ptr(), stream, game));
        },
        py::kw_only(), py::arg("seed") = 0, py::arg("index") = 0);
    if (!kind.has_position) return;
    members.method(
        "state_from_dict", doc_of("state_from_dict"),
        [filled](py::handle self, const py::object& position) {
            static_cast<void>(game_of(self));
            Value value;
            try {
                value = to_value(position, "position");
            } catch (const OptionError& error) {
                throw StateDataError(error.what());
            }
            return filled(self, [&value](const AnyGame& game, void* state) { game.state_of(value, state); });
        },
        py::arg("position"), py::pos_only());
}

// Ids, tokens and words.
void bind_actions(const Members& members) {
    const auto of_action = [&](const char* name, auto ask) {
        members.method(
            name, documentation("Game", name),
            [ask](py::handle self, const py::object& action) {
                const AnyGame& game = game_of(self);
                try {
                    return (game.*ask)(to_action(action.ptr()));
                } catch (const IllegalActionError& error) {  // here it is not the action of a move
                    throw ParseError(error.what());
                }
            },
            py::arg("action"), py::pos_only());
    };
    of_action("action_to_string", &AnyGame::action_to_string);
    of_action("describe_action", &AnyGame::describe_action);
    of_action("picks", &AnyGame::picks);
    members.method(
        "string_to_action", documentation("Game", "string_to_action"),
        [](py::handle self, const py::object& token) { return game_of(self).string_to_action(to_token(token.ptr())); },
        py::arg("token"), py::pos_only());
    members.method(
        "describe_pick", documentation("Game", "describe_pick"),
        [](py::handle self, const py::object& pick) {
            const AnyGame& game = game_of(self);
            if (!PyUnicode_Check(pick.ptr())) throw py::value_error("a pick must be a str, got " + shown(pick));
            return game.describe_pick(text_of(pick, "a pick"));
        },
        py::arg("pick"), py::pos_only());
}

// The options that differ from their defaults, and always the number of players.
[[nodiscard]] std::string representation(const AnyGame& game) {
    const py::dict all = rules_dict(game), defaults = from_value(Value(game.kind().defaults));
    std::string options;
    for (const auto& [option, value] : all) {
        const auto name = py::cast<std::string>(option);
        if (name != "players" && value.equal(defaults[option])) continue;
        options += (options.empty() ? "" : ", ") + name + "=" + py::cast<std::string>(py::repr(value));
    }
    return "tilery." + std::string(game.kind().name) + ".Game(" + options + ")";
}

// Games are values: equal where their rules are, hashable, copied as themselves, pickled as their options.
void bind_as_value(const Members& members) {
    members.method("__eq__", nullptr, [](py::handle self, const py::object& other) -> py::object {
        const AnyGame& game = game_of(self);
        if (Py_TYPE(other.ptr()) != Py_TYPE(self.ptr())) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
        return py::bool_(game.same_rules(game_of(other)));
    });
    members.method("__hash__", nullptr,
                   [](py::handle self) { return py::hash(py::int_(game_of(self).fingerprint())); });
    members.method("__copy__", nullptr, [](py::object self) { return self; });
    members.method("__deepcopy__", nullptr, [](py::object self, const py::object&) { return self; });
    members.method("__reduce__", nullptr, [](py::handle self) {
        const py::dict options = rules_dict(game_of(self));
        const py::object partial = py::module_::import("functools").attr("partial");
        return py::make_tuple(partial(py::type::of(self), **options), py::tuple());
    });
    members.method("__repr__", nullptr, [](py::handle self) { return representation(game_of(self)); });
}

// A capsule around the C++ game of a Python Game. It holds on to the Python object, so that the
// pointer in it is good as long as either of them lives.
[[nodiscard]] py::object handle_capsule(py::handle self) {
    const GameObject& object = game_object(self);
    auto capsule = py::reinterpret_steal<py::object>(
        PyCapsule_New(const_cast<tilery_game*>(c::handle_of(*object.game)), object.type->game_name.c_str(),
                      [](PyObject* it) { Py_XDECREF(static_cast<PyObject*>(PyCapsule_GetContext(it))); }));
    if (!capsule || PyCapsule_SetContext(capsule.ptr(), self.ptr()) != 0) throw py::error_already_set();
    Py_INCREF(self.ptr());
    return capsule;
}

// The description of the kind of a game, and its own calls.
void bind_kind(const Members& members, const GameType& type) {
    members.static_property("__signature__", [&type](const py::object&) {
        return py::module_::import("tilery.options").attr("signature")(type.kind.name);
    });
    members.static_property("state_size", [&type](const py::object&) { return type.kind.state_size; });
    for (const GameView& view : type.kind.properties) {
        members.property(view.name, view.doc, [&view](py::handle self) { return from_shown(view.ask(game_of(self))); });
    }
    for (const Edition& edition : type.kind.editions) {
        if (edition.doc == nullptr) continue;
        members.static_method(edition.name, edition.doc, [&type, &edition](const py::kwargs& options) {
            py::dict all = from_value(Value(edition.options));
            for (const auto& [name, value] : options) all[name] = value;
            return py::handle(reinterpret_cast<PyObject*>(type.game))(**all);
        });
    }
}

void make_game_type(const py::module_& module, GameType& type) {
    PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create_game)},
                           {Py_tp_init, reinterpret_cast<void*>(initialize)},
                           {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_game)},
                           {Py_tp_doc, const_cast<char*>(type.kind.doc)},
                           {0, nullptr}};
    // Final: a subclass could hold a state that holds the game, a cycle that nothing would free, since states take no
    // part in garbage collection (which would cost every clone).
    type.game = make_type(module, type.game_name.c_str(), sizeof(GameObject), 0, slots);
    const Members members(type.game);
    bind_properties(members);
    bind_states(members, type.kind);
    bind_actions(members);
    bind_as_value(members);
    members.method("_c_handle", documentation("Game", "_c_handle"), &handle_capsule);
    bind_simulation(members);
    bind_search(members);
    bind_learning_of_game(members);
    bind_batches(members);
    bind_kind(members, type);
}

[[nodiscard]] py::array from_array(const Array& array) {
    py::array made(py::dtype(array.type), std::vector<py::ssize_t>(array.shape.begin(), array.shape.end()));
    if (!array.data.empty()) std::memcpy(made.mutable_data(), array.data.data(), array.data.size());
    return made;
}

}  // namespace

const GameObject& game_object(py::handle handle) {
    if (Py_TYPE(handle.ptr())->tp_dealloc != dealloc_game) {
        throw py::type_error("expected a game of tilery, got " + std::string(Py_TYPE(handle.ptr())->tp_name));
    }
    const GameObject& object = game_in(handle.ptr());
    if (object.game == nullptr) {
        throw py::type_error("Game.__init__() of " + std::string(object.type->kind.name) + " has not been called");
    }
    return object;
}

PyTypeObject* make_type(const py::module_& module, const char* full_name, std::size_t size, unsigned long flags,
                        PyType_Slot* slots) {
    PyType_Spec spec{full_name, static_cast<int>(size), 0, static_cast<unsigned>(Py_TPFLAGS_DEFAULT | flags), slots};
    PyObject* const type = PyType_FromModuleAndSpec(module.ptr(), &spec, nullptr);
    if (type == nullptr) throw py::error_already_set();
    auto* const made = reinterpret_cast<PyTypeObject*>(type);
    made->tp_weaklistoffset = sizeof(PyObject);
    return made;
}

py::object from_shown(const Shown& shown) {
    struct Maker {
        py::object operator()(const Value& value) const { return from_value(value); }
        py::object operator()(const Array& array) const { return from_array(array); }
        py::object operator()(const Numbers& numbers) const {
            py::dict dict;
            for (const auto& [key, number] : numbers) dict[py::int_(key)] = number;
            return dict;
        }
        py::object operator()(const Tuples& tuples) const {
            py::list list;
            for (const Value& items : tuples.lists.items()) list.append(py::tuple(from_value(items)));
            return list;
        }
    };
    return std::visit(Maker{}, shown);
}

const GameType& bind_game(py::module_& parent, GameKind kind, py::list& names) {
    const std::string name(kind.name), path = "tilery." + name;
    GameType& type = *all_types().emplace_back(std::make_unique<GameType>(
        GameType{std::move(kind), path + ".Game", path + ".State", path + ".Driver", path + "._C_API"}));
    py::module_ module = parent.def_submodule(name.c_str());
    make_game_type(module, type);
    make_state_type(module, type);
    make_driver_type(module, type);
    const auto add = [&module](const char* member, PyTypeObject* made) {
        module.attr(member) = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(made));
    };
    add("Game", type.game);
    add("State", type.state);
    module.attr("options") = from_value(type.kind.options);
    py::dict editions;
    for (const char* const edition : kEditions) editions[edition] = py::dict();
    for (const Edition& edition : type.kind.editions) editions[edition.name] = from_value(Value(edition.options));
    module.attr("editions") = editions;
    module.attr("_C_API") = py::capsule(tilery_find_api(name.c_str()), type.table_name.c_str());
    for (const auto& [constant, value] : type.kind.constants) module.attr(constant) = value;
    names.append(name);
    return type;
}

}  // namespace tilery::bindings
