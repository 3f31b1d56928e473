// SPDX-License-Identifier: MIT
#include "convert.hpp"

#include <string>
#include <vector>

#include "tilery/core/errors.hpp"

namespace tilery::bindings {
namespace {

constexpr int kDeepest = 16;  // of nested lists and mappings in an option

Value to_value(py::handle object, const std::string& what, int depth) {
    const auto refuse = [&what](const std::string& reason) -> void { throw OptionError(what + ": " + reason); };
    if (depth > kDeepest) refuse("nested too deep");
    PyObject* const raw = object.ptr();
    if (object.is_none()) return nullptr;
    if (PyBool_Check(raw)) return raw == Py_True;
    if (std::string_view(Py_TYPE(raw)->tp_name).starts_with("numpy.bool")) return PyObject_IsTrue(raw) == 1;
    if (PyUnicode_Check(raw)) return py::cast<std::string>(object);
    if (PyFloat_Check(raw)) return PyFloat_AS_DOUBLE(raw);
    if (PyIndex_Check(raw)) {
        const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(raw));
        if (number) {
            int overflow = 0;
            const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
            if (overflow == 0) return std::int64_t{value};
            refuse("the number " + py::cast<std::string>(py::str(number)) + " is out of any range");
        }
        PyErr_Clear();
    }
    if (PyMapping_Check(raw) && py::hasattr(object, "items")) {
        Value::Object members;
        for (const py::handle item : py::list(object.attr("items")())) {
            const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
            if (!py::isinstance<py::str>(pair[0])) refuse("a key that is no string");
            const auto key = py::cast<std::string>(pair[0]);
            members.emplace_back(key, to_value(pair[1], what + "." + key, depth + 1));
        }
        return members;
    }
    if (PyList_Check(raw) || PyTuple_Check(raw)) {
        Value::List items;
        for (const py::handle item : py::list(py::reinterpret_borrow<py::object>(object))) {
            items.push_back(to_value(item, what + "[" + std::to_string(items.size()) + "]", depth + 1));
        }
        return items;
    }
    refuse("a value of type " + std::string(Py_TYPE(raw)->tp_name) + " is of no use here");
    return nullptr;
}

// The Python classes of tilery.errors, kept for the life of the process.
struct ErrorClasses {
    PyObject *option = nullptr, *illegal_action = nullptr, *parse = nullptr, *state_data = nullptr, *any = nullptr;
};
ErrorClasses& error_classes() {
    static ErrorClasses classes;
    return classes;
}

bool set_core_error(std::exception_ptr error) noexcept {
    const ErrorClasses& classes = error_classes();
    try {
        std::rethrow_exception(error);
    } catch (const OptionError& e) {
        PyErr_SetString(classes.option, e.what());
    } catch (const IllegalActionError& e) {
        PyErr_SetString(classes.illegal_action, e.what());
    } catch (const ParseError& e) {
        PyErr_SetString(classes.parse, e.what());
    } catch (const StateDataError& e) {
        PyErr_SetString(classes.state_data, e.what());
    } catch (const Error& e) {
        PyErr_SetString(classes.any, e.what());
    } catch (...) {
        return false;
    }
    return true;
}

}  // namespace

Value to_value(py::handle object, const std::string& what) { return to_value(object, what, 0); }

Value to_value_or_file(py::handle object, const std::string& what, bool shipped) {
    const bool path = py::hasattr(object, "__fspath__") || (PyUnicode_Check(object.ptr()) && !shipped);
    if (!path) return to_value(object, what);
    py::object content;
    try {
        const py::object text = py::module_::import("pathlib").attr("Path")(object).attr("read_text")("utf-8");
        content = py::module_::import("json").attr("loads")(text);
    } catch (py::error_already_set& error) {
        throw OptionError(what + ": cannot read the file " + py::cast<std::string>(py::repr(object)) + ": " +
                          py::cast<std::string>(py::str(error.value())));
    }
    return to_value(content, what);
}

py::object from_value(const Value& value) {
    struct Maker {
        py::object operator()(std::nullptr_t) const { return py::none(); }
        py::object operator()(bool flag) const { return py::bool_(flag); }
        py::object operator()(std::int64_t number) const { return py::int_(number); }
        py::object operator()(double number) const { return py::float_(number); }
        py::object operator()(const std::string& text) const { return py::str(text); }
        py::object operator()(const Value::List& items) const {
            py::list list;
            for (const Value& item : items) list.append(from_value(item));
            return list;
        }
        py::object operator()(const Value::Object& members) const {
            py::dict dict;
            for (const auto& [name, member] : members) dict[py::str(name)] = from_value(member);
            return dict;
        }
    };
    return std::visit(Maker{}, value.variant());
}

PyObject* new_action_number(Action action) {
    constexpr Action kMostKept = 1 << 18;
    PyObject* const number = PyLong_FromLong(action);
    if (number == nullptr || action < 0 || action >= kMostKept) return number;
    const auto index = static_cast<std::size_t>(action);
    if (index >= kept_numbers.size()) kept_numbers.resize(index + 1024, nullptr);
    kept_numbers[index] = Py_NewRef(number);
    return number;
}

Action to_action(PyObject* object) {
    py::object index;
    if (!PyLong_CheckExact(object)) {
        index = py::reinterpret_steal<py::object>(PyNumber_Index(object));
        if (!index) throw py::error_already_set();
        object = index.ptr();
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow != 0 || value != static_cast<Action>(value)) {
        throw IllegalActionError("action " + py::cast<std::string>(py::str(py::handle(object))) +
                                 " is no id of any game");
    }
    return static_cast<Action>(value);
}

Player to_player(PyObject* object, int num_players) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (!index) throw py::error_already_set();
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0 || value < 0 || value >= num_players) {
        throw py::value_error("player must be in 0.." + std::to_string(num_players - 1) + ", got " +
                              py::cast<std::string>(py::str(index)));
    }
    return static_cast<Player>(value);
}

std::string_view to_token(PyObject* object) {
    if (!PyUnicode_Check(object)) {
        throw py::type_error("a token is a str, not " + std::string(Py_TYPE(object)->tp_name));
    }
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == nullptr) {
        PyErr_Clear();
        throw ParseError("token, at position 0: not even Unicode, let alone ASCII");
    }
    return {text, static_cast<std::size_t>(size)};
}

std::uint64_t to_seed(py::handle rng) {
    if (py::hasattr(rng, "bit_generator")) {
        const py::object numpy = py::module_::import("numpy");
        const py::object limit = py::int_(1).attr("__lshift__")(64);
        return py::cast<std::uint64_t>(
            py::int_(rng.attr("integers")(0, limit, py::arg("dtype") = numpy.attr("uint64"))));
    }
    if (PyIndex_Check(rng.ptr()) && !PyBool_Check(rng.ptr())) {
        const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(rng.ptr()));
        if (!number) throw py::error_already_set();
        const std::uint64_t seed = PyLong_AsUnsignedLongLong(number.ptr());
        if (PyErr_Occurred() == nullptr) return seed;
        PyErr_Clear();
        throw py::value_error("a seed must be in [0, 2**64), got " + py::cast<std::string>(py::str(number)));
    }
    throw py::value_error("rng must be an int seed or a numpy.random.Generator, got " +
                          py::cast<std::string>(py::repr(rng)));
}

void register_errors() {
    const py::module_ errors = py::module_::import("tilery.errors");
    const auto keep = [&errors](const char* name) { return py::object(errors.attr(name)).release().ptr(); };
    ErrorClasses& classes = error_classes();
    classes.option = keep("OptionError");
    classes.illegal_action = keep("IllegalActionError");
    classes.parse = keep("ParseError");
    classes.state_data = keep("StateDataError");
    classes.any = keep("TileryError");
    py::register_local_exception_translator([](std::exception_ptr error) {
        if (error && !set_core_error(error)) std::rethrow_exception(error);
    });
}

void set_python_error() noexcept {
    const std::exception_ptr error = std::current_exception();
    if (set_core_error(error)) return;
    try {
        std::rethrow_exception(error);
    } catch (py::error_already_set& e) {
        e.restore();
    } catch (const py::builtin_exception& e) {
        e.set_error();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
    }
}

}  // namespace tilery::bindings
