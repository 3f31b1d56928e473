// SPDX-License-Identifier: MIT
// Pueblo: which states can occur. Whatever passes can be played to the end, and what follows passes too.
#include "tilery/core/validation.hpp"

#include <algorithm>

#include "tilery/games/pueblo/auction.hpp"
#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {

std::string Game::fault(const State& state) const {
    return first_fault(
        *this,
        {&Game::range_fault, &Game::columns_fault, &Game::hands_fault, &Game::order_fault, &Game::auction_fault,
         &Game::blocks_fault, &Game::demolition_fault, &Game::turns_fault, &Game::points_fault},
        state);
}

// The faults of single fields.
std::string Game::range_fault(const State& state) const {
    if (state.phase > Phase::kOver) return "no such phase";
    if (state.part < 1 || state.part > 3 || (state.part == 2 && !rules_.pro) ||
        (state.part == 3 && !rules_.demolition)) {
        return "a part that these rules do not have";
    }
    if ((state.phase == Phase::kPlace && state.part == 3) || (state.phase == Phase::kRemove && state.part < 3)) {
        return "a phase of another part";
    }
    const bool over = state.phase == Phase::kOver;
    if (over && rules_.demolition && state.part != 3) return "the game is over without demolition";
    if (state.player >= rules_.players || (over && state.player != 0)) return "no such player to act";
    if (state.chieftain >= kSpaces) return "the chieftain is not on the path";
    if (std::ranges::min(state.points) < 0) return "points below 0";
    for (Player p = rules_.players; p < kMostPlayers; ++p) {
        if (state.points[p] > 0 || state.supply[p][0] + state.supply[p][1] + state.order[p] > 0) {
            return "points, blocks or tokens of a player who does not take part";
        }
    }
    return "";
}

std::string Game::columns_fault(const State& state) const {
    const std::size_t most_high = kMostBlocks * kCubes;
    std::size_t high = 0;
    for (std::size_t s = 0; s < kSquares; ++s) {
        const int height = state.heights[s];
        if (height > kMostLevels) return "a column higher than all blocks reach";
        if (height > 0 && covered_.has(s)) return "a cube on a sacred site";
        const int low = std::min(height, kLowLevels);
        if ((state.cubes[0][s] | state.cubes[1][s] | state.cubes[2][s]) != (1 << low) - 1) {
            return "cubes that are not on top of each other";
        }
        for (int level = 0; level < height; ++level) {
            if (level >= kLowLevels && high >= most_high) return "more cubes than the box has";
            const int code = level < kLowLevels ? code_at(state, s, level) : nibble(state.high_cubes, high++);
            if (code == 0 || code > code_of(kNeutral) || (code != code_of(kNeutral) && code > rules_.players)) {
                return "a cube of a player who does not take part";
            }
        }
    }
    for (; high < most_high; ++high) {
        if (nibble(state.high_cubes, high) != 0) return "cubes above the columns";
    }
    return "";
}

int Game::coloured_placed(const State& state, int player) const {
    return kPairs[rules_.players] - state.aside + 1 - state.supply[player][0];
}
int Game::neutral_placed(const State& state, int player) const {
    return kPairs[rules_.players] - state.aside - state.supply[player][1];
}
int Game::placed_by_all(const State& state) const {
    int blocks = 0;
    for (Player p = 0; p < rules_.players; ++p) blocks += placed(state, p);
    return blocks;
}

// Blocks are either in hand, set aside or placed (PB-11, PB-14, PB-23).
std::string Game::hands_fault(const State& state) const {
    const bool aside = rules_.pro && (state.part == 1 || (state.part == 2 && in_auction(state)));
    const bool ended_early = rules_.pro && state.part == 3 && state.aside == kAsidePairs;  // PB-16
    if (state.aside != (aside ? kAsidePairs : 0) && !ended_early) return "a wrong number of pairs set aside";

    Keyed<int, kOwners> cubes{};
    for (int square = 0; square < kSquares; ++square) {
        for (int level = 0; level < state.heights[index(square)]; ++level) ++cubes[owner(state, square, level)];
    }
    const bool demolition = state.part == 3 && !in_auction(state);
    const auto wrong = [demolition](int standing, int blocks) {
        return demolition ? standing > kCubes * blocks || standing % kCubes != 0 : standing != kCubes * blocks;
    };
    int neutrals = 0;
    for (Player p = 0; p < rules_.players; ++p) {
        const int coloured = coloured_placed(state, p), neutral = neutral_placed(state, p);
        if (coloured < 0 || neutral < 0) return "more blocks in hand than the box has";
        if (coloured + neutral > 0 && (coloured < 1 || coloured < neutral || coloured > neutral + 2)) {
            return "blocks placed in an impossible order of colours";
        }
        if (wrong(cubes[p], coloured)) return "coloured cubes that do not match the blocks placed";
        neutrals += neutral;
    }
    return wrong(cubes[kNeutral], neutrals) ? "neutral cubes that do not match the blocks placed" : "";
}

// The fault of one block: it must fit on the site and have cubes of one owner.
std::string Game::block_fault(const State& state, Block block) const {
    if ((block & 15) >= shapes_.size()) return "no such shape of a block";
    const int apex = first_square(block) + shape_of_block(block)[0].square;
    if (apex < 0 || apex >= kSquares || !open_[(block & 15) / 3].has(index(apex))) return "a block outside the site";
    for (const Column& column : shape_of_block(block)) {
        const int square = first_square(block) + column.square, level = level_of(block) + column.level;
        if (level < 0 || level + column.cubes > state.heights[index(square)]) return "a block without its cubes";
    }
    for (const Column& column : shape_of_block(block)) {
        for (int cube = 0; cube < column.cubes; ++cube) {
            const int level = level_of(block) + column.level + cube;
            if (owner(state, first_square(block) + column.square, level) != block_owner(state, block)) {
                return "a block of several colours";
            }
        }
    }
    return "";
}

// The blocks must be made of the cubes, and it must be possible to take them away one by one, or demolition
// would never end.
std::string Game::blocks_fault(const State& state) const {
    if (!state.blocks.canonical()) return "unused places of blocks are not clear";
    if (!rules_.demolition) return state.blocks.empty() ? "" : "blocks are recorded only with demolition";
    Keyed<std::uint64_t, kSquares> taken{};
    int cubes = 0;
    for (std::size_t i = 0; i < state.blocks.size(); ++i) {
        const Block block = state.blocks[i];
        if (i > 0 && state.blocks[i - 1] >= block) return "blocks out of order";
        if (std::string wrong = block_fault(state, block); !wrong.empty()) return wrong;
        for (const Column& column : shape_of_block(block)) {
            std::uint64_t& levels = taken[first_square(block) + column.square];
            const std::uint64_t own = ((std::uint64_t{1} << column.cubes) - 1) << (level_of(block) + column.level);
            if ((levels & own) != 0) return "two blocks in one place";
            levels |= own;
            cubes += column.cubes;
        }
    }
    for (const int height : state.heights) cubes -= height;
    if (cubes != 0) return "cubes that belong to no block";

    State rest = state;
    for (std::size_t i = 0; i < rest.blocks.size();) {
        if (is_removable(rest, rest.blocks[i])) {
            take_away(rest, i);
            i = 0;
        } else {
            ++i;
        }
    }
    return rest.blocks.empty() ? "" : "blocks that can never be removed";
}

std::string Game::demolition_fault(const State& state) const {
    if (state.phase != Phase::kRemove) {
        if (!state.removable.empty()) return "blocks to remove in another phase";
    } else if (state.removable.empty() || state.removable != recomputed_removable(state, state.player)) {
        return "a wrong set of blocks to remove";
    }
    if (state.part < 3) return "";
    const bool coloured =
        std::ranges::any_of(state.blocks, [&](Block block) { return block_owner(state, block) != kNeutral; });
    if (coloured == (state.phase == Phase::kOver)) {
        return coloured ? "demolition ended too early" : "demolition without a coloured block";
    }
    return "";
}

// Who is to act, by the order of tokens and the phase.
std::string Game::turns_fault(const State& state) const {
    const bool auction = in_auction(state), over = state.phase == Phase::kOver;
    const bool out_of_turn = state.turn >= rules_.players || state.order[state.turn] != state.player + 1;
    if (auction || over ? state.turn != 0 : out_of_turn) return "a player out of turn";
    if (std::string wrong = rounds_fault(state); !wrong.empty()) return wrong;

    const bool empty_hands = std::ranges::all_of(state.supply, [](const auto& hand) { return hand[0] + hand[1] == 0; });
    if (auction && state.part == 1 && placed_by_all(state) > 0) return "an auction after building has begun";
    if (auction && state.part == 2 && !empty_hands) return "an auction before part 1 is over";
    if (state.phase == Phase::kPlace && !fits_anywhere(state)) return "building goes on where no block fits";
    const bool just_ended = (over && !rules_.demolition) || (auction && state.part == 3);
    if (just_ended && (!empty_hands || state.aside > 0) && fits_anywhere(state)) return "building ended too early";
    return "";
}

// How many blocks each player has placed must agree with whose turn it is.
std::string Game::rounds_fault(const State& state) const {
    PerSeat<int> blocks{};
    for (Player p = 0; p < rules_.players; ++p) blocks[p] = placed(state, p);
    const auto [fewest, most] = std::ranges::minmax(blocks.first(rules_.players));
    if (most - fewest > 1) return "players who have placed too few blocks";
    const int in_part_1 = 2 * (kPairs[rules_.players] - kAsidePairs) + 1;
    if (rules_.pro && state.aside == 0 && fewest < in_part_1) return "part 2 before the end of part 1";
    if (state.part == 3 || (state.phase != Phase::kPlace && state.phase != Phase::kMove)) return "";

    // Those before the player in the order have placed one block more, and the player too who is to move.
    const bool has_placed = state.phase == Phase::kMove;
    const int rounds = blocks[state.player] - (has_placed ? 1 : 0);
    if (rounds < 0) return "a move before the first block";
    for (int turn = 0; turn < rules_.players; ++turn) {
        const bool more = turn < state.turn || (turn == state.turn && has_placed);
        if (blocks[state.order[turn] - 1] != rounds + (more ? 1 : 0)) return "blocks placed out of turn";
    }
    if (!has_placed && state.supply[state.player][0] + state.supply[state.player][1] == 0) {
        return "a player without blocks to place";
    }
    return "";
}

bool Game::building_is_over(const State& state) const {
    return state.part == 3 || (state.phase == Phase::kOver && !rules_.demolition);
}

// How many views have been scored at most: one for each block whose turn is over, and the final lap. In
// demolition every player moves once for each block that is removed; besides, those who have just moved
// without removing, because none of the blocks that are free now is theirs.
int Game::most_views(const State& state) const {
    const int placed = placed_by_all(state);
    if (!building_is_over(state)) return placed - (state.phase == Phase::kMove ? 1 : 0);
    if (state.part < 3 || in_auction(state)) return placed + kSpaces;
    const int n = rules_.players, removed = placed - number(state.blocks.size());
    if (state.phase == Phase::kOver) return placed + kSpaces + n * removed;
    const auto can_remove = [&](int player) { return !recomputed_removable(state, player).empty(); };
    if (state.phase == Phase::kMove && can_remove(state.player)) return placed + kSpaces + n * removed - 1;
    int waited = 0;
    while (waited < n - 1 && !can_remove(state.order[(state.turn + 2 * n - 1 - waited) % n] - 1)) ++waited;
    return placed + kSpaces + n * removed + waited;
}

// A view gives a player points for at most one cube on each level (PB-8), or one for each square of a quarter
// (PB-9). Before demolition no column was ever higher than now.
std::string Game::points_fault(const State& state) const {
    const int views = most_views(state);
    const int height = state.part == 3 ? placed_by_all(state) + 1 : *std::ranges::max_element(state.heights);
    for (Player p = 0; p < rules_.players; ++p) {
        const int cubes = kCubes * coloured_placed(state, p), levels = std::min(height, cubes);
        const int line = levels * (2 * height - levels + 1) / 2, quarter = std::min(cubes, kSquares / 4);
        const bool has_token = std::count(state.order.begin(), state.order.end(), p + 1) > 0;
        const int auctions = rules_.pro ? state.part - (in_auction(state) && !has_token ? 1 : 0) : 0;
        const std::int64_t most = std::int64_t{views} * std::max(line, quarter) + auctions * rules_.max_bid;
        if (state.points[p] > most) return "more points than the views and bids so far can have given";
    }
    return rules_.pro && state.part == 1 && placed_by_all(state) == 0 ? bids_fault(state) : "";
}

}  // namespace tilery::pueblo
