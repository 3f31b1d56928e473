// SPDX-License-Identifier: MIT
// Roads, cities and fields: how they grow, what they are worth.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tilery/core/playout.hpp"
#include "tilery/games/carcassonne/box.hpp"
#include "tilery/games/carcassonne/state.hpp"
#include "tilery/simd/bits.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::carcassonne {

template <class Integer>
[[nodiscard]] Integer load(const void* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Of every set of sides, a byte 0xFF for each side in it.
inline constexpr auto kSideBytes = array_of<1U << kSides>([](unsigned set) {
    std::uint32_t bytes = 0;
    for (std::size_t side = 0; side < kSides; ++side) bytes |= (set >> side & 1) * 0xFFU << 8 * side;
    return bytes;
});

// The labels that face a cell, at the ports of a tile there as placed.
[[nodiscard]] inline Bytes16 facing_labels(const Box& box, const State& state, std::size_t at, std::uint8_t taken) {
    // Where there is no neighbour, slot 0 has no labels.
    const auto slots = load<std::uint32_t>(&state.frontier.facing[state.frontier.first[at]]);
    const std::uint32_t around = spread_bytes(slots, kSideBytes[taken]);
    const auto facing = [&](std::size_t side) {
        const std::size_t slot = around >> 8 * side & 0xFF;
        const Bytes16 labels = Bytes16::from64(load<std::uint64_t>(&state.land.labels[slot]));
        return labels.shuffle(Bytes16::from64(box.tiles.facing[side][state.land.codes[slot]]));
    };
    return Bytes16::interleave_low32(facing(kWest), facing(kSouth), facing(kNorth), facing(kEast));
}

// Of each of four sides (a label in each byte) the sum of the numbers (a byte each) of all sides with its label.
[[nodiscard]] inline std::uint32_t sums_by_label(std::uint32_t labels, std::uint32_t numbers) {
    static constexpr std::array<std::uint8_t, 16> kTurned{0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
    const Bytes16 turned = Bytes16::load(&kTurned), sides = Bytes16::broadcast32(labels);
    // Every side beside every side; where the labels are equal, its number.
    const Bytes16 added = sides.equal(sides.shuffle(turned)) & Bytes16::broadcast32(numbers).shuffle(turned);
    const Bytes16 halves = added + added.align_right8(added);
    return narrow<std::uint32_t>((halves + halves.shift_right64<32>()).low64());
}

// A set of meeples, as bits of their numbers.
using MeepleSet = std::uint64_t;

// The meeples with this label.
[[nodiscard]] inline MeepleSet meeples_with(const Meeples& meeples, Label label) {
    return Bytes32::load(&meeples.labels[0]).equal(Bytes32::broadcast(label)).movemask() |
           MeepleSet{Bytes16::load(&meeples.labels[32]).equal(Bytes16::broadcast(label)).movemask()} << 32;
}

// Those that are not at home.
[[nodiscard]] inline MeepleSet meeples_placed(const Meeples& meeples) {
    return ~meeples_with(meeples, 0) & ((MeepleSet{1} << kAllMeeples) - 1);
}

// The points of a road (CA-11), and half of those of a complete city (CA-12).
[[nodiscard, gnu::noinline]] int value_of(const State& state, Label label, bool city);
// A cache of the features of one land.
class KnownFeatures {
  public:
    // value_of()
    [[nodiscard]] int value(const State& state, Label label, bool city) {
        std::uint8_t& value = values_[bare(label)];
        if (value == 0) value = narrow<std::uint8_t>(value_of(state, label, city));
        return value;
    }
    // The cities that border a field with farmers, and roads among them.
    [[nodiscard]] const LabelSet& borders(const State& state, Label field) {
        if (!fields_.has(bare(field))) {  // also if it had no farmer when the others were found
            find_borders(state.land);
            fields_.insert(bare(field));
        }
        return borders_[bare(field)];
    }

  private:
    [[gnu::noinline]] void find_borders(const Land& land);  // of all fields with farmers

    std::array<std::uint8_t, kLabels> values_{};  // of roads and cities
    LabelSet fields_;                             // those whose borders are known
    std::array<LabelSet, kLabels> borders_;
};
// The tiles in the square of nine cells around a cell.
[[nodiscard, gnu::noinline]] int tiles_around(const State& state, Cell cell);
// CA-14, CA-H11: the tiles of a complete monastery. Where the edge does not close they are never all there.
[[nodiscard]] int monastery_tiles(const Box& box, Cell cell);

// Calls f(slot) for the first of each kSlots slots, as far as there may be tiles; behind the last tile there are no
// cells and no labels. One of two fixed numbers of times: one that grew with the land would be mispredicted at almost
// every call. Flattened: f is called from two places, and the compiler would rather keep it a function.
template <std::size_t kSlots, class F>
TILERY_FLATTEN void for_each_block(const Land& land, F&& f) {
    constexpr std::size_t kFew = 64;
    const auto call = [&f]<std::size_t... I>(std::index_sequence<I...>) { (f(kSlots * I), ...); };
    if (land.size <= kFew) {
        call(std::make_index_sequence<kFew / kSlots>());
    } else {
        call(std::make_index_sequence<(kTileSlots + kSlots - 1) / kSlots>());
    }
}

// Gives the feature `from` the label `to`, on tiles and under meeples. Free of branches on `field`, which is
// unpredictable.
inline void relabel(const Box& box, State& state, bool field, Label from, Label to) {
    const Bytes32 old = Bytes32::broadcast(from);
    const Bytes32 change = Bytes32::broadcast32(0x0101U * (from ^ to) << 16 * unsigned{field});
    auto* const labels = state.land.labels.data();
    for_each_block<8>(state.land, [&](std::size_t slot) {
        const Bytes32 eight = Bytes32::load(labels + slot);
        (eight ^ (eight.equal(old) & change)).store(labels + slot);
    });
    const Bytes16 under = Bytes16::broadcast(narrow<Label>(bare(from) | kOccupied * unsigned{!field}));
    const Bytes16 moved = Bytes16::broadcast(bare(from ^ to));
    for (std::size_t i = 0; i < kMeepleNumbers * index_of(box.rules.players); i += 16) {
        const Bytes16 meeples = Bytes16::load(&state.meeples.labels[i]);
        (meeples ^ (meeples.equal(under) & moved)).store(&state.meeples.labels[i]);
    }
}

// Joins the features that meet in one segment of a tile and have different labels. `met` are the labels
// that the neighbours show at its ports, `joined` those that they shall have; both are brought up to date.
inline void unite(const Box& box, State& state, std::size_t port, Bytes16& met, Bytes16& joined) {
    Shuffle old, now;
    met.store(&old);
    joined.store(&now);
    // Usually the port has the lower label. Not so if the tile meets a feature with two of its segments,
    // and the first of them has joined it to something higher.
    const Label from = std::min(old[port], now[port]), to = std::max(old[port], now[port]);
    const bool field = port % 4 != 0;
    relabel(box, state, field, from, to);
    constexpr std::array kPorts{0x00000001U, 0x00010100U};  // of each side, of roads and cities and of fields
    const Bytes16 change = Bytes16::broadcast32(kPorts[field ? 1 : 0] * (from ^ to));
    met = met ^ (met.equal(Bytes16::broadcast(from)) & change);
    joined = joined ^ (joined.equal(Bytes16::broadcast(from)) & change);
    // Fields have no ends: for them those of 0 are changed and put back.
    const unsigned ends = field ? 0 : 0x7F;
    auto& open_ends = state.features.open_ends;
    open_ends[to & ends] = narrow<std::uint8_t>(open_ends[to & ends] + open_ends[from & ends]);
    open_ends[from & ends] = 0;
    open_ends[0] = 1;
}

// CA-5: joins what meets in the segments of a tile and returns the labels for its places. `met` are the
// labels that its neighbours show at its ports, as printed.
[[nodiscard]] inline Bytes16 join(const Box& box, State& state, Bytes16 met, std::size_t code) {
    const TypeTables& table = box.table(code);
    // Of all labels that meet in a segment it takes the highest; the others become that.
    Bytes16 joined = met;
    for (const Shuffle& along : table.along) joined = joined.max(joined.shuffle(Bytes16::load(&along)));
    for (;;) {
        const std::uint32_t apart = ~(met.equal(joined) | met.equal(Bytes16())).movemask() & 0xFFFF;
        if (apart == 0) [[likely]]
            break;
        unite(box, state, index_of(std::countr_zero(apart)), met, joined);
    }
    // Segments that met nothing begin new features.
    const Bytes16 labels = joined.shuffle(Bytes16::load(&table.ports));
    const Bytes16 fresh = labels.equal(Bytes16()) & Bytes16::from64(table.present);
    const std::uint32_t places = fresh.movemask();
    const auto unused = load<std::uint64_t>(&state.features.next_label);
    const std::uint64_t next = unused + box.tiles.counts[places];
    std::memcpy(&state.features.next_label, &next, sizeof next);
    return (labels | (fresh & (Bytes16::from64(unused) + Bytes16::from64(box.tiles.ranks[places]))))
        .shuffle(Bytes16::load(&table.copies));
}

}  // namespace tilery::carcassonne
