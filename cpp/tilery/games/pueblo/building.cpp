// SPDX-License-Identifier: MIT
// Pueblo: legal actions, placing blocks, moving the chieftain, and the end of building (PB-4, PB-10 to PB-18):
// all that a playout of the basic game needs, in the source that compiles it (core/playout.hpp).
#include <algorithm>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {

LegalActions Game::legal_actions(const State& state) const {
    switch (state.phase) {
        case Phase::kPlace: {  // PB-14, PB-R2
            const auto [coloured, neutral] = state.supply[state.player].items_;
            return LegalActions::places(fits(state), coloured >= neutral, neutral >= coloured);
        }
        case Phase::kMove:
            return LegalActions::range(2 * kWindows, remove_);
        case Phase::kRemove:
            return LegalActions::among(remove_, state.removable);
        case Phase::kBid:  // more than the last bid, or the pass that follows the highest
            return LegalActions::range(bid_ + state.bid, pass_ + 1);
        case Phase::kToken: {
            Squares free;
            for (int token = 0; token < rules_.players; ++token) {
                if (state.order[token] == 0) free.insert(index(token));
            }
            return LegalActions::among(token_, free);
        }
        case Phase::kOver:
            break;
    }
    return LegalActions::range(0, 0);
}

void Game::apply_action(State& state, Action action) const {
    switch (state.phase) {
        case Phase::kPlace:
            return place(state, action);
        case Phase::kMove:
            return move(state, action - 2 * kWindows + 1);
        case Phase::kRemove:
            return remove(state, action - remove_);
        case Phase::kBid:
            return bid(state, action == pass_ ? 0 : action - bid_ + 1);
        case Phase::kToken:
            return take_token(state, action - token_);
        case Phase::kOver:
            break;
    }
}

// PB-4
bool Game::window_fits(const State& state, const Window& window) const {
    const int apex = state.heights[window.apex], right = state.heights[window.right], left = state.heights[window.left];
    const bool free = !covered_.has(window.apex) && !covered_.has(window.right) && !covered_.has(window.left);
    return free && apex == right && left - apex >= -1 && left - apex <= 1;
}

// PB-16: most often one of the four directions decides.
bool Game::fits_anywhere(const State& state) const {
    // With R in the west or east and L in the north: ne, or nw of the left-handed block.
    const std::size_t mirrored = index(rules_.handedness);
    const auto [east, north] = compare_neighbours(state.heights);
    if (open_[mirrored].meets(Squares::of_word(east.equal << mirrored & north.close))) return true;
    const Fits where = fits(state);
    return !(where[0] | where[1] | where[2] | where[3]).empty();
}

void Game::place(State& state, Action action) const {
    // In random play colour and case have no pattern, so no branch may depend on them.
    const int neutral = action >= kWindows ? 1 : 0;
    const int id = action - neutral * kWindows;
    const Window& window = windows_[id];
    const int code = code_of(state.player) + neutral * (kNeutral - state.player);
    const int tilt = state.heights[window.left] - state.heights[window.apex] + 1;
    if (rules_.demolition) {
        const int first = std::min<int>({window.apex, window.right, window.left});
        // L, R or A gets two cubes as L is lower than A, level with it or higher (PB-4).
        const int shape = 3 * (id / kDirectionWindows) + 2 - tilt;
        const Narrow<Block> block = first << 10 | state.heights[index(first)] << 4 | shape;
        int before = 0;
        for (const Block standing : state.blocks) before += standing < block ? 1 : 0;
        state.blocks.insert(index(before), block);
    }
    build(state, window, kRises[tilt], code);
    --state.supply[state.player][neutral];
    state.phase = Phase::kMove;
}

void Game::move(State& state, int steps) const {
    const int space = state.chieftain + steps;
    state.chieftain = space < kSpaces ? space : space - kSpaces;
    add_seen_from(state, state.chieftain, state.points);  // PB-10
    const int after = state.turn + 1;
    const int next = after * (after < rules_.players ? 1 : 0);
    if (state.part == 3) return give_turn(state, next);
    // PB-R4
    if (!fits_anywhere(state)) return end_building(state);  // PB-16
    const auto [coloured, neutral] = state.supply[state.player].items_;
    if (next == 0 && coloured + neutral == 0) {  // all have placed as many blocks
        return rules_.pro && state.part == 1 ? open_auction(state, 2) : end_building(state);
    }
    give_turn(state, next);
}

void Game::end_building(State& state) const {
    const Points seen = seen_all_round(state);  // PB-17
    for (Player p = 0; p < kMostPlayers; ++p) state.points[p] += seen[p];
    if (!rules_.demolition) {  // PB-18
        end_game(state);
    } else if (rules_.pro) {
        open_auction(state, 3);
    } else {
        state.part = 3;
        give_turn(state, 0);
    }
}

PerPlayer<int> Game::scores_if_over(const State& state) const {
    PerPlayer<int> points = scores(state);
    if (state.phase == Phase::kOver || state.part == 3) return points;  // the final lap is over
    const Points seen = seen_all_round(state);
    for (std::size_t p = 0; p < index(kMostPlayers); ++p) points[p] += seen[number(p)];
    return points;
}

void Game::end_game(State& state) const {
    state.phase = Phase::kOver;
    state.player = state.turn = 0;
}

int Game::owner(const State& state, int square, int level) const { return code_at(state, index(square), level) - 1; }

}  // namespace tilery::pueblo

template struct tilery::Loops<tilery::pueblo::Game>;
