// SPDX-License-Identifier: MIT
// Pueblo: the demolition variant (PB-19 to PB-22).
#include <algorithm>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

// The players who have a cube in the building, as a set.
unsigned standing(const State& state) {
    std::array<std::uint64_t, kMostPlayers> cubes{};
    for (std::size_t square = 0; square < kSquares; square += kSide) {
        const auto more = LevelSets::load(state, square).by_player();
        for (std::size_t p = 0; p < kMostPlayers; ++p) cubes[p] |= more[p];
    }
    unsigned players = 0;
    for (std::size_t p = 0; p < kMostPlayers; ++p) players |= (cubes[p] != 0 ? 1U : 0U) << p;
    if (has_high_cubes(state)) {
        for (std::size_t i = 0; i < kMostBlocks * kCubes; ++i) {
            const int code = nibble(state.high_cubes, i);
            if (code != 0 && code != code_of(kNeutral)) players |= 1U << (code - 1);
        }
    }
    return players;
}

}  // namespace

// For each square, from the ground up, which block each cube belongs to.
Value Game::block_numbers(const State& state) const {
    std::array<std::array<std::uint8_t, kMostLevels>, kSquares> numbers{};
    for (std::size_t i = 0; i < state.blocks.size(); ++i) {
        const Block block = state.blocks[i];
        for (const Column& column : shape_of(block)) {
            const auto square = static_cast<std::size_t>(first_square(block) + column.square);
            const auto level = static_cast<std::size_t>(level_of(block) + column.level);
            std::fill_n(numbers[square].begin() + level, column.cubes, static_cast<std::uint8_t>(i));
        }
    }
    Value::List blocks;
    for (std::size_t square = 0; square < kSquares; ++square) {
        blocks.emplace_back(Value::list_of(std::span(numbers[square]).first(state.heights[square])));
    }
    return blocks;
}

// PB-20. Random buildings have no pattern, so no branch depends on the heights.
bool Game::is_removable(const State& state, Block block) const {
    unsigned on_top = 1;
    for (const Column& column : shape_of(block)) {
        const auto square = static_cast<std::size_t>(first_square(block) + column.square);
        on_top &= state.heights[square] == level_of(block) + column.level + column.cubes ? 1U : 0U;
    }
    return on_top != 0;
}

std::uint64_t Game::unburdened(const State& state) const {
    std::uint64_t squares = 0;
    for (const Block block : state.blocks) {
        if (!is_removable(state, block)) continue;
        for (const Column& column : shape_of(block))
            squares |= std::uint64_t{1} << (first_square(block) + column.square);
    }
    return squares;
}

// The first squares of the blocks that a player may remove (PB-19, PB-21).
std::uint64_t Game::recomputed_removable(const State& state, int player) const {
    if ((standing(state) >> player & 1) == 0) return 0;
    std::uint64_t free = 0;
    for (const Block block : state.blocks) {
        free |= std::uint64_t{is_removable(state, block)} << first_square(block);
    }
    std::uint64_t squares = 0;
    for (; free != 0; free &= free - 1) {
        const auto square = static_cast<std::size_t>(std::countr_zero(free));
        const int code = code_at(state, square, state.heights[square] - 1);
        const bool allowed = (code == code_of(player)) | (code == code_of(kNeutral));
        squares |= std::uint64_t{allowed} << square;
    }
    return squares;
}

void Game::take_away(State& state, std::size_t index) const {
    const Block block = state.blocks[index];
    for (const Column& column : shape_of(block)) {
        pull_down(state, static_cast<std::size_t>(first_square(block) + column.square), column.cubes);
    }
    state.blocks.erase(index);
}

// PB-21: without a block to remove the turn begins with the chieftain.
void Game::begin_demolition_turn(State& state) const {
    state.removable = recomputed_removable(state, state.player);
    state.step = state.removable != 0 ? Step::remove : Step::move;
}

void Game::remove(State& state, int square) const {
    // Of the blocks with this first square the topmost, which comes last.
    int up_to = 0;
    for (const Block block : state.blocks) up_to += first_square(block) <= square ? 1 : 0;
    take_away(state, static_cast<std::size_t>(up_to - 1));
    state.removable = 0;
    if (standing(state) != 0) {
        state.step = Step::move;
    } else {
        end_game(state);  // PB-22
    }
}

// The blocks must be made of the cubes, and it must be possible to take them away one by one, or
// demolition would never end.
std::string Game::blocks_fault(const State& state) const {
    if (!state.blocks.canonical()) return "dead storage of blocks in use";
    if (state.step != Step::remove && state.removable != 0) return "dead storage of removals in use";
    if (!rules_.demolition) return state.blocks.empty() ? "" : "blocks without demolition";
    int cubes = 0;
    bool coloured = false;
    std::array<std::uint64_t, kSquares> taken{};
    for (std::size_t i = 0; i < state.blocks.size(); ++i) {
        const Block block = state.blocks[i];
        if ((block & 15) >= static_cast<int>(shapes_.size())) return "no such shape";
        if (i > 0 && state.blocks[i - 1] >= block) return "blocks out of order";
        const auto direction = static_cast<std::size_t>((block & 15) / 3);
        const int apex = first_square(block) + shape_of(block)[0].square;
        if (apex < 0 || apex >= kSquares || (open_[direction] >> apex & 1) == 0) return "a block off the site";
        if (level_of(block) >= state.heights[static_cast<std::size_t>(first_square(block))]) {
            return "a block in the air";
        }
        for (const Column& column : shape_of(block)) {
            const auto square = static_cast<std::size_t>(first_square(block) + column.square);
            for (int cube = 0; cube < column.cubes; ++cube) {
                const int level = level_of(block) + column.level + cube;
                if (level < 0 || level >= state.heights[square]) return "a block in the air";
                if ((taken[square] >> level & 1) != 0) return "two blocks in one place";
                taken[square] |= std::uint64_t{1} << level;
                ++cubes;
                if (owner(state, static_cast<int>(square), level) != block_owner(state, block)) {
                    return "a block of several colours";
                }
            }
        }
        coloured |= block_owner(state, block) != kNeutral;
    }
    int heights = 0;
    for (const std::uint8_t height : state.heights) heights += height;
    if (cubes != heights) return "cubes of no block";

    State rest = state;
    for (std::size_t i = 0; i < rest.blocks.size();) {
        if (is_removable(rest, rest.blocks[i])) {
            take_away(rest, i);
            i = 0;
        } else {
            ++i;
        }
    }
    if (!rest.blocks.empty()) return "blocks that hold each other";

    if (state.step == Step::remove && state.removable != recomputed_removable(state, state.player)) {
        return "a cache of removable blocks that is not up to date";
    }
    if (state.part < 3) return "";
    if (coloured == (state.step == Step::over)) return coloured ? "demolition ended early" : "demolition goes on";
    if (state.step == Step::remove && state.removable == 0) return "nothing to remove";
    return "";
}

}  // namespace tilery::pueblo
