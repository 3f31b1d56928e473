// SPDX-License-Identifier: MIT
// Threads that sleep until there is work, and share it in pieces. The caller takes pieces too and waits only for pieces
// that another thread has begun, so that a thread the system does not run delays none of the others.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tilery/search/threads.hpp"
#include "tilery/simd/bits.hpp"

#ifdef __unix__
#include <unistd.h>
#endif
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>

#include <ctime>
#endif

namespace tilery {

// sleep_while() returns when a number is no longer `old`, when the milliseconds are over, or before that; wake_one()
// and wake_all() wake threads that sleep on the number. On Linux not std::atomic::wait, which yields the processor a
// few times before it sleeps: on a busy one that gives away a time slice of some milliseconds.
#ifdef __linux__
inline void futex(std::atomic<std::uint32_t>& number, int operation, std::uint32_t value,
                  const timespec* timeout = nullptr) {
    static_assert(sizeof number == sizeof value);
    syscall(SYS_futex, &number, operation, value, timeout, nullptr, 0);
}
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old) {
    futex(number, FUTEX_WAIT_PRIVATE, old);
}
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old, int milliseconds) {
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
    futex(number, FUTEX_WAIT_PRIVATE, old, &time);
}
inline void wake_one(std::atomic<std::uint32_t>& number) { futex(number, FUTEX_WAKE_PRIVATE, 1); }
inline void wake_all(std::atomic<std::uint32_t>& number) { futex(number, FUTEX_WAKE_PRIVATE, 0x7FFFFFFF); }
#else
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old) { number.wait(old); }
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old, int milliseconds) {
    for (int i = 0; i < milliseconds && number == old; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
inline void wake_one(std::atomic<std::uint32_t>& number) { number.notify_one(); }
inline void wake_all(std::atomic<std::uint32_t>& number) { number.notify_all(); }
#endif

// How long an item of one kind of work takes, as earlier calls have shown.
class Pace {
  public:
    [[nodiscard]] bool known() const { return each_ > 0; }
    // In nanoseconds.
    [[nodiscard]] double of(std::size_t items) const { return each_ * static_cast<double>(items); }
    // An average in which a call that was interrupted counts little.
    void add(std::size_t items, double nanoseconds) {
        if (items == 0) return;
        const double each = nanoseconds / static_cast<double>(items);
        each_ = known() ? each_ + (std::min(each, 2 * each_) - each_) / 8 : each;
    }

  private:
    double each_ = 0;
};

class Pool {
  public:
    // A pool of `threads` threads, of which the caller of run() is one.
    explicit Pool(unsigned threads) : queues_(threads) {
#ifdef __unix__
        owner_ = getpid();
#endif
        helpers_ = start_threads(threads - 1, [this](unsigned i) { help(i); });
    }
    ~Pool() { stop(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Calls work(from, to) on parts of [0, count) until all is done. Parts are of `piece`, the last one excepted, or
    // of several of these. The work must not throw. `watch`, if there is one, is called now and then while the caller
    // has nothing left to do but wait.
    template <class Work>
    void run(std::size_t count, std::size_t piece, const Work& work, const std::function<void()>& watch = {}) {
        if (helpers_.empty() || count <= piece) {
            if (count > 0) work(std::size_t{0}, count);
            return;
        }
        share(count, piece, helpers_.size(), {&call<Work>, &work});
        take(0);
        wait_for_others(watch);
    }
    // The same for work of which each item takes about as long as in other calls with this pace. What would take the
    // caller less than `worth_waking` nanoseconds it does alone, and each thread that is woken has as much to do.
    template <class Work>
    void run(std::size_t count, Pace& pace, double worth_waking, const Work& work) {
        if (helpers_.empty()) {
            if (count > 0) work(std::size_t{0}, count);
            return;
        }
        run_at_pace(count, pace, worth_waking, {&call<Work>, &work});
    }

  private:
    struct Call {
        void (*function)(const void*, std::size_t, std::size_t) = nullptr;
        const void* work = nullptr;
    };
    template <class Work>
    static void call(const void* work, std::size_t from, std::size_t to) {
        (*static_cast<const Work*>(work))(from, to);
    }
    static constexpr int kWatchEvery = 20;      // milliseconds
    static constexpr double kPieceTime = 1000;  // nanoseconds
    static constexpr double kMostPiece = 64;

    // The pieces of a call are shared out before it begins. A thread takes those in its queue, from the first one on,
    // and then those of others, from the last one back: from one call to the next most pieces stay with a thread, and
    // what they touch in its cache.
    struct alignas(64) Queue {
        std::atomic<std::uint64_t> free{0};  // a range()
    };
    // The pieces from `first` up to but not including `end`.
    [[nodiscard]] static std::uint64_t range(std::uint64_t first, std::uint64_t end) { return end << 32 | first; }

    // Takes a quarter of what is free in a queue; false if nothing is. First many at a time, since sharing costs, and
    // in the end single pieces, so that nobody waits for long.
    static bool claim(Queue& queue, bool own, std::uint64_t& first, std::uint64_t& end) {
        std::uint64_t free = queue.free.load(std::memory_order_acquire);
        for (;;) {
            first = free & 0xFFFFFFFFU;
            end = free >> 32;
            if (first == end) return false;
            const std::uint64_t taken = (end - first + 3) / 4;
            const std::uint64_t left = own ? range(first + taken, end) : range(first, end - taken);
            if (!queue.free.compare_exchange_weak(free, left, std::memory_order_acq_rel, std::memory_order_acquire)) {
                continue;
            }
            (own ? end : first) = own ? first + taken : end - taken;
            return true;
        }
    }

    void run_at_pace(std::size_t count, Pace& pace, double worth_waking, Call call) {
        const double expected = pace.of(count);
        const bool shared = count > 1 && (!pace.known() || expected >= worth_waking);
        if (shared) share(count, piece_at(count, pace), helpers_at(expected, worth_waking), call);
        const auto began = std::chrono::steady_clock::now();
        if (!shared && count > 0) call.function(call.work, 0, count);
        const std::size_t taken = shared ? take(0) : count;
        pace.add(taken, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
        if (shared) wait_for_others({});
    }
    // Small enough that nobody waits long for the last one, great enough that claiming it costs little.
    [[nodiscard]] std::size_t piece_at(std::size_t count, const Pace& pace) const {
        const double piece = pace.known() ? kPieceTime / pace.of(1)
                                          : static_cast<double>(count) / (8.0 * static_cast<double>(queues_.size()));
        return static_cast<std::size_t>(std::clamp(piece, 1.0, kMostPiece));
    }
    [[nodiscard]] std::size_t helpers_at(double expected, double worth_waking) const {
        const auto all = static_cast<double>(helpers_.size());
        return static_cast<std::size_t>(expected < all * worth_waking && expected > 0 ? expected / worth_waking : all);
    }

    // Gives a call to all threads, and wakes at most that many.
    void share(std::size_t count, std::size_t piece, std::size_t wakes, Call call) {
        piece = std::max(piece, count >> 31);
        const auto pieces = static_cast<std::uint32_t>((count + piece - 1) / piece);
        count_ = count;
        piece_ = piece;
        call_ = call;
        unfinished_.store(pieces, std::memory_order_relaxed);
        const std::uint64_t threads = queues_.size();
        for (std::uint64_t i = 0; i < threads; ++i) {
            queues_[i].free.store(range(i * pieces / threads, (i + 1) * pieces / threads), std::memory_order_release);
        }
        wakes_left_ = static_cast<int>(wakes);
        calls_.fetch_add(1);
        wake_a_helper();
    }

    // Takes pieces until none are free, and returns the number of items. The fields of the call are read only once a
    // piece is claimed, and do not change before that is done: so it makes no difference if the pieces are those of a
    // later call.
    std::size_t take(std::size_t self) {
        std::size_t items = 0;
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            Queue& queue = queues_[(self + i) % queues_.size()];
            std::uint64_t first = 0, end = 0;
            while (claim(queue, i == 0, first, end)) {
                const std::size_t from = first * piece_, to = std::min<std::size_t>(end * piece_, count_);
                call_.function(call_.work, from, to);
                items += to - from;
                const auto taken = static_cast<std::uint32_t>(end - first);
                if (unfinished_.fetch_sub(taken) == taken && caller_sleeps_) wake_one(unfinished_);
            }
        }
        return items;
    }

    // Waking costs the waker some microseconds, so each thread wakes one other.
    void wake_a_helper() {
        if (sleeping_ > 0 && wakes_left_.fetch_sub(1) > 0) wake_one(calls_);
    }

    void wait_for_others(const std::function<void()>& watch) {
        // The last pieces are left. They most often take less time than to sleep and be woken.
        for (int i = 0; i < 50 && unfinished_ > 0; ++i) wait_in_loop();
        caller_sleeps_ = true;
        for (std::uint32_t left = unfinished_; left > 0; left = unfinished_) {
            if (!watch) {
                sleep_while(unfinished_, left);
            } else {
                sleep_while(unfinished_, left, kWatchEvery);
                watch();
            }
        }
        caller_sleeps_ = false;
    }

    void help(std::size_t self) {
        std::uint32_t seen = 0;
        while (!stopping_) {
            const std::uint32_t calls = calls_;
            if (calls != seen) {
                seen = calls;
                wake_a_helper();
                take(self);
            } else {
                ++sleeping_;
                sleep_while(calls_, calls);
                --sleeping_;
            }
        }
    }

    void stop() {
#ifdef __unix__
        if (owner_ != getpid()) {
            // A forked child has the objects but not the threads. To join, detach or destroy them fails.
            static_cast<void>(std::make_unique<std::vector<std::thread>>(std::move(helpers_)).release());
            return;
        }
#endif
        stopping_ = true;
        ++calls_;
        wake_all(calls_);
        for (std::thread& helper : helpers_) helper.join();
    }

    std::vector<Queue> queues_;
    std::atomic<std::uint32_t> calls_{0}, sleeping_{0};
    std::atomic<int> wakes_left_{0};
    std::atomic<bool> stopping_{false};
    alignas(64) std::atomic<std::uint32_t> unfinished_{0};
    std::atomic<bool> caller_sleeps_{false};
    // The call; see take().
    std::size_t count_ = 0, piece_ = 1;
    Call call_;
    std::vector<std::thread> helpers_;
#ifdef __unix__
    pid_t owner_;
#endif
};

}  // namespace tilery
