// SPDX-License-Identifier: MIT
// How threads are started.
#pragma once

#ifdef __STDCPP_THREADS__  // not in WebAssembly

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tilery {

// Starts threads that call work(i), i from 1 up to and including `count`. None calls it before all have started; throws
// std::runtime_error if one cannot be started, and std::bad_alloc if there is no memory for what they need. The work
// must not throw.
[[nodiscard]] std::vector<std::thread> start_threads(unsigned count, const std::function<void(unsigned)>& work);

// Calls work(i) for i below `threads`, each on its own thread, 0 on that of the caller, and waits for all. The first
// exception of any of them sets `stop`, which the work has to look at, and is thrown here.
void run_on_threads(unsigned threads, std::atomic<bool>& stop, const std::function<void(unsigned)>& work);

}  // namespace tilery

#endif
