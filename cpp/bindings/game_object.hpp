// SPDX-License-Identifier: MIT
// A game as a Python object, and the Python types of each game. The types of all games are made by the same code from
// a GameKind; a game without a source of its own in this folder has nothing else.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "convert.hpp"
#include "tilery/any/game.hpp"

namespace tilery::bindings {

using namespace any;

// The Python types of one game, for the life of the process.
struct GameType {
    GameKind kind;
    std::string game_name, state_name, driver_name, table_name;  // "tilery.GAME.Game", ...
    PyTypeObject *game = nullptr, *state = nullptr, *driver = nullptr;
};

struct GameObject {
    PyObject_HEAD PyObject* weak_references;
    const GameType* type;
    const AnyGame* game;  // null until __init__
};

// The Python Game that this is; TypeError if it is none, or if __init__ has not been called.
[[nodiscard]] const GameObject& game_object(py::handle handle);
[[nodiscard]] inline const AnyGame& game_of(py::handle handle) { return *game_object(handle).game; }

// Makes a type of objects of this size, which begin with their weak references; `full_name` must outlive it.
[[nodiscard]] PyTypeObject* make_type(const py::module_& module, const char* full_name, std::size_t size,
                                      unsigned long flags, PyType_Slot* slots);

// Adds methods and properties to a type whose members are described elsewhere.
class Members {
  public:
    explicit Members(PyTypeObject* type)
        : type_(py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(type))) {}

    // `doc` begins with the signature, in the form that CPython reads.
    template <class F, class... Extra>
    void method(const char* name, const char* doc, F f, const Extra&... extra) const {
        py::options signatures;
        signatures.disable_function_signatures();
        type_.attr(name) = py::cpp_function(std::move(f), py::name(name), py::is_method(type_), doc, extra...);
    }
    // A raw method, whose calls take less than half the time. It must live as long as the process.
    void method(PyMethodDef& method) const {
        auto* const type = reinterpret_cast<PyTypeObject*>(type_.ptr());
        type_.attr(method.ml_name) = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &method));
    }
    void property(const char* name, const char* doc, auto f) const {
        add_property(&PyProperty_Type, name, doc, py::cpp_function(std::move(f)));
    }
    // Read from the type too, with the type as the argument.
    void static_property(const char* name, auto f) const {
        add_property(py::detail::get_internals().static_property_type, name, "", py::cpp_function(std::move(f)));
    }
    void static_method(const char* name, const char* doc, auto f) const {
        py::options signatures;
        signatures.disable_function_signatures();
        type_.attr(name) = py::staticmethod(py::cpp_function(std::move(f), py::name(name), py::scope(type_), doc));
    }

  private:
    void add_property(PyTypeObject* kind, const char* name, const char* doc, const py::cpp_function& get) const {
        type_.attr(name) = py::handle(reinterpret_cast<PyObject*>(kind))(get, py::none(), py::none(), doc);
    }

    py::object type_;
};

// Makes the type Driver of a game.
void make_driver_type(const py::module_& module, GameType& type);
// A new driver at the first decision of a game of the seed; `owner` is the Python Game. A new reference.
[[nodiscard]] PyObject* new_driver(PyObject* owner, std::uint64_t seed, std::uint64_t game);

// Adds the module of a game to the parent, and its name to `games`; returns its types.
const GameType& bind_game(py::module_& parent, GameKind kind, py::list& games);

// The result of a view as a Python object.
[[nodiscard]] py::object from_shown(const Shown& shown);

// Adds the calls of Game that play many games, or search.
void bind_simulation(const Members& game);
void bind_search(const Members& game);
void bind_learning_of_game(const Members& game);
void bind_batches(const Members& game);

}  // namespace tilery::bindings
