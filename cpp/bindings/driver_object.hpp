// SPDX-License-Identifier: MIT
// A driver: one game in progress that owns its random stream and takes chance itself, for loops
// that want one call per decision.
#pragma once

#include <new>

#include "state_object.hpp"
#include "tilery/core/decisions.hpp"

namespace tilery::bindings {

template <Game G>
struct DriverObject {
    PyObject_HEAD PyObject* owner;
    const G* game;
    std::uint64_t seed;
    std::uint32_t count;  // legal actions of the current decision; 0 when the game is over
    std::int8_t player;
    Slot<G> slot;

    inline static PyTypeObject* type = nullptr;
};

template <Game G>
struct DriverMethods {
    using Object = DriverObject<G>;

    static Object& of(PyObject* self) { return *reinterpret_cast<Object*>(self); }

    static PyObject* make(PyObject* owner, const G& game, std::uint64_t seed, std::uint64_t index) {
        Object* const driver = PyObject_New(Object, Object::type);
        if (driver == nullptr) throw py::error_already_set();
        driver->owner = Py_NewRef(owner);
        driver->game = &game;
        driver->seed = seed;
        new (&driver->slot) Slot<G>();
        begin(*driver, index);
        return reinterpret_cast<PyObject*>(driver);
    }
    static void begin(Object& driver, std::uint64_t index) {
        driver.slot.rng = Rng(driver.seed, index);
        driver.slot.state = driver.game->initial_state();
        driver.count = settle(*driver.game, driver.slot).num_legal_actions;
    }

    static PyObject* play(PyObject* self, PyObject* argument) {
        return guarded([&] {
            Object& driver = of(self);
            const Action i = to_action(argument);
            if (i < 0 || static_cast<std::uint32_t>(i) >= driver.count) {
                throw IllegalActionError(driver.count == 0 ? "the game is over"
                                                           : "there are " + std::to_string(driver.count) +
                                                                 " legal actions, no " + std::to_string(i));
            }
            const auto pick = static_cast<std::uint32_t>(i);
            step_slots(*driver.game, &driver.slot, &pick, 1, &driver.count, &driver.player);
            return action_number(static_cast<Action>(driver.count));
        });
    }
    static PyObject* num_legal_actions(PyObject* self, PyObject*) {
        return action_number(static_cast<Action>(of(self).count));
    }
    static PyObject* restart(PyObject* self, PyObject* index) {
        return guarded([&] {
            begin(of(self), to_seed(index, "index"));
            return action_number(static_cast<Action>(of(self).count));
        });
    }
    static PyObject* state(PyObject* self, PyObject*) {
        return new_state(of(self).owner, *of(self).game, of(self).slot.state);
    }

    static inline PyMethodDef methods[] = {{"play", play, METH_O, nullptr},
                                           {"num_legal_actions", num_legal_actions, METH_NOARGS, nullptr},
                                           {"restart", restart, METH_O, nullptr},
                                           {"state", state, METH_NOARGS, nullptr},
                                           {nullptr, nullptr, 0, nullptr}};

    static py::object make_type(const py::module_& module, const char* full_name) {
        document("Driver", methods, nullptr);
        static PyType_Slot slots[] = {
            {Py_tp_dealloc, reinterpret_cast<void*>(dealloc<Object>)},
            {Py_tp_methods, methods},
            {Py_tp_doc, const_cast<char*>("A game in progress that takes chance itself: one call per decision.")},
            {0, nullptr}};
        return bindings::make_type<Object>(module, full_name, slots);
    }
};

}  // namespace tilery::bindings
