// SPDX-License-Identifier: MIT
// The turn: draw, place, meeple, score.
#include "tilery/games/carcassonne/game.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tilery::carcassonne {
namespace {

// The sides with a neighbour, as bits, of every byte of edges.
constexpr auto kTaken = [] {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t sides = 0; sides < table.size(); ++sides) {
        for (std::size_t side = 0; side < kSides; ++side) {
            if (edge_on(static_cast<Sides>(sides), side) != kNoEdge) {
                table[sides] |= static_cast<std::uint8_t>(1U << side);
            }
        }
    }
    return table;
}();

// Of every set of sides, a byte 0xFF for each side in it.
constexpr auto kSideBytes = [] {
    std::array<std::uint32_t, 16> table{};
    for (std::size_t set = 0; set < table.size(); ++set) {
        for (std::size_t side = 0; side < kSides; ++side) {
            if ((set >> side & 1) != 0) table[set] |= 0xFFU << 8 * side;
        }
    }
    return table;
}();

// What a tile with neighbours on these sides does to the edge of the land: new edges on each of
// its empty sides, those of its neighbours gone.
struct Change {
    std::uint8_t west, south, north, east;     // new edges
    std::uint8_t south_west, south_west_east;  // their sums
    std::uint8_t gone;
    std::uint8_t behind, rest;  // the change up to the north, and in all; modulo 256
    Sides empty;                // both bits of each empty side, as its neighbour sees it
    std::array<std::uint8_t, 6> filler;
};
constexpr auto kChanges = [] {
    std::array<Change, 16> table{};
    for (std::size_t taken = 0; taken < table.size(); ++taken) {
        Change& change = table[taken];
        const auto empty = [taken](std::size_t side) { return static_cast<std::uint8_t>(~taken >> side & 1); };
        change.west = empty(kWest);
        change.south = empty(kSouth);
        change.north = empty(kNorth);
        change.east = empty(kEast);
        change.south_west = static_cast<std::uint8_t>(change.south + change.west);
        change.south_west_east = static_cast<std::uint8_t>(change.south_west + change.east);
        change.gone = static_cast<std::uint8_t>(std::popcount(taken));
        change.behind = static_cast<std::uint8_t>(change.south_west_east - change.gone);
        change.rest = static_cast<std::uint8_t>(change.behind + change.north);
        for (std::size_t side = 0; side < kSides; ++side) {
            if (empty(side) != 0) change.empty = static_cast<Sides>(change.empty | 3U << 2 * opposite(side));
        }
    }
    return table;
}();

// What turns ports as they lie into ports as printed, by rotation of the tile.
constexpr auto kUnturn = [] {
    std::array<Picks, kRotations> table{};
    for (std::size_t r = 0; r < kRotations; ++r) {
        for (std::size_t c = 0; c < kSides; ++c) {
            for (std::size_t part = 0; part < 4; ++part) {
                table[r][4 * kClockwise[c] + part] = static_cast<std::uint8_t>(4 * kClockwise[(c + r) % kSides] + part);
            }
        }
    }
    return table;
}();

// Blocks from here on hold no neighbours that move_edge() moves.
constexpr std::size_t kSpare = 160;

template <class Integer>
Integer load(const void* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::uint8_t byte(std::size_t value) { return static_cast<std::uint8_t>(value); }

// The bytes of a word put, one after the other, where the mask has bytes 0xFF.
std::uint32_t spread(std::uint32_t word, std::uint32_t mask) {
#ifdef __BMI2__
    return _pdep_u32(word, mask);
#else
    std::uint32_t result = 0;
    for (; mask != 0; word >>= 8) {
        const int at = std::countr_zero(mask);
        result |= (word & 0xFF) << at;
        mask &= ~(0xFFU << at);
    }
    return result;
#endif
}

// The rotations in which a type agrees with 32 cells, as bit 7 - r of each byte.
Bytes32 fitting(const TypeTables& table, const std::uint8_t* sides) {
    const Bytes32 edges = Bytes32::load(sides);
    return Bytes32::twice(&table.fits_low).pick(edges & Bytes32::fill(15)) &
           Bytes32::twice(&table.fits_high).pick(edges.upper_halves());
}

}  // namespace

int Rules::read_hand_size(const Value& value) {
    const auto* const number = value.get<std::int64_t>();
    if (number == nullptr || (*number != 0 && *number != 1 && *number != kMostHand)) {
        refuse_option("hand_size", "0, 1 or 3", value);
    }
    return static_cast<int>(*number);
}

std::optional<Table> Rules::read_table(const Value& value) {
    if (value.is_null()) return std::nullopt;
    const auto* const list = value.get<Value::List>();
    Table table{};
    bool fits = list != nullptr && list->size() == table.size();
    for (std::size_t i = 0; fits && i < table.size(); ++i) {
        const auto* const number = (*list)[i].get<std::int64_t>();
        fits = number != nullptr;
        if (fits) table[i] = *number;
    }
    const auto [west, south, east, north] = table;
    if (!fits || west > 0 || east < 0 || south > 0 || north < 0 || (west == east && south == north)) {
        refuse_option("table",
                      "none or [west, south, east, north] with west <= 0 <= east and south <= 0 <= north and at least "
                      "two cells",
                      value);
    }
    return table;
}

Value Rules::write_table(const std::optional<Table>& table) { return table ? Value::list_of(*table) : Value(nullptr); }

Game::Game(const Rules& rules)
    : rules_(rules),
      tiles_(rules.farmers, rules.trees_end_roads),
      types_(rules.tiles == TileSet::kBase ? kBaseTypes : kTypes) {
    if (rules.hand_size > 0 && rules.unplaceable == Unplaceable::kReturn) {
        refuse_option("unplaceable", "\"discard\" with hand_size 1 or 3", "return");
    }
    if (rules.hand_size > 0 && rules.tile_sale) refuse_option("tile_sale", "false with hand_size 1 or 3", true);
    if (rules.edge_closes && !rules.table) refuse_option("edge_closes", "false without a table", true);
    // CA-H10: no tile lies beyond 83, and none faces what is beyond 84 (CA-R9).
    constexpr std::int64_t kFaced = kReach + 1;
    const Table table = rules.table.value_or(Table{-kFaced, -kFaced, kFaced, kFaced});
    const auto within = [&table](std::size_t bound, std::int64_t most) {
        return static_cast<int>(std::clamp(table[bound], -most, most));
    };
    for (std::size_t bound = 0; bound < table.size(); ++bound) rim_[bound] = within(bound, kFaced);
    west_ = within(0, kReach);
    south_ = within(1, kReach);
    width_ = within(2, kReach) - west_ + 1;
    height_ = within(3, kReach) - south_ + 1;
    quick_cells_.fill(rules.table ? 0 : 96);
    if (rules.gap_bonus) quick_cells_.back() = 0;
    least_monastery_ = rules.edge_closes ? 1 : kMonasteryTiles;
    const bool house_turns =
        rules.hand_size > 0 || rules.unplaceable == Unplaceable::kReturn || rules.tile_sale || rules.gap_bonus;
    plain_above_ = house_turns ? kTiles : 0;
    first_meeple_ = static_cast<Action>(types_);
    first_choice_ = first_meeple_ + kMeepleIds;
    first_discard_ = first_choice_ + (rules.hand_size == kMostHand ? static_cast<Action>(types_) : 0);
    first_sale_ = first_discard_ + (rules.hand_size == kMostHand ? static_cast<Action>(types_) : 0);
    first_placement_ = first_sale_ + (rules.tile_sale ? Action{kSaleIds} : 0);

    State& state = initial_;
    state = State{};
    state.unused.fill(1);
    state.cells.fill(kNoCell);
    state.tile_cells.fill(kNoCell);
    state.rows = 1;
    std::uint8_t count = 0;
    for (std::size_t type = 0; type < state.pile.size(); ++type) {
        if (type < types_) count = byte(count + static_cast<std::size_t>(tiles_.types[type].count));
        state.pile[type] = count;
    }
    state.open[0] = 1;
    state.buyer = -1;
    state.turn = static_cast<std::int8_t>(rules.players - 1);  // no turn, and no meeples, before the first
    if (!rules.start_tile_in_bag) {
        take_from_pile(state, kStartType);
        first_tile(state, kStartType);
    }
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules.players); ++seat) state.supply[seat] = kMeeples;
    begin(state);
}

int Game::max_game_length() const {
    const int tiles = (rules_.tiles == TileSet::kBase ? kBaseTiles : kTiles) - 1;
    const int each = rules_.hand_size == kMostHand ? 4 : rules_.tile_sale ? rules_.players + 4 : 3;
    const int start = !rules_.start_tile_in_bag ? 0 : rules_.hand_size == kMostHand ? 3 : 2;
    const int order = rules_.first_player == FirstPlayer::kMostRoads ? 10 * rules_.players : 0;
    return tiles * each + start + order;
}

bool Game::fits_somewhere(const State& state, std::size_t type) const {
    const TypeTables& table = tiles_.tables[type];
    const std::size_t cells = state.num_cells;
    for (std::size_t at = 0; at < cells; at += 32) {
        std::uint64_t fit = ~fitting(table, &state.sides[at]).equal(Bytes32::fill(0)).high_bits();
        if (cells - at < 32) fit &= (std::uint64_t{1} << (cells - at)) - 1;
        if (fit != 0) return true;
    }
    return false;
}

void Game::find_placements(const State& state, std::size_t type, Actions& actions) const {
    const TypeTables& table = tiles_.tables[type];
    std::array<std::uint32_t, kRotations> counts{};
    std::size_t cells = state.num_cells;
    if (cells <= 32) {
        Bytes32 fits = fitting(table, &state.sides[0]);
        const std::uint64_t open = (std::uint64_t{1} << cells) - 1;
        for (std::size_t r = 0; r < kRotations; ++r) {
            actions.placements_[r][0] = fits.high_bits() & open;
            counts[r] = static_cast<std::uint32_t>(std::popcount(actions.placements_[r][0]));
            fits = fits + fits;
        }
        cells = 0;
    }
    for (std::size_t w = 0; cells > 0; ++w) {
        Bytes32 low = fitting(table, &state.sides[64 * w]), high = fitting(table, &state.sides[64 * w + 32]);
        const std::uint64_t open = cells >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells) - 1;
        for (std::size_t r = 0; r < kRotations; ++r) {
            const std::uint64_t word = (low.high_bits() | std::uint64_t{high.high_bits()} << 32) & open;
            actions.placements_[r][w] = word;
            counts[r] += static_cast<std::uint32_t>(std::popcount(word));
            low = low + low;
            high = high + high;
        }
        cells -= std::min<std::size_t>(cells, 64);
    }
    actions.begins_ = {0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]};
    actions.size_ = actions.begins_[3] + counts[3];
}

Actions Game::legal_actions(const State& state) const {
    Actions actions;
    if (state.phase == Phase::kPlace) {
        actions.kind_ = Actions::Kind::kPlacements;
        actions.game_ = this;
        actions.state_ = &state;
        find_placements(state, state.tile - std::size_t{1}, actions);
        return actions;
    }
    if (state.phase != Phase::kMeeple) [[unlikely]] {
        find_house_actions(state, actions);
        return actions;
    }
    actions.kind_ = Actions::Kind::kBits;
    actions.base_ = first_meeple_;
    actions.bits_ = state.options;
    actions.size_ = static_cast<std::uint32_t>(std::popcount(actions.bits_));
    return actions;
}

Game::Placement Game::placement_of(Action action) const {
    const int n = action - first_placement_;
    const int row = n / width_;
    return {cell_at(n % width_ + west_, row % height_ + south_), row / height_};
}

bool Game::is_legal(const State& state, Action action) const {
    if (state.phase == Phase::kPlace) {
        if (action < first_placement_) return false;
        const Placement placement = placement_of(action);
        const auto end = state.cells.begin() + state.num_cells;
        const auto at = std::lower_bound(state.cells.begin(), end, placement.cell);
        if (at == end || *at != placement.cell) return false;
        const std::uint8_t rotations = fitting(tiles_.tables[state.tile - std::size_t{1}],
                                               state.sides[static_cast<std::size_t>(at - state.cells.begin())]);
        return (rotations >> (7 - placement.rotation) & 1) != 0;
    }
    if (state.phase != Phase::kMeeple) {
        bool found = false;
        legal_actions(state).for_each([&](Action legal) { found |= legal == action; });
        return found;
    }
    const Action id = action - first_meeple_;
    return id >= 0 && id < kMeepleIds && (state.options >> id & 1) != 0;
}

Outcomes Game::chance_outcomes(const State& state) const {
    Outcomes outcomes;
    outcomes.upto_ = state.pile;
    if (rules_.unplaceable == Unplaceable::kReturn) [[unlikely]]
        leave_out_unplaceable(state, outcomes);
    return outcomes;
}

void Game::apply_action(State& state, Action action) const {
    switch (state.phase) {
        case Phase::kPlace: {
            const Placement placement = placement_of(action);
            const auto at =
                std::lower_bound(state.cells.begin(), state.cells.begin() + state.num_cells, placement.cell);
            place(state, static_cast<std::size_t>(at - state.cells.begin()),
                  code_of(state.tile - std::size_t{1}, static_cast<std::size_t>(placement.rotation)));
            return;
        }
        case Phase::kMeeple:
            put_meeple(state, static_cast<std::size_t>(action - first_meeple_));
            return;
        case Phase::kDraw:
            draw(state, static_cast<std::size_t>(action));
            return;
        default:
            apply_house(state, action);
    }
}

void Game::apply_nth(State& state, const Actions& actions, std::uint32_t i) const {
    if (actions.kind_ != Actions::Kind::kPlacements) {
        apply_action(state, actions[i]);
        return;
    }
    const auto [at, rotation] = actions.place(i);
    place(state, at, code_of(state.tile - std::size_t{1}, rotation));
}

void Game::take_from_pile(State& state, std::size_t type) const {
    std::uint8_t* const pile = state.pile.data();
    const std::uint8_t* const drawn = tiles_.drawn[type].data();
    (Bytes32::load(pile) + Bytes32::load(drawn)).store(pile);
    (Bytes16::load(pile + 32) + Bytes16::load(drawn + 32)).store(pile + 32);
}

// CA-6
void Game::draw(State& state, std::size_t type) const {
    take_from_pile(state, type);
    if (fits_somewhere(state, type)) {
        state.tile = byte(type + 1);
        state.phase = Phase::kPlace;
        state.actor = state.turn;
        if (rules_.tile_sale) [[unlikely]]
            offer_if_for_sale(state);
        return;
    }
    draw_unplaceable(state, type);
}

// CA-6; with nothing there to fit on it is the first tile of CA-H5.
void Game::draw_unplaceable(State& state, std::size_t type) const {
    if (state.rows == 1) {
        first_tile(state, type);
    } else if (state.pile.back() == 0) {
        end_game(state);
    }
}

// CA-2, CA-H5: the tile at (0, 0), where there is nothing yet.
void Game::first_tile(State& state, std::size_t type) const {
    state.actor = state.turn;
    state.cells[0] = cell_at(0, 0);
    state.num_cells = 1;
    place(state, 0, code_of(type, 0));
}

// Gives the feature `from` the label `to`, on tiles and under meeples.
void Game::relabel(State& state, bool field, std::uint8_t from, std::uint8_t to) const {
    const Bytes32 old = Bytes32::fill(from);
    const std::uint32_t both = 0x0101U * (from ^ to);
    const Bytes32 change = Bytes32::fill_words(field ? both << 16 : both);
    auto* const labels = state.labels.data();
    for (std::size_t row = 0; row < state.rows; row += 8) {
        const Bytes32 eight = Bytes32::load(labels + row);
        (eight ^ (eight.equal(old) & change)).store(labels + row);
    }
    const Bytes16 under = Bytes16::fill(field ? from & 0x7F : from | kOccupied);
    const Bytes16 moved = Bytes16::fill((from ^ to) & 0x7F);
    for (std::size_t slot = 0; slot < kSlots * static_cast<std::size_t>(rules_.players); slot += 16) {
        const Bytes16 meeples = Bytes16::load(&state.meeple_labels[slot]);
        (meeples ^ (meeples.equal(under) & moved)).store(&state.meeple_labels[slot]);
    }
}

// CA-5: joins what meets in the segments of a tile, and answers the labels for its places. `met`
// are the labels that its neighbours show at its ports, as printed.
Bytes16 Game::join(State& state, Bytes16 met, std::size_t code) const {
    const TypeTables& table = tiles_.tables[type_of(code)];
    // Of all labels that meet in a segment it takes the highest; the others become that.
    Bytes16 joined = met;
    for (const Picks& along : table.along) joined = joined.max(joined.pick(Bytes16::load(&along)));
    for (;;) {
        const std::uint32_t apart = ~(met.equal(joined) | met.equal(Bytes16())).high_bits() & 0xFFFF;
        if (apart == 0) [[likely]]
            break;
        const auto port = static_cast<std::size_t>(std::countr_zero(apart));
        Picks old, now;
        met.store(&old);
        joined.store(&now);
        // Usually the port has the lower label. Not so if the tile meets a feature with two of its segments,
        // and the first of them has joined it to something higher.
        const std::uint8_t from = std::min(old[port], now[port]), to = std::max(old[port], now[port]);
        const bool field = port % 4 != 0;
        relabel(state, field, from, to);
        const std::uint32_t ports = (field ? 0x00010100U : 0x00000001U) * (from ^ to);
        const Bytes16 change = Bytes16::of(ports, ports, ports, ports);
        met = met ^ (met.equal(Bytes16::fill(from)) & change);
        joined = joined ^ (joined.equal(Bytes16::fill(from)) & change);
        if (!field) {
            state.open[to & 0x7F] = byte(state.open[to & 0x7F] + state.open[from & 0x7F]);
            state.open[from & 0x7F] = 0;
        }
    }
    // Segments that met nothing begin new features.
    const Bytes16 labels = joined.pick(Bytes16::load(&table.ports));
    const Bytes16 fresh = labels.equal(Bytes16()) & Bytes16::of(table.present);
    const std::uint32_t places = fresh.high_bits();
    const auto unused = load<std::uint64_t>(&state.unused);
    const std::uint64_t next = unused + tiles_.counts[places];
    std::memcpy(&state.unused, &next, sizeof next);
    return (labels | (fresh & (Bytes16::of(unused) + Bytes16::of(tiles_.ranks[places]))))
        .pick(Bytes16::load(&table.copies));
}

// CA-7: puts a tile on an open cell; the turn goes on with the meeple.
void Game::place(State& state, std::size_t at, std::size_t code) const {
    const TypeTables& table = tiles_.tables[type_of(code)];
    const Cell cell = state.cells[at];
    const std::uint8_t taken = kTaken[state.sides[at]];

    // The labels that face the cell. Where there is no neighbour, row 0 has none.
    const std::uint32_t around = spread(load<std::uint32_t>(&state.neighbours[state.first[at]]), kSideBytes[taken]);
    const auto facing = [&](std::size_t side) {
        const std::size_t row = around >> 8 * side & 0xFF;
        const Bytes16 labels = Bytes16::of(load<std::uint64_t>(&state.labels[row]));
        return labels.pick(Bytes16::of(tiles_.facing[side][state.tile_codes[row]]));
    };
    const Bytes16 incoming = facing(kWest).with(facing(kSouth), facing(kNorth), facing(kEast));
    const Bytes16 labels = join(state, incoming.pick(Bytes16::load(&kUnturn[rotation_of(code)])), code);

    const std::size_t row = state.rows;
    const std::uint64_t words = labels.low();
    std::memcpy(&state.labels[row], &words, sizeof words);
    state.tile_cells[row] = cell;
    state.tile_codes[row] = byte(code);
    state.rows = byte(row + table.rows);
    state.shields[row / 64] |= std::uint64_t{table.shield} << row % 64;
    state.tile = 0;
    state.last = byte(row);

    // Ends of roads and cities close where there is a neighbour and open where there is none.
    const auto mains = static_cast<std::uint32_t>(labels.pick(Bytes16::of(tiles_.mains[code])).low());
    const std::uint32_t steps = kSideBytes[taken] | 0x01010101U;  // -1 or 1
    for (std::size_t side = 0; side < kSides; ++side) {
        std::uint8_t& open = state.open[mains >> 8 * side & 0x7F];
        open = byte(open + (steps >> 8 * side));
    }
    state.open[0] = 1;

    move_edge(state, at, code, row);

    // CA-8: where the meeple may go. Of several segments of one feature only the first counts.
    if (state.supply[static_cast<std::size_t>(state.turn)] > 0) {
        const Bytes16 by_id = labels.pick(Bytes16::load(&table.by_id));
        const std::uint32_t repeated = (by_id.equal(by_id.up<1>()).high_bits() & ~(1U << kFirstFieldId)) |
                                       (by_id.equal(by_id.up<2>()).high_bits() & ~(3U << kFirstFieldId)) |
                                       (by_id.equal(by_id.up<3>()).high_bits() & ~(7U << kFirstFieldId));
        const std::uint32_t options = table.ids & ~(by_id.high_bits() | repeated);
        if ((options | table.monastery) != 0) {
            state.options = static_cast<std::uint16_t>(1U | options | std::uint32_t{table.monastery} << kMonkId);
            state.phase = Phase::kMeeple;
            return;
        }
    }
    finish_turn(state, mains);
}

// The cell of a tile just placed is open no longer, its empty neighbours are.
//
// The open cells, and the rows that face them, are sorted lists, in which the southern neighbour,
// the western one, the cell itself, the eastern and the northern one follow each other, with
// others between the first two and the last two. The four neighbours are written anew, and what
// lies between and behind them moves by as much as comes in or goes out before it. All of it is
// read before anything near it is written, and written in ascending order and in whole blocks:
// what is too much the next write puts right, also a neighbour that is none because its side is
// taken.
void Game::move_edge(State& state, std::size_t at, std::size_t code, std::size_t row) const {
    constexpr std::size_t kNear = 16;  // most cells between two neighbours one above the other
    constexpr std::size_t kBlock = 32;
    const std::size_t cells = state.num_cells, edges = state.first[cells];
    const int cell = state.cells[at];
    const std::size_t begin = at > kNear ? at - kNear : 0;
    const std::size_t below = count_less(&state.cells[begin], static_cast<Cell>(cell - kRowStep));
    const std::size_t above = count_less(&state.cells[at + 1], static_cast<Cell>(cell + kRowStep));
    const std::size_t south = begin + below, north = at + 1 + above;
    const std::size_t here = state.first[at], south_first = state.first[south], north_first = state.first[north];
    const std::uint8_t taken = kTaken[state.sides[at]];
    if (cells > quick_cells_[taken] || edges > 150 || (below == 0 && begin > 0) || above == kNear ||
        ((here - south_first) | (north_first - here)) >= kBlock) [[unlikely]] {
        move_edge_slowly(state, at, code, row);
        return;
    }
    const std::size_t south_known = state.cells[south] == cell - kRowStep ? 1 : 0;
    const std::size_t north_known = state.cells[north] == cell + kRowStep ? 1 : 0;
    const std::size_t west_known = state.cells[at - (at > 0 ? 1 : 0)] == cell - 1 ? 1 : 0;
    const std::size_t east_known = state.cells[at + 1] == cell + 1 ? 1 : 0;
    const Change& change = kChanges[taken];

    // The edges that the neighbours see already.
    const unsigned south_sides = state.sides[south] & (0U - static_cast<unsigned>(south_known));
    const unsigned west_sides = state.sides[at - west_known] & (0U - static_cast<unsigned>(west_known));
    const unsigned east_sides = state.sides[at + 1] & (0U - static_cast<unsigned>(east_known));
    const unsigned north_sides = state.sides[north] & (0U - static_cast<unsigned>(north_known));
    const unsigned shown = tiles_.mirrored[code] & change.empty;
    constexpr auto seen_from = [](std::size_t side) { return 3U << 2 * opposite(side); };

    // Rows: in the lists of our neighbours we come first in the east, after the western row in the
    // north, after the western and the southern one in the south, last in the west.
    {
        const std::size_t from_south = south_first + (kTaken[south_sides] & 1U) + (kTaken[south_sides] >> 1 & 1U);
        const std::size_t from_behind = here + change.gone;
        const std::size_t from_rest = north_first + (kTaken[north_sides] & 1U);
        const std::size_t to_behind = here + change.south_west_east;
        const std::size_t to_north = from_rest + to_behind - from_behind;
        std::uint8_t* const rows = state.neighbours.data();
        const Bytes32 middle = Bytes32::load(rows + from_south), behind = Bytes32::load(rows + from_behind);
        Bytes32 rest = Bytes32::load(rows + from_rest),
                next = Bytes32::load(rows + std::min(from_rest + kBlock, kSpare));
        rows[from_south] = byte(row);
        middle.store(rows + from_south + change.south);
        rows[here + change.south] = byte(row);
        rows[here + change.south_west] = byte(row);
        behind.store(rows + to_behind);
        rows[to_north] = byte(row);
        std::uint8_t* const to_rest = rows + to_north + change.north;
        if (edges <= 92) {
            const Bytes32 last = Bytes32::load(rows + from_rest + 2 * kBlock);
            rest.store(to_rest);
            next.store(to_rest + kBlock);
            last.store(to_rest + 2 * kBlock);
        } else {
            for (std::size_t done = 0; from_rest + done < edges; done += kBlock) {
                rest.store(to_rest + done);
                rest = next;
                next = Bytes32::load(rows + std::min(from_rest + done + 2 * kBlock, kSpare));
            }
        }
    }

    // Cells.
    const std::size_t from_south = south + south_known, from_behind = at + 1 + east_known,
                      from_rest = north + north_known;
    const std::size_t to_west = at + change.south - south_known - west_known, to_east = to_west + change.west;
    const std::size_t to_behind = to_east + change.east, to_north = to_behind + north - from_behind;
    const std::size_t to_rest = to_north + change.north;
    const Bytes32 middle_cells = Bytes32::load(&state.cells[from_south]);
    const Bytes16 middle_sides = Bytes16::load(&state.sides[from_south]);
    const Bytes16 middle_first = Bytes16::load(&state.first[from_south]) + Bytes16::fill(change.south);
    const Bytes32 behind_cells = Bytes32::load(&state.cells[from_behind]);
    const Bytes16 behind_sides = Bytes16::load(&state.sides[from_behind]);
    const Bytes16 behind_first = Bytes16::load(&state.first[from_behind]) + Bytes16::fill(change.behind);
    const Bytes32 further = Bytes32::fill(change.rest);
    const std::size_t west_first = state.first[at - west_known] + std::size_t{change.south};
    Bytes32 low_cells = Bytes32::load(&state.cells[from_rest]),
            high_cells = Bytes32::load(&state.cells[from_rest + 16]);
    Bytes32 sides = Bytes32::load(&state.sides[from_rest]), first = Bytes32::load(&state.first[from_rest]) + further;

    state.cells[south] = static_cast<Cell>(cell - kRowStep);
    state.sides[south] = byte(south_sides | (shown & seen_from(kSouth)));
    middle_cells.store(&state.cells[south + change.south]);
    middle_sides.store(&state.sides[south + change.south]);
    middle_first.store(&state.first[south + change.south]);
    state.cells[to_west] = static_cast<Cell>(cell - 1);
    state.sides[to_west] = byte(west_sides | (shown & seen_from(kWest)));
    state.first[to_west] = byte(west_first);
    state.cells[to_east] = static_cast<Cell>(cell + 1);
    state.sides[to_east] = byte(east_sides | (shown & seen_from(kEast)));
    state.first[to_east] = byte(here + change.south_west);
    behind_cells.store(&state.cells[to_behind]);
    behind_sides.store(&state.sides[to_behind]);
    behind_first.store(&state.first[to_behind]);
    state.cells[to_north] = static_cast<Cell>(cell + kRowStep);
    state.sides[to_north] = byte(north_sides | (shown & seen_from(kNorth)));
    state.first[to_north] = byte(north_first + change.behind);
    const std::size_t blocks = cells <= 64 ? 2 : (cells - from_rest) / kBlock + 1;
    for (std::size_t done = 0;;) {
        const std::size_t following = done + kBlock;
        const Bytes32 next_low = Bytes32::load(&state.cells[from_rest + following]);
        const Bytes32 next_high = Bytes32::load(&state.cells[from_rest + following + 16]);
        const Bytes32 next_sides = Bytes32::load(&state.sides[from_rest + following]);
        const Bytes32 next_first = Bytes32::load(&state.first[from_rest + following]) + further;
        low_cells.store(&state.cells[to_rest + done]);
        high_cells.store(&state.cells[to_rest + done + 16]);
        sides.store(&state.sides[to_rest + done]);
        first.store(&state.first[to_rest + done]);
        done = following;
        if (done == blocks * kBlock) break;
        low_cells = next_low;
        high_cells = next_high;
        sides = next_sides;
        first = next_first;
    }
    state.num_cells = byte(cells + to_rest - from_rest);
}

// The same, whatever the shape of the land and the house rules.
void Game::move_edge_slowly(State& state, std::size_t at, std::size_t code, std::size_t row) const {
    const auto erase = [](auto& array, std::size_t from, std::size_t count, std::size_t size) {
        const auto begin = array.begin();
        std::copy(begin + static_cast<std::ptrdiff_t>(from + count), begin + static_cast<std::ptrdiff_t>(size),
                  begin + static_cast<std::ptrdiff_t>(from));
    };
    const auto insert = [](auto& array, std::size_t where, auto item, std::size_t size) {
        const auto begin = array.begin();
        std::copy_backward(begin + static_cast<std::ptrdiff_t>(where), begin + static_cast<std::ptrdiff_t>(size),
                           begin + static_cast<std::ptrdiff_t>(size + 1));
        array[where] = item;
    };
    const int cell = state.cells[at];
    const std::uint8_t taken = kTaken[state.sides[at]];
    const auto gone = static_cast<std::size_t>(std::popcount(taken));
    std::size_t cells = state.num_cells, edges = state.first[cells];
    state.again = rules_.gap_bonus && gone == kSides ? 1 : 0;  // CA-H8
    erase(state.neighbours, state.first[at], gone, edges);
    erase(state.cells, at, 1, cells);
    erase(state.sides, at, 1, cells);
    erase(state.first, at, 1, cells + 1);
    edges -= gone;
    --cells;
    state.cells[cells] = kNoCell;
    state.sides[cells] = 0;
    for (std::size_t i = at; i <= cells; ++i) state.first[i] = byte(state.first[i] - gone);
    constexpr std::array<int, kSides> kSteps{-1, -kRowStep, kRowStep, 1};
    for (std::size_t side = 0; side < kSides; ++side) {
        if ((taken >> side & 1) != 0) continue;
        const auto neighbour = static_cast<Cell>(cell + kSteps[side]);
        if (!on_table(neighbour)) {
            // CA-H11: the end that place() has opened here is closed.
            const std::size_t label = last_mains(state) >> 8 * side & 0x7F;
            if (rules_.edge_closes && label != 0) --state.open[label];
            continue;
        }
        const auto begin = state.cells.begin();
        const auto where = static_cast<std::size_t>(
            std::lower_bound(begin, begin + static_cast<std::ptrdiff_t>(cells), neighbour) - begin);
        if (state.cells[where] != neighbour) {
            insert(state.cells, where, neighbour, cells);
            insert(state.sides, where, std::uint8_t{0}, cells);
            insert(state.first, where, state.first[where], cells + 1);
            ++cells;
        }
        const unsigned before = kTaken[state.sides[where]] & ((1U << opposite(side)) - 1U);
        insert(state.neighbours, state.first[where] + static_cast<std::size_t>(std::popcount(before)), byte(row),
               edges);
        ++edges;
        for (std::size_t i = where + 1; i <= cells; ++i) ++state.first[i];
        state.sides[where] = byte(state.sides[where] | (tiles_.mirrored[code] & (3U << 2 * opposite(side))));
    }
    state.num_cells = byte(cells);
}

// CA-8
void Game::put_meeple(State& state, std::size_t segment) const {
    if (segment != 0) {
        const auto seat = static_cast<std::size_t>(state.turn);
        const auto labels = load<std::uint64_t>(&state.meeple_labels[kSlots * seat]);
        // The first byte that is 0 is the lowest that borrows from its own highest bit.
        const std::uint64_t free = (labels - 0x0101010101010101U) & ~labels & 0x8080808080808080U;
        const std::size_t slot = kSlots * seat + static_cast<std::size_t>(std::countr_zero(free)) / 8;
        --state.supply[seat];
        state.meeple_rows[slot] = state.last;
        state.meeple_segments[slot] = byte(segment);
        std::uint8_t meeple_label = kMonk;
        if (segment != kMonkId) {
            const std::size_t place = tiles_.tables[type_of(state.tile_codes[state.last])].by_id[segment];
            const std::uint8_t label = state.labels[state.last + place / kRowSegments][place % kRowSegments];
            const bool field = is_field_place(place);
            relabel(state, field, label, label | kOccupied);
            meeple_label = field ? label : label | kOccupied;
        }
        state.meeple_labels[slot] = meeple_label;
    }
    finish_turn(state, last_mains(state));
}

// The labels of the roads and cities on the sides of the tile just placed.
std::uint32_t Game::last_mains(const State& state) const {
    const Bytes16 labels = Bytes16::of(load<std::uint64_t>(&state.labels[state.last]));
    return static_cast<std::uint32_t>(labels.pick(Bytes16::of(tiles_.mains[state.tile_codes[state.last]])).low());
}

// CA-9
void Game::finish_turn(State& state, std::uint32_t mains) const {
    unsigned open = 1;  // 0 if any of them is complete
    for (std::size_t side = 0; side < kSides; ++side) open *= state.open[mains >> 8 * side & 0x7F];
    if (open == 0) score_completed(state, mains);
    if (const std::uint64_t monks = slots_with(state, kMonk); monks != 0) score_monasteries(state, monks);
    state.last = 0;
    state.options = 0;
    if (state.pile.back() <= plain_above_) {
        finish_house_turn(state);
        return;
    }
    state.turn = static_cast<std::int8_t>(state.turn + 1 == rules_.players ? 0 : state.turn + 1);
    state.ordinary = state.turn;
    state.phase = Phase::kDraw;
    state.actor = kChance;
}

void Game::end_game(State& state) const {
    score_finally(state);
    state.turn = state.ordinary = -1;
    state.phase = Phase::kOver;
    state.actor = kTerminal;
}

PerPlayer<int> Game::scores(const State& state) const {
    PerPlayer<int> scores{};
    std::copy(state.scores.begin(), state.scores.end(), scores.begin());
    return scores;
}

}  // namespace tilery::carcassonne

template tilery::Played tilery::playout(const tilery::carcassonne::Game&, tilery::carcassonne::State&, tilery::Rng&);
