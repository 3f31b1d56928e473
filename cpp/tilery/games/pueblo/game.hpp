// SPDX-License-Identifier: MIT
// Pueblo (Kiesling, Kramer; Ravensburger 2002): blocks of one shape on a site of 8 x 8 squares, and
// a chieftain who walks around it and punishes what he sees. docs/rules/pueblo.md explains it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tilery/core/game.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/games/pueblo/choices.hpp"
#include "tilery/simd/byte_cells.hpp"

namespace tilery::pueblo {

inline constexpr int kMostPlayers = 4;
inline constexpr int kSquares = kSide * kSide;
inline constexpr int kSpaces = 4 * (kSide + 1);      // of the chieftain's path, corners included (PB-7)
inline constexpr int kMostSteps = 4;                 // of the chieftain in one turn (PB-13)
inline constexpr int kCubes = 4;                     // of a block
inline constexpr int kMostBlocks = 36;               // of all players (PB-11)
inline constexpr int kMostLevels = kMostBlocks + 1;  // PB-6
inline constexpr int kMostSites = 4;
inline constexpr int kRemovable = kSquares - kSide;  // squares that can be the first of a block

// Pairs of a coloured and a neutral block for each player, beside the single coloured one (PB-11).
inline constexpr std::array<int, kMostPlayers + 1> kPairs{0, 0, 7, 5, 4};
inline constexpr int kAsidePairs = 2;  // PB-23
static_assert(2 * (2 * kPairs[2] + 1) == 30 && 3 * (2 * kPairs[3] + 1) == 33 && 4 * (2 * kPairs[4] + 1) == kMostBlocks);

// Where the square that a window leaves out lies, seen from its apex (PB-29).
enum class Direction : std::uint8_t { ne, nw, se, sw };
enum class Corner : std::uint8_t { sw, nw, ne, se };  // clockwise, nine spaces apart
enum class Handedness : std::uint8_t { right, left };
inline constexpr std::array<std::string_view, 4> kDirections{"ne", "nw", "se", "sw"};

struct Site {  // a sacred site (PB-27)
    std::uint8_t apex;
    Direction direction;
    auto operator<=>(const Site&) const = default;
};
using Sites = FixedVector<Site, kMostSites>;

struct Rules {
    int players = 2;
    bool demolition = false;
    bool pro = false;
    Sites sites{};
    Corner start_corner = Corner::sw;
    Handedness handedness = Handedness::right;
    int first_bidder = 0;
    int max_bid = 50;

    static constexpr auto options() {
        return std::tuple{int_option("players", &Rules::players, 2, kMostPlayers),
                          bool_option("demolition", &Rules::demolition),
                          bool_option("pro", &Rules::pro),
                          own_option("sites", &Rules::sites, &read_sites, &write_sites),
                          choice_option("start_corner", &Rules::start_corner, {"sw", "nw", "ne", "se"}),
                          choice_option("handedness", &Rules::handedness, {"right", "left"}),
                          int_option("first_bidder", &Rules::first_bidder, 0, kMostPlayers - 1),
                          int_option("max_bid", &Rules::max_bid, 1, 99)};
    }
    static Sites read_sites(const Value& value);
    static Value write_sites(const Sites& sites);
};

// Whose a cube is: a seat 0..3, or neutral. Inside a state a cube is its owner's code, 1..5, so that
// 0 is no cube.
inline constexpr int kNeutral = kMostPlayers;
inline constexpr int kCodeBits = 3;

enum class Step : std::uint8_t { place, move, remove, bid, token, over };
inline constexpr std::array<std::string_view, 6> kSteps{"place", "move", "remove", "bid", "token", "over"};

// Levels up to this one are bits of a byte for each square; what is higher is rare, and kept in a list.
inline constexpr int kLowLevels = 8;

// A block that stands, where demolition needs to know: the square that comes first rank by rank, the
// level (from 0) of its lowest cube there, and how it lies. Blocks sort as the contract numbers them.
//
//   bits 0-3     shape: 3 * direction + which of apex, R, L bears two of its cubes
//   bits 4-9     level
//   bits 10-15   square
using Block = std::uint16_t;

// Codes of the cubes above the low levels, four bits each, square by square and upwards.
using HighCubes = std::array<std::uint64_t, kMostBlocks * kCubes / 16>;

struct State {
    ByteCells heights;  // number of cubes on each square, rank by rank from a1
    // Bit k of cubes[b][square] is bit b of the code of the cube on level k + 1.
    std::array<ByteCells, kCodeBits> cubes;
    HighCubes high_cubes;
    // First squares of the blocks that the player to act may remove; 0 at other steps. A cache of
    // recomputed_removable(), which asks every block.
    std::uint64_t removable;
    std::array<std::uint32_t, kMostPlayers> points;
    FixedVector<Block, kMostBlocks> blocks;                        // sorted; only with demolition
    std::array<std::array<std::uint8_t, 2>, kMostPlayers> supply;  // coloured, neutral
    std::array<std::uint8_t, kMostPlayers> order;                  // of tokens: player + 1, or 0 if not yet taken
    std::uint8_t aside;                                            // pairs set aside by each player
    std::uint8_t part;                                             // 1..3
    Step step;
    std::uint8_t player;     // to act; 0 when the game is over
    std::uint8_t turn;       // his place in the order, from 0; 0 when nobody builds or demolishes
    std::uint8_t chieftain;  // his space
    // The auction for one token; all 0 outside of it.
    std::uint8_t opener;
    std::uint8_t bid;
    std::uint8_t bidder;  // player + 1
    std::uint8_t passed;  // set of players

    bool operator==(const State&) const = default;
};

// Three squares in a window (PB-4).
struct Window {
    std::uint8_t apex, right, left;
};

using Points = std::array<std::uint32_t, kMostPlayers>;

// Ids: places, steps of the chieftain, then removals, bids, pass and tokens as far as the rules have
// them; see docs/rules/pueblo.md.
class Game {
  public:
    using State = pueblo::State;
    using Rules = pueblo::Rules;
    static constexpr std::string_view kName = "pueblo";
    static constexpr bool kFewestPointsWin = true;
    static constexpr std::array kHooks{Hook::kIsLegal};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return end_; }
    [[nodiscard]] int max_game_length() const;

    [[nodiscard]] State initial_state() const;
    [[nodiscard]] Player current_player(const State& state) const {
        return state.step == Step::over ? kTerminal : static_cast<Player>(state.player);
    }
    [[nodiscard]] Choices legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] OutcomeList<1> chance_outcomes(const State&) const { return {}; }  // there is no chance
    void apply_action(State& state, Action action) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> observation_shape() const;
    void observe(const State& state, Player player, std::span<float> out) const;
    void determinize(State&, Player, Rng&) const {}  // nothing is hidden
    [[nodiscard]] std::string fault(const State& state) const;

    // The information state but for the building.
    [[nodiscard]] Value::Object summary(const State& state) const;
    // Where a block fits (PB-4).
    [[nodiscard]] Fits fits(const State& state) const;
    // The owner of a cube; level from 0, below the square's height.
    [[nodiscard]] int owner(const State& state, int square, int level) const;
    // The points that the chieftain would give from a space (PB-8, PB-9).
    [[nodiscard]] Points seen_from(const State& state, int space) const {
        Points points{};
        add_seen_from(state, space, points);
        return points;
    }
    // The squares he looks along, nearest first, or his quarter if it is a corner's space.
    [[nodiscard]] static std::span<const std::uint8_t> looked_at(int space);
    // The squares of the blocks that own the topmost cubes of all of them (PB-20), whoever's.
    [[nodiscard]] std::uint64_t unburdened(const State& state) const;

  private:
    // One of the three columns of a block, relative to its first square and its level there.
    struct Column {
        std::int8_t square, level;
        std::uint8_t cubes;
    };
    using Shape = std::array<Column, 3>;

    // Building (pueblo.cpp)
    [[nodiscard]] bool window_fits(const State& state, const Window& window) const;
    void place(State& state, Action action) const;
    void move(State& state, int steps) const;
    void end_building(State& state) const;
    void give_turn(State& state, int turn) const {
        state.turn = static_cast<std::uint8_t>(turn);
        state.player = static_cast<std::uint8_t>(state.order[state.turn] - 1);
        state.step = Step::place;
        if (state.part == 3) begin_demolition_turn(state);
    }
    void end_game(State& state) const;
    [[nodiscard]] bool fits_anywhere(const State& state) const;

    [[nodiscard]] std::string columns_fault(const State& state, std::array<int, kMostPlayers + 1>& cubes) const;
    [[nodiscard]] std::string hands_fault(const State& state, const std::array<int, kMostPlayers + 1>& cubes,
                                          std::array<int, kMostPlayers>& placed) const;
    [[nodiscard]] std::string turns_fault(const State& state, const std::array<int, kMostPlayers>& placed) const;

    // The chieftain (pueblo_chieftain.cpp)
    void add_seen_from(const State& state, int space, Points& points) const;
    void add_seen_from_corner(const State& state, std::size_t corner, Points& points) const;
    void add_seen_above(const State& state, std::size_t space, Points& points) const;
    [[nodiscard]] Points seen_all_round(const State& state) const;

    // Demolition (pueblo_demolition.cpp)
    [[nodiscard]] static int first_square(Block block) { return block >> 10; }
    [[nodiscard]] static int level_of(Block block) { return block >> 4 & 63; }
    [[nodiscard]] const Shape& shape_of(Block block) const { return shapes_[block & 15]; }
    [[nodiscard]] int block_owner(const State& state, Block block) const {
        return owner(state, first_square(block), level_of(block));
    }
    [[nodiscard]] bool is_removable(const State& state, Block block) const;
    void begin_demolition_turn(State& state) const;
    [[nodiscard]] std::uint64_t recomputed_removable(const State& state, int player) const;
    void take_away(State& state, std::size_t index) const;
    void remove(State& state, int square) const;
    [[nodiscard]] Value block_numbers(const State& state) const;
    [[nodiscard]] std::string blocks_fault(const State& state) const;

    // Auction (pueblo_auction.cpp)
    void open_auction(State& state, int part) const;
    void open_token(State& state, int opener) const;
    [[nodiscard]] unsigned bidders_left(const State& state) const;
    void bid(State& state, int amount) const;
    void pass(State& state) const;
    void take_token(State& state, int token) const;
    void close_auction(State& state) const;
    [[nodiscard]] std::string auction_fault(const State& state) const;

    Rules rules_;
    Action remove_, bid_, pass_, token_, end_;  // the first ids of the blocks
    std::uint64_t covered_ = 0;                 // squares under sacred sites
    Fits open_{};  // apexes of the windows inside the site that no sacred site touches (PB-5)
    std::array<Window, kWindows> windows_{};
    std::array<Shape, 12> shapes_{};
};

inline Fits Game::fits(const State& state) const {
    const auto [east, north] = compare_neighbours(state.heights);
    // As in the table of the contract: R lies where the heights must be equal, L where they must be close.
    if (rules_.handedness == Handedness::right) {
        return {open_[0] & east.equal & north.close, open_[1] & north.equal & east.close << 1,
                open_[2] & north.equal << kSide & east.close, open_[3] & east.equal << 1 & north.close << kSide};
    }
    return {open_[0] & north.equal & east.close, open_[1] & east.equal << 1 & north.close,
            open_[2] & east.equal & north.close << kSide, open_[3] & north.equal << kSide & east.close << 1};
}

static_assert(tilery::Game<Game> && sizeof(State) <= 512);

}  // namespace tilery::pueblo

extern template tilery::Played tilery::playout(const tilery::pueblo::Game&, tilery::pueblo::State&, tilery::Rng&);
