// SPDX-License-Identifier: MIT
// Pueblo: what the chieftain sees (PB-7 to PB-9).
#include <cstring>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

// For each space the squares it looks along, nearest first (PB-7). The lines of corners are not used.
constexpr Keyed<ByteLine, kSpaces> kLines{array_of<kSpaces>([](int space) {
    std::array<std::uint8_t, kSide> squares{};
    const int i = space % (kSide + 1) - 1, back = kSide - 1;
    for (int away = 0; away < kSide && i >= 0; ++away) {
        const Keyed<Byte, 4> side{
            kSide * i + away,                  // west side, looking east
            kSide * (back - away) + i,         // north side, looking south
            kSide * (back - i) + back - away,  // east side, looking west
            kSide * away + back - i,           // south side, looking north
        };
        squares[index(away)] = side[space / (kSide + 1)];
    }
    return ByteLine(squares);
})};

// The quarters seen from the corners sw, nw, ne, se: their first squares (PB-9).
constexpr std::size_t kQuarterSide = kSide / 2;
constexpr Keyed<std::size_t, 4> kQuarters{0, kSquares / 2, kSquares / 2 + kQuarterSide, kQuarterSide};
constexpr Keyed<std::array<std::uint8_t, kSquares / 4>, 4> kQuarterSquares{array_of<4>([](std::size_t quarter) {
    return array_of<kSquares / 4>([quarter](std::size_t i) -> std::uint8_t {
        return Byte(number(kQuarters[quarter] + kSide * (i / kQuarterSide) + i % kQuarterSide));
    });
})};

// The points of one cube on each level of a set: the sum of k + 1 over its bits k.
constexpr Keyed<Byte, 1 << kLowLevels> kLevelPoints{array_of<1 << kLowLevels>([](int set) {
    Byte points = 0;
    for (int level = 0; level < kLowLevels; ++level) points += (set >> level & 1) * (level + 1);
    return points;
})};

// The number of bits.
int size(std::uint64_t set) { return number(Squares::of_word(set).size()); }

// The same for eight sets of levels in the bytes of a word: k + 1 from the binary digits of k.
int level_points(std::uint64_t sets) {
    return size(sets) + size(sets & 0xAA * kEachByte) + 2 * size(sets & 0xCC * kEachByte) +
           4 * size(sets & 0xF0 * kEachByte);
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

[[nodiscard]] bool is_corner(int space) { return space % (kSide + 1) == 0; }

// Calls give(square, owner, points) for each cube seen that is not neutral, one after the other; of the cubes seen from
// a side only for those above a number of levels (PB-8, PB-9).
void look(const State& state, int space, int above, const auto& give) {
    const auto see = [&](std::size_t square, int level, int points) {
        const int owner = code_at(state, square, level) - 1;
        if (owner != kNeutral) give(square, owner, points);
    };
    if (is_corner(space)) {
        for (const std::uint8_t square : kQuarterSquares[space / (kSide + 1)]) {
            if (state.heights[square] > 0) see(square, state.heights[square] - 1, 1);
        }
        return;
    }
    for (const std::uint8_t square : kLines[space].cells()) {
        for (; above < state.heights[square]; ++above) see(square, above, above + 1);
    }
}
void add_seen_above(const State& state, int space, int above, Points& points) {
    look(state, space, above, [&points](std::size_t, int owner, int amount) { points[owner] += amount; });
}

}  // namespace

std::span<const std::uint8_t> Game::looked_at(int space) {
    if (is_corner(space)) return kQuarterSquares[space / (kSide + 1)];
    return kLines[space].cells();
}

// PB-9
void Game::add_seen_from_corner(const State& state, int corner, Points& points) const {
    if (has_high_cubes(state)) [[unlikely]]
        return add_seen_above(state, (kSide + 1) * corner, 0, points);
    for (const std::size_t square : {kQuarters[corner], kQuarters[corner] + kSquares / 4}) {
        const LevelSets cubes = half_quarter(state, square);
        const auto tops = (cubes & topmost(cubes.all())).by_player();
        for (Player p = 0; p < kMostPlayers; ++p) points[p] += size(tops[p]);
    }
}

// PB-8
void Game::add_seen_from(const State& state, int space, Points& points) const {
    if (is_corner(space)) return add_seen_from_corner(state, space / (kSide + 1), points);
    const ByteLine& line = kLines[space];
    LevelSets cubes{line.gather(state.cubes[0]), line.gather(state.cubes[1]), line.gather(state.cubes[2])};
    cubes = cubes & unhidden(cubes.all());
    const auto levels = LevelSets{merged(cubes.bit0), merged(cubes.bit1), merged(cubes.bit2)}.by_player();
    for (Player p = 0; p < kMostPlayers; ++p) points[p] += kLevelPoints[levels[p]];
    if (has_high_cubes(state)) add_seen_above(state, space, kLowLevels, points);
}

// All 36 spaces, each once, in any order (PB-17).
Points Game::seen_all_round(const State& state) const {
    Points points{};
    if (has_high_cubes(state)) [[unlikely]] {
        for (int space = 0; space < kSpaces; ++space) add_seen_from(state, space, points);
        return points;
    }
    const auto add_levels = [&](const LevelSets& seen) {
        const auto levels = seen.by_player();
        for (Player p = 0; p < rules_.players; ++p) points[p] += level_points(levels[p]);
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
        for (Player p = 0; p < rules_.players; ++p) points[p] += size(tops[p]);
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

void Game::tell_seen(const State& state, int space, Player first, std::size_t source, ScoreEvents& events) const {
    PerSeat<int> points{};
    PerSeat<std::vector<std::string>> squares;
    look(state, space, 0, [&](std::size_t square, int owner, int amount) {
        points[owner] += amount;
        std::string name = "square:" + square_name(number(square));
        if (squares[owner].empty() || squares[owner].back() != name) squares[owner].push_back(std::move(name));
    });
    for (int i = 0; i < rules_.players; ++i) {
        const Player player = (first + i) % rules_.players;
        add_event(events, source, player, points[player], std::move(squares[player]));
    }
}

ScoreEvents Game::score_events(const State& state, Action action) const {
    enum Source : std::size_t { kViewFromSide, kViewFromCorner, kLap, kBids };
    ScoreEvents events;
    const int number = meaning(action).number;
    if (state.phase == Phase::kToken) {
        add_event(events, kBids, state.player, state.bid, {"token:" + std::to_string(number + 1)});
    } else if (state.phase == Phase::kMove) {
        State after = state;
        move(after, number);
        const int space = after.chieftain;
        tell_seen(after, space, state.player, is_corner(space) ? kViewFromCorner : kViewFromSide, events);
        const bool lap = state.part != 3 && (after.part == 3 || after.phase == Phase::kOver);  // PB-17
        for (int i = 1; i <= kSpaces && lap; ++i) {
            tell_seen(after, (space + i) % kSpaces, state.player, kLap, events);
        }
    }
    return events;
}

}  // namespace tilery::pueblo
