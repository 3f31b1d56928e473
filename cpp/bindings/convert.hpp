// SPDX-License-Identifier: MIT
// Between Python and the core: values, numbers, errors.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery::bindings {

namespace py = pybind11;

// Takes over a new str (or nullptr, after an error that is dropped) and returns it as UTF-8; empty if there is none.
[[nodiscard]] std::string plain_text(PyObject* new_text);
// The repr of an object for an error message, as printable text that is not too long, or its type if the repr fails.
[[nodiscard]] std::string shown(py::handle object);

// Clears the Python error that is set, for one that says more. What ends a program (KeyboardInterrupt, SystemExit) and
// lack of memory is not a fault of the argument, and is thrown.
void drop_error();
// The attribute, or null if there is none. Errors other than AttributeError are thrown.
[[nodiscard]] py::object optional_attribute(py::handle object, const char* name);

// A str as UTF-8; OptionError naming `what` if it is not a str of valid Unicode.
[[nodiscard]] std::string text_of(py::handle object, const std::string& what);
// A Python value as the core knows values; OptionError names `what` if it is of no such form.
[[nodiscard]] Value to_value(py::handle object, const std::string& what);
[[nodiscard]] py::object from_value(const Value& value);

// The same, with a path to a JSON file read first unless it is one of the shipped names.
[[nodiscard]] Value to_value_or_file(py::handle object, const std::string& what, bool shipped);

// The Python int of an action. Ints are kept for good once made, since lists of them are what a Python loop asks for
// most. A new reference.
[[nodiscard]] PyObject* new_action_number(Action action);
inline std::vector<PyObject*> kept_numbers;
[[nodiscard]] inline PyObject* action_number(Action action) {
    const auto index = static_cast<std::size_t>(action);  // no index at all if negative
    if (index >= kept_numbers.size() || kept_numbers[index] == nullptr) return new_action_number(action);
    return Py_NewRef(kept_numbers[index]);
}

// Makes room to keep the ints of all actions below this, if they are not too many.
[[nodiscard]] bool keep_numbers(Action end);

// The action a Python int means; IllegalActionError if it is not an int or beyond all ids.
[[nodiscard]] Action to_action(PyObject* object);
// The player a Python int means; ValueError unless in [0, num_players).
[[nodiscard]] Player to_player(PyObject* object, int num_players);
// The int in [low, high] that an object is, if it is one.
[[nodiscard]] std::optional<std::uint64_t> integer_in(PyObject* object, std::uint64_t low, std::uint64_t high);
// The same of an argument; ValueError naming it otherwise.
[[nodiscard]] std::uint64_t to_integer(PyObject* object, const char* name, std::uint64_t low, std::uint64_t high);
// The text of a token; ParseError if it is not a str of valid Unicode. It lives as long as the object.
[[nodiscard]] std::string_view to_token(PyObject* object);
// The number that a seed or an index of a stream is; ValueError naming it unless an int in [0, 2**64).
[[nodiscard]] std::uint64_t to_seed(py::handle seed, const char* name);

// Whether an argument is true; null, where it is not given, is false.
[[nodiscard]] bool is_true(PyObject* flag);

// The arguments of a raw method of this signature, nullptr where one is not given; TypeError as Python raises it.
struct Signature {
    const char* method;
    std::span<const char* const> names;
    std::size_t required;       // must be given
    std::size_t by_place_only;  // the first ones, without a keyword
    std::size_t by_place;       // may be given without a keyword
};
void parse_arguments(const Signature& signature, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords,
                     std::span<PyObject*> into);

// The docstring of a member of "Game", "State", "View" or "Driver" in tilery.protocol; it is never freed.
[[nodiscard]] const char* documentation(const char* kind, const char* member);
// Gives the methods and properties of a raw type their docstrings.
void document(const char* kind, PyMethodDef* methods, PyGetSetDef* properties);

// Makes the core's errors the classes of tilery.errors; call once.
void register_errors();

// Runs the body of a raw method: its result, or nullptr with the Python error set. Where the C library ends
// a thread by unwinding (a daemon thread that asks for the GIL of an interpreter that has ended), it must pass.
template <class F>
PyObject* guarded(F&& body) {
    try {
        return std::forward<F>(body)();
#ifdef __GLIBCXX__
    } catch (abi::__forced_unwind&) {
        throw;
#endif
    } catch (...) {
        py::detail::try_translate_exceptions();
        return nullptr;
    }
}

}  // namespace tilery::bindings
