// SPDX-License-Identifier: MIT
// The board of Java and the ids of all that can be done on it (docs/rules/java.md, Actions).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"
#include "tilery/games/java/legal_actions.hpp"
#include "tilery/games/java/state.hpp"

namespace tilery::java {

// Clockwise (JA-1).
enum Direction : std::uint8_t { kE, kSE, kSW, kW, kNW, kNE, kDirections };
inline constexpr Direction kNoDirection = kDirections;
inline constexpr int kMostCoordinate = 9999;  // JA-2
[[nodiscard]] constexpr std::size_t opposite(std::size_t direction) { return (direction + 3) % kDirections; }
[[nodiscard]] constexpr std::size_t clockwise(std::size_t direction) { return (direction + 1) % kDirections; }
inline constexpr std::array<std::string_view, kDirections> kDirectionNames{"E", "SE", "SW", "W", "NW", "NE"};
inline constexpr std::array<std::string_view, kKinds> kKindNames{"m", "d", "p", "md", "dp", "pm"};
// The symbols of each kind of card, a bit for each of mask, drum and puppet.
inline constexpr std::array<std::uint8_t, kKinds> kSymbols{0b001, 0b010, 0b100, 0b011, 0b110, 0b101};

enum class Ground : std::uint8_t { kLand, kPrinted, kMountains, kLowlands };

// The lists of a board object, by ground.
inline constexpr std::array<std::pair<std::string_view, Ground>, 4> kGroundLists{
    {{"land", Ground::kLand},
     {"printed_irrigation", Ground::kPrinted},
     {"outside_mountains", Ground::kMountains},
     {"outside_lowlands", Ground::kLowlands}}};

struct Space {
    int row, column;
    [[nodiscard]] int skewed_column() const { return (row + column) / 2; }
    auto operator<=>(const Space&) const = default;
};

// The printed board (JA-1 to JA-3), by space number.
struct Board {
    explicit Board(const Value& option);  // throws OptionError

    std::vector<Space> spaces;
    std::vector<Ground> ground;
    std::vector<std::array<std::uint16_t, kDirections>> neighbour;  // kNowhere if there is none

    [[nodiscard]] std::size_t size() const { return spaces.size(); }
    [[nodiscard]] std::uint16_t find(Space space) const;  // kNowhere if there is none
    [[nodiscard]] std::string name(std::size_t space) const;
    [[nodiscard]] bool outside(std::size_t space) const { return ground[space] >= Ground::kMountains; }
    [[nodiscard]] bool land(std::size_t space) const { return ground[space] == Ground::kLand; }
    // Least and greatest row, least and greatest column / 2.
    [[nodiscard]] std::array<int, 4> extent() const;
    [[nodiscard]] bool perimeter(std::size_t space) const;
    [[nodiscard]] bool buildable(std::size_t space) const;  // JA-R1
    [[nodiscard]] bool edge(std::size_t space) const;       // where figures can ever enter
    // The connected parts of some of the spaces, each ascending.
    [[nodiscard]] std::vector<Spaces> connected(const std::function<bool(std::size_t)>& member) const;
    // The spaces of a tile of a shape, from its first space on; kNowhere for those that do not exist.
    [[nodiscard]] Spaces tile(std::size_t first, std::size_t shape) const;

  private:
    void read_lists(const Value& object);
    void check_outside() const;
    void check_size() const;
    void check_connected() const;
};

// The effect of an action.
enum class Verb : std::uint8_t {
    kDraw,
    kEnd,
    kExtra,
    kOpen,
    kPile,
    kStop,
    kPass,
    kLay,
    kThree,
    kTwo,
    kRice,
    kVillage,
    kWater,
    kEnter,
    kLeave,
    kTakeUp,
    kSetDown,
    kPalace,
    kFestival,
};

// Actions without a space as bits of their ids.
[[nodiscard]] constexpr std::uint32_t plain_bit(Verb verb) {
    return std::uint32_t{1} << (kKinds + static_cast<std::size_t>(verb) - static_cast<std::size_t>(Verb::kEnd));
}

// The meaning of an id.
struct Move {
    Verb verb;
    std::uint8_t index;  // kind of card, direction, or value / 2 - 1
    std::uint16_t cell;  // or 0
};

// The cells of a game are its spaces in some numbering that ascends with theirs.
using Numbers = std::vector<std::uint16_t>;

// A tile's shape, with the first of its spaces as its place: one space; two, the other in
// direction E, SE, SW; three, the others E and SE, or SE and SW.
enum Shape : std::uint8_t { kOne, kTwoE, kTwoSE, kTwoSW, kThreeE, kThreeSE, kShapes };
static_assert(planes::bonds(kShapes) == Plane::kBlocked);

// The spaces of each shape after the first.
inline constexpr std::array<std::array<Direction, 2>, kShapes> kShapeSteps{{{kNoDirection, kNoDirection},
                                                                            {kE, kNoDirection},
                                                                            {kSE, kNoDirection},
                                                                            {kSW, kNoDirection},
                                                                            {kE, kSE},
                                                                            {kSE, kSW}}};

// How a token's direction places a tile: its shape, and where its first space is, seen from the
// village: in a direction, or the village itself.
struct Placing {
    Shape shape;
    Direction first;  // kNoDirection for the village itself
};
using Placings = std::array<Placing, kDirections>;
inline constexpr Placings kThreePlacings{{{kThreeE, kNoDirection},
                                          {kThreeSE, kNoDirection},
                                          {kThreeE, kW},
                                          {kThreeSE, kNW},
                                          {kThreeE, kNW},
                                          {kThreeSE, kNE}}};
inline constexpr Placings kTwoPlacings{
    {{kTwoE, kNoDirection}, {kTwoSE, kNoDirection}, {kTwoSW, kNoDirection}, {kTwoE, kW}, {kTwoSE, kNW}, {kTwoSW, kNE}}};

inline constexpr Action kUnlisted = -1;  // what no action of the game does

struct Ids {
    Ids(const Board& board, const Numbers& cell_of, bool irrigation_on_perimeter);

    static constexpr Action kOneOff = kKinds;  // end, extra, open, pile, stop, pass
    static constexpr Action kLay = kOneOff + 6;
    static constexpr Action kFirstTile = kLay + kKinds;

    Action count = 0;
    Action three, two, rice, village, water, enter, leave, take_up, set_down, palace, festival;
    Action buildable;  // spaces in a block of all buildable ones
    IdTable plain;     // number i at cell i, for actions without a space
    // Ids minus the first of the block, by cell; of tiles by the cell of their first space.
    std::array<IdTable, kDirections> three_at, two_at;
    IdTable buildable_at, water_at, edge_at;
    std::vector<Move> moves;  // by id: in the order of verbs, then indices, then spaces

    // The id of a move, or kUnlisted.
    [[nodiscard]] Action find(const Move& move, const Numbers& space_of) const;

  private:
    Action add(Verb verb, std::size_t index = 0, std::uint16_t cell = 0);
    Action add_tiles(Verb verb, const Placings& placings, const Board& board, const Numbers& cell_of,
                     std::array<IdTable, kDirections>& tables);
    Action add_spaces(Verb verb, std::size_t index, const std::vector<std::size_t>& spaces, const Numbers& cell_of,
                      IdTable& table);
};

}  // namespace tilery::java
