// SPDX-License-Identifier: MIT
// The definitions of learned.hpp. Only the sources that compile a game's players by networks include it.
//
// All forms of the policy share one judgement (Judge::value) and one way to list turns (Judge::for_each_turn). A turn
// is what the player does until the network can judge the position (judgeable()); in a game that has every action
// judged it is one action.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/views.hpp"
#include "tilery/net/shelf.hpp"
#include "tilery/search/evaluated.hpp"
#include "tilery/search/learned.hpp"
#include "tilery/search/utility.hpp"

namespace tilery::search {

// A judgement of a player's position, in 1/256 points of lead.
using Worth = std::int32_t;
inline constexpr Worth kWorst = -(1 << 29);

// A random number that is added to judgements: uniform from 0 to the given number of points.
[[nodiscard]] inline Worth noise_of(double points, Rng& rng) {
    const auto most = static_cast<std::uint32_t>(points * net::kUnit) + 1;
    return most > 1 ? static_cast<Worth>(rng.below(most)) : 0;
}

inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

template <Game G>
[[nodiscard]] constexpr NetTuning net_tuning() {
    if constexpr (requires { G::kNet; }) return G::kNet;
    return {};
}

template <Game G>
std::uint64_t Learned<G>::inputs_hash(const G& game) {
    static const std::uint64_t hash = [&game] {
        std::uint64_t all = 0xCBF29CE484222325U;  // FNV-1a
        for (std::size_t id = 0; id < num_inputs_of<G>(); ++id) {
            const std::string name = name_of_input(game, static_cast<InputId>(id)) + '\xFF';
            for (const char c : name) all = (all ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
        }
        return all;
    }();
    return hash;
}

template <Game G>
class Judge {
  public:
    using State = typename G::State;
    static constexpr NetTuning kTuning = net_tuning<G>();

    Judge(const G& game, std::shared_ptr<const net::Network> network) : game_(game), network_(std::move(network)) {}

    [[nodiscard]] const G& game() const { return game_; }
    [[nodiscard]] bool is_over(const State& state) const { return game_.current_player(state) == kTerminal; }
    [[nodiscard]] const Inputs& inputs() const { return inputs_; }  // of the last judgement

    // The output of a player's network for a position that is not over.
    [[nodiscard]] net::Heads heads(const State& state, Player player) {
        list_inputs(game_, state, player, inputs_, memory_);
        return network_ ? network_->judge({inputs_.begin(), inputs_.end()}) : net::Heads{};
    }
    [[nodiscard]] Worth value(const State& state, Player player) {
        if (is_over(state)) return net::kUnit * margin(game_, game_.scores(state), player);
        return lead_of(heads(state, player), player);
    }
    // The outcomes of shares of the win that the network predicted.
    [[nodiscard]] double calibrated(double share) const {
        return network_ ? network_->calibrated(share, game_.num_players()) : share;
    }
    // The lead of a player at the end, by what heads() said of their seat last.
    [[nodiscard]] Worth lead_of(const net::Heads& said, Player player) const {
        return net::kUnit * margin(game_, inputs_.points, player) + said[net::kLead];
    }

    // Calls f(first, after) for every position after the player's turn, or after each action where that is judged:
    // `first` is the place of its first action among the legal ones, of which `most` are judged (NetTuning).
    void for_each_turn(const State& state, Player player, std::uint32_t most, auto&& f) {
        const auto actions = game_.legal_actions(state);
        if (most == 0 || actions.size() <= most) {
            for (std::uint32_t i = 0; i < actions.size(); ++i) turns_from(state, actions, i, i, player, f);
            return;
        }
        std::vector<std::pair<int, std::uint32_t>> ranked;
        ranked.reserve(actions.size());
        for (std::uint32_t i = 0; i < actions.size(); ++i) {
            const auto points = [this](const State& at) { return judged_points(game_, at, false); };
            ranked.emplace_back(-lead_after(game_, state, actions, i, points), i);
        }
        std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most), ranked.end());
        ranked.resize(most);
        // Every library leaves them in another order.
        std::ranges::sort(ranked, {}, &std::pair<int, std::uint32_t>::second);
        for (const auto& [lead, i] : ranked) turns_from(state, actions, i, i, player, f);
    }

    // The player's best turn, by the place of its first action; ties go to the one that is listed first. `after` gets
    // the position after it.
    using Choice = typename Learned<G>::Choice;
    Choice best_turn(const State& state, Player player, std::uint32_t most, State* after = nullptr) {
        Choice best{0, kWorst};
        for_each_turn(state, player, most, [&](std::uint32_t first, const State& next) {
            const Worth worth = value_of_turn(state, next, player);
            if (worth <= best.worth) return;
            best = {first, worth};
            if (after != nullptr) *after = next;
        });
        return best;
    }
    void play_turn(State& state, Player player, std::uint32_t most = kTuning.judged_behind) {
        const State before = state;
        best_turn(before, player, most, &state);
    }
    [[nodiscard]] Worth value_of_turn(const State& before, const State& after, Player player) {
        Worth worth = value(after, player);
        if constexpr (requires { game_.idles(before, after); }) {
            if (game_.idles(before, after)) worth -= kTuning.idle_price;
        }
        return worth;
    }

  private:
    // The turns of which `i` is the place of the next action.
    void turns_from(const State& state, const auto& actions, std::uint32_t i, std::uint32_t first, Player player,
                    auto&& f) {
        State next = state;
        apply_nth(game_, next, actions, i);
        if (game_.current_player(next) != player || judgeable(game_, next, player)) {
            f(first, next);
            return;
        }
        const auto more = game_.legal_actions(next);
        for (std::uint32_t k = 0; k < more.size(); ++k) turns_from(next, more, k, first, player, f);
    }

    const G& game_;
    std::shared_ptr<const net::Network> network_;
    Inputs inputs_;
    InputMemory<G> memory_;
};

template <Game G>
struct Learned<G>::Player_ {
    using State = typename G::State;
    using Form = NetTuning::Form;

    // A turn that may be chosen.
    struct Ranked {
        Worth worth;
        std::uint32_t first;
        State after;
    };

    Judge<G> judge;
    Nn policy;
    // The worths of all turns from a position, by its hash. A beam meets mostly positions that it has met at the
    // decision before.
    std::unordered_map<std::uint64_t, std::vector<Worth>> turn_worths{};

    [[nodiscard]] const G& game() const { return judge.game(); }

    // The best turn behind each first action, best first; at most `most` of them.
    [[nodiscard]] std::vector<Ranked> ranked_turns(const State& state, Player player, std::size_t most,
                                                   std::uint32_t judged) {
        std::vector<Ranked> turns;
        judge.for_each_turn(state, player, judged, [&](std::uint32_t first, const State& after) {
            const Worth worth = judge.value_of_turn(state, after, player);
            if (!turns.empty() && turns.back().first == first) {
                if (worth > turns.back().worth) turns.back() = {worth, first, after};
            } else {
                turns.push_back({worth, first, after});
            }
        });
        sort(turns);
        turns.resize(std::min(most, turns.size()));
        return turns;
    }

    [[nodiscard]] bool beams() const { return judge.kTuning.form == Form::kBeam && policy.best > 1; }
    // The turns as the form of the game ranks them, best first, after noise; in a beam every position has its own.
    [[nodiscard]] std::vector<Ranked> look(const State& real, std::uint64_t luck, Watchdog& watchdog) {
        Rng rng(luck);
        std::vector<Ranked> turns = look_further(real, rng, watchdog);
        if (policy.noise > 0 && !beams()) {
            for (Ranked& turn : turns) turn.worth += noise_of(policy.noise, rng);
            sort(turns);
        }
        return turns;
    }
    // Only what the player to act knows counts: what is hidden from them is determinized.
    [[nodiscard]] std::vector<Ranked> look_further(const State& real, Rng& rng, Watchdog& watchdog) {
        const Player me = game().current_player(real);
        State state = real;
        // A beam needs no luck; with the same deal at every decision it meets the same positions again.
        Rng same(0);
        game().determinize(state, me, judge.kTuning.form == Form::kBeam ? same : rng);
        if (beams()) return beam(state, me, rng, watchdog);
        std::vector<Ranked> turns = ranked_turns(state, me, kAll, judge.kTuning.judged);
        std::size_t near = 0;
        while (near < turns.size() && near < policy.best && turns[0].worth - turns[near].worth <= judge.kTuning.near) {
            ++near;
        }
        if (near < 2) return turns;
        const std::span<Ranked> best = std::span(turns).first(near);
        switch (judge.kTuning.form) {
            case Form::kBeam:
                break;
            case Form::kReplies:
                for (Ranked& turn : best) turn.worth = after_replies(turn.after, me, watchdog);
                break;
            case Form::kRounds:
                after_rounds(state, best, me, rng, watchdog);
                break;
            case Form::kTurns: {
                Worth most = kWorst;
                for (Ranked& turn : best) {
                    turn.worth = after_turns(turn.after, me, depth() - 1, most, watchdog);
                    most = std::max(most, turn.worth);
                }
                break;
            }
        }
        sort(best);
        return turns;
    }
    // Best first, equal ones in their order.
    static void sort(std::span<Ranked> turns) {
        std::vector<std::int64_t> worths;
        for (const Ranked& turn : turns) worths.push_back(turn.worth);
        const std::vector<Ranked> before(turns.begin(), turns.end());
        auto turn = turns.begin();
        for (const std::size_t place : greatest_first(worths)) *turn++ = before[place];
    }

    [[nodiscard]] std::uint64_t worlds() const { return policy.worlds > 0 ? policy.worlds : judge.kTuning.worlds; }
    [[nodiscard]] int depth() const { return static_cast<int>(policy.depth > 0 ? policy.depth : judge.kTuning.depth); }

    // The worth of a position to a player when another player has made their best turn.
    [[nodiscard]] Worth after_best(const State& state, Player me) {
        const Player actor = game().current_player(state);
        if (actor < 0) return judge.value(state, me);
        if (game().num_players() == 2) {
            const Worth theirs = judge.best_turn(state, actor, judge.kTuning.judged_behind).worth;
            return actor == me ? theirs : -theirs;
        }
        State next = state;
        judge.play_turn(next, actor);
        return judge.value(next, me);
    }
    // The mean over the outcomes of chance of that; over the likeliest ones where there are more than `worlds`.
    [[nodiscard]] Worth after_replies(const State& state, Player me, Watchdog& watchdog) {
        if (game().current_player(state) != kChance) return after_best(state, me);
        std::vector<Action> outcomes;
        std::vector<std::int64_t> weights;
        game().chance_outcomes(state).for_each([&](Action outcome, std::uint32_t weight) {
            outcomes.push_back(outcome);
            weights.push_back(weight);
        });
        std::vector<std::size_t> likeliest = greatest_first(weights);
        if (likeliest.size() > worlds()) likeliest.resize(static_cast<std::size_t>(worlds()));
        std::int64_t sum = 0, total = 0;
        for (const std::size_t place : likeliest) {
            static_cast<void>(watchdog.go_on());
            State next = state;
            game().apply_action(next, outcomes[place]);
            // A second draw stands for itself: the position before the first is judged.
            const bool again = game().current_player(next) == kChance;
            sum += weights[place] * (again ? judge.value(state, me) : after_best(next, me));
            total += weights[place];
        }
        return static_cast<Worth>(sum / total);
    }

    // The means over dealt worlds of what the turns are worth when all seats have played on by the network to the end
    // of the round, with the same luck for all turns.
    void after_rounds(const State& state, std::span<Ranked> turns, Player me, Rng& rng, Watchdog& watchdog) {
        const auto actions = game().legal_actions(state);
        std::vector<std::int64_t> sums(turns.size());
        for (std::uint64_t world = 0; world < worlds(); ++world) {
            State dealt = state;
            game().determinize(dealt, me, rng);
            const Rng luck(rng.next());
            for (std::size_t i = 0; i < turns.size(); ++i) {
                static_cast<void>(watchdog.go_on());
                State next = dealt;
                apply_nth(game(), next, actions, turns[i].first);
                Rng same = luck;
                play_round(next, same);
                sums[i] += lead_of_both(next, me);
            }
        }
        for (std::size_t i = 0; i < turns.size(); ++i) {
            turns[i].worth = static_cast<Worth>(sums[i] / static_cast<std::int64_t>(worlds()));
        }
    }
    // To the beginning of the next round, or the end of the game.
    void play_round(State& state, Rng& rng) {
        for (;;) {
            const Player actor = game().current_player(state);
            if (actor == kTerminal) return;
            if constexpr (HasRoundBegins<G>) {
                if (game().round_begins(state)) return;
            }
            if (actor == kChance) {
                apply_chance(game(), state, rng, Unwatched{});
            } else {
                judge.play_turn(state, actor);
            }
            if constexpr (!HasRoundBegins<G>) return;
        }
    }
    // Where both of two players can be asked, half of the difference is less noisy than what one says.
    [[nodiscard]] Worth lead_of_both(const State& state, Player me) {
        const Worth mine = judge.value(state, me);
        return game().num_players() == 2 && !judge.is_over(state) ? (mine - judge.value(state, 1 - me)) / 2 : mine;
    }

    // Of two players, what the position is worth to `me` after that many more turns, all of them the best of the best
    // ones; `most` is what `me` has already. Of more players, each plays their best turn by the network.
    [[nodiscard]] Worth after_turns(const State& state, Player me, int turns, Worth most, Watchdog& watchdog) {
        static_cast<void>(watchdog.go_on());
        if (game().current_player(state) < 0) return judge.value(state, me);
        if (game().num_players() == 2) return alpha_beta(state, me, turns, most, -kWorst, watchdog);
        State next = state;
        for (; turns > 0 && game().current_player(next) >= 0; --turns) {
            judge.play_turn(next, game().current_player(next));
        }
        return judge.value(next, me);
    }
    [[nodiscard]] Worth alpha_beta(const State& state, Player me, int turns, Worth alpha, Worth beta,
                                   Watchdog& watchdog) {
        static_cast<void>(watchdog.go_on());
        const Player actor = game().current_player(state);
        if (actor < 0 || turns <= 0) return judge.value(state, me);
        if (actor != me) return -alpha_beta(state, actor, turns, -beta, -alpha, watchdog);
        if (turns == 1) return judge.best_turn(state, me, judge.kTuning.judged_behind).worth;
        Worth best = kWorst;
        const auto best_ones = static_cast<std::size_t>(policy.best);
        for (const Ranked& turn : ranked_turns(state, me, best_ones, judge.kTuning.judged_behind)) {
            const Worth worth = alpha_beta(turn.after, me, turns - 1, std::max(alpha, best), beta, watchdog);
            best = std::max(best, worth);
            if (best >= beta) break;
        }
        return best;
    }

    // Whether the game may be over after the next action.
    [[nodiscard]] bool may_end(const State& state) {
        const auto actions = game().legal_actions(state);
        for (std::uint32_t i = 0; i < actions.size(); ++i) {
            State next = state;
            apply_nth(game(), next, actions, i);
            if (judge.is_over(next)) return true;
        }
        return false;
    }

    // The best positions after each action of the rest of the turn; what the turn ends with decides, and a draw ends
    // it. In the last turn of the game they are best by the points if it ended there, the network decides between equal
    // ones, and the turn goes on after a draw.
    [[nodiscard]] std::vector<Ranked> beam(const State& state, Player me, Rng& rng, Watchdog& watchdog) {
        constexpr int kMostSteps = 40;
        constexpr std::size_t kMostWorths = 4000, kWider = 4;
        if (turn_worths.size() > kMostWorths) turn_worths.clear();
        std::vector<Ranked> front{{0, 0, state}}, next, ended;
        const auto better = [](const Ranked& a, const Ranked& b) { return a.worth > b.worth; };
        auto width = static_cast<std::size_t>(policy.best);
        const auto keep = [&better, &width](auto& list, Ranked&& turn) {
            if (list.size() == width && turn.worth <= list.back().worth) return;
            const auto [low, high] = std::equal_range(list.begin(), list.end(), turn, better);
            for (auto at = low; at != high; ++at) {
                if (std::memcmp(&at->after, &turn.after, sizeof(State)) == 0) return;
            }
            if (list.size() == width) list.pop_back();
            list.insert(std::upper_bound(list.begin(), list.end(), turn, better), std::move(turn));
        };
        for (int step = 0; step < kMostSteps && !front.empty(); ++step) {
            next.clear();
            const bool last = may_end(front.front().after);
            if (last) width = kWider * static_cast<std::size_t>(policy.best);
            for (const Ranked& from : front) {
                static_cast<void>(watchdog.go_on());
                std::vector<Worth>& worths = turn_worths[hash_state(game(), from.after)];
                std::size_t turns = 0;
                judge.for_each_turn(from.after, me, judge.kTuning.judged, [&](std::uint32_t first, const State& after) {
                    if (turns == worths.size()) worths.push_back(judge.value_of_turn(from.after, after, me));
                    Ranked turn{worths[turns++], step == 0 ? first : from.first, after};
                    bool ends = game().current_player(after) != me;
                    if (last && game().current_player(after) == kChance) {
                        State drawn = after;
                        Rng luck(0);
                        while (game().current_player(drawn) == kChance) {
                            apply_chance(game(), drawn, luck, Unwatched{});
                        }
                        // One outcome is enough: in the last turn the card hardly matters.
                        ends = game().current_player(drawn) != me;
                        if (!ends) turn.after = drawn;
                    }
                    if (last && !ends) {
                        const int lead = margin(game(), scores_if_over(game(), turn.after), me);
                        turn.worth = net::kUnit * lead + turn.worth / net::kUnit;
                    }
                    turn.worth += noise_of(policy.noise, rng);
                    keep(ends ? ended : next, std::move(turn));
                });
            }
            front.swap(next);
        }
        return ended.empty() ? ranked_turns(state, me, 1, judge.kTuning.judged) : ended;
    }

    // The expectation of every seat by its own knowledge, from one judgement of each.
    struct Outlook {
        PerPlayer<double> wins{}, points{};
        PerPlayer<Worth> leads{};
    };
    [[nodiscard]] Outlook outlook(const State& state, bool calibrated = true) {
        const auto n = static_cast<std::size_t>(game().num_players());
        Outlook found;
        if (judge.is_over(state)) {
            const auto utilities = returns(game(), state);
            const auto scores = game().scores(state);
            for (std::size_t p = 0; p < n; ++p) {
                found.wins[p] = (utilities[p] * (static_cast<double>(n) - 1) + 1) / static_cast<double>(n);
                found.points[p] = scores[p];
                found.leads[p] = net::kUnit * margin(game(), scores, static_cast<Player>(p));
            }
            return found;
        }
        const auto sum_to_one = [&found, n] {
            double all = 0;
            for (std::size_t p = 0; p < n; ++p) all += found.wins[p];
            for (std::size_t p = 0; p < n; ++p) found.wins[p] /= all;
        };
        for (std::size_t p = 0; p < n; ++p) {
            const auto player = static_cast<Player>(p);
            const net::Heads said = judge.heads(state, player);
            found.wins[p] = net::share_of(said[net::kWin]);
            found.points[p] = judge.inputs().points[p] + static_cast<double>(said[net::kPoints]) / net::kUnit;
            found.leads[p] = judge.lead_of(said, player);
        }
        sum_to_one();
        if (!calibrated) return found;
        for (std::size_t p = 0; p < n; ++p) found.wins[p] = judge.calibrated(found.wins[p]);
        sum_to_one();
        return found;
    }
    // Adds wins and points of a position, times a weight.
    void add(Expectation& sum, PerPlayer<double>& wins_squared, PerPlayer<double>& points_squared, const State& state,
             double weight) {
        const Outlook found = outlook(state);
        for (std::size_t p = 0; p < index(game().num_players()); ++p) {
            sum.wins[p] += weight * found.wins[p];
            sum.points[p] += weight * found.points[p];
            wins_squared[p] += weight * found.wins[p] * found.wins[p];
            points_squared[p] += weight * found.points[p] * found.points[p];
        }
    }
    // The utilities of all players by what one of them knows: means over dealt worlds of what each would expect there.
    [[nodiscard]] PerPlayer<double> utilities(const State& state, Player viewer, std::uint64_t luck) {
        const bool deals = game().hides_information() && !judge.is_over(state);
        const std::uint64_t count = deals ? judge.kTuning.worlds : 1;
        Rng rng(luck, 1);
        Expectation mean;
        PerPlayer<double> unused{}, unused_too{};
        for (std::uint64_t i = 0; i < count; ++i) {
            State dealt = state;
            if (deals) game().determinize(dealt, viewer, rng);
            add(mean, unused, unused_too, dealt, 1 / static_cast<double>(count));
        }
        const auto n = static_cast<double>(game().num_players());
        PerPlayer<double> result{};
        for (std::size_t p = 0; p < index(game().num_players()); ++p) result[p] = (n * mean.wins[p] - 1) / (n - 1);
        return result;
    }
    // The utilities by which a tree search is led: a mixture of the share of the win, as the network says it, and of
    // the lead.
    [[nodiscard]] PerPlayer<float> values(const State& state, double weight) {
        constexpr double kSpread = 12.0 * net::kUnit;
        const Outlook said = outlook(state, false);
        const auto n = static_cast<double>(game().num_players());
        PerPlayer<float> result{};
        for (std::size_t p = 0; p < index(game().num_players()); ++p) {
            const double lead = said.leads[p], win = (n * said.wins[p] - 1) / (n - 1);
            result[p] =
                static_cast<float>((1 - weight) * win + weight * lead / std::sqrt(lead * lead + kSpread * kSpread));
        }
        return result;
    }
    // Plays the turn of the player to act, if there is one, since positions are judged after turns.
    void settle(State& state) {
        const Player actor = game().current_player(state);
        if (actor >= 0) judge.play_turn(state, actor, judge.kTuning.judged);
    }
};

template <Game G>
[[nodiscard]] std::shared_ptr<const net::Network> network_of(const G& game, const std::string& name) {
    if constexpr (!HasInputs<G>) refuse_inputs<G>();
    if (name == "zero") return nullptr;
    return net::network_for(G::kName, name, Learned<G>::inputs_hash(game), num_inputs_of<G>());
}

template <Game G>
Learned<G>::Learned(const G& game, const Nn& policy)
    : player_(new Player_{Judge<G>(game, network_of(game, policy.eval)), policy}) {}

template <Game G>
Learned<G>::~Learned() = default;

template <Game G>
Action Learned<G>::choose(const typename G::State& state, std::uint64_t luck, const Control& control) {
    const auto actions = player_->game().legal_actions(state);
    return actions[actions.size() == 1 ? 0 : decide(state, luck, control).place];
}

template <Game G>
auto Learned<G>::decide(const typename G::State& state, std::uint64_t luck, const Control& control) -> Choice {
    if (player_->policy.best > 0 || player_->policy.noise > 0) {
        Watchdog watchdog(control, 0);
        const auto best = player_->look(state, luck, watchdog).front();
        return {best.first, best.worth};
    }
    const Player me = player_->game().current_player(state);
    return player_->judge.best_turn(state, me, Judge<G>::kTuning.judged);
}

template <Game G>
Analysis Learned<G>::analyse(const typename G::State& state, std::uint64_t luck, const Control& control) {
    Watchdog watchdog(control, 0);
    const auto actions = player_->game().legal_actions(state);
    const Player me = player_->game().current_player(state);
    const double prior = 1 / static_cast<double>(actions.size());
    std::vector<RootEdge> edges;
    for (const auto& turn : player_->look(state, luck, watchdog)) {
        const Action action = actions[turn.first];
        if (std::ranges::find(edges, action, &RootEdge::action) != edges.end()) continue;
        edges.push_back({action, 1, prior, player_->utilities(turn.after, me, luck)});
    }
    Analysis analysis = analysis_of(edges, me, prior_of);  // which leaves them in their order
    analysis.simulations = edges.size();
    analysis.line = {analysis.best};
    analysis.seconds = watchdog.seconds();
    return analysis;
}

template <Game G>
Analysis Learned<G>::search(const typename G::State& state, const Mcts& policy, std::uint64_t luck,
                            const Control& control) {
    constexpr double kWidth = 0.2;         // of exploration, where the policy says none
    constexpr int kHeat = 2 * net::kUnit;  // of the order: what is behind by this has 1/e of the prior
    const G& game = player_->game();
    Watchdog watchdog(control, policy.seconds);
    Evaluated<G> tree(game, state, Rng(luck), static_cast<float>(policy.c > 0 ? policy.c : kWidth));
    std::vector<float> priors(static_cast<std::size_t>(game.num_distinct_actions()), 0);
    while (tree.walk(policy.simulations, watchdog)) {
        const auto& leaf = tree.state();
        const auto actions = game.legal_actions(leaf);
        actions.for_each([&](Action action) { priors[index(action)] = 0; });
        const auto turns =
            player_->ranked_turns(leaf, game.current_player(leaf), kAll, Judge<G>::kTuning.judged_behind);
        for (const auto& turn : turns) {
            const auto behind = static_cast<std::uint32_t>(turns.front().worth - turn.worth);
            priors[index(actions[turn.first])] = static_cast<float>(decay<kHeat>(behind));
        }
        tree.evaluate(priors, player_->values(turns.front().after, policy.margin));
    }
    Analysis analysis = tree.analysis();
    analysis.seconds = watchdog.seconds();
    return analysis;
}

template <Game G>
net::Heads Learned<G>::judge(const typename G::State& state, Player player) {
    return player_->judge.heads(state, player);
}

template <Game G>
Expectation Learned<G>::expect(const typename G::State& state) {
    constexpr std::uint32_t kMostOutcomes = 64;
    const G& game = player_->game();
    Expectation mean;
    PerPlayer<double> wins_squared{}, points_squared{};
    if (game.current_player(state) != kChance) {
        typename G::State after = state;
        player_->settle(after);
        player_->add(mean, wins_squared, points_squared, after, 1);
        return mean;
    }
    const auto outcomes = game.chance_outcomes(state);
    std::vector<std::pair<Action, double>> drawn;
    const auto total = static_cast<double>(outcomes.total());
    outcomes.for_each([&](Action outcome, std::uint32_t weight) {
        drawn.emplace_back(outcome, static_cast<double>(weight) / total);
    });
    const bool sampled = drawn.size() > kMostOutcomes;
    Rng rng(0);
    if (sampled) {
        drawn.clear();
        for (std::uint32_t i = 0; i < kMostOutcomes; ++i) {
            drawn.emplace_back(outcomes.at(rng.below(outcomes.total())), 1.0 / kMostOutcomes);
        }
    }
    bool more = false;  // draws follow, of which only one is looked at
    for (const auto& [outcome, weight] : drawn) {
        typename G::State next = state;
        game.apply_action(next, outcome);
        while (game.current_player(next) == kChance) {
            more = true;
            apply_chance(game, next, rng, Unwatched{});
        }
        player_->settle(next);
        player_->add(mean, wins_squared, points_squared, next, weight);
    }
    if (!sampled && !more) return mean;
    for (std::size_t p = 0; p < kMaxPlayers; ++p) {
        const auto error = [n = static_cast<double>(drawn.size())](double squares, double value) {
            return std::sqrt(std::max(0.0, squares - value * value) / std::max(1.0, n - 1));
        };
        mean.wins_error[p] = error(wins_squared[p], mean.wins[p]);
        mean.points_error[p] = error(points_squared[p], mean.points[p]);
    }
    return mean;
}

}  // namespace tilery::search
