// SPDX-License-Identifier: MIT
// Carcassonne, Winter Edition; rules and contract: docs/rules/carcassonne.md. Rule numbers in the
// comments are those of that page.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/play.hpp"
#include "tilery/games/carcassonne/tiles.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::carcassonne {

inline constexpr int kMeeples = 7;         // of each player (CA-8)
inline constexpr int kReach = 83;          // no cell of the land is farther from (0, 0) (CA-2)
inline constexpr int kMostPoints = 480;    // nobody can pass them
inline constexpr int kMostHand = 3;        // CA-H4
inline constexpr int kMonasteryTiles = 9;  // itself and all around it (CA-14)
inline constexpr int kMostRounds = 10;     // of drawing for the start (CA-H2)

// n tiles touch at most 2 n + 2 empty cells, by as many edges.
inline constexpr std::size_t kOpenCells = 2 * kTiles + 2;

// A cell as one number that sorts by y, then x.
using Cell = std::int16_t;
inline constexpr int kMiddleColumn = 84;
inline constexpr Cell kNoCell = 0x7FFF;
inline constexpr int kRowStep = 256;  // from a cell to the one in the north
[[nodiscard]] constexpr Cell cell_at(int x, int y) { return static_cast<Cell>(y * 256 + x + kMiddleColumn); }
[[nodiscard]] constexpr int x_of(Cell cell) { return (cell & 0xFF) - kMiddleColumn; }
[[nodiscard]] constexpr int y_of(Cell cell) { return cell >> 8; }

// West, south, east, north; inclusive (CA-H10).
using Table = std::array<std::int64_t, 4>;

enum class TileSet { kWinter, kBase };
enum class FirstPlayer { kSeat0, kMostRoads };
enum class Hands { kHidden, kOpen };
enum class Unplaceable { kDiscard, kReturn };

struct Rules {
    int players = 2;
    TileSet tiles = TileSet::kWinter;
    bool farmers = true;
    FirstPlayer first_player = FirstPlayer::kSeat0;
    int hand_size = 0;
    Hands hands = Hands::kHidden;
    bool start_tile_in_bag = false;
    Unplaceable unplaceable = Unplaceable::kDiscard;
    bool trees_end_roads = true;
    bool tile_sale = false;
    bool gap_bonus = false;
    bool score_unfinished = true;
    std::optional<Table> table;
    bool edge_closes = false;

    static int read_hand_size(const Value& value);
    static Value write_hand_size(const int& size) { return size; }
    static std::optional<Table> read_table(const Value& value);
    static Value write_table(const std::optional<Table>& table);

    static auto options() {
        static constexpr std::string_view tile_sets[] = {"winter", "base"};
        static constexpr std::string_view starts[] = {"seat_0", "most_roads"};
        static constexpr std::string_view hand_kinds[] = {"hidden", "open"};
        static constexpr std::string_view fates[] = {"discard", "return"};
        return std::tuple{int_option("players", &Rules::players, 2, kMaxPlayers),
                          choice_option("tiles", &Rules::tiles, tile_sets),
                          bool_option("farmers", &Rules::farmers),
                          choice_option("first_player", &Rules::first_player, starts),
                          own_option("hand_size", &Rules::hand_size, read_hand_size, write_hand_size),
                          choice_option("hands", &Rules::hands, hand_kinds),
                          bool_option("start_tile_in_bag", &Rules::start_tile_in_bag),
                          choice_option("unplaceable", &Rules::unplaceable, fates),
                          bool_option("trees_end_roads", &Rules::trees_end_roads),
                          bool_option("tile_sale", &Rules::tile_sale),
                          bool_option("gap_bonus", &Rules::gap_bonus),
                          bool_option("score_unfinished", &Rules::score_unfinished),
                          own_option("table", &Rules::table, read_table, write_table),
                          bool_option("edge_closes", &Rules::edge_closes)};
    }
};

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

// A meeple's slot is 8 * seat + 0..6; the eighth is never used. Labels are compared sixteen slots
// at a time.
inline constexpr std::size_t kSlots = 8;
inline constexpr std::size_t kAllSlots = kSlots * kMaxPlayers;

// The land is a list of rows in the order of placing: a row holds a tile with the labels of four of
// its segments, and the row behind it the others if there are more (carcassonne_tiles.hpp). Row 0
// is no tile. A label names a feature by a number: roads and cities share one series, fields have
// another. Its highest bit says that there is a meeple in the feature; on features that are
// complete the bit means nothing.
//
// Rows, labels and slots depend on the order of events; Game::canonical() numbers them anew.
inline constexpr std::size_t kRows = 104;
inline constexpr std::uint8_t kOccupied = 0x80;
inline constexpr std::uint8_t kMonk = 0xFF;  // where a label is due: the meeple stands in a monastery

struct State {
    std::array<std::uint64_t, 2> shields;  // the rows of tiles with a shield
    std::array<std::uint64_t, 2> walled;   // the labels of complete cities
    std::array<std::uint8_t, 8> unused;    // the next unused label for each place of two rows
    std::array<Cell, 176> cells;           // the open cells, ascending, and kNoCell behind them
    std::array<Cell, kRows> tile_cells;    // of each row, or kNoCell
    std::array<std::array<std::uint8_t, kRowSegments>, kRows> labels;
    std::array<std::uint16_t, kMaxPlayers> scores;
    std::uint16_t options;                     // phase meeple: the ids allowed, from `-` on
    std::uint16_t price;                       // phases bid, accept: the highest named
    std::array<std::uint8_t, 192> sides;       // of each open cell, the edges that face it (Sides)
    std::array<std::uint8_t, 176> first;       // of each open cell, the first of its neighbours in the next array
    std::array<std::uint8_t, 192> neighbours;  // the rows that face open cells: by cell, then west, south, north, east
    std::array<std::uint8_t, kRows> tile_codes;  // of each row, or 0
    std::array<std::uint8_t, 128> open;          // of each label of a road or city, its open ends; of 0 always 1
    std::array<std::uint8_t, 48> meeple_labels;  // the label of its feature, for farmers without the highest bit; or 0
    std::array<std::uint8_t, kAllSlots> meeple_rows;
    std::array<std::uint8_t, kAllSlots> meeple_segments;  // from `-` as 0
    std::array<std::uint8_t, kPileBytes> pile;            // the tiles left of this type and all before it
    std::array<std::array<std::uint8_t, kMostHand>, kMaxPlayers> hands;  // types from 1, ascending; 0 behind them
    std::array<std::uint8_t, kMaxPlayers> shown;   // bit i: all know the i-th tile of the hand; first of equal ones
    std::array<std::uint8_t, kMaxPlayers> supply;  // meeples at home
    Phase phase;
    std::int8_t actor;     // current_player()
    std::int8_t turn;      // the mover; after a sale the buyer; -1 before and after play
    std::int8_t ordinary;  // who has, or last had, an ordinary turn (CA-H8)
    std::int8_t buyer;     // who named the highest price, or -1
    std::uint8_t again;    // phase meeple: the tile filled a gap (CA-H8); phase refill: the mover goes on after it
    std::uint8_t tile;     // the type drawn, from 1; 0 if none is to be placed
    std::uint8_t last;     // phase meeple: the row of the tile just placed
    std::uint8_t rows;     // rows in use, row 0 included
    std::uint8_t num_cells;
    std::uint8_t round;                  // phase order: from 1; `hands` then holds the tiles drawn, one a seat
    std::uint8_t contenders;             // phase order: bit of each seat that draws
    std::array<std::uint8_t, 5> filler;  // always 0

    bool operator==(const State&) const = default;
};

// Actions are blocks of ids: chance, meeple, choose, discard, sale, placement. The ids below count
// from the beginning of their block.
inline constexpr Action kMeepleIds = 12;
inline constexpr std::array<std::string_view, kMeepleIds> kSegmentNames{"-",  "c0", "c1", "r0", "r1", "r2",
                                                                        "r3", "f0", "f1", "f2", "f3", "m"};
inline constexpr std::size_t kFirstRoadId = 3, kFirstFieldId = 7, kMonkId = 11;
enum Sale : Action {
    kOffer = 0,
    kKeep = 1,
    kPrice1 = 2,
    kPass = kPrice1 + kMostPoints,
    kAcceptSale,
    kDecline,
    kSaleIds
};

class Game;

// The legal actions of a decision: sets of cells for placements, a few bits for anything else.
// Good as long as the state stands as it was.
class Actions {
  public:
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] Action operator[](std::uint32_t i) const;
    template <class F>
    void for_each(F&& f) const;

  private:
    friend class Game;
    static constexpr std::size_t kWords = (kOpenCells + 63) / 64;

    // The open cell of a placement, by its number, and the rotation.
    struct Place {
        std::size_t at, rotation;
    };
    [[nodiscard]] Place place(std::uint32_t i) const;

    enum class Kind : std::uint32_t { kBits, kPrices, kPlacements };
    Kind kind_;
    std::uint32_t size_;
    Action base_;  // the id of bit 0, or of the lowest price
    const Game* game_;
    const State* state_;
    std::uint64_t bits_;
    std::array<std::uint32_t, kRotations> begins_;                          // how many come before each rotation
    std::array<std::array<std::uint64_t, kWords>, kRotations> placements_;  // bits are numbers of open cells
};

// The outcomes of a draw: types, weighted by copies.
class Outcomes {
  public:
    [[nodiscard]] std::uint32_t total() const { return upto_[kTypes - 1]; }
    [[nodiscard]] Action at(std::uint32_t r) const;
    template <class F>
    void for_each(F&& f) const {
        std::uint32_t before = 0;
        for (std::size_t type = 0; type < kTypes; ++type) {
            if (upto_[type] > before) f(static_cast<Action>(type), upto_[type] - before);
            before = upto_[type];
        }
    }

  private:
    friend class Game;
    std::array<std::uint8_t, kPileBytes> upto_;  // as State::pile
};

class Game {
  public:
    using State = carcassonne::State;
    using Rules = carcassonne::Rules;
    static constexpr std::string_view kName = "carcassonne";
    static constexpr bool kFewestPointsWin = false;

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return first_placement_ + 4 * width_ * height_; }
    [[nodiscard]] int max_game_length() const;

    [[nodiscard]] State initial_state() const { return initial_; }
    [[nodiscard]] Player current_player(const State& state) const { return state.actor; }
    [[nodiscard]] Actions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] Outcomes chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    void apply_nth(State& state, const Actions& actions, std::uint32_t i) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const;

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] std::vector<int> observation_shape() const { return {observation_size(kWindow)}; }
    void observe(const State& state, Player player, std::span<float> out) const {
        observe(state, player, out, kWindow);
    }
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // The one form of all states that are the same position: rows by cell, labels and slots by
    // first appearance, dead storage cleared.
    [[nodiscard]] State canonical(const State& state) const;

    // The observation in a window of another size (odd, from 1 to kWholeLand); with a table the
    // window means nothing.
    static constexpr int kWindow = 25;
    static constexpr int kWholeLand = 2 * kReach + 1;
    [[nodiscard]] int observation_size(int window) const;
    void observe(const State& state, Player player, std::span<float> out, int window) const;

    // Views; python/tilery/carcassonne.py says what is in them.
    [[nodiscard]] Value features(const State& state) const;
    [[nodiscard]] std::vector<std::array<int, 4>> tiles_laid(const State& state) const;  // x, y, type, rotation
    [[nodiscard]] std::vector<std::array<int, 4>> meeples(const State& state) const;     // x, y, segment, seat
    // Of the open cell of a number: its edges, clockwise from the north; whether a type fits there (CA-4).
    [[nodiscard]] std::array<std::uint8_t, kSides> edges_at(const State& state, std::size_t open_cell) const;
    [[nodiscard]] bool fits_at(const State& state, std::size_t open_cell, std::size_t type, std::size_t rotation) const;
    // Copies of each type: in the pile; that a player has not seen.
    [[nodiscard]] std::vector<int> pile_counts(const State& state) const;
    [[nodiscard]] std::vector<int> unseen_counts(const State& state, Player player) const;

    // The types, from 1, that a player holds (CA-H3); none while it is drawn for the start.
    [[nodiscard]] static std::span<const std::uint8_t> hand_of(const State& state, std::size_t seat);

    [[nodiscard]] const Tiles& tiles() const { return tiles_; }
    [[nodiscard]] std::size_t num_types() const { return types_; }
    [[nodiscard]] Action placement(Cell cell, int rotation) const {
        return first_placement_ + (rotation * height_ + y_of(cell) - south_) * width_ + x_of(cell) - west_;
    }

  private:
    struct Placement {
        Cell cell;
        int rotation;
    };
    // A tile with the meeple on it, if there is one.
    struct Laid {
        Cell cell;
        std::uint8_t code;
        std::uint8_t row;
        std::int8_t seat;      // or -1
        std::uint8_t segment;  // meeple id
    };
    [[nodiscard]] Placement placement_of(Action action) const;
    [[nodiscard]] bool on_table(Cell cell) const {
        const int x = x_of(cell), y = y_of(cell);
        return x >= rim_[0] && y >= rim_[1] && x <= rim_[2] && y <= rim_[3];
    }
    [[nodiscard]] bool fits_somewhere(const State& state, std::size_t type) const;
    void find_placements(const State& state, std::size_t type, Actions& actions) const;
    [[nodiscard]] static int copies_left(const State& state, std::size_t type) {
        return state.pile[type] - (type > 0 ? state.pile[type - 1] : 0);
    }

    [[nodiscard]] std::vector<Laid> land_of(const State& state) const;  // by cell
    [[nodiscard]] bool sees_hand(Player player, std::size_t seat) const;
    [[nodiscard]] Value hands_value(const State& state, Player player) const;
    [[nodiscard]] Value order_value(const State& state) const;
    void derive(State& state) const;
    [[nodiscard]] std::string land_fault(const State& state) const;
    [[nodiscard]] std::string derived_fault(const State& state, const State& fresh) const;
    [[nodiscard]] std::string unscored_fault(const State& fresh) const;
    [[nodiscard]] std::string label_fault(const State& state) const;
    [[nodiscard]] std::string hand_fault(const State& state) const;
    [[nodiscard]] std::string turn_fault(const State& state) const;
    [[nodiscard]] std::string order_fault(const State& state) const;
    [[nodiscard]] std::string mover_fault(const State& state) const;
    [[nodiscard]] std::string hand_size_fault(const State& state) const;
    [[nodiscard]] std::string sale_fault(const State& state) const;
    // `laid`: tiles on the land; `gone`: tiles that have left the game.
    [[nodiscard]] std::string shown_fault(const State& state, int gone) const;
    [[nodiscard]] std::string again_fault(const State& state, int gone) const;
    [[nodiscard]] std::string start_fault(const State& state, int laid, int gone) const;
    [[nodiscard]] std::string actor_fault(const State& state) const;

    void take_from_pile(State& state, std::size_t type) const;
    void draw(State& state, std::size_t type) const;
    [[gnu::noinline]] void draw_unplaceable(State& state, std::size_t type) const;
    void first_tile(State& state, std::size_t type) const;
    void place(State& state, std::size_t at, std::size_t code) const;
    [[nodiscard]] Bytes16 join(State& state, Bytes16 incoming, std::size_t code) const;
    void relabel(State& state, bool field, std::uint8_t from, std::uint8_t to) const;
    void move_edge(State& state, std::size_t at, std::size_t code, std::size_t row) const;
    [[gnu::noinline]] void move_edge_slowly(State& state, std::size_t at, std::size_t code, std::size_t row) const;
    void put_meeple(State& state, std::size_t segment) const;
    [[nodiscard]] std::uint32_t last_mains(const State& state) const;
    void finish_turn(State& state, std::uint32_t mains) const;

    // House rules: carcassonne_house.cpp.
    static void take_in_hand(State& state, std::size_t seat, std::size_t type);
    static void take_from_hand(State& state, std::size_t seat, std::size_t type);
    [[nodiscard]] bool can_be_played(const State& state, std::size_t type) const;
    [[nodiscard]] bool can_draw(const State& state) const;
    [[gnu::noinline]] void leave_out_unplaceable(const State& state, Outcomes& outcomes) const;
    [[gnu::noinline]] void find_house_actions(const State& state, Actions& actions) const;
    [[gnu::noinline]] void apply_house(State& state, Action action) const;
    void begin(State& state) const;
    void start(State& state, int seat) const;
    void draw_for_start(State& state, std::size_t type) const;
    void deal(State& state, std::size_t type) const;
    void refill(State& state, std::size_t type) const;
    [[nodiscard]] bool begin_turn(State& state) const;
    void choose(State& state, std::size_t type) const;
    void discard(State& state, std::size_t type) const;
    void next_ordinary_turn(State& state) const;
    [[gnu::noinline]] void finish_house_turn(State& state) const;

    // CA-H7: carcassonne_sale.cpp.
    [[gnu::noinline]] void offer_if_for_sale(State& state) const;
    [[nodiscard]] bool is_for_sale(const State& state) const;
    struct Ends {
        std::array<std::size_t, kSides> labels{};  // of the road or city on each side, or 0
        unsigned whole = 0;                        // sides where something ends that has no end elsewhere
        unsigned closed = 0;                       // sides closed by the edge of the table (CA-H11)
        bool monastery = false;                    // whether one lacks this cell and no other
    };
    [[nodiscard]] Ends ends_on(const State& state, std::size_t at) const;
    [[nodiscard]] unsigned completions(const Ends& ends, std::size_t type, unsigned rotations) const;
    void trade(State& state, Action id) const;

    [[gnu::noinline]] void score_completed(State& state, std::uint32_t mains) const;
    [[gnu::noinline]] void score_monasteries(State& state, std::uint64_t monks) const;
    [[gnu::noinline]] void score_finally(State& state) const;
    [[nodiscard]] static std::uint64_t slots_with(const State& state, std::uint8_t label);
    void pay(State& state, std::uint64_t slots, int points) const;
    void send_home(State& state, std::uint64_t slots) const;
    [[nodiscard]] int value_of(const State& state, std::uint8_t label, bool city) const;
    [[nodiscard]] int farm_value(const State& state, std::uint8_t label) const;
    [[nodiscard]] static int tiles_around(const State& state, Cell cell);
    [[nodiscard, gnu::noinline]] int monastery_tiles(Cell cell) const;
    [[gnu::noinline]] void end_game(State& state) const;

    Rules rules_;
    Tiles tiles_;
    std::size_t types_;
    int west_, south_, width_, height_;
    std::array<int, 4> rim_;  // the table (CA-H10), as far as a tile can face it
    int least_monastery_;     // no complete one has fewer tiles (CA-14, CA-H11)
    // By the set of sides on which a cell has neighbours: the most open cells with which move_edge()
    // takes the quick way, which knows neither tables nor gaps.
    std::array<std::size_t, 1U << kSides> quick_cells_;
    // With so many tiles in the pile or fewer, more than the next turn may follow a turn: none, or with
    // some house rules all.
    int plain_above_;
    Action first_meeple_, first_choice_, first_discard_, first_sale_, first_placement_;
    State initial_;
};

static_assert(tilery::Game<Game> && sizeof(State) <= 2048 && alignof(State) <= 8);

inline Actions::Place Actions::place(std::uint32_t i) const {
    const std::size_t rotation =
        std::size_t{i >= begins_[1]} + std::size_t{i >= begins_[2]} + std::size_t{i >= begins_[3]};
    i -= begins_[rotation];
    std::size_t w = 0;
    for (;; ++w) {
        const auto count = static_cast<std::uint32_t>(std::popcount(placements_[rotation][w]));
        if (i < count) break;
        i -= count;
    }
    return {64 * w + static_cast<std::size_t>(nth_bit(placements_[rotation][w], i)), rotation};
}

inline Action Actions::operator[](std::uint32_t i) const {
    assert(i < size_);
    if (kind_ == Kind::kPlacements) {
        const auto [at, rotation] = place(i);
        return game_->placement(state_->cells[at], static_cast<int>(rotation));
    }
    if (kind_ == Kind::kBits) return base_ + nth_bit(bits_, i);
    return i + 1 < size_ ? base_ + static_cast<Action>(i) : static_cast<Action>(bits_);
}

template <class F>
void Actions::for_each(F&& f) const {
    if (kind_ != Kind::kPlacements) {
        for (std::uint32_t i = 0; i < size_; ++i) f((*this)[i]);
        return;
    }
    const std::size_t words = (state_->num_cells + std::size_t{63}) / 64;
    for (std::size_t rotation = 0; rotation < kRotations; ++rotation) {
        for (std::size_t w = 0; w < words; ++w) {
            for (std::uint64_t set = placements_[rotation][w]; set != 0; set &= set - 1) {
                const std::size_t at = 64 * w + static_cast<std::size_t>(std::countr_zero(set));
                f(game_->placement(state_->cells[at], static_cast<int>(rotation)));
            }
        }
    }
}

inline Action Outcomes::at(std::uint32_t r) const {
    assert(r < total());
    const Bytes32 limit = Bytes32::fill(static_cast<std::uint8_t>(r)), low = Bytes32::load(&upto_[0]);
    const Bytes16 limit16 = Bytes16::fill(static_cast<std::uint8_t>(r)), high = Bytes16::load(&upto_[32]);
    return std::popcount(low.max(limit).equal(limit).high_bits()) +
           std::popcount(high.max(limit16).equal(limit16).high_bits());
}

}  // namespace tilery::carcassonne

extern template tilery::Played tilery::playout(const tilery::carcassonne::Game&, tilery::carcassonne::State&,
                                               tilery::Rng&);
