// SPDX-License-Identifier: MIT
// Networks in Python: loading them, what they expect of positions, games to learn from, and fitting. tilery.weights and
// tilery.train stand on this.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "game_object.hpp"
#include "search.hpp"
#include "state_object.hpp"
#include "tilery/net/fit.hpp"
#include "tilery/net/shelf.hpp"

namespace tilery::bindings {
namespace {

using namespace py::literals;

template <class T>
[[nodiscard]] py::array as_array(const std::vector<T>& values) {
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

template <class T>
[[nodiscard]] std::vector<T> from_array(const py::dict& arrays, const char* name) {
    using Array = py::array_t<T, py::array::c_style>;
    const py::object given = arrays.contains(name) ? py::object(arrays[name]) : py::object(py::none());
    if (!Array::check_(given))
        throw py::value_error(std::string("samples: ") + name + " is missing or of another dtype");
    const auto array = py::reinterpret_borrow<Array>(given);
    return {array.data(), array.data() + array.size()};
}

[[nodiscard]] py::dict to_arrays(const net::Samples& samples) {
    const auto rows = static_cast<py::ssize_t>(samples.size());
    const auto* const targets = reinterpret_cast<const float*>(samples.targets.data());
    return py::dict("ids"_a = as_array(samples.ids), "ends"_a = as_array(samples.ends),
                    "targets"_a = py::array_t<float>({rows, py::ssize_t{3}}, targets),
                    "games"_a = as_array(samples.games));
}

[[nodiscard]] net::Samples from_arrays(const py::dict& arrays) {
    static_assert(sizeof(net::Target) == 3 * sizeof(float));
    net::Samples samples;
    samples.ids = from_array<InputId>(arrays, "ids");
    samples.ends = from_array<std::uint64_t>(arrays, "ends");
    samples.games = from_array<std::uint64_t>(arrays, "games");
    const std::vector<float> targets = from_array<float>(arrays, "targets");
    const auto ascend = [](const std::vector<std::uint64_t>& ends, std::uint64_t last) {
        return std::ranges::is_sorted(ends) && (ends.empty() ? 0 : ends.back()) == last;
    };
    if (targets.size() != 3 * samples.ends.size() || !ascend(samples.ends, samples.ids.size()) ||
        !ascend(samples.games, samples.ends.size())) {
        throw py::value_error("samples: the lengths of the arrays contradict each other");
    }
    const auto* const first = reinterpret_cast<const net::Target*>(targets.data());
    samples.targets.assign(first, first + samples.ends.size());
    return samples;
}

// A number of a dict of settings, which Python has checked; the default where it is missing.
template <class Number>
void read(const py::dict& settings, const char* name, Number& number) {
    if (settings.contains(name)) number = settings[name].cast<Number>();
}

[[nodiscard]] py::dict self_play(py::handle self, const std::string& network, const py::dict& settings) {
    SelfPlay plan;
    read(settings, "seed", plan.seed);
    read(settings, "first", plan.first);
    read(settings, "count", plan.count);
    read(settings, "threads", plan.threads);
    read(settings, "noise", plan.noise);
    read(settings, "random", plan.random);
    read(settings, "opening", plan.opening);
    read(settings, "searched", plan.searched);
    read(settings, "best", plan.best);
    read(settings, "keep", plan.keep);
    read(settings, "others", plan.others);
    read(settings, "lambda", plan.lambda);
    read(settings, "final_weight", plan.final_weight);
    const AnyGame& game = game_of(self);
    NativeCall call;
    return to_arrays(call.run([&](const GoOn& go_on) { return game.self_play(network, plan, go_on); }));
}

[[nodiscard]] py::tuple fit(py::handle self, const py::list& given, const py::dict& given_settings,
                            const std::string& about) {
    const AnyGame& game = game_of(self);
    std::vector<net::Samples> samples;
    for (const py::handle arrays : given) samples.push_back(from_arrays(py::cast<py::dict>(arrays)));
    std::vector<const net::Samples*> all;
    for (const net::Samples& one : samples) {
        for (const InputId id : one.ids) {
            if (id >= game.facts().num_inputs) throw py::value_error("samples: an input is not one of the game's");
        }
        all.push_back(&one);
    }
    net::FitSettings settings;
    read(given_settings, "seed", settings.seed);
    read(given_settings, "passes", settings.passes);
    read(given_settings, "rate", settings.rate);
    read(given_settings, "points", settings.points);
    read(given_settings, "win", settings.win);
    read(given_settings, "held_out", settings.held_out);
    NativeCall call;
    net::Fitted fitted =
        call.run([&](const GoOn& go_on) { return net::fit(game.facts().num_inputs, all, settings, go_on); });
    const net::Network network({.game = std::string(game.kind().name),
                                .inputs = game.inputs_hash(),
                                .num_inputs = static_cast<std::uint32_t>(game.facts().num_inputs),
                                .about = about},
                               std::move(fitted.weights));
    const auto& found = fitted.errors;
    const py::dict errors("lead"_a = found.lead, "lead_without"_a = found.lead_without, "points"_a = found.points,
                          "points_without"_a = found.points_without, "win"_a = found.win,
                          "positions"_a = found.positions);
    return py::make_tuple(py::bytes(network.write()), errors);
}

[[nodiscard]] py::tuple expect(py::handle self, const PolicyObject& policy, py::handle state) {
    const AnyGame& game = game_of(self);
    const StateCopy at = copy_of_state(game, state_object(state, game_object(self)).state());
    const search::Policy resolved = search::resolved(policy.policy, game.kind().name);
    const auto* const nn = std::get_if<search::Nn>(&resolved);
    if (nn == nullptr) throw py::value_error("policy " + search::to_string(resolved) + " has no network to expect by");
    const search::Expectation all = without_gil([&] { return game.expect(*nn, at.data()); });
    const auto list = [n = index(game.num_players())](const PerPlayer<double>& values) {
        py::list of_seats;
        for (std::size_t p = 0; p < n; ++p) of_seats.append(values[p]);
        return of_seats;
    };
    return py::make_tuple(list(all.wins), list(all.points), list(all.wins_error), list(all.points_error));
}

[[nodiscard]] py::tuple judge(py::handle self, const std::string& network, py::handle state, const py::object& player) {
    const AnyGame& game = game_of(self);
    const StateObject& at = state_object(state, game_object(self));
    const net::Heads said = game.judge(network, at.state(), to_player(player.ptr(), game.num_players()));
    return py::make_tuple(said[net::kLead], said[net::kPoints], said[net::kWin]);
}

[[nodiscard]] py::tuple load(const py::bytes& bytes) {
    const auto network = net::Network::read(static_cast<std::string_view>(bytes));
    const std::string name = network->name();
    net::load(name, network);
    return py::make_tuple(name, network->heading().game, network->heading().about);
}

// A network's bytes without the rows that its fit, which began with this seed, never changed.
[[nodiscard]] py::bytes without_unlearned(const py::bytes& bytes, std::uint64_t seed) {
    const auto network = net::Network::read(static_cast<std::string_view>(bytes));
    return net::Network(network->heading(), net::without_unlearned(network->weights(), {.seed = seed})).write();
}

// A network's bytes with another calibration, or none.
[[nodiscard]] py::bytes calibrated(const py::bytes& bytes, const std::optional<net::Calibration>& calibration) {
    const auto network = net::Network::read(static_cast<std::string_view>(bytes));
    return net::Network(network->heading(), network->weights(), calibration).write();
}

}  // namespace

void bind_learning(py::module_& module) {
    module.def("_load_weights", &load, py::arg("data"), py::pos_only());
    module.def("_without_unlearned", &without_unlearned, py::arg("data"), py::arg("seed"), py::pos_only());
    module.def("_calibrated", &calibrated, py::arg("data"), py::arg("calibration"), py::pos_only());
    module.def(
        "_set_shipped",
        [](const std::string& game, const std::string& network, const std::vector<std::string>& rungs) {
            net::set_shipped(game, {network, rungs});
        },
        py::arg("game"), py::arg("network"), py::arg("rungs"), py::pos_only());
    module.def(
        "_resolve",
        [](const PolicyObject& policy, const std::string& game) {
            return PolicyObject{search::resolved(policy.policy, game)};
        },
        py::arg("policy"), py::arg("game"), py::pos_only());
    net::set_loader([](const std::string& game) {
        const py::gil_scoped_acquire acquire;
        py::module_::import("tilery.weights").attr("_load_shipped")(game);
    });
}

void bind_learning_of_game(const Members& game) {
    game.method("_self_play", nullptr, &self_play, py::arg("network"), py::arg("settings"), py::pos_only());
    game.method("_fit", nullptr, &fit, py::arg("samples"), py::arg("settings"), py::arg("about"), py::pos_only());
    game.method("_judge", nullptr, &judge, py::arg("network"), py::arg("state"), py::arg("player"), py::pos_only());
    game.method("_expect", nullptr, &expect, py::arg("policy"), py::arg("state"), py::pos_only());
}

}  // namespace tilery::bindings
