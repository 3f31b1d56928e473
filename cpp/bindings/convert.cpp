// SPDX-License-Identifier: MIT
#include "convert.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tilery/core/errors.hpp"

namespace tilery::bindings {
namespace {

constexpr int kDeepest = 16;  // of nested lists and mappings in an option

// The letters of a str as UTF-8; a null pointer if it is not valid Unicode.
[[nodiscard]] std::string_view letters_of(PyObject* text) {
    Py_ssize_t size = 0;
    const char* const letters = PyUnicode_AsUTF8AndSize(text, &size);
    if (letters != nullptr) return {letters, static_cast<std::size_t>(size)};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeError)) throw py::error_already_set();
    PyErr_Clear();
    return {};
}

// The Python int that an argument is or stands for (__index__), or nothing if it is not an integer. A bool is not one.
[[nodiscard]] py::object integer_of(PyObject* object) {
    if (PyBool_Check(object) || !PyIndex_Check(object)) return {};
    auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (!number) {
        // Objects that only look like a number, such as arrays, are refused. Other errors are its own.
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
        PyErr_Clear();
    }
    return number;
}

[[nodiscard]] py::value_error wrong(const char* name, const std::string& allowed, py::handle given) {
    return py::value_error(printable(std::string(name) + " must be " + allowed + ", got " + shown(given)));
}

// The number as 64 bits, or nothing if it has more or is negative.
[[nodiscard]] std::optional<std::uint64_t> in_64_bits(const py::object& number) {
    const std::uint64_t value = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() == nullptr) return value;
    PyErr_Clear();
    return std::nullopt;
}

// Reads a Python value whose own methods (__index__, __bool__, items) may run any code: what is read is
// held by a reference of our own, and iterated over in a private copy.
[[nodiscard]] Value read_value(const py::object& object, const std::string& what, int depth = 0) {
    const auto refuse = [&what](const std::string& reason) { throw OptionError(what + ": " + reason); };
    PyObject* const raw = object.ptr();
    if (depth > kDeepest) refuse("nested too deeply");
    if (object.is_none()) return nullptr;
    if (PyBool_Check(raw)) return raw == Py_True;
    if (PyUnicode_Check(raw)) return text_of(object, what);
    if (PyFloat_Check(raw)) return PyFloat_AS_DOUBLE(raw);
    if (std::string_view(Py_TYPE(raw)->tp_name).starts_with("numpy.bool")) return is_true(raw);
    if (const py::object number = integer_of(raw)) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
        if (overflow != 0) refuse("the number " + shown(number) + " is out of range");
        return std::int64_t{value};
    }
    if (PyList_Check(raw) || PyTuple_Check(raw)) {
        Value::List list;
        for (const py::handle item : py::tuple(object)) {
            const std::string place = what + "[" + std::to_string(list.size()) + "]";
            list.push_back(read_value(py::reinterpret_borrow<py::object>(item), place, depth + 1));
        }
        return list;
    }
    if (PyMapping_Check(raw)) {
        if (const py::object items = optional_attribute(object, "items")) {
            Value::Object members;
            for (const py::handle item : py::tuple(items())) {
                const py::tuple pair(py::reinterpret_borrow<py::object>(item));
                if (pair.size() != 2) refuse("items() must give pairs, got " + shown(item));
                const std::string key = text_of(pair[0], what + ": a key");
                members.emplace_back(key, read_value(pair[1], what + "." + key, depth + 1));
            }
            return members;
        }
    }
    throw OptionError(what + ": a value of type " + Py_TYPE(raw)->tp_name + " has no meaning here");
}

// The Python classes of tilery.errors by ErrorKind, kept for the life of the process.
constexpr std::array kErrorNames{"OptionError", "IllegalActionError", "ParseError", "StateDataError", "WeightsError"};
std::array<PyObject*, kErrorNames.size()> error_classes{};

// Throws an OptionError about `what`, caused by a Python error of other code; see drop_error().
[[noreturn]] void refuse_because(const std::string& what, py::error_already_set& cause) {
    if (!cause.matches(PyExc_Exception) || cause.matches(PyExc_MemoryError)) throw std::move(cause);
    const std::string kind = Py_TYPE(cause.value().ptr())->tp_name;
    const std::string reason = plain_text(PyObject_Str(cause.value().ptr()));
    PyErr_SetString(error_classes[index(ErrorKind::kOption)],
                    printable(what + ": " + kind + (reason.empty() ? "" : ": ") + reason).c_str());
    py::error_already_set error;
    PyException_SetCause(error.value().ptr(), py::object(cause.value()).release().ptr());
    throw error;
}

}  // namespace

std::string plain_text(PyObject* new_text) {
    const auto text = py::reinterpret_steal<py::object>(new_text);
    const auto bytes = py::reinterpret_steal<py::object>(
        text ? PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace") : nullptr);
    if (!bytes) {
        drop_error();
        return "";
    }
    return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

std::string shown(py::handle object) {
    constexpr std::size_t kLongest = 200;
    const std::string text = printable(plain_text(PyObject_Repr(object.ptr())));
    if (text.empty()) return "an object of type " + std::string(Py_TYPE(object.ptr())->tp_name);
    if (text.size() <= kLongest) return text;
    std::size_t size = kLongest;
    while ((static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;  // not within a character
    return text.substr(0, size) + "...";
}

void drop_error() {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0) {
        throw py::error_already_set();
    }
    PyErr_Clear();
}

py::object optional_attribute(py::handle object, const char* name) {
    auto attribute = py::reinterpret_steal<py::object>(PyObject_GetAttrString(object.ptr(), name));
    if (!attribute) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw py::error_already_set();
        PyErr_Clear();
    }
    return attribute;
}

std::string text_of(py::handle object, const std::string& what) {
    if (!PyUnicode_Check(object.ptr())) throw OptionError(what + " must be a string, got " + shown(object));
    const std::string_view letters = letters_of(object.ptr());
    if (letters.data() != nullptr) return std::string(letters);
    throw OptionError(what + ": " + shown(object) + " is not valid Unicode");
}

Value to_value(py::handle object, const std::string& what) {
    try {
        return read_value(py::reinterpret_borrow<py::object>(object), what);
    } catch (py::error_already_set& error) {
        refuse_because(what, error);
    }
}

Value to_value_or_file(py::handle object, const std::string& what, bool shipped) {
    py::object content;
    try {
        const bool path = PyUnicode_Check(object.ptr()) ? !shipped : bool{optional_attribute(object, "__fspath__")};
        if (!path) return to_value(object, what);
        content = py::module_::import("tilery.files").attr("read_json")(object);
    } catch (py::error_already_set& error) {
        refuse_because(what + ": cannot read the file " + shown(object), error);
    }
    return to_value(content, what);
}

py::object from_value(const Value& value) {
    const auto make = []<class T>(const T& item) -> py::object {
        if constexpr (std::is_same_v<T, Value::List>) {
            py::list list;
            for (const Value& each : item) list.append(from_value(each));
            return list;
        } else if constexpr (std::is_same_v<T, Value::Object>) {
            py::dict dict;
            for (const auto& [name, member] : item) dict[py::str(name)] = from_value(member);
            return dict;
        } else {
            return py::cast(item);
        }
    };
    return std::visit(make, value.variant());
}

bool keep_numbers(Action end) {
    constexpr Action kMost = 1 << 18;
    if (end > kMost) return false;
    if (kept_numbers.size() < index(end)) kept_numbers.resize(index(end), nullptr);
    return true;
}

PyObject* new_action_number(Action action) {
    // Neighbours are made together, since they are used together.
    constexpr Action kTogether = 64;
    if (action < 0 || !keep_numbers(action + 1)) return PyLong_FromLong(action);
    const Action first = action - action % kTogether;
    const Action end = std::min(first + kTogether, number(kept_numbers.size()));
    for (Action next = first; next < end; ++next) {
        PyObject*& kept = kept_numbers[index(next)];
        if (kept != nullptr) continue;
        kept = PyLong_FromLong(next);
        if (kept == nullptr) return nullptr;
    }
    return Py_NewRef(kept_numbers[index(action)]);
}

Action to_action(PyObject* object) {
    py::object index;
    if (!PyLong_CheckExact(object)) {
        index = integer_of(object);
        if (!index) {
            throw IllegalActionError("an action must be an integer id, got " + shown(object) +
                                     (PyUnicode_Check(object) ? "; string_to_action() gives the id of a token" : ""));
        }
        object = index.ptr();
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow != 0 || value != static_cast<Action>(value)) {
        throw IllegalActionError("action " + shown(object) + " is not an id of any game (G-4)");
    }
    return static_cast<Action>(value);
}

std::optional<std::uint64_t> integer_in(PyObject* object, std::uint64_t low, std::uint64_t high) {
    const py::object number = integer_of(object);
    const std::optional<std::uint64_t> value = number ? in_64_bits(number) : std::nullopt;
    return value && *value >= low && *value <= high ? value : std::nullopt;
}

std::uint64_t to_integer(PyObject* object, const char* name, std::uint64_t low, std::uint64_t high) {
    const std::optional<std::uint64_t> value = integer_in(object, low, high);
    if (!value) {
        throw wrong(name, "an integer from " + std::to_string(low) + " to " + std::to_string(high), object);
    }
    return *value;
}

Player to_player(PyObject* object, int num_players) {
    return static_cast<Player>(to_integer(object, "player", 0, index(num_players) - 1));
}

std::string_view to_token(PyObject* object) {
    if (!PyUnicode_Check(object)) throw ParseError("a token must be a str, got " + shown(object));
    const std::string_view letters = letters_of(object);
    if (letters.data() != nullptr) return letters;
    throw ParseError("token " + shown(object) + ", at position 0: not valid Unicode");
}

std::uint64_t to_seed(py::handle seed, const char* name) {
    const py::object number = integer_of(seed.ptr());
    if (!number) throw wrong(name, "an integer in [0, 2**64)", seed);
    if (const auto value = in_64_bits(number)) return *value;
    throw wrong(name, "in [0, 2**64)", number);
}

bool is_true(PyObject* flag) {
    const int truth = flag == nullptr ? 0 : PyObject_IsTrue(flag);
    if (truth < 0) throw py::error_already_set();
    return truth == 1;
}

void parse_arguments(const Signature& signature, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords,
                     std::span<PyObject*> into) {
    const auto refuse = [&signature](const std::string& reason) {
        throw py::type_error(std::string(signature.method) + "() " + reason);
    };
    const auto given = static_cast<std::size_t>(count);
    if (given > signature.by_place) {
        refuse("takes at most " + std::to_string(signature.by_place) + " positional arguments, got " +
               std::to_string(given));
    }
    std::fill(into.begin(), into.end(), nullptr);
    std::copy_n(arguments, given, into.begin());
    const std::size_t named = keywords == nullptr ? 0 : static_cast<std::size_t>(PyTuple_GET_SIZE(keywords));
    for (std::size_t i = 0; i < named; ++i) {
        PyObject* const keyword = PyTuple_GET_ITEM(keywords, static_cast<Py_ssize_t>(i));
        std::size_t at = signature.by_place_only;
        while (at < into.size() && PyUnicode_CompareWithASCIIString(keyword, signature.names[at]) != 0) ++at;
        if (at == into.size()) refuse("has no keyword argument " + shown(keyword));
        if (into[at] != nullptr) refuse("got two values for " + shown(keyword));
        into[at] = arguments[given + i];
    }
    for (std::size_t at = 0; at < signature.required; ++at) {
        if (into[at] == nullptr) refuse("needs the argument '" + std::string(signature.names[at]) + "'");
    }
}

const char* documentation(const char* kind, const char* member) {
    static std::deque<std::string> kept;
    const py::object text = py::module_::import("tilery.protocol").attr("documentation")(kind, member);
    return kept.emplace_back(py::cast<std::string>(text)).c_str();
}

void document(const char* kind, PyMethodDef* methods, PyGetSetDef* properties) {
    for (; methods != nullptr && methods->ml_name != nullptr; ++methods) {
        if (*methods->ml_name != '_') methods->ml_doc = documentation(kind, methods->ml_name);
    }
    for (; properties != nullptr && properties->name != nullptr; ++properties) {
        properties->doc = documentation(kind, properties->name);
    }
}

void register_errors() {
    const py::module_ errors = py::module_::import("tilery.errors");
    for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
        error_classes[kind] = py::object(errors.attr(kErrorNames[kind])).release().ptr();
    }
    py::register_local_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const Error& e) {
            PyErr_SetString(error_classes[index(e.kind)], e.what());
        }
    });
}

}  // namespace tilery::bindings
