// SPDX-License-Identifier: MIT
// Between Python and the core: values, numbers, errors.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery::bindings {

namespace py = pybind11;

// A Python value as the core knows values; OptionError names `what` if it is of no such form.
[[nodiscard]] Value to_value(py::handle object, const std::string& what);
[[nodiscard]] py::object from_value(const Value& value);

// The same, with a path to a JSON file read first unless it is one of the shipped names.
[[nodiscard]] Value to_value_or_file(py::handle object, const std::string& what, bool shipped);

// The Python int of an action. Ints above 256 are kept for good once made, since lists of them
// are what a Python loop asks for most. A new reference.
[[nodiscard]] PyObject* new_action_number(Action action);
inline std::vector<PyObject*> kept_numbers;
[[nodiscard]] inline PyObject* action_number(Action action) {
    const auto index = static_cast<std::size_t>(action);  // no index at all if negative
    if (index >= kept_numbers.size() || kept_numbers[index] == nullptr) return new_action_number(action);
    return Py_NewRef(kept_numbers[index]);
}

// The action a Python int means; IllegalActionError if it is beyond all ids, error_already_set
// (TypeError) if it is no int.
[[nodiscard]] Action to_action(PyObject* object);
// The player a Python int means; ValueError unless in [0, num_players).
[[nodiscard]] Player to_player(PyObject* object, int num_players);
// The text of a token; ParseError if it is a str but not Unicode, TypeError if it is no str. It
// lives as long as the object.
[[nodiscard]] std::string_view to_token(PyObject* object);
// The seed an rng argument stands for (docs/interface.md); ValueError if it is none.
[[nodiscard]] std::uint64_t to_seed(py::handle rng);

// Makes the core's errors the classes of tilery.errors; call once.
void register_errors();
// Turns the exception in flight into the Python error of its kind.
void set_python_error() noexcept;

// Runs the body of a raw method: its result, or nullptr with the Python error set.
template <class F>
PyObject* guarded(F&& body) noexcept {
    try {
        return std::forward<F>(body)();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

}  // namespace tilery::bindings
