// SPDX-License-Identifier: MIT
// Festivals (JA-29 to JA-33).
#include <algorithm>
#include <bit>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {

// JA-30: matching cards in the order of kinds; `stop` after one, `pass` before, but the player whose
// turn it is has to lay a card first.
std::uint32_t Game::bids(const State& state) {
    const std::size_t bidder = state.bidder;
    std::uint32_t bits = 0;
    for (std::size_t kind = state.last == kNone ? 0 : state.last; kind < kKinds; ++kind) {
        if (state.hands[bidder][kind] > 0 && matches(kind, state.open)) bits |= plain_bit(Verb::kLay) << kind;
    }
    if (state.last != kNone) return bits | plain_bit(Verb::kStop);
    return bidder == state.turn && count(state.laid[bidder]) == 0 ? bits : bits | plain_bit(Verb::kPass);
}

// JA-29, JA-30.
void Game::call_festival(State& state, std::size_t palace) const {
    const std::uint8_t owed = state.owed;  // JA-34a asks for it when the turn ends
    clear_turn(state);
    state.owed = owed;
    state.phase = Phase::kFestival;
    state.festival = static_cast<std::uint16_t>(palace);
    state.bidder = state.turn;
    state.bidding = tables_->island.guests(state, palace);
}

// JA-30, JA-31.
void Game::bid(State& state, Move move, auto events) const {
    const std::size_t bidder = state.bidder, n = seats();
    if (move.verb == Verb::kLay) {
        --state.hands[bidder][move.index];
        if (state.known[bidder][move.index] > 0) --state.known[bidder][move.index];  // JA-38
        ++state.laid[bidder][move.index];
        state.last = move.index;
    } else {
        if (move.verb == Verb::kPass) state.bidding = static_cast<std::uint8_t>(state.bidding & ~(1U << bidder));
        state.last = kNone;
    }
    if (move.verb != Verb::kStop && bidding_is_over(state)) return end_festival(state, events);
    if (move.verb == Verb::kLay) return;
    std::size_t next = (bidder + 1) % n;
    while ((state.bidding >> next & 1) == 0) next = (next + 1) % n;
    state.bidder = static_cast<std::uint8_t>(next);
}

// JA-31: all have passed, or the one left is ahead of everybody.
bool Game::bidding_is_over(const State& state) {
    if (state.bidding == 0) return true;
    if (!std::has_single_bit(state.bidding)) return false;
    const std::size_t left = lowest_bit(state.bidding);
    const int best = matching(state.laid[left], state.open);
    for (std::size_t player = 0; player < state.laid.size(); ++player) {
        if (player != left && matching(state.laid[player], state.open) >= best) return false;
    }
    return true;
}

// JA-32, JA-R9.
void Game::end_festival(State& state, auto events) const {
    PerSeat<int> laid{};
    for (std::size_t player = 0; player < laid.size(); ++player) {
        laid[player] = matching(state.laid[player], state.open);
        add_cards(state.discards, state.laid[player]);
    }
    const int most = *std::max_element(laid.begin(), laid.end());
    tables_->island.close_festival(state);
    const std::uint32_t value = tables_->island.palace_value(state, state.festival);
    const std::uint32_t points =
        std::count(laid.begin(), laid.end(), most) == 1 ? value / 2 : kTiedPoints[value / 2 - 1];
    for (std::size_t player = 0; player < laid.size(); ++player) {
        if (laid[player] != most) continue;
        add_points(state, player, points);
        events(kFestivals, player, points, state.festival);
    }
    state.laid = {};
    state.festival = kNowhere;
    state.bidder = state.bidding = 0;
    state.last = kNone;
    end_turn(state, events);
}

template void Game::bid(State&, Move, NoEvents) const;
template void Game::bid(State&, Move, EventWriter) const;

std::string Game::why_illegal(const State& state, Action action) const {
    const Move move = move_of(action);
    Refusal refusal =
        state.phase == Phase::kFestival ? refusal_of_bid(state, move) : tables_->island.refusal(state, move);
    if (refusal == nullptr && !keeps_duty(state, action)) refusal = kKeepReserve;
    return refusal == nullptr ? "" : std::string(refusal) + " (" + turn_text(state) + ")";
}

// JA-29, JA-30.
const char* Game::refusal_of_bid(const State& state, Move move) {
    const std::size_t bidder = state.bidder;
    switch (move.verb) {
        case Verb::kLay:
            if (state.hands[bidder][move.index] == 0) return "JA-30: the player has no such card";
            if (!matches(move.index, state.open)) return "JA-30: the card shares no symbol with the open card";
            if (state.last != kNone && move.index < state.last) {
                return "JA-30: in one turn of bidding cards are laid in the order m, d, p, md, dp, pm";
            }
            return nullptr;
        case Verb::kStop:
            return state.last == kNone ? "JA-30: a turn of bidding begins with a card or a pass" : nullptr;
        case Verb::kPass:
            if (state.last != kNone) return "JA-30: a turn of bidding in which a card was laid ends with stop";
            return bidder == state.turn && count(state.laid[bidder]) == 0
                       ? "JA-30: the player whose turn it is must lay a card before passing"
                       : nullptr;
        case Verb::kDraw:
            return "JA-6: cards are drawn by chance";
        default:
            return "JA-29: the festival is the last action of a turn, and only bids follow";
    }
}

}  // namespace tilery::java
