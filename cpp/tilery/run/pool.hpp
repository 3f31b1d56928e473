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

#ifdef __unix__
#include <unistd.h>
#endif
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>

#include <ctime>
#endif

namespace tilery {

// Returns when a number is no longer `old`, or before that. On Linux not std::atomic::wait, which yields the processor
// a few times before it sleeps: on a busy one that gives away a time slice of some milliseconds.
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old) {
#ifdef __linux__
    static_assert(sizeof number == sizeof old);
    syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
#else
    number.wait(old);
#endif
}
// The same for at most this many milliseconds.
inline void sleep_while(std::atomic<std::uint32_t>& number, std::uint32_t old, int milliseconds) {
#ifdef __linux__
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
    syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, old, &time, nullptr, 0);
#else
    for (int i = 0; i < milliseconds && number == old; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
#endif
}
// Wakes one thread that sleeps on the number, or all.
inline void wake_one(std::atomic<std::uint32_t>& number) {
#ifdef __linux__
    syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
#else
    number.notify_one();
#endif
}
inline void wake_all(std::atomic<std::uint32_t>& number) {
#ifdef __linux__
    syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 0x7FFFFFFF, nullptr, nullptr, 0);
#else
    number.notify_all();
#endif
}

class Pool {
  public:
    // A pool of `threads` threads, of which the caller of run() is one.
    explicit Pool(unsigned threads) : homes_(threads) {
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
        piece = std::max(piece, count >> 31);
        const auto pieces = static_cast<std::uint32_t>((count + piece - 1) / piece);
        if (helpers_.empty() || pieces <= 1) {
            if (count > 0) work(std::size_t{0}, count);
            return;
        }
        count_ = count;
        piece_ = piece;
        work_ = &work;
        call_ = [](const void* given, std::size_t from, std::size_t to) {
            (*static_cast<const Work*>(given))(from, to);
        };
        unfinished_.store(pieces, std::memory_order_relaxed);
        const std::uint64_t threads = homes_.size();
        for (std::uint64_t i = 0; i < threads; ++i) {
            homes_[i].free.store(part(i * pieces / threads, (i + 1) * pieces / threads), std::memory_order_release);
        }
        calls_.fetch_add(1);
        wake_a_helper();
        take(0);
        wait_for_others(watch);
    }

  private:
    using Call = void (*)(const void*, std::size_t, std::size_t);
    static constexpr int kWatchEvery = 20;  // milliseconds

    // The pieces of a call are shared out before it begins. A thread takes those at its home, from the first one on,
    // and then those of others, from the last one back: from one call to the next most pieces stay with a thread, and
    // what they touch in its cache.
    struct alignas(64) Home {
        std::atomic<std::uint64_t> free{0};  // a part
    };
    // Pieces from one up to but not including another.
    [[nodiscard]] static std::uint64_t part(std::uint64_t first, std::uint64_t end) { return end << 32 | first; }

    // Takes a quarter of what is free there; false if nothing is. First many at a time, since sharing costs, and in the
    // end single pieces, so that nobody waits for long.
    static bool claim(Home& home, bool own, std::uint64_t& first, std::uint64_t& end) {
        std::uint64_t free = home.free.load(std::memory_order_acquire);
        for (;;) {
            first = free & 0xFFFFFFFFU;
            end = free >> 32;
            if (first == end) return false;
            const std::uint64_t taken = (end - first + 3) / 4;
            const std::uint64_t left = own ? part(first + taken, end) : part(first, end - taken);
            if (!home.free.compare_exchange_weak(free, left, std::memory_order_acq_rel, std::memory_order_acquire)) {
                continue;
            }
            (own ? end : first) = own ? first + taken : end - taken;
            return true;
        }
    }

    // Takes pieces until none are free. The fields of the call are read only once a piece is claimed, and do not change
    // before that is done: so it makes no difference if the pieces are those of a later call.
    void take(std::size_t self) {
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            Home& home = homes_[(self + i) % homes_.size()];
            std::uint64_t first = 0, end = 0;
            while (claim(home, i == 0, first, end)) {
                call_(work_, first * piece_, std::min<std::size_t>(end * piece_, count_));
                const auto taken = static_cast<std::uint32_t>(end - first);
                if (unfinished_.fetch_sub(taken) == taken && caller_sleeps_) wake_one(unfinished_);
            }
        }
    }

    // Waking costs the waker some microseconds, so each thread wakes one other.
    void wake_a_helper() {
        if (sleeping_ > 0) wake_one(calls_);
    }

    void wait_for_others(const std::function<void()>& watch) {
        // What is left are the last pieces. They most often take less time than to sleep and be woken.
        for (int i = 0; i < 50 && unfinished_ > 0; ++i) pause();
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
    static void pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
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
        if (owner_ != getpid()) {  // a forked child has the objects but not the threads
            for (std::thread& helper : helpers_) helper.detach();
            return;
        }
#endif
        stopping_ = true;
        ++calls_;
        wake_all(calls_);
        for (std::thread& helper : helpers_) helper.join();
    }

    std::vector<Home> homes_;
    std::atomic<std::uint32_t> calls_{0}, sleeping_{0};
    std::atomic<bool> stopping_{false};
    alignas(64) std::atomic<std::uint32_t> unfinished_{0};
    std::atomic<bool> caller_sleeps_{false};
    // The call; see take().
    std::size_t count_ = 0, piece_ = 1;
    const void* work_ = nullptr;
    Call call_ = nullptr;
    std::vector<std::thread> helpers_;
#ifdef __unix__
    pid_t owner_;
#endif
};

}  // namespace tilery
