// SPDX-License-Identifier: MIT
#include "state_object.hpp"

#include <pybind11/gil_safe_call_once.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "native_call.hpp"
#include "rng_object.hpp"
#include "tilery/core/errors.hpp"

namespace tilery::bindings {
namespace {

StateObject& of(PyObject* self) { return *reinterpret_cast<StateObject*>(self); }

// A new int, float, str or what stands for a Value.
PyObject* new_object(const auto& value) { return py::cast(value).release().ptr(); }
PyObject* new_object(const Value& value) { return from_value(value).release().ptr(); }

// Builds a list of n items from calls of fill(add), where add takes over a reference.
[[nodiscard]] PyObject* new_list(std::size_t n, auto&& fill) {
    PyObject* const list = PyList_New(static_cast<Py_ssize_t>(n));
    if (list == nullptr) return nullptr;
    Py_ssize_t at = 0;
    fill([&](PyObject* item) { PyList_SET_ITEM(list, at++, item); });
    return list;
}

// Kept ints on their way into a list. Not straight into it: making a list may run Python code, which could change the
// state whose actions are being listed.
using Ints = std::vector<void*>;
Ints spare_ints;
constexpr std::size_t kMoreInts = 3;  // for write_actions()

[[nodiscard]] ActionRoom room_in(void* ints, std::uint32_t size) {
    Ints& room = *static_cast<Ints*>(ints);
    room.resize(size + kMoreInts);
    return {room.data(), room.size(), reinterpret_cast<void* const*>(kept_numbers.data())};
}

PyObject* legal_actions(StateObject& self) {
    const AnyGame& game = *self.game;
    const void* const state = self.state();
    Ints ints = std::exchange(spare_ints, {});
    PyObject* list = nullptr;
    if (keep_numbers(game.facts().num_distinct_actions) && game.list_actions(state, {room_in, &ints})) {
        list = new_list(ints.size() - kMoreInts, [&ints](auto add) {
            for (std::size_t i = 0; i < ints.size() - kMoreInts; ++i) add(Py_NewRef(static_cast<PyObject*>(ints[i])));
        });
    } else {  // some ints are not kept yet, or never
        std::vector<Action> actions;
        game.legal_actions(state, actions);
        list = new_list(actions.size(), [&actions](auto add) {
            for (const Action action : actions) add(action_number(action));
        });
        if (PyErr_Occurred() != nullptr) Py_CLEAR(list);
    }
    spare_ints = std::move(ints);
    return list;
}

PyObject* richcompare(PyObject* self, PyObject* other, int operation) {
    if (Py_TYPE(other) != Py_TYPE(self) || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    return guarded([&] {
        const StateObject &a = of(self), &b = of(other);
        const bool equal = a.game->same_rules(*b.game) && a.game->same_position(a.state(), b.state());
        return Py_NewRef((operation == Py_EQ) == equal ? Py_True : Py_False);
    });
}
Py_hash_t hash(PyObject* self) {
    const auto value = static_cast<Py_hash_t>(of(self).game->hash(of(self).state()));
    return value == -1 ? -2 : value;
}

// The methods, as functions of the state that may throw and return a new reference, and what makes of them functions
// for CPython.
struct Arguments {
    PyObject* const* values;
    Py_ssize_t count;
    PyObject* keywords;
};
template <auto f>
PyObject* plain(PyObject* self, PyObject*) {
    return guarded([&] { return f(of(self)); });
}
template <auto f>
PyObject* of_one(PyObject* self, PyObject* argument) {
    return guarded([&] { return f(of(self), argument); });
}
template <auto f>
PyObject* of_two(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&] { return f(of(self), Arguments{arguments, count, nullptr}); });
}
template <auto f>
PyObject* of_named(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&] { return f(of(self), Arguments{arguments, count, keywords}); });
}

// The one argument of a method, which may be left out; then null.
[[nodiscard]] PyObject* one_of(const char* method, const char* name, const Arguments& given) {
    PyObject* argument = nullptr;
    parse_arguments({method, {&name, 1}, 0, 0, 1}, given.values, given.count, given.keywords, {&argument, 1});
    return argument;
}
[[nodiscard]] bool is_given(const PyObject* argument) { return argument != nullptr && argument != Py_None; }
[[nodiscard]] Player player_in(const StateObject& self, PyObject* player) {
    return to_player(player, self.game->num_players());
}

std::string str(const StateObject& self) { return self.game->to_string(self.state(), {}); }
std::string repr(const StateObject& self) {
    const AnyGame& game = *self.game;
    const Player player = game.current_player(self.state());
    std::string text = "<tilery." + std::string(game.kind().name) + ".State: ";
    text += player == kTerminal ? "over"
            : player == kChance ? "chance to act"
                                : "player " + std::to_string(player) + " to act";
    const auto scores = game.scores(self.state());
    text += ", scores";
    for (int p = 0; p < game.num_players(); ++p) text += " " + std::to_string(scores[index(p)]);
    return text + ">";
}
template <auto f>
PyObject* as_text(PyObject* self) {
    return guarded([&] { return new_object(f(of(self))); });
}

PyObject* current_player(PyObject* self, PyObject*) {
    return PyLong_FromLong(of(self).game->current_player(of(self).state()));
}
template <Player player>
PyObject* is_at(PyObject* self, PyObject*) {
    return Py_NewRef(of(self).game->current_player(of(self).state()) == player ? Py_True : Py_False);
}
// What ask(state) of the game says; and of what is known to a player, ask(state, player).
template <auto ask>
PyObject* answer(StateObject& self) {
    return new_object((self.game->*ask)(self.state()));
}
template <auto ask>
PyObject* known(StateObject& self, PyObject* player) {
    return new_object((self.game->*ask)(self.state(), player_in(self, player)));
}
PyObject* legal_actions_mask(StateObject& self, const Arguments& arguments) {
    PyObject* const out = one_of("legal_actions_mask", "out", arguments);
    const py::handle given = out == nullptr ? py::none() : py::handle(out);
    const bool bytes = py::array_t<std::uint8_t>::check_(given) || py::array_t<std::int8_t>::check_(given);
    py::array mask = output(given, bytes ? py::reinterpret_borrow<py::array>(given).dtype() : py::dtype::of<bool>(),
                            {self.game->facts().num_distinct_actions});
    self.game->mask(self.state(), static_cast<std::uint8_t*>(mask.mutable_data()));
    return mask.release().ptr();
}
// A list of what make(weight, total) gives for each outcome, after its id; empty unless at a chance node.
PyObject* outcome_list(const StateObject& self, auto&& make) {
    std::uint32_t total = 0;
    py::list list;
    for (const auto& [outcome, weight] : self.game->chance_outcomes(self.state(), total)) {
        list.append(py::make_tuple(outcome, make(weight, total)));
    }
    return list.release().ptr();
}
PyObject* chance_outcomes(StateObject& self) {
    return outcome_list(self, [](std::uint32_t weight, std::uint32_t total) {
        return static_cast<double>(weight) / static_cast<double>(total);
    });
}
PyObject* chance_weights(StateObject& self) {
    return outcome_list(self, [](std::uint32_t weight, std::uint32_t) { return weight; });
}
PyObject* apply_action(StateObject& self, PyObject* action) {
    self.game->apply_checked(self.state(), to_action(action));
    return Py_NewRef(Py_None);
}

PyObject* clone(PyObject* self, PyObject*) {
    PyTypeObject* const type = Py_TYPE(self);
    auto* const copy = PyObject_New(PyObject, type);
    if (copy == nullptr) return nullptr;
    // All after the head at once: the owner, the game and the bytes of the state.
    std::memcpy(copy + 1, self + 1, static_cast<std::size_t>(type->tp_basicsize) - sizeof(PyObject));
    of(copy).weak_references = nullptr;
    Py_INCREF(of(copy).owner);
    return copy;
}
// A new state on which change(game, state) has been called.
PyObject* changed(StateObject& self, auto&& change) {
    const auto copy = py::reinterpret_steal<py::object>(clone(reinterpret_cast<PyObject*>(&self), nullptr));
    if (!copy) return nullptr;
    change(*self.game, of(copy.ptr()).state());
    return Py_NewRef(copy.ptr());
}
PyObject* child(StateObject& self, PyObject* action) {
    const Action id = to_action(action);
    return changed(self, [id](const AnyGame& game, void* state) { game.apply_checked(state, id); });
}
PyObject* determinize(StateObject& self, const Arguments& arguments) {
    if (arguments.count != 2) throw py::type_error("determinize(player, rng) takes two arguments");
    const Player player = player_in(self, arguments.values[0]);
    const RngArgument rng(arguments.values[1]);
    return changed(self, [&](const AnyGame& game, void* state) { game.determinize(state, player, *rng); });
}
PyObject* seen_by(StateObject& self, PyObject* player) {
    const py::object view = py::module_::import("tilery.seen").attr("SeenState");
    return view(py::handle(reinterpret_cast<PyObject*>(&self)), py::handle(player)).release().ptr();
}
PyObject* random_action(StateObject& self, PyObject* rng) {
    const RngArgument stream(rng);
    if (self.game->current_player(self.state()) == kTerminal) {
        throw py::value_error("no action is left: the game is over");
    }
    return action_number(self.game->random_action(self.state(), *stream));
}

// A list of what ask(state) of the game says of each player.
template <auto ask>
PyObject* of_players(StateObject& self) {
    const auto values = (self.game->*ask)(self.state());
    const auto n = index(self.game->num_players());
    return new_list(n, [&](auto add) {
        for (std::size_t p = 0; p < n; ++p) add(new_object(values[p]));
    });
}
PyObject* playout(StateObject& self, PyObject* rng) {
    const RngArgument stream(rng);
    self.game->playout(self.state(), *stream);
    return of_players<&AnyGame::returns>(self);
}

PyObject* why_illegal(StateObject& self, PyObject* action) {
    std::string reason;
    try {
        reason = self.game->why_illegal(self.state(), to_action(action));
    } catch (const IllegalActionError& error) {
        if (PyIndex_Check(action) == 0) throw;
        reason = std::string("G-4: ") + error.what();
    }
    return new_object(reason);
}
PyObject* score_events(StateObject& self, PyObject* action) {
    return new_object(self.game->score_events(self.state(), to_action(action)));
}
PyObject* to_string(StateObject& self, const Arguments& arguments) {
    PyObject* const player = one_of("to_string", "player", arguments);
    return new_object(is_given(player) ? self.game->to_string(self.state(), player_in(self, player)) : str(self));
}

[[nodiscard]] Part part_of(PyObject* name) {
    const std::string text = text_of(name, "part");
    const auto part = std::ranges::find(kPartNames.begin(), kPartNames.end() - 1, text);
    if (part == kPartNames.end() - 1) {
        throw py::value_error("part must be 'all', 'board' or 'panel', got '" + text + "'");
    }
    return static_cast<Part>(part - kPartNames.begin());
}

PyObject* to_svg(StateObject& self, const Arguments& arguments) {
    static constexpr const char* kNames[] = {"player", "last", "targets", "part", "ghost", "turns"};
    std::array<PyObject*, 6> given{};
    parse_arguments({"to_svg", kNames, 0, 0, 3}, arguments.values, arguments.count, arguments.keywords, given);
    const auto [player, last, targets, part, ghost, turns] = given;
    PictureRequest request;
    if (is_given(player)) request.viewer = player_in(self, player);
    if (is_given(last)) request.last = to_action(last);
    if (is_given(part)) request.part = part_of(part);
    if (is_given(ghost)) request.ghost = to_action(ghost);
    if (is_given(turns)) request.turns = static_cast<int>(to_integer(turns, "turns", 0, 3));
    request.targets = is_true(targets);
    return new_object(self.game->picture(self.state(), request));
}
// A notebook may show the drawing in less room than it takes.
PyObject* repr_svg(StateObject& self) {
    std::string svg = self.game->picture(self.state(), {});
    return new_object(svg.insert(4, " style=\"max-width:100%;height:auto\""));
}
PyObject* panel(StateObject& self, const Arguments& arguments) {
    PyObject* const player = one_of("panel", "player", arguments);
    PictureRequest request{.targets = true, .part = Part::kData};
    if (is_given(player)) request.viewer = player_in(self, player);
    const py::str text(self.game->picture(self.state(), request));
    return py::module_::import("json").attr("loads")(text).release().ptr();
}
PyObject* action_to_string(StateObject& self, PyObject* action) {
    return new_object(self.game->action_to_string(to_action(action)));
}
PyObject* string_to_action(StateObject& self, PyObject* token) {
    return action_number(self.game->string_to_action(to_token(token)));
}

PyObject* information_state_string(StateObject& self, PyObject* player) {
    return new_object(self.game->information_state(self.state(), player_in(self, player)).json());
}
PyObject* action_seen_by(StateObject& self, const Arguments& arguments) {
    if (arguments.count != 2) throw py::type_error("action_seen_by(player, action) takes two arguments");
    const Player player = player_in(self, arguments.values[0]);
    const Action action = to_action(arguments.values[1]);
    return action_number(self.game->action_seen_by(self.state(), player, action));
}
PyObject* inputs(StateObject& self, PyObject* player) {
    Inputs list;
    self.game->inputs(self.state(), player_in(self, player), list);
    return py::array_t<InputId>(static_cast<py::ssize_t>(list.size()), list.begin()).release().ptr();
}
PyObject* observation_tensor(StateObject& self, const Arguments& arguments) {
    static constexpr const char* kNames[] = {"player", "out", "dtype", "scaled"};
    std::array<PyObject*, 4> given{};
    parse_arguments({"observation_tensor", kNames, 1, 1, 2}, arguments.values, arguments.count, arguments.keywords,
                    given);
    return observation(self, given[0], given[1], given[2], given[3]);
}

PyObject* serialize(StateObject& self) { return py::bytes(self.game->serialize(self.state())).release().ptr(); }
PyObject* reduce_state(StateObject& self) {
    const py::bytes bytes(self.game->serialize(self.state()));
    return py::make_tuple(py::handle(self.owner).attr("deserialize_state"), py::make_tuple(bytes)).release().ptr();
}
PyObject* perft(StateObject& self, PyObject* depth) {
    constexpr int kMostLevels = 100'000;
    const auto levels = static_cast<int>(to_integer(depth, "depth", 0, kMostLevels));
    const AnyGame& game = *self.game;
    const StateCopy start = copy_of_state(game, self.state());
    NativeCall call(4);
    return new_object(call.run([&](const GoOn& go_on) { return game.perft(start.data(), levels, go_on); }));
}
PyObject* get_game(PyObject* self, void*) { return Py_NewRef(of(self).owner); }

template <auto Method>
PyCFunction fast() {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Method));
}

constexpr int kKeywords = METH_FASTCALL | METH_KEYWORDS;
// Their docstrings are in tilery.protocol.
PyMethodDef methods[] = {{"current_player", current_player, METH_NOARGS, nullptr},
                         {"is_chance_node", is_at<kChance>, METH_NOARGS, nullptr},
                         {"is_terminal", is_at<kTerminal>, METH_NOARGS, nullptr},
                         {"legal_actions", plain<legal_actions>, METH_NOARGS, nullptr},
                         {"num_legal_actions", plain<answer<&AnyGame::num_legal_actions>>, METH_NOARGS, nullptr},
                         {"legal_actions_mask", fast<of_named<legal_actions_mask>>(), kKeywords, nullptr},
                         {"chance_outcomes", plain<chance_outcomes>, METH_NOARGS, nullptr},
                         {"chance_weights", plain<chance_weights>, METH_NOARGS, nullptr},
                         {"apply_action", of_one<apply_action>, METH_O, nullptr},
                         {"child", of_one<child>, METH_O, nullptr},
                         {"random_action", of_one<random_action>, METH_O, nullptr},
                         {"playout", of_one<playout>, METH_O, nullptr},
                         {"why_illegal", of_one<why_illegal>, METH_O, nullptr},
                         {"score_events", of_one<score_events>, METH_O, nullptr},
                         {"clone", clone, METH_NOARGS, nullptr},
                         {"__copy__", clone, METH_NOARGS, nullptr},
                         {"__deepcopy__", clone, METH_O, nullptr},
                         {"scores", plain<of_players<&AnyGame::scores>>, METH_NOARGS, nullptr},
                         {"scores_if_over", plain<of_players<&AnyGame::scores_if_over>>, METH_NOARGS, nullptr},
                         {"returns", plain<of_players<&AnyGame::returns>>, METH_NOARGS, nullptr},
                         {"action_to_string", of_one<action_to_string>, METH_O, nullptr},
                         {"string_to_action", of_one<string_to_action>, METH_O, nullptr},
                         {"to_string", fast<of_named<to_string>>(), kKeywords, nullptr},
                         {"to_svg", fast<of_named<to_svg>>(), kKeywords, nullptr},
                         {"panel", fast<of_named<panel>>(), kKeywords, nullptr},
                         {"_repr_svg_", plain<repr_svg>, METH_NOARGS, nullptr},
                         {"information_state", of_one<known<&AnyGame::information_state>>, METH_O, nullptr},
                         {"information_state_string", of_one<information_state_string>, METH_O, nullptr},
                         {"information_state_hash", of_one<known<&AnyGame::information_state_hash>>, METH_O, nullptr},
                         {"public_state_string", plain<answer<&AnyGame::public_state_string>>, METH_NOARGS, nullptr},
                         {"action_seen_by", fast<of_two<action_seen_by>>(), METH_FASTCALL, nullptr},
                         {"observation_tensor", fast<of_named<observation_tensor>>(), kKeywords, nullptr},
                         {"inputs", of_one<inputs>, METH_O, nullptr},
                         {"seen_by", of_one<seen_by>, METH_O, nullptr},
                         {"determinize", fast<of_two<determinize>>(), METH_FASTCALL, nullptr},
                         {"serialize", plain<serialize>, METH_NOARGS, nullptr},
                         {"perft", of_one<perft>, METH_O, nullptr},
                         {"__reduce__", plain<reduce_state>, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {{"game", get_game, nullptr, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

// The dtypes of observations, made once, as long as the process lives. While NumPy is imported for them another thread
// may run, which must not wait for this one with the GIL.
const std::array<NumberType, 3>& number_types() {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<std::array<NumberType, 3>> types;
    return types
        .call_once_and_store_result([] {
            return std::array{NumberType{py::dtype::of<float>(), NumberKind::kFloat32},
                              NumberType{py::dtype::of<std::uint8_t>(), NumberKind::kUint8},
                              NumberType{py::dtype::of<std::int16_t>(), NumberKind::kInt16}};
        })
        .get_stored();
}
constexpr std::array kNumberNames{"float32", "uint8", "int16"};

// The type that a dtype asks for. Names are compared first, because NumPy takes longer to find a dtype.
const NumberType& named_type(py::handle dtype) {
    for (std::size_t i = 0; i < kNumberNames.size(); ++i) {
        const NumberType& type = number_types()[i];
        if (dtype.is(type.dtype)) return type;
        if (PyUnicode_Check(dtype.ptr()) && PyUnicode_CompareWithASCIIString(dtype.ptr(), kNumberNames[i]) == 0) {
            return type;
        }
    }
    try {
        const auto wanted = py::dtype::from_args(py::reinterpret_borrow<py::object>(dtype));
        for (const NumberType& type : number_types()) {
            if (wanted.equal(type.dtype)) return type;
        }
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    }
    throw py::value_error("dtype must be float32, uint8 or int16, got " + shown(dtype));
}

// The dtype of rows; it lives as long as the process.
[[nodiscard]] py::handle row_type(const any::RowView& view) {
    py::list names, formats, offsets;
    for (const any::RowField& field : view.fields) {
        names.append(field.name);
        formats.append(field.format);
        offsets.append(field.offset);
    }
    return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(view.size)).release();
}

// The docstring of a view, with its signature in the form that CPython reads.
[[nodiscard]] std::string described(const std::string& name, const char* argument, const char* doc) {
    return name + "(self" + (argument == nullptr ? "" : ", " + std::string(argument) + ", /") + ")\n--\n\n" + doc;
}

// The views of a game besides the common calls, by pybind11.
void bind_views(const GameType& type) {
    const Members members(type.state);
    for (const any::RowView& view : type.kind.rows) {
        if (view.doc == nullptr) continue;
        const std::string name = std::string(view.name) + "_array";
        // The dtype is made at the first call, since tilery imports NumPy when it is first needed.
        members.method(name.c_str(), described(name, nullptr, view.doc).c_str(),
                       [&type, &view, kind = py::handle()](py::handle self) mutable {
                           if (!kind) kind = row_type(view);
                           const StateObject& object = state_object(self, type);
                           // For memory of its own, NumPy would ask each field how it is set to zero.
                           using Rows = std::vector<std::byte>;
                           auto rows = std::make_unique<Rows>(view.ask(*object.game, object.state()));
                           const auto count = static_cast<py::ssize_t>(rows->size() / view.size);
                           const std::byte* const data = rows->data();
                           const py::capsule owner(rows.release(), [](void* kept) { delete static_cast<Rows*>(kept); });
                           return py::array(py::reinterpret_borrow<py::dtype>(kind), {count}, {}, data, owner);
                       });
    }
    for (const StateView& view : type.kind.views) {
        const std::string doc = described(view.name, view.argument, view.doc);
        if (view.argument == nullptr) {
            members.method(view.name, doc.c_str(), [&type, &view](py::handle self) {
                const StateObject& object = state_object(self, type);
                return from_shown(view.ask(*object.game, object.state(), 0));
            });
            continue;
        }
        members.method(
            view.name, doc.c_str(),
            [&type, &view](py::handle self, const py::object& given) {
                const StateObject& object = state_object(self, type);
                const std::size_t limit = index(view.limit > 0 ? view.limit : object.game->num_players());
                const auto argument = static_cast<int>(to_integer(given.ptr(), view.argument, 0, limit - 1));
                return from_shown(view.ask(*object.game, object.state(), argument));
            },
            py::arg(view.argument), py::pos_only());
    }
    if (!type.kind.has_position) return;
    members.method("to_dict", documentation("View", "to_dict"), [&type](py::handle self) {
        const StateObject& object = state_object(self, type);
        return from_value(object.game->position(object.state()));
    });
}

}  // namespace

void make_state_type(const py::module_& module, GameType& type) {
    if (methods[0].ml_doc == nullptr) document("State", methods, properties);
    static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc_owned)},
                                  {Py_tp_richcompare, reinterpret_cast<void*>(richcompare)},
                                  {Py_tp_hash, reinterpret_cast<void*>(hash)},
                                  {Py_tp_repr, reinterpret_cast<void*>(as_text<repr>)},
                                  {Py_tp_str, reinterpret_cast<void*>(as_text<str>)},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, properties},
                                  {Py_tp_doc, const_cast<char*>("One position: a plain value that knows its game.")},
                                  {0, nullptr}};
    type.state = make_type(module, type.state_name.c_str(), sizeof(StateObject) + type.kind.state_size,
                           Py_TPFLAGS_DISALLOW_INSTANTIATION, slots);
    bind_views(type);
}

void dealloc_owned(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    auto& object = *reinterpret_cast<OwnedObject*>(self);
    if (object.weak_references != nullptr) PyObject_ClearWeakRefs(self);
    Py_DECREF(object.owner);
    type->tp_free(self);
    Py_DECREF(type);
}

OwnedObject* new_owned(PyTypeObject* type, PyObject* owner) {
    OwnedObject* const object = PyObject_New(OwnedObject, type);
    if (object == nullptr) return nullptr;
    object->weak_references = nullptr;
    object->owner = Py_NewRef(owner);
    object->game = reinterpret_cast<const GameObject*>(owner)->game;
    return object;
}

py::object new_state(py::handle owner, const void* state) {
    PyTypeObject* const type = reinterpret_cast<const GameObject*>(owner.ptr())->type->state;
    auto* const object = static_cast<StateObject*>(new_owned(type, owner.ptr()));
    if (object == nullptr) throw py::error_already_set();
    if (state != nullptr) std::memcpy(object->state(), state, object->game->kind().state_size);
    return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(object));
}

const StateObject& state_object(py::handle handle, const GameType& type) {
    if (Py_TYPE(handle.ptr()) != type.state) {
        throw py::type_error("expected a state of " + std::string(type.kind.name) + ", got " +
                             std::string(Py_TYPE(handle.ptr())->tp_name));
    }
    return *reinterpret_cast<const StateObject*>(handle.ptr());
}

const StateObject& state_object(py::handle handle, const GameObject& rules, const char* refusal) {
    const StateObject& object = state_object(handle, *rules.type);
    if (!rules.game->same_rules(*object.game)) throw py::value_error(refusal);
    return object;
}

StateCopy copy_of_state(const AnyGame& game, const void* state) {
    StateCopy copy((game.kind().state_size + 7) / 8);
    if (state == nullptr) {
        game.initial_state(copy.data());
    } else {
        std::memcpy(copy.data(), state, game.kind().state_size);
    }
    return copy;
}

const NumberType& number_type(py::handle game, py::handle dtype) {
    if (!dtype) return number_types()[0];
    const NumberType& wanted = named_type(dtype);
    if (const ObservationPart* const part = game_of(game).facts().inexact_in(wanted.kind)) {
        throw py::value_error("dtype " + std::string(py::str(wanted.dtype)) + " is not exact for " + shown(game) +
                              ": the part '" + part->name + "' of its observations has integers up to " +
                              std::to_string(part->most));
    }
    return wanted;
}

PyObject* observation(const StateObject& state, PyObject* player, PyObject* out, PyObject* dtype, PyObject* scaled) {
    const Player viewer = to_player(player, state.game->num_players());
    const bool scales = is_true(scaled);
    const GameFacts& facts = state.game->facts();
    const auto& [wanted, kind] = number_type(state.owner, dtype);
    if (scales && kind != NumberKind::kFloat32) throw py::value_error("scaled: only with dtype float32");
    py::array array = output(out, wanted, {facts.observation_shape.begin(), facts.observation_shape.end()});
    state.game->observe(state.state(), viewer, array.mutable_data(), kind);
    if (!scales) return array.release().ptr();
    const std::span values(static_cast<float*>(array.mutable_data()), facts.observation_size());
    for (const ObservationPart& part : facts.observation_parts) {
        const float high = part.high();
        for (float& value : values.subspan(index(part.offset), size_of(part.shape)))
            value = high > 0 ? value / high : 0;
    }
    return array.release().ptr();
}

}  // namespace tilery::bindings
