// SPDX-License-Identifier: MIT
// Who starts (CA-H2), hands of tiles (CA-H3, CA-H4), and what comes after a turn.
#include "tilery/games/carcassonne/hands.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

using Hand = std::array<std::uint8_t, kMostHand>;

// The tiles come first. Without a branch, since hands are of few tiles.
std::size_t size_of(const Hand& hand) {
    std::size_t size = 0;
    for (const std::uint8_t tile : hand) size += tile != 0 ? 1 : 0;
    return size;
}

std::size_t mover(const State& state) { return index_of(state.turn.mover); }

// CA-H3: of equal tiles a known one is used.
void take_from_hand(State& state, std::size_t seat, std::size_t type) {
    Hand& hand = state.hands.tiles[seat];
    const unsigned shown = state.hands.shown[seat];
    std::size_t at = 0;
    while (hand[at] != type + 1) {
        ++at;
        assert(at < hand.size());
    }
    const unsigned before = (1U << at) - 1U;
    state.hands.shown[seat] = narrow<std::uint8_t>((shown & before) | (shown >> 1 & ~before));
    for (; at + 1 < hand.size(); ++at) hand[at] = hand[at + 1];
    hand.back() = 0;
}

// A draw for the hand of the mover; `goes_on` if the turn does after it.
void draw_to_refill(State& state, bool goes_on) {
    state.turn.phase = Phase::kRefill;
    state.turn.actor = kChance;
    state.turn.goes_on = goes_on ? 1 : 0;
}

// CA-H4, CA-H5
void choose(const Box& box, State& state, std::size_t type) {
    take_from_hand(state, mover(state), type);
    if (state.land.size == 1) return first_tile(box, state, type);
    state.turn.tile = narrow<std::uint8_t>(type + 1);
    state.turn.phase = Phase::kPlace;
}

// CA-H3, CA-H4: the mover looks at their hand. Returns whether they have a turn: not if the hand and the
// pile are empty, or are so after their last tile proved to fit nowhere.
bool begin_turn(const Box& box, State& state) {
    const std::size_t seat = mover(state);
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    if (hand.empty()) return false;
    const bool plays = can_play_any(box, state, hand);
    state.turn.actor = state.turn.mover;
    if (box.rules.hand_size == kMostHand) {
        state.turn.phase = plays ? Phase::kChoose : Phase::kDiscard;
        // CA-H4: the hand is shown.
        if (!plays && box.has_hidden_hands()) {
            state.hands.shown[seat] = narrow<std::uint8_t>((1U << hand.size()) - 1U);
        }
        return true;
    }
    const std::size_t type = hand[0] - std::size_t{1};
    if (plays) {
        choose(box, state, type);
        return true;
    }
    take_from_hand(state, seat, type);
    if (state.pile.size() == 0) return false;
    draw_to_refill(state, true);
    return true;
}

// CA-H3, CA-H8, CA-R11: of the next player, clockwise, who has one.
void next_ordinary_turn(const Box& box, State& state) {
    for (int i = 0; i < box.rules.players; ++i) {
        state.turn.mover = state.turn.ordinary = narrow<std::int8_t>(box.next_seat(state.turn.ordinary));
        if (begin_turn(box, state)) return;
    }
    end_game(box, state);
}

// CA-H3
[[gnu::noinline]] void deal(const Box& box, State& state, std::size_t type) {
    const std::size_t full = index_of(box.rules.hand_size), last = index_of(box.rules.players - 1);
    std::size_t seat = 0;
    while (size_of(state.hands.tiles[seat]) == full) ++seat;
    take_from_pile(box, state, type);
    take_in_hand(state, seat, type);
    if (size_of(state.hands.tiles[last]) == full && !begin_turn(box, state)) next_ordinary_turn(box, state);
}

// CA-H3, CA-H8: the player whose hand was refilled goes on, or the next one begins.
void refill(const Box& box, State& state, std::size_t type) {
    take_from_pile(box, state, type);
    take_in_hand(state, mover(state), type);
    const bool goes_on = state.turn.goes_on != 0;
    state.turn.goes_on = 0;
    if (!goes_on || !begin_turn(box, state)) next_ordinary_turn(box, state);
}

// CA-H4
[[gnu::noinline]] void discard(const Box& box, State& state, std::size_t type) {
    take_from_hand(state, mover(state), type);
    if (state.pile.size() > 0) {
        draw_to_refill(state, true);
    } else if (!begin_turn(box, state)) {
        next_ordinary_turn(box, state);
    }
}

void start(const Box& box, State& state, int seat) {
    state.turn.phase = box.rules.hand_size > 0 ? Phase::kDeal : Phase::kDraw;
    state.turn.actor = kChance;
    state.turn.mover = state.turn.ordinary = narrow<std::int8_t>(seat);
    state.turn.goes_on = 0;
}

// Those who drew a tile with most roads, as bits; all tiles go back.
unsigned compare_draws(const Box& box, State& state) {
    int most = -1;
    unsigned tied = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        std::uint8_t& tile = state.hands.tiles[seat][0];
        if (tile == 0) continue;
        const std::size_t type = tile - std::size_t{1};
        const int roads = box.tiles.types[type].printed_roads;
        tied = roads > most ? 1U << seat : roads == most ? tied | 1U << seat : tied;
        most = std::max(most, roads);
        for (std::size_t i = type; i < kPileBytes; ++i) ++state.pile.up_to[i];
        tile = 0;
    }
    return tied;
}

// CA-H2, CA-R3
[[gnu::noinline]] void draw_for_start(const Box& box, State& state, std::size_t type) {
    Turn& turn = state.turn;
    take_from_pile(box, state, type);
    unsigned waiting = turn.contenders;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if (state.hands.tiles[seat][0] != 0) waiting &= ~(1U << seat);
    }
    state.hands.tiles[index_of(std::countr_zero(waiting))][0] = narrow<std::uint8_t>(type + 1);
    if (!std::has_single_bit(waiting)) return;
    const unsigned tied = compare_draws(box, state);
    if (std::has_single_bit(tied) || turn.round == kMostRounds) {
        turn.round = turn.contenders = 0;
        return start(box, state, std::countr_zero(tied));
    }
    ++turn.round;
    turn.contenders = narrow<std::uint8_t>(tied);
}

}  // namespace

void begin(const Box& box, State& state) {
    if (box.rules.first_player == FirstPlayer::kSeat0) return start(box, state, 0);
    state.turn.phase = Phase::kOrder;
    state.turn.actor = kChance;
    state.turn.mover = state.turn.ordinary = -1;
    state.turn.goes_on = 0;
    state.turn.round = 1;
    state.turn.contenders = narrow<std::uint8_t>((1U << box.rules.players) - 1U);
}

std::span<const std::uint8_t> hand_of(const State& state, std::size_t seat) {
    if (state.turn.phase == Phase::kOrder) return {};
    return std::span(state.hands.tiles[seat]).first(size_of(state.hands.tiles[seat]));
}

bool can_play_any(const Box& box, const State& state, std::span<const std::uint8_t> hand) {
    return std::any_of(hand.begin(), hand.end(),
                       [&](std::uint8_t tile) { return can_be_played(box, state, tile - std::size_t{1}); });
}

// A tile that no other player has seen.
void take_in_hand(State& state, std::size_t seat, std::size_t type) {
    Hand& hand = state.hands.tiles[seat];
    const unsigned shown = state.hands.shown[seat];
    const std::size_t size = size_of(hand);
    assert(size < hand.size());
    std::size_t at = 0;
    while (at < size && hand[at] <= type + 1) ++at;
    for (std::size_t i = size; i > at; --i) hand[i] = hand[i - 1];
    hand[at] = narrow<std::uint8_t>(type + 1);
    const unsigned before = (1U << at) - 1U;
    state.hands.shown[seat] = narrow<std::uint8_t>((shown & before) | (shown & ~before) << 1);
}

bool can_draw(const Box& box, const State& state) {
    if (box.rules.unplaceable == Unplaceable::kDiscard) return state.pile.size() > 0;
    for (std::size_t type = 0; type < box.num_types; ++type) {
        if (state.pile.copies(type) > 0 && can_be_played(box, state, type)) return true;
    }
    return false;
}

// CA-H5; the draws for the start are from the whole pile.
Pile placeable_pile(const Box& box, const State& state) {
    if (state.turn.phase == Phase::kOrder) return state.pile;
    return Pile::of(box.num_types, [&](std::size_t type) {
        const int copies = state.pile.copies(type);
        return copies > 0 && can_be_played(box, state, type) ? copies : 0;
    });
}

LegalActions house_actions(const Box& box, const State& state) {
    const bool choosing = state.turn.phase == Phase::kChoose;
    if (!choosing && state.turn.phase != Phase::kDiscard) return sale_actions(box, state);
    std::uint64_t types = 0;
    for (const std::uint8_t tile : hand_of(state, mover(state))) {
        const std::size_t type = tile - std::size_t{1};
        if (!choosing || can_be_played(box, state, type)) types |= std::uint64_t{1} << type;
    }
    return LegalActions::of_bits(choosing ? box.first_choice : box.first_discard, types);
}

void apply_house(const Box& box, State& state, Action action) {
    switch (state.turn.phase) {
        case Phase::kOrder:
            return draw_for_start(box, state, index_of(action));
        case Phase::kDeal:
            return deal(box, state, index_of(action));
        case Phase::kRefill:
            return refill(box, state, index_of(action));
        case Phase::kChoose:
            return choose(box, state, index_of(action - box.first_choice));
        case Phase::kDiscard:
            return discard(box, state, index_of(action - box.first_discard));
        default:
            trade(box, state, action - box.first_sale);
    }
}

void finish_house_turn(const Box& box, State& state) {
    const bool extra = state.turn.goes_on != 0;
    // CA-H8: before the extra turn
    if (box.rules.hand_size > 0 && state.pile.size() > 0) return draw_to_refill(state, extra);
    state.turn.goes_on = 0;
    if (box.rules.hand_size > 0) {
        if (!extra || !begin_turn(box, state)) next_ordinary_turn(box, state);
    } else if (!can_draw(box, state)) {
        end_game(box, state);
    } else {
        if (!extra) state.turn.mover = state.turn.ordinary = narrow<std::int8_t>(box.next_seat(state.turn.ordinary));
        state.turn.phase = Phase::kDraw;
        state.turn.actor = kChance;
    }
}

}  // namespace tilery::carcassonne
