// SPDX-License-Identifier: MIT
// The search with Python evaluators: one object holds the trees of many positions and the arrays between them and the
// evaluator. python/tilery/search.py drives it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "search.hpp"
#include "tilery/search/evaluated.hpp"

namespace tilery::bindings {

template <Game G>
class EvaluatedRun {
  public:
    using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

    EvaluatedRun(py::object owner, const py::list& states, const py::object& rng, double c)
        : owner_(std::move(owner)), game_(py::cast<const G&>(owner_)) {
        const std::uint64_t luck = take_number(rng);
        for (const py::handle state : states) {
            trees_.emplace_back(game_, decision(game_, py::reinterpret_borrow<py::object>(state)),
                                Rng(luck, trees_.size()), static_cast<float>(c));
        }
    }

    // Walks every tree to its next leaf: observations, masks and players of the leaves, or None when all is done.
    py::object collect(std::uint64_t simulations) {
        waiting_ = interruptible(1, [&](const search::Control& control) {
            search::Watchdog watchdog(control, 0);
            std::vector<std::size_t> waiting;
            for (std::size_t t = 0; t < trees_.size(); ++t) {
                if (trees_[t].walk(simulations, watchdog)) waiting.push_back(t);
            }
            return waiting;
        });
        if (waiting_.empty()) return py::none();
        const auto n = static_cast<py::ssize_t>(waiting_.size());
        const auto width = static_cast<std::size_t>(game_.num_distinct_actions());
        std::vector<py::ssize_t> shape{n};
        for (const int length : game_.observation_shape()) shape.push_back(length);
        const py::array_t<float> observations = array_again(observations_, shape);
        const py::array_t<bool> masks = array_again(masks_, {n, static_cast<py::ssize_t>(width)});
        py::array_t<std::int8_t> players(n);
        const std::size_t size = static_cast<std::size_t>(observations.size()) / waiting_.size();
        float* const seen = observations_.mutable_data();
        bool* const mask = masks_.mutable_data();
        std::int8_t* const player = players.mutable_data();
        {
            const py::gil_scoped_release release;
            std::memset(mask, 0, waiting_.size() * width);
            for (std::size_t i = 0; i < waiting_.size(); ++i) {
                const auto& leaf = trees_[waiting_[i]].leaf();
                const Player mover = game_.current_player(leaf);
                player[i] = static_cast<std::int8_t>(mover);
                game_.observe(leaf, mover, std::span(seen + i * size, size));
                game_.legal_actions(leaf).for_each(
                    [&](Action action) { mask[i * width + static_cast<std::size_t>(action)] = true; });
            }
        }
        return py::make_tuple(observations, masks, players);
    }

    void feed(const py::object& given_priors, const py::object& given_values) {
        const auto width = static_cast<std::size_t>(game_.num_distinct_actions());
        const auto players = static_cast<std::size_t>(game_.num_players());
        const Floats priors = read("priors", given_priors, width), values = read("values", given_values, players);
        const float* const prior = priors.data();
        const float* const value = values.data();
        const py::gil_scoped_release release;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            trees_[waiting_[i]].evaluate(std::span(prior + i * width, width), std::span(value + i * players, players));
        }
        waiting_.clear();
    }

    py::list results() const {
        py::list all;
        for (const auto& tree : trees_) {
            all.append(analysis_dict(tree.analysis(), game_.num_players(),
                                     [this](Action action) { return game_.action_to_string(action); }));
        }
        return all;
    }

  private:
    // The array of the round before if it has this shape and has no other owner, else a new one. Pages that the
    // process has already are written to faster.
    template <class T>
    [[nodiscard]] static py::array_t<T> array_again(py::array_t<T>& last, const std::vector<py::ssize_t>& shape) {
        const bool fits = last.ref_count() == 1 && last.ndim() == static_cast<py::ssize_t>(shape.size()) &&
                          std::equal(shape.begin(), shape.end(), last.shape());
        if (!fits) last = py::array_t<T>(shape);
        return last;
    }

    // What an evaluator returned, checked: an array of one row for each leaf, all finite.
    [[nodiscard]] Floats read(const std::string& name, const py::object& given, std::size_t width) const {
        const Floats array = Floats::ensure(given);
        if (!array) {
            PyErr_Clear();
            throw py::value_error("the evaluator must return arrays of numbers, got " + shown(given) + " as " + name);
        }
        if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != waiting_.size() ||
            static_cast<std::size_t>(array.shape(1)) != width) {
            throw py::value_error("the evaluator must return " + name + " of shape (" +
                                  std::to_string(waiting_.size()) + ", " + std::to_string(width) + "), got " +
                                  py::cast<std::string>(py::str(py::object(array.attr("shape")))));
        }
        bool finite = true;
        const float* const data = array.data();
        for (py::ssize_t i = 0; i < array.size(); ++i) finite &= std::isfinite(data[i]);
        if (!finite) throw py::value_error("the evaluator must return finite numbers, got others among the " + name);
        return array;
    }

    py::object owner_;
    const G& game_;
    std::vector<search::EvaluatedTree<G>> trees_;
    py::array_t<float> observations_;
    py::array_t<bool> masks_;
    std::vector<std::size_t> waiting_;  // trees whose leaves are with the evaluator
};

template <Game G>
void bind_evaluated(py::module_& module, py::class_<G>& type) {
    using Run = EvaluatedRun<G>;
    py::class_<Run>(module, "_EvaluatedRun")
        .def("collect", &Run::collect)
        .def("feed", &Run::feed)
        .def("results", &Run::results);
    type.def(
        "_evaluated",
        [](py::object self, const py::list& states, const py::object& rng, double c) {
            return std::make_unique<Run>(std::move(self), states, rng, c);
        },
        py::arg("states"), py::arg("rng"), py::arg("c"), py::pos_only());
}

}  // namespace tilery::bindings
