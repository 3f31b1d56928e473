// SPDX-License-Identifier: MIT
// Pueblo: the tables of a game, its beginning, and what ids mean.
#include "tilery/games/pueblo/game.hpp"

#include <algorithm>

namespace tilery::pueblo {

bool inside(int apex, Direction direction) {
    const bool east = direction == Direction::kNe || direction == Direction::kSe;
    const bool north = direction == Direction::kNe || direction == Direction::kNw;
    return apex % kSide != (east ? kSide - 1 : 0) && apex / kSide != (north ? kSide - 1 : 0);
}

Squares squares_of(int apex, Direction direction) {
    Squares squares;
    for (const int square : {apex, apex + kArms[direction].right, apex + kArms[direction].left}) {
        squares.insert(index(square));
    }
    return squares;
}

Game::Game(const Rules& rules) : rules_(checked_rules(rules)) {
    if (rules_.first_bidder >= rules_.players) {
        refuse_option("first_bidder", "below players (" + std::to_string(rules_.players) + ")", rules_.first_bidder);
    }
    for (const Site& site : rules_.sites) {
        const Squares squares = squares_of(site.apex, site.direction);
        if (covered_.meets(squares)) {
            refuse_option("sites", "tiles that share no square", Rules::write_sites(rules_.sites));
        }
        covered_ |= squares;
    }

    remove_ = 2 * kWindows + kMostSteps;
    bid_ = remove_ + (rules_.demolition ? kRemovable : 0);
    pass_ = bid_ + (rules_.pro ? rules_.max_bid : 0);
    token_ = pass_ + (rules_.pro ? 1 : 0);
    end_ = token_ + (rules_.pro ? rules_.players : 0);

    for (const Direction direction : kEachDirection) {
        const int d = number(index(direction));
        auto [right, left] = kArms[d];
        if (rules_.handedness == Handedness::kLeft) std::swap(right, left);  // PB-2
        for (int apex = 0; apex < kSquares; ++apex) {
            if (!inside(apex, direction)) continue;
            windows_[LegalActions::window_id(d, apex)] = {apex, apex + right, apex + left};
            if (!covered_.meets(squares_of(apex, direction))) open_[d].insert(index(apex));
        }
        const Keyed<int, 3> squares{0, right, left};
        const auto first = std::min_element(squares.begin(), squares.end()) - squares.begin();
        // L is higher than A, level with it or lower as A, R or L gets two cubes (PB-4).
        for (int doubled = 0; doubled < 3; ++doubled) {
            const Keyed<int, 3> bottoms{0, 0, 1 - doubled};
            for (std::size_t role = 0; role < 3; ++role) {
                const int level = bottoms[role] - bottoms[first];
                shapes_[3 * d + doubled][role] = {squares[role] - squares[first], level,
                                                  number(role) == doubled ? 2 : 1};
            }
        }
    }
}

// Every block is placed and followed by a move (PB-13). In demolition each is removed by one of n turns,
// each of which has a move. An auction has n - 1 tokens that are bid for: at most max_bid bids, each player
// passes at most once a token, and the winner takes it.
int Game::max_decisions() const {
    const int n = rules_.players, blocks = n * blocks_of_each();
    int length = 2 * blocks;
    if (rules_.demolition) length += (n + 1) * blocks;
    if (rules_.pro) length += (rules_.demolition ? 3 : 2) * ((n - 1) * rules_.max_bid + n * (n + 1) / 2 - 1);
    return length;
}

State Game::initial_state() const {
    State state{};
    state.aside = rules_.pro ? kAsidePairs : 0;
    const int pairs = kPairs[rules_.players] - state.aside;
    for (Player p = 0; p < rules_.players; ++p) state.supply[p] = {pairs + 1, pairs};
    state.chieftain = (kSide + 1) * number(index(rules_.start_corner));  // PB-12
    state.part = 1;
    if (rules_.pro) {
        open_auction(state, 1);
    } else {
        for (Player p = 0; p < rules_.players; ++p) state.order[p] = p + 1;
        state.phase = Phase::kPlace;
    }
    return state;
}

Game::Meaning Game::meaning(Action action) const {
    if (action < kWindows) return {Phase::kPlace, false, action};
    if (action < 2 * kWindows) return {Phase::kPlace, true, action - kWindows};
    if (action < remove_) return {Phase::kMove, false, action - 2 * kWindows + 1};
    if (action < bid_) return {Phase::kRemove, false, action - remove_};
    if (action < pass_) return {Phase::kBid, false, action - bid_ + 1};
    if (action < token_) return {Phase::kBid, false, 0};
    return {Phase::kToken, false, action - token_};
}

bool Game::is_legal(const State& state, Action action) const {
    const auto [phase, neutral, number] = meaning(action);
    if (phase != state.phase) return false;
    switch (phase) {
        case Phase::kPlace: {
            const auto [coloured, neutrals] = state.supply[state.player].items_;
            return (neutral ? neutrals >= coloured : coloured >= neutrals) && window_fits(state, windows_[number]);
        }
        case Phase::kMove:
            return true;
        case Phase::kRemove:
            return state.removable.has(index(number));
        case Phase::kBid:
            return number == 0 || number > state.bid;
        case Phase::kToken:
            return state.order[number] == 0;
        case Phase::kOver:
            break;
    }
    return false;
}

}  // namespace tilery::pueblo
