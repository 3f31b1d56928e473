// SPDX-License-Identifier: MIT
// What makes turns, hands and prices impossible, on a land that is possible.
#include <algorithm>
#include <bit>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {

// Sorted tiles of the box; those that are shown are the first of their type (CA-H3).
std::string Game::hand_fault(const State& state) const {
    const bool order = state.phase == Phase::kOrder;
    const bool showing = rules_.hand_size == kMostHand && rules_.hands == Hands::kHidden && !order;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const auto& hand = state.hands[seat];
        const int most = seat >= static_cast<std::size_t>(rules_.players) ? 0 : order ? 1 : rules_.hand_size;
        const int size = static_cast<int>(std::find(hand.begin(), hand.end(), 0) - hand.begin());
        if (size > most) return "a hand too large";
        for (int i = 0; i < kMostHand; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const bool shown = (state.shown[seat] >> at & 1) != 0;
            if (i >= size && (hand[at] != 0 || shown)) return "a tile behind a hand";
            if (hand[at] > types_) return "a hand with a tile of no type in the box";
            if (i == 0 || i >= size) continue;
            if (hand[at] < hand[at - 1]) return "a hand out of order";
            if (hand[at] == hand[at - 1] && shown && (state.shown[seat] >> (at - 1) & 1) == 0) {
                return "a hand that shows a later copy";
            }
        }
        if (state.shown[seat] >= 1U << kMostHand || (state.shown[seat] != 0 && !showing)) return "a hand shown in vain";
    }
    return "";
}

// CA-H3, CA-H4: as long as there is a pile all hands are full, but for what the mover has taken out.
std::string Game::hand_size_fault(const State& state) const {
    const int full = rules_.hand_size;
    if (full == 0) return "";
    bool last_dealt = false;  // phase deal: hands are full up to a seat that has less, and empty behind it
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules_.players); ++seat) {
        const int size = static_cast<int>(hand_of(state, seat).size());
        switch (state.phase) {
            case Phase::kDeal:
                if (last_dealt ? size > 0 : size > full) return "hands dealt out of order";
                last_dealt |= size < full;
                break;
            case Phase::kOver:
                if (size > 0) return "a hand at the end";
                break;
            case Phase::kOrder:
                break;
            default: {
                const bool out = static_cast<int>(seat) == state.turn && state.phase != Phase::kChoose &&
                                 state.phase != Phase::kDiscard;
                const int due = out ? full - 1 : full;
                if (state.pile.back() > 0 ? size != due : size > due) return "a hand that was not refilled";
            }
        }
    }
    return state.phase == Phase::kDeal && !last_dealt ? "nothing to deal" : "";
}

// CA-H2
std::string Game::order_fault(const State& state) const {
    if (state.phase != Phase::kOrder) return state.round == 0 && state.contenders == 0 ? "" : "draws for the start";
    const unsigned all = (1U << rules_.players) - 1U, contenders = state.contenders;
    if (rules_.first_player != FirstPlayer::kMostRoads) return "draws for the start";
    if (state.round < 1 || state.round > kMostRounds) return "no such round";
    if ((contenders & ~all) != 0 || std::popcount(contenders) < 2) return "contenders who are none";
    if (state.round == 1 && contenders != all) return "players who do not draw";
    bool waiting = false;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const bool drawn = state.hands[seat][0] != 0, draws = (contenders >> seat & 1) != 0;
        if (drawn && (!draws || waiting)) return "draws out of order";
        waiting |= draws && !drawn;
    }
    return waiting ? "" : "nobody to draw";
}

// Whose turn it is, and whose ordinary turn (CA-H7, CA-H8).
std::string Game::mover_fault(const State& state) const {
    const bool order = state.phase == Phase::kOrder;
    if (order || state.phase == Phase::kOver) return state.turn == -1 && state.ordinary == -1 ? "" : "nobody's turn";
    if (state.turn < 0 || state.turn >= rules_.players) return "nobody's turn";
    if (state.ordinary < 0 || state.ordinary >= rules_.players) return "nobody's ordinary turn";
    if (state.turn != state.ordinary) {
        // A buyer: now, or in an extra turn.
        const bool now = state.phase == Phase::kMeeple || (state.phase == Phase::kPlace && is_for_sale(state));
        if (!rules_.tile_sale || !(now || rules_.gap_bonus)) return "turns out of order";
    }
    return "";
}

std::string Game::sale_fault(const State& state) const {
    const bool bidding = state.phase == Phase::kBid, accepting = state.phase == Phase::kAccept;
    if (state.phase == Phase::kOffer || bidding || accepting) {
        if (!rules_.tile_sale || !is_for_sale(state)) return "a tile that is not for sale";
    }
    if (state.buyer == -1 && state.price == 0) return accepting ? "nothing to accept" : "";
    if (!bidding && !accepting) return "a price of nothing";
    if (state.buyer < 0 || state.buyer >= rules_.players) return "a buyer who does not play";
    const auto after_mover = [&](int seat) { return (seat - state.turn + rules_.players) % rules_.players; };
    if (state.buyer == state.turn || (bidding && after_mover(state.buyer) >= after_mover(state.actor))) {
        return "a price of one who has not bid";
    }
    if (state.price == 0 || state.price > state.scores[static_cast<std::size_t>(state.buyer)]) {
        return "a price that cannot be paid";
    }
    return "";
}

// CA-H4: who has shown his hand has discarded a tile of it, but for the mover who is about to.
std::string Game::shown_fault(const State& state, int gone) const {
    for (int seat = 0; seat < rules_.players; ++seat) {
        const auto i = static_cast<std::size_t>(seat);
        const unsigned shown = state.shown[i], all = (1U << hand_of(state, i).size()) - 1U;
        if (seat == state.turn && state.phase == Phase::kDiscard) {
            if (rules_.hands == Hands::kHidden && shown != all) return "a hand that is not shown";
            continue;
        }
        const bool discarded = seat == state.turn && state.phase == Phase::kRefill && state.again != 0 &&
                               !rules_.gap_bonus && rules_.hand_size == kMostHand && rules_.hands == Hands::kHidden;
        if (discarded && shown != all) return "a hand that is not shown";
        if (std::popcount(shown) >= kMostHand || (shown != 0 && --gone < 0)) return "a hand shown in vain";
    }
    return "";
}

// Before the first turn there is at most the start tile, and nobody has any points.
std::string Game::start_fault(const State& state, int laid, int gone) const {
    const bool before_play = state.phase == Phase::kOrder || state.phase == Phase::kDeal;
    if (!before_play && laid > 0) return "";
    if (gone > 0 || laid > (rules_.start_tile_in_bag ? 0 : 1)) return "turns before the first";
    if (std::any_of(state.scores.begin(), state.scores.end(), [](auto points) { return points != 0; })) {
        return "points before the first turn";
    }
    if (state.turn > 0 && rules_.first_player == FirstPlayer::kSeat0) return "another start player";
    if (state.turn != state.ordinary) return "turns out of order";
    // CA-H5: the first tile is placed inside the action that draws or chooses it.
    return before_play || state.phase == Phase::kDraw || state.phase == Phase::kChoose ? "" : "no land";
}

// CA-H8: a gap just filled; an extra turn after a refill, or the turn that goes on after a discard.
std::string Game::again_fault(const State& state, int gone) const {
    bool possible = state.again == 0;
    if (state.phase == Phase::kMeeple) {
        int neighbours = 0;
        for (const Cell other : state.tile_cells) {
            const int step = other - state.tile_cells[state.last];
            neighbours += step == 1 || step == -1 || step == kRowStep || step == -kRowStep ? 1 : 0;
        }
        possible = state.again == (rules_.gap_bonus && neighbours == static_cast<int>(kSides) ? 1 : 0);
    } else if (state.phase == Phase::kRefill && state.again == 1) {
        possible = rules_.gap_bonus || gone > 0;
    }
    return possible ? "" : "a turn that does not go on";
}

// Who is to act, and what there is to do.
std::string Game::actor_fault(const State& state) const {
    const std::span<const std::uint8_t> hand = hand_of(state, static_cast<std::size_t>(std::max<int>(state.turn, 0)));
    const bool plays = std::any_of(hand.begin(), hand.end(),
                                   [&](std::uint8_t tile) { return can_be_played(state, tile - std::size_t{1}); });
    const bool over = rules_.hand_size > 0 ? state.pile.back() == 0 : !can_draw(state);
    bool possible = true;
    int actor = state.turn;
    switch (state.phase) {
        case Phase::kOrder:
            actor = kChance;
            break;
        case Phase::kDeal:
        case Phase::kRefill:
            possible = rules_.hand_size > 0 && !over;
            actor = kChance;
            break;
        case Phase::kDraw:
            possible = rules_.hand_size == 0 && !over;
            actor = kChance;
            break;
        case Phase::kChoose:
        case Phase::kDiscard:
            possible = rules_.hand_size == kMostHand && !hand.empty() && plays == (state.phase == Phase::kChoose);
            break;
        case Phase::kBid:
            possible = state.actor >= 0 && state.actor < rules_.players && state.actor != state.turn;
            actor = state.actor;
            break;
        case Phase::kOffer:
        case Phase::kAccept:
        case Phase::kPlace:
            possible = fits_somewhere(state, state.tile - std::size_t{1});
            break;
        case Phase::kMeeple:
            possible = state.options != 0 && state.supply[static_cast<std::size_t>(state.turn)] > 0;
            break;
        default:
            possible = over;
            actor = kTerminal;
    }
    if (!possible) return "a phase with nothing to do";
    return state.actor == actor ? "" : "another to act";
}

std::string Game::turn_fault(const State& state) const {
    if (std::any_of(state.filler.begin(), state.filler.end(), [](auto item) { return item != 0; })) {
        return "filler that is not 0";
    }
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const int most = static_cast<int>(seat) < rules_.players ? kMostPoints : 0;
        if (state.scores[seat] > most) return "more points than possible";
    }
    const Phase phase = state.phase;
    if (phase > Phase::kOver) return "a phase that is not played";
    const bool tile =
        phase == Phase::kOffer || phase == Phase::kBid || phase == Phase::kAccept || phase == Phase::kPlace;
    if ((state.tile != 0) != tile || (state.last != 0) != (phase == Phase::kMeeple)) return "a tile in the wrong phase";
    if (state.tile > types_) return "a tile of no type in the box";

    const auto tiles_in = [](const auto& list) {
        return static_cast<int>(list.size()) - static_cast<int>(std::count(list.begin(), list.end(), 0));
    };
    const int laid = tiles_in(state.tile_codes);
    int gone = (rules_.tiles == TileSet::kBase ? kBaseTiles : kTiles) - laid - state.pile.back() - (tile ? 1 : 0);
    for (const auto& hand : state.hands) gone -= tiles_in(hand);
    if (rules_.unplaceable == Unplaceable::kReturn && gone > 0) return "tiles that were not returned";

    for (const auto check : {&Game::order_fault, &Game::mover_fault, &Game::hand_size_fault, &Game::sale_fault}) {
        if (std::string fault = (this->*check)(state); !fault.empty()) return fault;
    }
    for (const auto check : {&Game::shown_fault, &Game::again_fault}) {
        if (std::string fault = (this->*check)(state, gone); !fault.empty()) return fault;
    }
    if (std::string fault = start_fault(state, laid, gone); !fault.empty()) return fault;
    return actor_fault(state);
}

}  // namespace tilery::carcassonne
