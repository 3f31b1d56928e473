// SPDX-License-Identifier: MIT
#include "tilery/search/threads.hpp"

#ifdef __STDCPP_THREADS__

#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace tilery {
namespace {

enum Stage : int { kWaiting, kPreparing, kWorking, kGivenUp };

// A gate at which the threads of one start wait. They share its ownership, because the starter may leave before them.
struct Gate {
    // More than all of them need to prepare.
    static constexpr std::size_t kReserve = std::size_t{4} << 20;

    std::atomic<int> stage{kWaiting};
    std::atomic<unsigned> prepared{0};
    std::unique_ptr<std::byte[]> reserve = std::make_unique_for_overwrite<std::byte[]>(kReserve);

    void open(Stage next) {
        stage = next;
        stage.notify_all();
    }
};

void join_all(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
}

}  // namespace

// A thread gets the memory of a library's thread-local data at their first use, and the C library ends the process
// where there is none. The first use is most often an exception, std::bad_alloc of all. So every thread looks at the
// data of exceptions before it works, and memory for that is set aside while threads are started, which takes much
// more.
std::vector<std::thread> start_threads(unsigned count, const std::function<void(unsigned)>& work) {
    std::vector<std::thread> threads;
    if (count == 0) return threads;
    const auto gate = std::make_shared<Gate>();
    threads.reserve(count);
    for (unsigned i = 1; i <= count; ++i) {
        try {
            threads.emplace_back([gate, work, i] {
                gate->stage.wait(kWaiting);
                if (gate->stage == kGivenUp) return;
                static_cast<void>(std::uncaught_exceptions());
                ++gate->prepared;
                gate->prepared.notify_one();
                gate->stage.wait(kPreparing);
                work(i);
            });
        } catch (const std::exception& failure) {
            gate->open(kGivenUp);
            join_all(threads);
            if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) throw;
            throw std::runtime_error("cannot start thread " + std::to_string(i + 1) + " of " +
                                     std::to_string(count + 1) + ": " + failure.what());
        }
    }
    gate->reserve.reset();
    gate->open(kPreparing);
    for (unsigned ready = gate->prepared; ready < count; ready = gate->prepared) gate->prepared.wait(ready);
    gate->open(kWorking);
    return threads;
}

void run_on_threads(unsigned threads, std::atomic<bool>& stop, const std::function<void(unsigned)>& work) {
    std::exception_ptr error;
    std::atomic_flag failed;
    const auto guarded = [&](unsigned i) {
        try {
            work(i);
        } catch (...) {
            if (!failed.test_and_set()) error = std::current_exception();
            stop = true;
        }
    };
    std::vector<std::thread> helpers = start_threads(threads > 1 ? threads - 1 : 0, guarded);
    try {
        work(0);
    } catch (...) {
        const bool first = !failed.test_and_set();
        stop = true;
        join_all(helpers);
        if (first || !std::current_exception()) throw;  // without one the thread is being ended, which must go on
    }
    join_all(helpers);
    if (error) std::rethrow_exception(error);
}

}  // namespace tilery

#endif
