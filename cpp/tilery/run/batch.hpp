// SPDX-License-Identifier: MIT
// Many games of one kind stepped together. Every game stands at a decision: chance is settled inside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/errors.hpp"
#include "tilery/core/play.hpp"
#include "tilery/run/pool.hpp"

namespace tilery {

// What a caller reads after each step: one entry a game, at the same place for the life of the batch.
struct BatchView {
    std::vector<std::uint32_t> num_legal_actions;  // 0 in games that wait for a reset
    std::vector<std::int8_t> current_player;       // kTerminal in games that wait for a reset
    std::vector<std::uint8_t> done;                // 1 if the game ended in the last step
    std::vector<double> returns;                   // [size, players], of games that ended in the last step; else 0
    std::vector<std::int32_t> scores;              // likewise
    std::vector<std::uint64_t> game_index;         // which game of the seed this is

    BatchView(std::size_t size, std::size_t players)
        : num_legal_actions(size),
          current_player(size),
          done(size),
          returns(size * players),
          scores(size * players),
          game_index(size) {}
};

// Slot i plays games first + i, first + i + size, ... of the seed, each from its own stream as simulate() does.
struct BatchPlan {
    std::size_t size = 1;
    std::uint64_t seed = 0;
    std::uint64_t first = 0;
    unsigned threads = 1;
    bool autoreset = true;
};

template <Game G>
class Batch {
  public:
    using State = typename G::State;

    // The game must outlive the batch.
    Batch(const G& game, const BatchPlan& plan) : Batch(game, plan, plan.size) {
        in_pieces([this](std::size_t i) {
            view_->game_index[i] = plan_.first + i;
            begin(i);
        });
    }

    [[nodiscard]] const G& game() const { return *game_; }
    [[nodiscard]] const BatchPlan& plan() const { return plan_; }
    [[nodiscard]] std::size_t size() const { return plan_.size; }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const { return view_; }
    [[nodiscard]] const State& state(std::size_t i) const { return slots_[i].state; }
    [[nodiscard]] bool waits(std::size_t i) const { return view_->num_legal_actions[i] == 0; }

    // Takes the picks[i]-th legal action in every game; -1 leaves a game alone. Integer is the type of the
    // caller's array. If an index is not one of a legal action, no game moves.
    template <class Integer>
    void step(const Integer* picks) {
        for (std::size_t i = 0; i < size(); ++i) picks_[i] = index_of(picks[i]);
        const std::uint32_t* const counts = view_->num_legal_actions.data();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < size(); ++i) wrong += static_cast<std::size_t>(picks_[i] + 1 > counts[i]);
        if (wrong > 0) refuse_index(picks);
        move();
    }

    // The same with action ids.
    template <class Integer>
    void apply_actions(const Integer* ids) {
        for (std::size_t i = 0; i < size(); ++i) {
            const std::optional<std::uint32_t> index =
                ids[i] == static_cast<Integer>(-1) && !std::is_unsigned_v<Integer> ? std::optional(kLeave)
                                                                                   : index_of_action(i, ids[i]);
            if (!index) refuse_action(i, static_cast<long double>(ids[i]));
            picks_[i] = *index;
        }
        move();
    }

    // A uniformly random index for every game, by one draw from its stream; -1 where a game waits.
    void random_indices(std::int32_t* picks) {
        for (std::size_t i = 0; i < size(); ++i) {
            const std::uint32_t count = view_->num_legal_actions[i];
            picks[i] = count > 0 ? static_cast<std::int32_t>(slots_[i].rng.below(count)) : -1;
        }
    }

    // Begins the next game in slot i, whether or not its game is over.
    void reset(std::size_t i) {
        forget_end(i);
        next_game(i);
    }

    // Puts in a state. The slot keeps its stream and its game index.
    void put(std::size_t i, const State& state) {
        forget_end(i);
        last_player_[i] = 0;
        slots_[i].state = state;
        settle_at(i);
    }

    // Deals again, in every game, what the player does not know, from stream (seed, i).
    void determinize(Player player, std::uint64_t seed) {
        in_pieces([&](std::size_t i) {
            if (waits(i)) return;
            Rng rng(seed, i);
            game_->determinize(slots_[i].state, player, rng);
            settle_at(i);  // the set of legal actions may refer to what was dealt again
        });
    }

    // Plays every game to its end at random, from its own stream, without a reset.
    void playout() {
        clear_ended();
        in_pieces([this](std::size_t i) {
            if (waits(i)) return;
            last_player_[i] = view_->current_player[i];
            tilery::playout(*game_, slots_[i].state, slots_[i].rng);
            settle_at(i);
        });
    }

    // A batch of copies of the slots named.
    [[nodiscard]] std::unique_ptr<Batch> select(std::span<const std::size_t> which) const {
        BatchPlan plan = plan_;
        plan.size = which.size();
        std::unique_ptr<Batch> copy(new Batch(*game_, plan, stride_));
        for (std::size_t i = 0; i < which.size(); ++i) {
            const std::size_t from = which[i];
            copy->restore(i, slots_[from].state, slots_[from].rng, view_->game_index[from], view_->done[from] != 0,
                          ended_in(from), ended_by(from));
        }
        return copy;
    }

    // The state in which the game of slot i ended, if it did in the last step.
    [[nodiscard]] const State& ended_in(std::size_t i) const { return waits(i) ? slots_[i].state : final_states_[i]; }
    // The player whose decision was the last one of that game.
    [[nodiscard]] Player ended_by(std::size_t i) const { return last_player_[i]; }

    // Calls f(i, for_each) for every game, where for_each(g) calls g(action) on its legal actions, ascending.
    template <class F>
    void for_each_set(F&& f) const {
        in_pieces([&](std::size_t i) {
            if (waits(i)) {
                f(i, [](auto&&) {});
            } else {
                f(i, [&](auto&& g) { slots_[i].actions.for_each(g); });
            }
        });
    }

    // Calls f(i) for all i below size(), on all threads of the batch.
    template <class F>
    void in_pieces(F&& f) const {
        pool_->run(size(), piece(), [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) f(i);
        });
    }

    // The number of games between two of one slot: the size of the batch that select() began with.
    [[nodiscard]] std::uint64_t stride() const { return stride_; }
    [[nodiscard]] const Rng& stream(std::size_t i) const { return slots_[i].rng; }

    // One slot as another batch of this game and plan had it; `ended` and `ended_by` are what ended_in() and
    // ended_by() returned.
    void restore(std::size_t i, const State& state, const Rng& rng, std::uint64_t game_index, bool done,
                 const State& ended, Player ended_by) {
        last_player_[i] = static_cast<std::int8_t>(ended_by);
        slots_[i].state = state;
        slots_[i].rng = rng;
        view_->game_index[i] = game_index;
        forget_end(i);
        settle_at(i);
        if (done && !waits(i) && plan_.autoreset) {
            record_end(i, ended);
            final_states_[i] = ended;
        }
        if (!done) forget_end(i);
    }
    [[nodiscard]] static std::unique_ptr<Batch> restored(const G& game, const BatchPlan& plan, std::uint64_t stride) {
        return std::unique_ptr<Batch>(new Batch(game, plan, stride));
    }

  private:
    Batch(const G& game, const BatchPlan& plan, std::uint64_t stride)
        : game_(&game),
          plan_(plan),
          stride_(stride),
          slots_(std::make_unique<Slot<G>[]>(plan.size)),
          picks_(plan.size),
          view_(std::make_shared<BatchView>(plan.size, static_cast<std::size_t>(game.num_players()))),
          pool_(std::make_unique<Pool>(plan.threads)) {}

    [[nodiscard]] std::size_t players() const { return static_cast<std::size_t>(game_->num_players()); }

    // Enough pieces to share the work, few enough that claiming them costs little.
    [[nodiscard]] std::size_t piece() const { return std::max<std::size_t>(16, size() / (8 * plan_.threads)); }

    template <class Integer>
    [[nodiscard]] static std::uint32_t index_of(Integer pick) {
        if constexpr (std::is_signed_v<Integer>) {
            if (pick == -1) return kLeave;
            // Any number that is no index, and not kLeave, is refused by the comparison with the count.
            return pick < 0 || std::int64_t{pick} >= std::int64_t{kLeave} ? kLeave - 1
                                                                          : static_cast<std::uint32_t>(pick);
        } else {
            return std::uint64_t{pick} >= std::uint64_t{kLeave} ? kLeave - 1 : static_cast<std::uint32_t>(pick);
        }
    }

    template <class Integer>
    [[nodiscard]] std::optional<std::uint32_t> index_of_action(std::size_t i, Integer id) const {
        if (waits(i) || id < 0 ||
            static_cast<std::uint64_t>(id) >= static_cast<std::uint64_t>(game_->num_distinct_actions())) {
            return std::nullopt;
        }
        return index_in(slots_[i].actions, static_cast<Action>(id));
    }

    template <class Integer>
    [[noreturn]] void refuse_index(const Integer* picks) const {
        std::size_t i = 0;
        while (picks_[i] + 1 <= view_->num_legal_actions[i]) ++i;
        throw IllegalActionError(where(i) + ": index " + std::to_string(picks[i]) + " is not in [0, " +
                                 std::to_string(view_->num_legal_actions[i]) + ")" +
                                 (waits(i) ? "; the game is over and waits for a reset" : ""));
    }
    [[noreturn]] void refuse_action(std::size_t i, long double id) const {
        const auto action = static_cast<std::int64_t>(id);
        const bool known = action >= 0 && action < game_->num_distinct_actions();
        throw IllegalActionError(
            where(i) + ": action " + std::to_string(action) +
            (known ? " ('" + game_->action_to_string(static_cast<Action>(action)) + "')" : "") +
            (waits(i) ? " cannot be taken; the game is over and waits for a reset" : " is not legal"));
    }
    [[nodiscard]] std::string where(std::size_t i) const {
        return "slot " + std::to_string(i) + " (game " + std::to_string(view_->game_index[i]) + ")";
    }

    void move() {
        clear_ended();
        last_player_ = view_->current_player;
        pool_->run(size(), piece(), [this](std::size_t from, std::size_t to) {
            step_slots(*game_, &slots_[from], &picks_[from], to - from, &view_->num_legal_actions[from],
                       &view_->current_player[from]);
            for (std::size_t i = from; i < to; ++i) {
                if (view_->num_legal_actions[i] == 0 && picks_[i] != kLeave) end(i);
            }
        });
    }

    void begin(std::size_t i) {
        slots_[i].state = game_->initial_state();
        slots_[i].rng = Rng(plan_.seed, view_->game_index[i]);
        settle_at(i);
    }

    void settle_at(std::size_t i) {
        const Decision decision = settle(*game_, slots_[i]);
        view_->num_legal_actions[i] = decision.num_legal_actions;
        view_->current_player[i] = static_cast<std::int8_t>(decision.player);
        if (decision.num_legal_actions == 0) record_end(i, slots_[i].state);
    }

    void record_end(std::size_t i, const State& state) {
        view_->done[i] = 1;
        const auto utilities = tilery::returns(*game_, state);
        const auto scores = game_->scores(state);
        const std::size_t n = players();
        for (std::size_t player = 0; player < n; ++player) {
            view_->returns[i * n + player] = utilities[player];
            view_->scores[i * n + player] = scores[player];
        }
    }

    void end(std::size_t i) {
        record_end(i, slots_[i].state);
        if (!plan_.autoreset) return;
        final_states_[i] = slots_[i].state;
        next_game(i);
    }

    void next_game(std::size_t i) {
        view_->game_index[i] += stride_;
        begin(i);
    }

    void forget_end(std::size_t i) {
        view_->done[i] = 0;
        std::fill_n(&view_->returns[i * players()], players(), 0.0);
        std::fill_n(&view_->scores[i * players()], players(), 0);
    }

    void clear_ended() {
        if (std::find(view_->done.begin(), view_->done.end(), 1) == view_->done.end()) return;
        std::fill(view_->done.begin(), view_->done.end(), std::uint8_t{0});
        std::fill(view_->returns.begin(), view_->returns.end(), 0.0);
        std::fill(view_->scores.begin(), view_->scores.end(), 0);
    }

    const G* game_;
    BatchPlan plan_;
    std::uint64_t stride_;
    std::unique_ptr<Slot<G>[]> slots_;
    std::vector<std::uint32_t> picks_;
    std::vector<State> final_states_ = std::vector<State>(plan_.autoreset ? plan_.size : 0);
    std::shared_ptr<BatchView> view_;
    std::vector<std::int8_t> last_player_ = view_->current_player;
    std::unique_ptr<Pool> pool_;
};

}  // namespace tilery
