// SPDX-License-Identifier: MIT
// Where games are small, fault() accepts exactly the states that can be reached: enumerated.
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "check.hpp"
#include "tilery/core/play.hpp"
#include "tilery/run/games.hpp"

namespace tilery::tests {

void test_reachable(std::string_view name);

namespace {

template <class State>
std::string bytes_of(const State& state) {
    return {reinterpret_cast<const char*>(&state), sizeof state};
}

// All states that can follow `start` while `inside(state)` is true.
template <Game G, class Inside>
std::vector<typename G::State> reachable_from(const G& game, const typename G::State& start, Inside&& inside) {
    std::vector<typename G::State> found{start};
    std::unordered_set<std::string> known{bytes_of(start)};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const typename G::State state = found[i];
        with_actions(game, state, [&](std::uint32_t, auto&& for_each) {
            for_each([&](Action action) {
                typename G::State next = state;
                game.apply_action(next, action);
                if (inside(next) && known.insert(bytes_of(next)).second) found.push_back(next);
            });
        });
    }
    return found;
}

// A byte of a state and how many values to try in it.
struct Field {
    std::size_t at;
    int values;
};

// Tries every value in one, two, ... `depth` of the fields of a state.
template <class State, class Check>
void change(const State& state, const std::vector<Field>& fields, std::size_t first, int depth, Check&& check) {
    check(state);
    if (depth == 0) return;
    for (std::size_t i = first; i < fields.size(); ++i) {
        State changed = state;
        for (int value = 0; value < fields[i].values; ++value) {
            std::memset(reinterpret_cast<char*>(&changed) + fields[i].at, value, 1);
            if (std::memcmp(&changed, &state, sizeof state) != 0) change(changed, fields, i + 1, depth - 1, check);
        }
    }
}

template <Game G, class Inside>
void accepts_the_reachable(const G& game, const std::vector<Field>& fields, int depth, Inside&& inside) {
    const auto states = reachable_from(game, game.initial_state(), inside);
    std::unordered_set<std::string> known;
    for (const auto& state : states) known.insert(bytes_of(state));
    std::uint64_t unreachable = 0, refused = 0;
    for (const auto& state : states) {
        change(state, fields, 0, depth, [&](const typename G::State& changed) {
            if (!inside(changed)) return;
            const bool accepted = game.fault(changed).empty(), reached = known.contains(bytes_of(changed));
            unreachable += accepted && !reached ? 1 : 0;
            refused += !accepted && reached ? 1 : 0;
        });
    }
    CHECK(states.size() > 10);
    CHECK(unreachable == 0);
    CHECK(refused == 0);
}

// Cards, table, points, prize and deal, in every number that the game knows and one above it.
template <Game G>
void test_cards() {
    for (const auto& [players, hand, depth] : {std::array{2, 1, 2}, std::array{3, 1, 1}}) {
        const G game(typename G::Rules{.players = players, .hand = hand});
        std::vector<Field> fields;
        for (std::size_t at = 0; at < sizeof(typename G::State); ++at) fields.push_back({at, 7});
        accepts_the_reachable(game, fields, depth, [](const auto&) { return true; });
    }
}

// The first auction: whose turn it is, bids, tokens and what they cost.
template <Game G>
void test_auction() {
    using State = typename G::State;
    for (const auto& [players, max_bid, first, depth] :
         {std::array{2, 3, 0, 4}, std::array{3, 2, 1, 3}, std::array{4, 2, 3, 2}}) {
        typename G::Rules rules;
        rules.players = players;
        rules.pro = true;
        rules.max_bid = max_bid;
        rules.first_bidder = first;
        const G game(rules);
        std::vector<Field> fields;
        const auto add = [&fields](std::size_t at, int values) { fields.push_back({at, values}); };
        for (const std::size_t at : {offsetof(State, opener), offsetof(State, player)}) add(at, players + 1);
        add(offsetof(State, bid), max_bid + 2);
        add(offsetof(State, bidder), players + 2);
        add(offsetof(State, passed), 1 << players);
        add(offsetof(State, phase), 6);
        for (std::size_t p = 0; p < static_cast<std::size_t>(players); ++p) {
            add(offsetof(State, order) + p, players + 2);
            add(offsetof(State, points) + p * sizeof(State::points[0]), max_bid + 2);
        }
        accepts_the_reachable(game, fields, depth, [&game](const State& state) { return game.in_auction(state); });
    }
}

}  // namespace

void test_reachable(std::string_view name) {
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        if constexpr (G::kName == "toy") test_cards<G>();
        if constexpr (G::kName == "pueblo") test_auction<G>();
    });
}

}  // namespace tilery::tests
