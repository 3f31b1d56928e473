// SPDX-License-Identifier: MIT
// A state as a Python object: a plain CPython type with the state's bytes inside it. The calls of
// rule G-4 are raw methods, because a Python loop pays for each of them at every step (a pybind11
// method costs some 75 ns, a raw one 7); what is called less often is added with pybind11.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

#include "game_object.hpp"

namespace tilery::bindings {

// How objects of a game begin.
struct OwnedObject {
    PyObject_HEAD PyObject* weak_references;
    PyObject* owner;  // the Python Game; a state means something only together with it
    const AnyGame* game;
};
// A new one of a type, to be filled further. Null after an error.
[[nodiscard]] OwnedObject* new_owned(PyTypeObject* type, PyObject* owner);
void dealloc_owned(PyObject* self);

// The bytes of the state follow, aligned to 8.
struct StateObject : OwnedObject {
    [[nodiscard]] void* state() { return this + 1; }
    [[nodiscard]] const void* state() const { return this + 1; }
};
static_assert(sizeof(StateObject) % 8 == 0);

// Makes the type State of a game.
void make_state_type(const py::module_& module, GameType& type);

// A new Python state of a Python Game, with these bytes; without them the caller is to fill it.
[[nodiscard]] py::object new_state(py::handle owner, const void* state = nullptr);

// A state of this game or of another of the same type; TypeError for anything else.
[[nodiscard]] const StateObject& state_object(py::handle handle, const GameType& type);
// The same, of `rules` or of others that are the same; otherwise the ValueError `refusal`.
[[nodiscard]] const StateObject& state_object(
    py::handle handle, const GameObject& rules,
    const char* refusal = "the state must be of this game, got one of other rules");

// A copy of a state, which nothing else writes to while the GIL is released; of the initial state in place of null.
using StateCopy = std::vector<std::uint64_t>;
[[nodiscard]] StateCopy copy_of_state(const AnyGame& game, const void* state);

// A dtype of observations, and the kind of its numbers.
struct NumberType {
    py::dtype dtype;
    NumberKind kind;
};
// The kind of number that a dtype asks for, float32 if it is null; ValueError where observations of the game would not
// be exact.
[[nodiscard]] const NumberType& number_type(py::handle game, py::handle dtype);

// state.observation_tensor() with these arguments, null where one is not given: the observation of a player, as numbers
// of this dtype in the array `out` or a new one; `scaled`: each part from its bounds to [0, 1]. A new reference.
[[nodiscard]] PyObject* observation(const StateObject& state, PyObject* player, PyObject* out, PyObject* dtype,
                                    PyObject* scaled);

}  // namespace tilery::bindings
