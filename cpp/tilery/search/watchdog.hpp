// SPDX-License-Identifier: MIT
// Ends a search early: when its time is up, or when its caller asks for it.
#pragma once

#include <atomic>
#include <chrono>

#include "tilery/search/analysis.hpp"

namespace tilery::search {

// Asked between simulations. Looks at the clock at every 16th call.
class Watchdog {
  public:
    Watchdog(const Control& control, double seconds) : control_(control), began_(Clock::now()), asked_(began_) {
        if (seconds > 0)
            end_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    // Whether to go on; throws Interrupted when the caller wants to stop.
    [[nodiscard]] bool go_on() {
        if (++calls_ % 16 != 0) return true;
        const auto now = Clock::now();
        if (control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed)) throw Interrupted{};
        if (control_.go_on && now - asked_ > std::chrono::milliseconds(20)) {
            asked_ = now;
            if (!control_.go_on()) throw Interrupted{};
        }
        if (control_.enough != nullptr && control_.enough->load(std::memory_order_relaxed)) end_ = now;
        return now < end_;
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    const Control& control_;
    Clock::time_point began_, asked_, end_ = Clock::time_point::max();
    unsigned calls_ = 0;
};

}  // namespace tilery::search
