// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/frontier.hpp"

#include <algorithm>
#include <bit>

namespace tilery::carcassonne {
namespace {

void erase(auto& list, std::size_t from, std::size_t count, std::size_t size) {
    std::copy(list.data() + from + count, list.data() + size, list.data() + from);
}

template <class List>
void insert(List& list, std::size_t at, typename List::value_type item, std::size_t size) {
    std::copy_backward(list.data() + at, list.data() + size, list.data() + size + 1);
    list[at] = item;
}

}  // namespace

std::size_t Frontier::find(Cell cell) const {
    const Cell* const begin = cells.data();
    const Cell* const at = std::lower_bound(begin, begin + size, cell);
    return at != begin + size && *at == cell ? index_of(at - begin) : size;
}

void Frontier::close(std::size_t at, Edges mirrored, std::uint8_t slot, unsigned outside) {
    const Cell cell = cells[at];
    const unsigned taken = kTakenSides[edges[at]];
    const auto gone = narrow<std::uint8_t>(std::popcount(taken));
    std::size_t faces = first[size];
    erase(facing, first[at], gone, faces);
    erase(cells, at, 1, size);
    erase(edges, at, 1, size);
    erase(first, at, 1, size + std::size_t{1});
    faces -= gone;
    --size;
    cells[size] = kNoCell;
    edges[size] = 0;
    for (std::size_t i = at; i <= size; ++i) first[i] = narrow<std::uint8_t>(first[i] - gone);
    for (std::size_t side = 0; side < kSides; ++side) {
        if (((taken | outside) >> side & 1) != 0) continue;
        const Cell opened = neighbour(cell, side);
        const Cell* const begin = cells.data();
        const std::size_t here = index_of(std::lower_bound(begin, begin + size, opened) - begin);
        if (cells[here] != opened) {
            insert(cells, here, opened, size);
            insert(edges, here, 0, size);
            insert(first, here, first[here], size + std::size_t{1});
            ++size;
        }
        const unsigned earlier = kTakenSides[edges[here]] & (side_bit(opposite(side)) - 1U);
        insert(facing, first[here] + index_of(std::popcount(earlier)), slot, faces);
        ++faces;
        for (std::size_t i = here + 1; i <= size; ++i) ++first[i];
        edges[here] |= only(mirrored, opposite(side));
    }
}

bool Frontier::same(const Frontier& other) const {
    return size == other.size && cells == other.cells && edges == other.edges &&
           std::equal(first.data(), first.data() + size + 1, other.first.data()) &&
           std::equal(facing.data(), facing.data() + first[size], other.facing.data());
}

}  // namespace tilery::carcassonne
