// SPDX-License-Identifier: MIT
// One Python type for the batches of all games: what it asks of a batch, and that for any Game.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "state_object.hpp"
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

// A slot as a pickle holds it.
struct SavedSlot {
    std::string state, ended;  // serialized; `ended` is empty unless the game ended in the last step
    std::uint64_t s0 = 0, s1 = 0, game_index = 0;
    Player ended_by = 0;
};

// A batch whose game is known at run time only. Pointers are to arrays that have been checked.
class AnyBatch {
  public:
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

    virtual void step(const void* indices, IntegerKind kind) = 0;
    virtual void apply_actions(const void* ids, IntegerKind kind) = 0;
    virtual void random_indices(std::int32_t* out) = 0;
    virtual void legal_actions(const std::int64_t* offsets, std::int32_t* out) const = 0;
    virtual void mask(bool* out) const = 0;
    virtual void packed_mask(std::uint8_t* out) const = 0;
    // Of `player`, or with kChance of the player to act; rows of games that wait are zeros.
    virtual void observations(float* out, Player player) const = 0;
    // Of the games that ended in the last step; other rows are zeros. kChance: of the player who decided last.
    virtual void final_observations(float* out, Player player) const = 0;
    virtual void reset(const bool* where) = 0;
    virtual void determinize(Player player, std::uint64_t seed) = 0;
    virtual void playout() = 0;

    [[nodiscard]] virtual py::object state(std::size_t i) const = 0;
    virtual void put(std::size_t i, py::handle state) = 0;
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

    [[nodiscard]] const BatchPlan& plan() const override { return batch_->plan(); }
    [[nodiscard]] std::uint64_t stride() const override { return batch_->stride(); }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const override { return batch_->view(); }
    [[nodiscard]] py::object game() const override { return owner_; }
    [[nodiscard]] int num_players() const override { return batch_->game().num_players(); }
    [[nodiscard]] std::size_t num_distinct_actions() const override {
        return static_cast<std::size_t>(batch_->game().num_distinct_actions());
    }
    [[nodiscard]] const std::vector<int>& observation_shape() const override { return shape_; }

    void step(const void* indices, IntegerKind kind) override {
        with_integers(indices, kind, [this](const auto* picks) { batch_->step(picks); });
    }
    void apply_actions(const void* ids, IntegerKind kind) override {
        with_integers(ids, kind, [this](const auto* actions) { batch_->apply_actions(actions); });
    }
    void random_indices(std::int32_t* out) override { batch_->random_indices(out); }
    void legal_actions(const std::int64_t* offsets, std::int32_t* out) const override {
        batch_->for_each_set([=](std::size_t i, auto&& for_each) {
            std::int32_t* at = out + offsets[i];
            for_each([&at](Action action) { *at++ = action; });
        });
    }
    void mask(bool* out) const override {
        const std::size_t width = num_distinct_actions();
        batch_->for_each_set([=](std::size_t i, auto&& for_each) {
            bool* const row = out + i * width;
            std::memset(row, 0, width);
            for_each([row](Action action) { row[action] = true; });
        });
    }
    void packed_mask(std::uint8_t* out) const override {
        const std::size_t width = (num_distinct_actions() + 7) / 8;
        batch_->for_each_set([=](std::size_t i, auto&& for_each) {
            std::uint8_t* const row = out + i * width;
            std::memset(row, 0, width);
            for_each([row](Action action) {
                row[action >> 3] = static_cast<std::uint8_t>(row[action >> 3] | (1U << (action & 7)));
            });
        });
    }
    void observations(float* out, Player player) const override {
        batch_->in_pieces([=, this](std::size_t i) {
            if (batch_->waits(i)) {
                std::fill_n(out + i * width_, width_, 0.0F);
            } else {
                const Player viewer = player == kChance ? view()->current_player[i] : player;
                batch_->game().observe(batch_->state(i), viewer, std::span(out + i * width_, width_));
            }
        });
    }
    void final_observations(float* out, Player player) const override {
        batch_->in_pieces([=, this](std::size_t i) {
            if (view()->done[i] == 0) {
                std::fill_n(out + i * width_, width_, 0.0F);
            } else {
                const Player viewer = player == kChance ? batch_->ended_by(i) : player;
                batch_->game().observe(batch_->ended_in(i), viewer, std::span(out + i * width_, width_));
            }
        });
    }
    void reset(const bool* where) override {
        batch_->in_pieces([=, this](std::size_t i) {
            if (where[i]) batch_->reset(i);
        });
    }
    void determinize(Player player, std::uint64_t seed) override { batch_->determinize(player, seed); }
    void playout() override { batch_->playout(); }

    [[nodiscard]] py::object state(std::size_t i) const override {
        return py::reinterpret_steal<py::object>(new_state(owner_.ptr(), batch_->game(), batch_->state(i)));
    }
    void put(std::size_t i, py::handle state) override {
        const StateObject<G>& given = state_object<G>(state);
        if (given.game != &batch_->game() && write_rules(given.game->rules()) != write_rules(batch_->game().rules())) {
            throw py::value_error("state must be of the rules of this batch");
        }
        if (batch_->game().current_player(given.state) == kTerminal) {
            throw py::value_error("state must not be terminal");
        }
        batch_->put(i, given.state);
    }
    [[nodiscard]] std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const override {
        return std::make_unique<BatchOf>(owner_, batch_->select(which));
    }
    [[nodiscard]] SavedSlot save(std::size_t i) const override {
        const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(batch_->stream(i));
        const bool ended = view()->done[i] != 0;
        return {serialize(batch_->game(), batch_->state(i)),
                ended ? serialize(batch_->game(), batch_->ended_in(i)) : std::string(),
                words[0],
                words[1],
                view()->game_index[i],
                batch_->ended_by(i)};
    }
    void restore(std::size_t i, const SavedSlot& saved) override {
        const auto read = [this](const std::string& bytes) { return deserialize(batch_->game(), bytes); };
        const typename G::State state = read(saved.state);
        const bool done = !saved.ended.empty();
        batch_->restore(i, state, std::bit_cast<Rng>(std::array{saved.s0, saved.s1}), saved.game_index, done,
                        done ? read(saved.ended) : state, saved.ended_by);
    }

  private:
    py::object owner_;
    std::unique_ptr<Batch<G>> batch_;
    std::vector<int> shape_;
    std::size_t width_ = 1;
};

// Checks the arguments of game.batch() and of restored pickles; throws py::value_error that names the argument.
[[nodiscard]] BatchPlan checked_plan(const py::object& size, const py::object& seed, const py::object& first,
                                     const py::object& threads, const py::object& autoreset);
// The Python Batch around this one.
[[nodiscard]] py::object wrap_batch(std::unique_ptr<AnyBatch> batch);
// Defines the type Batch; call once.
void bind_batch(py::module_& module);

// game.batch(...), for bind_game().
template <Game G, class Class>
void define_batch(Class& game, const char* doc) {
    game.def(
        "batch",
        [](const py::object& self, const py::object& size, const py::object& seed, const py::object& first,
           const py::object& threads, const py::object& autoreset) {
            const BatchPlan plan = checked_plan(size, seed, first, threads, autoreset);
            return wrap_batch(
                std::make_unique<BatchOf<G>>(self, std::make_unique<Batch<G>>(py::cast<const G&>(self), plan)));
        },
        py::arg("size"), py::arg("seed") = 0, py::arg("first") = 0, py::arg("threads") = 1, py::arg("autoreset") = true,
        doc);
    game.def("_restore_batch", [](const py::object& self, const py::object& size, const py::object& seed,
                                  const py::object& first, const py::object& threads, const py::object& autoreset,
                                  std::uint64_t stride, const std::vector<py::tuple>& slots) {
        const BatchPlan plan = checked_plan(size, seed, first, threads, autoreset);
        if (slots.size() != plan.size) throw py::value_error("slots must have one entry for each game");
        auto batch = std::make_unique<BatchOf<G>>(self, Batch<G>::restored(py::cast<const G&>(self), plan, stride));
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const auto [state, ended, s0, s1, index, ended_by] =
                py::cast<std::tuple<py::bytes, py::bytes, std::uint64_t, std::uint64_t, std::uint64_t, Player>>(
                    slots[i]);
            if (ended_by < kTerminal || ended_by >= batch->num_players()) {
                throw py::value_error("slots name no player of this game");
            }
            batch->restore(i, {state, ended, s0, s1, index, ended_by});
        }
        return wrap_batch(std::move(batch));
    });
}

}  // namespace tilery::bindings
