// SPDX-License-Identifier: MIT
// Pueblo: what the chieftain sees (PB-7 to PB-9).
#include <algorithm>
#include <cstring>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

// For each space the squares it looks along, nearest first (PB-7). Nobody looks along the lines of the corners.
constexpr std::array<ByteLine, kSpaces> kLines = [] {
    const auto line = [](int space) {
        std::array<std::uint8_t, kSide> squares{};
        const int i = space % (kSide + 1) - 1, back = kSide - 1;
        for (int away = 0; away < kSide && i >= 0; ++away) {
            const std::array<int, 4> side{
                kSide * i + away,                  // west side, looking east
                kSide * (back - away) + i,         // north side, looking south
                kSide * (back - i) + back - away,  // east side, looking west
                kSide * away + back - i,           // south side, looking north
            };
            squares[static_cast<std::size_t>(away)] =
                static_cast<std::uint8_t>(side[static_cast<std::size_t>(space / (kSide + 1))]);
        }
        return ByteLine(squares);
    };
    return [&]<std::size_t... space>(std::index_sequence<space...>) {
        return std::array{line(static_cast<int>(space))...};
    }(std::make_index_sequence<kSpaces>());
}();

// The quarters seen from the corners sw, nw, ne, se: their first squares (PB-9).
constexpr std::size_t kQuarterSide = kSide / 2;
constexpr std::array<std::size_t, 4> kQuarters{0, kSquares / 2, kSquares / 2 + kQuarterSide, kQuarterSide};
constexpr std::array<std::array<std::uint8_t, kSquares / 4>, 4> kQuarterSquares = [] {
    std::array<std::array<std::uint8_t, kSquares / 4>, 4> squares{};
    for (std::size_t quarter = 0; quarter < kQuarters.size(); ++quarter) {
        for (std::size_t i = 0; i < squares[quarter].size(); ++i) {
            squares[quarter][i] =
                static_cast<std::uint8_t>(kQuarters[quarter] + kSide * (i / kQuarterSide) + i % kQuarterSide);
        }
    }
    return squares;
}();

// The points of one cube on each level of a set: the sum of k + 1 over its bits k.
constexpr std::array<std::uint8_t, 1 << kLowLevels> kLevelPoints = [] {
    std::array<std::uint8_t, 1 << kLowLevels> points{};
    for (std::size_t set = 0; set < points.size(); ++set) {
        for (int level = 0; level < kLowLevels; ++level) {
            if ((set >> level & 1) != 0) points[set] = static_cast<std::uint8_t>(points[set] + level + 1);
        }
    }
    return points;
}();

// The same for eight sets of levels in the bytes of a word: k + 1 from the binary digits of k.
std::uint32_t level_points(std::uint64_t sets) {
    return static_cast<std::uint32_t>(std::popcount(sets) + std::popcount(sets & 0xAA * kEachByte) +
                                      2 * std::popcount(sets & 0xCC * kEachByte) +
                                      4 * std::popcount(sets & 0xF0 * kEachByte));
}

// Of squares in a row, the nearest in the lowest byte: the levels on which nothing hides them.
std::uint64_t unhidden(std::uint64_t row) {
    std::uint64_t before = row << 8;
    before |= before << 8;
    before |= before << 16;
    before |= before << 32;
    return row & ~before;
}
// The same with the nearest in the highest byte.
std::uint64_t unhidden_from_behind(std::uint64_t row) {
    std::uint64_t before = row >> 8;
    before |= before >> 8;
    before |= before >> 16;
    before |= before >> 32;
    return row & ~before;
}
// The bytes of a word, no two of which share a bit, as one.
std::uint64_t merged(std::uint64_t word) { return word * kEachByte >> 56; }

// Of low columns the topmost levels.
std::uint64_t topmost(std::uint64_t columns) { return columns & ~(columns >> 1 & 0x7F * kEachByte); }

// Two ranks of a quarter.
LevelSets half_quarter(const State& state, std::size_t square) {
    const auto both = [&](const ByteCells& bytes) {
        std::uint32_t south = 0, north = 0;
        std::memcpy(&south, bytes.data() + square, sizeof south);
        std::memcpy(&north, bytes.data() + square + kSide, sizeof north);
        return south | std::uint64_t{north} << 32;
    };
    return {both(state.cubes[0]), both(state.cubes[1]), both(state.cubes[2])};
}

void add_points(Points& points, int owner, int amount) {
    if (owner != kNeutral) points[static_cast<std::size_t>(owner)] += static_cast<std::uint32_t>(amount);
}

}  // namespace

std::span<const std::uint8_t> Game::looked_at(int space) {
    const auto s = static_cast<std::size_t>(space);
    if (s % (kSide + 1) == 0) return kQuarterSquares[s / (kSide + 1)];
    return kLines[s].cells();
}

// PB-9
void Game::add_seen_from_corner(const State& state, std::size_t corner, Points& points) const {
    if (has_high_cubes(state)) [[unlikely]] {
        for (const std::uint8_t square : kQuarterSquares[corner]) {
            if (state.heights[square] > 0) add_points(points, owner(state, square, state.heights[square] - 1), 1);
        }
        return;
    }
    for (const std::size_t square : {kQuarters[corner], kQuarters[corner] + kSquares / 4}) {
        const LevelSets cubes = half_quarter(state, square);
        const auto tops = (cubes & topmost(cubes.all())).by_player();
        for (std::size_t p = 0; p < kMostPlayers; ++p) points[p] += static_cast<std::uint32_t>(std::popcount(tops[p]));
    }
}

// PB-8, of the cubes above the low levels.
void Game::add_seen_above(const State& state, std::size_t space, Points& points) const {
    int hidden = kLowLevels;
    for (const std::uint8_t square : kLines[space].cells()) {
        for (; hidden < state.heights[square]; ++hidden) add_points(points, owner(state, square, hidden), hidden + 1);
    }
}

// PB-8
void Game::add_seen_from(const State& state, int space, Points& points) const {
    const auto s = static_cast<std::size_t>(space);
    if (s % (kSide + 1) == 0) return add_seen_from_corner(state, s / (kSide + 1), points);
    const ByteLine& line = kLines[s];
    LevelSets cubes{line.of(state.cubes[0]), line.of(state.cubes[1]), line.of(state.cubes[2])};
    cubes = cubes & unhidden(cubes.all());
    const auto levels = LevelSets{merged(cubes.bit0), merged(cubes.bit1), merged(cubes.bit2)}.by_player();
    for (std::size_t p = 0; p < kMostPlayers; ++p) points[p] += kLevelPoints[levels[p]];
    if (has_high_cubes(state)) add_seen_above(state, s, points);
}

// All 36 spaces, each once, whichever comes first (PB-17).
Points Game::seen_all_round(const State& state) const {
    Points points{};
    if (has_high_cubes(state)) [[unlikely]] {
        for (int space = 0; space < kSpaces; ++space) add_seen_from(state, space, points);
        return points;
    }
    const auto n = static_cast<std::size_t>(rules_.players);
    const auto add_levels = [&](const LevelSets& seen) {
        const auto levels = seen.by_player();
        for (std::size_t p = 0; p < n; ++p) points[p] += level_points(levels[p]);
    };
    // From the west and the east a word is a rank, from the south and the north one square of each file.
    LevelSets west{}, east{}, south{}, north{};
    std::uint64_t before = 0;
    for (std::size_t r = 0; r < kSide; ++r) {
        const LevelSets cubes = LevelSets::load(state, kSide * r);
        const std::uint64_t all = cubes.all();
        const auto merge = [r](const LevelSets& row) {
            return LevelSets{merged(row.bit0) << 8 * r, merged(row.bit1) << 8 * r, merged(row.bit2) << 8 * r};
        };
        west |= merge(cubes & unhidden(all));
        east |= merge(cubes & unhidden_from_behind(all));
        south |= cubes & ~before;
        before |= all;
        const auto tops = (cubes & topmost(all)).by_player();
        for (std::size_t p = 0; p < n; ++p) points[p] += static_cast<std::uint32_t>(std::popcount(tops[p]));
    }
    before = 0;
    for (std::size_t r = kSide; r-- > 0;) {
        const LevelSets cubes = LevelSets::load(state, kSide * r);
        north |= cubes & ~before;
        before |= cubes.all();
    }
    for (const LevelSets& seen : {west, north, east, south}) add_levels(seen);
    return points;
}

}  // namespace tilery::pueblo
