// SPDX-License-Identifier: MIT
// A batch of a game that is known at run time only, without Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tilery/core/observation.hpp"
#include "tilery/core/types.hpp"
#include "tilery/run/batch_plan.hpp"

namespace tilery::any {

// Batch::GoOn
using GoOn = std::function<bool()>;

// An array of indices or ids.
using Integers = std::variant<const std::int32_t*, const std::int64_t*, const std::uint64_t*>;

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

// A batch whose game is known at run time only. Arguments have been checked, arrays too.
class AnyBatch {
  public:
    AnyBatch() = default;
    AnyBatch(const AnyBatch&) = delete;
    AnyBatch& operator=(const AnyBatch&) = delete;
    virtual ~AnyBatch() = default;

    [[nodiscard]] virtual const BatchPlan& plan() const = 0;
    [[nodiscard]] virtual std::uint64_t stride() const = 0;
    [[nodiscard]] virtual const std::shared_ptr<BatchView>& view() const = 0;

    virtual void step(const Integers& indices, const GoOn& go_on) = 0;
    virtual void apply_actions(const Integers& ids, const GoOn& go_on) = 0;
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

    [[nodiscard]] virtual const void* state(std::size_t i) const = 0;
    virtual void put(std::size_t i, const void* state, const GoOn& go_on) = 0;
    [[nodiscard]] virtual std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const = 0;
    [[nodiscard]] virtual SavedSlot save(std::size_t i) const = 0;
    virtual void restore(std::size_t i, const SavedSlot& saved) = 0;
};

}  // namespace tilery::any
