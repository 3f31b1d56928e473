// SPDX-License-Identifier: MIT
// A state as a Python object: a plain CPython type with the state's bytes inside it. The calls of
// rule G-4 are raw methods, because a Python loop pays for each of them at every step (a pybind11
// method costs some 75 ns, a raw one 7); what is called less often is added with pybind11.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "game_object.hpp"

namespace tilery::bindings {

// The bytes of the state follow, aligned to 8.
struct StateObject {
    PyObject_HEAD PyObject* weak_references;
    PyObject* owner;  // the Python Game; a state means something only together with it
    const AnyGame* game;

    [[nodiscard]] void* state() { return this + 1; }
    [[nodiscard]] const void* state() const { return this + 1; }
};
static_assert(sizeof(StateObject) % 8 == 0);

// Makes the type State of a game.
void make_state_type(const py::module_& module, GameType& type);

// Frees an object that begins as StateObject does.
void dealloc_owned(PyObject* self);

// A new Python state, whose bytes the caller is to fill; `owner` is the Python Game. Null after an error.
[[nodiscard]] StateObject* new_state(PyObject* owner);
// The same with these bytes. A new reference.
[[nodiscard]] PyObject* new_state(PyObject* owner, const void* state);

// A state of this game or of another of the same type; TypeError for anything else.
[[nodiscard]] const StateObject& state_object(py::handle handle, const GameType& type);
// The same, of `rules` or of others that are the same; otherwise the ValueError `refusal`.
[[nodiscard]] const StateObject& state_object(py::handle handle, const GameObject& rules, const char* refusal);

// A state that nothing else writes to while the GIL is released.
class StateCopy {
  public:
    StateCopy(const AnyGame& game, const void* state);
    explicit StateCopy(const AnyGame& game);  // the initial state
    [[nodiscard]] const void* get() const { return words_.data(); }

  private:
    std::vector<std::uint64_t> words_;
};

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
