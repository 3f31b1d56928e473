// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "tilery/core/validation.hpp"
#include "tilery/games/carcassonne/derive.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"
#include "tilery/games/carcassonne/validation.hpp"

namespace tilery::carcassonne {
namespace {

int tiles_laid(const State& state) {
    return narrow<int>(kTileSlots) - narrow<int>(std::ranges::count(state.land.codes, 0));
}

// The checks of the turn. Each relies on those before it.
class TurnValidation {
  public:
    TurnValidation(const Box& box, const State& state) : box_(box), state_(state) {}

    [[nodiscard]] std::string fault() const {
        using V = TurnValidation;
        return first_fault(*this, {&V::tile_in_turn, &V::order, &V::mover, &V::hand_sizes, &V::sale, &V::shown,
                                   &V::goes_on, &V::start, &V::unplaceable, &V::actor});
    }

    // Sorted tiles of the box; those that are shown are the first of their type (CA-H3).
    [[nodiscard]] std::string hands() const {
        const bool order = state_.turn.phase == Phase::kOrder;
        const bool showing = box_.rules.hand_size == kMostHand && box_.has_hidden_hands() && !order;
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            const auto& hand = state_.hands.tiles[seat];
            const unsigned shown = state_.hands.shown[seat];
            const std::size_t most = seat >= players() ? 0 : order ? 1 : index_of(box_.rules.hand_size);
            const std::size_t size = index_of(std::find(hand.begin(), hand.end(), 0) - hand.begin());
            if (size > most) return "hand too large";
            for (std::size_t i = 0; i < hand.size(); ++i) {
                const bool is_shown = (shown >> i & 1) != 0;
                if (i >= size && (hand[i] != 0 || is_shown)) return "tile after the end of a hand";
                if (hand[i] > box_.num_types) return "hand with a tile type that is not in the box";
                if (i == 0 || i >= size) continue;
                if (hand[i] < hand[i - 1]) return "hand out of order";
                if (hand[i] == hand[i - 1] && is_shown && (shown >> (i - 1) & 1) == 0) {
                    return "hand shows a later one of two equal tiles";
                }
            }
            if (shown >= 1U << kMostHand || (shown != 0 && !showing)) return "hand marked shown without reason";
        }
        return "";
    }

  private:
    [[nodiscard]] std::size_t players() const { return index_of(box_.rules.players); }

    [[nodiscard]] std::string tile_in_turn() const {
        const Phase phase = state_.turn.phase;
        if (phase > Phase::kOver) return "phase out of range";
        const bool due =
            phase == Phase::kOffer || phase == Phase::kBid || phase == Phase::kAccept || phase == Phase::kPlace;
        if ((state_.turn.tile != 0) != due || (state_.turn.placed != 0) != (phase == Phase::kMeeple)) {
            return "tile in the wrong phase";
        }
        if (state_.turn.tile > box_.num_types) return "tile type that is not in the box";
        return box_.rules.unplaceable == Unplaceable::kReturn && tiles_gone() > 0 ? "tiles that were not returned" : "";
    }
    // Tiles that have left the game.
    [[nodiscard]] int tiles_gone() const {
        int gone = box_.num_tiles();
        for (std::size_t type = 0; type < box_.num_types; ++type) gone -= copies_in_game(state_, type);
        return gone;
    }

    // CA-H2
    [[nodiscard]] std::string order() const {
        const Turn& turn = state_.turn;
        const unsigned contenders = turn.contenders, all = (1U << players()) - 1U;
        const char* const misplaced = "draws for the start outside their phase";
        if (turn.phase != Phase::kOrder) return turn.round == 0 && contenders == 0 ? "" : misplaced;
        if (box_.rules.first_player != FirstPlayer::kMostRoads) return misplaced;
        if (turn.round < 1 || turn.round > kMostRounds) return "round out of range";
        if ((contenders & ~all) != 0 || std::popcount(contenders) < 2) return "invalid set of contenders";
        if (turn.round == 1 && contenders != all) return "not all players draw in the first round";
        bool waiting = false;
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            const bool drawn = state_.hands.tiles[seat][0] != 0, draws = (contenders >> seat & 1) != 0;
            if (drawn && (!draws || waiting)) return "draws out of order";
            waiting |= draws && !drawn;
        }
        return waiting ? "" : "no player left to draw";
    }

    // Whose turn it is, and whose ordinary turn (CA-H7, CA-H8).
    [[nodiscard]] std::string mover() const {
        const Turn& turn = state_.turn;
        const auto is_player = [this](int seat) { return seat >= 0 && seat < box_.rules.players; };
        if (turn.phase == Phase::kOrder || turn.phase == Phase::kOver) {
            return turn.mover == -1 && turn.ordinary == -1 ? "" : "a turn outside play";
        }
        if (!is_player(turn.mover)) return "mover out of range";
        if (!is_player(turn.ordinary)) return "player of the ordinary turn out of range";
        const bool seat_0 = box_.rules.first_player == FirstPlayer::kSeat0 && tiles_laid(state_) > 0;
        if (seat_0 && has_plain_turns(box_) && turn.mover != turns_finished(box_, state_) % box_.rules.players) {
            return "a turn of the wrong player";
        }
        if (turn.mover == turn.ordinary) return "";
        // A buyer: now, or in an extra turn.
        const bool now = turn.phase == Phase::kMeeple || (turn.phase == Phase::kPlace && is_for_sale(box_, state_));
        return box_.rules.tile_sale && (now || box_.rules.gap_bonus) ? "" : "turns out of order";
    }

    // CA-H3, CA-H4: as long as there is a pile all hands are full, except for what the mover has taken out.
    [[nodiscard]] std::string hand_sizes() const {
        const Phase phase = state_.turn.phase;
        const std::size_t full = index_of(box_.rules.hand_size);
        if (full == 0 || phase == Phase::kOrder) return "";
        bool last_dealt = false;  // phase deal: hands are full up to a seat that has fewer, and empty behind it
        for (std::size_t seat = 0; seat < players(); ++seat) {
            const std::size_t size = hand_of(state_, seat).size();
            if (phase == Phase::kDeal) {
                if (last_dealt ? size > 0 : size > full) return "hands dealt out of order";
                last_dealt |= size < full;
            } else if (phase == Phase::kOver) {
                if (size > 0) return "hand at the end of the game";
            } else {
                const bool choosing = phase == Phase::kChoose || phase == Phase::kDiscard;
                const std::size_t due = seat == index_of(state_.turn.mover) && !choosing ? full - 1 : full;
                if (state_.pile.size() > 0 ? size != due : size > due) return "wrong number of tiles in a hand";
            }
        }
        return phase == Phase::kDeal && !last_dealt ? "all hands dealt" : "";
    }

    [[nodiscard]] std::string sale() const {
        const Turn& turn = state_.turn;
        const int price = state_.sale.price, buyer = state_.sale.buyer;
        const bool bidding = turn.phase == Phase::kBid, accepting = turn.phase == Phase::kAccept;
        if (turn.phase == Phase::kOffer || bidding || accepting) {
            if (!box_.rules.tile_sale || !is_for_sale(box_, state_)) return "tile that is not for sale";
        }
        if (buyer == -1 && price == 0) return accepting ? "no bid to accept" : "";
        if (!bidding && !accepting) return "price without a sale";
        if (buyer < 0 || buyer >= box_.rules.players) return "buyer out of range";
        const auto after_mover = [&](int seat) {
            return (seat - turn.mover + box_.rules.players) % box_.rules.players;
        };
        if (buyer == turn.mover || (bidding && after_mover(buyer) >= after_mover(turn.actor))) {
            return "buyer who has not bid";
        }
        return price > 0 && price <= state_.points[index_of(buyer)] ? "" : "price that the buyer cannot pay";
    }

    // CA-H4: a player who has shown the hand has discarded a tile of it, except a mover who is about to.
    [[nodiscard]] std::string shown() const {
        const Turn& turn = state_.turn;
        const bool hidden = box_.has_hidden_hands();
        int gone = tiles_gone();
        for (std::size_t seat = 0; seat < players(); ++seat) {
            const unsigned shown = state_.hands.shown[seat], all = (1U << hand_of(state_, seat).size()) - 1U;
            const bool moves = turn.mover >= 0 && seat == index_of(turn.mover);
            if (moves && turn.phase == Phase::kDiscard) {
                if (hidden && shown != all) return "hand that is not shown";
                continue;
            }
            const bool discarded = moves && turn.phase == Phase::kRefill && turn.goes_on != 0 &&
                                   !box_.rules.gap_bonus && box_.rules.hand_size == kMostHand && hidden;
            if (discarded && shown != all) return "hand that is not shown";
            if (std::popcount(shown) >= kMostHand || (shown != 0 && --gone < 0)) {
                return "hand marked shown without reason";
            }
        }
        return "";
    }

    // CA-H8: a gap just filled; an extra turn after a refill, or the turn that goes on after a discard.
    [[nodiscard]] std::string goes_on() const {
        const Turn& turn = state_.turn;
        bool possible = turn.goes_on == 0;
        if (turn.phase == Phase::kMeeple) {
            const SlotMap map(state_.land);
            bool gap = box_.rules.gap_bonus;
            for (std::size_t side = 0; side < kSides; ++side) {
                gap = gap && map.slot(neighbour(state_.land.cells[turn.placed], side)) != SlotMap::kNone;
            }
            possible = turn.goes_on == (gap ? 1 : 0);
        } else if (turn.phase == Phase::kRefill && turn.goes_on == 1) {
            possible = box_.rules.gap_bonus || tiles_gone() > 0;
        }
        return possible ? "" : "turn that cannot go on";
    }

    // CA-6: while there is only the start tile, tiles that left the game do not fit it.
    [[nodiscard]] std::string unplaceable() const {
        if (tiles_laid(state_) != 1 || tiles_gone() == 0) return "";
        for (std::size_t type = 0; type < box_.num_types; ++type) {
            if (copies_in_game(state_, type) < box_.tiles.types[type].count && fits_somewhere(box_, state_, type)) {
                return "a tile that left the game though it fits";
            }
        }
        return "";
    }

    // Before the first turn there is at most the start tile.
    [[nodiscard]] std::string start() const {
        const Phase phase = state_.turn.phase;
        const bool before_play = phase == Phase::kOrder || phase == Phase::kDeal;
        if (!before_play && tiles_laid(state_) > 0) return "";
        if (tiles_gone() > 0 || tiles_laid(state_) > (box_.rules.start_tile_in_bag ? 0 : 1))
            return "tiles used before the first turn";
        if (state_.turn.mover > 0 && box_.rules.first_player == FirstPlayer::kSeat0) return "wrong start player";
        if (state_.turn.mover != state_.turn.ordinary) return "turns out of order";
        // CA-H5: the first tile is placed inside the action that draws or chooses it.
        return before_play || phase == Phase::kDraw || phase == Phase::kChoose ? "" : "turn without a start tile";
    }

    // Who is to act, and what there is to do.
    [[nodiscard]] std::string actor() const {
        const Turn& turn = state_.turn;
        if (!has_something_to_do()) return "phase without anything to do";
        if (turn.phase == Phase::kBid) return "";
        const bool chance = turn.phase == Phase::kOrder || turn.phase == Phase::kDeal || turn.phase == Phase::kDraw ||
                            turn.phase == Phase::kRefill;
        const int actor = chance ? kChance : turn.phase == Phase::kOver ? kTerminal : int{turn.mover};
        return turn.actor == actor ? "" : "wrong player to act";
    }
    [[nodiscard]] bool has_something_to_do() const {
        const Turn& turn = state_.turn;
        const int hand_size = box_.rules.hand_size;
        const bool over = hand_size > 0 ? state_.pile.size() == 0 : !can_draw(box_, state_);
        switch (turn.phase) {
            case Phase::kOrder:
                return true;
            case Phase::kDeal:
            case Phase::kRefill:
                return hand_size > 0 && !over;
            case Phase::kDraw:
                return hand_size == 0 && !over;
            case Phase::kChoose:
            case Phase::kDiscard: {
                const auto hand = hand_of(state_, index_of(turn.mover));
                return hand_size == kMostHand && !hand.empty() &&
                       can_play_any(box_, state_, hand) == (turn.phase == Phase::kChoose);
            }
            case Phase::kBid:
                return turn.actor >= 0 && turn.actor < box_.rules.players && turn.actor != turn.mover;
            case Phase::kMeeple:
                return turn.options != 0 && state_.meeples.at_home[index_of(turn.mover)] > 0;
            case Phase::kOver:
                return over;
            default:
                return fits_somewhere(box_, state_, turn.tile - std::size_t{1});
        }
    }

    const Box& box_;
    const State& state_;
};

}  // namespace

int copies_left(const State& state, std::size_t type) {
    std::ptrdiff_t copies = state.pile.copies(type) + (state.turn.tile == type + 1 ? 1 : 0);
    for (const auto& hand : state.hands.tiles) copies += std::ranges::count(hand, type + 1);
    return narrow<int>(copies);
}
int copies_in_game(const State& state, std::size_t type) {
    const auto is_copy = [type](std::size_t code) { return code != 0 && type_of(code) == type; };
    return copies_left(state, type) + narrow<int>(std::ranges::count_if(state.land.codes, is_copy));
}

bool has_plain_turns(const Box& box) {
    return box.rules.hand_size == 0 && !box.rules.tile_sale && !box.rules.gap_bonus;
}
int turns_finished(const Box& box, const State& state) {
    return tiles_laid(state) - (box.rules.start_tile_in_bag ? 0 : 1) - (state.turn.placed == 0 ? 0 : 1);
}

std::string hand_fault(const Box& box, const State& state) { return TurnValidation(box, state).hands(); }
std::string turn_fault(const Box& box, const State& state) { return TurnValidation(box, state).fault(); }

}  // namespace tilery::carcassonne
