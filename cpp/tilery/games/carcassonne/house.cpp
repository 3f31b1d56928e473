// SPDX-License-Identifier: MIT
// The house rules of the turn: who starts, hands of tiles, what comes after a turn. The sale of tiles
// has a file of its own; tables, edges, gaps and trees are part of placing a tile.
#include <algorithm>
#include <bit>
#include <cassert>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

std::size_t size_of(const std::array<std::uint8_t, kMostHand>& hand) {
    return static_cast<std::size_t>(std::find(hand.begin(), hand.end(), 0) - hand.begin());
}

void put_in_pile(State& state, std::size_t type) {
    for (std::size_t i = type; i < state.pile.size(); ++i) ++state.pile[i];
}

}  // namespace

std::span<const std::uint8_t> Game::hand_of(const State& state, std::size_t seat) {
    if (state.phase == Phase::kOrder) return {};
    return std::span(state.hands[seat]).first(size_of(state.hands[seat]));
}

// A tile that nobody else has seen.
void Game::take_in_hand(State& state, std::size_t seat, std::size_t type) {
    auto& hand = state.hands[seat];
    std::uint8_t& shown = state.shown[seat];
    const std::size_t size = size_of(hand);
    assert(size < hand.size());
    std::size_t at = 0;
    while (at < size && hand[at] <= type + 1) ++at;
    std::copy_backward(hand.begin() + at, hand.begin() + size, hand.begin() + size + 1);
    hand[at] = static_cast<std::uint8_t>(type + 1);
    const unsigned before = (1U << at) - 1U;
    shown = static_cast<std::uint8_t>((shown & before) | (shown & ~before) << 1);
}

// CA-H3: of equal tiles a known one is used.
void Game::take_from_hand(State& state, std::size_t seat, std::size_t type) {
    auto& hand = state.hands[seat];
    std::uint8_t& shown = state.shown[seat];
    const auto tile = std::find(hand.begin(), hand.end(), static_cast<std::uint8_t>(type + 1));
    assert(tile != hand.end());
    const unsigned before = (1U << (tile - hand.begin())) - 1U;
    shown = static_cast<std::uint8_t>((shown & before) | (shown >> 1 & ~before));
    std::copy(tile + 1, hand.end(), tile);
    hand.back() = 0;
}

// Whether a tile can be placed, the first of the land too.
bool Game::can_be_played(const State& state, std::size_t type) const {
    return state.rows == 1 || fits_somewhere(state, type);
}

// CA-H5: with `return` only tiles that fit are drawn.
bool Game::can_draw(const State& state) const {
    if (rules_.unplaceable == Unplaceable::kDiscard) return state.pile.back() > 0;
    for (std::size_t type = 0; type < types_; ++type) {
        if (copies_left(state, type) > 0 && can_be_played(state, type)) return true;
    }
    return false;
}

// CA-H5; the draws for the start are from the whole pile.
void Game::leave_out_unplaceable(const State& state, Outcomes& outcomes) const {
    if (state.phase == Phase::kOrder) return;
    std::uint8_t count = 0;
    for (std::size_t type = 0; type < outcomes.upto_.size(); ++type) {
        const int copies = copies_left(state, type);
        if (copies > 0 && can_be_played(state, type)) count = static_cast<std::uint8_t>(count + copies);
        outcomes.upto_[type] = count;
    }
}

void Game::find_house_actions(const State& state, Actions& actions) const {
    actions.kind_ = Actions::Kind::kBits;
    actions.bits_ = 0;
    switch (state.phase) {
        case Phase::kChoose:
        case Phase::kDiscard:
            actions.base_ = state.phase == Phase::kChoose ? first_choice_ : first_discard_;
            for (const std::uint8_t tile : hand_of(state, static_cast<std::size_t>(state.turn))) {
                const std::size_t type = tile - std::size_t{1};
                if (state.phase == Phase::kDiscard || can_be_played(state, type)) {
                    actions.bits_ |= std::uint64_t{1} << type;
                }
            }
            break;
        case Phase::kOffer:
            actions.base_ = first_sale_ + kOffer;
            actions.bits_ = 0b11;
            break;
        case Phase::kBid:
            // From one more than the last price up to the points of the bidder; behind them `pass`.
            actions.kind_ = Actions::Kind::kPrices;
            actions.base_ = first_sale_ + kPrice1 + state.price;
            actions.bits_ = static_cast<std::uint64_t>(first_sale_ + kPass);
            actions.size_ = static_cast<std::uint32_t>(
                1 + std::max(0, std::min<int>(state.scores[static_cast<std::size_t>(state.actor)], kMostPoints) -
                                    state.price));
            return;
        default:
            assert(state.phase == Phase::kAccept);
            actions.base_ = first_sale_ + kAcceptSale;
            actions.bits_ = 0b11;
    }
    actions.size_ = static_cast<std::uint32_t>(std::popcount(actions.bits_));
}

void Game::apply_house(State& state, Action action) const {
    switch (state.phase) {
        case Phase::kOrder:
            draw_for_start(state, static_cast<std::size_t>(action));
            return;
        case Phase::kDeal:
            deal(state, static_cast<std::size_t>(action));
            return;
        case Phase::kRefill:
            refill(state, static_cast<std::size_t>(action));
            return;
        case Phase::kChoose:
            choose(state, static_cast<std::size_t>(action - first_choice_));
            return;
        case Phase::kDiscard:
            discard(state, static_cast<std::size_t>(action - first_discard_));
            return;
        default:
            trade(state, action - first_sale_);
    }
}

void Game::begin(State& state) const {
    if (rules_.first_player == FirstPlayer::kSeat0) {
        start(state, 0);
        return;
    }
    state.phase = Phase::kOrder;
    state.actor = kChance;
    state.turn = state.ordinary = -1;
    state.again = 0;
    state.round = 1;
    state.contenders = static_cast<std::uint8_t>((1U << rules_.players) - 1U);
}

void Game::start(State& state, int seat) const {
    state.phase = rules_.hand_size > 0 ? Phase::kDeal : Phase::kDraw;
    state.actor = kChance;
    state.turn = state.ordinary = static_cast<std::int8_t>(seat);
    state.again = 0;
}

// CA-H2, CA-R3
void Game::draw_for_start(State& state, std::size_t type) const {
    take_from_pile(state, type);
    std::uint8_t* drawn = nullptr;  // of the next who has none
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if ((state.contenders >> seat & 1) == 0 || state.hands[seat][0] != 0) continue;
        if (drawn != nullptr) {
            *drawn = static_cast<std::uint8_t>(type + 1);
            return;
        }
        drawn = &state.hands[seat][0];
    }
    assert(drawn != nullptr);
    *drawn = static_cast<std::uint8_t>(type + 1);

    int most = -1;
    unsigned tied = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        std::uint8_t& tile = state.hands[seat][0];
        if (tile == 0) continue;
        const int roads = tiles_.types[tile - std::size_t{1}].printed_roads;
        tied = roads > most ? 1U << seat : roads == most ? tied | 1U << seat : tied;
        most = std::max(most, roads);
        put_in_pile(state, tile - std::size_t{1});
        tile = 0;
    }
    if (std::has_single_bit(tied) || state.round == kMostRounds) {
        state.round = state.contenders = 0;
        start(state, std::countr_zero(tied));
        return;
    }
    ++state.round;
    state.contenders = static_cast<std::uint8_t>(tied);
}

// CA-H3
void Game::deal(State& state, std::size_t type) const {
    const auto full = static_cast<std::size_t>(rules_.hand_size), last = static_cast<std::size_t>(rules_.players - 1);
    std::size_t seat = 0;
    while (size_of(state.hands[seat]) == full) ++seat;
    take_from_pile(state, type);
    take_in_hand(state, seat, type);
    if (size_of(state.hands[last]) == full && !begin_turn(state)) next_ordinary_turn(state);
}

// CA-H3, CA-H8: the player whose hand was refilled goes on, or the next one begins.
void Game::refill(State& state, std::size_t type) const {
    take_from_pile(state, type);
    take_in_hand(state, static_cast<std::size_t>(state.turn), type);
    const bool goes_on = state.again != 0;
    state.again = 0;
    if (!goes_on || !begin_turn(state)) next_ordinary_turn(state);
}

// CA-H3, CA-H4: the mover looks at his hand. Answers whether he has a turn: not if the hand and the
// pile are empty, or are so after his last tile proved to fit nowhere.
bool Game::begin_turn(State& state) const {
    const auto seat = static_cast<std::size_t>(state.turn);
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    if (hand.empty()) return false;
    const bool plays = std::any_of(hand.begin(), hand.end(),
                                   [&](std::uint8_t tile) { return can_be_played(state, tile - std::size_t{1}); });
    state.actor = state.turn;
    if (rules_.hand_size == kMostHand) {
        state.phase = plays ? Phase::kChoose : Phase::kDiscard;
        // CA-H4: the hand is laid open.
        if (!plays && rules_.hands == Hands::kHidden) {
            state.shown[seat] = static_cast<std::uint8_t>((1U << hand.size()) - 1U);
        }
        return true;
    }
    const std::size_t type = hand[0] - std::size_t{1};
    if (plays) {
        choose(state, type);
    } else {
        take_from_hand(state, seat, type);
        if (state.pile.back() == 0) return false;
        state.phase = Phase::kRefill;
        state.actor = kChance;
        state.again = 1;
    }
    return true;
}

// CA-H4, CA-H5
void Game::choose(State& state, std::size_t type) const {
    take_from_hand(state, static_cast<std::size_t>(state.turn), type);
    if (state.rows == 1) {
        first_tile(state, type);
        return;
    }
    state.tile = static_cast<std::uint8_t>(type + 1);
    state.phase = Phase::kPlace;
}

// CA-H4
void Game::discard(State& state, std::size_t type) const {
    take_from_hand(state, static_cast<std::size_t>(state.turn), type);
    if (state.pile.back() > 0) {
        state.phase = Phase::kRefill;
        state.actor = kChance;
        state.again = 1;
    } else if (!begin_turn(state)) {
        next_ordinary_turn(state);
    }
}

// CA-H3, CA-H8, CA-R11: of the next player, clockwise, who has one.
void Game::next_ordinary_turn(State& state) const {
    for (int i = 0; i < rules_.players; ++i) {
        state.ordinary = static_cast<std::int8_t>((state.ordinary + 1) % rules_.players);
        state.turn = state.ordinary;
        if (begin_turn(state)) return;
    }
    end_game(state);
}

// What follows a turn where that is not simply the next player's: with some house rules, and at the end.
void Game::finish_house_turn(State& state) const {
    if (rules_.hand_size > 0 && state.pile.back() > 0) {
        state.phase = Phase::kRefill;  // CA-H8: before the extra turn
        state.actor = kChance;
        return;
    }
    const bool extra = state.again != 0;
    state.again = 0;
    if (rules_.hand_size > 0) {
        if (!extra || !begin_turn(state)) next_ordinary_turn(state);
    } else if (!can_draw(state)) {
        end_game(state);
    } else {
        if (!extra) state.turn = state.ordinary = static_cast<std::int8_t>((state.ordinary + 1) % rules_.players);
        state.phase = Phase::kDraw;
        state.actor = kChance;
    }
}

}  // namespace tilery::carcassonne
