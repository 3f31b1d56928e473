// SPDX-License-Identifier: MIT
// The result of a search, and how it may be ended early.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tilery/core/types.hpp"

namespace tilery::search {

// One tried action of the position searched.
struct ActionReport {
    Action action = 0;
    std::uint64_t visits = 0;
    double share = 0;               // of all visits
    double prior = 0;               // of the policy before searching
    PerPlayer<double> utilities{};  // means, of all players
};

struct Analysis {
    Player player = 0;
    std::uint64_t simulations = 0;
    double seconds = 0;
    Action best = 0;
    std::vector<Action> line;                       // best play, up to the first chance node or the edge of the tree
    std::vector<ActionReport> actions;              // most visited first
    std::uint64_t nodes = 0, edges = 0, bytes = 0;  // of the trees
};

// The results of a search of one tree about the actions at its root.
struct RootEdge {
    Action action = 0;
    std::uint64_t visits = 0;
    double prior = 0;
    PerPlayer<double> sums{};
};

// Of actions visited equally often, the one with the greatest value is reported first.
using ReportValue = double (*)(const ActionReport& report, Player player);
[[nodiscard]] inline double prior_of(const ActionReport& report, Player) { return report.prior; }
[[nodiscard]] inline double utility_of(const ActionReport& report, Player player) {
    return report.utilities[static_cast<std::size_t>(player)];
}
// The results at a root, the most visited first.
[[nodiscard]] Analysis analysis_of(const std::vector<RootEdge>& edges, Player player, ReportValue value);
// The edges of several trees as those of one: visits and utilities added up by action.
[[nodiscard]] std::vector<RootEdge> merged(const std::vector<RootEdge>& edges);

// The places of the values, the greatest first, equal ones in their order.
[[nodiscard]] std::vector<std::size_t> greatest_first(const std::vector<std::int64_t>& values);

// Thrown out of a search that was told to stop.
struct Interrupted {};

// A caller's own evaluation of positions, and order of actions. Both may throw; either may be missing.
struct Callbacks {
    // The points that a position is worth to each player, of a decision in a game that is not over.
    std::function<void(const void* state, double* points)> value;
    // A priority for each of the legal actions; those with the greatest are tried first.
    std::function<void(const void* state, const Action* actions, std::uint32_t count, double* priorities)> order;
};

// The arguments of a search besides the policy, and how a caller ends one early. `go_on` is asked about every 20 ms by
// the thread that called, and false stops all of it; `stop` stops it from elsewhere. Both throw Interrupted. `enough`
// ends a search as an elapsed budget does: it returns what it has found so far.
struct Control {
    unsigned threads = 1;
    GoOn go_on;
    std::atomic<bool>* stop = nullptr;
    std::atomic<bool>* enough = nullptr;
    const Callbacks* callbacks = nullptr;  // for mcts alone
};

// Ends a search early, when its time is up or when its caller asks for it. Asked between simulations. Looks at the
// clock at every 16th call.
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

// Objects known by an interface are not copied.
class Interface {
  public:
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
};

// A Chooser (chooser.hpp) and an Evaluated (evaluated.hpp) of a game that is known at run time only.
class AnyChooser : public Interface {
  public:
    [[nodiscard]] virtual Action choose(const void* state, std::uint64_t luck, const Control& control) = 0;
    [[nodiscard]] virtual Analysis analyse(const void* state, std::uint64_t luck, const Control& control) = 0;
};
class AnyTree : public Interface {
  public:
    [[nodiscard]] virtual bool walk(std::uint64_t simulations, Watchdog& watchdog) = 0;
    [[nodiscard]] virtual const void* leaf() const = 0;  // a state
    virtual void evaluate(std::span<const float> priors, std::span<const float> values) = 0;
    [[nodiscard]] virtual Analysis analysis() const = 0;
};

}  // namespace tilery::search
