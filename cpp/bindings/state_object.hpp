// SPDX-License-Identifier: MIT
// A state as a Python object: a plain CPython type with the state's bytes inside it. The calls of
// rule G-4 are raw methods, because a Python loop pays for each of them at every step (a pybind11
// method costs some 75 ns, a raw one 7); what is called less often is added with pybind11.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <string>

#include "convert.hpp"
#include "native_call.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"

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
    return with_actions(game, state, [](std::uint32_t size, auto&& for_each) {
        return new_list(size, [&](auto add) { for_each([&](Action action) { add(action_number(action)); }); });
    });
}

template <Game G>
[[nodiscard]] py::array_t<float> observation(const G& game, const typename G::State& state, Player player) {
    const std::vector<int> shape = game.observation_shape();
    py::array_t<float> array(std::vector<py::ssize_t>(shape.begin(), shape.end()));
    game.observe(state, player, std::span(array.mutable_data(), static_cast<std::size_t>(array.size())));
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
    static PyObject* legal_actions_mask(PyObject* self, PyObject*) {
        return guarded([&] {
            const Object& object = of(self);
            py::array_t<bool> mask(object.game->num_distinct_actions());
            bool* const data = mask.mutable_data();
            std::memset(data, 0, static_cast<std::size_t>(mask.size()));
            with_actions(*object.game, object.state, [data](std::uint32_t, auto&& for_each) {
                for_each([data](Action action) { data[action] = true; });
            });
            return mask.release().ptr();
        });
    }
    static PyObject* chance_outcomes(PyObject* self, PyObject*) {
        return guarded([&] {
            const Object& object = of(self);
            py::list list;
            if (object.game->current_player(object.state) == kChance) {
                const auto outcomes = object.game->chance_outcomes(object.state);
                const auto total = static_cast<double>(outcomes.total());
                outcomes.for_each([&](Action outcome, std::uint32_t weight) {
                    list.append(py::make_tuple(outcome, static_cast<double>(weight) / total));
                });
            }
            return list.release().ptr();
        });
    }
    static PyObject* apply_action(PyObject* self, PyObject* action) {
        return guarded([&] {
            apply_checked(*of(self).game, of(self).state, to_action(action));
            return Py_NewRef(Py_None);
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
    static PyObject* observation_tensor(PyObject* self, PyObject* player) {
        return guarded([&] {
            const Object& object = of(self);
            return observation(*object.game, object.state, to_player(player, object.game->num_players()))
                .release()
                .ptr();
        });
    }
    static PyObject* determinize(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
        return guarded([&] {
            if (count != 2) throw py::type_error("determinize(player, rng) takes two arguments");
            const Object& object = of(self);
            const Player player = to_player(arguments[0], object.game->num_players());
            Rng rng(to_stream_seed(arguments[1]));
            State state = object.state;
            object.game->determinize(state, player, rng);
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

    template <PyObject* (*Method)(PyObject*, PyObject* const*, Py_ssize_t)>
    static PyCFunction fast() {
        return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Method));
    }

    static inline PyMethodDef methods[] = {
        {"current_player", current_player, METH_NOARGS,
         "current_player($self)\n--\n\nThe player to act, 0..n-1; -1 at a chance node, -4 when the game is over "
         "(G-4)."},
        {"is_chance_node", is_chance_node, METH_NOARGS, "is_chance_node($self)\n--\n\nWhether chance is to act."},
        {"is_terminal", is_terminal, METH_NOARGS, "is_terminal($self)\n--\n\nWhether the game is over."},
        {"legal_actions", legal_actions, METH_NOARGS,
         "legal_actions($self)\n--\n\nThe legal action ids, ascending, as a list of int; the possible outcomes at a "
         "chance\n"
         "node; empty when the game is over."},
        {"num_legal_actions", num_legal_actions, METH_NOARGS,
         "num_legal_actions($self)\n--\n\nlen(legal_actions()), without making the list."},
        {"legal_actions_mask", legal_actions_mask, METH_NOARGS,
         "legal_actions_mask($self)\n--\n\nbool[num_distinct_actions]: which ids are legal."},
        {"chance_outcomes", chance_outcomes, METH_NOARGS,
         "chance_outcomes($self)\n--\n\n(id, probability) of each outcome, ascending; empty unless at a chance node."},
        {"apply_action", apply_action, METH_O,
         "apply_action($self, action, /)\n--\n\nTake a legal action (or outcome) by its id. Raises IllegalActionError, "
         "a\n"
         "ValueError, for any other id and leaves the state as it was."},
        {"clone", clone, METH_NOARGS, "clone($self)\n--\n\nAn independent copy."},
        {"__copy__", clone, METH_NOARGS, nullptr},
        {"__deepcopy__", clone, METH_O, nullptr},
        {"scores", scores, METH_NOARGS,
         "scores($self)\n--\n\nThe points of all players at this moment, as a list of int."},
        {"returns", returns, METH_NOARGS,
         "returns($self)\n--\n\nThe utilities in [-1, 1] of rule G-6, as a list of float; zeros until the game is "
         "over."},
        {"action_to_string", action_to_string, METH_O,
         "action_to_string($self, action, /)\n--\n\nThe token of an action id (G-7). Raises ParseError for a number "
         "that is no id."},
        {"string_to_action", string_to_action, METH_O,
         "string_to_action($self, token, /)\n--\n\nThe id of a token. Raises ParseError, a ValueError, saying where a "
         "token\n"
         "cannot be read or why it is impossible."},
        {"information_state", information_state, METH_O,
         "information_state($self, player, /)\n--\n\nAll that a player may know, as a dict; see docs/rules."},
        {"information_state_string", information_state_string, METH_O,
         "information_state_string($self, player, /)\n--\n\nAll that a player may know, as one line of JSON; see "
         "docs/rules."},
        {"observation_tensor", observation_tensor, METH_O,
         "observation_tensor($self, player, /)\n--\n\nfloat32[game.observation_tensor_shape]; its planes are in "
         "docs/rules."},
        {"determinize", fast<determinize>(), METH_FASTCALL,
         "determinize($self, player, rng, /)\n--\n\nA state drawn from all those the player cannot tell from this "
         "one.\n"
         "rng: an int seed in [0, 2**64) or a numpy.random.Generator (docs/interface.md)."},
        {"serialize", serialize, METH_NOARGS,
         "serialize($self)\n--\n\nThe state as bytes, for game.deserialize_state."},
        {"perft", perft, METH_O,
         "perft($self, depth, /)\n--\n\nThe number of paths of `depth` actions from here, chance outcomes included."},
        {"__reduce__", reduce, METH_NOARGS, nullptr},
        {nullptr, nullptr, 0, nullptr}};
    static inline PyGetSetDef properties[] = {{"game", get_game, nullptr, "The game this state belongs to.", nullptr},
                                              {nullptr, nullptr, nullptr, nullptr, nullptr}};

    static py::object make_type(const py::module_& module, const char* full_name) {
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
