// SPDX-License-Identifier: MIT
// Carcassonne in words: tokens, printed positions, information states.
#include <limits>

#include "tilery/core/token.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// CA-R1: a cell that is outside the rectangle of this game is impossible, anything else malformed.
int read_coordinate(TokenReader& reader, std::size_t at, int low, int high) {
    const std::string range = "a number from " + std::to_string(low) + " to " + std::to_string(high);
    if (std::string_view("-0123456789").find(reader.peek()) == std::string_view::npos) reader.fail("expected " + range);
    constexpr int kAny = std::numeric_limits<int>::max();
    const int number = reader.number(-kAny, kAny);
    if (number < low || number > high) reader.fail_at(at, "impossible: not " + range);
    return number;
}

}  // namespace

Value hand_value(const Box& box, const State& state, std::size_t seat, bool seen) {
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    Value::List shown, held;
    for (std::size_t i = 0; i < hand.size(); ++i) {
        held.emplace_back(type_id(box, hand[i]));
        if ((state.hands.shown[seat] >> i & 1) != 0) shown.emplace_back(type_id(box, hand[i]));
    }
    return Value::object({{"size", narrow<int>(hand.size())},
                          {"shown", std::move(shown)},
                          {"held", seen ? Value(std::move(held)) : Value(nullptr)}});
}

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action >= box_.first_placement) {
        const auto [cell, rotation] = box_.placement_of(action);
        return cell_text(cell) + "@" + std::to_string(rotation);
    }
    const auto type = [&](Action first) { return box_.tiles.types[index_of(action - first)].id; };
    if (action >= box_.first_sale) {
        const Action id = action - box_.first_sale;
        for (const SaleWords& sale : kSaleWords) {
            if (id == sale.id) return std::string(sale.token);
        }
        return "price:" + std::to_string(id - kPrice1 + 1);
    }
    if (action >= box_.first_discard) return "discard:" + type(box_.first_discard);
    if (action >= box_.first_choice) return "tile:" + type(box_.first_choice);
    if (action >= box_.first_meeple) return std::string(kSegmentNames[index_of(action - box_.first_meeple)]);
    return "*" + type(0);
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto type = [&](Action first, std::size_t at) {
        for (std::size_t i = 0; i < box_.num_types; ++i) {
            if (token.substr(at) == box_.tiles.types[i].id) return first + narrow<Action>(i);
        }
        reader.fail_at(at, "expected a tile type of this game");
    };
    for (Action i = 0; const std::string_view name : kSegmentNames) {
        if (token == name) return box_.first_meeple + i;
        ++i;
    }
    if (reader.accept("*")) return type(0, 1);
    if (box_.rules.hand_size == kMostHand) {
        if (reader.accept("tile:")) return type(box_.first_choice, 5);
        if (reader.accept("discard:")) return type(box_.first_discard, 8);
    }
    if (box_.rules.tile_sale) {
        for (const SaleWords& sale : kSaleWords) {
            if (token == sale.token) return box_.first_sale + sale.id;
        }
        if (reader.accept("price:")) {
            const Action action = box_.first_sale + kPrice1 + reader.number(1, kMostPoints) - 1;
            reader.end();
            return action;
        }
    }
    const int x = read_coordinate(reader, 0, box_.land.west, box_.land.east);
    reader.expect(",");
    const int y = read_coordinate(reader, token.find(',') + 1, box_.land.south, box_.land.north);
    reader.expect("@");
    const int rotation = reader.number(0, int{kRotations} - 1);
    reader.end();
    return box_.placement(cell_at(x, y), rotation);
}

namespace {

// The hands as a player may know them, one for each seat.
Value hands_value(const Box& box, const State& state, Player player) {
    Value::List hands;
    if (box.rules.hand_size == 0) return hands;
    for (std::size_t seat = 0; seat < index_of(box.rules.players); ++seat) {
        hands.push_back(hand_value(box, state, seat, sees_hand(box, player, seat)));
    }
    return hands;
}

// CA-H2
Value order_value(const Box& box, const State& state) {
    if (state.turn.phase != Phase::kOrder) return nullptr;
    Value::List contenders, drawn;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if ((state.turn.contenders >> seat & 1) == 0) continue;
        contenders.emplace_back(narrow<int>(seat));
        const std::uint8_t tile = state.hands.tiles[seat][0];
        if (tile != 0) drawn.emplace_back(type_id(box, tile));
    }
    return Value::object(
        {{"round", int{state.turn.round}}, {"contenders", std::move(contenders)}, {"drawn", std::move(drawn)}});
}

// The information state but for its first key.
Value::Object known(const Box& box, const State& state, Player player, const std::vector<int>& unseen) {
    const std::size_t players = index_of(box.rules.players);
    const Turn& turn = state.turn;
    const Cell placed = state.land.cells[turn.placed];
    Value::List land, meeples;
    for (const LaidTile& laid : laid_tiles(state)) {
        const int x = x_of(laid.cell), y = y_of(laid.cell);
        land.push_back(Value::list({x, y, box.type(laid.code).id, narrow<int>(rotation_of(laid.code))}));
        if (laid.seat >= 0) meeples.push_back(Value::list({x, y, kSegmentNames[laid.segment], int{laid.seat}}));
    }
    return {
        {"phase", phase_name(state)},
        {"actor", int{turn.actor}},
        {"turn", int{turn.mover}},
        {"ordinary", int{turn.ordinary}},
        {"again", turn.goes_on != 0},
        {"scores", Value::list_of(std::span(state.points).first(players))},
        {"supply", Value::list_of(std::span(state.meeples.at_home).first(players))},
        {"land", std::move(land)},
        {"meeples", std::move(meeples)},
        {"tile", turn.tile == 0 ? Value(nullptr) : Value(type_id(box, turn.tile))},
        {"cell", turn.placed == 0 ? Value(nullptr) : Value::list({x_of(placed), y_of(placed)})},
        {"price", int{state.sale.price}},
        {"buyer", int{state.sale.buyer}},
        {"unseen", Value::list_of(unseen)},
        {"pile", state.pile.size()},
        {"hands", hands_value(box, state, player)},
        {"order", order_value(box, state)},
    };
}

}  // namespace

Value Game::information_state(const State& state, Player player) const {
    Value::Object object = known(box_, state, player, unseen_counts(state, player));
    object.insert(object.begin(), {"player", player});
    return object;
}

// A spectator has no hand.
Value Game::public_state(const State& state) const {
    constexpr Player kSpectator = -1;
    return known(box_, state, kSpectator, unseen_counts(state, kSpectator));
}

// CA-H3: a tile drawn for a hidden hand is seen by others only if it is used at once, as with hands of one
// it may be inside the same action.
Action Game::action_seen_by(const State& state, Player player, Action action) const {
    const Phase phase = state.turn.phase;
    if (!box_.has_hidden_hands() || (phase != Phase::kDeal && phase != Phase::kRefill)) return action;
    int seat = state.turn.mover;
    if (phase == Phase::kDeal) {
        seat = 0;
        while (narrow<int>(hand_of(state, index_of(seat)).size()) == box_.rules.hand_size) ++seat;
    }
    if (seat == player) return action;
    if (box_.rules.hand_size == 1) {
        State next = state;
        apply_action(next, action);
        if (hand_of(next, index_of(seat)).empty()) return action;
    }
    return kUnseen;
}

}  // namespace tilery::carcassonne
