// SPDX-License-Identifier: MIT
// The definition of self_play.hpp. Only the sources that compile a game's players by networks include it.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "tilery/search/learned_engine.hpp"
#include "tilery/simulation/self_play.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery {

// One thread's games to learn from.
template <Game G>
class SelfPlayer {
  public:
    using State = typename G::State;

    SelfPlayer(const G& game, const std::string& network, const SelfPlay& plan)
        : game_(game),
          judge_(game, search::network_of(game, network)),
          deeper_(game, {.best = plan.best, .eval = network}),
          plan_(plan),
          players_(index(game.num_players())) {}

    [[nodiscard]] net::Samples play(std::uint64_t index_of_game) {
        Rng chance = stream_of(plan_.seed, Purpose::chance(), index_of_game);
        Rng rng = stream_of(plan_.seed, Purpose::policy(0), index_of_game);
        const auto level = [&rng](double most) { return most * rng.below(3) / 2; };
        const double random = level(plan_.random), noise = level(plan_.noise);
        auto opening = static_cast<unsigned>(level(plan_.opening));
        seen_.clear();
        State state = game_.initial_state();
        for (;;) {
            const Player actor = game_.current_player(state);
            if (actor == kTerminal) break;
            if (actor == kChance) {
                apply_chance(game_, state, chance, Unwatched{});
                continue;
            }
            const bool at_random = opening > 0 || happens(rng, random);
            if (opening > 0) --opening;
            take_turn(state, actor, at_random, noise, rng);
        }
        return samples(state);
    }

  private:
    struct Judged {
        search::Worth worth = 0, best = 0;  // as judged after the turn, and what the best turn would have been worth
        bool own = false;                   // right after the player's own turn; otherwise seen while another played
        bool searched = false;              // judged by a search
    };
    struct Seen {
        Player player;
        Judged judged;
        std::size_t begin, end;
        PerPlayer<int> points;
    };

    [[nodiscard]] static bool happens(Rng& rng, double share) {
        constexpr std::uint32_t kOne = 1 << 24;
        return static_cast<double>(rng.below(kOne)) < share * kOne;
    }

    void take_turn(State& state, Player actor, bool at_random, double noise, Rng& rng) {
        const State before = state;
        const auto size = game_.legal_actions(state).size();
        search::Worth best = search::kWorst, chosen = search::kWorst, highest = search::kWorst;
        State after = state;
        if (size == 1 && !judgeable_after_one(state, actor)) {
            game_.apply_action(state, game_.legal_actions(state)[0]);
            return;
        }
        if (!at_random && plan_.searched > 0 && happens(rng, plan_.searched)) {
            const auto choice = deeper_.decide(before, rng.next(), {});
            apply_nth(game_, state, game_.legal_actions(before), choice.place);
            if (game_.current_player(state) == actor && !judgeable(game_, state, actor)) judge_.play_turn(state, actor);
            learn(state, actor, {choice.worth, choice.worth, true, true}, rng);
            return;
        }
        const std::uint32_t wanted = at_random ? rng.below(size) : 0;
        judge_.for_each_turn(before, actor, judge_.kTuning.judged_learning,
                             [&](std::uint32_t first, const State& next) {
                                 const search::Worth worth = judge_.value_of_turn(before, next, actor);
                                 best = std::max(best, worth);
                                 const search::Worth noisy = worth + search::noise_of(noise, rng);
                                 if (at_random && first != wanted) return;
                                 if (noisy <= highest) return;
                                 highest = noisy;
                                 chosen = worth;
                                 after = next;
                             });
        if (highest == search::kWorst) {  // the random action is not among those judged
            game_.apply_action(state, game_.legal_actions(state)[wanted]);
            return;
        }
        state = after;
        learn(state, actor, {chosen, best, true, false}, rng);
    }
    // Keeps the position after a player's turn, perhaps also as another seat sees it.
    void learn(const State& state, Player actor, const Judged& judged, Rng& rng) {
        if (judge_.is_over(state)) return;
        see(state, actor, judged, happens(rng, plan_.keep));
        if (players_ > 1 && happens(rng, plan_.keep * plan_.others)) {
            const auto other = (index(actor) + 1 + rng.below(static_cast<std::uint32_t>(players_ - 1))) % players_;
            see(state, static_cast<Player>(other), {}, true);
        }
    }
    [[nodiscard]] bool judgeable_after_one(const State& state, Player actor) {
        State next = state;
        game_.apply_action(next, game_.legal_actions(state)[0]);
        return game_.current_player(next) != actor || judgeable(game_, next, actor);
    }

    void see(const State& state, Player player, const Judged& judged, bool keep) {
        Seen seen{player, judged, ids_.size(), ids_.size(), {}};
        if (keep) {
            list_inputs(game_, state, player, inputs_);
            ids_.insert(ids_.end(), inputs_.begin(), inputs_.end());
            seen.end = ids_.size();
            seen.points = inputs_.points;
        }
        seen_.push_back(seen);
    }

    // The targets, from the end of the game to its beginning: each position's lead is what the next one of the seat was
    // judged as, mixed with what came later; an action that was worse than the best tells nothing about what the best
    // would have come to. What a search said stands for what came later.
    [[nodiscard]] net::Samples samples(const State& over) {
        constexpr search::Worth kSlip = net::kUnit / 2;
        const auto scores = game_.scores(over);
        const auto utilities = returns(game_, over);
        const auto n = static_cast<double>(players_);
        PerPlayer<double> trace{}, finals{};
        for (std::size_t p = 0; p < players_; ++p) {
            finals[p] = search::margin(game_, scores, static_cast<Player>(p));
            trace[p] = finals[p];
        }
        std::vector<net::Target> targets(seen_.size());
        for (std::size_t i = seen_.size(); i-- > 0;) {
            const Seen& seen = seen_[i];
            const std::size_t p = index(seen.player);
            const auto points = [](search::Worth worth) { return static_cast<double>(worth) / net::kUnit; };
            const auto& [worth, best, own, searched] = seen.judged;
            if (searched) trace[p] = points(worth);
            const double lead = (1 - plan_.final_weight) * trace[p] + plan_.final_weight * finals[p];
            targets[i].lead = static_cast<float>(lead - search::margin(game_, seen.points, seen.player));
            targets[i].points = static_cast<float>(scores[p] - seen.points[p]);
            targets[i].share = static_cast<float>((utilities[p] * (n - 1) + 1) / n);
            if (!own) continue;
            trace[p] =
                worth < best - kSlip ? points(best) : (1 - plan_.lambda) * points(worth) + plan_.lambda * trace[p];
        }
        net::Samples out;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const Seen& seen = seen_[i];
            if (seen.end == seen.begin) continue;
            out.add(std::span(ids_).subspan(seen.begin, seen.end - seen.begin), targets[i]);
        }
        out.games.push_back(out.size());
        ids_.clear();
        return out;
    }

    const G& game_;
    search::Judge<G> judge_;
    search::Learned<G> deeper_;
    const SelfPlay& plan_;
    std::size_t players_;
    std::vector<Seen> seen_;
    std::vector<InputId> ids_;
    Inputs inputs_;
};

template <Game G>
net::Samples self_play(const G& game, const std::string& network, const SelfPlay& plan, const GoOn& go_on) {
    std::vector<net::Samples> games(plan.count);
    std::atomic<bool> stop{false};
    const bool all = in_chunks(
        plan.count, 4, plan.threads, stop,
        [&](std::uint64_t first, std::uint64_t last) {
            SelfPlayer<G> player(game, network, plan);
            for (std::uint64_t i = first; i < last; ++i) games[i] = player.play(plan.first + i);
        },
        go_on);
    net::Samples samples;
    if (!all) return samples;
    for (net::Samples& one : games) {
        samples.append(one);
        one = {};
    }
    return samples;
}

}  // namespace tilery
