// SPDX-License-Identifier: MIT
#include "search.hpp"

#include <stdexcept>

#include "rng_object.hpp"
#include "state_object.hpp"

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
    py::list actions, line;
    for (const search::ActionReport& report : analysis.actions) {
        py::list utilities;
        for (std::size_t p = 0; p < index(game.num_players()); ++p) utilities.append(report.utilities[p]);
        py::dict row;
        row["action"] = report.action;
        row["token"] = game.action_to_string(report.action);
        row["visits"] = report.visits;
        row["share"] = report.share;
        row["prior"] = report.prior;
        row["utilities"] = utilities;
        actions.append(row);
    }
    for (const Action action : analysis.line) line.append(game.action_to_string(action));
    py::dict result;
    result["player"] = analysis.player;
    result["simulations"] = analysis.simulations;
    result["seconds"] = analysis.seconds;
    result["best"] = analysis.best;
    result["line"] = line;
    result["actions"] = actions;
    return result;
}

const void* decision(const GameObject& game, py::handle state) {
    const StateObject& object = state_object(state, game, "the state must be of this game, got one of other rules");
    const Player player = object.game->current_player(object.state());
    if (player == kTerminal) throw py::value_error("a policy cannot choose: the game is over");
    if (player == kChance) throw py::value_error("a policy cannot choose: chance is to act");
    return object.state();
}

void bind_search(const Members& game) {
    game.method(
        "_choose", nullptr,
        [](py::handle self, const PolicyObject& policy, py::handle state, const py::object& rng,
           const py::object& look) {
            const AnyGame& of_it = game_of(self);
            const StateCopy at(of_it, decision(game_object(self), state));
            const search::Policy chosen = search::resolved(policy.policy, of_it.kind().name);
            const std::uint64_t luck = take_number(rng);
            return interruptible(
                1, [&](const search::Control& control) { return of_it.choose(chosen, at.get(), luck, control); }, look);
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::arg("look") = py::none(), py::pos_only());
    game.method(
        "_analyse", nullptr,
        [](py::handle self, const PolicyObject& policy, py::handle state, const py::object& rng, unsigned threads,
           const py::object& look) {
            const AnyGame& of_it = game_of(self);
            const StateCopy at(of_it, decision(game_object(self), state));
            const search::Policy chosen = search::resolved(policy.policy, of_it.kind().name);
            const std::uint64_t luck = take_number(rng);
            const search::Analysis analysis = interruptible(
                threads, [&](const search::Control& control) { return of_it.analyse(chosen, at.get(), luck, control); },
                look);
            return analysis_dict(analysis, of_it);
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::arg("threads"), py::arg("look") = py::none(),
        py::pos_only());
    game.method(
        "_evaluated", nullptr,
        [](py::object self, const py::list& states, const py::object& rng, double c) {
            return make_evaluated(std::move(self), states, rng, c);
        },
        py::arg("states"), py::arg("rng"), py::arg("c"), py::pos_only());
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
        .def("parameters",
             [](const PolicyObject& self) {
                 py::dict all;
                 for (const auto& [key, value] : search::parameters_of(self.policy)) {
                     all[py::str(key)] =
                         std::visit([](const auto& setting) -> py::object { return py::cast(setting); }, value);
                 }
                 return all;
             })
        .def_property_readonly(
            "searches", [](const PolicyObject& self) { return search::can_analyse(self.policy); },
            "Whether the policy is a search, which can analyse.");
}

}  // namespace tilery::bindings
