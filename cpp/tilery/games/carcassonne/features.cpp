// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/features.hpp"

namespace tilery::carcassonne {
namespace {

constexpr std::size_t kSixteen = 16;  // cells in thirty-two bytes
using Words = std::array<std::uint64_t, 2>;

}  // namespace

// One point for each tile, however many of its segments are in the feature (CA-13), and in a city one
// for each shield; a road may run through the tile of a shield too.
int value_of(const State& state, Label label, bool city) {
    const Land& land = state.land;
    Words slots{}, second{};
    const Bytes32 wanted = Bytes32::broadcast(label), none = Bytes32::broadcast(0);
    const Bytes32 mains = Bytes32::broadcast32(0x0000FFFFU);  // places of roads and cities in eight slots
    for_each_block<8>(land, [&](std::size_t slot) {
        const Bytes32 eight = Bytes32::load(&land.labels[slot]);
        const std::uint64_t absent = (eight.equal(wanted) & mains).equal32(none).movemask32();
        slots[slot / 64] |= (absent ^ 0xFF) << slot % 64;
    });
    for (std::size_t slot = 0; slot < land.size; slot += 32) {
        second[slot / 64] |= std::uint64_t{Bytes32::load(&land.codes[slot]).equal(none).movemask()} << slot % 64;
    }
    const Words after{slots[0] << 1, slots[1] << 1 | slots[0] >> 63};
    int value = 0;
    for (std::size_t w = 0; w < slots.size(); ++w) {
        const std::uint64_t shields = land.shields.word(w) & (0 - std::uint64_t{city});
        value += std::popcount(slots[w] & ~(after[w] & second[w])) + std::popcount(slots[w] & shields);
    }
    return value;
}

void KnownFeatures::find_borders(const Land& land) {
    fields_ = {};
    borders_.fill({});
    // Bits are the places of roads and cities beside a field with farmers on the same tile.
    std::array<std::uint64_t, kTileSlots / kSixteen + 1> bordering{};
    constexpr std::uint32_t kMainPlaces = 0x33333333U;
    for_each_block<8>(land, [&](std::size_t slot) {
        const Bytes32 eight = Bytes32::load(&land.labels[slot]);
        const std::uint64_t places = eight.movemask() >> 2 & ~eight.equal(Bytes32()).movemask() & kMainPlaces;
        bordering[slot / kSixteen] |= places << slot % kSixteen * kSlotPlaces;
    });
    for (std::size_t w = 0; w < bordering.size(); ++w) {
        const Label* const labels = land.labels[w * kSixteen].data();
        for (std::uint64_t places = bordering[w]; places != 0; places &= places - 1) {
            const Label* const main = labels + std::countr_zero(places);
            fields_.insert(bare(main[2]));
            borders_[bare(main[2])].insert(bare(main[0]));
        }
    }
}

int tiles_around(const State& state, Cell cell) {
    // Columns and lines are the bytes of a cell: count those that are 0..2 from the corner.
    const auto corner = narrow<std::uint16_t>(cell - kRowStep - 1);
    const std::uint32_t column = 0U - (corner & 0xFFU), line = 0U - (corner >> 8U);
    const Bytes32 back = Bytes32::broadcast32(0x00010001U * (column & 0xFF) | 0x01000100U * (line & 0xFF));
    const Bytes32 two = Bytes32::broadcast(2);
    int count = 0;
    for_each_block<kSixteen>(state.land, [&](std::size_t slot) {
        // The number of slots is not a multiple of sixteen: the last block begins earlier and leaves out what has been
        // counted.
        const std::size_t begin = std::min(slot, kTileSlots - kSixteen);
        const std::uint32_t near =
            (Bytes32::load(&state.land.cells[begin]) + back).max(two).equal(two).movemask() >> 2 * (slot - begin);
        count += std::popcount(near & near >> 1 & 0x55555555U);
    });
    return count;
}

int monastery_tiles(const Box& box, Cell cell) {
    if (!box.rules.edge_closes) return kMonasteryTiles;
    const Box::Rectangle& table = box.table_cells;
    const int columns = std::min(x_of(cell) + 1, table.east) - std::max(x_of(cell) - 1, table.west) + 1;
    const int lines = std::min(y_of(cell) + 1, table.north) - std::max(y_of(cell) - 1, table.south) + 1;
    return columns * lines;
}

}  // namespace tilery::carcassonne
