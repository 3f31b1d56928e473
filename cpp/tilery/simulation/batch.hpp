// SPDX-License-Identifier: MIT
// Many games of one kind stepped together. Every game stops at decisions only, or only at those of one player: chance
// and the opponents are played inside.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "tilery/core/decisions.hpp"
#include "tilery/core/errors.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/simulation/any_batch.hpp"
#include "tilery/simulation/picks.hpp"
#include "tilery/simulation/pool.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery {

template <Game G>
class Batch final : public AnyBatch {
  public:
    using State = typename G::State;
    // Kinds of work of which a game takes about as long each time. The time measured decides whether a call is worth
    // sharing between threads.
    enum class Task : std::uint8_t { kBegin, kStep, kPlayOut, kDeal, kList, kObserve, kObserveEnds, kOther };
    // All that a slot holds.
    struct Kept {
        State state;
        Rng rng;
        std::vector<Rng> luck;  // one stream for each seat where opponents think, else empty
        std::uint64_t game_index;
        std::optional<State> ended;  // the final state, if the game ended in the last step
        Player ended_by;
    };

    // The game must outlive the batch.
    Batch(const G& game, const BatchPlan& plan, const GoOn& go_on = {}) : Batch(game, plan, plan.size) {
        play(Task::kBegin, go_on, [this](std::size_t from, std::size_t to, Thinker* thinker) {
            for (std::size_t i = from; i < to; ++i) {
                set_game(i, plan_.first + i);
                begin(i, thinker);
            }
        });
    }

    [[nodiscard]] const G& game() const { return *game_; }
    [[nodiscard]] const BatchPlan& plan() const override { return plan_; }
    [[nodiscard]] std::size_t size() const { return plan_.size; }
    [[nodiscard]] std::uint64_t stride() const override { return stride_; }
    [[nodiscard]] const std::shared_ptr<BatchView>& view() const override { return view_; }
    [[nodiscard]] const State& state(std::size_t i) const { return slots_[i].state; }
    [[nodiscard]] bool needs_reset(std::size_t i) const { return view_->num_legal_actions[i] == 0; }

    void step(const Integers& indices, const GoOn& go_on = {}) override {
        std::visit(
            [this](const auto* picks) {
                if (read_picks(picks, view_->num_legal_actions, picks_.data())) return;
                const std::size_t i = first_refused();
                refuse_index(i, std::to_string(picks[i]));
            },
            indices);
        move(go_on);
    }
    void apply_actions(const Integers& ids, const GoOn& go_on = {}) override {
        std::visit([this](const auto* actions) { find_picks(actions); }, ids);
        move(go_on);
    }
    void random_indices(std::int32_t* picks) override {
        for (std::size_t i = 0; i < size(); ++i) picks[i] = static_cast<std::int32_t>(drawn(i));
    }
    void indices(const Uniforms& uniforms, std::int32_t* out) const override {
        std::visit(
            [this, out](const auto* numbers) {
                const std::span all(numbers, size());
                if (const std::size_t i = first_outside(all); i < size()) {
                    throw std::invalid_argument("uniforms must be in [0, 1), got " + std::to_string(numbers[i]) +
                                                " for slot " + std::to_string(i));
                }
                spread_picks(all, view_->num_legal_actions.data(), out);
            },
            uniforms);
    }
    void random_step(const GoOn& go_on = {}) override {
        move(go_on, [this](std::size_t from, std::size_t to) {
            constexpr std::size_t kBlock = 16;  // slots that stay in the nearest cache from their draw to their step
            for (; from < to; from += kBlock) {
                const std::size_t end = std::min(from + kBlock, to);
                for (std::size_t i = from; i < end; ++i) picks_[i] = drawn(i);
                step_piece(from, end);
            }
        });
    }

    void legal_actions(const std::int64_t* offsets, std::int32_t* out) const override {
        for_each_set([=](std::size_t i, auto&& for_each) {
            std::int32_t* at = out + offsets[i];
            for_each([&at](Action action) { *at++ = action; });
        });
    }
    void mask(bool* out) const override {
        const auto width = static_cast<std::size_t>(game_->num_distinct_actions());
        for_each_set([=](std::size_t i, auto&& for_each) {
            bool* const row = out + i * width;
            std::memset(row, 0, width);
            for_each([row](Action action) { row[action] = true; });
        });
    }
    void packed_mask(std::uint8_t* out) const override {
        const std::size_t width = (static_cast<std::size_t>(game_->num_distinct_actions()) + 7) / 8;
        for_each_set([=](std::size_t i, auto&& for_each) {
            std::uint8_t* const row = out + i * width;
            std::memset(row, 0, width);
            for_each([row](Action action) {
                row[action >> 3] = static_cast<std::uint8_t>(row[action >> 3] | (1U << (action & 7)));
            });
        });
    }
    void observations(void* out, NumberKind kind, Viewer viewer) const override {
        observe(Task::kObserve, out, kind, [this, viewer](std::size_t i) {
            return std::pair(needs_reset(i) ? nullptr : &state(i), viewer.value_or(view_->current_player[i]));
        });
    }
    void final_observations(void* out, NumberKind kind, Viewer viewer) const override {
        observe(Task::kObserveEnds, out, kind, [this, viewer](std::size_t i) {
            return std::pair(view_->done[i] == 0 ? nullptr : &ended_in(i), viewer.value_or(last_player_[i]));
        });
    }

    void reset(const bool* where, const GoOn& go_on = {}) override {
        undoably([&] {
            play(Task::kBegin, go_on, [this, where](std::size_t from, std::size_t to, Thinker* thinker) {
                for (std::size_t i = from; i < to; ++i) {
                    if (!where[i]) continue;
                    forget_end(i);
                    next_game(i, thinker);
                }
            });
        });
    }

    [[nodiscard]] const void* state_in(std::size_t i) const override { return &slots_[i].state; }
    void put(std::size_t i, const void* state, const GoOn& go_on) override {
        const Kept before = keep(i);
        try {
            with_thinker(go_on, nullptr, [&](Thinker* thinker) {
                forget_end(i);
                last_player_[i] = 0;  // where the game is over
                slots_[i].state = *static_cast<const State*>(state);
                arrive(i, thinker);
            });
        } catch (...) {
            restore(i, before);
            throw;
        }
    }

    void determinize(Player player, std::uint64_t seed) override {
        in_pieces(Task::kDeal, [&](std::size_t i) {
            if (needs_reset(i)) return;
            Rng rng(seed, i);
            game_->determinize(slots_[i].state, player, rng);
            settle_at(i);  // the set of legal actions may refer to what was dealt again
        });
    }

    void playout(const GoOn& go_on = {}) override {
        undoably([&] {
            clear_ended();
            play(Task::kPlayOut, go_on, [this](std::size_t from, std::size_t to, Thinker* thinker) {
                for (std::size_t i = from; i < to; ++i) play_to_the_end(i, thinker);
            });
        });
    }

    [[nodiscard]] std::unique_ptr<AnyBatch> select(std::span<const std::size_t> which) const override {
        BatchPlan plan = plan_;
        plan.size = which.size();
        std::unique_ptr<Batch> copy(new Batch(*game_, plan, stride_));
        for (std::size_t i = 0; i < which.size(); ++i) copy->restore(i, keep(which[i]));
        return copy;
    }

    // The state in which the game of slot i ended, if it did in the last step.
    [[nodiscard]] const State& ended_in(std::size_t i) const {
        return plan_.autoreset ? final_states_[final_places_[i]] : slots_[i].state;
    }

    // Calls f(i, for_each) for every game, where for_each(g) calls g(action) on its legal actions, ascending.
    void for_each_set(auto&& f) const {
        in_pieces(Task::kList, [&](std::size_t i) {
            if (needs_reset(i)) {
                f(i, [](auto&&) {});
            } else {
                f(i, [&](auto&& g) { slots_[i].actions.for_each(g); });
            }
        });
    }

    // Calls f(i) for all i below size(), on the threads of the batch.
    void in_pieces(Task task, auto&& f) const {
        pool_->run(size(), pace_of(task), plan_.worth_waking, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) f(i);
        });
    }

    // The number of streams in Kept::luck.
    [[nodiscard]] std::size_t lucks() const { return plan_.opponents_think() ? players() : 0; }

    [[nodiscard]] Kept keep(std::size_t i) const {
        const auto luck = luck_.begin() + static_cast<std::ptrdiff_t>(i * lucks());
        return {slots_[i].state,
                slots_[i].rng,
                {luck, luck + static_cast<std::ptrdiff_t>(lucks())},
                view_->game_index[i],
                view_->done[i] != 0 ? std::optional(ended_in(i)) : std::nullopt,
                last_player_[i]};
    }
    // A slot as keep() of this batch, or of another with this game and plan, returned it.
    void restore(std::size_t i, const Kept& kept) {
        last_player_[i] = static_cast<std::int8_t>(kept.ended_by);
        slots_[i].state = kept.state;
        slots_[i].rng = kept.rng;
        std::copy(kept.luck.begin(), kept.luck.end(), luck_.begin() + static_cast<std::ptrdiff_t>(i * lucks()));
        set_game(i, kept.game_index);
        forget_end(i);
        settle_at(i);
        forget_end(i);
        if (kept.ended) record_end(i, *kept.ended);
    }
    [[nodiscard]] SavedSlot save(std::size_t i) const override {
        const Kept kept = keep(i);
        SavedSlot saved{serialize(*game_, kept.state),
                        kept.ended ? serialize(*game_, *kept.ended) : std::string(),
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
        const auto read = [this](const std::string& bytes) { return deserialize(*game_, bytes); };
        const auto stream = [&saved](std::size_t n) {
            return std::bit_cast<Rng>(Words{saved.streams[2 * n], saved.streams[2 * n + 1]});
        };
        if (saved.streams.size() != 2 * (1 + lucks())) {
            throw std::invalid_argument("slots must have the streams of this batch");
        }
        Kept kept{read(saved.state), stream(0), {}, saved.game_index, std::nullopt, saved.ended_by};
        for (std::size_t n = 1; n <= lucks(); ++n) kept.luck.push_back(stream(n));
        if (!saved.ended.empty()) kept.ended = read(saved.ended);
        restore(i, kept);
    }
    [[nodiscard]] static std::unique_ptr<Batch> restored(const G& game, const BatchPlan& plan, std::uint64_t stride) {
        return std::unique_ptr<Batch>(new Batch(game, plan, stride));
    }

  private:
    using Chooser = search::Chooser<G>;
    using Words = std::array<std::uint64_t, 2>;

    // The memory of one thread for opponents that think.
    struct Thinker {
        Chooser& chooser;
        const search::Control& control;
    };

    Batch(const G& game, const BatchPlan& plan, std::uint64_t stride)
        : game_(&game),
          plan_(plan),
          stride_(stride),
          width_(size_of(game.observation_shape())),
          slots_(new_slots(plan.size)),
          picks_(plan.size),
          view_(std::make_shared<BatchView>(plan.size, static_cast<std::size_t>(game.num_players()))),
          pool_(std::make_unique<Pool>(plan.threads)) {}

    // Slots begin at a large page, and fill large pages where the system has them: a step touches every slot, and in
    // small pages each of a large batch waits for the address translation too.
    static constexpr std::size_t kLargePage = std::size_t{1} << 21;
    struct FreeSlots {
        std::align_val_t alignment;
        void operator()(Slot<G>* slots) const { ::operator delete(slots, alignment); }
    };
    [[nodiscard]] static std::unique_ptr<Slot<G>[], FreeSlots> new_slots(std::size_t size) {
        static_assert(std::is_trivially_destructible_v<State>);
        const std::size_t bytes = size * sizeof(Slot<G>);
        const std::align_val_t alignment{bytes < kLargePage ? std::size_t{64} : kLargePage};
        auto* const slots = static_cast<Slot<G>*>(::operator new(bytes, alignment));
#ifdef __linux__
        if (bytes >= kLargePage) madvise(slots, bytes, MADV_HUGEPAGE);  // where it fails, pages stay small
#endif
        std::uninitialized_default_construct_n(slots, size);
        return {slots, FreeSlots{alignment}};
    }

    [[nodiscard]] std::size_t players() const {
        return static_cast<std::size_t>(game_->num_players());
    }

    [[nodiscard]] Pace& pace_of(Task task) const { return paces_[static_cast<std::size_t>(task)]; }

    // Writes into each row what the player of seen(i) sees of its state; zeros where that is null.
    void observe(Task task, void* out, NumberKind kind, const auto& seen) const {
        with_numbers(out, kind, [&]<class Number>(Number* numbers) {
            in_pieces(task, [&, numbers](std::size_t i) {
                const std::span row(numbers + i * width_, width_);
                const auto [state, player] = seen(i);
                if (state == nullptr) {
                    std::ranges::fill(row, Number{0});
                } else {
                    game_->observe(*state, player, row);
                }
            });
        });
    }

    // Reads picks_ from action ids; none is read further than the first that is refused.
    template <class Integer>
    void find_picks(const Integer* ids) {
        for (std::size_t i = 0; i < size(); ++i) {
            const std::optional<std::uint32_t> index =
                ids[i] == static_cast<Integer>(-1) && !std::is_unsigned_v<Integer> ? std::optional(kLeave)
                                                                                   : index_of_action(i, ids[i]);
            if (!index) refuse_action(i, std::to_string(ids[i]), known_id(ids[i]));
            picks_[i] = *index;
        }
    }
    // The number as an action id, if it is one.
    [[nodiscard]] std::optional<Action> known_id(auto id) const {
        const auto ids = static_cast<std::uint64_t>(game_->num_distinct_actions());
        if (id < 0 || static_cast<std::uint64_t>(id) >= ids) return std::nullopt;
        return static_cast<Action>(id);
    }
    [[nodiscard]] std::optional<std::uint32_t> index_of_action(std::size_t i, auto id) const {
        const std::optional<Action> action = known_id(id);
        if (needs_reset(i) || !action) return std::nullopt;
        return index_in(slots_[i].actions, *action);
    }

    // The first slot whose index is not one of a legal action.
    [[nodiscard]] std::size_t first_refused() const {
        std::size_t i = 0;
        while (picks_[i] + 1 <= view_->num_legal_actions[i]) ++i;
        return i;
    }
    [[noreturn]] void refuse_index(std::size_t i, const std::string& given) const {
        throw IllegalActionError(where(i) + ": index " + given + " is not in [0, " +
                                 std::to_string(view_->num_legal_actions[i]) + ")" +
                                 (needs_reset(i) ? "; the game is over and waits for a reset" : ""));
    }
    [[noreturn]] void refuse_action(std::size_t i, const std::string& given, std::optional<Action> known) const {
        throw IllegalActionError(
            where(i) + ": action " + given + (known ? " ('" + game_->action_to_string(*known) + "')" : "") +
            (needs_reset(i) ? " cannot be taken; the game is over and waits for a reset" : " is not legal"));
    }
    [[nodiscard]] std::string where(std::size_t i) const {
        return "slot " + std::to_string(i) + " (game " + std::to_string(view_->game_index[i]) + ")";
    }

    // Calls work(from, to, thinker) on pieces of all slots, on the threads of the batch. Without opponents that think
    // the thinker is null, and nothing throws.
    void play(Task task, const GoOn& go_on, const std::function<void(std::size_t, std::size_t, Thinker*)>& work) {
        if (!plan_.opponents_think()) {
            pool_->run(size(), pace_of(task), plan_.worth_waking,
                       [&work](std::size_t from, std::size_t to) { work(from, to, nullptr); });
            return;
        }
        const auto caller = std::this_thread::get_id();
        std::atomic<bool> stop{false};
        std::exception_ptr error;
        std::once_flag once;
        const auto fail = [&](const std::exception_ptr& reason) {
            std::call_once(once, [&] { error = reason; });
            stop = true;
        };
        const auto think = [&](std::size_t from, std::size_t to) {
            if (stop.load(std::memory_order_relaxed)) return;
            try {
                with_thinker(std::this_thread::get_id() == caller ? go_on : GoOn(), &stop,
                             [&](Thinker* thinker) { work(from, to, thinker); });
            } catch (...) {
                fail(std::current_exception());
            }
        };
        // Only the caller may ask for signals, and it may have to wait long for the thinking of others.
        const auto watch = [&] {
            if (go_on && !stop && !go_on()) fail(std::make_exception_ptr(search::Interrupted{}));
        };
        pool_->run(size(), 1, think, watch);
        if (error) std::rethrow_exception(error);
    }

    // Calls use(thinker), the thinker being null unless opponents think. Choosers are used again, since searches keep
    // their memory in them.
    void with_thinker(const GoOn& go_on, std::atomic<bool>* stop, const std::function<void(Thinker*)>& use) {
        if (!plan_.opponents_think()) return use(nullptr);
        if (go_on && !go_on()) throw search::Interrupted{};
        std::unique_ptr<Chooser> chooser;
        {
            const std::scoped_lock lock(choosers_mutex_);
            if (!choosers_.empty()) {
                chooser = std::move(choosers_.back());
                choosers_.pop_back();
            }
        }
        if (!chooser) chooser = std::make_unique<Chooser>(*game_, plan_.opponents);
        const search::Control control{.threads = 1, .go_on = go_on, .stop = stop};
        Thinker thinker{*chooser, control};
        use(&thinker);
        const std::scoped_lock lock(choosers_mutex_);
        choosers_.push_back(std::move(chooser));
    }

    // Calls moves(), and puts all games back if that throws.
    void undoably(const std::function<void()>& moves) {
        if (!plan_.opponents_think()) return moves();
        std::vector<Kept> before;
        before.reserve(size());
        for (std::size_t i = 0; i < size(); ++i) before.push_back(keep(i));
        try {
            moves();
        } catch (...) {
            for (std::size_t i = 0; i < size(); ++i) restore(i, before[i]);
            throw;
        }
    }

    void move(const GoOn& go_on) {
        move(go_on, [this](std::size_t from, std::size_t to) { step_piece(from, to); });
    }
    void move(const GoOn& go_on, const auto& step_some) {
        undoably([&] {
            clear_ended();
            last_player_ = view_->current_player;
            play(Task::kStep, go_on, [this, &step_some](std::size_t from, std::size_t to, Thinker* thinker) {
                step_some(from, to);
                if (plan_.has_opponents()) {
                    for (std::size_t i = from; i < to; ++i) {
                        if (picks_[i] != kLeave) play_opponents(i, thinker);
                    }
                }
                end_games(from, to, thinker);
            });
        });
    }

    // Steps the slots in [from, to). Where they do not all stay in a cache, each is fetched while the one before it is
    // stepped. Not so in Java, where half of a slot is its legal actions, of which a step uses few: fetching all costs a
    // tenth of the time. Of small slots the processor fetches the next by itself.
    void step_piece(std::size_t from, std::size_t to) {
        constexpr std::size_t kCache = std::size_t{1} << 21;
        const bool fetches = sizeof(State) > 1024 && sizeof(State) > sizeof(Slot<G>) / 2 &&
                             size() * sizeof(Slot<G>) > kCache;
        for (; from < to; ++from) {
            if (fetches && from + 1 < to) {
                const char* const next = reinterpret_cast<const char*>(&slots_[from + 1]);
                for (std::size_t line = 0; line < sizeof(Slot<G>); line += 64) __builtin_prefetch(next + line, 1);
            }
            if (picks_[from] != kLeave) take(from, picks_[from]);
        }
    }

    // Takes the pick-th legal action in slot i.
    void take(std::size_t i, std::uint32_t pick) { show(i, Loops<G>::step(*game_, slots_[i], pick)); }
    void show(std::size_t i, Decision decision) {
        view_->num_legal_actions[i] = decision.num_legal_actions;
        view_->current_player[i] = static_cast<std::int8_t>(decision.player);
    }

    // The stream of the player to act in slot i.
    [[nodiscard]] Rng& luck_at(std::size_t i) {
        if (luck_.empty()) return slots_[i].rng;
        return luck_[i * players() + static_cast<std::size_t>(view_->current_player[i])];
    }

    // A random index for slot i by its stream.
    [[nodiscard]] std::uint32_t drawn(std::size_t i) {
        const std::uint32_t count = view_->num_legal_actions[i];
        return count > 0 ? luck_at(i).below(count) : kLeave;
    }

    // Takes the decision of an opponent in slot i.
    void take_opponents(std::size_t i, Thinker* thinker) {
        Rng& luck = luck_at(i);
        if (thinker == nullptr) return take(i, luck.below(view_->num_legal_actions[i]));
        const Action action = thinker->chooser.choose(slots_[i].state, luck.next(), thinker->control);
        take(i, *index_in(slots_[i].actions, action));
    }

    void play_opponents(std::size_t i, Thinker* thinker) {
        while (!needs_reset(i) && view_->current_player[i] != view_->player[i]) take_opponents(i, thinker);
    }

    void play_to_the_end(std::size_t i, Thinker* thinker) {
        if (needs_reset(i)) return;
        last_player_[i] = view_->current_player[i];
        if (thinker == nullptr) {
            tilery::playout(*game_, slots_[i].state, slots_[i].rng);
            settle_at(i);
            return;
        }
        while (!needs_reset(i)) {
            take(i, luck_at(i).below(view_->num_legal_actions[i]));
            play_opponents(i, thinker);
        }
        record_end(i, slots_[i].state);
    }

    void begin(std::size_t i, Thinker* thinker) {
        const std::uint64_t game = view_->game_index[i];
        new (&slots_[i].state) State(game_->initial_state());  // in place, without a copy
        slots_[i].rng = luck_.empty() ? Rng(plan_.seed, game) : stream_of(plan_.seed, Purpose::chance(), game);
        for (std::size_t seat = 0; seat < lucks(); ++seat) {
            luck_[i * players() + seat] = stream_of(plan_.seed, Purpose::policy(static_cast<Player>(seat)), game);
        }
        arrive(i, thinker);
    }

    // Plays slot i on to the next decision at which the batch stops.
    void arrive(std::size_t i, Thinker* thinker) {
        if (plan_.has_opponents() && view_->done[i] == 0) last_player_[i] = view_->player[i];
        settle_at(i);
        if (!plan_.has_opponents() || needs_reset(i)) return;
        play_opponents(i, thinker);
        if (needs_reset(i) && view_->done[i] == 0) record_end(i, slots_[i].state);
    }

    void set_game(std::size_t i, std::uint64_t game) {
        view_->game_index[i] = game;
        if (plan_.player) view_->player[i] = static_cast<std::int8_t>(*plan_.player);
        if (plan_.rotate) view_->player[i] = static_cast<std::int8_t>((players() - game % players()) % players());
    }

    // Settles chance in slot i. A game that is over then has ended in this step, unless another one of this slot has.
    void settle_at(std::size_t i) {
        show(i, settle(*game_, slots_[i]));
        if (needs_reset(i) && view_->done[i] == 0) record_end(i, slots_[i].state);
    }

    void record_end(std::size_t i, const State& state) {
        if (plan_.autoreset) keep_final(i, state);
        view_->done[i] = 1;
        const auto utilities = tilery::returns(*game_, state);
        const auto scores = game_->scores(state);
        const std::size_t n = players();
        for (std::size_t player = 0; player < n; ++player) {
            view_->returns[i * n + player] = utilities[player];
            view_->scores[i * n + player] = scores[player];
        }
    }

    // Final states take the places from the first one on, so that the few of each step stay in the cache.
    void keep_final(std::size_t i, const State& state) {
        if (final_places_[i] == kNowhere) {
            final_places_[i] = final_count_.fetch_add(1, std::memory_order_relaxed);
            final_slots_[final_places_[i]] = static_cast<std::uint32_t>(i);
        }
        final_states_[final_places_[i]] = state;
    }
    void clear_finals() {
        const std::uint32_t count = final_count_.exchange(0, std::memory_order_relaxed);
        for (std::uint32_t place = 0; place < count; ++place) final_places_[final_slots_[place]] = kNowhere;
    }

    // Ends the games in [from, to) that are over with this step.
    void end_games(std::size_t from, std::size_t to, Thinker* thinker) {
        const std::uint32_t* const counts = view_->num_legal_actions.data();
        for (std::size_t i = first_over(counts, from, to); i < to; i = first_over(counts, i + 1, to)) {
            if (picks_[i] == kLeave) continue;
            record_end(i, slots_[i].state);
            if (plan_.autoreset) next_game(i, thinker);
        }
    }

    void next_game(std::size_t i, Thinker* thinker) {
        set_game(i, view_->game_index[i] + stride_);
        begin(i, thinker);
    }

    void forget_end(std::size_t i) {
        view_->done[i] = 0;
        std::fill_n(&view_->returns[i * players()], players(), 0.0);
        std::fill_n(&view_->scores[i * players()], players(), 0);
    }

    void clear_ended() {
        clear_finals();
        const std::uint8_t* const done = view_->done.data();
        for (std::size_t i = 0; i < size(); ++i) {
            const void* const next = std::memchr(done + i, 1, size() - i);
            if (next == nullptr) return;
            i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(next) - done);
            forget_end(i);
        }
    }

    const G* game_;
    BatchPlan plan_;
    std::uint64_t stride_;
    std::size_t width_;  // of an observation
    std::unique_ptr<Slot<G>[], FreeSlots> slots_;
    std::vector<Rng> luck_ = std::vector<Rng>(plan_.size * lucks(), Rng(0));  // [size, players] where opponents think
    std::vector<std::uint32_t> picks_;
    // With autoreset, the final states of games that ended in the last step, the place of each slot's, and the slot of
    // each place.
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
    std::vector<State> final_states_ = std::vector<State>(plan_.autoreset ? plan_.size : 0);
    std::vector<std::uint32_t> final_places_ = std::vector<std::uint32_t>(final_states_.size(), kNowhere);
    std::vector<std::uint32_t> final_slots_ = std::vector<std::uint32_t>(final_states_.size());
    std::atomic<std::uint32_t> final_count_{0};
    std::shared_ptr<BatchView> view_;
    std::vector<std::int8_t> last_player_ = view_->current_player;
    std::vector<std::unique_ptr<Chooser>> choosers_;  // those not at work
    std::mutex choosers_mutex_;
    mutable std::array<Pace, 8> paces_;  // by Task; how fast calls are is no part of what a batch is
    std::unique_ptr<Pool> pool_;
};

}  // namespace tilery
