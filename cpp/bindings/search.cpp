// SPDX-License-Identifier: MIT
#include "search.hpp"

#include <stdexcept>

#include "rng_object.hpp"

namespace tilery::bindings {

std::uint64_t take_number(const py::object& rng) {
    if (PyLong_Check(rng.ptr()) == 0 && py::hasattr(rng, "next")) return py::cast<std::uint64_t>(rng.attr("next")());
    return RngArgument(rng)->next();
}

py::dict analysis_dict(const search::Analysis& analysis, int num_players,
                       const std::function<std::string(Action)>& tokens) {
    py::list actions, line;
    for (const search::ActionReport& report : analysis.actions) {
        py::list utilities;
        for (std::size_t p = 0; p < static_cast<std::size_t>(num_players); ++p) utilities.append(report.utilities[p]);
        py::dict row;
        row["action"] = report.action;
        row["token"] = tokens(report.action);
        row["visits"] = report.visits;
        row["share"] = report.share;
        row["prior"] = report.prior;
        row["utilities"] = utilities;
        actions.append(row);
    }
    for (const Action action : analysis.line) line.append(tokens(action));
    py::dict result;
    result["player"] = analysis.player;
    result["simulations"] = analysis.simulations;
    result["seconds"] = analysis.seconds;
    result["best"] = analysis.best;
    result["line"] = line;
    result["actions"] = actions;
    return result;
}

void bind_policies(py::module_& module) {
    py::class_<PolicyObject>(module, "Policy", "The parameters of a policy of the engine.")
        .def(py::init([](const std::string& text) { return PolicyObject{search::parse_policy(text)}; }),
             py::arg("text"), py::pos_only())
        .def("__str__", [](const PolicyObject& self) { return search::to_string(self.policy); })
        .def("parameters",
             [](const PolicyObject& self) {
                 py::dict all;
                 for (const auto& [key, value] : search::parameters_of(self.policy)) {
                     all[py::str(key)] = std::visit([](auto number) -> py::object { return py::cast(number); }, value);
                 }
                 return all;
             })
        .def_property_readonly(
            "searches", [](const PolicyObject& self) { return search::budget_of(self.policy) != nullptr; },
            "Whether the policy is a search, which can analyse.");
}

}  // namespace tilery::bindings
