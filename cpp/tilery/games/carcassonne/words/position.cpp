// SPDX-License-Identifier: MIT
// Positions as values with readable keys, and back.
#include <algorithm>
#include <vector>

#include "tilery/core/value_reader.hpp"
#include "tilery/games/carcassonne/derive.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/validation.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// Reads what position() writes. What follows from it is derived, what is impossible is found by fault().
class PositionReader {
  public:
    PositionReader(const Box& box, const Value& position) : box_(box), position_(position, "position") {}

    State read() {
        state_.turn.phase =
            Phase{narrow<std::uint8_t>(position_.at("phase").place_in(kPhaseNames, "a phase of this game"))};
        state_.turn.actor = narrow<std::int8_t>(position_.at("actor").integer(kTerminal, last_seat()));
        state_.turn.mover = narrow<std::int8_t>(position_.at("turn").integer(-1, last_seat()));
        state_.turn.ordinary = narrow<std::int8_t>(position_.at("ordinary").integer(-1, last_seat()));
        state_.turn.goes_on = position_.at("again").boolean() ? 1 : 0;
        position_.at("scores").integers(state_.points, players(), 0, kMostPoints);
        read_land();
        read_meeples();
        if (const ValueReader tile = position_.at("tile"); !tile.is_null()) state_.turn.tile = type(tile);
        if (const ValueReader cell = position_.at("cell"); !cell.is_null())
            state_.turn.placed = slot_of(cell, cell.items(2));
        state_.sale.price = narrow<std::uint16_t>(position_.at("price").integer(0, kMostPoints));
        state_.sale.buyer = narrow<std::int8_t>(position_.at("buyer").integer(-1, last_seat()));
        read_pile();
        read_hands();
        if (const ValueReader order = position_.at("order"); !order.is_null()) read_order(order);
        if (const std::string fault = laid_fault(box_, state_); !fault.empty())
            throw StateDataError("position: " + fault);
        derive(box_, state_);
        return state_;
    }

  private:
    [[nodiscard]] std::size_t players() const { return index_of(box_.rules.players); }
    [[nodiscard]] int last_seat() const { return box_.rules.players - 1; }

    // A type, from 1.
    [[nodiscard]] std::uint8_t type(const ValueReader& reader) const {
        for (std::size_t i = 0; i < box_.num_types; ++i) {
            if (box_.tiles.types[i].id == reader.text()) return narrow<std::uint8_t>(i + 1);
        }
        reader.refuse("a tile type of this game");
    }
    // The cell that a list begins with.
    [[nodiscard]] static Cell cell(const std::vector<ValueReader>& items) {
        const int x = items[0].integer(-kReach, kReach), y = items[1].integer(-kReach, kReach);
        return cell_at(x, y);
    }
    // Of the tile on that cell.
    [[nodiscard]] std::uint8_t slot_of(const ValueReader& reader, const std::vector<ValueReader>& items) const {
        const std::size_t slot = SlotMap(state_.land).slot(cell(items));
        if (slot == SlotMap::kNone) reader.refuse("the cell of a tile");
        return narrow<std::uint8_t>(slot);
    }

    // [x, y, type, rotation] of each tile.
    void read_land() {
        Land& land = state_.land;
        land.size = 1;
        land.cells.fill(kNoCell);
        const ValueReader tiles = position_.at("land");
        tiles.items(tiles.size(index_of(kTiles)), [&](std::size_t, const ValueReader& tile) {
            const std::size_t slot = land.size;
            const std::vector<ValueReader> parts = tile.items(4);
            land.cells[slot] = cell(parts);
            const std::size_t type = this->type(parts[2]) - std::size_t{1};
            land.codes[slot] = narrow<Code>(code_of(type, index_of(parts[3].integer(0, int{kRotations} - 1))));
            const std::size_t next = slot + box_.table(land.codes[slot]).slots;
            if (next > kTileSlots) tiles.refuse("tiles that are in the box");
            land.size = narrow<std::uint8_t>(next);
        });
    }

    // [x, y, segment, seat] of each meeple.
    void read_meeples() {
        Meeples& meeples = state_.meeples;
        std::fill_n(meeples.at_home.begin(), players(), std::uint8_t{kMeeples});
        const ValueReader list = position_.at("meeples");
        list.items(list.size(kMeeples * players()), [&](std::size_t, const ValueReader& item) {
            const std::vector<ValueReader> parts = item.items(4);
            const std::uint8_t slot = slot_of(item, parts);
            const std::size_t segment = segment_of(parts[2]), seat = index_of(parts[3].integer(0, last_seat()));
            if (meeples.at_home[seat] == 0) item.refuse("one of at most 7 meeples of a player");
            const std::size_t meeple = kMeepleNumbers * seat + kMeeples - meeples.at_home[seat]--;
            meeples.slots[meeple] = slot;
            meeples.segments[meeple] = narrow<std::uint8_t>(segment);
        });
    }
    [[nodiscard]] static std::size_t segment_of(const ValueReader& reader) {
        for (std::size_t id = 1; id < kMeepleIds; ++id) {
            if (kSegmentNames[id] == reader.text()) return id;
        }
        reader.refuse("the name of a segment");
    }

    // The copies of each type.
    void read_pile() {
        const ValueReader pile = position_.at("pile");
        state_.pile = Pile::of(box_.num_types, [&](std::size_t i) {
            return pile.at(box_.tiles.types[i].id).integer(0, box_.tiles.types[i].count);
        });
    }

    // {"held": types, "shown": types} of each seat.
    void read_hands() {
        const ValueReader hands = position_.at("hands");
        hands.items(box_.rules.hand_size > 0 ? players() : 0, [this](std::size_t seat, const ValueReader& hand) {
            auto& tiles = state_.hands.tiles[seat];
            const ValueReader held = hand.at("held"), shown = hand.at("shown");
            const std::size_t size = held.size(index_of(box_.rules.hand_size));
            held.items(size, [&](std::size_t i, const ValueReader& item) { tiles[i] = type(item); });
            std::sort(tiles.data(), tiles.data() + size);
            unsigned bits = 0;
            shown.items(shown.size(size), [&](std::size_t, const ValueReader& item) {
                std::size_t i = 0;
                while (i < size && (tiles[i] != type(item) || (bits >> i & 1) != 0)) ++i;
                if (i == size) item.refuse("a tile of the hand");
                bits |= 1U << i;
            });
            state_.hands.shown[seat] = narrow<std::uint8_t>(bits);
        });
    }

    // CA-H2
    void read_order(const ValueReader& order) {
        state_.turn.round = narrow<std::uint8_t>(order.at("round").integer(1, kMostRounds));
        const ValueReader contenders = order.at("contenders"), drawn = order.at("drawn");
        const std::size_t count = contenders.size(players());
        std::array<std::size_t, kMaxPlayers> seats{};
        unsigned bits = 0;
        contenders.items(count, [&](std::size_t i, const ValueReader& item) {
            seats[i] = index_of(item.integer(0, last_seat()));
            bits |= 1U << seats[i];
        });
        state_.turn.contenders = narrow<std::uint8_t>(bits);
        drawn.items(drawn.size(count),
                    [&](std::size_t i, const ValueReader& item) { state_.hands.tiles[seats[i]][0] = type(item); });
    }

    const Box& box_;
    ValueReader position_;
    State state_{};
};

Value whole_pile(const Box& box, const State& state) {
    Value::Object pile;
    for (std::size_t type = 0; type < box.num_types; ++type) {
        pile.emplace_back(box.tiles.types[type].id, state.pile.copies(type));
    }
    return pile;
}

Value all_hands(const Box& box, const State& state) {
    Value::List hands;
    for (int seat = 0; box.rules.hand_size > 0 && seat < box.rules.players; ++seat) {
        const Value hand = hand_value(box, state, index_of(seat), true);
        hands.push_back(Value::object({{"held", hand["held"]}, {"shown", hand["shown"]}}));
    }
    return hands;
}

}  // namespace

// As the information state, without what only depends on it, and with the whole pile and all hands.
Value Game::position(const State& state) const {
    Value::Object position;
    const Value known = public_state(state);
    for (const auto& [key, value] : known.members()) {
        if (key == "supply" || key == "unseen") continue;
        position.emplace_back(key, key == "pile"    ? whole_pile(box_, state)
                                   : key == "hands" ? all_hands(box_, state)
                                                    : value);
    }
    return position;
}

State Game::state_of(const Value& position) const { return PositionReader(box_, position).read(); }

}  // namespace tilery::carcassonne
