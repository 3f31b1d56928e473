// SPDX-License-Identifier: MIT
// The contents of the box of Java, and a position as a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "tilery/games/java/rules.hpp"

namespace tilery::java {

// The largest board, outside spaces included (JA-2), and the sets of its spaces (cells.hpp).
inline constexpr std::size_t kMostRows = 15, kMostSkewedColumns = 20;
inline constexpr std::size_t kSetWords = 5;
inline constexpr std::size_t kSlots = 3;  // rows in a word
inline constexpr std::size_t kCells = 64 * kSetWords;

// The box (JA-4 to JA-6).
inline constexpr int kThreeTiles = 56;
inline constexpr int kWaterTiles = 16;
inline constexpr std::uint8_t kPalaceValues = 5;  // 2, 4, 6, 8, 10
inline constexpr std::array<std::uint8_t, kPalaceValues> kPalaceTiles{6, 7, 8, 9, 10};
// JA-32: points of each player tied for most symbols, by value.
inline constexpr std::array<std::uint8_t, kPalaceValues> kTiedPoints{0, 1, 2, 2, 3};
inline constexpr int kTwoTiles = 5;  // from here on: of each player
inline constexpr int kRiceTiles = 3;
inline constexpr int kVillageTiles = 2;
inline constexpr int kTokens = 3;
inline constexpr int kFigures = 12;
inline constexpr int kOwnLandTiles = kTwoTiles + kRiceTiles + kVillageTiles;

inline constexpr std::size_t kKinds = 6;  // of cards: m, d, p, md, dp, pm
inline constexpr int kCopies = 5;         // of each kind
inline constexpr int kCards = 30;
inline constexpr int kDealt = 3;  // to each player
static_assert(kThreeTiles + kMostPlayers * kOwnLandTiles == 96 && kKinds * kCopies == kCards);

inline constexpr int kActionPoints = 6;
inline constexpr int kMostTaken = 2;              // cards in a turn (JA-27)
inline constexpr std::uint32_t kWaterPoints = 3;  // JA-18

// How many cards of each kind.
using Cards = std::array<std::uint8_t, kKinds>;
[[nodiscard]] inline int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

template <class T>
using PerSeat = std::array<T, kMostPlayers>;

// The things on the spaces, one set of cells each. A cell is a space in the game's own numbering.
enum class Plane : std::uint8_t {
    kHeight,              // seven planes: the bits of the height, lowest first
    kLand = kHeight + 7,  // height above 0
    kVillage,             // a village on top, also below a palace
    kWater,               // irrigation tiles, not the printed ones
    kPalace,              // three planes: the bits of value / 2
    kFresh = kPalace + 3,
    kFigure,                         // a plane for each player
    kBond = kFigure + kMostPlayers,  // bonds (JA-R3) at their first spaces, a plane for each shape
    kBlocked = kBond + 6,            // no tile may be placed here (JA-12): irrigation tiles, palaces, figures
    kChanged,                        // palaces changed this turn (JA-25)
    kStarted,                        // what JA-22 remembers
    kEnded,
    kEnd
};

namespace planes {

inline constexpr std::size_t kHeightBits = 7;
inline constexpr std::size_t kPalaceBits = 3;

[[nodiscard]] constexpr std::size_t index(Plane plane) { return static_cast<std::size_t>(plane); }
[[nodiscard]] constexpr Plane at(std::size_t i) { return static_cast<Plane>(i); }
inline constexpr std::size_t kCount = index(Plane::kEnd);

[[nodiscard]] constexpr std::size_t offset(Plane plane) { return index(plane) * kSetWords * sizeof(std::uint64_t); }
[[nodiscard]] constexpr Plane height(std::size_t bit) { return at(index(Plane::kHeight) + bit); }
[[nodiscard]] constexpr Plane palace(std::size_t bit) { return at(index(Plane::kPalace) + bit); }
[[nodiscard]] constexpr Plane figures(std::size_t player) { return at(index(Plane::kFigure) + player); }
[[nodiscard]] constexpr Plane bonds(std::size_t shape) { return at(index(Plane::kBond) + shape); }

}  // namespace planes

enum class Phase : std::uint8_t { kDeal, kTurn, kOpenDraw, kPileDraw, kFestival, kOver };
// The purposes of chance nodes.
inline constexpr std::array<std::pair<std::string_view, Phase>, 3> kDraws{
    {{"deal", Phase::kDeal}, {"open", Phase::kOpenDraw}, {"pile", Phase::kPileDraw}}};

// Spaces by number.
using Spaces = std::vector<std::size_t>;

inline constexpr std::uint16_t kNowhere = 0xFFFF;
inline constexpr std::uint8_t kNone = 0xFF;

// Seats and cells that a game does not have are clear, and so is everything that is over.
struct State {
    std::array<std::uint64_t, planes::kCount * kSetWords> planes;  // one after the other
    PerSeat<std::uint16_t> scores;
    std::uint16_t lifted;    // cell of the figure taken up, or kNowhere
    std::uint16_t festival;  // cell of the palace, or kNowhere
    PerSeat<Cards> hands;
    PerSeat<Cards> known;  // of the hands, what everybody knows
    PerSeat<Cards> laid;   // in the running festival
    Cards pile;
    Cards discards;
    std::array<std::uint8_t, kPalaceValues> palaces;  // from here to figures: in supply
    std::uint8_t three;
    std::uint8_t water;
    PerSeat<std::uint8_t> two;
    PerSeat<std::uint8_t> rice;
    PerSeat<std::uint8_t> village;
    PerSeat<std::uint8_t> tokens;
    PerSeat<std::uint8_t> figures;
    Phase phase;
    std::uint8_t turn;         // whose turn it is
    std::uint8_t bidder;       // who bids in a festival, else 0
    std::uint8_t bidding;      // a bit for each player who has not passed
    std::uint8_t last;         // kind last laid in this turn of bidding, or kNone
    std::uint8_t open;         // kind of the open card, or kNone
    std::uint8_t ap;           // action points left
    std::uint8_t owed;         // 1 while a land tile must still be placed this turn (JA-9)
    std::uint8_t token;        // 1 while a token may be used this turn (JA-8)
    std::uint8_t taken;        // cards taken this turn
    std::uint8_t barren;       // turns in a row without a land tile (JA-34a)
    std::uint8_t final;        // whose final count came first, or kNone
    std::uint8_t height_bits;  // bits of the greatest height

    bool operator==(const State&) const = default;
};
static_assert(sizeof(State) <= 1300 && alignof(State) == 8);

// How many of n players have their final count (JA-35) still to come: from the one whose turn it is on.
[[nodiscard]] inline std::size_t counts_to_come(const State& state, std::size_t n) {
    if (state.phase == Phase::kOver) return 0;
    return state.final == kNone ? n : (state.final + n - state.turn - 1) % n + 1;
}
inline void add_points(State& state, std::size_t player, std::uint32_t points) {
    state.scores[player] = static_cast<std::uint16_t>(state.scores[player] + points);
}
inline void add_cards(Cards& to, const Cards& cards) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) to[kind] = static_cast<std::uint8_t>(to[kind] + cards[kind]);
}

}  // namespace tilery::java
