// SPDX-License-Identifier: MIT
// Frontier::close() in constant time, by blocks of bytes.
//
// In the sorted lists the southern neighbour of a cell, the western one, the cell itself, the eastern
// and the northern one follow each other, with other cells in the middle (between the first two) and
// behind (between the last two), and the rest after the northern one. The four neighbours are written
// again; middle, behind and rest move by as many items as come in or go out before them.
//
// Everything is loaded before anything nearby is stored. Stores go in ascending order and in whole
// blocks, so that what is written past the end of one run, or for a neighbour that is not open, is
// overwritten by the next.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "tilery/games/carcassonne/frontier.hpp"
#include "tilery/simd/bytes.hpp"
#include "tilery/simd/count.hpp"

namespace tilery::carcassonne::fast {

inline constexpr std::size_t kNear = 16;      // items of a short run: middle and behind
inline constexpr std::size_t kBlock = 32;     // items moved at once in the rest
inline constexpr std::size_t kMostAdded = 4;  // cells and faces that a tile adds

// With more cells or faces than these a block could pass the end of its list. One block more of cells is
// loaded than is stored.
inline constexpr std::size_t kCellRoom = std::tuple_size_v<decltype(Frontier::cells)>;
inline constexpr std::size_t kFaceRoom = std::tuple_size_v<decltype(Frontier::facing)>;
inline constexpr std::size_t kMostCells = kCellRoom - 2 * kBlock;
inline constexpr std::size_t kMostFaces = kFaceRoom - kBlock - kMostAdded;
inline constexpr std::size_t kFaceBlocks = (kMostFaces + kBlock - 1) / kBlock;
static_assert(kMostCells + 1 + kNear <= kCellRoom && kMostFaces + kMostAdded + kBlock <= kFaceRoom);

// Up to this many, the rest is moved as a fixed number of blocks, without a loop over what is there.
inline constexpr std::size_t kTwoBlocks = 2 * kBlock;
static_assert(kTwoBlocks + 3 * kBlock <= kCellRoom);

// The effect of a tile with neighbours on a set of sides on the frontier: it adds a face on each of its
// empty sides, and those of its neighbours go.
struct alignas(16) Change {
    std::uint8_t west, south, north, east;     // 1 if that side is empty
    std::uint8_t south_west, south_west_east;  // sums of these
    std::uint8_t gone;                         // faces of the filled cell
    std::uint8_t behind, rest;                 // by how much `first` grows there, modulo 256
    Edges empty;                               // both bits of each empty side, as its neighbour sees it
};
inline constexpr auto kChanges = array_of<1U << kSides>([](unsigned taken) {
    Change change{};
    const auto empty = [taken](std::size_t side) { return narrow<std::uint8_t>(~taken >> side & 1); };
    change.west = empty(kWest);
    change.south = empty(kSouth);
    change.north = empty(kNorth);
    change.east = empty(kEast);
    change.south_west = narrow<std::uint8_t>(change.south + change.west);
    change.south_west_east = narrow<std::uint8_t>(change.south_west + change.east);
    change.gone = narrow<std::uint8_t>(std::popcount(taken));
    change.behind = narrow<std::uint8_t>(change.south_west_east - change.gone);
    change.rest = narrow<std::uint8_t>(change.behind + change.north);
    for (std::size_t side = 0; side < kSides; ++side) {
        if (empty(side) != 0) change.empty |= both_bits(opposite(side));
    }
    return change;
});

// A cell that is about to be filled, and its neighbours.
struct Neighbours {
    std::size_t at, south, north;                              // indices; of neighbours also where they would be
    std::size_t here_first, south_first, north_first;          // their indices in `facing`
    std::size_t south_open, west_open, east_open, north_open;  // 1 if the neighbour is open already
    Edges south_edges, west_edges, east_edges, north_edges;    // what the open ones ask for
};

// Items of the lists that move together: cells with their edges and the beginnings of their faces.
struct ShortRun {
    Bytes32 cells;
    Bytes16 edges, first;

    static ShortRun load(const Frontier& frontier, std::size_t from, std::uint8_t growth) {
        return {Bytes32::load(&frontier.cells[from]), Bytes16::load(&frontier.edges[from]),
                Bytes16::load(&frontier.first[from]) + Bytes16::broadcast(growth)};
    }
    void store(Frontier& frontier, std::size_t to) const {
        cells.store(&frontier.cells[to]);
        edges.store(&frontier.edges[to]);
        first.store(&frontier.first[to]);
    }
};
struct LongRun {
    Bytes32 low_cells, high_cells, edges, first;

    static LongRun load(const Frontier& frontier, std::size_t from, Bytes32 growth) {
        return {Bytes32::load(&frontier.cells[from]), Bytes32::load(&frontier.cells[from + kNear]),
                Bytes32::load(&frontier.edges[from]), Bytes32::load(&frontier.first[from]) + growth};
    }
    void store(Frontier& frontier, std::size_t to) const {
        low_cells.store(&frontier.cells[to]);
        high_cells.store(&frontier.cells[to + kNear]);
        edges.store(&frontier.edges[to]);
        first.store(&frontier.first[to]);
    }
};

// The lists of faces: in those of our neighbours we come first in the east, after the western tile in
// the north, after the western and the southern one in the south, last in the west.
inline void move_facing(Frontier& frontier, const Neighbours& near, const Change& change, std::uint8_t slot) {
    const std::size_t faces = frontier.first[frontier.size];
    const unsigned south_taken = kTakenSides[near.south_edges], north_taken = kTakenSides[near.north_edges];
    const std::size_t from_middle = near.south_first + (south_taken & 1U) + (south_taken >> 1 & 1U);
    const std::size_t from_behind = near.here_first + change.gone;
    const std::size_t from_rest = near.north_first + (north_taken & 1U);
    const std::size_t to_behind = near.here_first + change.south_west_east;
    const std::size_t to_north = from_rest + to_behind - from_behind, to_rest = to_north + change.north;
    std::uint8_t* const facing = frontier.facing.data();
    const Bytes32 middle = Bytes32::load(facing + from_middle), behind = Bytes32::load(facing + from_behind);
    // As many blocks as the longest rest has. All are loaded before one is stored, and of a shorter rest the last
    // blocks are the same, so that their order does not matter.
    std::array<std::size_t, kFaceBlocks> from;
    std::array<Bytes32, kFaceBlocks> rest;
    const std::size_t last = std::max(from_rest + kBlock, faces) - kBlock;
    for (std::size_t i = 0; i < kFaceBlocks; ++i) {
        from[i] = std::min(from_rest + i * kBlock, last);
        rest[i] = Bytes32::load(facing + from[i]);
    }
    facing[from_middle] = slot;
    middle.store(facing + from_middle + change.south);
    facing[near.here_first + change.south] = slot;
    facing[near.here_first + change.south_west] = slot;
    behind.store(facing + to_behind);
    facing[to_north] = slot;
    for (std::size_t i = 0; i < kFaceBlocks; ++i) rest[i].store(facing + from[i] + to_rest - from_rest);
}

// The lists of cells; `shown` are the edges that the tile shows to empty cells.
inline void move_cells(Frontier& frontier, const Neighbours& near, const Change& change, unsigned shown) {
    const std::size_t at = near.at, south = near.south, cells = frontier.size;
    const Cell cell = frontier.cells[at];
    const std::size_t from_middle = south + near.south_open, from_behind = at + 1 + near.east_open,
                      from_rest = near.north + near.north_open;
    const std::size_t to_west = at + change.south - near.south_open - near.west_open, to_east = to_west + change.west;
    const std::size_t to_behind = to_east + change.east, to_north = to_behind + near.north - from_behind;
    const std::size_t to_rest = to_north + change.north;
    const auto middle = ShortRun::load(frontier, from_middle, change.south);
    const auto behind = ShortRun::load(frontier, from_behind, change.behind);
    const Bytes32 growth = Bytes32::broadcast(change.rest);
    const std::size_t west_first = frontier.first[at - near.west_open] + std::size_t{change.south};
    auto run = LongRun::load(frontier, from_rest, growth);

    const auto put = [&](std::size_t to, std::size_t side, unsigned edges) {
        frontier.cells[to] = neighbour(cell, side);
        frontier.edges[to] = narrow<Edges>(edges | (shown & both_bits(opposite(side))));
    };
    put(south, kSouth, near.south_edges);
    middle.store(frontier, south + change.south);
    put(to_west, kWest, near.west_edges);
    frontier.first[to_west] = narrow<std::uint8_t>(west_first);
    put(to_east, kEast, near.east_edges);
    frontier.first[to_east] = narrow<std::uint8_t>(near.here_first + change.south_west);
    behind.store(frontier, to_behind);
    put(to_north, kNorth, near.north_edges);
    frontier.first[to_north] = narrow<std::uint8_t>(near.north_first + change.behind);
    const std::size_t end = (cells <= kTwoBlocks ? 2 : (cells - from_rest) / kBlock + 1) * kBlock;
    for (std::size_t done = 0;;) {
        const auto next = LongRun::load(frontier, from_rest + done + kBlock, growth);
        run.store(frontier, to_rest + done);
        done += kBlock;
        if (done == end) break;
        run = next;
    }
    frontier.size = narrow<std::uint8_t>(cells + to_rest - from_rest);
}

// Frontier::close() with no side outside, if there are at most `most_cells` open cells, and neighbours
// are close to each other in the lists. Otherwise changes nothing and returns false.
[[nodiscard]] inline bool close(Frontier& frontier, std::size_t at, std::size_t most_cells, Edges mirrored,
                                std::uint8_t slot) {
    const std::size_t cells = frontier.size;
    // Before anything near the end of the lists is read.
    if (cells > most_cells) [[unlikely]]
        return false;
    const Cell cell = frontier.cells[at], south_cell = neighbour(cell, kSouth), north_cell = neighbour(cell, kNorth);
    const std::size_t begin = at > kNear ? at - kNear : 0;
    const std::size_t before_south = count_less(&frontier.cells[begin], south_cell);
    const std::size_t before_north = count_less(&frontier.cells[at + 1], north_cell);
    Neighbours near;
    near.at = at;
    near.south = begin + before_south;
    near.north = at + 1 + before_north;
    near.here_first = frontier.first[at];
    near.south_first = frontier.first[near.south];
    near.north_first = frontier.first[near.north];
    const unsigned taken = kTakenSides[frontier.edges[at]];
    if (frontier.first[cells] > kMostFaces || (before_south == 0 && begin > 0) || before_north == kNear ||
        ((near.here_first - near.south_first) | (near.north_first - near.here_first)) >= kBlock) [[unlikely]] {
        return false;
    }
    near.south_open = frontier.cells[near.south] == south_cell ? 1 : 0;
    near.north_open = frontier.cells[near.north] == north_cell ? 1 : 0;
    near.west_open = frontier.cells[at - (at > 0 ? 1 : 0)] == neighbour(cell, kWest) ? 1 : 0;
    near.east_open = frontier.cells[at + 1] == neighbour(cell, kEast) ? 1 : 0;
    const auto edges_if = [&frontier](std::size_t open, std::size_t i) {
        return narrow<Edges>(frontier.edges[i] & (0U - open));
    };
    near.south_edges = edges_if(near.south_open, near.south);
    near.west_edges = edges_if(near.west_open, at - near.west_open);
    near.east_edges = edges_if(near.east_open, at + 1);
    near.north_edges = edges_if(near.north_open, near.north);
    const Change& change = kChanges[taken];
    move_facing(frontier, near, change, slot);
    move_cells(frontier, near, change, mirrored & unsigned{change.empty});
    return true;
}

}  // namespace tilery::carcassonne::fast
