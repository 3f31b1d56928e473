// SPDX-License-Identifier: MIT
// Policies and searches in Python. python/tilery/policies.py makes the classes of this.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "game_object.hpp"
#include "native_call.hpp"
#include "tilery/search/analysis.hpp"
#include "tilery/search/policy.hpp"

namespace tilery::bindings {

// A policy as a Python object. (pybind11 would take the variant itself apart.)
struct PolicyObject {
    // A player by a network, in a game that it keeps alive. What it found is used again at the next decision.
    struct Player {
        std::thread::id thread;
        py::object game;
        std::shared_ptr<any::AnyChooser> chooser;
    };

    search::Policy policy;
    mutable std::vector<Player> players{};  // those that are not at work; the last of them were last
};

// Adds the type Policy to the module.
void bind_policies(py::module_& module);
// Adds the loading of networks to the module.
void bind_learning(py::module_& module);
// Adds what holds the trees of a search with Python evaluators to the module.
void bind_evaluated(py::module_& module);
[[nodiscard]] py::object make_evaluated(py::object game, const py::list& states, const py::object& rng, double c);

// The one number that a policy takes from an rng: the next of a stream with next(), else the first of the stream
// that the rng stands for (docs/interface.md).
[[nodiscard]] std::uint64_t take_number(const py::object& rng);

// A dict of plain values.
[[nodiscard]] py::dict analysis_dict(const search::Analysis& analysis, const AnyGame& game);

// The bytes of a state of a decision of this game; ValueError naming what else it is.
[[nodiscard]] const void* decision(const GameObject& game, py::handle state);

// The evaluation and the order of a search as Python gave them: each None, a callable, or the address of a function of
// C (tilery/capi.h). The functions made of them borrow these objects and the game.
struct GivenCallbacks {
    py::handle game;
    py::object value = py::none(), order = py::none();

    [[nodiscard]] search::Callbacks read(NativeCall& call) const;
};

// Runs work(control) without the GIL; a signal ends it with the error of its handler. `look`: None, or a function
// called some ten times a second; what it raises ends the work, and a true value tells a search that it has done
// enough.
auto interruptible(unsigned threads, auto&& work, const py::object& look = py::none(),
                   const GivenCallbacks& callbacks = {}) {
    std::atomic<bool> enough{false};
    std::function<void()> progress;
    if (!look.is_none()) progress = [&] { enough = look().cast<bool>(); };
    NativeCall call(1, std::move(progress));
    const search::Callbacks read = callbacks.read(call);
    using Result = decltype(work(search::Control{}));
    return *call.run([&](const GoOn& go_on) -> std::optional<Result> {
        try {
            return work(search::Control{.threads = threads,
                                        .go_on = go_on,
                                        .stop = nullptr,
                                        .enough = &enough,
                                        .callbacks = read.value || read.order ? &read : nullptr});
        } catch (const search::Interrupted&) {
            return std::nullopt;
        }
    });
}

}  // namespace tilery::bindings
