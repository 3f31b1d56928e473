// SPDX-License-Identifier: MIT
// A state as a Python object: a plain CPython type with the state's bytes inside it. The calls of
// rule G-4 are raw methods, because a Python loop pays for each of them at every step (a pybind11
// method costs some 75 ns, a raw one 7); what is called less often is added with pybind11.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convert.hpp"
#include "native_call.hpp"
#include "rng_object.hpp"
#include "tilery/core/explain.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/core/views.hpp"

namespace tilery::bindings {

template <Game G>
struct StateObject {
    PyObject_HEAD PyObject* owner;  // the Python Game; a state means something only together with it
    const G* game;
    typename G::State state;

    inline static PyTypeObject* type = nullptr;
};

// Makes the type of objects like these, that hold on to a game; `full_name` must outlive it.
template <class Object>
[[nodiscard]] py::object make_type(const py::module_& module, const char* full_name, PyType_Slot* slots) {
    PyType_Spec spec{full_name, sizeof(Object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    auto type = py::reinterpret_steal<py::object>(PyType_FromModuleAndSpec(module.ptr(), &spec, nullptr));
    if (!type) throw py::error_already_set();
    Object::type = reinterpret_cast<PyTypeObject*>(type.ptr());
    return type;
}

template <class Object>
void dealloc(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    Py_DECREF(reinterpret_cast<Object*>(self)->owner);
    type->tp_free(self);
    Py_DECREF(type);
}

// A new Python state; `owner` is the Python object that holds `game`.
template <Game G>
[[nodiscard]] PyObject* new_state(PyObject* owner, const G& game, const typename G::State& state) {
    using Object = StateObject<G>;
    Object* const object = PyObject_New(Object, Object::type);
    if (object == nullptr) return nullptr;
    object->owner = Py_NewRef(owner);
    object->game = &game;
    std::memcpy(&object->state, &state, sizeof state);
    return reinterpret_cast<PyObject*>(object);
}

template <Game G>
[[nodiscard]] StateObject<G>& state_object(py::handle handle) {
    if (Py_TYPE(handle.ptr()) != StateObject<G>::type) {
        throw py::type_error("expected a state of " + std::string(G::kName) + ", got " +
                             std::string(Py_TYPE(handle.ptr())->tp_name));
    }
    return *reinterpret_cast<StateObject<G>*>(handle.ptr());
}

// Builds a list of n items from calls of fill(add), where add takes over a reference.
template <class Fill>
[[nodiscard]] PyObject* new_list(std::size_t n, Fill&& fill) {
    PyObject* const list = PyList_New(static_cast<Py_ssize_t>(n));
    if (list == nullptr) return nullptr;
    Py_ssize_t at = 0;
    fill([&](PyObject* item) { PyList_SET_ITEM(list, at++, item); });
    return list;
}

template <Game G>
[[nodiscard]] PyObject* legal_action_list(const G& game, const typename G::State& state) {
    return with_actions(game, state, [&game](std::uint32_t size, auto&& for_each) {
        return new_action_list(size, game.num_distinct_actions(), for_each);
    });
}

// The array `out` if it has this dtype and shape, is writeable and in C order, a new one if it is None; ValueError
// otherwise.
template <class T>
[[nodiscard]] py::array_t<T> array_for(py::handle out, const std::vector<int>& shape, const char* dtype) {
    if (out.is_none()) return py::array_t<T>(std::vector<py::ssize_t>(shape.begin(), shape.end()));
    if (py::array_t<T, py::array::c_style>::check_(out)) {
        auto array = py::reinterpret_borrow<py::array_t<T>>(out);
        if (array.writeable() && std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim())) {
            return array;
        }
    }
    std::string lengths;
    for (const int length : shape) lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
    throw py::value_error(std::string("out must be a writeable ") + dtype + " array of shape (" + lengths +
                          (shape.size() == 1 ? ",)" : ")") + " in C order, got " + shown(out));
}

// Maps each part of an observation from its bounds to [0, 1].
template <Game G>
void scale_observation(const G& game, std::span<float> values) {
    for (const auto& part : game.observation_parts()) {
        std::size_t size = 1;
        for (const int length : part.shape) size *= static_cast<std::size_t>(length);
        const float high = part.high();
        for (float& value : values.subspan(static_cast<std::size_t>(part.offset), size)) {
            value = high > 0 ? value / high : 0;
        }
    }
}

template <Game G>
[[nodiscard]] py::array_t<float> observation(const G& game, const typename G::State& state, Player player,
                                             py::handle out, bool scaled) {
    py::array_t<float> array = array_for<float>(out, game.observation_shape(), "float32");
    const std::span values(array.mutable_data(), static_cast<std::size_t>(array.size()));
    game.observe(state, player, values);
    if (scaled) scale_observation(game, values);
    return array;
}

// The raw methods. Each is a CPython function on a StateObject<G>.
template <Game G>
struct StateMethods {
    using Object = StateObject<G>;
    using State = typename G::State;

    static Object& of(PyObject* self) { return *reinterpret_cast<Object*>(self); }

    static PyObject* richcompare(PyObject* self, PyObject* other, int operation) {
        if (Py_TYPE(other) != Object::type || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
        return guarded([&] {
            const bool same_rules = of(self).game == of(other).game ||
                                    write_rules(of(self).game->rules()) == write_rules(of(other).game->rules());
            const bool equal = same_rules && same_position(*of(self).game, of(self).state, of(other).state);
            return Py_NewRef((operation == Py_EQ) == equal ? Py_True : Py_False);
        });
    }
    static Py_hash_t hash(PyObject* self) {
        const auto value = static_cast<Py_hash_t>(hash_state(*of(self).game, of(self).state));
        return value == -1 ? -2 : value;
    }
    static PyObject* str(PyObject* self) {
        return guarded([&] { return py::str(of(self).game->to_string(of(self).state)).release().ptr(); });
    }
    static PyObject* repr(PyObject* self) {
        return guarded([&] {
            const Object& object = of(self);
            const Player player = object.game->current_player(object.state);
            std::string text = "<tilery." + std::string(G::kName) + ".State: ";
            text += player == kTerminal ? "over"
                    : player == kChance ? "chance to act"
                                        : "player " + std::to_string(player) + " to act";
            const auto scores = object.game->scores(object.state);
            text += ", scores";
            for (int p = 0; p < object.game->num_players(); ++p)
                text += " " + std::to_string(scores[static_cast<std::size_t>(p)]);
            return py::str(text + ">").release().ptr();
        });
    }

    static PyObject* current_player(PyObject* self, PyObject*) {
        return PyLong_FromLong(of(self).game->current_player(of(self).state));
    }
    static PyObject* is_chance_node(PyObject* self, PyObject*) {
        return PyBool_FromLong(of(self).game->current_player(of(self).state) == kChance);
    }
    static PyObject* is_terminal(PyObject* self, PyObject*) {
        return PyBool_FromLong(of(self).game->current_player(of(self).state) == kTerminal);
    }
    static PyObject* legal_actions(PyObject* self, PyObject*) {
        return guarded([&] { return legal_action_list(*of(self).game, of(self).state); });
    }
    static PyObject* num_legal_actions(PyObject* self, PyObject*) {
        return guarded([&] {
            const Object& object = of(self);
            const auto n = with_actions(*object.game, object.state, [](std::uint32_t size, auto&&) { return size; });
            return PyLong_FromUnsignedLong(n);
        });
    }
    static PyObject* legal_actions_mask(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                                        PyObject* keywords) {
        return guarded([&] {
            static constexpr const char* kNames[] = {"out"};
            PyObject* out = nullptr;
            parse_arguments({"legal_actions_mask", kNames, 0, 0, 1}, arguments, count, keywords, {&out, 1});
            const Object& object = of(self);
            const std::vector<int> shape{object.game->num_distinct_actions()};
            const auto fill = [&object]<class T>(py::array_t<T> mask) {
                T* const data = mask.mutable_data();
                std::memset(data, 0, static_cast<std::size_t>(mask.size()));
                with_actions(*object.game, object.state, [data](std::uint32_t, auto&& for_each) {
                    for_each([data](Action action) { data[action] = T{1}; });
                });
                return mask.release().ptr();
            };
            const py::handle given = out == nullptr ? py::none() : py::handle(out);
            if (py::array_t<std::uint8_t>::check_(given)) return fill(array_for<std::uint8_t>(given, shape, "uint8"));
            if (py::array_t<std::int8_t>::check_(given)) return fill(array_for<std::int8_t>(given, shape, "int8"));
            return fill(array_for<bool>(given, shape, "bool, int8 or uint8"));
        });
    }
    // A list of what make(outcome, weight, total) gives for each outcome; empty unless at a chance node.
    template <class Make>
    static PyObject* outcome_list(PyObject* self, Make&& make) {
        return guarded([&] {
            const Object& object = of(self);
            py::list list;
            if (object.game->current_player(object.state) == kChance) {
                const auto outcomes = object.game->chance_outcomes(object.state);
                outcomes.for_each([&, total = outcomes.total()](Action outcome, std::uint32_t weight) {
                    list.append(py::make_tuple(outcome, make(weight, total)));
                });
            }
            return list.release().ptr();
        });
    }
    static PyObject* chance_outcomes(PyObject* self, PyObject*) {
        return outcome_list(self, [](std::uint32_t weight, std::uint32_t total) {
            return static_cast<double>(weight) / static_cast<double>(total);
        });
    }
    static PyObject* chance_weights(PyObject* self, PyObject*) {
        return outcome_list(self, [](std::uint32_t weight, std::uint32_t) { return weight; });
    }
    static PyObject* apply_action(PyObject* self, PyObject* action) {
        return guarded([&] {
            apply_checked(*of(self).game, of(self).state, to_action(action));
            return Py_NewRef(Py_None);
        });
    }
    static PyObject* child(PyObject* self, PyObject* action) {
        return guarded([&] {
            const Object& object = of(self);
            State state = object.state;
            apply_checked(*object.game, state, to_action(action));
            return new_state(object.owner, *object.game, state);
        });
    }
    static PyObject* random_action(PyObject* self, PyObject* rng) {
        return guarded([&] {
            const Object& object = of(self);
            const RngArgument stream(rng);
            const Player player = object.game->current_player(object.state);
            if (player == kTerminal) throw py::value_error("no action is left: the game is over");
            return action_number(player == kChance ? random_outcome(*object.game, object.state, *stream)
                                                   : random_decision(*object.game, object.state, *stream));
        });
    }
    static PyObject* playout(PyObject* self, PyObject* rng) {
        return guarded([&] {
            const RngArgument stream(rng);
            tilery::playout(*of(self).game, of(self).state, *stream);
            return returns(self, nullptr);
        });
    }
    static PyObject* why_illegal(PyObject* self, PyObject* action) {
        return guarded([&] {
            std::string reason;
            try {
                reason = tilery::why_illegal(*of(self).game, of(self).state, to_action(action));
            } catch (const IllegalActionError& error) {
                if (PyIndex_Check(action) == 0) throw;
                reason = std::string("G-4: ") + error.what();
            }
            return py::str(reason).release().ptr();
        });
    }
    static PyObject* to_string(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
        return guarded([&] {
            static constexpr const char* kNames[] = {"player"};
            PyObject* player = nullptr;
            parse_arguments({"to_string", kNames, 0, 0, 1}, arguments, count, keywords, {&player, 1});
            const Object& object = of(self);
            if (player == nullptr || player == Py_None) return str(self);
            const Player viewer = to_player(player, object.game->num_players());
            return py::str(tilery::to_string(*object.game, object.state, viewer)).release().ptr();
        });
    }
    static PyObject* to_svg(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
        return guarded([&] {
            static constexpr const char* kNames[] = {"player", "last", "targets"};
            std::array<PyObject*, 3> given{};
            parse_arguments({"to_svg", kNames, 0, 0, 3}, arguments, count, keywords, given);
            const Object& object = of(self);
            const auto is_given = [](const PyObject* argument) { return argument != nullptr && argument != Py_None; };
            std::optional<Player> viewer;
            std::optional<Action> last;
            if (is_given(given[0])) viewer = to_player(given[0], object.game->num_players());
            if (is_given(given[1])) last = to_action(given[1]);
            const int targets = given[2] == nullptr ? 0 : PyObject_IsTrue(given[2]);
            if (targets < 0) throw py::error_already_set();
            return py::str(tilery::picture(*object.game, object.state, viewer, last, targets == 1)).release().ptr();
        });
    }
    static PyObject* repr_svg(PyObject* self, PyObject*) {
        return guarded([&] {
            const Object& object = of(self);
            return py::str(tilery::picture(*object.game, object.state, {}, {}, false)).release().ptr();
        });
    }
    static PyObject* public_state_string(PyObject* self, PyObject*) {
        return guarded(
            [&] { return py::str(tilery::public_state_string(*of(self).game, of(self).state)).release().ptr(); });
    }
    static PyObject* information_state_hash(PyObject* self, PyObject* player) {
        return guarded([&] {
            const Object& object = of(self);
            const Player viewer = to_player(player, object.game->num_players());
            return PyLong_FromUnsignedLongLong(tilery::information_state_hash(*object.game, object.state, viewer));
        });
    }
    static PyObject* action_seen_by(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
        return guarded([&] {
            if (count != 2) throw py::type_error("action_seen_by(player, action) takes two arguments");
            const Object& object = of(self);
            const Player player = to_player(arguments[0], object.game->num_players());
            const Action action = to_action(arguments[1]);
            check_legal(*object.game, object.state, action);
            return action_number(tilery::action_seen_by(*object.game, object.state, player, action));
        });
    }
    static PyObject* clone(PyObject* self, PyObject*) {
        return new_state(of(self).owner, *of(self).game, of(self).state);
    }

    static PyObject* scores(PyObject* self, PyObject*) {
        return guarded([&] {
            const auto scores = of(self).game->scores(of(self).state);
            const auto n = static_cast<std::size_t>(of(self).game->num_players());
            return new_list(n, [&](auto add) {
                for (std::size_t p = 0; p < n; ++p) add(PyLong_FromLong(scores[p]));
            });
        });
    }
    static PyObject* returns(PyObject* self, PyObject*) {
        return guarded([&] {
            const auto returns = tilery::returns(*of(self).game, of(self).state);
            const auto n = static_cast<std::size_t>(of(self).game->num_players());
            return new_list(n, [&](auto add) {
                for (std::size_t p = 0; p < n; ++p) add(PyFloat_FromDouble(returns[p]));
            });
        });
    }
    static PyObject* action_to_string(PyObject* self, PyObject* action) {
        return guarded([&] { return py::str(of(self).game->action_to_string(to_action(action))).release().ptr(); });
    }
    static PyObject* string_to_action(PyObject* self, PyObject* token) {
        return guarded([&] { return action_number(of(self).game->string_to_action(to_token(token))); });
    }
    static PyObject* information_state(PyObject* self, PyObject* player) {
        return guarded([&] {
            const Object& object = of(self);
            return from_value(
                       object.game->information_state(object.state, to_player(player, object.game->num_players())))
                .release()
                .ptr();
        });
    }
    static PyObject* information_state_string(PyObject* self, PyObject* player) {
        return guarded([&] {
            const Object& object = of(self);
            const Value value =
                object.game->information_state(object.state, to_player(player, object.game->num_players()));
            return py::str(value.json()).release().ptr();
        });
    }
    static PyObject* observation_tensor(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                                        PyObject* keywords) {
        return guarded([&] {
            static constexpr const char* kNames[] = {"player", "out", "scaled"};
            std::array<PyObject*, 3> given{};
            parse_arguments({"observation_tensor", kNames, 1, 1, 2}, arguments, count, keywords, given);
            const Object& object = of(self);
            const Player player = to_player(given[0], object.game->num_players());
            const int scaled = given[2] == nullptr ? 0 : PyObject_IsTrue(given[2]);
            if (scaled < 0) throw py::error_already_set();
            const py::handle out = given[1] == nullptr ? py::none() : py::handle(given[1]);
            return observation(*object.game, object.state, player, out, scaled == 1).release().ptr();
        });
    }
    static PyObject* determinize(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
        return guarded([&] {
            if (count != 2) throw py::type_error("determinize(player, rng) takes two arguments");
            const Object& object = of(self);
            const Player player = to_player(arguments[0], object.game->num_players());
            const RngArgument rng(arguments[1]);
            State state = object.state;
            object.game->determinize(state, player, *rng);
            return new_state(object.owner, *object.game, state);
        });
    }
    static PyObject* serialize(PyObject* self, PyObject*) {
        return guarded([&] { return py::bytes(tilery::serialize(*of(self).game, of(self).state)).release().ptr(); });
    }
    static PyObject* reduce(PyObject* self, PyObject*) {
        return guarded([&] {
            const py::handle owner = of(self).owner;
            return py::make_tuple(owner.attr("deserialize_state"),
                                  py::make_tuple(py::bytes(tilery::serialize(*of(self).game, of(self).state))))
                .release()
                .ptr();
        });
    }
    static PyObject* perft(PyObject* self, PyObject* depth) {
        return guarded([&] {
            constexpr int kDeepest = 100'000;
            const int levels = to_int(depth, "depth", 0, kDeepest);
            const Object& object = of(self);
            const State start = object.state;
            NativeCall call(4);
            bool finished = true;
            std::uint64_t paths = 0;
            {
                const py::gil_scoped_release release;
                paths = tilery::perft(*object.game, start, levels, [&] { return finished = finished && call.go_on(); });
            }
            if (!finished) call.throw_reason();
            return PyLong_FromUnsignedLongLong(paths);
        });
    }
    static PyObject* get_game(PyObject* self, void*) { return Py_NewRef(of(self).owner); }

    template <auto Method>
    static PyCFunction fast() {
        return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Method));
    }

    static constexpr int kKeywords = METH_FASTCALL | METH_KEYWORDS;
    // Their docstrings are in tilery.protocol.
    static inline PyMethodDef methods[] = {{"current_player", current_player, METH_NOARGS, nullptr},
                                           {"is_chance_node", is_chance_node, METH_NOARGS, nullptr},
                                           {"is_terminal", is_terminal, METH_NOARGS, nullptr},
                                           {"legal_actions", legal_actions, METH_NOARGS, nullptr},
                                           {"num_legal_actions", num_legal_actions, METH_NOARGS, nullptr},
                                           {"legal_actions_mask", fast<legal_actions_mask>(), kKeywords, nullptr},
                                           {"chance_outcomes", chance_outcomes, METH_NOARGS, nullptr},
                                           {"chance_weights", chance_weights, METH_NOARGS, nullptr},
                                           {"apply_action", apply_action, METH_O, nullptr},
                                           {"child", child, METH_O, nullptr},
                                           {"random_action", random_action, METH_O, nullptr},
                                           {"playout", playout, METH_O, nullptr},
                                           {"why_illegal", why_illegal, METH_O, nullptr},
                                           {"clone", clone, METH_NOARGS, nullptr},
                                           {"__copy__", clone, METH_NOARGS, nullptr},
                                           {"__deepcopy__", clone, METH_O, nullptr},
                                           {"scores", scores, METH_NOARGS, nullptr},
                                           {"returns", returns, METH_NOARGS, nullptr},
                                           {"action_to_string", action_to_string, METH_O, nullptr},
                                           {"string_to_action", string_to_action, METH_O, nullptr},
                                           {"to_string", fast<to_string>(), kKeywords, nullptr},
                                           {"to_svg", fast<to_svg>(), kKeywords, nullptr},
                                           {"_repr_svg_", repr_svg, METH_NOARGS, nullptr},
                                           {"information_state", information_state, METH_O, nullptr},
                                           {"information_state_string", information_state_string, METH_O, nullptr},
                                           {"information_state_hash", information_state_hash, METH_O, nullptr},
                                           {"public_state_string", public_state_string, METH_NOARGS, nullptr},
                                           {"action_seen_by", fast<action_seen_by>(), METH_FASTCALL, nullptr},
                                           {"observation_tensor", fast<observation_tensor>(), kKeywords, nullptr},
                                           {"determinize", fast<determinize>(), METH_FASTCALL, nullptr},
                                           {"serialize", serialize, METH_NOARGS, nullptr},
                                           {"perft", perft, METH_O, nullptr},
                                           {"__reduce__", reduce, METH_NOARGS, nullptr},
                                           {nullptr, nullptr, 0, nullptr}};
    static inline PyGetSetDef properties[] = {{"game", get_game, nullptr, nullptr, nullptr},
                                              {nullptr, nullptr, nullptr, nullptr, nullptr}};

    static py::object make_type(const py::module_& module, const char* full_name) {
        document("State", methods, properties);
        static PyType_Slot slots[] = {
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc<Object>)},
            {Py_tp_richcompare, reinterpret_cast<void*>(richcompare)},
            {Py_tp_hash, reinterpret_cast<void*>(hash)},
            {Py_tp_repr, reinterpret_cast<void*>(repr)},
            {Py_tp_str, reinterpret_cast<void*>(str)},
            {Py_tp_methods, methods},
            {Py_tp_getset, properties},
            {Py_tp_doc, const_cast<char*>("One position: a plain value that knows its game.")},
            {0, nullptr}};
        return bindings::make_type<Object>(module, full_name, slots);
    }
};

// Adds a method to the state type; f takes (const G&, const State&, further arguments...).
template <Game G, class F, class... Extra>
void add_view(const py::object& type, const char* name, F f, const Extra&... extra) {
    py::options signatures;
    signatures.disable_function_signatures();
    const auto bind = [&]<class R, class... Args>(R (F::*)(const G&, const typename G::State&, Args...) const) {
        type.attr(name) = py::cpp_function(
            [f](py::handle self, Args... args) {
                const StateObject<G>& object = state_object<G>(self);
                return f(*object.game, object.state, args...);
            },
            py::name(name), py::is_method(type), extra...);
    };
    bind(&F::operator());
}

}  // namespace tilery::bindings
