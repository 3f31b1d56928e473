// SPDX-License-Identifier: MIT
#include "search.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rng_object.hpp"
#include "state_object.hpp"
#include "tilery/c/table.hpp"

namespace tilery::bindings {

std::uint64_t take_number(const py::object& rng) {
    if (PyLong_Check(rng.ptr()) == 0) {
        if (const py::object next = optional_attribute(rng, "next")) {
            return to_seed(next(), "rng: a number that next() returns");
        }
    }
    return RngArgument(rng)->next();
}

py::dict analysis_dict(const search::Analysis& analysis, const AnyGame& game) {
    py::dict result = from_value(c::analysis_value(game, analysis, analysis.actions.size()));
    py::list line;
    for (const Action action : analysis.line) line.append(game.action_to_string(action));
    result["seconds"] = analysis.seconds;
    result["line"] = line;
    return result;
}

const void* decision(const GameObject& game, py::handle state) {
    const StateObject& object = state_object(state, game);
    const Player player = object.game->current_player(object.state());
    if (player == kTerminal) throw py::value_error("a policy cannot choose: the game is over");
    if (player == kChance) throw py::value_error("a policy cannot choose: chance is to act");
    return object.state();
}

namespace {

// Python converts complex numbers of NumPy to real ones by dropping the imaginary part.
[[nodiscard]] bool is_complex(PyObject* item) {
    return PyComplex_Check(item) || std::strstr(Py_TYPE(item)->tp_name, "complex") != nullptr;
}

// Writes what a function of Python returned: one number for each.
void read_numbers(py::handle returned, const char* of_what, std::size_t count, double* numbers) {
    const auto items = py::reinterpret_steal<py::object>(PySequence_Fast(returned.ptr(), "not a sequence"));
    bool right = items && static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items.ptr())) == count;
    for (std::size_t i = 0; right && i < count; ++i) {
        PyObject* const item = PySequence_Fast_ITEMS(items.ptr())[i];
        numbers[i] = PyFloat_AsDouble(item);
        right = PyFloat_Check(item) || (!is_complex(item) && (numbers[i] != -1 || PyErr_Occurred() == nullptr));
    }
    if (right) return;
    if (PyErr_Occurred() != nullptr) drop_error();
    throw py::value_error(std::string(of_what) + " must return " + std::to_string(count) + " real numbers, got " +
                          shown(returned));
}

// The function at an address that Python gave as an int; null for anything else.
template <class Function>
[[nodiscard]] Function function_at(const py::object& given) {
    if (!py::isinstance<py::int_>(given)) return nullptr;
    return reinterpret_cast<Function>(given.cast<std::uintptr_t>());
}

// The player of this thread in a game, from an earlier call if there was one.
[[nodiscard]] PolicyObject::Player taken(const PolicyObject& policy, py::handle game, const search::Policy& chosen) {
    constexpr std::size_t kMost = 16;
    auto& players = policy.players;
    const auto thread = std::this_thread::get_id();
    const auto mine =
        std::ranges::find_if(players, [&](const auto& each) { return each.thread == thread && each.game.is(game); });
    if (mine == players.end()) {
        if (players.size() == kMost) players.erase(players.begin());
        return {thread, py::reinterpret_borrow<py::object>(game), game_of(game).chooser(chosen)};
    }
    PolicyObject::Player player = std::move(*mine);
    players.erase(mine);
    return player;
}

// The result of ask(chooser, state, luck, control) with the chooser of a policy.
[[nodiscard]] auto asked(py::handle game, const PolicyObject& policy, py::handle state, const py::object& rng,
                         unsigned threads, const py::object& look, const py::object& value, const py::object& order,
                         const auto& ask) {
    const AnyGame& of_it = game_of(game);
    const StateCopy at = copy_of_state(of_it, decision(game_object(game), state));
    const search::Policy chosen = search::resolved(policy.policy, of_it.kind().name);
    const std::uint64_t luck = take_number(rng);
    PolicyObject::Player player = taken(policy, game, chosen);
    const auto found = interruptible(
        threads, [&](const search::Control& control) { return ask(*player.chooser, at.data(), luck, control); }, look,
        {game, value, order});
    // The trees of other policies are large.
    if (std::holds_alternative<search::Nn>(chosen)) policy.players.push_back(std::move(player));
    return found;
}

}  // namespace

search::Callbacks GivenCallbacks::read(NativeCall& call) const {
    if (value.is_none() && order.is_none()) return {};
    search::Callbacks made =
        c::callbacks_of(game_of(game), function_at<tilery_value>(value), function_at<tilery_order>(order), nullptr);
    if (!made.value && !value.is_none()) {
        const auto players = index(game_of(game).num_players());
        made.value = [owner = game, f = py::handle(value), players, &call](const void* state, double* points) {
            const PythonCode in_python(call);
            read_numbers(f(new_state(owner, state)), "value", players, points);
        };
    }
    if (!made.order && !order.is_none()) {
        made.order = [owner = game, f = py::handle(order), &call](const void* state, const Action* actions,
                                                                  std::uint32_t count, double* priorities) {
            const PythonCode in_python(call);
            py::list ids;
            for (std::uint32_t i = 0; i < count; ++i) ids.append(actions[i]);
            read_numbers(f(new_state(owner, state), ids), "order", count, priorities);
        };
    }
    return made;
}

void bind_search(const Members& game) {
    game.method(
        "_choose", nullptr,
        [](py::handle self, const PolicyObject& policy, py::handle state, const py::object& rng, const py::object& look,
           const py::object& value, const py::object& order) {
            return asked(self, policy, state, rng, 1, look, value, order,
                         [](any::AnyChooser& chooser, const auto&... question) { return chooser.choose(question...); });
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::arg("look") = py::none(),
        py::arg("value") = py::none(), py::arg("order") = py::none(), py::pos_only());
    game.method(
        "_analyse", nullptr,
        [](py::handle self, const PolicyObject& policy, py::handle state, const py::object& rng, unsigned threads,
           const py::object& look, const py::object& value, const py::object& order) {
            const search::Analysis analysis =
                asked(self, policy, state, rng, threads, look, value, order,
                      [](any::AnyChooser& chooser, const auto&... question) { return chooser.analyse(question...); });
            return analysis_dict(analysis, game_of(self));
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::arg("threads"), py::arg("look") = py::none(),
        py::arg("value") = py::none(), py::arg("order") = py::none(), py::pos_only());
    game.method("_evaluated", nullptr, &make_evaluated, py::arg("states"), py::arg("rng"), py::arg("c"),
                py::pos_only());
}

void bind_policies(py::module_& module) {
    module.def("take_number", &take_number, "The one number that a policy takes from a source of luck.", py::arg("rng"),
               py::pos_only());
    py::class_<PolicyObject>(module, "Policy", "The parameters of a policy of the engine.", py::is_final())
        .def(py::init([](const py::object& text) {
                 return PolicyObject{search::parse_policy(text_of(text, "the text of a policy"))};
             }),
             py::arg("text"), py::pos_only())
        .def("__str__", [](const PolicyObject& self) { return search::to_string(self.policy); })
        .def("parameters", [](const PolicyObject& self) {
            py::dict all;
            for (const auto& [key, value] : search::parameters_of(self.policy)) {
                all[py::str(key)] =
                    std::visit([](const auto& setting) -> py::object { return py::cast(setting); }, value);
            }
            return all;
        });
}

}  // namespace tilery::bindings
