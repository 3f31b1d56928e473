// SPDX-License-Identifier: MIT
// Pueblo: the auctions of the pro game (PB-24 to PB-26).
#include <bit>

#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {
namespace {

// The next player clockwise after this one among a set that is not empty.
int next_of(unsigned set, int player) {
    const unsigned after = set & ~((2U << player) - 1);
    return std::countr_zero(after != 0 ? after : set);
}

// Those who have a token.
unsigned served(const State& state) {
    unsigned set = 0;
    for (const std::uint8_t owner : state.order) set |= 1U << owner >> 1;
    return set;
}

}  // namespace

// The set of players who are not out for this token.
unsigned Game::bidders_left(const State& state) const {
    return ((1U << rules_.players) - 1) & ~served(state) & ~state.passed;
}

void Game::open_auction(State& state, int part) const {
    state.part = static_cast<std::uint8_t>(part);
    state.order = {};
    state.turn = 0;
    open_token(state, rules_.first_bidder);
}

void Game::open_token(State& state, int opener) const {
    state.opener = static_cast<std::uint8_t>(opener);
    state.bid = state.bidder = state.passed = 0;
    state.player = state.opener;
    state.step = Step::bid;
}

void Game::bid(State& state, int amount) const {
    state.bid = static_cast<std::uint8_t>(amount);
    state.bidder = static_cast<std::uint8_t>(state.player + 1);
    if (bidders_left(state) == 1U << state.player) {  // PB-26: all others were out already
        state.step = Step::token;
    } else {
        state.player = static_cast<std::uint8_t>(next_of(bidders_left(state), state.player));
    }
}

void Game::pass(State& state) const {
    state.passed = static_cast<std::uint8_t>(state.passed | 1U << state.player);
    const unsigned left = bidders_left(state);
    if (left == 0) {  // PB-26: nobody has bid, and the opener takes a token for nothing
        state.player = state.opener;
        state.step = Step::token;
    } else {
        state.player = static_cast<std::uint8_t>(next_of(left, state.player));
        // Who has bid and is alone has won, and is not asked again.
        if (std::has_single_bit(left) && state.bidder != 0) state.step = Step::token;
    }
}

void Game::take_token(State& state, int token) const {
    state.order[static_cast<std::size_t>(token)] = static_cast<std::uint8_t>(state.player + 1);
    state.points[state.player] += state.bid;  // PB-R7
    state.passed = 0;
    const unsigned left = bidders_left(state);
    if (!std::has_single_bit(left)) return open_token(state, next_of(left, state.player));
    // PB-25: the last player gets the last token free.
    for (int i = 0; i < rules_.players; ++i) {
        std::uint8_t& owner = state.order[static_cast<std::size_t>(i)];
        if (owner == 0) owner = static_cast<std::uint8_t>(std::countr_zero(left) + 1);
    }
    close_auction(state);
}

void Game::close_auction(State& state) const {
    state.opener = state.bid = state.bidder = 0;
    if (state.part == 2) {  // PB-R3
        for (std::size_t p = 0; p < static_cast<std::size_t>(rules_.players); ++p) {
            for (std::uint8_t& blocks : state.supply[p]) blocks = static_cast<std::uint8_t>(blocks + state.aside);
        }
        state.aside = 0;
    }
    give_turn(state, 0);
}

std::string Game::auction_fault(const State& state) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    unsigned seen = 0, tokens = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint8_t owner = state.order[i];
        if (owner > n) return "a token of nobody";
        if (owner == 0) continue;
        if ((seen >> owner & 1) != 0) return "two tokens of one player";
        seen |= 1U << owner;
        ++tokens;
    }
    if (state.step != Step::bid && state.step != Step::token) {
        if (tokens != n) return "a token that nobody took";
        if ((state.opener | state.bid | state.bidder | state.passed) != 0) return "bids outside of an auction";
        for (std::size_t i = 0; !rules_.pro && i < n; ++i) {
            if (state.order[i] != i + 1) return "an order of turns that was never auctioned";
        }
        return "";
    }
    if (!rules_.pro) return "an auction outside of the pro game";
    if (tokens + 2 > n) return "an auction that should have ended";
    if (tokens == 0 && state.opener != rules_.first_bidder) return "a wrong opener";
    const unsigned waiting = ((1U << n) - 1) & ~served(state);
    if (state.opener >= n || (waiting >> state.opener & 1) == 0) return "an opener who has a token";
    if (state.bid > rules_.max_bid || (state.bid == 0) != (state.bidder == 0)) return "an impossible bid";
    if (state.bidder > n || (state.passed & ~waiting) != 0) return "a bid of nobody";
    const unsigned left = waiting & ~state.passed;
    if (state.bidder != 0 && (left >> (state.bidder - 1) & 1) == 0) return "a bid of a player who is out";
    // PB-26: to act is who has won, or somebody not out who did not make the last bid.
    const bool won = state.bidder != 0 ? std::has_single_bit(left) : left == 0;
    if (won != (state.step == Step::token)) return "a token at the wrong time";
    if (won) {
        if (state.player != (state.bidder != 0 ? state.bidder - 1 : state.opener))
            return "a token for the wrong player";
    } else if ((left >> state.player & 1) == 0 || state.bidder == state.player + 1) {
        return "a player is asked who is out";
    }
    // Asked clockwise: before the first bid all from the opener to the one to act have passed; after
    // it all between the bidder and the one to act have, or he was not the last to be asked.
    if (state.bidder == 0 && !won) {
        for (int p = state.opener; p != state.player; p = next_of(waiting, p)) {
            if ((state.passed >> p & 1) == 0) return "a player was left out";
        }
        for (int p = state.player; (p = next_of(waiting, p)) != state.opener;) {
            if ((state.passed >> p & 1) != 0) return "a player passed before he was asked";
        }
    }
    return "";
}

}  // namespace tilery::pueblo
