// SPDX-License-Identifier: MIT
// The tiles of Carcassonne, and lookup tables made from them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery::carcassonne {

// Conversions that are known to keep the value.
template <class To, class From>
[[nodiscard]] constexpr To narrow(From value) {
    return static_cast<To>(value);
}
[[nodiscard]] constexpr std::size_t index_of(auto value) { return static_cast<std::size_t>(value); }

inline constexpr std::size_t kTypes = 36;
inline constexpr std::size_t kBaseTypes = 24;
inline constexpr int kTiles = 84;
inline constexpr int kBaseTiles = 72;
inline constexpr std::size_t kPileBytes = 48;  // kTypes rounded up: bytes are read in blocks of sixteen
inline constexpr std::size_t kStartType = 3;   // D (CA-1)
inline constexpr std::size_t kRotations = 4;

// In the order in which cells sort, so that opposite sides add up to 3.
enum Side : std::size_t { kWest, kSouth, kNorth, kEast, kSides };
[[nodiscard]] constexpr std::size_t opposite(std::size_t side) { return 3 - side; }
[[nodiscard]] constexpr std::uint8_t side_bit(std::size_t side) { return narrow<std::uint8_t>(1U << side); }
inline constexpr std::array<Side, kSides> kClockwise{kNorth, kEast, kSouth, kWest};

// The terrain on an edge; 0 is nothing at all.
enum Edge : std::uint8_t { kNoEdge, kCity, kRoad, kField };

// The edges on four sides in one byte: bits 2 s and 2 s + 1 for side s.
using Edges = std::uint8_t;
[[nodiscard]] constexpr Edge edge_on(Edges edges, std::size_t side) { return static_cast<Edge>(edges >> 2 * side & 3); }
[[nodiscard]] constexpr Edges edge_bits(unsigned edge, std::size_t side) { return narrow<Edges>(edge << 2 * side); }
[[nodiscard]] constexpr Edges both_bits(std::size_t side) { return edge_bits(3, side); }
[[nodiscard]] constexpr Edges only(Edges edges, std::size_t side) { return narrow<Edges>(edges & both_bits(side)); }

// The ids of meeples on segments (CA-8, CA-22), counted from `-`.
inline constexpr std::size_t kMeepleIds = 12;
inline constexpr std::array<std::string_view, kMeepleIds> kSegmentNames{"-",  "c0", "c1", "r0", "r1", "r2",
                                                                        "r3", "f0", "f1", "f2", "f3", "m"};
inline constexpr std::size_t kFirstCityId = 1, kFirstRoadId = 3, kFirstFieldId = 7, kMonkId = 11;

// A segment of a tile type, as printed (rotation 0).
struct Segment {
    char kind = 0;                  // 'c', 'r', 'f' or 'm'
    int index = 0;                  // in the data file
    std::uint8_t sides = 0;         // bit of each side on whose edge it lies; none for fields
    std::uint8_t halves = 0;        // bits NL NR EL ER SL SR WL WR: the half edges it has
    std::size_t id = 0;             // the id of a meeple on it
    std::size_t place = 0;          // where its label is kept, see TypeTables; the monastery has none
    std::vector<int> borders = {};  // of a field: the indices of the cities on it
};

// The labels of a tile's segments have places in one or two tile slots of four places each:
//
//     slot    main main field field    next slot    main main field field
//     place     0    1     2     3                    4    5     6     7
//
// A main segment is a city or a road. A field borders the city two places before it, if that is
// a city, and no other city: a segment may have two places so that this is true.
inline constexpr std::size_t kTileSlots = 104;
inline constexpr std::size_t kSlotPlaces = 4;
inline constexpr std::size_t kPlaces = 2 * kSlotPlaces;
[[nodiscard]] constexpr bool is_field_place(std::size_t place) { return (place & 2) != 0; }

// A port is where a segment meets an edge: of each side the middle (city or road), and its left
// and right half (field) as seen from the tile's middle: bytes 4 side + 0, 1, 2 of sixteen.
using Shuffle = std::array<std::uint8_t, 16>;  // indices of bytes; kNothing gives a zero
inline constexpr std::uint8_t kNothing = 0x80;

struct TileType {
    std::string id;
    int count = 0;
    Edges edges = 0;
    bool monastery = false;
    bool shield = false;
    std::uint8_t rotations = 0;  // bit of each rotation that may be played (CA-3)
    int printed_roads = 0;       // road segments, whatever CA-H6 makes of them
    std::vector<Segment> segments;
    std::array<std::uint8_t, kMeepleIds> segment_of{};  // the index of each meeple id that the type has
};

// The data that placing a tile of this type needs.
struct TypeTables {
    Shuffle fits_low, fits_high;   // by edges of two sides: bit 7 - r if rotation r agrees with them
    std::array<Shuffle, 3> along;  // the port of the same segment 1, 2, 4 steps on, cyclically
    Shuffle ports;                 // of each place the first of its segment's ports; copies have none
    Shuffle copies;                // of each place the place of the same segment that comes first
    Shuffle by_id;                 // of each meeple id its place
    std::uint64_t present;         // bytes 0xFF: first places of segments
    std::uint16_t ids;             // bits of the meeple ids that the type has, without `-` and `m`
    std::uint8_t slots;            // one or two
    std::uint8_t shield;
    std::uint8_t monastery;
    std::uint8_t new_mains, new_fields;  // upper bounds of the labels it needs when it joins the land
};

// Half edges turned clockwise by a number of quarter turns.
[[nodiscard]] inline std::uint8_t turned_halves(std::uint8_t halves, std::size_t rotation) {
    return std::rotl(halves, narrow<int>(2 * rotation));
}

// The rotations in which a type agrees with the edges around a cell: bit 7 - r for rotation r (CA-4).
[[nodiscard]] inline std::uint8_t fitting(const TypeTables& table, Edges edges) {
    return table.fits_low[edges & 15U] & table.fits_high[edges >> 4U];
}

[[nodiscard]] inline bool fits(const TypeTables& table, Edges edges, std::size_t rotation) {
    return (fitting(table, edges) >> (7 - rotation) & 1) != 0;
}

// Which sides belong together: a bit for each pair, 01 02 03 12 13 23.
using Joins = std::uint8_t;
inline constexpr std::size_t kPairs = 6;
// The same of a matrix with four bits for each side.
[[nodiscard]] constexpr Joins joins_of(std::uint32_t matrix) {
    return narrow<Joins>((matrix >> 1 & 7U) | (matrix >> 6 & 3U) << 3 | (matrix >> 11 & 1U) << 5);
}

// By joins and set of sides: the set and all sides that are joined to one of it, directly or by others.
inline constexpr auto kWithJoined = array_of<1U << kPairs>([](unsigned joins) {
    return array_of<1U << kSides>([joins](unsigned sides) {
        unsigned all = sides;
        for (std::size_t step = 0; step + 1 < kSides; ++step) {
            unsigned pair = 0;
            for (std::size_t one = 0; one < kSides; ++one) {
                for (std::size_t other = one + 1; other < kSides; ++other) {
                    const unsigned both = 1U << one | 1U << other;
                    if ((joins >> pair++ & 1) != 0 && (all & both) != 0) all |= both;
                }
            }
        }
        return narrow<std::uint8_t>(all);
    });
});

// A type in a rotation; code 0 is not a tile.
using Code = std::uint8_t;
inline constexpr std::size_t kCodes = (kTypes + 1) * kRotations;
[[nodiscard]] constexpr std::size_t code_of(std::size_t type, std::size_t rotation) {
    return (type + 1) * kRotations + rotation;
}
[[nodiscard]] constexpr std::size_t type_of(std::size_t code) { return code / kRotations - 1; }
[[nodiscard]] constexpr std::size_t rotation_of(std::size_t code) { return code % kRotations; }

struct Tiles {
    Tiles(bool farmers, bool trees_end_roads);

    std::vector<TileType> types;
    std::array<TypeTables, kTypes> tables{};
    int most_mains = 0, most_fields = 0;  // upper bounds of the labels of a game
    // By code.
    std::array<std::array<std::uint32_t, kCodes>, kSides>
        facing{};                                    // of the tile on that side, places of the three ports that face us
    std::array<std::uint32_t, kCodes> mains{};       // of each side, the place of the city or road on it
    std::array<Joins, kCodes> joins{};               // of a road or city, or of nothing
    std::array<std::uint8_t, kCodes> monasteries{};  // 1 for a tile with a monastery
    std::array<Edges, kCodes> edges{};
    std::array<Edges, kCodes> mirrored{};  // the same, on opposite sides: as the neighbours see it
    // By the edges around a cell: bit of each type that fits there in some rotation.
    std::array<std::uint64_t, 256> fitting_types{};
    // By type: what drawing it adds to the bytes of the pile, modulo 256.
    std::array<std::array<std::uint8_t, kPileBytes>, kTypes> drawn{};
    // By set of places that take new labels: how many of the same kind come before each, and how
    // many there are of the kind of each place.
    std::array<std::uint64_t, 256> ranks{}, counts{};

  private:
    void make_sides();
    void make_ranks();
};

}  // namespace tilery::carcassonne
