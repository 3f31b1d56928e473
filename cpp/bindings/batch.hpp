// SPDX-License-Identifier: MIT
// One Python type for the batches of all games: what it asks of a batch, and that for any Game.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search.hpp"
#include "state_object.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/run/arrays.hpp"
#include "tilery/run/batch.hpp"

namespace tilery::bindings {

// The kinds of integers an array of indices or ids may hold.
enum class IntegerKind { kInt8, kInt16, kInt32, kInt64, kUint8, kUint16, kUint32, kUint64 };

// Calls f with the data as a pointer to its true type.
template <class F>
void with_integers(const void* data, IntegerKind kind, F&& f) {
    switch (kind) {
        case IntegerKind::kInt8:
            return f(static_cast<const std::int8_t*>(data));
        case IntegerKind::kInt16:
            return f(static_cast<const std::int16_t*>(data));
        case IntegerKind::kInt32:
            return f(static_cast<const std::int32_t*>(data));
        case IntegerKind::kInt64:
            return f(static_cast<const std::int64_t*>(data));
        case IntegerKind::kUint8:
            return f(static_cast<const std::uint8_t*>(data));
        case IntegerKind::kUint16:
            return f(static_cast<const std::uint16_t*>(data));
        case IntegerKind::kUint32:
            return f(static_cast<const std::uint32_t*>(data));
        case IntegerKind::kUint64:
            return f(static_cast<const std::uint64_t*>(data));
    }
}

// The kinds of numbers an array of observations may hold.
enum class NumberKind { kFloat32, kUint8, kInt16 };

// Calls f with the data as a pointer to its true type.
template <class F>
void with_numbers(void* data, NumberKind kind, F&& f) {
    switch (kind) {
        case NumberKind::kFloat32:
            return f(static_cast<float*>(data));
        case NumberKind::kUint8:
            return f(static_cast<std::uint8_t*>(data));
        case NumberKind::kInt16:
            return f(static_cast<std::int16_t*>(data));
    }
}

// A slot as a pickle holds it.
struct SavedSlot {
    std::string state, ended;            // serialized; `ended` is empty unless the game ended in the last step
    std::vector<std::uint64_t> streams;  // two words of each: the game's, and where opponents think, that of each seat
    std::uint64_t game_index = 0;
    Player ended_by = 0;
};

// A batch whose game is known at run time only. Pointers are to arrays that have been checked.
class AnyBatch {
  public:
    using GoOn = std::function<bool()>;  // Batch::GoOn

    AnyBatch() = default;
    AnyBatch(const AnyBatch&) = delete;
    AnyBatch& operator=(const AnyBatch&) = delete;
    virtual ~AnyBatch() = default;

    [[nodiscard]] virtual const BatchPlan& plan() const = 0;
    [[nodiscard]] virtual std::uint64_t stride() const = 0;
    [[nodiscard]] virtual const std::shared_ptr<BatchView>& view() const = 0;
    [[nodiscard]] virtual py::object game() const = 0;
    [[nodiscard]] virtual int num_players() const = 0;
    [[nodiscard]] virtual std::size_t num_distinct_actions() const = 0;
    [[nodiscard]] virtual const std::vector<int>& observation_shape() const = 0;

    virtual void step(const void* indices, IntegerKind kind, const GoOn& go_on) = 0;
    virtual void apply_actions(const void* ids, IntegerKind kind, const GoOn& go_on) = 0;
    virtual void random_indices(std::int32_t* out) = 0;
    virtual void legal_actions(const std::int64_t* offsets, std::int32_t* out) const = 0;
    virtual void mask(bool* out) const = 0;
    virtual void packed_mask(std::uint8_t* out) const = 0;
    // Of this viewer, or of the player to act.
    using Viewer = std::optional<Player>;
    virtual void observations(void* out, NumberKind kind, Viewer viewer) const = 0;
    // Of the games that ended in the last step; other rows are zeros.
    virtual void final_observations(void* out, NumberKind kind, Viewer viewer) const = 0;
    // The first part of the observations that is not exact in such numbers, if there is one.
    [[nodiscard]] virtual std::optional<ObservationPart> inexact_in(NumberKind kind) const = 0;
    virtual void reset(const bool* where, const GoOn& go_on) = 0;
    virtual void determinize(Player player, std::uint64_t seed) = 0;
    virtual void playout(const GoOn& go_on) = 0;

    [[nodiscard]] virtual py::object state(std::size_t i) const = 0;
    // Checks the state, and returns what puts it in without the GIL.
    [[nodiscard]] virtual std::function<void(const GoOn&)> putting(std::size_t i, py::handle state) = 0;
    [[nodiscard]] virtual std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const = 0;
    [[nodiscard]] virtual SavedSlot save(std::size_t i) const = 0;
    virtual void restore(std::size_t i, const SavedSlot& saved) = 0;
};

template <Game G>
class BatchOf final : public AnyBatch {
  public:
    BatchOf(py::object owner, std::unique_ptr<Batch<G>> batch)
        : owner_(std::move(owner)), batch_(std::move(batch)), shape_(batch_->game().observation_shape()) {
        for (const int extent : shape_) width_ *= static_cast<std::size_t>(extent);
    }

    [[nodiscard]] const Batch<G>& native() const { return *batch_; }
    [[nodiscard]] const BatchPlan& plan() const override { return batch_->plan(); }
    [[nodiscard]] std::uint64_t stride() const override { return batch_->stride(); }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const override { return batch_->view(); }
    [[nodiscard]] py::object game() const override { return owner_; }
    [[nodiscard]] int num_players() const override { return batch_->game().num_players(); }
    [[nodiscard]] std::size_t num_distinct_actions() const override {
        return static_cast<std::size_t>(batch_->game().num_distinct_actions());
    }
    [[nodiscard]] const std::vector<int>& observation_shape() const override { return shape_; }

    void step(const void* indices, IntegerKind kind, const GoOn& go_on) override {
        with_integers(indices, kind, [&](const auto* picks) { batch_->step(picks, go_on); });
    }
    void apply_actions(const void* ids, IntegerKind kind, const GoOn& go_on) override {
        with_integers(ids, kind, [&](const auto* actions) { batch_->apply_actions(actions, go_on); });
    }
    void random_indices(std::int32_t* out) override { batch_->random_indices(out); }
    void legal_actions(const std::int64_t* offsets, std::int32_t* out) const override {
        write_legal_actions(*batch_, offsets, out);
    }
    void mask(bool* out) const override { write_mask(*batch_, out); }
    void packed_mask(std::uint8_t* out) const override { write_packed_mask(*batch_, out); }
    void observations(void* out, NumberKind kind, Viewer viewer) const override {
        with_numbers(out, kind, [&](auto* numbers) { write_observations(*batch_, width_, viewer, numbers); });
    }
    void final_observations(void* out, NumberKind kind, Viewer viewer) const override {
        with_numbers(out, kind, [&](auto* numbers) { write_final_observations(*batch_, width_, viewer, numbers); });
    }
    [[nodiscard]] std::optional<ObservationPart> inexact_in(NumberKind kind) const override {
        const std::vector<ObservationPart> parts = batch_->game().observation_parts();
        const ObservationPart* found = nullptr;
        with_numbers(nullptr, kind, [&]<class Number>(Number*) { found = inexact_part<Number>(parts); });
        return found == nullptr ? std::nullopt : std::optional(*found);
    }
    void reset(const bool* where, const GoOn& go_on) override { batch_->reset(where, go_on); }
    void determinize(Player player, std::uint64_t seed) override { batch_->determinize(player, seed); }
    void playout(const GoOn& go_on) override { batch_->playout(go_on); }

    [[nodiscard]] py::object state(std::size_t i) const override {
        return py::reinterpret_steal<py::object>(new_state(owner_.ptr(), batch_->game(), batch_->state(i)));
    }
    [[nodiscard]] std::function<void(const GoOn&)> putting(std::size_t i, py::handle state) override {
        const StateObject<G>& given = state_object<G>(state);
        if (given.game != &batch_->game() && write_rules(given.game->rules()) != write_rules(batch_->game().rules())) {
            throw py::value_error("state must be of the rules of this batch");
        }
        if (batch_->game().current_player(given.state) == kTerminal) {
            throw py::value_error("state must not be terminal");
        }
        return [this, i, put_in = given.state](const GoOn& go_on) { batch_->put(i, put_in, go_on); };
    }
    [[nodiscard]] std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const override {
        return std::make_unique<BatchOf>(owner_, batch_->select(which));
    }
    [[nodiscard]] SavedSlot save(std::size_t i) const override {
        const typename Batch<G>::Kept kept = batch_->keep(i);
        SavedSlot saved{serialize(batch_->game(), kept.state),
                        kept.ended ? serialize(batch_->game(), *kept.ended) : std::string(),
                        {},
                        kept.game_index,
                        kept.ended_by};
        const auto save_stream = [&saved](const Rng& rng) {
            for (const std::uint64_t word : std::bit_cast<Words>(rng)) saved.streams.push_back(word);
        };
        save_stream(kept.rng);
        for (const Rng& rng : kept.luck) save_stream(rng);
        return saved;
    }
    void restore(std::size_t i, const SavedSlot& saved) override {
        const auto read = [this](const std::string& bytes) { return deserialize(batch_->game(), bytes); };
        const auto stream = [&saved](std::size_t n) {
            return std::bit_cast<Rng>(Words{saved.streams[2 * n], saved.streams[2 * n + 1]});
        };
        if (saved.streams.size() != 2 * (1 + batch_->lucks())) {
            throw py::value_error("slots must have the streams of this batch");
        }
        typename Batch<G>::Kept kept{read(saved.state), stream(0), {}, saved.game_index, std::nullopt, saved.ended_by};
        for (std::size_t n = 1; n <= batch_->lucks(); ++n) kept.luck.push_back(stream(n));
        if (!saved.ended.empty()) kept.ended = read(saved.ended);
        batch_->restore(i, kept);
    }

  private:
    using Words = std::array<std::uint64_t, 2>;

    py::object owner_;
    std::unique_ptr<Batch<G>> batch_;
    std::vector<int> shape_;
    std::size_t width_ = 1;
};

// The arguments of game.batch(), as Python gave them.
struct BatchArguments {
    py::object size, seed, first, threads, autoreset, player, opponents;
};
// What they mean; throws py::value_error that names the argument.
[[nodiscard]] BatchPlan checked_plan(const BatchArguments& given, int num_players);
// The batch in a Python Batch, for calls that one game adds; py::type_error for another object.
[[nodiscard]] const AnyBatch& batch_in(const py::object& batch);
// Runs what reads that batch without the GIL, while no other call touches it.
void exclusively(const py::object& batch, const std::function<void()>& read);
// The Python Batch around this one.
[[nodiscard]] py::object wrap_batch(std::unique_ptr<AnyBatch> batch);
// Defines the type Batch; call once.
void bind_batch(py::module_& module);

// game.batch(...), for bind_game().
template <Game G, class Class>
void define_batch(Class& game, const char* doc) {
    game.def(
        "batch",
        [](const py::object& self, py::object size, py::object seed, py::object first, py::object threads,
           py::object autoreset, py::object player, py::object opponents) {
            const G& rules = py::cast<const G&>(self);
            const BatchPlan plan = checked_plan({std::move(size), std::move(seed), std::move(first), std::move(threads),
                                                 std::move(autoreset), std::move(player), std::move(opponents)},
                                                rules.num_players());
            return wrap_batch(std::make_unique<BatchOf<G>>(self, interruptible(1, [&](const search::Control& control) {
                                                               return std::make_unique<Batch<G>>(rules, plan,
                                                                                                 control.go_on);
                                                           })));
        },
        py::arg("size"), py::arg("seed") = 0, py::arg("first") = 0, py::arg("threads") = 1, py::arg("autoreset") = true,
        py::arg("player") = py::none(), py::arg("opponents") = py::none(), doc);
    game.def("_restore_batch", [](const py::object& self, const py::tuple& plan_arguments, std::uint64_t stride,
                                  const std::vector<py::tuple>& slots) {
        const G& rules = py::cast<const G&>(self);
        if (plan_arguments.size() != 7) throw py::value_error("a plan must have the arguments of batch()");
        const BatchPlan plan = checked_plan({plan_arguments[0], plan_arguments[1], plan_arguments[2], plan_arguments[3],
                                             plan_arguments[4], plan_arguments[5], plan_arguments[6]},
                                            rules.num_players());
        if (slots.size() != plan.size) throw py::value_error("slots must have one entry for each game");
        auto batch = std::make_unique<BatchOf<G>>(self, Batch<G>::restored(rules, plan, stride));
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const auto [state, ended, streams, index, ended_by] =
                py::cast<std::tuple<py::bytes, py::bytes, std::vector<std::uint64_t>, std::uint64_t, Player>>(slots[i]);
            if (ended_by < kTerminal || ended_by >= batch->num_players()) {
                throw py::value_error("slots name no player of this game");
            }
            batch->restore(i, {state, ended, streams, index, ended_by});
        }
        return wrap_batch(std::move(batch));
    });
}

}  // namespace tilery::bindings
