// SPDX-License-Identifier: MIT
// Pueblo: the demolition variant (PB-19 to PB-22).
#include <algorithm>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

// The players who have a cube in the building.
Seats standing(const State& state) {
    PerSeat<std::uint64_t> cubes{};
    for (std::size_t square = 0; square < kSquares; square += kSide) {
        const auto more = LevelSets::load(state, square).by_player();
        for (Player p = 0; p < kMostPlayers; ++p) cubes[p] |= more[p];
    }
    Seats players;
    for (std::size_t p = 0; p < kMostPlayers; ++p) {
        players |= Seats::of_word(std::uint64_t{cubes[p] != 0} << p);
    }
    if (has_high_cubes(state)) {
        for (std::size_t i = 0; i < kMostBlocks * kCubes; ++i) {
            const int code = nibble(state.high_cubes, i);
            if (code != 0 && code != code_of(kNeutral)) players.insert(index(code - 1));
        }
    }
    return players;
}

}  // namespace

// For each square, from the ground up, which block each cube belongs to.
Value Game::block_numbers(const State& state) const {
    Keyed<Keyed<Byte, kMostLevels>, kSquares> numbers{};
    for (std::size_t i = 0; i < state.blocks.size(); ++i) {
        const Block block = state.blocks[i];
        for (const Column& column : shape_of_block(block)) {
            Byte* const cubes = &numbers[first_square(block) + column.square][level_of(block) + column.level];
            std::fill_n(cubes, int{column.cubes}, number(i));
        }
    }
    return Value::list_of(
        kSquares, [&](std::size_t square) { return Value::list_of(numbers[square].first(state.heights[square])); });
}

// PB-20. Random buildings have no pattern, so no branch depends on the heights.
bool Game::is_removable(const State& state, Block block) const {
    bool on_top = true;
    for (const Column& column : shape_of_block(block)) {
        const std::size_t square = index(first_square(block) + column.square);
        on_top = on_top & (state.heights[square] == level_of(block) + column.level + column.cubes);
    }
    return on_top;
}

Squares Game::unburdened(const State& state) const {
    Squares squares;
    for (const Block block : state.blocks) {
        if (!is_removable(state, block)) continue;
        for (const Column& column : shape_of_block(block)) squares.insert(index(first_square(block) + column.square));
    }
    return squares;
}

// The first squares of the blocks that a player may remove (PB-19, PB-21).
Squares Game::recomputed_removable(const State& state, int player) const {
    if (!standing(state).has(index(player))) return {};
    Squares free;
    for (const Block block : state.blocks) {
        free |= Squares::of_word(std::uint64_t{is_removable(state, block)} << first_square(block));
    }
    Squares squares;
    free.for_each([&](std::size_t square) {
        const int code = code_at(state, square, state.heights[square] - 1);
        const bool own = code == code_of(player), neutral = code == code_of(kNeutral);
        squares |= Squares::of_word((std::uint64_t{own} | std::uint64_t{neutral}) << square);
    });
    return squares;
}

void Game::take_away(State& state, std::size_t at) const {
    const Block block = state.blocks[at];
    for (const Column& column : shape_of_block(block)) {
        pull_down(state, index(first_square(block) + column.square), column.cubes);
    }
    state.blocks.erase(at);
}

// PB-21: without a block to remove the turn begins with the chieftain.
void Game::begin_demolition_turn(State& state) const {
    state.removable = recomputed_removable(state, state.player);
    state.phase = state.removable.empty() ? Phase::kMove : Phase::kRemove;
}

void Game::remove(State& state, int square) const {
    // Of the blocks with this first square the topmost, which comes last.
    int up_to = 0;
    for (const Block block : state.blocks) up_to += first_square(block) <= square ? 1 : 0;
    take_away(state, index(up_to - 1));
    state.removable = {};
    if (standing(state).empty()) {
        end_game(state);  // PB-22
    } else {
        state.phase = Phase::kMove;
    }
}

}  // namespace tilery::pueblo
