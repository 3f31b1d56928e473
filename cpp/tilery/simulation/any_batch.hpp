// SPDX-License-Identifier: MIT
// A batch of a game that is known at run time only, without Python: what it is to play, and what a caller sees of it.
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
#include "tilery/search/policy.hpp"

namespace tilery {

// To wake a thread costs the caller 7 microseconds on an idle virtual machine, and the thread runs 20 to 40 after that
// began. Work of fewer nanoseconds than this is done about as fast by the caller alone.
inline constexpr double kWorthWaking = 60'000;

// The arrays that a caller reads after each step: one entry a game, at the same place for the life of the batch.
struct BatchView {
    std::vector<std::uint32_t> num_legal_actions;  // 0 in games that wait for a reset
    std::vector<std::int8_t> current_player;       // kTerminal in games that wait for a reset
    std::vector<std::uint8_t> done;                // 1 if the game ended in the last step
    std::vector<double> returns;                   // [size, players], of games that ended in the last step; else 0
    std::vector<std::int32_t> scores;              // likewise
    std::vector<std::uint64_t> game_index;         // which game of the seed this is
    std::vector<std::int8_t> player;               // whose decisions of that game the batch stops at; -1: everybody's

    BatchView(std::size_t size, std::size_t players)
        : num_legal_actions(size),
          current_player(size),
          done(size),
          returns(size * players),
          scores(size * players),
          game_index(size),
          player(size, std::int8_t{-1}) {}
};

// Slot i plays games first + i, first + i + size, ... of the seed, each from the streams that simulate() gives it.
struct BatchPlan {
    std::size_t size = 1;
    std::uint64_t seed = 0;
    std::uint64_t first = 0;
    unsigned threads = 1;
    bool autoreset = true;
    // With a player the batch stops only at their decisions, and the opponents play all other seats. With `rotate` the
    // player changes seats as the first policy of a LineUp that rotates.
    std::optional<Player> player = std::nullopt;
    bool rotate = false;
    search::Policy opponents = search::Random{};
    // Calls of fewer nanoseconds stay with the thread that calls. 0: all are shared.
    double worth_waking = kWorthWaking;

    [[nodiscard]] bool has_opponents() const { return player.has_value() || rotate; }
    // Whether opponents need more than one number of the stream of the game: a chooser, and streams of their own.
    [[nodiscard]] bool opponents_think() const {
        return has_opponents() && !std::holds_alternative<search::Random>(opponents);
    }
};

// How a caller ends a call early in which opponents think: asked often, on the thread that called. Once it returns
// false, the call throws search::Interrupted. Whatever a call throws, no game has moved.
using GoOn = std::function<bool()>;

// An array of indices or ids.
using Integers = std::variant<const std::int32_t*, const std::int64_t*, const std::uint64_t*>;

// An array of numbers in [0, 1).
using Uniforms = std::variant<const float*, const double*>;

// The kinds of numbers an array of observations may hold.
enum class NumberKind { kFloat32, kUint8, kInt16 };

// Calls f with the data as a pointer to its true type.
void with_numbers(void* data, NumberKind kind, auto&& f) {
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

// Objects known by an interface are not copied.
class Interface {
  public:
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
};

// A batch whose game is known at run time only. Arguments have been checked, arrays too.
class AnyBatch : public Interface {
  public:
    [[nodiscard]] virtual const BatchPlan& plan() const = 0;
    // The number of games between two of one slot: the size of the batch that select() began with.
    [[nodiscard]] virtual std::uint64_t stride() const = 0;
    [[nodiscard]] virtual const std::shared_ptr<BatchView>& view() const = 0;

    // Takes the indices[i]-th legal action in every game; -1 leaves a game alone. If an index is not one of a legal
    // action, no game moves. The same with action ids.
    virtual void step(const Integers& indices, const GoOn& go_on = {}) = 0;
    virtual void apply_actions(const Integers& ids, const GoOn& go_on = {}) = 0;
    // A uniformly random index for every game, by one draw from its stream; -1 where a game waits.
    virtual void random_indices(std::int32_t* out) = 0;
    // The same by the caller's own numbers; std::invalid_argument if one is not in [0, 1).
    virtual void indices(const Uniforms& uniforms, std::int32_t* out) const = 0;
    // Steps by random_indices() in one pass.
    virtual void random_step(const GoOn& go_on = {}) = 0;

    // Arrays of one row a game; rows of games that wait for a reset are zeros.
    // The legal ids of game i, ascending, from out[offsets[i]] on.
    virtual void legal_actions(const std::int64_t* offsets, std::int32_t* out) const = 0;
    // [size, num_distinct_actions]: whether an id is legal; packed, eight ids to a byte, the lowest bit first.
    virtual void mask(bool* out) const = 0;
    virtual void packed_mask(std::uint8_t* out) const = 0;
    // The observation of a viewer, or of the player to act.
    using Viewer = std::optional<Player>;
    virtual void observations(void* out, NumberKind kind, Viewer viewer) const = 0;
    // The same of the final states of games that ended in the last step, seen by default by the player who decided last
    // in that game, opponents aside; other rows are zeros.
    virtual void final_observations(void* out, NumberKind kind, Viewer viewer) const = 0;

    // Begins the next game in the slots that `where` says, whether or not their games are over.
    virtual void reset(const bool* where, const GoOn& go_on = {}) = 0;
    // Deals again, in every game, what the player does not know, from stream (seed, i).
    virtual void determinize(Player player, std::uint64_t seed) = 0;
    // Plays every game to its end without a reset: at random, or between the opponents and a random player.
    virtual void playout(const GoOn& go_on = {}) = 0;

    [[nodiscard]] virtual const void* state_in(std::size_t i) const = 0;
    // Puts in a state and plays on from it to a decision. The slot keeps its streams and its game index.
    virtual void put(std::size_t i, const void* state, const GoOn& go_on) = 0;
    // A batch of copies of the slots named.
    [[nodiscard]] virtual std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const = 0;
    [[nodiscard]] virtual SavedSlot save(std::size_t i) const = 0;
    virtual void restore(std::size_t i, const SavedSlot& saved) = 0;
};

}  // namespace tilery
