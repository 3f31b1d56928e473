// SPDX-License-Identifier: MIT
// A driver: one game in progress that owns its random stream and takes chance itself, for loops
// that want one call per decision.
#include <string>

#include "state_object.hpp"
#include "tilery/core/errors.hpp"

namespace tilery::bindings {
namespace {

// The bytes of the slot follow, aligned to 16.
struct alignas(16) DriverObject : OwnedObject {
    std::uint64_t seed;
    std::uint32_t count;  // legal actions of the current decision; 0 when the game is over

    [[nodiscard]] void* slot() { return this + 1; }
};

DriverObject& driver_in(PyObject* self) { return *reinterpret_cast<DriverObject*>(self); }

void begin(DriverObject& driver, std::uint64_t game) {
    driver.count = driver.game->begin(driver.slot(), Rng(driver.seed, game)).num_legal_actions;
}

PyObject* play(PyObject* self, PyObject* argument) {
    return guarded([&] {
        DriverObject& driver = driver_in(self);
        const Action i = to_action(argument);
        if (i < 0 || static_cast<std::uint32_t>(i) >= driver.count) {
            throw IllegalActionError(driver.count == 0 ? "the game is over"
                                                       : "there are " + std::to_string(driver.count) +
                                                             " legal actions, no " + std::to_string(i));
        }
        driver.count = driver.game->play(driver.slot(), static_cast<std::uint32_t>(i)).num_legal_actions;
        return action_number(static_cast<Action>(driver.count));
    });
}
PyObject* driver_choices(PyObject* self, PyObject*) {
    return action_number(static_cast<Action>(driver_in(self).count));
}
PyObject* restart(PyObject* self, PyObject* index) {
    return guarded([&] {
        begin(driver_in(self), to_seed(index, "index"));
        return action_number(static_cast<Action>(driver_in(self).count));
    });
}
PyObject* driver_state(PyObject* self, PyObject*) {
    return guarded([&] { return new_state(driver_in(self).owner, driver_in(self).slot()).release().ptr(); });
}

PyMethodDef driver_methods[] = {{"play", play, METH_O, nullptr},
                                {"num_legal_actions", driver_choices, METH_NOARGS, nullptr},
                                {"restart", restart, METH_O, nullptr},
                                {"state", driver_state, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

}  // namespace

void make_driver_type(const py::module_& module, GameType& type) {
    if (driver_methods[0].ml_doc == nullptr) document("Driver", driver_methods, nullptr);
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_owned)},
        {Py_tp_methods, driver_methods},
        {Py_tp_doc, const_cast<char*>("A game in progress that takes chance itself: one call per decision.")},
        {0, nullptr}};
    type.driver = make_type(module, type.driver_name.c_str(), sizeof(DriverObject) + type.kind.slot_size,
                            Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots);
}

PyObject* new_driver(PyObject* owner, std::uint64_t seed, std::uint64_t game) {
    PyTypeObject* const type = reinterpret_cast<const GameObject*>(owner)->type->driver;
    auto* const driver = static_cast<DriverObject*>(new_owned(type, owner));
    if (driver == nullptr) return nullptr;
    driver->seed = seed;
    begin(*driver, game);
    return reinterpret_cast<PyObject*>(driver);
}

}  // namespace tilery::bindings
