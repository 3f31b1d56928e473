// SPDX-License-Identifier: MIT
// Java (Kiesling and Kramer, Ravensburger 2000) for 2 to 4 players. Rules and all numbering are in
// docs/rules/java.md; comments cite its rule numbers.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tilery/core/game.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/play.hpp"

namespace tilery::java {

inline constexpr std::size_t kMostPlayers = 4;
inline constexpr std::size_t kMostSpaces = 512;  // outside ones included (JA-2)

// The box (JA-4 to JA-6).
inline constexpr int kThreeTiles = 56;
inline constexpr int kWaterTiles = 16;
inline constexpr std::size_t kPalaceValues = 5;  // 2, 4, 6, 8, 10
inline constexpr std::array<std::uint8_t, kPalaceValues> kPalaceTiles{6, 7, 8, 9, 10};
inline constexpr int kTwoTiles = 5;  // from here on each player's own
inline constexpr int kRiceTiles = 3;
inline constexpr int kVillageTiles = 2;
inline constexpr int kTokens = 3;
inline constexpr int kFigures = 12;
inline constexpr std::size_t kKinds = 6;  // of card: m, d, p, md, dp, pm
inline constexpr int kCopies = 5;
inline constexpr int kDealt = 3;

inline constexpr int kActionPoints = 6;
inline constexpr int kMostTaken = 2;  // cards in a turn (JA-27)
inline constexpr int kOwnLandTiles = kTwoTiles + kRiceTiles + kVillageTiles;
static_assert(kThreeTiles + kMostPlayers * kOwnLandTiles == 96 && kKinds * kCopies == 30);

enum class TokenTiming : std::uint8_t { kAny, kTurnStart };
enum class IrrigationScoring : std::uint8_t { kPerBody, kPerSpace };

// The board option as it was given, checked: a name, or the whole object (JA-2).
[[nodiscard]] Value read_board_option(const Value& given);
[[nodiscard]] Value write_board_option(const Value& board);

struct Rules {
    static constexpr std::string_view kFileOption = "board";
    static constexpr std::array<std::string_view, 2> kShipped{"java-153", "java-155"};

    int players = 2;
    Value board = kShipped[0];
    TokenTiming token_timing = TokenTiming::kAny;
    bool two_on_three = true;
    bool irrigation_on_perimeter = false;
    IrrigationScoring irrigation_scoring = IrrigationScoring::kPerBody;

    static constexpr auto options() {
        return std::tuple{int_option("players", &Rules::players, 2, static_cast<int>(kMostPlayers)),
                          own_option("board", &Rules::board, read_board_option, write_board_option),
                          choice_option("token_timing", &Rules::token_timing, {"any", "turn_start"}),
                          bool_option("two_on_three", &Rules::two_on_three),
                          bool_option("irrigation_on_perimeter", &Rules::irrigation_on_perimeter),
                          choice_option("irrigation_scoring", &Rules::irrigation_scoring, {"per_body", "per_space"})};
    }
};

// What is on the spaces, one set of cells each. A cell is a space in the game's own numbering.
enum Plane : std::uint8_t {
    kHeight,              // seven planes: the bits of the height, lowest first
    kLand = kHeight + 7,  // height above 0
    kVillage,             // a village on top, also below a palace
    kWater,               // irrigation tiles, not the printed ones
    kPalace,              // three planes: the bits of value / 2
    kFresh = kPalace + 3,
    kFigure,                           // a plane for each player
    kSingle = kFigure + kMostPlayers,  // bonds (JA-R3), each at its first space: of one space,
    kPair,                             // of two: the other is E, SE, SW of it,
    kTriple = kPair + 3,               // of three: the others are E and SE, or SE and SW of it
    kBlocked = kTriple + 2,            // no tile may lie here (JA-12): irrigation tiles, palaces, figures
    kChanged,                          // palaces changed this turn (JA-25)
    kStarted,                          // what JA-22 remembers
    kEnded,
    kPlanes
};
inline constexpr std::size_t kHeightBits = 7;

enum class Phase : std::uint8_t { kDeal, kTurn, kOpenDraw, kPileDraw, kFestival, kOver };

using Cards = std::array<std::uint8_t, kKinds>;  // how many of each kind
template <class T>
using PerSeat = std::array<T, kMostPlayers>;

inline constexpr std::uint16_t kNowhere = 0xFFFF;
inline constexpr std::uint8_t kNone = 0xFF;

// Seats and cells that a game does not have are clear, and so is everything that is over.
struct State {
    // Plane p lies at words p * w to p * w + w - 1, w being the words of a set in this game.
    std::array<std::uint64_t, kPlanes * kMostSpaces / 64> planes;
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

// The legal actions of a decision: sets of cells, each with the id that belongs to each cell.
// Cells ascend by slots of all words of a set, and by words within a slot (java_cells.hpp).
class LegalActions {
  public:
    LegalActions(std::size_t words, std::size_t slots)
        : set_words_(static_cast<std::uint32_t>(words)), slots_(static_cast<std::uint32_t>(slots)) {}

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const;
    template <class F>
    void for_each(F&& f) const {
        for (std::size_t b = 0; b < blocks_; ++b) {
            for (std::size_t slot = 0; slot < slots_; ++slot) {
                for (std::size_t w = 0; w < set_words_; ++w) {
                    for (std::uint64_t word = words_[first_word_[b] + w] & slot_mask(slot, slots_); word != 0;
                         word &= word - 1) {
                        f(base_[b] + ids_[b][64 * w + static_cast<std::size_t>(std::countr_zero(word))]);
                    }
                }
            }
        }
    }

    [[nodiscard]] std::size_t set_words() const { return set_words_; }
    // Room for the words of a set; it serves one block or more.
    [[nodiscard]] std::uint64_t* room() {
        assert(used_ + set_words_ <= words_.size());
        std::uint64_t* const words = &words_[used_];
        used_ += set_words_;
        return words;
    }
    // A block of ids base + ids[cell] over the cells of a set there, so many of them.
    void add(const std::uint64_t* set, std::uint32_t count, Action base, const std::uint16_t* ids) {
        assert(blocks_ < kMostBlocks);
        size_ += count;
        first_word_[blocks_] = static_cast<std::uint16_t>(set - words_.data());
        base_[blocks_] = base;
        ids_[blocks_] = ids;
        end_[blocks_++] = size_;
    }

  private:
    static constexpr std::size_t kMostBlocks = 26;

    [[nodiscard]] static constexpr std::uint64_t slot_mask(std::size_t slot, std::size_t slots) {
        const std::size_t width = 64 / slots;
        return (~std::uint64_t{0} >> (64 - width)) << (width * slot);
    }
    template <std::size_t Words, std::size_t Slots>
    [[nodiscard]] static std::size_t nth_cell(const std::uint64_t* words, std::uint32_t n);

    std::uint32_t size_ = 0;
    std::uint32_t set_words_, slots_;
    std::size_t blocks_ = 0;
    std::size_t used_ = 0;
    // Left uninitialised on purpose, as all scratch.
    std::array<std::uint32_t, kMostBlocks> end_;
    std::array<std::uint16_t, kMostBlocks> first_word_;
    std::array<Action, kMostBlocks> base_;
    std::array<const std::uint16_t*, kMostBlocks> ids_;
    std::array<std::uint64_t, kMostBlocks * kMostSpaces / 64> words_;
};

struct Move;    // what an id means: java_board.hpp
struct Tables;  // board, ids and the sets of cells made from them: java_island.hpp

// Copies share their tables, which never change.
class Game {
  public:
    using State = java::State;
    using Rules = java::Rules;
    static constexpr std::string_view kName = "java";
    static constexpr bool kFewestPointsWin = false;

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const;
    [[nodiscard]] int max_game_length() const;

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const {
        switch (state.phase) {
            case Phase::kTurn:
                return state.turn;
            case Phase::kFestival:
                return state.bidder;
            case Phase::kOver:
                return kTerminal;
            default:
                return kChance;
        }
    }
    [[nodiscard]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] OutcomeList<kKinds> chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> observation_shape() const;
    void observe(const State& state, Player player, std::span<float> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // Views. Spaces are given by name, except where a list has an item for each, by number.
    [[nodiscard]] Value spaces() const;  // [row, column] of each
    [[nodiscard]] std::vector<int> heights(const State& state) const;
    [[nodiscard]] std::string terrain(const State& state) const;         // `tops` of the information state
    [[nodiscard]] Value tiles(const State& state) const;                 // bonds (JA-R3)
    [[nodiscard]] Value figures(const State& state) const;               // [space, player]
    [[nodiscard]] Value settlements(const State& state) const;           // JA-14
    [[nodiscard]] Value bodies(const State& state) const;                // JA-17
    [[nodiscard]] Value cards(const State& state, Player player) const;  // as that player knows them
    [[nodiscard]] int cost(const State& state, Action action) const;     // action points of a legal action

  private:
    // java.cpp
    [[nodiscard]] static std::uint32_t bids(const State& state);  // ids as bits
    void add_bids(const State& state, LegalActions& legal) const;
    template <class I>
    void act(const I& island, State& state, Move move) const;
    void take_card(State& state, bool open) const;
    void draw(State& state, std::size_t kind) const;
    void begin_turn(State& state, std::size_t player) const;
    void clear_turn(State& state) const;
    [[gnu::noinline]] void end_turn(State& state) const;
    [[gnu::noinline]] void call_festival(State& state, std::uint16_t palace) const;
    void bid(State& state, Move move) const;
    [[nodiscard]] static bool bidding_is_over(const State& state);
    [[gnu::noinline]] void end_festival(State& state) const;

    // java_views.cpp, in space numbers
    [[nodiscard]] int height_at(const State& state, std::size_t space) const;
    [[nodiscard]] int palace_at(const State& state, std::size_t space) const;  // its value, or 0
    [[nodiscard]] std::vector<std::size_t> spaces_in(const State& state, std::size_t plane) const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> bonds(const State& state) const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> groups(const State& state,
                                                               bool (*member)(const Tables&, const State&,
                                                                              std::size_t)) const;
    [[nodiscard]] Value names(const std::vector<std::size_t>& spaces) const;
    [[nodiscard]] Value name_of_cell(std::uint16_t cell) const;
    [[nodiscard]] Value ranking(const State& state, const std::vector<std::size_t>& place) const;

    // java_fault.cpp
    [[nodiscard]] std::string fault_of_planes(const State& state) const;
    [[nodiscard]] std::string fault_of_supply(const State& state) const;
    [[nodiscard]] std::string fault_of_spaces(const State& state) const;
    [[nodiscard]] std::string fault_of_bonds(const State& state) const;
    [[nodiscard]] std::string fault_of_turn(const State& state) const;
    [[nodiscard]] std::string fault_of_festival(const State& state) const;

    Rules rules_;
    std::shared_ptr<const Tables> tables_;
};

static_assert(tilery::Game<Game> && sizeof(State) <= 2048 && alignof(State) == 8);

}  // namespace tilery::java

extern template tilery::Played tilery::playout(const tilery::java::Game&, tilery::java::State&, tilery::Rng&);
