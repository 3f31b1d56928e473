// SPDX-License-Identifier: MIT
#include "types.hpp"

#include <structmember.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "convert.hpp"

namespace tilery::bindings {
namespace {

struct Method {
    PyObject_HEAD PyObject *type, *function;
    vectorcallfunc call;
};

Method& method_in(PyObject* self) { return *reinterpret_cast<Method*>(self); }

PyObject* call_method(PyObject* self, PyObject* const* arguments, std::size_t count, PyObject* keywords) {
    return PyObject_Vectorcall(method_in(self).function, arguments, count, keywords);
}

PyObject* get_method(PyObject* self, PyObject* object, PyObject*) {
    return object == nullptr ? Py_NewRef(self) : PyMethod_New(self, object);
}

void dealloc_method(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    Py_DECREF(method_in(self).type);
    Py_DECREF(method_in(self).function);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* attribute_of_function(PyObject* self, void* name) {
    return PyObject_GetAttrString(method_in(self).function, static_cast<const char*>(name));
}

PyObject* qualified_name(PyObject* self, void*) {
    return guarded([self] {
        const py::handle type(method_in(self).type), function(method_in(self).function);
        return py::str("{}.{}").format(type.attr("__qualname__"), function.attr("__name__")).release().ptr();
    });
}

PyObject* repr_of_method(PyObject* self) {
    return guarded([self] {
        const auto* const type = reinterpret_cast<PyTypeObject*>(method_in(self).type);
        const py::handle function(method_in(self).function);
        return py::str("<method '{}' of '{}' objects>")
            .format(function.attr("__name__"), type->tp_name)
            .release()
            .ptr();
    });
}

PyObject* reduce_method(PyObject* self, PyObject*) {
    return guarded([self] {
        const py::handle type(method_in(self).type), function(method_in(self).function);
        const py::object find = py::module_::import("builtins").attr("getattr");
        return py::make_tuple(find, py::make_tuple(type, function.attr("__name__"))).release().ptr();
    });
}

[[nodiscard]] py::object make_method_type() {
    static char name[] = "__name__", doc[] = "__doc__", module[] = "__module__", signature[] = "__text_signature__";
    static PyGetSetDef attributes[] = {{name, attribute_of_function, nullptr, nullptr, name},
                                       {doc, attribute_of_function, nullptr, nullptr, doc},
                                       {module, attribute_of_function, nullptr, nullptr, module},
                                       {signature, attribute_of_function, nullptr, nullptr, signature},
                                       {"__qualname__", qualified_name, nullptr, nullptr, nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};
    static PyMemberDef members[] = {{"__objclass__", T_OBJECT_EX, offsetof(Method, type), READONLY, nullptr},
                                    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Method, call), READONLY, nullptr},
                                    {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef reduces[] = {{"__reduce__", reduce_method, METH_NOARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                  {Py_tp_descr_get, reinterpret_cast<void*>(get_method)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_method)},
                                  {Py_tp_repr, reinterpret_cast<void*>(repr_of_method)},
                                  {Py_tp_getset, attributes},
                                  {Py_tp_members, members},
                                  {Py_tp_methods, reduces},
                                  {0, nullptr}};
    static PyType_Spec spec{"tilery._core.method", sizeof(Method), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                                Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                            slots};
    auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
    if (!type) throw py::error_already_set();
    return type;
}

[[nodiscard]] py::object make_method(const py::object& type, py::handle function) {
    static const py::handle kind = make_method_type().release();
    auto* const raw = reinterpret_cast<PyTypeObject*>(kind.ptr());
    auto made = py::reinterpret_steal<py::object>(raw->tp_alloc(raw, 0));
    if (!made) throw py::error_already_set();
    Method& method = method_in(made.ptr());
    method.type = Py_NewRef(type.ptr());
    method.function = Py_NewRef(function.ptr());
    method.call = call_method;
    return made;
}

void name_methods(const py::object& type) {
    for (const auto& [name, member] : py::dict(type.attr("__dict__"))) {  // a copy
        const bool of_pybind11 = py::cast<std::string>(name).starts_with("_pybind11");
        if (PyInstanceMethod_Check(member.ptr()) && !of_pybind11) {
            type.attr(name) = make_method(type, PyInstanceMethod_GET_FUNCTION(member.ptr()));
        } else if (PyObject_TypeCheck(member.ptr(), &PyStaticMethod_Type) != 0) {
            type.attr(name) = py::staticmethod(make_method(type, member.attr("__func__")));
        }
    }
}

[[nodiscard]] PyTypeObject* base_type() {
    return reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
}

}  // namespace

void guard_instances() {
    static const newfunc original = base_type()->tp_new;
    base_type()->tp_new = [](PyTypeObject* type, PyObject* arguments, PyObject* keywords) -> PyObject* {
        try {
            return original(type, arguments, keywords);
        } catch (const std::runtime_error&) {
            return PyErr_Format(PyExc_TypeError, "cannot create instances of %s", type->tp_name);
        }
    };
}

void seal(const py::object& type) {
    name_methods(type);
    auto* const raw = reinterpret_cast<PyTypeObject*>(type.ptr());
    raw->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
    PyType_Modified(raw);
}

void seal_class(const py::object& type) {
    // Python refuses the __new__ of a base type for a type that has a tp_new of its own.
    reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = [](PyTypeObject* kind, PyObject* arguments,
                                                             PyObject* keywords) -> PyObject* {
        return base_type()->tp_new(kind, arguments, keywords);
    };
    seal(type);
}

}  // namespace tilery::bindings
