// SPDX-License-Identifier: MIT
// The tree search: one iteration walks down the tree, adds an edge, plays to the end and carries the
// utilities back. One tree, one thread.
//
// A node is a decision as the searching player sees it: it is reached by the actions taken and by what
// that player saw of chance. Chance is sampled. Where something is hidden, each iteration plays in a
// world dealt again from what the player knows, and the legal actions of others depend on the world; so
// their nodes choose among the edges that are legal there (single-observer information-set search,
// Cowling, Powley and Whitehouse 2012).
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tilery/search/analysis.hpp"
#include "tilery/search/policy.hpp"
#include "tilery/search/tree.hpp"
#include "tilery/search/utility.hpp"

namespace tilery::search {

// What is asked between iterations. Looks at the clock at every 16th, or for short ones at every 64th.
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
        return now < end_;
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    const Control& control_;
    Clock::time_point began_, asked_, end_ = Clock::time_point::max();
    unsigned calls_ = 0;
};

// What a search of one tree knows of the actions at its root.
struct RootEdge {
    Action action = 0;
    std::uint64_t visits = 0;
    PerPlayer<double> sums{};
};

// What distinguishes one search from another.
struct Settings {
    float c;
    float margin;

    explicit Settings(const Uct& policy) : c(static_cast<float>(policy.c)), margin(0) {}
    explicit Settings(const Mcts& policy)
        : c(static_cast<float>(policy.c)), margin(static_cast<float>(policy.margin)) {}
};

template <Game G>
class Search {
  public:
    using State = typename G::State;

    Search(const G& game, const Settings& settings)
        : game_(game), settings_(settings), hides_(game.hides_information()) {
        if (hides_) marks_.resize(static_cast<std::size_t>(game.num_distinct_actions()), 0);
    }

    // Searches for the player to act: so many simulations (0: no bound), in so many bytes.
    void run(const State& root, Rng rng, std::uint64_t simulations, std::size_t bytes, Watchdog& watchdog) {
        tree_.clear(bytes);
        sums_.clear();
        root_ = &root;
        rng_ = rng;
        observer_ = game_.current_player(root);
        static_cast<void>(tree_.add_node());
        done_ = 0;
        leads_ = squares_ = {};
        while ((simulations == 0 || done_ < simulations) && watchdog.go_on()) {
            iterate();
            ++done_;
        }
    }

    [[nodiscard]] std::uint64_t simulations() const { return done_; }
    [[nodiscard]] const Tree& tree() const { return tree_; }
    [[nodiscard]] std::vector<RootEdge> root_edges() const {
        const Node& root = tree_.node(0);
        std::vector<RootEdge> edges;
        for (std::uint32_t i = 0; i < root.count; ++i) {
            edges.push_back({tree_.actions(root)[i], static_cast<std::uint64_t>(tree_.visits(root)[i]), sums_[i]});
        }
        return edges;
    }

    // The most visited actions from the root on, as far as no chance comes between.
    [[nodiscard]] std::vector<Action> line(Action first) const {
        std::vector<Action> line;
        std::uint32_t index = 0;
        while (index != kNone && tree_.node(index).count > 0) {
            const Node& node = tree_.node(index);
            const std::int32_t* const visits = tree_.visits(node);
            std::uint32_t best = 0;
            for (std::uint32_t i = 0; i < node.count; ++i) {
                const bool better = line.empty() ? tree_.actions(node)[i] == first : visits[i] > visits[best];
                if (better) best = i;
            }
            if (line.empty() && tree_.actions(node)[best] != first) return {first};
            line.push_back(tree_.actions(node)[best]);
            index = tree_.child(node.edges + best);
        }
        return line;
    }

  private:
    struct Step {
        std::uint32_t node, edge;
        Player player;
    };
    static constexpr std::uint32_t kFull = kNone;  // no edge: the tree cannot grow here

    void iterate() {
        State state = *root_;
        if (hides_) game_.determinize(state, observer_, rng_);
        path_.clear();
        descend(state);
        if (game_.current_player(state) != kTerminal) playout(game_, state, rng_);
        const PerPlayer<float> utilities = final_utilities(game_, state);
        const PerPlayer<float> values = settings_.margin > 0 ? mixed(utilities, state) : utilities;
        for (const Step& step : path_) {
            tree_.add_visit(step.node, step.edge, values[static_cast<std::size_t>(step.player)]);
        }
        if (path_.empty()) return;
        const std::size_t tried = path_.front().edge - tree_.node(0).edges;
        if (tried >= sums_.size()) sums_.resize(tried + 1);
        for (std::size_t player = 0; player < kMaxPlayers; ++player) sums_[tried][player] += utilities[player];
    }

    // The utilities mixed with each player's lead over the best other, measured against its mean and spread in this
    // search so far. So a search goes on telling actions apart where all of them win, or lose.
    [[nodiscard]] PerPlayer<float> mixed(PerPlayer<float> utilities, const State& state) {
        const PerPlayer<int> scores = game_.scores(state);
        const auto count = static_cast<double>(done_ + 1);
        for (std::size_t p = 0; p < static_cast<std::size_t>(game_.num_players()); ++p) {
            const auto lead = static_cast<double>(margin(game_, scores, static_cast<Player>(p)));
            leads_[p] += lead;
            squares_[p] += lead * lead;
            const double mean = leads_[p] / count, off = lead - mean;
            const double variance = std::max(squares_[p] / count - mean * mean, 0.0) + 1;
            const auto squashed = static_cast<float>(off / std::sqrt(off * off + variance));
            utilities[p] = (1 - settings_.margin) * utilities[p] + settings_.margin * squashed;
        }
        return utilities;
    }

    // Walks to a leaf of the tree; the path is what to credit.
    void descend(State& state) {
        std::uint32_t node = 0;
        Player player = observer_;
        for (;;) {
            bool fresh = false;
            Action action = 0;
            const bool open = hides_ && node != 0;
            const std::uint32_t edge = open ? step_open(node, state, fresh, action) : step(node, state, fresh, action);
            if (edge == kFull) return;
            path_.push_back({node, edge, player});
            player = game_.current_player(state);
            if (player == kTerminal) return;
            const std::uint64_t key = edge - tree_.node(node).edges + (std::uint64_t{node} << 32);
            std::uint64_t seen = 0;
            while (player == kChance) {
                apply_chance(game_, state, rng_, [&](Action outcome) {
                    const Action shown = hides_ ? action_seen_by(game_, state, observer_, outcome) : outcome;
                    seen = mix(seen + static_cast<std::uint64_t>(shown) + 2);
                });
                player = game_.current_player(state);
            }
            if (fresh || player == kTerminal) return;
            std::uint32_t child = kNone;
            if (seen == 0) {
                child = tree_.child(edge);
                if (child == kNone) {
                    child = tree_.add_node();
                    tree_.set_child(edge, child);
                }
                if (child == kNone) return;
            } else {
                child = tree_.find(key ^ seen);
                if (child == kNone) {
                    tree_.add_behind_chance(key ^ seen);
                    return;
                }
            }
            node = child;
        }
    }

    // Whether a node of so many visits may have one edge more than it has.
    [[nodiscard]] static bool may_widen(std::uint32_t edges, std::uint32_t visits) {
        return std::uint64_t{edges} * edges < 16 * (std::uint64_t{visits} + 1);  // 4 sqrt(n + 1)
    }

    // Takes an action where the legal actions are the same at every visit.
    [[nodiscard]] std::uint32_t step(std::uint32_t index, State& state, bool& fresh, Action& action) {
        const Node& node = tree_.node(index);
        if (node.legal == 0 || (node.count < node.legal && may_widen(node.count, node.visits))) {
            const auto actions = game_.legal_actions(state);
            if (node.legal == 0) order_actions(tree_.node(index), actions.size());
            if (tree_.make_room(index)) {
                const auto i =
                    static_cast<std::uint32_t>((node.start + std::uint64_t{node.count} * node.step) % node.legal);
                fresh = true;
                action = actions[i];
                apply_nth(game_, state, actions, i);
                return tree_.add_edge(index, action);
            }
            if (node.count == 0) return kFull;
        }
        const std::uint32_t edge = node.edges + best_of(node);
        action = tree_.action(edge);
        game_.apply_action(state, action);
        return edge;
    }

    // The order in which untried actions are taken: a random start, then in steps near the golden section,
    // which spread well over the ids at every length.
    void order_actions(Node& node, std::uint32_t legal) {
        node.legal = legal;
        node.start = rng_.below(legal);
        auto step = static_cast<std::uint32_t>(std::uint64_t{legal} * 10 / 16);
        while (step > 1 && std::gcd(step, legal) != 1) --step;
        node.step = std::max(step, 1U);
    }

    // Takes an action where the legal actions depend on the world.
    [[nodiscard]] std::uint32_t step_open(std::uint32_t index, State& state, bool& fresh, Action& action) {
        const auto actions = game_.legal_actions(state);
        const std::uint32_t size = actions.size();
        // marks_[id] is epoch_ where the id is legal and untried, epoch_ + 1 where legal and tried.
        epoch_ += 2;
        if (epoch_ == 0) {  // once in two thousand million
            std::fill(marks_.begin(), marks_.end(), 0U);
            epoch_ = 2;
        }
        actions.for_each([this](Action legal) { marks_[static_cast<std::size_t>(legal)] = epoch_; });
        const Node& node = tree_.node(index);
        std::uint32_t available = 0, visits = 0;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            std::uint32_t& mark = marks_[static_cast<std::size_t>(tree_.actions(node)[i])];
            if (mark != epoch_) continue;
            mark = epoch_ + 1;
            ++available;
            visits += static_cast<std::uint32_t>(tree_.visits(node)[i]);
        }
        if (available < size && may_widen(available, node.visits) && tree_.make_room(index)) {
            std::uint32_t i = rng_.below(size);
            while (marks_[static_cast<std::size_t>(actions[i])] != epoch_) i = i + 1 == size ? 0 : i + 1;
            fresh = true;
            action = actions[i];
            apply_nth(game_, state, actions, i);
            return tree_.add_edge(index, action);
        }
        if (available == 0) return kFull;
        const std::uint32_t edge = node.edges + best_available(node, visits);
        action = tree_.action(edge);
        game_.apply_action(state, action);
        return edge;
    }

    // Scores as integers that are ordered alike, so that a compiler can search for the greatest in vectors.
    [[nodiscard]] static std::int32_t order_of(float score) { return std::bit_cast<std::int32_t>(score + 2.0F); }

    // The edge with the greatest mean + c sqrt(ln n / visits); the first of equals.
    [[nodiscard]] std::uint32_t best_of(const Node& node) {
        const std::uint32_t count = node.count;
        const float* const values = tree_.values(node);
        const std::int32_t* const visits = tree_.visits(node);
        const float width = settings_.c * settings_.c * static_cast<float>(natural_log(std::max(node.visits, 1U)));
        if (scores_.size() < count) scores_.resize(count + std::size_t{64});
        std::int32_t* const scores = scores_.data();
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto n = static_cast<float>(visits[i]);
            scores[i] = order_of((values[i] + std::sqrt(width * n)) / n);
        }
        std::int32_t best = scores[0];
        for (std::uint32_t i = 1; i < count; ++i) best = std::max(best, scores[i]);
        std::uint32_t i = 0;
        while (scores[i] != best) ++i;
        return i;
    }
    [[nodiscard]] std::uint32_t best_available(const Node& node, std::uint32_t all) const {
        const float width = settings_.c * settings_.c * static_cast<float>(natural_log(std::max(all, 1U)));
        float best = -1e30F;
        std::uint32_t found = 0;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            if (marks_[static_cast<std::size_t>(tree_.actions(node)[i])] != epoch_ + 1) continue;
            const auto n = static_cast<float>(tree_.visits(node)[i]);
            const float score = (tree_.values(node)[i] + std::sqrt(width * n)) / n;
            if (score > best) {
                best = score;
                found = i;
            }
        }
        return found;
    }

    const G& game_;
    const Settings settings_;
    const bool hides_;
    Tree tree_;
    const State* root_ = nullptr;
    Player observer_ = 0;
    Rng rng_{0};
    std::uint64_t done_ = 0;
    PerPlayer<double> leads_{}, squares_{};  // sums over the simulations
    std::vector<Step> path_;
    std::vector<PerPlayer<double>> sums_;  // of the edges of the root, over all players
    std::vector<std::int32_t> scores_;
    std::vector<std::uint32_t> marks_;  // by action, where something is hidden
    std::uint32_t epoch_ = 0;
};

}  // namespace tilery::search
