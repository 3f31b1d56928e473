// SPDX-License-Identifier: MIT
// Taj Mahal (Knizia; alea 2000) for 3 to 5 players, and its variant for two with a fictive player.
// docs/rules/tajmahal.md; TM-1 and so on are its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tilery/core/game.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/games/tajmahal/cards.hpp"

namespace tilery::tajmahal {

inline constexpr std::size_t kProvinces = 12;
inline constexpr std::size_t kVisits = 12;
inline constexpr std::size_t kMostCitiesOfProvince = 9;
inline constexpr std::size_t kMostCities = kProvinces * kMostCitiesOfProvince;
inline constexpr std::size_t kCommodities = 4;  // rice, tea, spice, gems
inline constexpr std::size_t kBonusKinds = 6;   // +2, card, rice, tea, spice, gems
inline constexpr std::size_t kPlusTwo = 0, kPlusCard = 1, kFirstCommodityTile = 2;
inline constexpr std::size_t kPalaces = 20;                                                        // TM-6
inline constexpr std::size_t kDealt = 6;                                                           // TM-2
inline constexpr int kPrincessPoints = 2;                                                          // TM-9
inline constexpr std::size_t kVizierCard = 0, kGeneralCard = 1, kMonkCard = 2, kPrincessCard = 3;  // sV sG sK sP
inline constexpr std::string_view kSpecialLetters = "VGKP";
inline constexpr std::array<std::string_view, kBonusKinds> kBonusNames{"+2", "card", "rice", "tea", "spice", "gems"};
inline constexpr std::array<std::string_view, kCommodities> kCommodityNames{"rice", "tea", "spice", "gems"};

// TM-21: what the vizier's and the general's card add, by the set of special cards played.
inline constexpr auto kSpecialSymbols = [] {
    std::array<Lanes, 1U << kPersons> table{};
    for (std::size_t set = 0; set < table.size(); ++set) {
        table[set] = ((set >> kVizierCard & 1U) != 0 ? lane(kMogul, 2) : 0) +
                     ((set >> kGeneralCard & 1U) != 0 ? lane(kElephant, 2) : 0);
    }
    return table;
}();

enum class MonkColour : std::uint8_t { later, announce };

struct Rules {
    int players = 3;
    MonkColour monk_colour = MonkColour::later;
    Value data = "shipped";

    static constexpr std::string_view kFileOption = "data";
    static constexpr std::array<std::string_view, 1> kShipped{"shipped"};

    [[nodiscard]] static auto options() {
        return std::tuple{int_option("players", &Rules::players, 2, kMaxPlayers),
                          choice_option("monk_colour", &Rules::monk_colour, {"later", "announce"}),
                          own_option("data", &Rules::data, &read_data, +[](const Value& data) { return data; })};
    }
    [[nodiscard]] static Value read_data(const Value& value);
};

enum class Phase : std::uint8_t { provinces, bonus, deal, display, turn, build, crown, draw, take, fictive, over };
inline constexpr std::size_t kPhases = 11;
inline constexpr std::array<std::string_view, kPhases> kPhaseNames{
    "provinces", "bonus", "deal", "display", "turn", "build", "crown", "draw", "take", "fictive", "over"};

// A set of cities, which are numbered in the order of their names.
using Cities = CellSet<128>;
static_assert(kMostCities <= 128);

// A number of kBits bits for each city, 0 meaning nothing: bit b of all of them is a set of cities.
template <std::size_t kBits>
class CityValues {
  public:
    [[nodiscard]] unsigned at(std::size_t city) const {
        unsigned value = 0;
        for (std::size_t bit = 0; bit < kBits; ++bit) value |= static_cast<unsigned>(bits_[bit].has(city)) << bit;
        return value;
    }
    // The city must have nothing.
    void put(std::size_t city, unsigned value) {
        for (std::size_t bit = 0; bit < kBits; ++bit) {
            const std::uint64_t set = value >> bit & 1U;
            bits_[bit].set_word(city / 64, bits_[bit].word(city / 64) | set << (city % 64));
        }
    }
    void clear(std::size_t city) {
        for (Cities& bit : bits_) bit.erase(city);
    }
    // The cities with this value, which is not 0.
    [[nodiscard]] Cities where(unsigned value) const {
        std::array<std::uint64_t, kBits> flips;  // no jump: values are hard to foresee
        for (std::size_t bit = 0; bit < kBits; ++bit) flips[bit] = (value >> bit & 1U) - std::uint64_t{1};
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

// What stands in each city where an ordinary palace may: nothing, until set-up lays a bonus tile
// there and a palace takes its place.
class Sites {
  public:
    // The owner of the palace in a city and the kind of the tile, plus 1, or 0.
    [[nodiscard]] unsigned owner(std::size_t city) const { return tiles().has(city) ? 0 : values_.at(city); }
    [[nodiscard]] unsigned tile(std::size_t city) const {
        const unsigned value = values_.at(city);
        return (value >> kTileBit) * (value - kTile + 1);  // no jump: tiles are hard to foresee
    }
    [[nodiscard]] Cities any() const { return values_.any(); }
    [[nodiscard]] Cities palaces() const { return any() - tiles(); }
    [[nodiscard]] Cities palaces_of(std::size_t player) const {
        return values_.where(static_cast<unsigned>(player + 1) % kTile);
    }
    [[nodiscard]] const Cities& tiles() const { return values_.with_bit(kTileBit); }
    [[nodiscard]] Cities tiles_of(std::size_t kind) const { return values_.where(kTile + static_cast<unsigned>(kind)); }

    void lay(std::size_t city, std::size_t kind) { values_.put(city, kTile + static_cast<unsigned>(kind)); }
    void build(std::size_t city, std::size_t player) {
        values_.clear(city);
        values_.put(city, static_cast<unsigned>(player + 1));
    }

    bool operator==(const Sites&) const = default;

  private:
    static constexpr unsigned kTileBit = 3, kTile = 1U << kTileBit;

    CityValues<4> values_;  // an owner plus 1, or kTile and a kind
};

// Twelve numbers from 0 to 15, one for each visit, the first in the lowest bits.
class Twelve {
  public:
    [[nodiscard]] constexpr std::size_t operator[](std::size_t i) const { return bits_ >> (4 * i) & 15U; }
    // The number there must be 0.
    constexpr void put(std::size_t i, std::size_t number) { bits_ |= std::uint64_t{number} << (4 * i); }
    // How many numbers there are if those that are not 0 come first; the last one is not looked at.
    [[nodiscard]] constexpr std::size_t filled() const {
        return static_cast<std::size_t>(std::bit_width(bits_ & kAllButLast) + 3) / 4;
    }
    // These numbers and perhaps 0, bit i standing for i.
    [[nodiscard]] constexpr std::uint32_t leading() const {
        std::uint32_t numbers = 0;
        for (std::size_t i = 0; i + 1 < kVisits; ++i) numbers |= std::uint32_t{1} << (*this)[i];
        return numbers;
    }
    // Whether there is nothing beyond the twelve.
    [[nodiscard]] constexpr bool canonical() const { return bits_ >> 48 == 0; }

    bool operator==(const Twelve&) const = default;

  private:
    static constexpr std::uint64_t kAllButLast = (std::uint64_t{1} << 4 * (kVisits - 1)) - 1;

    std::uint64_t bits_ = 0;
};

// A position. What a phase has no use for is 0; so is what belongs to players who are not there.
struct State {
    Cards cards;
    Sites sites;
    CityValues<3> moguls;  // owner of the mogul palace, plus 1
    Twelve numbers;        // the province that bears number i + 1, plus 1
    PerPlayer<std::uint16_t> points;
    PerPlayer<std::array<std::uint8_t, kCommodities>> goods;  // symbols gained
    PerPlayer<std::uint8_t> tiles;                            // two bits for each person: tiles held
    PerPlayer<std::uint8_t> specials;                         // special cards held, a bit for each
    PerPlayer<std::uint8_t> colour;                           // the colour fixed, plus 1
    PerPlayer<std::uint8_t> palaces;                          // of both sorts, on the map
    std::array<std::uint8_t, kColours + 1> fictive;           // the fictive player's card of each colour: type plus 1
    Phase phase;
    std::uint8_t visit;                  // 1..12
    std::uint8_t turn;                   // whose turn or withdrawal is under way
    std::uint8_t in;                     // players who have not withdrawn, a bit for each
    std::uint8_t offer;                  // symbols whose item is still to be had, a bit for each
    std::uint8_t used;                   // special cards lying played, a bit for each
    std::uint8_t fictive_in;             // whether the fictive player has not withdrawn
    std::uint8_t persons;                // won by the player withdrawing and not yet built for
    std::uint8_t site;                   // the first city where the next one may stand, while he builds them
    std::uint8_t crown;                  // whether he still has a mogul palace to build
    std::uint8_t draws;                  // cards he still has to draw
    std::uint8_t takes;                  // cards he still has to take from the display
    std::uint8_t first;                  // the type taken first, plus 1, while a second is to be taken
    std::array<std::uint8_t, 4> unused;  // always 0

    bool operator==(const State&) const = default;
};

// The number of a province, 1..12, or 0 if it is not given out yet.
[[nodiscard]] inline std::size_t number_of(const State& state, std::size_t province) {
    for (std::size_t i = 0; i < kVisits; ++i) {
        if (state.numbers[i] == province + 1) return i + 1;
    }
    return 0;
}

// Where the blocks of action ids begin (docs/rules/tajmahal.md).
struct ActionIds {
    Action card, province, bonus, out, none, alone, white, special, announce, at, crown, take, end;
    Action coloured, whites;  // how many types there are
};

// What a player may do: perhaps one action at the head of the list, then one for each member of
// a set; at a turn the set are the coloured cards he may play, and there are pairs of cards too.
class LegalActions {
  public:
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const { return choice(i).action; }
    template <class F>
    void for_each(F&& f) const {
        if (heads_ > 0) f(*head_);
        set_.for_each([&](std::size_t member) { f(*base_ + names_[member]); });
        if (whites_count_ > 0) {
            set_.for_each([&](std::size_t member) {
                whites_.for_each([&](std::size_t white) { f(beside_white(member, white)); });
            });
        }
        for (std::uint32_t i = heads_ + count_ * (1 + whites_count_); i < size_; ++i) f((*this)[i]);
    }

  private:
    friend class Game;

    // An action and the members of the sets it stands for: a city, or slots of cards.
    struct Choice {
        Action action;
        std::size_t member, white;
    };

    [[nodiscard]] Choice choice(std::uint32_t i) const {
        if (i < heads_) return {*head_, 0, Deck::kNoCard};
        i -= heads_;
        if (ids_ == nullptr || i < count_) {
            const std::size_t member = set_.nth(i);
            return {*base_ + names_[member], member, Deck::kNoCard};
        }
        i -= count_;
        if (i < count_ * whites_count_) {
            const std::uint32_t quotient = i * kReciprocals[whites_count_] >> 16;
            const std::size_t member = set_.nth(quotient), white = whites_.nth(i - quotient * whites_count_);
            return {beside_white(member, white), member, white};
        }
        return beside_special(i - count_ * whites_count_);
    }

    // 2^16 / i rounded up; exact for quotients of numbers below 84 * 6.
    static constexpr std::array<std::uint32_t, kSymbols + 1> kReciprocals{0, 65536, 32768, 21846, 16384, 13108, 10923};

    [[nodiscard]] Action beside_white(std::size_t member, std::size_t white) const {
        return ids_->white + names_[member] * ids_->whites + names_[white] - ids_->coloured;
    }
    [[nodiscard]] Choice beside_special(std::uint32_t i) const;

    std::uint32_t size_, heads_, count_, whites_count_;
    const Action *head_, *base_;  // of a game's ids
    CardSet set_, whites_;
    const std::uint8_t* names_;  // what is added to an id for a member of a set
    const ActionIds* ids_;       // null where there are no pairs
    // At a turn:
    CardSet any_colour_;      // what may be beside the monk's card
    std::uint32_t specials_;  // those that may be beside a card, a bit for each
};

// What chance may do: equally likely members of a set of which several may mean the same, or kinds of
// bonus tiles with weights.
class ChanceOutcomes {
  public:
    [[nodiscard]] std::uint32_t total() const { return total_; }
    [[nodiscard]] Action at(std::uint32_t r) const {
        if (!of_kinds_) return base_ + names_[set_.nth(r)];
        return base_ + names_[std::popcount(greater((r + 1) * kLaneOnes, sums_))];
    }
    template <class F>
    void for_each(F&& f) const {
        Action outcome = -1;
        std::uint32_t weight = 0;
        const auto give = [&](Action next, std::uint32_t more) {
            if (next != outcome && weight > 0) {
                f(base_ + outcome, weight);
                weight = 0;
            }
            outcome = next;
            weight += more;
        };
        if (!of_kinds_) {
            set_.for_each([&](std::size_t member) { give(names_[member], 1); });
        } else {
            const Lanes weights = sums_ - (sums_ << 8);
            for (std::size_t i = 0; i < kBonusKinds; ++i) {
                give(names_[i], static_cast<std::uint32_t>(count_of(weights, i)));
            }
        }
        if (weight > 0) f(base_ + outcome, weight);
    }

  private:
    friend class Game;

    std::uint32_t total_;
    Action base_;
    bool of_kinds_ = false;
    const std::uint8_t* names_;  // what is added to an id for a member of the set, or for a lane
    CardSet set_;
    Lanes sums_;  // of the weights of a lane and those before it
};

class Game {
  public:
    using State = tajmahal::State;
    using Rules = tajmahal::Rules;
    static constexpr std::string_view kName = "tajmahal";
    static constexpr bool kFewestPointsWin = false;
    static constexpr std::size_t kPhasesApart = kPhases;
    static constexpr std::array kHooks{Hook::kIsLegal, Hook::kApplyNth, Hook::kApplyOutcome, Hook::kPhasesApart};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return ids_.end; }
    [[nodiscard]] int max_game_length() const;

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const {
        if ((kPlayersPhases >> static_cast<unsigned>(state.phase) & 1U) != 0) return state.turn;
        return state.phase == Phase::over ? kTerminal : kChance;
    }
    [[nodiscard]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] ChanceOutcomes chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    // The same for the i-th of the legal actions, and for the outcome whose share holds r.
    void apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const;
    void apply_outcome(State& state, const ChanceOutcomes& outcomes, std::uint32_t r) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> observation_shape() const;
    void observe(const State& state, Player player, std::span<float> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // What views show.
    [[nodiscard]] const Deck& deck() const { return deck_; }
    [[nodiscard]] std::size_t seats() const { return players_; }
    [[nodiscard]] std::size_t num_cities() const { return cities_; }
    [[nodiscard]] std::vector<std::string> card_names() const;
    [[nodiscard]] std::vector<std::string> city_names() const;
    [[nodiscard]] std::string city_name(std::size_t city) const;
    [[nodiscard]] std::size_t province_of(std::size_t city) const { return province_of_[city]; }
    [[nodiscard]] bool is_fortress(std::size_t city) const { return fortresses_.has(city); }
    [[nodiscard]] Cities neighbours(std::size_t city) const { return neighbours_[city]; }
    // The symbols on the production tile of a visit, which are counted from 0.
    [[nodiscard]] std::array<std::uint8_t, kCommodities> production(std::size_t visit) const;
    [[nodiscard]] Places places(const State& state) const { return deck_.places(state.cards); }
    [[nodiscard]] Counts discards(const State& state) const;
    [[nodiscard]] Counts fictive_cards(const State& state) const;
    [[nodiscard]] static Lanes special_symbols(const State& state, std::size_t player) {
        return kSpecialSymbols[state.used & state.specials[player]];
    }
    [[nodiscard]] Lanes fictive_symbols(const State& state) const;
    [[nodiscard]] static Cities own_moguls(const State& state, std::size_t player) {
        return state.moguls.where(static_cast<unsigned>(player + 1));
    }
    // Those with a palace of either sort.
    [[nodiscard]] static Cities own_cities(const State& state, std::size_t player) {
        return state.sites.palaces_of(player) | own_moguls(state, player);
    }
    // The player's palace points if he withdrew with what stands now in the province (TM-17).
    [[nodiscard]] int palace_points(const State& state, std::size_t player, std::size_t province) const;
    // Whether somebody's turn is under way: his turn, his withdrawal, or the fictive card after it.
    [[nodiscard]] static bool has_turn(const State& state) {
        return state.phase >= Phase::turn && state.phase <= Phase::fictive;
    }
    // The province that bears the number of the visit; only when that is given out.
    [[nodiscard]] std::size_t current_province(const State& state) const {
        return state.numbers[state.visit - std::size_t{1}] - 1;
    }

  private:
    // A play of one coloured card and perhaps another: what an id from `alone` to `at` means.
    struct Play {
        Lanes symbols;
        std::uint8_t type;
        std::uint8_t white;    // type, or Deck::kNoType
        std::uint8_t special;  // a set of at most one
        std::uint8_t fixes;    // colour plus 1 if no colour is fixed before
        std::uint8_t points;   // TM-9
    };

    struct ProductionTile {
        std::array<std::uint8_t, 2> goods;
        std::uint8_t size;  // 1 or 2
    };

    // The phases in which a player acts, a bit for each.
    static constexpr std::uint32_t kPlayersPhases =
        1U << static_cast<unsigned>(Phase::turn) | 1U << static_cast<unsigned>(Phase::build) |
        1U << static_cast<unsigned>(Phase::crown) | 1U << static_cast<unsigned>(Phase::take);

    // Reading of the data (tajmahal_data.cpp).
    void read_deck(const Value& data);
    void read_map(const Value& data);
    void read_tiles(const Value& data);
    void number_actions();

    // Chapters of the rule book (tajmahal.cpp).
    void begin_visit(State& state) const;
    [[gnu::noinline]] void end_visit(State& state) const;
    void begin_turns(State& state) const;
    void end_turn(State& state) const;
    [[nodiscard]] const Play& play_of(Action action) const {
        return plays_[static_cast<std::size_t>(action - ids_.alone)];
    }
    void reveal(State& state, std::size_t card) const;
    void play(State& state, const Play& play, std::size_t card, std::size_t white) const;
    void withdraw(State& state) const;
    void go_on_building(State& state) const;
    void end_building(State& state) const;
    void build_ordinary(State& state, std::size_t city) const;
    void build_mogul(State& state, std::size_t city) const;
    void go_on_drawing(State& state) const;
    void take(State& state, std::size_t card) const;
    void turn_up(State& state, std::size_t card) const;
    void hand_over_special_cards(State& state) const;
    void score_hands(State& state) const;
    // TM-5: whether a card can be drawn, now that one is needed.
    bool can_draw(State& state) const { return !state.cards.pile.empty() || deck_.refill(state.cards, state.fictive); }
    static void gain_good(State& state, std::size_t player, std::size_t good, std::size_t number);
    [[nodiscard]] Cities building_sites(const State& state) const;
    [[nodiscard]] CardSet takable(const State& state) const;
    [[nodiscard]] static Lanes bonus_lying(const State& state);

    // Chapters of fault() (tajmahal_fault.cpp).
    [[nodiscard]] std::string fault_of_ranges(const State& state) const;
    [[nodiscard]] std::string fault_of_map(const State& state) const;
    [[nodiscard]] std::string fault_of_cards(const State& state) const;
    [[nodiscard]] std::string fault_of_set_up(const State& state) const;
    [[nodiscard]] std::string fault_of_visit(const State& state) const;
    [[nodiscard]] std::string fault_of_played(const State& state) const;
    [[nodiscard]] std::string fault_of_withdrawal(const State& state) const;
    [[nodiscard]] bool may_lie(const State& state, std::size_t seat) const;

    Rules rules_;
    std::size_t players_;
    ActionIds ids_{};
    Deck deck_;
    std::vector<Play> plays_;

    std::size_t cities_ = 0;
    std::array<std::uint8_t, kMostCities> province_of_{};
    std::array<std::uint8_t, kMostCities> city_digit_{};
    std::array<std::size_t, kProvinces> first_city_{};
    std::array<Cities, kProvinces> province_cities_{};
    std::array<Cities, kMostCities> neighbours_{};
    Cities fortresses_, tiled_;  // those on which a bonus tile is laid: all but the Taj Mahal's
    std::size_t taj_mahal_ = 0;
    int taj_mahal_points_ = 0;
    std::array<ProductionTile, kVisits> production_tiles_{};
    Lanes bonus_supply_ = 0;                               // tiles of each kind
    std::array<std::uint8_t, kBonusKinds> bonus_kinds_{};  // those there are
    std::array<std::uint8_t, kBonusKinds> bonus_names_{};  // and where each is among them
    std::size_t bonus_kind_count_ = 0;
    std::array<std::uint8_t, 128> member_names_{};    // i at i
    std::array<std::uint8_t, 128> province_names_{};  // letters without the Taj Mahal's, counted
    State initial_{};
};

static_assert(tilery::Game<Game> && sizeof(State) == 512);

}  // namespace tilery::tajmahal

extern template tilery::Played tilery::playout(const tilery::tajmahal::Game&, tilery::tajmahal::State&, tilery::Rng&);
