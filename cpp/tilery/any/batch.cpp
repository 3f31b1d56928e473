// SPDX-License-Identifier: MIT
#include "tilery/any/batch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "tilery/core/errors.hpp"
#include "tilery/simulation/arrays.hpp"

namespace tilery::any {

using Words = std::array<std::uint64_t, 2>;  // of a stream

Batch::Batch(const AnyGame& game, const BatchPlan& plan, const GoOn& go_on) : Batch(game, plan, plan.size) {
    play(Task::kBegin, go_on, [this](std::size_t from, std::size_t to, Thinker* thinker) {
        for (std::size_t i = from; i < to; ++i) {
            set_game(i, plan_.first + i);
            begin(i, thinker);
        }
    });
}

Batch::Batch(const AnyGame& game, const BatchPlan& plan, std::uint64_t stride)
    : game_(&game),
      plan_(plan),
      stride_(stride),
      slots_(new_slots(plan.size * game.kind().slot_size)),
      luck_(plan.size * lucks(), Rng(0)),
      picks_(plan.size),
      final_states_(plan.autoreset ? plan.size * state_size() : 0),
      final_places_(plan.autoreset ? plan.size : 0, kNowhere),
      final_slots_(final_places_.size()),
      view_(std::make_shared<BatchView>(plan.size, players())),
      last_player_(plan.size),
      pool_(std::make_unique<Pool>(plan.threads)) {}

// Slots begin at a large page, and fill large pages where the system has them: a step touches every slot, and in small
// pages each of a large batch waits for the address translation too.
std::unique_ptr<std::byte[], Batch::FreeSlots> Batch::new_slots(std::size_t bytes) {
    constexpr std::size_t kLargePage = std::size_t{1} << 21;
    const std::align_val_t alignment{bytes < kLargePage ? std::size_t{64} : kLargePage};
    auto* const slots = static_cast<std::byte*>(::operator new(bytes, alignment));
#ifdef __linux__
    if (bytes >= kLargePage) madvise(slots, bytes, MADV_HUGEPAGE);  // where it fails, pages stay small
#endif
    return {slots, FreeSlots{alignment}};
}

// ---- choices

void Batch::in_pieces(Task task, const auto& work) const {
    pool_->run(size(), pace_of(task), plan_.worth_waking, work);
}

// Calls f(i) for all slots, on the threads of the batch.
void Batch::in_each(Task task, const auto& f) const {
    in_pieces(task, [&f](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) f(i);
    });
}

void Batch::move(const GoOn& go_on) {
    move(go_on, [this](std::size_t from, std::size_t to) { step_piece(from, to); });
}
void Batch::move(const GoOn& go_on, const auto& step_some) {
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

void Batch::step(const Integers& indices, const GoOn& go_on) {
    std::visit(
        [this](const auto* picks) {
            if (read_picks(picks, view_->num_legal_actions, picks_.data())) return;
            std::size_t i = 0;
            while (picks_[i] + 1 <= view_->num_legal_actions[i]) ++i;
            refuse_index(i, std::to_string(picks[i]));
        },
        indices);
    move(go_on);
}

void Batch::apply_actions(const Integers& ids, const GoOn& go_on) {
    std::visit([this](const auto* actions) { find_picks(actions); }, ids);
    move(go_on);
}

void Batch::random_indices(std::int32_t* out) {
    for (std::size_t i = 0; i < size(); ++i) out[i] = static_cast<std::int32_t>(drawn(i));
}

void Batch::indices(const Uniforms& uniforms, std::int32_t* out) const {
    std::visit(
        [this, out](const auto* numbers) {
            const std::span all(numbers, size());
            check_uniforms(all, 1);
            spread_picks(all, view_->num_legal_actions.data(), out);
        },
        uniforms);
}

void Batch::random_step(const GoOn& go_on) {
    move(go_on, [this](std::size_t from, std::size_t to) {
        constexpr std::size_t kBlock = 16;  // slots that stay in the nearest cache from their draw to their step
        for (; from < to; from += kBlock) {
            const std::size_t end = std::min(from + kBlock, to);
            for (std::size_t i = from; i < end; ++i) picks_[i] = drawn(i);
            step_piece(from, end);
        }
    });
}

std::uint64_t Batch::random_steps(const Uniforms& uniforms, std::size_t columns, const GoOn& go_on) {
    std::visit([&](const auto* numbers) { check_uniforms(std::span(numbers, size() * columns), columns); }, uniforms);
    std::atomic<std::uint64_t> steps{0};
    undoably([&] {
        clear_ended();
        play(Task::kSteps, go_on, [&](std::size_t from, std::size_t to, Thinker* thinker) {
            std::uint64_t taken = 0;
            for (std::size_t i = from; i < to; ++i) {
                if (!needs_reset(i)) taken += step_row(i, uniforms, columns, thinker);
            }
            steps += taken;
        });
    });
    return steps;
}

// Steps slot i by one number of its row after the other, until its game ends.
std::uint64_t Batch::step_row(std::size_t i, const Uniforms& uniforms, std::size_t columns, Thinker* thinker) {
    std::uint64_t taken = 0;
    const void* const next = fetches() && i + 1 < size() ? slot(i + 1) : nullptr;
    // With opponents each step ends with their decisions.
    const std::size_t at_a_time = plan_.has_opponents() ? 1 : columns;
    for (std::size_t column = 0; column < columns && !needs_reset(i); column += at_a_time) {
        const auto rest = [at = i * columns + column](const auto* numbers) { return Uniforms(numbers + at); };
        const Decision now{view_->num_legal_actions[i], view_->current_player[i]};
        const Steps steps = game_->play_row(slot(i), now, std::visit(rest, uniforms), at_a_time, next);
        taken += steps.taken;
        last_player_[i] = static_cast<std::int8_t>(steps.last);
        show(i, steps.now);
        if (plan_.has_opponents()) play_opponents(i, thinker);
    }
    if (needs_reset(i)) end_game(i, thinker);
    return taken;
}

// Throws std::invalid_argument unless these numbers, so many for each slot, are all in [0, 1).
template <class Real>
void Batch::check_uniforms(std::span<const Real> uniforms, std::size_t columns) const {
    if (const std::size_t at = first_outside(uniforms); at < uniforms.size()) {
        throw std::invalid_argument("uniforms must be in [0, 1), got " + std::to_string(uniforms[at]) + " for slot " +
                                    std::to_string(at / columns));
    }
}

// Reads picks_ from action ids; none is read further than the first that is refused.
template <class Integer>
void Batch::find_picks(const Integer* ids) {
    const auto end = static_cast<std::uint64_t>(game_->facts().num_distinct_actions);
    for (std::size_t i = 0; i < size(); ++i) {
        const Integer id = ids[i];
        std::optional<Action> action;
        if (id >= 0 && static_cast<std::uint64_t>(id) < end) action = static_cast<Action>(id);
        std::optional<std::uint32_t> index;
        if (action && !needs_reset(i)) index = game_->index_in(slot(i), *action);
        if (!std::is_unsigned_v<Integer> && id == static_cast<Integer>(-1)) index = kLeave;
        if (!index) refuse_action(i, std::to_string(id), action);
        picks_[i] = *index;
    }
}

void Batch::refuse_index(std::size_t i, const std::string& given) const {
    throw IllegalActionError(where(i) + ": index " + given + " is not in [0, " +
                             std::to_string(view_->num_legal_actions[i]) + ")" +
                             (needs_reset(i) ? "; the game is over and waits for a reset" : ""));
}
void Batch::refuse_action(std::size_t i, const std::string& given, std::optional<Action> known) const {
    throw IllegalActionError(
        where(i) + ": action " + given + (known ? " ('" + game_->action_to_string(*known) + "')" : "") +
        (needs_reset(i) ? " cannot be taken; the game is over and waits for a reset" : " is not legal"));
}
std::string Batch::where(std::size_t i) const {
    return "slot " + std::to_string(i) + " (game " + std::to_string(view_->game_index[i]) + ")";
}

// ---- what is seen

void Batch::in_pieces(const Pieces& work) const { in_pieces(Task::kOther, work); }

// Writes what is legal into rows of this many bytes.
void Batch::list_legal(std::size_t row, LegalForm form, void* out) const {
    in_each(Task::kList, [=, this, to = static_cast<std::uint8_t*>(out)](std::size_t i) {
        std::memset(to + i * row, 0, row);
        if (!needs_reset(i)) game_->write_legal(slot(i), form, to + i * row);
    });
}
void Batch::mask(bool* out) const { list_legal(index(game_->facts().num_distinct_actions), LegalForm::kBytes, out); }
void Batch::packed_mask(std::uint8_t* out) const {
    list_legal((index(game_->facts().num_distinct_actions) + 7) / 8, LegalForm::kBits, out);
}
void Batch::legal_actions(const std::int64_t* offsets, std::int32_t* out) const {
    in_each(Task::kList, [=, this](std::size_t i) {
        if (!needs_reset(i)) game_->write_legal(slot(i), LegalForm::kIds, out + offsets[i]);
    });
}

// Writes into each row what the player of seen(i) sees of its state; zeros where that is null.
void Batch::observe(Task task, void* out, NumberKind kind, const auto& seen) const {
    const std::size_t width = with_number(kind, []<class Number>(Number) { return sizeof(Number); });
    const std::size_t row = game_->facts().observation_size() * width;
    in_each(task, [&, to = static_cast<std::byte*>(out)](std::size_t i) {
        const auto [state, player] = seen(i);
        if (state == nullptr) {
            std::memset(to + i * row, 0, row);  // zeros of every kind of number
        } else {
            game_->observe(state, player, to + i * row, kind);
        }
    });
}
void Batch::observations(void* out, NumberKind kind, Viewer viewer) const {
    observe(Task::kObserve, out, kind, [this, viewer](std::size_t i) {
        return std::pair(needs_reset(i) ? nullptr : slot(i), viewer.value_or(view_->current_player[i]));
    });
}
void Batch::final_observations(void* out, NumberKind kind, Viewer viewer) const {
    observe(Task::kObserveEnds, out, kind, [this, viewer](std::size_t i) {
        return std::pair(view_->done[i] == 0 ? nullptr : ended_in(i), viewer.value_or(last_player_[i]));
    });
}

// ---- calls in which games go on

void Batch::reset(const bool* where, const GoOn& go_on) {
    undoably([&] {
        play(Task::kBegin, go_on, [this, where](std::size_t from, std::size_t to, Thinker* thinker) {
            for (std::size_t i = from; i < to; ++i) {
                if (where == nullptr ? !needs_reset(i) : !where[i]) continue;
                forget_end(i);
                next_game(i, thinker);
            }
        });
    });
}

void Batch::put(std::size_t i, const void* state, const GoOn& go_on) {
    const Kept before = keep(i);
    try {
        with_thinker(go_on, nullptr, [&](Thinker* thinker) {
            forget_end(i);
            last_player_[i] = 0;  // where the game is over
            std::memcpy(slot(i), state, state_size());
            arrive(i, game_->settle(slot(i)), thinker);
        });
    } catch (...) {
        restore(i, before);
        throw;
    }
}

void Batch::determinize(Player player, std::uint64_t seed) {
    in_each(Task::kDeal, [this, player, seed](std::size_t i) {
        if (needs_reset(i)) return;
        Rng rng(seed, i);
        game_->determinize(slot(i), player, rng);
        settle_at(i);  // the set of legal actions may refer to what was dealt again
    });
}

void Batch::playout(const GoOn& go_on) {
    undoably([&] {
        clear_ended();
        play(Task::kPlayOut, go_on, [this](std::size_t from, std::size_t to, Thinker* thinker) {
            for (std::size_t i = from; i < to; ++i) play_to_the_end(i, thinker);
        });
    });
}

// Calls work(from, to, thinker) on pieces of all slots, on the threads of the batch. Without opponents that think the
// thinker is null, and nothing throws.
void Batch::play(Task task, const GoOn& go_on, const Playing& work) {
    if (!plan_.opponents_think()) {
        return in_pieces(task, [&work](std::size_t from, std::size_t to) { work(from, to, nullptr); });
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

// Calls use(thinker), the thinker being null unless opponents think. Choosers are used again, since searches keep their
// memory in them.
void Batch::with_thinker(const GoOn& go_on, std::atomic<bool>* stop, const std::function<void(Thinker*)>& use) {
    if (!plan_.opponents_think()) return use(nullptr);
    if (go_on && !go_on()) throw search::Interrupted{};
    std::unique_ptr<AnyChooser> chooser;
    {
        const std::scoped_lock lock(choosers_mutex_);
        if (!choosers_.empty()) {
            chooser = std::move(choosers_.back());
            choosers_.pop_back();
        }
    }
    if (!chooser) chooser = game_->chooser(plan_.opponents);
    const search::Control control{.threads = 1, .go_on = go_on, .stop = stop};
    Thinker thinker{*chooser, control};
    use(&thinker);
    const std::scoped_lock lock(choosers_mutex_);
    choosers_.push_back(std::move(chooser));
}

// Calls moves(), and puts all games back if that throws.
void Batch::undoably(const std::function<void()>& moves) {
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

void Batch::step_piece(std::size_t from, std::size_t to) {
    game_->play_all(slot(from), &picks_[from], to - from, fetches(), &view_->num_legal_actions[from],
                    &view_->current_player[from]);
}

// The stream of the player to act in slot i.
Rng& Batch::luck_at(std::size_t i) {
    if (luck_.empty()) return stream_in(i);
    return luck_[i * players() + static_cast<std::size_t>(view_->current_player[i])];
}

// A random index for slot i by its stream.
std::uint32_t Batch::drawn(std::size_t i) {
    const std::uint32_t count = view_->num_legal_actions[i];
    return count > 0 ? luck_at(i).below(count) : kLeave;
}

// Takes the decision of an opponent in slot i.
void Batch::take_opponents(std::size_t i, Thinker* thinker) {
    Rng& luck = luck_at(i);
    if (thinker == nullptr) return take(i, luck.below(view_->num_legal_actions[i]));
    const Action action = thinker->chooser.choose(slot(i), luck.next(), thinker->control);
    take(i, *game_->index_in(slot(i), action));
}

void Batch::play_opponents(std::size_t i, Thinker* thinker) {
    while (!needs_reset(i) && view_->current_player[i] != view_->player[i]) take_opponents(i, thinker);
}

void Batch::play_to_the_end(std::size_t i, Thinker* thinker) {
    if (needs_reset(i)) return;
    last_player_[i] = view_->current_player[i];
    if (thinker == nullptr) {
        game_->playout(slot(i), stream_in(i));
        settle_at(i);
        return;
    }
    while (!needs_reset(i)) {
        take(i, luck_at(i).below(view_->num_legal_actions[i]));
        play_opponents(i, thinker);
    }
    record_end(i, slot(i));
}

// ---- the beginnings and ends of games

void Batch::begin(std::size_t i, Thinker* thinker) {
    const std::uint64_t game = view_->game_index[i];
    for (std::size_t seat = 0; seat < lucks(); ++seat) {
        luck_[i * players() + seat] = stream_of(plan_.seed, Purpose::policy(static_cast<Player>(seat)), game);
    }
    const Rng rng = luck_.empty() ? Rng(plan_.seed, game) : stream_of(plan_.seed, Purpose::chance(), game);
    arrive(i, game_->begin(slot(i), rng), thinker);
}

// Plays slot i on from a decision, or an end, to the next decision at which the batch stops.
void Batch::arrive(std::size_t i, Decision decision, Thinker* thinker) {
    if (plan_.has_opponents() && view_->done[i] == 0) last_player_[i] = view_->player[i];
    show(i, decision);
    if (plan_.has_opponents()) play_opponents(i, thinker);
    record_first_end(i);
}

void Batch::set_game(std::size_t i, std::uint64_t game) {
    view_->game_index[i] = game;
    if (plan_.player) view_->player[i] = static_cast<std::int8_t>(*plan_.player);
    if (plan_.rotate) view_->player[i] = static_cast<std::int8_t>((players() - game % players()) % players());
}

void Batch::settle_at(std::size_t i) {
    show(i, game_->settle(slot(i)));
    record_first_end(i);
}

// A game that is over has ended in this step, unless another one of this slot has.
void Batch::record_first_end(std::size_t i) {
    if (needs_reset(i) && view_->done[i] == 0) record_end(i, slot(i));
}

// Final states take the places from the first one on, so that the few of each step stay in the cache.
void Batch::record_end(std::size_t i, const void* state) {
    if (plan_.autoreset) {
        if (final_places_[i] == kNowhere) {
            final_places_[i] = final_count_.fetch_add(1, std::memory_order_relaxed);
            final_slots_[final_places_[i]] = static_cast<std::uint32_t>(i);
        }
        std::memcpy(&final_states_[final_places_[i] * state_size()], state, state_size());
    }
    view_->done[i] = 1;
    const auto utilities = game_->returns(state);
    const auto scores = game_->scores(state);
    std::copy_n(utilities.begin(), players(), &view_->returns[i * players()]);
    std::copy_n(scores.begin(), players(), &view_->scores[i * players()]);
}

// Ends the games in [from, to) that are over with this step.
void Batch::end_games(std::size_t from, std::size_t to, Thinker* thinker) {
    const std::uint32_t* const counts = view_->num_legal_actions.data();
    for (std::size_t i = first_over(counts, from, to); i < to; i = first_over(counts, i + 1, to)) {
        if (picks_[i] != kLeave) end_game(i, thinker);
    }
}

void Batch::end_game(std::size_t i, Thinker* thinker) {
    record_end(i, slot(i));
    if (plan_.autoreset) next_game(i, thinker);
}

void Batch::next_game(std::size_t i, Thinker* thinker) {
    set_game(i, view_->game_index[i] + stride_);
    begin(i, thinker);
}

void Batch::forget_end(std::size_t i) {
    view_->done[i] = 0;
    std::fill_n(&view_->returns[i * players()], players(), 0.0);
    std::fill_n(&view_->scores[i * players()], players(), 0);
}

void Batch::clear_ended() {
    const std::uint32_t count = final_count_.exchange(0, std::memory_order_relaxed);
    for (std::uint32_t place = 0; place < count; ++place) final_places_[final_slots_[place]] = kNowhere;
    const std::uint8_t* const done = view_->done.data();
    for (std::size_t i = 0; i < size(); ++i) {
        const void* const next = std::memchr(done + i, 1, size() - i);
        if (next == nullptr) return;
        i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(next) - done);
        forget_end(i);
    }
}

// ---- slots as values

// The state in which the game of slot i ended, if it did in the last step.
const void* Batch::ended_in(std::size_t i) const {
    return plan_.autoreset ? &final_states_[final_places_[i] * state_size()] : slot(i);
}

Batch::Bytes Batch::bytes_of(const void* state) const {
    const auto* const from = static_cast<const std::byte*>(state);
    return {from, from + state_size()};
}

Batch::Kept Batch::keep(std::size_t i) const {
    const auto luck = luck_.begin() + static_cast<std::ptrdiff_t>(i * lucks());
    return {bytes_of(slot(i)),
            stream_in(i),
            {luck, luck + static_cast<std::ptrdiff_t>(lucks())},
            view_->game_index[i],
            view_->done[i] != 0 ? bytes_of(ended_in(i)) : Bytes(),
            last_player_[i]};
}
// A slot as keep() of this batch, or of another with this game and plan, returned it.
void Batch::restore(std::size_t i, const Kept& kept) {
    last_player_[i] = static_cast<std::int8_t>(kept.ended_by);
    std::memcpy(slot(i), kept.state.data(), state_size());
    stream_in(i) = kept.rng;
    std::copy(kept.luck.begin(), kept.luck.end(), luck_.begin() + static_cast<std::ptrdiff_t>(i * lucks()));
    set_game(i, kept.game_index);
    forget_end(i);
    settle_at(i);
    forget_end(i);
    if (!kept.ended.empty()) record_end(i, kept.ended.data());
}

std::unique_ptr<Batch> Batch::select(std::span<const std::size_t> which) const {
    BatchPlan plan = plan_;
    plan.size = which.size();
    auto copy = std::make_unique<Batch>(*game_, plan, stride_);
    for (std::size_t i = 0; i < which.size(); ++i) copy->restore(i, keep(which[i]));
    return copy;
}

SavedSlot Batch::save(std::size_t i) const {
    const Kept kept = keep(i);
    SavedSlot saved{game_->serialize(kept.state.data()),
                    kept.ended.empty() ? std::string() : game_->serialize(kept.ended.data()),
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
void Batch::restore(std::size_t i, const SavedSlot& saved) {
    const auto read = [this](const std::string& bytes) {
        Bytes state(state_size());
        game_->deserialize(bytes, state.data());
        return state;
    };
    const auto stream = [&saved](std::size_t n) {
        return std::bit_cast<Rng>(Words{saved.streams[2 * n], saved.streams[2 * n + 1]});
    };
    if (saved.streams.size() != 2 * (1 + lucks())) {
        throw std::invalid_argument("slots must have the streams of this batch");
    }
    Kept kept{read(saved.state), stream(0), {}, saved.game_index, {}, saved.ended_by};
    for (std::size_t n = 1; n <= lucks(); ++n) kept.luck.push_back(stream(n));
    if (!saved.ended.empty()) kept.ended = read(saved.ended);
    restore(i, kept);
}

}  // namespace tilery::any
