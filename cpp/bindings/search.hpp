// SPDX-License-Identifier: MIT
// Policies and searches in Python. python/tilery/policies.py makes the classes of this.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "native_call.hpp"
#include "state_object.hpp"
#include "tilery/run/policies.hpp"
#include "tilery/search/chooser.hpp"

namespace tilery::bindings {

// A policy as a Python object. (pybind11 would take the variant itself apart.)
struct PolicyObject {
    search::Policy policy;
};

// Adds the type Policy to the module.
void bind_policies(py::module_& module);

// The one number that a policy takes from an rng: the next of a stream with next(), else the first of the stream
// that the rng stands for (docs/interface.md).
[[nodiscard]] std::uint64_t take_number(const py::object& rng);

// A dict of plain values; `tokens` says how actions are written.
[[nodiscard]] py::dict analysis_dict(const search::Analysis& analysis, int num_players,
                                     const std::function<std::string(Action)>& tokens);

// The state of a decision of this game; ValueError naming what else it is.
template <Game G>
[[nodiscard]] const typename G::State& decision(const G& game, const py::object& state) {
    const StateObject<G>& object = state_object<G>(state);
    if (object.game != &game && write_rules(object.game->rules()) != write_rules(game.rules())) {
        throw py::value_error("the state must be of this game, got one of other rules");
    }
    const Player player = game.current_player(object.state);
    if (player == kTerminal) throw py::value_error("a policy cannot choose: the game is over");
    if (player == kChance) throw py::value_error("a policy cannot choose: chance is to act");
    return object.state;
}

// Runs work(control) without the GIL; a signal ends it with the error of its handler.
template <class Work>
auto interruptible(unsigned threads, Work&& work) {
    NativeCall call;
    const search::Control control{.threads = threads, .go_on = [&call] { return call.go_on(); }, .stop = nullptr};
    std::optional<decltype(work(control))> result;
    {
        const py::gil_scoped_release release;
        try {
            result = work(control);
        } catch (const search::Interrupted&) {
        }
    }
    if (!result) call.throw_reason();
    return *std::move(result);
}

// The policies of a line-up: a list with one of each seat, a Policy of the engine or a callable that takes a state,
// the number of its stream and the ids of all actions as that player saw them.
template <Game G>
[[nodiscard]] LineUp<G> read_line_up(const py::object& owner, const py::list& seats, bool rotate) {
    LineUp<G> line_up{.seats = {}, .rotate = rotate};
    for (const py::handle seat : seats) {
        if (py::isinstance<PolicyObject>(seat)) {
            line_up.seats.emplace_back(py::cast<const PolicyObject&>(seat).policy);
            continue;
        }
        line_up.seats.emplace_back(Callback<G>(
            [owner, seat](const typename G::State& state, std::uint64_t luck, const std::vector<Action>& seen) {
                const py::gil_scoped_acquire acquire;
                const G& game = py::cast<const G&>(owner);
                const auto object = py::reinterpret_steal<py::object>(new_state(owner.ptr(), game, state));
                if (!object) throw py::error_already_set();
                return to_action(seat(object, luck, seen).ptr());
            }));
    }
    return line_up;
}

template <Game G>
void bind_search(py::class_<G>& type) {
    type.def(
        "_choose",
        [](const G& game, const PolicyObject& policy, const py::object& state, const py::object& rng) {
            const typename G::State at = decision(game, state);
            const std::uint64_t luck = take_number(rng);
            return interruptible(1, [&](const search::Control& control) {
                return search::Chooser<G>(game, policy.policy).choose(at, luck, control);
            });
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::pos_only());
    type.def(
        "_analyse",
        [](const G& game, const PolicyObject& policy, const py::object& state, const py::object& rng,
           unsigned threads) {
            const typename G::State at = decision(game, state);
            const std::uint64_t luck = take_number(rng);
            const search::Analysis analysis = interruptible(threads, [&](const search::Control& control) {
                return search::Chooser<G>(game, policy.policy).analyse(at, luck, control);
            });
            return analysis_dict(analysis, game.num_players(),
                                 [&game](Action action) { return game.action_to_string(action); });
        },
        py::arg("policy"), py::arg("state"), py::arg("rng"), py::arg("threads"), py::pos_only());
}

}  // namespace tilery::bindings
