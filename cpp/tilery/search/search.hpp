// SPDX-License-Identifier: MIT
// The tree search by playouts: one iteration walks down the tree, adds an edge, plays to the end and carries the
// utilities back. One tree, one thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tilery/search/policy.hpp"
#include "tilery/search/walk.hpp"

namespace tilery::search {

// The settings that distinguish one search from another.
struct Settings {
    float c;
    float margin;
    std::uint32_t depth;
    std::uint32_t rank = SearchTuning::kNever;
    std::uint64_t square_width = 16;  // the square of the width
    std::uint32_t best = 1;
    bool prospects = false;

    Settings(const Uct& policy, const SearchTuning&, const Callbacks*)
        : c(static_cast<float>(policy.c)), margin(0), depth(SearchTuning::kToTheEnd) {}
    // A caller's evaluation judges the next decision after a leaf, unless the policy asks for playouts before it, and
    // its order is used from the first pass on.
    Settings(const Mcts& policy, const SearchTuning& own, const Callbacks* callers)
        : c(static_cast<float>(policy.c > 0 ? policy.c : own.exploration)),
          margin(static_cast<float>(policy.margin)),
          depth(own_or(own.depth, policy.tuning.depth)),
          rank(own_or(own.rank, policy.tuning.rank)),
          square_width(std::uint64_t{own_or(own.width, policy.tuning.width)} * own_or(own.width, policy.tuning.width)),
          best(own_or(own.best, policy.tuning.best)),
          prospects(policy.tuning.prospects != 0) {
        if (callers == nullptr) return;
        if (callers->value && policy.tuning.depth == 0) depth = 0;
        if (callers->order && policy.tuning.rank == 0) rank = 1;
    }
    [[nodiscard]] bool ranks() const { return rank < SearchTuning::kNever; }

  private:
    [[nodiscard]] static std::uint32_t own_or(std::uint32_t own, std::uint64_t given) {
        return given > 0 ? static_cast<std::uint32_t>(given) : own;
    }
};

template <Game G>
[[nodiscard]] SearchTuning tuning_of(const G& game) {
    SearchTuning own;
    if constexpr (requires {
                      { G::kSearch } -> std::same_as<const SearchTuning&>;
                  }) {
        own = G::kSearch;
    }
    if (game.num_players() > own.cut_up_to) own.depth = SearchTuning::kToTheEnd;
    return own;
}

// Whether a playout may be cut at this state.
template <Game G>
[[nodiscard]] bool may_cut(const G& game, const typename G::State& state) {
    if constexpr (HasRoundBegins<G>) {
        return game.round_begins(state);
    } else {
        return game.current_player(state) != kChance;
    }
}

// Plays at random until the game is over, or for a number of decisions and on until it may be cut.
template <Game G>
TILERY_FLATTEN void short_playout(const G& game, typename G::State& state, Rng& rng, std::uint32_t decisions) {
    Rng stream = rng;  // a local copy, which no store into the state can alias
    const auto step = [&] {
        const Player player = game.current_player(state);
        if (player == kTerminal || (decisions == 0 && may_cut(game, state))) return false;
        if (player == kChance) {
            apply_chance(game, state, stream, Unwatched{});
            return true;
        }
        decisions -= decisions > 0 ? 1 : 0;
        const auto actions = game.legal_actions(state);
        apply_nth(game, state, actions, stream.below(actions.size()));
        return true;
    };
    while (in_phase<G>(state, step)) {
    }
    rng = stream;
}

// The same where each decision is the best by lead of a number of random ones, or of all where there are fewer.
template <Game G>
void greedy_playout(const G& game, typename G::State& state, Rng& rng, std::uint32_t decisions,
                    const Settings& settings) {
    for (;;) {
        const Player player = game.current_player(state);
        if (player == kTerminal || (decisions == 0 && may_cut(game, state))) return;
        if (player == kChance) {
            apply_chance(game, state, rng, Unwatched{});
            continue;
        }
        decisions -= decisions > 0 ? 1 : 0;
        const auto actions = game.legal_actions(state);
        const std::uint32_t size = actions.size();
        if (size == 1) {
            apply_nth(game, state, actions, 0);
            continue;
        }
        std::uint32_t best = 0;
        int most = 0;
        for (std::uint32_t k = 0; k < std::min(size, settings.best); ++k) {
            const std::uint32_t i = size <= settings.best ? k : rng.below(size);
            const int lead = lead_after(game, state, actions, i, [&](const typename G::State& next) {
                return judged_points(game, next, settings.prospects);
            });
            if (k > 0 && lead <= most) continue;
            most = lead;
            best = i;
        }
        apply_nth(game, state, actions, best);
    }
}

// Trees lie side by side and each is written by its own thread, so none shares a cache line with the next.
template <Game G>
class alignas(128) Search : public Walk<G> {
  public:
    using State = typename G::State;

    Search(const G& game, const Settings& settings, const Callbacks* callbacks = nullptr)
        : Walk<G>(game), settings_(settings), callbacks_(callbacks) {
        if (hides_ || settings.ranks()) marks_.resize(static_cast<std::size_t>(game.num_distinct_actions()), 0);
    }

    // Forgets the search before, and takes memory for the simulations (0: no bound), at most `bytes`. Called
    // on one thread for all trees, also those left without a simulation: memory that the process has already is faster.
    void prepare(std::uint64_t simulations, std::size_t bytes) {
        this->clear(bytes, simulations);
        leads_ = squares_ = {};
    }

    // Searches for the player to act, after prepare() for as many simulations.
    void run(const State& root, Rng rng, std::uint64_t simulations, Watchdog& watchdog) {
        this->plant(root, rng);
        order_ = rng_.next();
        while ((simulations == 0 || done_ < simulations) && watchdog.go_on()) {
            iterate();
            ++done_;
        }
    }

  private:
    using Walk<G>::game_, Walk<G>::hides_, Walk<G>::tree_, Walk<G>::rng_, Walk<G>::done_, Walk<G>::path_;
    using Walk<G>::kFull, Walk<G>::take;
    static constexpr std::uint32_t kLanes = Tree::kSlack;
    static constexpr unsigned kFirstRoom = 4;  // the size class of a node's first edges where actions are ranked

    // In the order of ranking: the lead with its sign changed, and a random number for equal ones.
    struct Ranked {
        double behind;
        std::uint64_t random;
        Action action;
        auto operator<=>(const Ranked&) const = default;
    };

    void iterate() {
        State state = this->root_;
        this->descend(state, [this](std::uint32_t node, Player player, State& at, bool& fresh) {
            return this->open(player) ? step_open(node, at, fresh) : step(node, at, fresh);
        });
        play_on(state);
        const bool over = game_.current_player(state) == kTerminal;
        PerPlayer<float> utilities = over ? final_utilities(game_, state) : PerPlayer<float>{};
        const float weight = over ? settings_.margin : 1;
        const PerPlayer<float> values = weight > 0 ? mixed(utilities, points(state, over), weight) : utilities;
        if (!over) utilities = values;
        this->credit(values, utilities);
    }

    // Plays to the end of the game, or to the depth at which playouts are cut.
    void play_on(State& state) {
        if (game_.current_player(state) == kTerminal) return;
        if (settings_.depth == 0) {
            while (game_.current_player(state) == kChance) apply_chance(game_, state, rng_, Unwatched{});
        } else if (settings_.depth == SearchTuning::kToTheEnd) {
            playout(game_, state, rng_);
        } else {
            const auto taken = static_cast<std::uint32_t>(path_.size());
            const std::uint32_t left = settings_.depth - std::min(taken, settings_.depth);
            if (settings_.best > 1) {
                greedy_playout(game_, state, rng_, left, settings_);
            } else {
                short_playout(game_, state, rng_, left);
            }
        }
    }

    // The worth of a position to each player: by the caller's evaluation, or in points if the game ended there.
    [[nodiscard]] PerPlayer<double> points(const State& state, bool over) const {
        PerPlayer<double> points{};
        if (over || callbacks_ == nullptr || !callbacks_->value) {
            const PerPlayer<int> own = judged_points(game_, state, settings_.prospects);
            std::copy(own.begin(), own.end(), points.begin());
        } else {
            callbacks_->value(&state, points.data());
            check(points.data(), static_cast<std::size_t>(game_.num_players()), "the evaluation");
        }
        return points;
    }
    // Throws unless all numbers that the caller's function wrote can be counted with.
    static void check(const double* numbers, std::size_t count, const char* what) {
        constexpr double kMost = 1e6;
        const bool in_range = std::all_of(numbers, numbers + count, [](double one) { return std::abs(one) <= kMost; });
        if (!in_range) throw std::invalid_argument(std::string(what) + " must give numbers from -1e6 to 1e6");
    }

    // The utilities mixed with each player's lead over the best other, measured against its mean and spread in this
    // search so far. So a search goes on telling actions apart where all of them win, or lose.
    [[nodiscard]] PerPlayer<float> mixed(PerPlayer<float> utilities, const PerPlayer<double>& scores, float weight) {
        const auto count = static_cast<double>(done_ + 1);
        for (std::size_t p = 0; p < static_cast<std::size_t>(game_.num_players()); ++p) {
            const double lead = margin(game_, scores, static_cast<Player>(p));
            leads_[p] += lead;
            squares_[p] += lead * lead;
            const double mean = leads_[p] / count, off = lead - mean;
            const double variance = std::max(squares_[p] / count - mean * mean, 0.0) + 1;
            const auto squashed = static_cast<float>(off / std::sqrt(off * off + variance));
            utilities[p] = (1 - weight) * utilities[p] + weight * squashed;
        }
        return utilities;
    }

    // Whether a node of that many visits may have one edge more than it has.
    [[nodiscard]] bool may_widen(std::uint32_t edges, std::uint32_t visits) const {
        return std::uint64_t{edges} * edges < settings_.square_width * (std::uint64_t{visits} + 1);
    }

    // Takes an action where the legal actions are the same at every visit.
    [[nodiscard]] std::uint32_t step(std::uint32_t index, State& state, bool& fresh) {
        if (settings_.ranks()) return ranked_step(index, state, fresh);
        Node& node = tree_.node(index);
        if (!node.complete && may_widen(node.count, node.visits) && tree_.make_room(index)) {
            const auto actions = game_.legal_actions(state);
            const std::uint32_t i = untried(index, node.count, actions.size());
            node.complete = node.count + 1U == actions.size();
            fresh = true;
            const Action action = actions[i];
            apply_nth(game_, state, actions, i);
            return tree_.add_edge(index, action);
        }
        return node.count == 0 ? kFull : take(node.edges + best_of(node), state);
    }

    // The same in a search that ranks actions: the untried ones lie behind the edges of a node, best first.
    [[nodiscard]] std::uint32_t ranked_step(std::uint32_t index, State& state, bool& fresh) {
        Node& node = tree_.node(index);
        if (waits(index)) return kFull;
        if (!node.complete && may_widen(node.count, node.visits)) {
            if (node.count == Tree::room_of(node)) {
                const auto actions = game_.legal_actions(state);
                node.complete = node.count == actions.size();
                if (!node.complete && tree_.make_room(index, kFirstRoom)) rank(index, state, actions);
            }
            if (node.count < Tree::room_of(node)) {
                const Action action = tree_.untried(node)[0];
                fresh = action != Tree::kNoAction;
                node.complete = !fresh;
                if (fresh) {
                    game_.apply_action(state, action);
                    return tree_.add_edge(index, action);
                }
            }
        }
        return node.count == 0 ? kFull : take(node.edges + best_of(node), state);
    }

    // Whether it is too early to give a node edges: ranking takes long, and most nodes are passed once or twice.
    [[nodiscard]] bool waits(std::uint32_t index) {
        Node& node = tree_.node(index);
        return index > 0 && node.size_class == 0 && ++node.edges < settings_.rank;
    }

    // Fills the room behind the edges of a node with untried actions, those with the greatest leads right after them.
    void rank(std::uint32_t index, const State& state, const ActionSet auto& actions) {
        const Node& node = tree_.node(index);
        next_epoch();
        for (std::uint32_t i = 0; i < node.count; ++i) {
            marks_[static_cast<std::size_t>(tree_.actions(node)[i])] = epoch_;
        }
        ranked_.clear();
        const std::uint64_t random = mix(order_ + index);
        const bool by_caller = callbacks_ != nullptr && callbacks_->order;
        for (std::uint32_t i = 0; i < actions.size(); ++i) {
            const Action action = actions[i];
            if (marks_[static_cast<std::size_t>(action)] == epoch_) continue;
            const int lead = by_caller ? 0 : lead_after(game_, state, actions, i, [this](const State& next) {
                return judged_points(game_, next, settings_.prospects);
            });
            ranked_.push_back({static_cast<double>(-lead), mix(random + static_cast<std::uint64_t>(action)), action});
        }
        if (by_caller) order_by_caller(state);
        const std::uint32_t room = Tree::room_of(node) - node.count;
        const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(room, ranked_.size()));
        std::partial_sort(ranked_.begin(), ranked_.begin() + kept, ranked_.end());
        Action* const untried = tree_.untried(node);
        std::fill_n(untried, room, Tree::kNoAction);
        for (std::ptrdiff_t i = 0; i < kept; ++i) untried[i] = ranked_[static_cast<std::size_t>(i)].action;
    }

    // Gives the ranked actions the caller's priorities.
    void order_by_caller(const State& state) {
        std::vector<Action> actions;
        for (const Ranked& each : ranked_) actions.push_back(each.action);
        std::vector<double> priorities(actions.size());
        callbacks_->order(&state, actions.data(), static_cast<std::uint32_t>(actions.size()), priorities.data());
        check(priorities.data(), priorities.size(), "the order");
        for (std::size_t i = 0; i < ranked_.size(); ++i) ranked_[i].behind = -priorities[i];
    }

    // Which of `legal` actions a node tries after `count` others: a random start, then steps of one of some primes,
    // which meet every action once.
    [[nodiscard]] std::uint32_t untried(std::uint32_t node, std::uint32_t count, std::uint32_t legal) const {
        static constexpr std::array<std::uint64_t, 8> kSteps{2147483647, 2147483629, 2147483587, 2147483579,
                                                             2147483563, 2147483549, 2147483543, 2147483497};
        const std::uint64_t random = mix(order_ + node);
        return static_cast<std::uint32_t>((multiply_high(random, legal) + count * kSteps[random % kSteps.size()]) %
                                          legal);
    }

    // Takes an action where the legal actions depend on the world.
    [[nodiscard]] std::uint32_t step_open(std::uint32_t index, State& state, bool& fresh) {
        if (settings_.ranks() && waits(index)) return kFull;
        const auto actions = game_.legal_actions(state);
        const std::uint32_t size = actions.size();
        // marks_[id] is epoch_ where the id is legal and untried, epoch_ + 1 where legal and tried.
        next_epoch();
        actions.for_each([this](Action legal) { marks_[static_cast<std::size_t>(legal)] = epoch_; });
        const Node& node = tree_.node(index);
        const float* const scores = scores_of_edges(node);
        float most = -std::numeric_limits<float>::infinity();
        std::uint32_t available = 0, best = 0;
        for (std::uint32_t i = 0; i < node.count; ++i) {  // without branches: which edges are legal is unpredictable
            std::uint32_t& mark = marks_[static_cast<std::size_t>(tree_.actions(node)[i])];
            const bool legal = mark == epoch_, better = legal && scores[i] > most;
            mark += legal ? 1 : 0;
            available += legal ? 1 : 0;
            most = better ? scores[i] : most;
            best = better ? i : best;
        }
        const bool ranked = settings_.ranks() && node.count == Tree::room_of(node);
        if (available < size && may_widen(available, node.visits) && tree_.make_room(index, first_room())) {
            fresh = true;
            if (settings_.ranks()) {
                if (ranked) rank(index, state, actions);
                const Action action = ranked ? tree_.untried(node)[0] : best_untried(node, actions);
                game_.apply_action(state, action);
                return tree_.add_edge(index, action);
            }
            const std::uint32_t i = any_untried(actions);
            const Action action = actions[i];
            apply_nth(game_, state, actions, i);
            return tree_.add_edge(index, action);
        }
        return available == 0 ? kFull : take(node.edges + best, state);
    }

    // The place of one of the actions that are legal and untried by their marks, at random.
    [[nodiscard]] std::uint32_t any_untried(const ActionSet auto& actions) {
        const std::uint32_t size = actions.size();
        std::uint32_t i = rng_.below(size);
        while (marks_[static_cast<std::size_t>(actions[i])] != epoch_) i = i + 1 == size ? 0 : i + 1;
        return i;
    }

    // The first of the ranked actions that is legal by its mark, or any if none is; it becomes the first of them.
    [[nodiscard]] Action best_untried(const Node& node, const ActionSet auto& actions) {
        Action* const first = tree_.untried(node);
        Action* const last = first + (Tree::room_of(node) - node.count);
        Action* found = std::find_if(first, last, [this](Action action) {
            return action == Tree::kNoAction || marks_[static_cast<std::size_t>(action)] == epoch_;
        });
        if (found == last || *found == Tree::kNoAction) {
            found -= found == last ? 1 : 0;
            *found = actions[any_untried(actions)];
        }
        std::rotate(first, found, found + 1);
        return *first;
    }

    void next_epoch() {
        epoch_ += 2;
        if (epoch_ == 0) {  // once in two thousand million
            std::fill(marks_.begin(), marks_.end(), 0U);
            epoch_ = 2;
        }
    }

    [[nodiscard]] unsigned first_room() const { return settings_.ranks() ? kFirstRoom : 1; }

    // mean + c sqrt(ln n / visits) of every edge.
    [[nodiscard]] const float* scores_of_edges(const Node& node) {
        const float* const values = tree_.values(node);
        const std::int32_t* const visits = tree_.visits(node);
        const float width = settings_.c * settings_.c * logarithms_[std::max(node.visits, 1U)];  // c^2 ln n
        if (scores_.size() < node.count + kLanes) scores_.resize(node.count + std::size_t{64});
        float* const scores = scores_.data();
        for (std::uint32_t i = 0; i < node.count; i += kLanes) {
            for (std::uint32_t j = i; j < i + kLanes; ++j) {
                const auto n = static_cast<float>(visits[j]);
                scores[j] = (values[j] + std::sqrt(width * n)) / n;
            }
        }
        return scores;
    }

    // Scores as integers that are ordered alike, so that a compiler can search for the greatest in vectors.
    [[nodiscard]] static std::int32_t order_of(float score) { return std::bit_cast<std::int32_t>(score + 2.0F); }

    // The edge with the greatest score; the first of equals.
    [[nodiscard]] std::uint32_t best_of(const Node& node) {
        const float* const scores = scores_of_edges(node);
        std::int32_t best = order_of(scores[0]);
        for (std::uint32_t i = 1; i < node.count; ++i) best = std::max(best, order_of(scores[i]));
        std::uint32_t i = 0;
        while (order_of(scores[i]) != best) ++i;
        return i;
    }

    const Settings settings_;
    const Callbacks* const callbacks_;
    std::uint64_t order_ = 0;                // a random number, for the order of untried actions
    PerPlayer<double> leads_{}, squares_{};  // sums over the simulations
    std::vector<float> scores_;
    Logarithms logarithms_;
    std::vector<Ranked> ranked_;        // while a node is ranked
    std::vector<std::uint32_t> marks_;  // by action, where something is hidden or ranked
    std::uint32_t epoch_ = 0;
};

}  // namespace tilery::search
