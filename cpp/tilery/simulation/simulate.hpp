// SPDX-License-Identifier: MIT
// Many random games on many threads, with the same results for any number of threads (G-5).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/search/threads.hpp"

namespace tilery {

// Calls work(first, last) on chunks of [0, count) from `threads` threads, the caller among them. After each chunk of
// its own the caller asks go_on(), and false ends the work early: returns whether all was done. What work throws on any
// thread ends the work and is thrown here, and so does a thread that cannot be started (std::runtime_error). `stop` is
// set as soon as the work is to end early.
inline bool in_chunks(std::uint64_t count, std::uint64_t chunk, unsigned threads, std::atomic<bool>& stop,
                      const std::function<void(std::uint64_t, std::uint64_t)>& work, const GoOn& go_on) {
    std::atomic<std::uint64_t> next{0};
    bool all = true;
    const std::uint64_t chunks = count / chunk + (count % chunk > 0 ? 1 : 0);
    run_on_threads(static_cast<unsigned>(std::min<std::uint64_t>(threads, chunks)), stop, [&](unsigned self) {
        while (!stop.load(std::memory_order_relaxed)) {
            const std::uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
            if (first >= count) return;
            work(first, std::min(first + chunk, count));
            if (self == 0 && !go_on()) {
                all = false;
                stop = true;
            }
        }
    });
    return all;
}

// Plays games first..first+count-1 of `seed` to the end, each from start(i), i being its place among them.
// `watch(i, action)` sees each action of the i-th of them (or is Unwatched), `done(i, state, played)` its end; all are
// called from many threads, each i from one.
template <Game G, class Start, class Watch, class Done>
bool simulate(const G& game, const Start& start, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
              unsigned threads, const Watch& watch, const Done& done, const GoOn& go_on) {
    constexpr std::uint64_t kChunk = 32;
    std::atomic<bool> stop{false};
    return in_chunks(
        count, kChunk, threads, stop,
        [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t i = from; i < to; ++i) {
                typename G::State state = start(i);
                Rng rng(seed, first + i);
                if constexpr (std::is_same_v<Watch, Unwatched>) {
                    done(i, state, playout(game, state, rng));
                } else {
                    done(i, state, playout(game, state, rng, [&](Action action) { watch(i, action); }));
                }
            }
        },
        go_on);
}

}  // namespace tilery
