// SPDX-License-Identifier: MIT
// Many games of one kind stepped together. Every game stops at decisions only, or only at those of one player: chance
// and the opponents are played inside.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tilery/any/game.hpp"
#include "tilery/core/random.hpp"
#include "tilery/search/policy.hpp"
#include "tilery/simulation/pool.hpp"

namespace tilery::any {

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

// An array of indices or ids.
using Integers = std::variant<const std::int32_t*, const std::int64_t*, const std::uint64_t*>;

// A slot as a pickle holds it.
struct SavedSlot {
    std::string state, ended;            // serialized; `ended` is empty unless the game ended in the last step
    std::vector<std::uint64_t> streams;  // two words of each: the game's, and where opponents think, that of each seat
    std::uint64_t game_index = 0;
    Player ended_by = 0;
};

// Arguments have been checked, arrays too. Where opponents think, go_on is asked often, on the thread that called; once
// it returns false, the call throws search::Interrupted. Whatever a call throws, no game has moved.
class Batch {
  public:
    // The game must outlive the batch.
    Batch(const AnyGame& game, const BatchPlan& plan, const GoOn& go_on = {});
    // A batch whose slots are to be restored, of a batch with this stride.
    Batch(const AnyGame& game, const BatchPlan& plan, std::uint64_t stride);
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    [[nodiscard]] const AnyGame& game() const { return *game_; }
    [[nodiscard]] const BatchPlan& plan() const { return plan_; }
    [[nodiscard]] std::size_t size() const { return plan_.size; }
    // The number of games between two of one slot: the size of the batch that select() began with.
    [[nodiscard]] std::uint64_t stride() const { return stride_; }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const { return view_; }

    // Takes the indices[i]-th legal action in every game; -1 leaves a game alone. If an index is not one of a legal
    // action, no game moves. The same with action ids.
    void step(const Integers& indices, const GoOn& go_on = {});
    void apply_actions(const Integers& ids, const GoOn& go_on = {});
    // A uniformly random index for every game, by one draw from its stream; -1 where a game waits.
    void random_indices(std::int32_t* out);
    // The same by the caller's own numbers; std::invalid_argument if one is not in [0, 1).
    void indices(const Uniforms& uniforms, std::int32_t* out) const;
    // Steps by random_indices() in one pass.
    void random_step(const GoOn& go_on = {});
    // Steps by indices() of each column in turn, all columns of a game before the next game: [size, columns]. A game
    // that ends leaves the rest of its row. Returns the number of steps of all games.
    std::uint64_t random_steps(const Uniforms& uniforms, std::size_t columns, const GoOn& go_on = {});

    // Arrays of one row a game; rows of games that wait for a reset are zeros.
    // The legal ids of game i, ascending, from out[offsets[i]] on.
    void legal_actions(const std::int64_t* offsets, std::int32_t* out) const;
    // [size, num_distinct_actions]: whether an id is legal; packed, eight ids to a byte, the lowest bit first.
    void mask(bool* out) const;
    void packed_mask(std::uint8_t* out) const;
    // The observation of a viewer, or of the player to act.
    using Viewer = std::optional<Player>;
    void observations(void* out, NumberKind kind, Viewer viewer) const;
    // The same of the final states of games that ended in the last step, seen by default by the player who decided last
    // in that game, opponents aside; other rows are zeros.
    void final_observations(void* out, NumberKind kind, Viewer viewer) const;

    // Begins the next game in the slots that `where` says, whether or not their games are over; null: where they are.
    void reset(const bool* where, const GoOn& go_on = {});
    // Deals again, in every game, what the player does not know, from stream (seed, i).
    void determinize(Player player, std::uint64_t seed);
    // Plays every game to its end without a reset: at random, or between the opponents and a random player.
    void playout(const GoOn& go_on = {});

    [[nodiscard]] const void* state_in(std::size_t i) const { return slot(i); }
    // Puts in a state and plays on from it to a decision. The slot keeps its streams and its game index.
    void put(std::size_t i, const void* state, const GoOn& go_on);
    // A batch of copies of the slots named.
    [[nodiscard]] std::unique_ptr<Batch> select(std::span<const std::size_t> which) const;
    [[nodiscard]] SavedSlot save(std::size_t i) const;
    void restore(std::size_t i, const SavedSlot& saved);

    // For what one game adds: its slots, and work(from, to) on pieces of all of them, on the threads of the batch.
    [[nodiscard]] const void* slot(std::size_t i) const { return slots_.get() + i * game_->kind().slot_size; }
    [[nodiscard]] bool needs_reset(std::size_t i) const { return view_->num_legal_actions[i] == 0; }
    using Pieces = std::function<void(std::size_t from, std::size_t to)>;
    void in_pieces(const Pieces& work) const;

  private:
    // Kinds of work of which a game takes about as long each time. The time measured decides whether a call is worth
    // sharing between threads.
    enum class Task : std::uint8_t { kBegin, kStep, kSteps, kPlayOut, kDeal, kList, kObserve, kObserveEnds, kOther };
    using Bytes = std::vector<std::byte>;

    // All that a slot holds.
    struct Kept {
        Bytes state;
        Rng rng;
        std::vector<Rng> luck;  // one stream for each seat where opponents think, else empty
        std::uint64_t game_index;
        Bytes ended;  // the final state, if the game ended in the last step
        Player ended_by;
    };

    // The memory of one thread for opponents that think.
    struct Thinker {
        AnyChooser& chooser;
        const search::Control& control;
    };
    using Playing = std::function<void(std::size_t from, std::size_t to, Thinker*)>;

    struct FreeSlots {
        std::align_val_t alignment;
        void operator()(std::byte* slots) const { ::operator delete(slots, alignment); }
    };
    [[nodiscard]] static std::unique_ptr<std::byte[], FreeSlots> new_slots(std::size_t bytes);

    [[nodiscard]] std::size_t players() const { return index(game_->num_players()); }
    // The number of streams in Kept::luck.
    [[nodiscard]] std::size_t lucks() const { return plan_.opponents_think() ? players() : 0; }
    [[nodiscard]] std::size_t state_size() const { return game_->kind().state_size; }
    [[nodiscard]] void* slot(std::size_t i) { return slots_.get() + i * game_->kind().slot_size; }
    [[nodiscard]] Rng& stream_in(std::size_t i) { return game_->stream_in(slot(i)); }
    [[nodiscard]] const Rng& stream_in(std::size_t i) const { return game_->stream_in(slot(i)); }
    [[nodiscard]] Pace& pace_of(Task task) const { return paces_[static_cast<std::size_t>(task)]; }
    void in_pieces(Task task, const auto& work) const;
    void in_each(Task task, const auto& f) const;
    void list_legal(std::size_t row, LegalForm form, void* out) const;
    void observe(Task task, void* out, NumberKind kind, const auto& seen) const;

    template <class Integer>
    void find_picks(const Integer* ids);
    template <class Real>
    void check_uniforms(std::span<const Real> uniforms, std::size_t columns) const;
    [[noreturn]] void refuse_index(std::size_t i, const std::string& given) const;
    [[noreturn]] void refuse_action(std::size_t i, const std::string& given, std::optional<Action> known) const;
    [[nodiscard]] std::string where(std::size_t i) const;

    void play(Task task, const GoOn& go_on, const Playing& work);
    void with_thinker(const GoOn& go_on, std::atomic<bool>* stop, const std::function<void(Thinker*)>& use);
    void undoably(const std::function<void()>& moves);
    void move(const GoOn& go_on);
    void move(const GoOn& go_on, const auto& step_some);
    // Whether it is worth to load each slot while the one before it is stepped: not all stay in the nearest cache.
    [[nodiscard]] bool fetches() const { return size() * game_->kind().slot_size > std::size_t{1} << 16; }
    void step_piece(std::size_t from, std::size_t to);
    std::uint64_t step_row(std::size_t i, const Uniforms& uniforms, std::size_t columns, Thinker* thinker);
    void take(std::size_t i, std::uint32_t pick) { show(i, game_->play(slot(i), pick)); }
    void show(std::size_t i, Decision decision) {
        view_->num_legal_actions[i] = decision.num_legal_actions;
        view_->current_player[i] = static_cast<std::int8_t>(decision.player);
    }
    [[nodiscard]] Rng& luck_at(std::size_t i);
    [[nodiscard]] std::uint32_t drawn(std::size_t i);
    void take_opponents(std::size_t i, Thinker* thinker);
    void play_opponents(std::size_t i, Thinker* thinker);
    void play_to_the_end(std::size_t i, Thinker* thinker);

    void begin(std::size_t i, Thinker* thinker);
    void arrive(std::size_t i, Decision decision, Thinker* thinker);
    void set_game(std::size_t i, std::uint64_t game);
    void settle_at(std::size_t i);
    void record_first_end(std::size_t i);
    void record_end(std::size_t i, const void* state);
    void end_games(std::size_t from, std::size_t to, Thinker* thinker);
    void end_game(std::size_t i, Thinker* thinker);
    void next_game(std::size_t i, Thinker* thinker);
    void forget_end(std::size_t i);
    void clear_ended();

    [[nodiscard]] const void* ended_in(std::size_t i) const;
    [[nodiscard]] Bytes bytes_of(const void* state) const;
    [[nodiscard]] Kept keep(std::size_t i) const;
    void restore(std::size_t i, const Kept& kept);

    const AnyGame* game_;
    BatchPlan plan_;
    std::uint64_t stride_;
    std::unique_ptr<std::byte[], FreeSlots> slots_;
    std::vector<Rng> luck_;  // [size, players] where opponents think
    std::vector<std::uint32_t> picks_;
    // With autoreset, the final states of games that ended in the last step, the place of each slot's, and the slot of
    // each place.
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
    Bytes final_states_;
    std::vector<std::uint32_t> final_places_, final_slots_;
    std::atomic<std::uint32_t> final_count_{0};
    std::shared_ptr<BatchView> view_;
    std::vector<std::int8_t> last_player_;
    std::vector<std::unique_ptr<AnyChooser>> choosers_;  // those not at work
    std::mutex choosers_mutex_;
    mutable std::array<Pace, 9> paces_;  // by Task; how fast calls are is no part of what a batch is
    std::unique_ptr<Pool> pool_;
};

}  // namespace tilery::any
