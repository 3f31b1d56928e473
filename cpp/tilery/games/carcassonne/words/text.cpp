// SPDX-License-Identifier: MIT
// Carcassonne in words: tokens, what actions do, why one is not legal, information states.
#include <algorithm>
#include <limits>

#include "tilery/core/token.hpp"
#include "tilery/games/carcassonne/derive.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

enum class Block { kChance, kMeeple, kChoose, kDiscard, kSale, kPlacement };

constexpr std::array<std::string_view, kSides> kSideNames{"northern", "eastern", "southern", "western"};  // clockwise
constexpr std::array<std::string_view, 4> kEdgeNames{"nothing", "a city", "a road", "a field"};

std::string_view segment_kind(std::size_t id) {
    return id < kFirstRoadId ? "city" : id < kFirstFieldId ? "road" : id < kMonkId ? "field" : "monastery";
}

// "the second field": the segments of one kind are numbered from the first.
std::string segment_text(std::size_t id) {
    constexpr std::array<std::string_view, 4> kPlaces{"first", "second", "third", "fourth"};
    const std::string_view kind = segment_kind(id);
    if (id >= kMonkId) return "the " + std::string(kind);
    return "the " + std::string(kPlaces[index_of(kSegmentNames[id][1] - '0')]) + " " + std::string(kind);
}

constexpr std::array<std::string_view, kRotations> kTurns{"unturned", "turned clockwise by a quarter",
                                                          "turned by a half", "turned counterclockwise by a quarter"};

// An id as its block and its number there.
struct Parsed {
    Block block;
    Action id;
};
Parsed parse(const Box& box, Action action) {
    if (action >= box.first_placement) return {Block::kPlacement, action - box.first_placement};
    if (action >= box.first_sale) return {Block::kSale, action - box.first_sale};
    if (action >= box.first_discard) return {Block::kDiscard, action - box.first_discard};
    if (action >= box.first_choice) return {Block::kChoose, action - box.first_choice};
    if (action >= box.first_meeple) return {Block::kMeeple, action - box.first_meeple};
    return {Block::kChance, action};
}

// Actions of a sale that name no price, as tokens and in words.
struct SaleWords {
    SaleId id;
    std::string_view token, words;
};
constexpr std::array<SaleWords, 5> kSaleWords{{{kOffer, "offer", "offer the tile for sale"},
                                               {kKeep, "keep", "keep the tile"},
                                               {kPass, "pass", "pass"},
                                               {kAcceptSale, "accept", "accept the highest price"},
                                               {kDecline, "decline", "decline the highest price"}}};

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

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    const auto [block, id] = parse(box_, action);
    switch (block) {
        case Block::kPlacement: {
            const auto [cell, rotation] = box_.placement_of(action);
            return cell_text(cell) + "@" + std::to_string(rotation);
        }
        case Block::kSale: {
            const auto sale = std::ranges::find(kSaleWords, id, &SaleWords::id);
            return sale != kSaleWords.end() ? std::string(sale->token) : "price:" + std::to_string(id - kPrice1 + 1);
        }
        case Block::kMeeple:
            return std::string(kSegmentNames[index_of(id)]);
        default: {
            const std::string& type = box_.tiles.types[index_of(id)].id;
            return (block == Block::kChance ? "*" : block == Block::kChoose ? "tile:" : "discard:") + type;
        }
    }
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

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    const auto [block, id] = parse(box_, action);
    switch (block) {
        case Block::kPlacement: {
            const auto [cell, rotation] = box_.placement_of(action);
            return "place the tile at " + cell_text(cell) + ", " + std::string(kTurns[index_of(rotation)]);
        }
        case Block::kSale: {
            const auto sale = std::ranges::find(kSaleWords, id, &SaleWords::id);
            if (sale != kSaleWords.end()) return std::string(sale->words);
            return "offer " + std::to_string(id - kPrice1 + 1) + (id == kPrice1 ? " point" : " points");
        }
        case Block::kMeeple:
            if (id == 0) return "place no meeple";
            return "place a meeple on " + segment_text(index_of(id));
        default: {
            const std::string tile = "the tile " + box_.tiles.types[index_of(id)].id;
            if (block == Block::kChoose) return "choose " + tile + " from the hand";
            return (block == Block::kDiscard ? "discard " : "draw ") + tile;
        }
    }
}

std::vector<std::string> Game::picks(Action action) const {
    check_action_id(action, num_distinct_actions());
    const auto [block, id] = parse(box_, action);
    switch (block) {
        case Block::kPlacement: {
            const auto [cell, rotation] = box_.placement_of(action);
            return {"cell:" + cell_text(cell), "turn:" + std::to_string(rotation)};
        }
        case Block::kMeeple:
            return {id == 0 ? "none" : "segment:" + std::string(kSegmentNames[index_of(id)])};
        case Block::kSale:
            return {action_to_string(action)};
        default:
            return {(block == Block::kChance ? "draw:" : "hand:") + box_.tiles.types[index_of(id)].id};
    }
}

std::string Game::describe_pick(std::string_view pick) const {
    if (pick == "none") return "place no meeple";
    for (std::size_t turn = 0; turn < kTurns.size(); ++turn) {
        if (pick == "turn:" + std::to_string(turn)) return std::string(kTurns[turn]);
    }
    for (std::size_t id = 1; id < kSegmentNames.size(); ++id) {
        if (pick == "segment:" + std::string(kSegmentNames[id])) return segment_text(id);
    }
    return pick.starts_with("hand:") ? "the tile " + std::string(pick.substr(5)) : "";
}

namespace {

// Why an id of the game is not legal at a decision.
class Explanation {
  public:
    Explanation(const Game& game, const State& state, Action action)
        : box_(game.box()), state_(state), action_(action), parsed_(parse(box_, action)) {}

    [[nodiscard]] std::string text() const {
        switch (state_.turn.phase) {
            case Phase::kPlace:
                return parsed_.block == Block::kPlacement ? placement() : due("CA-7", "place the tile " + tile());
            case Phase::kMeeple:
                return parsed_.block == Block::kMeeple
                           ? meeple()
                           : due("CA-8", "place a meeple on the tile at " + placed() + " or go on without one ('-')");
            case Phase::kChoose:
                if (parsed_.block == Block::kDiscard) return "CA-H4: no tile is discarded while one of the hand fits";
                return parsed_.block == Block::kChoose ? hand_tile() : due("CA-H4", "choose a tile of the hand");
            case Phase::kDiscard:
                if (parsed_.block == Block::kChoose) return "CA-H4: no tile of the hand fits, so one is discarded";
                return parsed_.block == Block::kDiscard ? hand_tile() : due("CA-H4", "discard a tile of the hand");
            case Phase::kOffer:
                return due("CA-H7", "offer the tile " + tile() + " for sale or keep it");
            case Phase::kBid:
                return parsed_.block == Block::kSale && parsed_.id >= kPrice1 && parsed_.id < kPass
                           ? price()
                           : due("CA-H7", "name a price or pass");
            default:
                return due("CA-H7", "accept or decline the price of " + std::to_string(state_.sale.price));
        }
    }

  private:
    [[nodiscard]] std::string player() const { return "player " + std::to_string(state_.turn.actor); }
    [[nodiscard]] const std::string& type_name(std::size_t type) const { return box_.tiles.types[type].id; }
    [[nodiscard]] std::size_t type() const { return state_.turn.tile - std::size_t{1}; }
    [[nodiscard]] const std::string& tile() const { return type_name(type()); }
    [[nodiscard]] std::string placed() const { return cell_text(state_.land.cells[state_.turn.placed]); }
    // An action of another phase.
    [[nodiscard]] std::string due(std::string_view rule, const std::string& what) const {
        return std::string(rule) + ": " + player() + " is to " + what;
    }

    // CA-3, CA-4
    [[nodiscard]] std::string placement() const {
        const auto [cell, rotation] = box_.placement_of(action_);
        const std::size_t at = state_.frontier.find(cell);
        if (at == state_.frontier.size) {
            return SlotMap(state_.land).slot(cell) != SlotMap::kNone
                       ? "CA-4: there is a tile at " + cell_text(cell) + " already"
                       : "CA-4: the cell " + cell_text(cell) + " does not share an edge with the land";
        }
        const TileType& tile_type = box_.tiles.types[type()];
        if ((tile_type.rotations >> rotation & 1) == 0) {
            return "CA-3: the tile " + tile() + " looks the same in a lower rotation than " + std::to_string(rotation);
        }
        const Edges edges = box_.tiles.edges[code_of(type(), index_of(rotation))];
        for (std::size_t c = 0; c < kSides; ++c) {
            const Edge wanted = edge_on(state_.frontier.edges[at], kClockwise[c]),
                       shown = edge_on(edges, kClockwise[c]);
            if (wanted == kNoEdge || wanted == shown) continue;
            return "CA-4: on its " + std::string(kSideNames[c]) + " edge the tile " + tile() + " would have " +
                   std::string(kEdgeNames[shown]) + " where the neighbour has " + std::string(kEdgeNames[wanted]);
        }
        return "";
    }

    // CA-8, CA-17
    [[nodiscard]] std::string meeple() const {
        const std::size_t id = index_of(parsed_.id), slot = state_.turn.placed;
        const TileType& tile_type = box_.type(state_.land.codes[slot]);
        const std::string name(kSegmentNames[id]);
        const auto is = [](std::size_t wanted) { return [wanted](const Segment& s) { return s.id == wanted; }; };
        const auto segment = std::ranges::find_if(tile_type.segments, is(id));
        if (segment == tile_type.segments.end()) {
            return "CA-8: the tile " + tile_type.id + " at " + placed() + " has no segment " + name;
        }
        if (segment->kind == 'f' && !box_.rules.farmers) return "CA-17: no meeple is placed on a field in this game";
        const Label label = state_.land.label_at(slot, segment->place);
        for (const Segment& earlier : tile_type.segments) {
            if (earlier.kind != segment->kind || earlier.index >= segment->index) continue;
            if (bare(state_.land.label_at(slot, earlier.place)) == bare(label)) {
                return "CA-8: " + name + " belongs to the same " + std::string(segment_kind(id)) + " as " +
                       std::string(kSegmentNames[earlier.id]) + ", which stands for it";
            }
        }
        return "CA-8: there is a meeple in the " + std::string(segment_kind(id)) + " of " + name + " already";
    }

    // CA-H4
    [[nodiscard]] std::string hand_tile() const {
        const std::size_t wanted = index_of(parsed_.id);
        const auto hand = hand_of(state_, index_of(state_.turn.actor));
        if (std::ranges::find(hand, wanted + 1) == hand.end()) {
            return "CA-H4: " + player() + " does not hold the tile " + type_name(wanted);
        }
        return "CA-H4: the tile " + type_name(wanted) + " fits nowhere";
    }

    // CA-H7
    [[nodiscard]] std::string price() const {
        const int price = parsed_.id - kPrice1 + 1, points = state_.points[index_of(state_.turn.actor)];
        if (price <= state_.sale.price) {
            return "CA-H7: the price must be higher than " + std::to_string(state_.sale.price);
        }
        return "CA-H7: " + player() + " has " + std::to_string(points) + " points and cannot pay " +
               std::to_string(price);
    }

    const Box& box_;
    const State& state_;
    Action action_;
    Parsed parsed_;
};

}  // namespace

std::string Game::why_illegal(const State& state, Action action) const {
    return Explanation(*this, state, action).text();
}

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
