// SPDX-License-Identifier: MIT
// AnyBatch for any Game.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tilery/any/batch.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/run/arrays.hpp"
#include "tilery/run/batch.hpp"

namespace tilery::any {

template <Game G>
class BatchOf final : public AnyBatch {
  public:
    explicit BatchOf(std::unique_ptr<Batch<G>> batch)
        : batch_(std::move(batch)), width_(size_of(batch_->game().observation_shape())) {}

    [[nodiscard]] const Batch<G>& native() const { return *batch_; }
    [[nodiscard]] const BatchPlan& plan() const override { return batch_->plan(); }
    [[nodiscard]] std::uint64_t stride() const override { return batch_->stride(); }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const override { return batch_->view(); }

    void step(const Integers& indices, const GoOn& go_on) override {
        std::visit([&](const auto* picks) { batch_->step(picks, go_on); }, indices);
    }
    void apply_actions(const Integers& ids, const GoOn& go_on) override {
        std::visit([&](const auto* actions) { batch_->apply_actions(actions, go_on); }, ids);
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

    [[nodiscard]] const void* state(std::size_t i) const override { return &batch_->state(i); }
    void put(std::size_t i, const void* state, const GoOn& go_on) override {
        batch_->put(i, *static_cast<const typename G::State*>(state), go_on);
    }
    [[nodiscard]] std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const override {
        return std::make_unique<BatchOf>(batch_->select(which));
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
            throw std::invalid_argument("slots must have the streams of this batch");
        }
        typename Batch<G>::Kept kept{read(saved.state), stream(0), {}, saved.game_index, std::nullopt, saved.ended_by};
        for (std::size_t n = 1; n <= batch_->lucks(); ++n) kept.luck.push_back(stream(n));
        if (!saved.ended.empty()) kept.ended = read(saved.ended);
        batch_->restore(i, kept);
    }

  private:
    using Words = std::array<std::uint64_t, 2>;

    std::unique_ptr<Batch<G>> batch_;
    std::size_t width_;  // of an observation
};

}  // namespace tilery::any
