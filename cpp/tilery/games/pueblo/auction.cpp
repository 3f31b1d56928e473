// SPDX-License-Identifier: MIT
// Pueblo: the auctions of the pro game (PB-24 to PB-26).
#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {

Seats Game::waiting(const State& state) const {
    Seats set = Seats::below(index(rules_.players));
    for (const int owner : state.order) {
        if (owner != 0) set.erase(index(owner - 1));
    }
    return set;
}

Seats Game::bidders_left(const State& state) const { return waiting(state) - Seats::of_word(state.passed); }

void Game::open_auction(State& state, int part) const {
    state.part = part;
    state.order = {};
    state.turn = 0;
    open_token(state, rules_.first_bidder);
}

void Game::open_token(State& state, int opener) const {
    state.opener = opener;
    state.bid = state.bidder = state.passed = 0;
    state.player = opener;
    state.phase = Phase::kBid;
}

// PB-26: a bid, or a pass if the amount is 0.
void Game::bid(State& state, int amount) const {
    if (amount > 0) {
        state.bid = amount;
        state.bidder = state.player + 1;
    } else {
        state.passed |= 1 << state.player;
    }
    const Seats left = bidders_left(state);
    if (left.empty()) {  // nobody has bid, and the opener takes a token for nothing
        state.player = state.opener;
        state.phase = Phase::kToken;
    } else {
        state.player = next_of(left, state.player);
        // A bidder who is alone has won, and is not asked again.
        if (left.size() == 1 && state.bidder != 0) state.phase = Phase::kToken;
    }
}

void Game::take_token(State& state, int token) const {
    state.order[token] = state.player + 1;
    state.points[state.player] += state.bid;  // PB-R7
    state.passed = 0;
    const Seats left = bidders_left(state);
    if (left.size() > 1) return open_token(state, next_of(left, state.player));
    // PB-25: the last player gets the last token free.
    for (int i = 0; i < rules_.players; ++i) {
        if (state.order[i] == 0) state.order[i] = number(left.first()) + 1;
    }
    state.opener = state.bid = state.bidder = 0;
    if (state.part == 2) {  // PB-R3
        for (Player p = 0; p < rules_.players; ++p) {
            for (Byte& blocks : state.supply[p]) blocks += state.aside;
        }
        state.aside = 0;
    }
    give_turn(state, 0);
}

}  // namespace tilery::pueblo
