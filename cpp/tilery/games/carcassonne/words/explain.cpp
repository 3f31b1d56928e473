// SPDX-License-Identifier: MIT
// Actions in words, and why one is not legal.
#include <algorithm>

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

std::string describe_sale(Action id) {
    for (const SaleWords& sale : kSaleWords) {
        if (id == sale.id) return std::string(sale.words);
    }
    return "offer " + std::to_string(id - kPrice1 + 1) + (id == kPrice1 ? " point" : " points");
}

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

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    const auto [block, id] = parse(box_, action);
    switch (block) {
        case Block::kPlacement: {
            const auto [cell, rotation] = box_.placement_of(action);
            return "place the tile at " + cell_text(cell) + ", " + std::string(kTurns[index_of(rotation)]);
        }
        case Block::kSale:
            return describe_sale(id);
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

}  // namespace tilery::carcassonne
