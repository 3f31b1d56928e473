// SPDX-License-Identifier: MIT
// The search with Python evaluators: one object holds the trees of many positions and the arrays between them and the
// evaluator. python/tilery/search.py drives it.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "search.hpp"
#include "tilery/search/analysis.hpp"

namespace tilery::bindings {
namespace {

class EvaluatedRun {
  public:
    using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

    EvaluatedRun(py::object owner, const py::list& states, const py::object& rng, double c)
        : owner_(std::move(owner)), game_(game_of(owner_)) {
        const std::uint64_t luck = take_number(rng);
        for (const py::handle state : states) {
            const void* const root = decision(game_object(owner_), state);
            trees_.push_back(game_.tree(root, Rng(luck, trees_.size()), static_cast<float>(c)));
        }
    }

    // Walks every tree to its next leaf: observations, masks and players of the leaves, or None when all is done.
    py::object collect(std::uint64_t simulations) {
        waiting_ = interruptible(1, [&](const search::Control& control) {
            search::Watchdog watchdog(control, 0);
            std::vector<AnyTree*> waiting;
            for (const auto& tree : trees_) {
                if (tree->walk(simulations, watchdog)) waiting.push_back(tree.get());
            }
            return waiting;
        });
        if (waiting_.empty()) return py::none();
        const auto n = static_cast<py::ssize_t>(waiting_.size());
        std::vector<py::ssize_t> shape{n};
        for (const int length : game_.facts().observation_shape) shape.push_back(length);
        const py::array_t<float> observations = array_again(observations_, shape);
        const py::array_t<bool> masks = array_again(masks_, {n, py::ssize_t{game_.facts().num_distinct_actions}});
        py::array_t<std::int8_t> players(n);
        without_gil([this, seen = observations_.mutable_data(), mask = masks_.mutable_data(),
                     player = players.mutable_data()]() mutable {
            for (const AnyTree* const tree : waiting_) {
                const void* const leaf = tree->leaf();
                const Player mover = game_.current_player(leaf);
                *player++ = static_cast<std::int8_t>(mover);
                game_.observe(leaf, mover, seen, NumberKind::kFloat32);
                game_.mask(leaf, reinterpret_cast<std::uint8_t*>(mask));
                seen += game_.facts().observation_size();
                mask += game_.facts().num_distinct_actions;
            }
        });
        return py::make_tuple(observations, masks, players);
    }

    void feed(const py::object& given_priors, const py::object& given_values) {
        const std::size_t width = index(game_.facts().num_distinct_actions), players = index(game_.num_players());
        const Floats priors = read("priors", given_priors, width);
        const Floats values = read("values", given_values, players);
        without_gil([&, prior = priors.data(), value = values.data()]() mutable {
            for (AnyTree* const tree : waiting_) {
                tree->evaluate(std::span(prior, width), std::span(value, players));
                prior += width;
                value += players;
            }
            waiting_.clear();
        });
    }

    py::list results() const {
        py::list all;
        for (const auto& tree : trees_) all.append(analysis_dict(tree->analysis(), game_));
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

    // The result of an evaluator, checked: an array of one row for each leaf, all in range.
    [[nodiscard]] Floats read(const std::string& name, const py::object& given, std::size_t width) const {
        const std::string wanted = "the evaluator must return arrays of numbers as " + name;
        Floats array;
        try {
            array = array_from(given, wanted);
        } catch (py::error_already_set& error) {
            error.restore();
            drop_error();
            throw py::value_error(wanted + ", got " + shown(given));
        }
        const std::size_t waiting = waiting_.size();
        if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != waiting ||
            static_cast<std::size_t>(array.shape(1)) != width) {
            throw py::value_error("the evaluator must return " + name + " of shape (" + std::to_string(waiting) + ", " +
                                  std::to_string(width) + "), got " +
                                  std::string(py::str(py::object(array.attr("shape")))));
        }
        constexpr float kMost =
            1e6F;  // far beyond utilities; sums of as many as there are simulations are exact enough
        bool in_range = true;
        const float* const data = array.data();
        for (py::ssize_t i = 0; i < array.size(); ++i) in_range &= std::abs(data[i]) <= kMost;  // false for a NaN
        if (!in_range) {
            throw py::value_error("the evaluator must return numbers from -1e6 to 1e6, got others among the " + name);
        }
        return array;
    }

    py::object owner_;
    const AnyGame& game_;
    std::vector<std::unique_ptr<AnyTree>> trees_;
    std::vector<AnyTree*> waiting_;  // trees whose leaves are with the evaluator
    py::array_t<float> observations_;
    py::array_t<bool> masks_;
};

}  // namespace

void bind_evaluated(py::module_& module) {
    using Run = EvaluatedRun;
    py::class_<Run>(module, "_EvaluatedRun", py::is_final())
        .def("collect", &Run::collect)
        .def("feed", &Run::feed)
        .def("results", &Run::results);
}

py::object make_evaluated(py::object game, const py::list& states, const py::object& rng, double c) {
    return py::cast(std::make_unique<EvaluatedRun>(std::move(game), states, rng, c));
}

}  // namespace tilery::bindings
