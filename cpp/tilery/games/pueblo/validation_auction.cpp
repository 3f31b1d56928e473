// SPDX-License-Identifier: MIT
// Pueblo: which states of auctions can occur. In the first auction all that pass can be reached
// (tests/games/pueblo/test_reachable.cpp).
#include <algorithm>

#include "tilery/games/pueblo/auction.hpp"

namespace tilery::pueblo {
namespace {

// How many players take tokens and pay for them in the order of an auction. All have bid 1 to max_bid for a
// token, or are the opener and got it for nothing.
class Payments {
  public:
    Payments(const State& state, const Rules& rules) : points_(state.points), max_bid_(rules.max_bid) {}

    // Whether `owners` can have taken tokens, the first of them opened by `opener` among `waiting`, so that
    // at last `last_opener` opens, or there is nobody left to bid against.
    [[nodiscard]] bool possible(const Seats& owners, const Seats& waiting, int opener, int last_opener) const {
        if (owners.empty()) return opener == last_opener || waiting.size() == 1;
        bool found = false;
        owners.for_each([&](std::size_t owner) {
            if (found || points_[owner] > max_bid_ || (points_[owner] == 0 && owner != index(opener))) return;
            const Seats taken = Seats::only(owner), left = waiting - taken;
            found = possible(owners - taken, left, next_of(left, number(owner)), last_opener);
        });
        return found;
    }

  private:
    Points points_;
    int max_bid_;
};

}  // namespace

// The tokens: who has which, and nothing of an auction that is over.
std::string Game::order_fault(const State& state) const {
    Seats owners;
    for (const int owner : state.order.first(rules_.players)) {
        if (owner > rules_.players) return "a token of a player who does not take part";
        if (owner == 0) continue;
        if (owners.has(index(owner - 1))) return "two tokens of one player";
        owners.insert(index(owner - 1));
    }
    if (in_auction(state)) return rules_.pro ? "" : "an auction outside of the pro game";
    if (owners.size() != index(rules_.players)) return "a token that no player took";
    if (state.opener + state.bid + state.bidder + state.passed > 0) return "bids outside of an auction";
    for (int i = 0; !rules_.pro && i < rules_.players; ++i) {
        if (state.order[i] != i + 1) return "an order of turns that was never auctioned";
    }
    return "";
}

// PB-25, PB-26: the bids for one token.
std::string Game::auction_fault(const State& state) const {
    if (!in_auction(state)) return "";
    const Seats all = Seats::below(index(rules_.players)), waiting = pueblo::waiting(state, rules_.players);
    const Seats passed = Seats::of_word(state.passed), left = waiting - passed, owners = all - waiting;
    if (waiting.size() < 2) return "an auction that should have ended";
    if (!passed.subset_of(waiting)) return "a player who passed but does not bid";
    if (state.opener >= rules_.players || !waiting.has(index(state.opener))) return "an opener who does not bid";
    // Who opens: the first bidder, then the next clockwise after the player who took the last token.
    bool opens = owners.empty() && state.opener == rules_.first_bidder;
    owners.for_each([&](std::size_t owner) { opens = opens || next_of(waiting, number(owner)) == state.opener; });
    if (!opens) return "a wrong opener";

    if (state.bid > rules_.max_bid || (state.bid == 0) != (state.bidder == 0)) return "an impossible bid";
    if (state.bidder > rules_.players) return "a bid of a player who does not take part";
    if (state.bidder != 0 && !left.has(index(state.bidder - 1))) return "a bid of a player who is out";
    // A token is taken by the bidder when all others are out, or by the opener when all are.
    const bool won = state.bidder != 0 ? left.size() == 1 : left.empty();
    if (won != (state.phase == Phase::kToken)) return "a token taken at the wrong time";
    if (won) {
        const int winner = state.bidder != 0 ? state.bidder - 1 : int{state.opener};
        return state.player == winner ? "" : "a token taken by the wrong player";
    }
    if (!left.has(index(state.player)) || state.bidder == state.player + 1) return "a player asked who is out";

    // Clockwise from the opener: where the players are.
    const auto place = [&](int p) { return (p - state.opener + rules_.players) % rules_.players; };
    const auto count = [&](const Seats& set, int from, int end) {  // of the set, at places from..end-1
        int size = 0;
        set.for_each([&](std::size_t p) { size += place(number(p)) >= from && place(number(p)) < end ? 1 : 0; });
        return size;
    };
    const int n = rules_.players, asked = place(state.player);
    if (state.bidder == 0) {
        if (count(left, 0, asked) > 0) return "a player who was not asked";
        return count(passed, asked, n) > 0 ? "a player who passed before being asked" : "";
    }
    const int bidder = place(state.bidder - 1);
    const bool wrapped = asked < bidder;  // asked after the opener was again
    const int between = wrapped ? count(left, bidder + 1, n) + count(left, 0, asked) : count(left, bidder + 1, asked);
    if (between > 0) return "a player who was not asked";
    // Those before the bidder have bid too. If a player passed who comes later, this is not the first round,
    // in which all who are left have bid.
    const bool second_round = !wrapped && count(passed, asked, n) > 0;
    const int bids = 1 + count(left, 0, bidder) + (second_round ? number(left.size()) : 0);
    return state.bid < bids ? "a bid lower than the number of bids before" : "";
}

// PB-25, PB-R7: before the first block the points are the bids paid.
std::string Game::bids_fault(const State& state) const {
    const Seats all = Seats::below(index(rules_.players)), waiting = pueblo::waiting(state, rules_.players);
    const Payments payments(state, rules_);
    bool possible = false;
    if (in_auction(state)) {
        waiting.for_each([&](std::size_t p) { possible = possible || state.points[p] > 0; });
        if (possible) return "points of a player who has not paid for a token";
        possible = payments.possible(all - waiting, all, rules_.first_bidder, state.opener);
    } else {  // one of the players got the last token free
        all.for_each([&](std::size_t last) {
            possible = possible || (state.points[last] == 0 &&
                                    payments.possible(all - Seats::only(last), all, rules_.first_bidder, -1));
        });
    }
    return possible ? "" : "points that are not the bids paid for tokens";
}

}  // namespace tilery::pueblo
