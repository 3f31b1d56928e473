// SPDX-License-Identifier: MIT
#include "reachable.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {
namespace {

using namespace tests;

Game pro_game(int players, int max_bid, int first_bidder) {
    Rules rules;
    rules.players = players;
    rules.pro = rules.demolition = true;
    rules.max_bid = max_bid;
    rules.first_bidder = first_bidder;
    return Game(rules);
}

// Of an auction: whose turn it is, bids and tokens.
std::vector<Field> fields_of_auction(int players, int max_bid) {
    std::vector<Field> fields;
    for (const std::size_t at : {offsetof(State, opener), offsetof(State, player)}) fields.push_back({at, players + 1});
    fields.push_back({offsetof(State, bid), max_bid + 2});
    fields.push_back({offsetof(State, bidder), players + 2});
    fields.push_back({offsetof(State, passed), 1 << players});
    fields.push_back({offsetof(State, phase), 6});
    for (std::size_t p = 0; p < index(players); ++p) fields.push_back({offsetof(State, order) + p, players + 2});
    return fields;
}

// The first auction, with what tokens cost.
void test_first_auction(int players, int max_bid, int first_bidder, int depth) {
    const Game game = pro_game(players, max_bid, first_bidder);
    std::vector<Field> fields = fields_of_auction(players, max_bid);
    for (std::size_t p = 0; p < index(players); ++p) {
        fields.push_back({offsetof(State, points) + p * sizeof(State::points[0]), max_bid + 2});
    }
    const auto inside = [&game](const State& state) { return game.in_auction(state); };
    Reachable(game, game.initial_state(), inside, kAll).change_all(fields, depth);
}

// The auctions before part 2 and before demolition. What was paid has become part of the points.
void test_later_auctions(int players, int max_bid, int first_bidder, int depth) {
    const Game game = pro_game(players, max_bid, first_bidder);
    State state = game.initial_state();
    Rng rng(5);
    for (const int part : {2, 3}) {
        while (!game.in_auction(state) || state.part < part) {
            game.apply_action(state, random_decision(game, state, rng));
        }
        const auto inside = [&game, part](const State& at) { return game.in_auction(at) && at.part == part; };
        const auto kept = [](State at) { return at.points = {}, at; };
        Reachable(game, state, inside, kept).change_all(fields_of_auction(players, max_bid), depth);
    }
}

const ReachableTest auctions("pueblo", [] {
    for (const auto& [players, max_bid, first_bidder, depth] :
         {std::array{2, 3, 0, 4}, std::array{3, 2, 1, 3}, std::array{4, 2, 3, 2}}) {
        test_first_auction(players, max_bid, first_bidder, depth);
        test_later_auctions(players, max_bid, first_bidder, 2);
    }
});

}  // namespace
}  // namespace tilery::pueblo
