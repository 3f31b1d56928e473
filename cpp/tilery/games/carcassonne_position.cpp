// SPDX-License-Identifier: MIT
// What a position is made of, from scratch: its canonical form, and what makes bytes no position.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "tilery/games/carcassonne.hpp"

namespace tilery::carcassonne {
namespace {

constexpr std::array<int, kSides> kSteps{-1, -kRowStep, kRowStep, 1};
constexpr std::size_t kNowhere = kRows;

// Looks up the rows of cells.
class Map {
  public:
    explicit Map(const State& state) {
        for (std::size_t row = 1; row < state.rows; ++row) {
            if (state.tile_codes[row] != 0) places_[size_++] = {state.tile_cells[row], row};
        }
        std::sort(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(size_));
    }
    // The row of the tile on a cell, or kNowhere.
    [[nodiscard]] std::size_t row(Cell cell) const {
        const auto end = places_.begin() + static_cast<std::ptrdiff_t>(size_);
        const auto at = std::lower_bound(places_.begin(), end, std::pair{cell, std::size_t{0}});
        return at != end && at->first == cell ? at->second : kNowhere;
    }

  private:
    std::array<std::pair<Cell, std::size_t>, kRows> places_;
    std::size_t size_ = 0;
};

// Places of segments, row by row, joined into features.
class Features {
  public:
    Features() { std::iota(parents_.begin(), parents_.end(), std::uint16_t{0}); }
    [[nodiscard]] std::size_t find(std::size_t place) {
        while (parents_[place] != place) place = parents_[place] = parents_[parents_[place]];
        return place;
    }
    void join(std::size_t a, std::size_t b) { parents_[find(a)] = static_cast<std::uint16_t>(find(b)); }

  private:
    std::array<std::uint16_t, kRows * kRowSegments> parents_;
};

std::size_t place_of(const State& state, std::size_t slot, const Tiles& tiles) {
    const std::size_t row = state.meeple_rows[slot];
    return kRowSegments * row + tiles.tables[type_of(state.tile_codes[row])].by_id[state.meeple_segments[slot]];
}

bool is_monk(const State& state, std::size_t slot) { return state.meeple_segments[slot] == kMeepleIds - 1; }

}  // namespace

// Fills in all that follows from the tiles and their rows, the meeples, and the phase.
void Game::derive(State& state) const {
    const Map map(state);
    Features features;
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) continue;
        const Picks& copies = tiles_.tables[type_of(code)].copies;
        for (std::size_t place = 0; place < kPlaces; ++place) {
            if (copies[place] < kPlaces) features.join(kRowSegments * row + place, kRowSegments * row + copies[place]);
        }
        for (const std::size_t side : {kWest, kSouth}) {
            const std::size_t other = map.row(static_cast<Cell>(state.tile_cells[row] + kSteps[side]));
            if (other == kNowhere) continue;
            const std::uint32_t theirs = tiles_.facing[side][state.tile_codes[other]];
            const std::uint32_t ours = tiles_.facing[opposite(side)][code];
            constexpr std::array<std::size_t, 3> kMet{0, 2, 1};  // left meets right
            for (std::size_t port = 0; port < kMet.size(); ++port) {
                const std::size_t one = theirs >> 8 * port & 0xFF, two = ours >> 8 * kMet[port] & 0xFF;
                if (one < kPlaces && two < kPlaces) {
                    features.join(kRowSegments * other + one, kRowSegments * row + two);
                }
            }
        }
    }

    // Labels by first appearance.
    std::array<std::uint8_t, kRows * kRowSegments> names{};
    std::array<std::uint8_t, 2> next{1, 1};  // mains, fields
    state.labels = {};
    state.shields = {};
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) continue;
        const TypeTables& table = tiles_.tables[type_of(code)];
        state.shields[row / 64] |= std::uint64_t{table.shield} << row % 64;
        for (std::size_t place = 0; place < kRowSegments * table.rows; ++place) {
            if (table.copies[place] >= kPlaces) continue;
            std::uint8_t& name = names[features.find(kRowSegments * row + place)];
            if (name == 0) name = next[is_field_place(place) ? 1 : 0]++;
            state.labels[row + place / kRowSegments][place % kRowSegments] = name;
        }
    }
    state.unused = {next[0], next[0], next[1], next[1], next[0], next[0], next[1], next[1]};

    // What is open.
    state.open = {};
    state.open[0] = 1;
    state.cells.fill(kNoCell);
    state.num_cells = 0;
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) continue;
        for (std::size_t side = 0; side < kSides; ++side) {
            const auto cell = static_cast<Cell>(state.tile_cells[row] + kSteps[side]);
            if (map.row(cell) != kNowhere) continue;
            const bool inside = on_table(cell);
            if (inside) state.cells[state.num_cells++] = cell;
            if (!inside && rules_.edge_closes) continue;  // CA-H11
            const std::size_t place = tiles_.mains[code] >> 8 * side & 0xFF;
            if (place < kPlaces) ++state.open[names[features.find(kRowSegments * row + place)]];
        }
    }
    const auto begin = state.cells.begin();
    std::sort(begin, begin + state.num_cells);
    const auto end = std::unique(begin, begin + state.num_cells);
    std::fill(end, state.cells.end(), kNoCell);
    state.num_cells = static_cast<std::uint8_t>(end - begin);
    state.sides = {};
    state.first = {};
    state.neighbours = {};
    std::uint8_t edges = 0;
    for (std::size_t at = 0; at < state.num_cells; ++at) {
        state.first[at] = edges;
        for (std::size_t side = 0; side < kSides; ++side) {
            const std::size_t row = map.row(static_cast<Cell>(state.cells[at] + kSteps[side]));
            if (row == kNowhere) continue;
            state.sides[at] = static_cast<Sides>(
                state.sides[at] | edge_on(tiles_.edges[state.tile_codes[row]], opposite(side)) << 2 * side);
            state.neighbours[edges++] = static_cast<std::uint8_t>(row);
        }
    }
    state.first[state.num_cells] = edges;

    // Meeples, and the features they are in.
    std::array<bool, kRows * kRowSegments> occupied{};
    state.meeple_labels = {};
    for (std::size_t slot = 0; slot < kAllSlots; ++slot) {
        if (state.meeple_segments[slot] == 0) continue;
        if (is_monk(state, slot)) {
            state.meeple_labels[slot] = kMonk;
            continue;
        }
        const std::size_t place = place_of(state, slot, tiles_), feature = features.find(place);
        occupied[feature] = true;
        state.meeple_labels[slot] =
            is_field_place(place) ? names[feature] : static_cast<std::uint8_t>(names[feature] | kOccupied);
    }
    for (std::size_t row = 1; row < state.rows; ++row) {
        for (std::size_t i = 0; i < kRowSegments; ++i) {
            std::uint8_t& label = state.labels[row][i];
            if (label != 0 && occupied[features.find(kRowSegments * row + i)]) label |= kOccupied;
        }
    }

    // Complete cities; those of the tile just placed are still to be scored.
    state.walled = {};
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) continue;
        for (const Segment& segment : tiles_.types[type_of(code)].segments) {
            if (segment.kind != 'c') continue;
            const std::size_t city = names[features.find(kRowSegments * row + segment.place)];
            if (state.open[city] == 0) state.walled[city / 64] |= std::uint64_t{1} << city % 64;
        }
    }
    state.options = 0;
    if (state.last == 0) return;
    const TileType& type = tiles_.types[type_of(state.tile_codes[state.last])];
    std::uint32_t options = 0;
    for (const Segment& segment : type.segments) {
        const std::uint32_t id = 1U << segment.id;
        if (segment.kind == 'm') {
            options |= id;
            continue;
        }
        const std::size_t feature = features.find(kRowSegments * state.last + segment.place);
        if (segment.kind == 'c') state.walled[names[feature] / 64] &= ~(std::uint64_t{1} << names[feature] % 64);
        bool again = false;  // CA-8: of segments of one feature only the first
        for (const Segment& earlier : type.segments) {
            again |= earlier.kind == segment.kind && earlier.index < segment.index &&
                     features.find(kRowSegments * state.last + earlier.place) == feature;
        }
        if (!again && !occupied[feature] && (segment.kind != 'f' || rules_.farmers)) options |= id;
    }
    if (options != 0) state.options = static_cast<std::uint16_t>(options | 1U);
}

State Game::canonical(const State& state) const {
    State result = state;
    result.tile_cells.fill(kNoCell);
    result.tile_codes = {};
    std::array<std::uint8_t, kRows> rows{};
    std::size_t row = 1;
    for (const Laid& laid : land_of(state)) {
        rows[laid.row] = static_cast<std::uint8_t>(row);
        result.tile_cells[row] = laid.cell;
        result.tile_codes[row] = laid.code;
        row += tiles_.tables[type_of(laid.code)].rows;
    }
    result.last = rows[state.last];
    result.meeple_labels = {};
    result.meeple_rows = {};
    result.meeple_segments = {};
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        std::array<std::pair<std::uint8_t, std::uint8_t>, kSlots> meeples{};
        std::size_t count = 0;
        for (std::size_t slot = kSlots * seat; slot < kSlots * (seat + 1); ++slot) {
            if (state.meeple_labels[slot] == 0) continue;
            meeples[count++] = {rows[state.meeple_rows[slot]], state.meeple_segments[slot]};
        }
        std::sort(meeples.begin(), meeples.begin() + static_cast<std::ptrdiff_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            result.meeple_rows[kSlots * seat + i] = meeples[i].first;
            result.meeple_segments[kSlots * seat + i] = meeples[i].second;
        }
    }
    derive(result);
    return result;
}

// The land and the meeples on it: all that derive() relies on.
std::string Game::land_fault(const State& state) const {
    if (state.rows == 0 || state.rows > kRows) return "more rows than there are";
    std::array<int, kTypes> copies{};
    std::size_t begins = 1;  // where the next tile's rows begin
    for (std::size_t row = 0; row < kRows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) {
            if (state.tile_cells[row] != kNoCell) return "a cell without a tile";
            if (row >= begins && row < state.rows) return "rows without a tile";
            continue;
        }
        if (row != begins || row >= state.rows || code >= kCodes || code < kRotations) return "a tile in the wrong row";
        const std::size_t type = type_of(code);
        if (type >= types_) return "a tile of no type in the box";
        if ((tiles_.types[type].rotations >> rotation_of(code) & 1) == 0)
            return "a tile in a rotation that is never used";
        ++copies[type];
        begins += tiles_.tables[type].rows;
        const int x = x_of(state.tile_cells[row]), y = y_of(state.tile_cells[row]);
        if (x < west_ || x >= west_ + width_ || y < south_ || y >= south_ + height_) return "a tile off the table";
    }
    if (begins != state.rows) return "rows without a tile";
    int before = 0;
    for (std::size_t type = 0; type < state.pile.size(); ++type) {
        const int left = state.pile[type] - before;
        before = state.pile[type];
        if (left < 0 || (type >= types_ && left > 0)) return "an impossible pile";
        if (type >= types_) continue;
        int out = state.tile == type + 1 ? 1 : 0;
        for (const auto& hand : state.hands) {
            out += static_cast<int>(std::count(hand.begin(), hand.end(), static_cast<std::uint8_t>(type + 1)));
        }
        if (left + copies[type] + out > tiles_.types[type].count) return "more tiles of a type than the box holds";
    }

    const Map map(state);
    Features reach;
    for (std::size_t row = 1; row < state.rows; ++row) {
        const std::size_t code = state.tile_codes[row];
        if (code == 0) continue;
        if (map.row(state.tile_cells[row]) != row) return "two tiles on a cell";
        for (const std::size_t side : {kWest, kSouth}) {
            const std::size_t other = map.row(static_cast<Cell>(state.tile_cells[row] + kSteps[side]));
            if (other == kNowhere) continue;
            reach.join(row, other);
            if (edge_on(tiles_.edges[code], side) != edge_on(tiles_.edges[state.tile_codes[other]], opposite(side))) {
                return "edges that do not agree";
            }
        }
    }
    const std::size_t start = map.row(cell_at(0, 0));
    const bool any_start = rules_.start_tile_in_bag;  // CA-H5
    if (start == kNowhere) {
        if (!any_start || state.rows > 1) return "no start tile";
    } else if (rotation_of(state.tile_codes[start]) != 0 ||
               (!any_start && type_of(state.tile_codes[start]) != kStartType)) {
        return "another start tile";
    }
    for (std::size_t row = 1; row < state.rows; ++row) {
        if (state.tile_codes[row] != 0 && reach.find(row) != reach.find(start)) return "a tile apart from the land";
    }
    if (state.last >= state.rows || (state.last != 0 && state.tile_codes[state.last] == 0))
        return "no tile just placed";

    std::array<bool, kRows> taken{};
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        int home = seat < static_cast<std::size_t>(rules_.players) ? kMeeples : 0;
        for (std::size_t slot = kSlots * seat; slot < kSlots * (seat + 1); ++slot) {
            const std::size_t row = state.meeple_rows[slot], segment = state.meeple_segments[slot];
            if (segment == 0) {
                if (row != 0 || state.meeple_labels[slot] != 0) return "a meeple nowhere";
                continue;
            }
            if (slot == kSlots * seat + kMeeples || --home < 0) return "a meeple too many";
            if (row >= state.rows || state.tile_codes[row] == 0) return "a meeple on no tile";
            const TypeTables& table = tiles_.tables[type_of(state.tile_codes[row])];
            const bool there = segment < kMeepleIds - 1 ? (table.ids >> segment & 1) != 0
                                                        : segment == kMeepleIds - 1 && table.monastery != 0;
            if (!there) return "a meeple on no segment";
            if (taken[row] || row == state.last) return "two meeples on a tile";
            taken[row] = true;
        }
        if (state.supply[seat] != home) return "a supply that does not add up";
    }
    if (!any_start && (taken[start] || state.last == start)) return "a meeple on the start tile";
    return "";
}

// Whether what was kept up turn by turn is what follows from the land, but for names of labels.
std::string Game::derived_fault(const State& state, const State& fresh) const {
    if (state.num_cells != fresh.num_cells || state.cells != fresh.cells || state.sides != fresh.sides) {
        return "open cells that are not those of the land";
    }
    const std::size_t edges = fresh.first[fresh.num_cells];
    if (!std::equal(fresh.first.begin(), fresh.first.begin() + fresh.num_cells + 1, state.first.begin()) ||
        !std::equal(fresh.neighbours.begin(), fresh.neighbours.begin() + static_cast<std::ptrdiff_t>(edges),
                    state.neighbours.begin())) {
        return "neighbours that are not those of the open cells";
    }
    if (state.shields != fresh.shields) return "shields astray";
    if (state.options != fresh.options) return "meeples may go elsewhere";

    struct Names {
        std::array<std::uint8_t, 128> now{}, before{};  // by each other
        [[nodiscard]] bool agree(std::uint8_t ours, std::uint8_t theirs) {
            if (ours == 0 || theirs == 0) return ours == theirs;
            if (now[ours] == 0 && before[theirs] == 0) {
                now[ours] = theirs;
                before[theirs] = ours;
            }
            return now[ours] == theirs && before[theirs] == ours;
        }
    };
    std::array<Names, 2> names;  // mains, fields
    const auto bare = [](std::uint8_t label) { return static_cast<std::uint8_t>(label & 0x7F); };
    for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t i = 0; i < kRowSegments; ++i) {
            const std::uint8_t ours = state.labels[row][i], theirs = fresh.labels[row][i];
            const bool field = is_field_place(i);
            if (!names[field ? 1 : 0].agree(bare(ours), bare(theirs))) return "labels that join what is not joined";
            // On what is complete the highest bit is only looked at when there are meeples.
            const bool complete = !field && fresh.open[bare(theirs)] == 0;
            if ((ours ^ theirs) >= kOccupied && !(complete && ours >= kOccupied)) return "labels that miss a meeple";
            if (bare(ours) >= state.unused[i]) return "labels that are still unused";
        }
    }
    for (std::size_t place = 0; place < kPlaces; ++place) {
        if (state.unused[place] != state.unused[is_field_place(place) ? 2 : 0]) return "labels of two minds";
    }
    for (std::size_t label = 1; label < state.open.size(); ++label) {
        const std::size_t now = names[0].now[label];
        if (state.open[label] != (now == 0 ? 0 : fresh.open[now])) return "ends that are not open";
        const bool walled = (state.walled[label / 64] >> label % 64 & 1) != 0;
        if (walled != (now != 0 && (fresh.walled[now / 64] >> now % 64 & 1) != 0))
            return "cities that are not complete";
    }
    if (std::any_of(state.meeple_labels.begin() + kAllSlots, state.meeple_labels.end(),
                    [](std::uint8_t label) { return label != 0; })) {
        return "a meeple of no seat";
    }
    if (state.open[0] != 1 || (state.walled[0] & 1) != 0) return "a feature without a label";
    for (std::size_t slot = 0; slot < kAllSlots; ++slot) {
        const std::uint8_t ours = state.meeple_labels[slot], theirs = fresh.meeple_labels[slot];
        if (ours == theirs && (ours == 0 || ours == kMonk)) continue;
        if (theirs == 0 || theirs == kMonk || ours == kMonk || (ours ^ theirs) >= kOccupied ||
            !names[theirs < kOccupied ? 1 : 0].agree(bare(ours), bare(theirs))) {
            return "a meeple on another feature";
        }
    }
    return "";
}

// Meeples that should have gone home (CA-9).
std::string Game::unscored_fault(const State& fresh) const {
    std::array<bool, 128> scoring{};  // roads and cities of the tile just placed
    if (fresh.last != 0) {
        const std::size_t rows = tiles_.tables[type_of(fresh.tile_codes[fresh.last])].rows;
        for (std::size_t i = 0; i < kRowSegments * rows; ++i) {
            if (!is_field_place(i))
                scoring[fresh.labels[fresh.last + i / kRowSegments][i % kRowSegments] & 0x7F] = true;
        }
    }
    for (std::size_t slot = 0; slot < kAllSlots; ++slot) {
        const std::uint8_t label = fresh.meeple_labels[slot];
        if (label == kMonk) {
            const Cell cell = fresh.tile_cells[fresh.meeple_rows[slot]], last = fresh.tile_cells[fresh.last];
            const bool near =
                fresh.last != 0 && std::abs(x_of(cell) - x_of(last)) <= 1 && std::abs(y_of(cell) - y_of(last)) <= 1;
            if (tiles_around(fresh, cell) == monastery_tiles(cell) && !near) return "a monk in a complete monastery";
        } else if (label >= kOccupied && fresh.open[label & 0x7F] == 0 && !scoring[label & 0x7F]) {
            return "a meeple on a complete feature";
        }
    }
    return "";
}

// Sorted tiles of the box; those that are shown are the first of their type (CA-H3).
std::string Game::hand_fault(const State& state) const {
    const bool order = state.phase == Phase::kOrder;
    const bool showing = rules_.hand_size == kMostHand && rules_.hands == Hands::kHidden && !order;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const auto& hand = state.hands[seat];
        const int most = seat >= static_cast<std::size_t>(rules_.players) ? 0 : order ? 1 : rules_.hand_size;
        const int size = static_cast<int>(std::find(hand.begin(), hand.end(), 0) - hand.begin());
        if (size > most) return "a hand too large";
        for (int i = 0; i < kMostHand; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const bool shown = (state.shown[seat] >> at & 1) != 0;
            if (i >= size && (hand[at] != 0 || shown)) return "a tile behind a hand";
            if (hand[at] > types_) return "a hand with a tile of no type in the box";
            if (i == 0 || i >= size) continue;
            if (hand[at] < hand[at - 1]) return "a hand out of order";
            if (hand[at] == hand[at - 1] && shown && (state.shown[seat] >> (at - 1) & 1) == 0) {
                return "a hand that shows a later copy";
            }
        }
        if (state.shown[seat] >= 1U << kMostHand || (state.shown[seat] != 0 && !showing)) return "a hand shown in vain";
    }
    return "";
}

// CA-H3, CA-H4: as long as there is a pile all hands are full, but for what the mover has taken out.
std::string Game::hand_size_fault(const State& state) const {
    const int full = rules_.hand_size;
    if (full == 0) return "";
    bool last_dealt = false;  // phase deal: hands are full up to a seat that has less, and empty behind it
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules_.players); ++seat) {
        const int size = static_cast<int>(hand_of(state, seat).size());
        switch (state.phase) {
            case Phase::kDeal:
                if (last_dealt ? size > 0 : size > full) return "hands dealt out of order";
                last_dealt |= size < full;
                break;
            case Phase::kOver:
                if (size > 0) return "a hand at the end";
                break;
            case Phase::kOrder:
                break;
            default: {
                const bool out = static_cast<int>(seat) == state.turn && state.phase != Phase::kChoose &&
                                 state.phase != Phase::kDiscard;
                const int due = out ? full - 1 : full;
                if (state.pile.back() > 0 ? size != due : size > due) return "a hand that was not refilled";
            }
        }
    }
    return state.phase == Phase::kDeal && !last_dealt ? "nothing to deal" : "";
}

// CA-H2
std::string Game::order_fault(const State& state) const {
    if (state.phase != Phase::kOrder) return state.round == 0 && state.contenders == 0 ? "" : "draws for the start";
    const unsigned all = (1U << rules_.players) - 1U, contenders = state.contenders;
    if (rules_.first_player != FirstPlayer::kMostRoads) return "draws for the start";
    if (state.round < 1 || state.round > kMostRounds) return "no such round";
    if ((contenders & ~all) != 0 || std::popcount(contenders) < 2) return "contenders who are none";
    if (state.round == 1 && contenders != all) return "players who do not draw";
    bool waiting = false;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const bool drawn = state.hands[seat][0] != 0, draws = (contenders >> seat & 1) != 0;
        if (drawn && (!draws || waiting)) return "draws out of order";
        waiting |= draws && !drawn;
    }
    return waiting ? "" : "nobody to draw";
}

// Whose turn it is, and whose ordinary turn (CA-H7, CA-H8).
std::string Game::turn_fault(const State& state) const {
    const bool order = state.phase == Phase::kOrder;
    if (order || state.phase == Phase::kOver) return state.turn == -1 && state.ordinary == -1 ? "" : "nobody's turn";
    if (state.turn < 0 || state.turn >= rules_.players) return "nobody's turn";
    if (state.ordinary < 0 || state.ordinary >= rules_.players) return "nobody's ordinary turn";
    if (state.turn != state.ordinary) {
        // A buyer: now, or in an extra turn.
        const bool now = state.phase == Phase::kMeeple || (state.phase == Phase::kPlace && is_for_sale(state));
        if (!rules_.tile_sale || !(now || rules_.gap_bonus)) return "turns out of order";
    }
    return "";
}

std::string Game::sale_fault(const State& state) const {
    const bool bidding = state.phase == Phase::kBid, accepting = state.phase == Phase::kAccept;
    if (state.phase == Phase::kOffer || bidding || accepting) {
        if (!rules_.tile_sale || !is_for_sale(state)) return "a tile that is not for sale";
    }
    if (state.buyer == -1 && state.price == 0) return accepting ? "nothing to accept" : "";
    if (!bidding && !accepting) return "a price of nothing";
    if (state.buyer < 0 || state.buyer >= rules_.players) return "a buyer who does not play";
    const auto after_mover = [&](int seat) { return (seat - state.turn + rules_.players) % rules_.players; };
    if (state.buyer == state.turn || (bidding && after_mover(state.buyer) >= after_mover(state.actor))) {
        return "a price of one who has not bid";
    }
    if (state.price == 0 || state.price > state.scores[static_cast<std::size_t>(state.buyer)]) {
        return "a price that cannot be paid";
    }
    return "";
}

std::string Game::phase_fault(const State& state) const {
    const int players = rules_.players;
    if (!std::all_of(state.filler.begin(), state.filler.end(), [](auto item) { return item == 0; })) {
        return "filler that is not 0";
    }
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if (state.scores[seat] > (static_cast<int>(seat) < players ? kMostPoints : 0))
            return "more points than possible";
    }
    if (state.phase > Phase::kOver) return "a phase that is not played";
    const Phase phase = state.phase;
    const bool tile =
        phase == Phase::kOffer || phase == Phase::kBid || phase == Phase::kAccept || phase == Phase::kPlace;
    if ((state.tile != 0) != tile || (state.last != 0) != (phase == Phase::kMeeple)) return "a tile in the wrong phase";
    if (state.tile > types_) return "a tile of no type in the box";
    if (tile && !fits_somewhere(state, state.tile - std::size_t{1})) return "a tile that fits nowhere";
    for (const auto check : {&Game::order_fault, &Game::turn_fault, &Game::hand_size_fault, &Game::sale_fault}) {
        if (std::string fault = (this->*check)(state); !fault.empty()) return fault;
    }

    // What has left the game; CA-H5 with `return` lets nothing go.
    const auto laid =
        std::count_if(state.tile_codes.begin(), state.tile_codes.end(), [](auto code) { return code != 0; });
    int gone = (rules_.tiles == TileSet::kBase ? kBaseTiles : kTiles) - static_cast<int>(laid) - state.pile.back() -
               (tile ? 1 : 0);
    for (const auto& hand : state.hands)
        gone -= static_cast<int>(std::count_if(hand.begin(), hand.end(), [](auto one) { return one != 0; }));
    if (rules_.unplaceable == Unplaceable::kReturn && gone > 0) return "tiles that were not returned";
    const bool before_play = phase == Phase::kOrder || phase == Phase::kDeal;
    if (before_play || state.rows == 1) {
        if (gone > 0 || laid > (rules_.start_tile_in_bag ? 0 : 1)) return "turns before the first";
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            if (state.scores[seat] > 0) return "points before the first turn";
        }
        if (state.turn > 0 && rules_.first_player == FirstPlayer::kSeat0) return "another start player";
        if (state.turn != state.ordinary) return "turns out of order";
        if (!before_play && phase != Phase::kDraw && phase != Phase::kChoose) return "no land";
    }

    bool again = false, known = true;  // what `again` must be
    switch (phase) {
        case Phase::kMeeple: {
            const Cell cell = state.tile_cells[state.last];
            int neighbours = 0;
            for (const Cell other : state.tile_cells) {
                const int step = other - cell;
                neighbours += std::find(kSteps.begin(), kSteps.end(), step) != kSteps.end() ? 1 : 0;
            }
            again = rules_.gap_bonus && neighbours == static_cast<int>(kSides);
            break;
        }
        case Phase::kRefill:
            // An extra turn, or the turn that goes on after a discard.
            again = state.again != 0;
            known = state.again <= 1 && (!again || rules_.gap_bonus || gone > 0);
            break;
        default:
            break;
    }
    if (!known || (state.again != 0) != again || state.again > 1) return "a turn that does not go on";

    const auto seat = static_cast<std::size_t>(std::max<int>(state.turn, 0));
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    const bool plays = std::any_of(hand.begin(), hand.end(),
                                   [&](std::uint8_t one) { return can_be_played(state, one - std::size_t{1}); });
    switch (phase) {
        case Phase::kOrder:
            return state.actor == kChance ? "" : "a player who draws";
        case Phase::kDeal:
        case Phase::kRefill:
            if (rules_.hand_size == 0 || state.pile.back() == 0) return "nothing to draw";
            return state.actor == kChance ? "" : "a player who draws";
        case Phase::kDraw:
            if (rules_.hand_size > 0 || !can_draw(state)) return "nothing to draw";
            return state.actor == kChance ? "" : "a player who draws";
        case Phase::kChoose:
        case Phase::kDiscard:
            if (rules_.hand_size != kMostHand || hand.empty() || plays != (phase == Phase::kChoose)) {
                return "nothing to choose";
            }
            if (phase == Phase::kDiscard && rules_.hands == Hands::kHidden &&
                state.shown[seat] != (1U << hand.size()) - 1U) {
                return "a hand that is not shown";
            }
            return state.actor == state.turn ? "" : "another player's hand";
        case Phase::kBid:
            return state.actor >= 0 && state.actor < players && state.actor != state.turn ? "" : "nobody to bid";
        case Phase::kOffer:
        case Phase::kAccept:
        case Phase::kPlace:
            return state.actor == state.turn ? "" : "another player's tile";
        case Phase::kMeeple:
            if (state.options == 0 || state.supply[seat] == 0) return "no meeple to place";
            return state.actor == state.turn ? "" : "another player's meeple";
        default: {
            const bool more = rules_.hand_size > 0 ? state.pile.back() > 0 : can_draw(state);
            return state.actor == kTerminal && !more ? "" : "a game that is not over";
        }
    }
}

// Labels run out never: a tile that joins the land takes a label there for one of its segments, and
// if it has no field on its edges for a road or city, if no city for a field.
std::string Game::label_fault(const State& state) const {
    int mains = state.unused[0] - 1, fields = state.unused[2] - 1, before = 0;
    for (std::size_t type = 0; type < types_; ++type) {
        int left = state.pile[type] - before + (state.tile == type + 1 ? 1 : 0);
        for (const auto& hand : state.hands) {
            left += static_cast<int>(std::count(hand.begin(), hand.end(), static_cast<std::uint8_t>(type + 1)));
        }
        before = state.pile[type];
        mains += left * tiles_.tables[type].new_mains;
        fields += left * tiles_.tables[type].new_fields;
    }
    return mains > tiles_.most_mains || fields > tiles_.most_fields ? "labels that will not suffice" : "";
}

std::string Game::fault(const State& state) const {
    if (std::string fault = hand_fault(state); !fault.empty()) return fault;
    if (std::string fault = land_fault(state); !fault.empty()) return fault;
    State fresh = state;
    derive(fresh);
    if (std::string fault = derived_fault(state, fresh); !fault.empty()) return fault;
    if (std::string fault = unscored_fault(fresh); !fault.empty()) return fault;
    if (std::string fault = label_fault(state); !fault.empty()) return fault;
    return phase_fault(state);
}

}  // namespace tilery::carcassonne
