// SPDX-License-Identifier: MIT
// What a position is made of, from scratch: its canonical form, and what makes bytes no position.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "tilery/games/carcassonne/game.hpp"

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
    return turn_fault(state);
}

}  // namespace tilery::carcassonne
