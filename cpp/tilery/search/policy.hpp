// SPDX-License-Identifier: MIT
// Policies as data: one type per policy, and the text that names it everywhere,
//
//     NAME[:N][,key=value]*        random   greedy   flat:50   uct:1000   mcts:1000,c=0.7   nn:4
//
// A type lists its parameters once; reading, checking and printing follow from the list. N is the
// first parameter of a policy whose first parameter is a count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tilery/core/game.hpp"

namespace tilery::search {

// A number of a policy: its key in the text, its member and its range, both ends included.
template <class Policy, class Number>
struct Parameter {
    std::string_view key;
    Number Policy::* member;
    Number low, high;
};
template <class Policy, class Number>
Parameter(std::string_view, Number Policy::*, std::type_identity_t<Number>, std::type_identity_t<Number>)
    -> Parameter<Policy, Number>;

inline constexpr std::uint64_t kMostSimulations = std::uint64_t{1} << 31;

// Uniformly at random among the legal actions.
struct Random {
    static constexpr std::string_view kName = "random";
    static constexpr bool kCounted = false;
    static constexpr auto parameters() { return std::tuple<>{}; }
    bool operator==(const Random&) const = default;
};

// The action with the best margin of points right after it, averaged over `worlds` determinizations. Where the player
// also makes the next decision and it has at most `ahead` actions, the best margin after that one counts.
struct Greedy {
    std::uint64_t worlds = 4;
    std::uint64_t ahead = 8;

    static constexpr std::string_view kName = "greedy";
    static constexpr bool kCounted = false;
    static constexpr auto parameters() {
        return std::tuple{Parameter{"worlds", &Greedy::worlds, 1, 1024}, Parameter{"ahead", &Greedy::ahead, 0, 1024}};
    }
    bool operator==(const Greedy&) const = default;
};

// The action with the best mean utility of `playouts` random playouts each.
struct Flat {
    std::uint64_t playouts = 50;

    static constexpr std::string_view kName = "flat";
    static constexpr bool kCounted = true;
    static constexpr auto parameters() {
        return std::tuple{Parameter{"playouts", &Flat::playouts, 1, kMostSimulations}};
    }
    bool operator==(const Flat&) const = default;
};

// The bounds of a search. Simulations are 0 where only the seconds count.
struct Budget {
    std::uint64_t simulations = 1000;
    double seconds = 0;           // 0: no bound in time
    std::uint64_t trees = 1;      // searched apart and merged, each with its share of the simulations
    std::uint64_t memory = 1024;  // MiB for all trees together
    bool operator==(const Budget&) const = default;
};

constexpr auto budget_parameters() {
    return std::tuple{Parameter{"simulations", &Budget::simulations, 1, kMostSimulations},
                      Parameter{"seconds", &Budget::seconds, 0.001, 1e6}, Parameter{"trees", &Budget::trees, 1, 256},
                      Parameter{"memory", &Budget::memory, 1, 1 << 20}};
}

// Plain UCT: random playouts to the end, the utilities of G-6, no priors.
struct Uct : Budget {
    double c = 1.4;

    static constexpr std::string_view kName = "uct";
    static constexpr bool kCounted = true;
    static constexpr auto parameters() {
        return std::tuple_cat(budget_parameters(), std::tuple{Parameter{"c", &Uct::c, 0, 1000}});
    }
    bool operator==(const Uct&) const = default;
};

// The parameters of `mcts` for experiments, in one text: "depth:20+width:4". Of the first four, 0 is the game's own
// (SearchTuning).
struct Tuning {
    std::uint64_t depth = 0;
    std::uint64_t rank = 0;
    std::uint64_t width = 0;
    std::uint64_t best = 0;
    std::uint64_t prospects = 1;  // whether prospects count where a position is judged

    static constexpr std::string_view kName = "mcts: tuning";
    static constexpr bool kCounted = false;
    static constexpr auto parameters() {
        return std::tuple{Parameter{"depth", &Tuning::depth, 0, 100000},
                          Parameter{"rank", &Tuning::rank, 0, SearchTuning::kNever},
                          Parameter{"width", &Tuning::width, 0, 1000}, Parameter{"best", &Tuning::best, 0, 1000},
                          Parameter{"prospects", &Tuning::prospects, 0, 1}};
    }
    bool operator==(const Tuning&) const = default;
};

// The strongest search here (docs/bots.md): UCT by a mixture of winning and of points, with short playouts.
struct Mcts : Budget {
    double c = 0;         // 0: the game's own
    double margin = 0.5;  // the weight of points; the rest is the utility of G-6
    Tuning tuning;
    // The network that judges and orders in place of playouts (net/shelf.hpp); "nn": the one that is shipped; "": none.
    std::string eval;

    static constexpr std::string_view kName = "mcts";
    static constexpr bool kCounted = true;
    static constexpr auto parameters() {
        return std::tuple_cat(
            budget_parameters(),
            std::tuple{Parameter{"c", &Mcts::c, 0, 1000}, Parameter{"margin", &Mcts::margin, 0, 1},
                       Parameter{"tuning", &Mcts::tuning, {}, {}}, Parameter{"eval", &Mcts::eval, {}, {}}});
    }
    bool operator==(const Mcts&) const = default;
};

// The best position after one's own turn, as a network judges it; and for `nn:K` the best after looking further at the
// K best turns, in the form that suits the game (NetTuning). With noise it plays worse on purpose.
struct Nn {
    std::uint64_t best = 0;    // how many turns are looked at further; 0: none
    std::uint64_t worlds = 0;  // dealt worlds, or outcomes of a chance node; 0 is the game's own, as for the others
    std::uint64_t depth = 0;   // turns looked ahead, where that is the form
    double noise = 0;          // points added to what each turn is worth in the end, uniform from 0
    std::string eval;          // the name of the network (net/shelf.hpp); "": the one that is shipped

    static constexpr std::string_view kName = "nn";
    static constexpr bool kCounted = true;
    static constexpr auto parameters() {
        return std::tuple{Parameter{"best", &Nn::best, 0, 1024}, Parameter{"worlds", &Nn::worlds, 0, 1024},
                          Parameter{"depth", &Nn::depth, 0, 64}, Parameter{"noise", &Nn::noise, 0, 1000},
                          Parameter{"eval", &Nn::eval, {}, {}}};
    }
    bool operator==(const Nn&) const = default;
};

// A rung of the game's ladder, 1 the weakest; and the highest.
struct Rung {
    std::uint64_t number = 1;

    static constexpr std::string_view kName = "rung";
    static constexpr bool kCounted = true;
    static constexpr auto parameters() { return std::tuple{Parameter{"number", &Rung::number, 1, 64}}; }
    bool operator==(const Rung&) const = default;
};
struct Champion {
    static constexpr std::string_view kName = "champion";
    static constexpr bool kCounted = false;
    static constexpr auto parameters() { return std::tuple<>{}; }
    bool operator==(const Champion&) const = default;
};

using Policy = std::variant<Random, Greedy, Flat, Uct, Mcts, Nn, Rung, Champion>;

// The policy of a text; std::invalid_argument that lists what there is, for a text that names none.
[[nodiscard]] Policy parse_policy(std::string_view text);

// The canonical text: N always, then the parameters that differ from their defaults, in their order.
[[nodiscard]] std::string to_string(const Policy& policy);

// All parameters by key, in their order.
using Setting = std::variant<std::uint64_t, double, std::string>;
[[nodiscard]] std::vector<std::pair<std::string, Setting>> parameters_of(const Policy& policy);

// The policy that plays a game for this one: a rung and the champion are policies of the game's ladder, and a network
// that is not named is the shipped one. WeightsError where there is none.
[[nodiscard]] Policy resolved(const Policy& policy, std::string_view game);

// Whether the policy can say what it found (Chooser::analyse).
[[nodiscard]] bool can_analyse(const Policy& policy);

}  // namespace tilery::search
