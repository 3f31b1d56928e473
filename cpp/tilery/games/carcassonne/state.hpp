// SPDX-License-Identifier: MIT
// A position of Carcassonne as a plain value.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"
#include "tilery/games/carcassonne/frontier.hpp"
#include "tilery/games/carcassonne/tiles.hpp"

namespace tilery::carcassonne {

inline constexpr int kMeeples = 7;         // of each player (CA-8)
inline constexpr int kMostPoints = 480;    // no player can exceed them
inline constexpr int kMostHand = 3;        // CA-H4
inline constexpr int kMonasteryTiles = 9;  // itself and all around it (CA-14)
inline constexpr int kMostRounds = 10;     // of drawing for the start (CA-H2)

// In the order of the observation.
enum class Phase : std::uint8_t {
    kOrder,
    kDeal,
    kDraw,
    kChoose,
    kDiscard,
    kOffer,
    kBid,
    kAccept,
    kPlace,
    kMeeple,
    kRefill,
    kOver
};
inline constexpr std::size_t kPhases = 12;

// A label names a feature by a number: roads and cities share one series, fields have another. The
// highest bit says that there is a meeple in the feature; on complete features it means nothing.
using Label = std::uint8_t;
inline constexpr std::size_t kLabels = 128;
inline constexpr Label kOccupied = 0x80;
inline constexpr Label kMonk = 0xFF;  // instead of a label: the meeple is in a monastery
[[nodiscard]] constexpr Label bare(std::integral auto label) { return label & 0x7F; }

using SlotSet = CellSet<128>;
using LabelSet = CellSet<kLabels>;

// The tiles in the order of placing. A tile takes a slot, which holds the labels of four of its
// segments, and the next slot too if it has more of them (tiles.hpp). Slot 0 is not a tile.
struct Land {
    SlotSet shields;                     // the slots of tiles with a shield
    std::array<Cell, kTileSlots> cells;  // of each tile, or kNoCell
    std::array<std::array<Label, kSlotPlaces>, kTileSlots> labels;
    std::array<Code, kTileSlots> codes;  // of each tile, or 0
    std::uint8_t size;                   // slots in use, slot 0 included
    std::array<std::uint8_t, 7> padding;

    [[nodiscard]] Label& label_at(std::size_t slot, std::size_t place) {
        return labels[slot + place / kSlotPlaces][place % kSlotPlaces];
    }
    [[nodiscard]] Label label_at(std::size_t slot, std::size_t place) const {
        return labels[slot + place / kSlotPlaces][place % kSlotPlaces];
    }
    // Whether a tile, not its second half, is in a slot.
    [[nodiscard]] bool has_tile(std::size_t slot) const { return codes[slot] != 0; }
    // Calls f(slot, code) for each tile.
    void for_each_tile(auto&& f) const {
        for (std::size_t slot = 1; slot < size; ++slot) {
            if (has_tile(slot)) f(slot, std::size_t{codes[slot]});
        }
    }

    bool operator==(const Land&) const = default;
};

struct Features {
    LabelSet walled;                              // complete cities
    std::array<Label, kPlaces> next_label;        // for each place of two slots
    std::array<std::uint8_t, kLabels> open_ends;  // of each road and city; of 0 always 1

    bool operator==(const Features&) const = default;
};

// A meeple's number is 8 * seat + 0..6; the eighth number of a seat is never used. Labels are
// compared sixteen at a time.
inline constexpr std::size_t kMeepleNumbers = 8;
inline constexpr std::size_t kAllMeeples = kMeepleNumbers * kMaxPlayers;

struct Meeples {
    std::array<Label, 48> labels;                    // of its feature, for farmers without the highest bit; 0 at home
    std::array<std::uint8_t, kAllMeeples> slots;     // of its tile
    std::array<std::uint8_t, kAllMeeples> segments;  // meeple ids, counted from `-`
    PerPlayer<std::uint8_t> at_home;

    bool operator==(const Meeples&) const = default;
};

// The tiles left of each type and all types before it.
struct Pile {
    std::array<std::uint8_t, kPileBytes> up_to;

    // Of as many copies of each type as copies(type) says.
    [[nodiscard]] static Pile of(std::size_t num_types, auto&& copies) {
        Pile pile;
        int count = 0;
        for (std::size_t type = 0; type < kPileBytes; ++type) {
            if (type < num_types) count += copies(type);
            pile.up_to[type] = narrow<std::uint8_t>(count);
        }
        return pile;
    }
    [[nodiscard]] int size() const { return up_to.back(); }
    [[nodiscard]] int copies(std::size_t type) const { return up_to[type] - (type > 0 ? up_to[type - 1] : 0); }

    bool operator==(const Pile&) const = default;
};

// CA-H3, CA-H4; in phase order the tiles drawn for the start, one a seat.
struct Hands {
    PerPlayer<std::array<std::uint8_t, kMostHand>> tiles;  // types from 1, ascending, then 0
    PerPlayer<std::uint8_t> shown;  // bit i: the i-th tile of the hand is public; the first of equal ones

    bool operator==(const Hands&) const = default;
};

struct Turn {
    std::uint16_t options;  // phase meeple: the ids allowed, counted from `-`
    Phase phase;
    std::int8_t actor;     // current_player()
    std::int8_t mover;     // after a sale the buyer; -1 before and after play
    std::int8_t ordinary;  // who has, or last had, an ordinary turn (CA-H8)
    std::uint8_t goes_on;  // phase meeple: the tile filled a gap (CA-H8); phase refill: the mover has a turn after it
    std::uint8_t tile;     // the type to be placed, from 1; or 0
    std::uint8_t placed;   // phase meeple: the slot of the tile just placed
    std::uint8_t round;    // phase order: from 1
    std::uint8_t contenders;  // phase order: bit of each seat that draws
    std::uint8_t padding;

    bool operator==(const Turn&) const = default;
};

// Phases bid and accept (CA-H7).
struct Sale {
    std::uint16_t price;  // the highest named
    std::int8_t buyer;    // who named it, or -1
    std::uint8_t padding;

    bool operator==(const Sale&) const = default;
};

// Slots, labels and numbers of meeples depend on the order of events; Game::canonical() renumbers them.
struct State {
    Land land;
    Features features;
    Frontier frontier;
    Turn turn;
    Sale sale;
    PerPlayer<std::uint16_t> points;
    Meeples meeples;
    Hands hands;
    Pile pile;
    std::array<std::uint8_t, 3> padding;

    bool operator==(const State&) const = default;
};
static_assert(sizeof(State) <= 2048 && alignof(State) <= 8 && std::has_unique_object_representations_v<State>);

// Actions are blocks of ids: chance, meeple, choose, discard, sale, placement. The ids below count
// from the beginning of their block.
enum SaleId : Action {
    kOffer = 0,
    kKeep = 1,
    kPrice1 = 2,
    kPass = kPrice1 + kMostPoints,
    kAcceptSale,
    kDecline,
    kSaleIds
};

}  // namespace tilery::carcassonne
