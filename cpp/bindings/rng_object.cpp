// SPDX-License-Identifier: MIT
#include "rng_object.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "convert.hpp"

namespace tilery::bindings {
namespace {

struct RngObject {
    PyObject_HEAD Rng rng;

    inline static PyTypeObject* type = nullptr;
};

using Words = std::array<std::uint64_t, 2>;
static_assert(sizeof(Words) == sizeof(Rng));

RngObject& rng_in(PyObject* self) { return *reinterpret_cast<RngObject*>(self); }

// A new stream of the type, in this state. Null after an error.
PyObject* new_rng(PyTypeObject* type, const Rng& rng) {
    PyObject* const self = type->tp_alloc(type, 0);
    if (self != nullptr) rng_in(self).rng = rng;
    return self;
}

PyObject* create_rng(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        static char seed_name[] = "seed", index_name[] = "index";
        static char* names[] = {seed_name, index_name, nullptr};
        PyObject *seed = nullptr, *index = nullptr;
        if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:Rng", names, &seed, &index) == 0) return nullptr;
        return new_rng(
            type, Rng(seed == nullptr ? 0 : to_seed(seed, "seed"), index == nullptr ? 0 : to_seed(index, "index")));
    });
}

PyObject* stream_for(PyObject* type, PyObject* arguments, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        static char seed_name[] = "seed", purpose_name[] = "purpose", index_name[] = "index";
        static char* names[] = {seed_name, purpose_name, index_name, nullptr};
        PyObject *seed = nullptr, *purpose = nullptr, *index = nullptr;
        if (PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O:of", names, &seed, &purpose, &index) == 0) {
            return nullptr;
        }
        const Purpose known{to_seed(purpose, "purpose")};
        return new_rng(reinterpret_cast<PyTypeObject*>(type),
                       stream_of(to_seed(seed, "seed"), known, index == nullptr ? 0 : to_seed(index, "index")));
    });
}

PyObject* next(PyObject* self, PyObject*) { return PyLong_FromUnsignedLongLong(rng_in(self).rng.next()); }

PyObject* below(PyObject* self, PyObject* bound) {
    return guarded([&] {
        const std::uint64_t n = to_seed(bound, "n");
        if (n < 1 || n > 0xFFFFFFFFU) {
            throw py::value_error("n must be an integer from 1 to 4294967295, got " + std::to_string(n));
        }
        return PyLong_FromUnsignedLong(rng_in(self).rng.below(static_cast<std::uint32_t>(n)));
    });
}

PyObject* get_state(PyObject* self, PyObject*) {
    const auto words = std::bit_cast<Words>(rng_in(self).rng);
    return Py_BuildValue("KK", words[0], words[1]);
}

PyObject* set_state(PyObject* self, PyObject* state) {
    return guarded([&] {
        if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 2) {
            throw py::value_error("the state of a stream must be a tuple of two numbers, got " + shown(state));
        }
        const Words words{to_seed(PyTuple_GET_ITEM(state, 0), "s0"), to_seed(PyTuple_GET_ITEM(state, 1), "s1")};
        if (words == Words{}) throw py::value_error("the state of a stream must not be zero");
        rng_in(self).rng = std::bit_cast<Rng>(words);
        return Py_NewRef(Py_None);
    });
}

PyObject* reduce_rng(PyObject* self, PyObject*) {
    return Py_BuildValue("O()N", reinterpret_cast<PyObject*>(Py_TYPE(self)), get_state(self, nullptr));
}

PyObject* copy_rng(PyObject* self, PyObject*) { return new_rng(RngObject::type, rng_in(self).rng); }

PyObject* compare_rngs(PyObject* self, PyObject* other, int operation) {
    if (Py_TYPE(other) != RngObject::type || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    const bool equal = std::bit_cast<Words>(rng_in(self).rng) == std::bit_cast<Words>(rng_in(other).rng);
    return Py_NewRef((operation == Py_EQ) == equal ? Py_True : Py_False);
}

PyObject* repr_of_rng(PyObject* self) {
    const auto words = std::bit_cast<Words>(rng_in(self).rng);
    return PyUnicode_FromFormat("<tilery.Rng: state %llu, %llu>", static_cast<unsigned long long>(words[0]),
                                static_cast<unsigned long long>(words[1]));
}

PyMethodDef rng_methods[] = {
    {"next", next, METH_NOARGS, "next($self)\n--\n\nThe next number of the stream, in [0, 2**64)."},
    {"below", below, METH_O,
     "below($self, n, /)\n--\n\nA number in [0, n), 1 <= n < 2**32, from one number of the stream; the bias is below\n"
     "n / 2**64. Raises ValueError for another n."},
    {"of", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(stream_for)),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "of($type, /, seed, purpose, index=0)\n--\n\nThe stream of game index that is for a purpose: 0 for chance, 1 + "
     "seat for the policy of\na seat, 16 + player for what is dealt to a player (docs/interface.md)."},
    {"__getstate__", get_state, METH_NOARGS, nullptr},
    {"__setstate__", set_state, METH_O, nullptr},
    {"__reduce__", reduce_rng, METH_NOARGS, nullptr},
    {"__copy__", copy_rng, METH_NOARGS, nullptr},
    {"__deepcopy__", copy_rng, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

// One 64-bit number from a generator of another kind, if it is one of those we know.
[[nodiscard]] py::object draw_from(py::handle rng) {
    if (optional_attribute(rng, "bit_generator")) {
        const py::object numpy = py::module_::import("numpy");
        const py::object limit = py::int_(1).attr("__lshift__")(64);
        return rng.attr("integers")(0, limit, py::arg("dtype") = numpy.attr("uint64"));
    }
    if (py::isinstance(rng, py::module_::import("random").attr("Random"))) return rng.attr("getrandbits")(64);
    return {};
}

}  // namespace

RngArgument::RngArgument(py::handle rng) {
    if (Py_TYPE(rng.ptr()) == RngObject::type) {
        stream_ = &rng_in(rng.ptr()).rng;
        return;
    }
    if (PyLong_Check(rng.ptr()) == 0) {
        if (const py::object drawn = draw_from(rng)) {
            seeded_ = Rng(to_seed(drawn, "rng: a number that it draws"));
            return;
        }
    }
    if (PyBool_Check(rng.ptr()) != 0 || PyIndex_Check(rng.ptr()) == 0) {
        throw py::value_error(
            "rng must be an int seed, a tilery.Rng, a random.Random or a numpy.random.Generator, got " + shown(rng));
    }
    seeded_ = Rng(to_seed(rng, "rng: a seed"));
}

void bind_rng(py::module_& module) {
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(create_rng)},
        {Py_tp_richcompare, reinterpret_cast<void*>(compare_rngs)},
        {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
        {Py_tp_repr, reinterpret_cast<void*>(repr_of_rng)},
        {Py_tp_methods, rng_methods},
        {Py_tp_doc,
         const_cast<char*>("Rng(seed=0, index=0)\n--\n\nThe random stream (seed, index) of docs/interface.md: the same "
                           "numbers on every platform.\n\n"
                           "Equal by value, copied and pickled with its place in the stream. A call that takes an rng "
                           "advances it.\nRaises ValueError unless both are in [0, 2**64).")},
        {0, nullptr}};
    static PyType_Spec spec{"tilery.Rng", sizeof(RngObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
    auto type = py::reinterpret_steal<py::object>(PyType_FromModuleAndSpec(module.ptr(), &spec, nullptr));
    if (!type) throw py::error_already_set();
    RngObject::type = reinterpret_cast<PyTypeObject*>(type.ptr());
    module.attr("Rng") = type;
}

}  // namespace tilery::bindings
