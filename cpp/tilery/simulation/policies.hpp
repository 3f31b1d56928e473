// SPDX-License-Identifier: MIT
// Games between policies, on many threads, with the same results for any number of threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <variant>
#include <vector>

#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/views.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/search/utility.hpp"
#include "tilery/simulation/line_up.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery {

// CPU time of this thread in seconds; where the platform has no such clock, time.
[[nodiscard]] inline double thread_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID) && !defined(_WIN32)
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

// One thread's players, with memory that is used again from game to game.
template <Game G>
class LineUpPlayer {
  public:
    LineUpPlayer(const G& game, const LineUp& line_up, const search::Control& control)
        : game_(game), line_up_(line_up), control_(control), choosers_(line_up.seats.size()) {
        for (std::size_t i = 0; i < line_up.seats.size(); ++i) {
            if (const auto* policy = std::get_if<search::Policy>(&line_up.seats[i])) {
                choosers_[i] = std::make_unique<search::Chooser<G>>(game, *policy);
            } else {
                outside_ = true;
            }
        }
    }

    // Plays game `index` of `seed` to the end, showing each action to `watch` before it is taken.
    Played play(typename G::State& state, std::uint64_t seed, std::uint64_t index, auto&& watch,
                Thinking* thinking = nullptr) {
        Rng chance = stream_of(seed, Purpose::chance(), index);
        std::vector<Rng> luck, deals;
        for (Player p = 0; p < game_.num_players(); ++p) {
            luck.push_back(stream_of(seed, Purpose::policy(p), index));
            deals.push_back(stream_of(seed, Purpose::deals(p), index));
        }
        seen_.assign(luck.size(), {});
        const auto show = [&](Action action) {
            note(state, action);
            watch(action);
        };
        Played played;
        for (;; ++played.actions) {
            const Player player = game_.current_player(state);
            if (player == kTerminal) return played;
            if (player == kChance) {
                apply_chance(game_, state, chance, show);
                continue;
            }
            const auto seat = static_cast<std::size_t>(player);
            const std::size_t i = line_up_.policy_of(player, index);
            const std::uint64_t number = luck[seat].next();
            const double cpu_began = thinking != nullptr ? thread_seconds() : 0;
            const auto began = thinking != nullptr ? Clock::now() : Clock::time_point();
            const Action action = choosers_[i]
                                      ? choosers_[i]->choose(state, number, control_)
                                      : ask(std::get<Callback>(line_up_.seats[i]), state, number, deals[seat], index);
            if (thinking != nullptr) {
                thinking[seat].seconds += std::chrono::duration<double>(Clock::now() - began).count();
                thinking[seat].cpu += thread_seconds() - cpu_began;
                ++thinking[seat].decisions;
            }
            show(action);
            game_.apply_action(state, action);
            ++played.decisions;
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    // Notes an action for the seats that are played from outside.
    void note(const typename G::State& state, Action action) {
        if (!outside_) return;
        for (Player p = 0; p < game_.num_players(); ++p) {
            seen_[static_cast<std::size_t>(p)].push_back(action_seen_by(game_, state, p, action));
        }
    }
    [[nodiscard]] Action ask(const Callback& callback, const typename G::State& state, std::uint64_t number, Rng& deals,
                             std::uint64_t index) {
        const Player player = game_.current_player(state);
        typename G::State known = state;
        game_.determinize(known, player, deals);
        const Action action = callback(&known, number, seen_[static_cast<std::size_t>(player)]);
        try {
            check_legal(game_, state, action);
        } catch (const IllegalActionError& error) {
            throw IllegalActionError("seat " + std::to_string(player) + " in game " + std::to_string(index) + ": " +
                                     error.what());
        }
        return action;
    }

    const G& game_;
    const LineUp& line_up_;
    const search::Control& control_;
    std::vector<std::unique_ptr<search::Chooser<G>>> choosers_;  // null for callbacks
    std::vector<std::vector<Action>> seen_;                      // by player
    bool outside_ = false;                                       // whether any seat is a callback
};

// Plays games first..first+count-1 of `seed` between policies, each from start(i), as simulate() in simulate.hpp
// does at random.
// `watch(i, action)` and `done(i, state, played)` are called from many threads, each i from one.
template <Game G, class Start, class Watch, class Done>
bool simulate(const G& game, const Start& start, const LineUp& line_up, std::uint64_t seed, std::uint64_t first,
              std::uint64_t count, unsigned threads, const Watch& watch, const Done& done, const GoOn& go_on) {
    constexpr std::uint64_t kChunk = 4;
    std::atomic<bool> stop{false};
    const search::Control helper{.threads = 1, .go_on = nullptr, .stop = &stop};
    const search::Control caller{.threads = 1, .go_on = go_on, .stop = &stop};
    const auto here = std::this_thread::get_id();
    const auto work = [&](std::uint64_t from, std::uint64_t to) {
        LineUpPlayer<G> player(game, line_up, std::this_thread::get_id() == here ? caller : helper);
        for (std::uint64_t i = from; i < to; ++i) {
            typename G::State state = start(i);
            const auto seen = [&]([[maybe_unused]] Action action) {
                if constexpr (!std::is_same_v<Watch, Unwatched>) watch(i, action);
            };
            const std::size_t players = line_up.seats.size();
            Thinking* const thinking = line_up.thinking == nullptr ? nullptr : line_up.thinking + i * players;
            const Played played = player.play(state, seed, first + i, seen, thinking);
            done(i, state, played);
        }
    };
    try {
        return in_chunks(count, kChunk, threads, stop, work, go_on);
    } catch (const search::Interrupted&) {
        return false;
    }
}

}  // namespace tilery
