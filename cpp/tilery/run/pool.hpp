// SPDX-License-Identifier: MIT
// Threads that wait for work in pieces. The caller takes pieces too and waits only for pieces that another
// thread has begun, so that a thread the system does not run delays none of the others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#ifdef __unix__
#include <unistd.h>
#endif

namespace tilery {

class Pool {
  public:
    // A pool of `threads` threads, of which the caller of run() is one.
    explicit Pool(unsigned threads) {
#ifdef __unix__
        owner_ = getpid();
#endif
        try {
            for (unsigned i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
        } catch (...) {
            stop();
            throw;
        }
    }
    ~Pool() { stop(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Calls work(from, to) on pieces of [0, count) until all are done. The work must not throw.
    template <class Work>
    void run(std::size_t count, std::size_t piece, const Work& work) {
        if (helpers_.empty() || count <= piece) {
            if (count > 0) work(std::size_t{0}, count);
            return;
        }
        const Call call = [](const void* given, std::size_t from, std::size_t to) {
            (*static_cast<const Work*>(given))(from, to);
        };
        count_ = count;
        piece_ = piece;
        work_ = &work;
        call_ = call;
        // A ticket is the number of the call above the next free piece, so that a late helper cannot take a piece of
        // another call.
        const std::uint64_t generation = (tickets_.load(std::memory_order_relaxed) >> kPieceBits) + 1;
        unfinished_.store((count + piece - 1) / piece, std::memory_order_relaxed);
        tickets_.store(generation << kPieceBits, std::memory_order_release);
        tickets_.notify_all();
        take(generation);
        for (std::size_t left = unfinished_.load(std::memory_order_acquire); left > 0;
             left = unfinished_.load(std::memory_order_acquire)) {
            unfinished_.wait(left, std::memory_order_acquire);
        }
    }

  private:
    using Call = void (*)(const void*, std::size_t, std::size_t);
    static constexpr unsigned kPieceBits = 32;
    static constexpr std::uint64_t kPieces = (std::uint64_t{1} << kPieceBits) - 1;
    static constexpr std::uint64_t kStop = ~std::uint64_t{0};

    // Takes pieces of one call until none are free. The fields of the call do not change before its last piece is
    // done, and a piece is claimed before they are read.
    void take(std::uint64_t generation) {
        std::uint64_t ticket = tickets_.load(std::memory_order_acquire);
        for (;;) {
            if (ticket == kStop || ticket >> kPieceBits != generation) return;
            const std::size_t from =
                static_cast<std::size_t>(ticket & kPieces) * piece_.load(std::memory_order_relaxed);
            if (from >= count_.load(std::memory_order_relaxed)) return;
            if (!tickets_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
            const std::size_t to = std::min(from + piece_, count_.load(std::memory_order_relaxed));
            call_.load(std::memory_order_relaxed)(work_.load(std::memory_order_relaxed), from, to);
            if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_all();
            ticket = tickets_.load(std::memory_order_acquire);
        }
    }

    void help() {
        std::uint64_t taken = 0;  // the last call this thread helped with
        for (;;) {
            const std::uint64_t ticket = tickets_.load(std::memory_order_acquire);
            if (ticket == kStop) return;
            if (ticket >> kPieceBits != taken) {
                taken = ticket >> kPieceBits;
                take(taken);
            } else {
                tickets_.wait(ticket, std::memory_order_acquire);
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
        tickets_.store(kStop, std::memory_order_release);
        tickets_.notify_all();
        for (std::thread& helper : helpers_) helper.join();
    }

    std::atomic<std::uint64_t> tickets_{0};
    std::atomic<std::size_t> unfinished_{0};
    std::atomic<std::size_t> count_{0}, piece_{1};
    std::atomic<const void*> work_{nullptr};
    std::atomic<Call> call_{nullptr};
    std::vector<std::thread> helpers_;
#ifdef __unix__
    pid_t owner_;
#endif
};

}  // namespace tilery
