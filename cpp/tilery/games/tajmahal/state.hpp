// SPDX-License-Identifier: MIT
// A position of Taj Mahal: the map, what the players have, and the visit under way.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/types.hpp"
#include "tilery/games/tajmahal/cards.hpp"

namespace tilery::tajmahal {

inline constexpr std::size_t kProvinces = 12;
inline constexpr std::string_view kProvinceLetters = "ABCDEFGHIJKL";
inline constexpr std::size_t kVisits = 12;
inline constexpr std::string_view kCityDigits = "123456789";
inline constexpr std::size_t kMostCitiesOfProvince = kCityDigits.size();
inline constexpr std::size_t kMostCities = kProvinces * kMostCitiesOfProvince;
inline constexpr std::size_t kCommodities = 4;  // rice, tea, spice, gems
inline constexpr std::size_t kBonusKinds = 6;   // +2, card, rice, tea, spice, gems
inline constexpr std::size_t kPlusTwo = 0, kPlusCard = 1, kFirstCommodityTile = 2;
inline constexpr std::size_t kPalaces = 20;                                                        // TM-6
inline constexpr std::size_t kDealt = 6;                                                           // TM-2
inline constexpr std::size_t kPrincessPoints = 2;                                                  // TM-9
inline constexpr std::size_t kVizierCard = 0, kGeneralCard = 1, kMonkCard = 2, kPrincessCard = 3;  // sV sG sK sP
inline constexpr std::string_view kSpecialLetters = "VGKP";
inline constexpr std::array<std::string_view, kBonusKinds> kBonusNames{"+2", "card", "rice", "tea", "spice", "gems"};
inline constexpr std::array<std::string_view, kCommodities> kCommodityNames{"rice", "tea", "spice", "gems"};

// In a visit a player gains at most four cards: two of the display, and two more than were played, because
// the palaces of four persons on four card tiles cost two cards.
inline constexpr int kMostGained = 4;
inline constexpr int kMostHand = int{kDealt} + kMostGained * int{kVisits};
inline constexpr int kMostFinalPoints = int{kPersons} + kMostHand;  // TM-23
inline constexpr int kMostPalacePoints = 78;                        // TM-17: 1 + 2 + ... + 12

// TM-16: the points of the first n symbols of a commodity.
[[nodiscard]] constexpr int triangle(int n) { return n * (n + 1) / 2; }

// Small sets are bits of a number.
[[nodiscard]] constexpr std::uint32_t bit(std::size_t i) { return 1U << i; }
[[nodiscard]] constexpr bool has(std::uint32_t set, std::size_t i) { return (set >> i & 1U) != 0; }
[[nodiscard]] constexpr std::uint32_t size_of(std::uint32_t set) {
    return static_cast<std::uint32_t>(std::popcount(set));
}
inline constexpr std::uint32_t kAllSymbols = bit(kSymbols) - 1;

enum class Phase : std::uint8_t {
    kNumbers,
    kBonus,
    kDeal,
    kDisplay,
    kTurn,
    kBuild,
    kCrown,
    kDraw,
    kTake,
    kFictive,
    kOver
};
inline constexpr std::array<std::string_view, 11> kPhaseNames{"provinces", "bonus", "deal", "display", "turn", "build",
                                                              "crown",     "draw",  "take", "fictive", "over"};
inline constexpr std::size_t kPhases = kPhaseNames.size();

// A set of cities, which are numbered in the order of their names.
using Cities = CellSet<128>;
static_assert(kMostCities <= 128);

// A number of kBits bits for each city, 0 meaning nothing: bit b of all of them is a set of cities.
template <std::size_t kBits>
class CityValues {
  public:
    [[nodiscard]] unsigned at(std::size_t city) const {
        unsigned value = 0;
        for (std::size_t bit = 0; bit < kBits; ++bit) value |= unsigned{bits_[bit].has(city)} << bit;
        return value;
    }
    // The city must have nothing.
    void put(std::size_t city, std::uint64_t value) {
        for (std::size_t bit = 0; bit < kBits; ++bit) {
            const std::uint64_t set = value >> bit & 1U;
            bits_[bit].set_word(city / 64, bits_[bit].word(city / 64) | set << (city % 64));
        }
    }
    void clear(std::size_t city) {
        for (Cities& bit : bits_) bit.erase(city);
    }
    // The cities with this value, which is not 0.
    [[nodiscard]] Cities where(std::uint64_t value) const {
        std::array<std::uint64_t, kBits> flips;  // branch-free, because values are unpredictable
        for (std::size_t bit = 0; bit < kBits; ++bit) flips[bit] = (value >> bit & 1U) - 1;
        Cities cities;
        for (std::size_t w = 0; w < Cities::kWords; ++w) {
            std::uint64_t word = ~std::uint64_t{0};
            for (std::size_t bit = 0; bit < kBits; ++bit) word &= bits_[bit].word(w) ^ flips[bit];
            cities.set_word(w, word);
        }
        return cities;
    }
    [[nodiscard]] const Cities& with_bit(std::size_t bit) const { return bits_[bit]; }
    [[nodiscard]] Cities any() const {
        Cities cities;
        for (const Cities& bit : bits_) cities |= bit;
        return cities;
    }

    bool operator==(const CityValues&) const = default;

  private:
    std::array<Cities, kBits> bits_;
};

// The contents of each city where an ordinary palace may be: nothing, until set-up puts a bonus tile on a
// fortress and a palace takes its place.
class Sites {
  public:
    // The owner of the palace in a city and the kind of the tile, plus 1, or 0.
    [[nodiscard]] unsigned owner(std::size_t city) const { return tiles().has(city) ? 0 : values_.at(city); }
    [[nodiscard]] unsigned tile(std::size_t city) const {
        const unsigned value = values_.at(city);
        return (value >> kTileBit) * (value - kTile + 1);  // branch-free, because tiles are unpredictable
    }
    [[nodiscard]] Cities any() const { return values_.any(); }
    [[nodiscard]] Cities palaces() const { return any() - tiles(); }
    [[nodiscard]] Cities palaces_of(std::size_t player) const { return values_.where((player + 1) % kTile); }
    [[nodiscard]] const Cities& tiles() const { return values_.with_bit(kTileBit); }
    [[nodiscard]] Cities tiles_of(std::size_t kind) const { return values_.where(kTile + kind); }

    void put_tile(std::size_t city, std::size_t kind) { values_.put(city, kTile + kind); }
    void build(std::size_t city, std::size_t player) {
        values_.clear(city);
        values_.put(city, player + 1);
    }

    bool operator==(const Sites&) const = default;

  private:
    static constexpr unsigned kTileBit = 3, kTile = 1U << kTileBit;

    CityValues<4> values_;  // an owner plus 1, or kTile and a kind
};

// The province that has the number of each visit, plus 1, or 0 while it is not given out: twelve numbers
// of four bits, the first visit in the lowest bits. Visits are counted from 0.
class Numbers {
  public:
    [[nodiscard]] constexpr std::size_t operator[](std::size_t visit) const { return bits_ >> (4 * visit) & 15U; }
    // The number there must be 0.
    constexpr void put(std::size_t visit, std::size_t number) { bits_ |= std::uint64_t{number} << (4 * visit); }
    // How many are given out, without the last one, which always is.
    [[nodiscard]] constexpr std::size_t given_out() const {
        return static_cast<std::size_t>(std::bit_width(bits_ & kAllButLast) + 3) / 4;
    }
    // These as a set of provinces plus 1, and perhaps 0.
    [[nodiscard]] constexpr std::uint32_t provinces() const {
        std::uint32_t numbers = 0;
        for (std::size_t i = 0; i + 1 < kVisits; ++i) numbers |= bit((*this)[i]);
        return numbers;
    }
    // The visit of a province, counted from 1, or 0.
    [[nodiscard]] constexpr std::size_t visit_of(std::size_t province) const {
        for (std::size_t i = 0; i < kVisits; ++i) {
            if ((*this)[i] == province + 1) return i + 1;
        }
        return 0;
    }
    // Whether there is nothing beyond the twelve.
    [[nodiscard]] constexpr bool canonical() const { return bits_ >> 48 == 0; }

    bool operator==(const Numbers&) const = default;

  private:
    static constexpr std::uint64_t kAllButLast = (std::uint64_t{1} << 4 * (kVisits - 1)) - 1;

    std::uint64_t bits_ = 0;
};

// Fields that a phase does not use are 0; so are those of players who do not take part.
struct State {
    Cards cards;
    Sites sites;
    CityValues<3> moguls;  // owner of the mogul palace, plus 1
    Numbers numbers;
    PerPlayer<std::uint16_t> points;
    PerPlayer<std::array<std::uint8_t, kCommodities>> goods;  // symbols gained
    PerPlayer<std::uint8_t> tiles;                            // two bits for each person: tiles held
    PerPlayer<std::uint8_t> specials;                         // special cards held, a bit for each
    PerPlayer<std::uint8_t> colour;                           // the colour fixed, plus 1
    PerPlayer<std::uint8_t> palaces;                          // of both sorts, on the map
    std::array<std::uint8_t, kColours + 1> fictive;           // the fictive player's card of each colour: type plus 1
    Phase phase;
    std::uint8_t visit;                   // 1..12
    std::uint8_t turn;                    // whose turn or withdrawal is under way
    std::uint8_t in;                      // players who have not withdrawn, a bit for each
    std::uint8_t offer;                   // symbols whose item can still be won, a bit for each
    std::uint8_t used;                    // special cards played in this visit, a bit for each
    std::uint8_t fictive_in;              // whether the fictive player has not withdrawn
    std::uint8_t persons;                 // won by the withdrawing player, with the palace still to be built
    std::uint8_t site;                    // the first city where the next of these palaces may be built
    std::uint8_t crown;                   // whether a mogul palace is still to be built
    std::uint8_t draws;                   // cards still to be drawn
    std::uint8_t takes;                   // cards still to be taken from the display
    std::uint8_t first;                   // the type taken first, plus 1, while a second is to be taken
    std::array<std::uint8_t, 4> padding;  // always 0

    bool operator==(const State&) const = default;
};
static_assert(sizeof(State) == 512);

[[nodiscard]] std::string special_name(std::size_t special);    // "sV"
[[nodiscard]] std::string_view phase_name(const State& state);  // "turn"

// Two bits for each person of State::tiles.
[[nodiscard]] constexpr std::uint32_t tiles_held(std::uint32_t tiles, std::size_t person) {
    return tiles >> (2 * person) & 3U;
}

// The phases in which a player acts, a bit for each.
inline constexpr std::uint32_t kDecisions =
    bit(index(Phase::kTurn)) | bit(index(Phase::kBuild)) | bit(index(Phase::kCrown)) | bit(index(Phase::kTake));

// Whether a turn is under way: a player's turn or withdrawal, or the fictive card after it.
[[nodiscard]] inline bool has_turn(const State& state) {
    return state.phase >= Phase::kTurn && state.phase <= Phase::kFictive;
}
[[nodiscard]] inline bool building(const State& state) {
    return state.phase == Phase::kBuild || state.phase == Phase::kCrown;
}
// The visit, counted from 0.
[[nodiscard]] inline std::size_t visit_index(const State& state) { return state.visit - std::size_t{1}; }
// The province of the visit; only when it is given out.
[[nodiscard]] inline std::size_t current_province(const State& state) { return state.numbers[visit_index(state)] - 1; }

// TM-21: what the vizier's and the general's card count, by the set of special cards played.
inline constexpr auto kSpecialSymbols = array_of<1U << kPersons>([](std::uint32_t set) {
    return (has(set, kVizierCard) ? lane(kMogul, 2) : 0) + (has(set, kGeneralCard) ? lane(kElephant, 2) : 0);
});

[[nodiscard]] inline Lanes special_symbols(const State& state, std::size_t player) {
    return kSpecialSymbols[state.used & state.specials[player]];
}
[[nodiscard]] inline Cities own_moguls(const State& state, std::size_t player) {
    return state.moguls.where(player + 1);
}
// The cities with a palace of either sort.
[[nodiscard]] inline Cities own_cities(const State& state, std::size_t player) {
    return state.sites.palaces_of(player) | own_moguls(state, player);
}
// The bonus tiles on the map, by kind.
[[nodiscard]] inline Lanes bonus_on_map(const State& state) {
    Lanes kinds = 0;
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) kinds += lane(kind, state.sites.tiles_of(kind).size());
    return kinds;
}

}  // namespace tilery::tajmahal
