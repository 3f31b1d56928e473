// SPDX-License-Identifier: MIT
// Why untrusted bytes cannot be a state of Java. Every legal successor of a state without a fault has none.
#include "tilery/core/validation.hpp"

#include <algorithm>
#include <bit>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

// Whether only the first n players have something.
template <class... T>
bool only_first(std::size_t n, const PerSeat<T>&... items) {
    return (std::ranges::all_of(std::span(items).subspan(n), [](const T& item) { return item == T{}; }) && ...);
}

}  // namespace

std::string Game::fault(const State& state) const {
    return first_fault(
        *this,
        {&Game::fault_of_planes, &Game::fault_of_seats, &Game::fault_of_supply, &Game::fault_of_cards,
         &Game::fault_of_spaces, &Game::fault_of_settlements, &Game::fault_of_bonds, &Game::fault_of_scores,
         &Game::fault_of_phase, &Game::fault_of_turn, &Game::fault_of_deal, &Game::fault_of_festival},
        state);
}

// The conditions that all other checks rely on.
std::string Game::fault_of_planes(const State& state) const {
    const Ids& ids = tables_->ids;
    if (state.phase > Phase::kOver) return "phase out of range";
    if (state.turn >= seats()) return "turn of a player who does not exist";
    for (std::size_t plane = 0; plane < planes::kCount; ++plane) {
        const IdTable& places = planes::at(plane) == Plane::kWater ? ids.water_at : ids.buildable_at;
        for (std::size_t cell = 0; cell < kCells; ++cell) {
            const bool piece = (state.planes[plane * kSetWords + cell / 64] >> (cell % 64) & 1) != 0;
            if (piece && places[cell] == kNowhere) return "a piece where none can be placed";
        }
    }
    return "";
}

// The possessions of players (JA-5).
std::string Game::fault_of_seats(const State& state) const {
    const std::size_t n = seats();
    if (!only_first(n, state.scores, state.hands, state.known, state.laid, state.two, state.rice, state.village,
                    state.tokens, state.figures)) {
        return "pieces of a player who does not exist";
    }
    for (std::size_t player = 0; player < kMostPlayers; ++player) {
        const std::size_t figures = spaces_in(state, planes::figures(player)).size();
        const std::string whose = "player " + std::to_string(player);
        if (player >= n) {
            if (figures > 0) return "figures of a player who does not exist";
            continue;
        }
        if (state.two[player] > kTwoTiles || state.rice[player] > kRiceTiles || state.village[player] > kVillageTiles ||
            state.tokens[player] > kTokens) {
            return whose + " has more pieces in supply than the box holds";
        }
        if (state.figures[player] + figures != kFigures) return whose + " does not have 12 figures in all";
    }
    return "";
}

// Tiles and palaces in supply and on the island are those of the box (JA-4).
std::string Game::fault_of_supply(const State& state) const {
    if (state.three > kThreeTiles || state.water > kWaterTiles) return "more tiles in supply than the box holds";
    int villages = kThreeTiles - state.three, rice = 2 * villages;  // spaces of all tiles placed
    for (std::size_t player = 0; player < seats(); ++player) {
        const int two = kTwoTiles - state.two[player];
        villages += two + kVillageTiles - state.village[player];
        rice += two + kRiceTiles - state.rice[player];
    }
    int height = 0, village_tops = 0, rice_tops = 0, water = 0;
    std::array<int, kPalaceValues + 1> standing{};  // by half the value
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        height += height_at(state, space);
        const bool village = tables_->has(state, Plane::kVillage, space);
        village_tops += village ? 1 : 0;
        rice_tops += tables_->has(state, Plane::kLand, space) && !village ? 1 : 0;
        water += tables_->has(state, Plane::kWater, space) ? 1 : 0;
        const std::size_t half = half_palace_at(state, space);
        if (half > kPalaceValues) return "palace value out of range on " + tables_->board.name(space);
        if (half > 0) ++standing[half];
    }
    if (height != villages + rice || village_tops > villages || rice_tops > rice) {
        return "land tiles on the island and in supply do not add up";
    }
    if (water + state.water != kWaterTiles) return "irrigation tiles do not add up to 16";
    int higher = 0;  // palaces that can cover one of this value
    for (std::size_t half = kPalaceValues; half > 0; --half) {
        if (state.palaces[half - 1] > kPalaceTiles[half - 1]) return "more palaces in supply than the box holds";
        const int buried = kPalaceTiles[half - 1] - state.palaces[half - 1] - standing[half];
        if (buried < 0 || buried > higher) return "palaces on the island and in supply do not add up";
        higher += standing[half];
    }
    return "";
}

// JA-5, JA-6: five cards of each kind.
std::string Game::fault_of_cards(const State& state) const {
    if (state.open != kNone && state.open >= kKinds) return "kind of the open card out of range";
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        int copies = state.pile[kind] + state.discards[kind] + (state.open == kind ? 1 : 0);
        for (std::size_t player = 0; player < seats(); ++player) {
            copies += state.hands[player][kind] + state.laid[player][kind];
            if (state.known[player][kind] > state.hands[player][kind]) return "a known card that is not in the hand";
        }
        if (copies != kCopies) return "cards of a kind do not add up to 5";
    }
    return "";
}

// The things on each space go together.
std::string Game::fault_of_spaces(const State& state) const {
    int highest = 0;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        if (std::string found = fault_of_space(state, space); !found.empty()) {
            return found + " on " + tables_->board.name(space);
        }
        highest = std::max(highest, height_at(state, space));
    }
    return state.height_bits == std::bit_width(static_cast<unsigned>(highest)) ? ""
                                                                               : "wrong bits of the greatest height";
}

std::string Game::fault_of_space(const State& state, std::size_t space) const {
    const Board& board = tables_->board;
    const auto has = [&](Plane plane) { return tables_->has(state, plane, space); };
    const bool bare = height_at(state, space) == 0, palace = half_palace_at(state, space) > 0;
    int figures = 0;
    for (std::size_t player = 0; player < kMostPlayers; ++player) figures += has(planes::figures(player)) ? 1 : 0;
    if (has(Plane::kLand) == bare) return "land and height disagree";
    if (has(Plane::kVillage) && bare) return "a village without a tile";
    if (has(Plane::kWater) && !bare) return "a tile over irrigation";
    if (has(Plane::kBlocked) != (has(Plane::kWater) || palace || figures > 0)) return "wrong mark of a blocked space";
    if (palace && (!has(Plane::kVillage) || figures > 0)) return "a palace not on a village without a figure";
    if (has(Plane::kFresh) && !palace) return "freshness set without a palace";
    if (has(Plane::kChanged) && !has(Plane::kFresh)) return "a palace changed this turn that is not fresh";
    if (figures > 1) return "two figures";
    if (figures > 0 && bare) return "a figure without land";
    if (has(Plane::kStarted) && (bare || palace || figures > 0)) return "the start of a move that is not free land";
    if (has(Plane::kEnded) && !has(planes::figures(state.turn))) return "the end of a move without the figure";
    // JA-11: the lowest tile has a space on the board.
    const auto holds = [&](std::uint16_t next) {
        return next != kNowhere && board.land(next) && tables_->has(state, Plane::kLand, next);
    };
    const auto& around = board.neighbour[space];
    if (board.outside(space) && !bare && std::none_of(around.begin(), around.end(), holds)) {
        return "a tile wholly outside the board";
    }
    return "";
}

// JA-14.
std::string Game::fault_of_settlements(const State& state) const {
    for (const Spaces& settlement : settlement_spaces(state)) {
        const auto palaces = std::count_if(settlement.begin(), settlement.end(),
                                           [&](std::size_t space) { return half_palace_at(state, space) > 0; });
        if (palaces > 1) return "two palaces in the settlement of " + tables_->board.name(settlement.front());
    }
    return "";
}

// JA-R3.
std::string Game::fault_of_bonds(const State& state) const {
    const Board& board = tables_->board;
    std::vector<bool> bonded(board.size(), false);
    std::array<int, 4> bonds{};  // by size
    int village_bonds = 0;       // of one space
    for (std::size_t space = 0; space < board.size(); ++space) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            if (!tables_->has(state, planes::bonds(shape), space)) continue;
            const Spaces bond = board.tile(space, shape);
            if (std::ranges::count(bond, kNowhere) > 0) return "a tile beyond the island on " + board.name(space);
            if (std::string found = fault_of_bond(state, bond); !found.empty()) return found + board.name(space);
            for (const std::size_t member : bond) {
                if (bonded[member]) return "two tiles on top of " + board.name(member);
                bonded[member] = true;
            }
            ++bonds[bond.size()];
            village_bonds += bond.size() == 1 && tables_->has(state, Plane::kVillage, space) ? 1 : 0;
        }
    }
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (!bonded[space] && !lost_bond(state, space)) return "a tile without a bond on " + board.name(space);
    }
    // At most one bond for each tile placed.
    int two = 0, rice = 0, villages = 0;
    for (std::size_t player = 0; player < seats(); ++player) {
        two += kTwoTiles - state.two[player];
        rice += kRiceTiles - state.rice[player];
        villages += kVillageTiles - state.village[player];
    }
    const int three = kThreeTiles - state.three;
    const bool fit = bonds[3] <= three && village_bonds <= villages && bonds[1] - village_bonds <= rice &&
                     (rules_.two_on_three ? bonds[2] <= two : bonds[2] + bonds[3] <= two + three);
    return fit ? "" : "more tiles on top than were placed";
}

// Whether a space that is in no bond can have left one: it is bare, it got a palace, or another space of its tile was
// covered or did.
bool Game::lost_bond(const State& state, std::size_t space) const {
    const int height = height_at(state, space);
    const auto& around = tables_->board.neighbour[space];
    return height == 0 || half_palace_at(state, space) > 0 ||
           std::any_of(around.begin(), around.end(), [&](std::uint16_t next) {
               if (next == kNowhere) return false;
               const int other = height_at(state, next);
               return other > height || (other == height && half_palace_at(state, next) > 0);
           });
}

std::string Game::fault_of_bond(const State& state, const Spaces& bond) const {
    int villages = 0;
    for (const std::size_t member : bond) {
        villages += tables_->has(state, Plane::kVillage, member) ? 1 : 0;
        if (!tables_->has(state, Plane::kLand, member) || half_palace_at(state, member) > 0 ||
            height_at(state, member) != height_at(state, bond.front())) {
            return "a tile that is covered or not level on ";
        }
    }
    const bool whole = rules_.two_on_three || bond.size() == 3;
    const bool exists = bond.size() == 1 || villages == 1 || (villages == 0 && !whole);
    return exists ? "" : "a tile that is not in the box on ";
}

// No player has more points than what is on the board can have given: an enclosed body of irrigation once
// (JA-18), each palace tile placed once when it was built, and once in a festival unless it is still
// fresh (JA-24, JA-32), and the standing palaces in final counts (JA-35). All building gave points.
std::string Game::fault_of_scores(const State& state) const {
    const int n = rules_.players;
    int built = 0, festivals = 0, shared = 0, standing = 0;
    for (std::size_t half = 1; half <= kPalaceValues; ++half) {
        const int placed = kPalaceTiles[half - 1] - state.palaces[half - 1], points = static_cast<int>(half);
        built += placed * points;
        festivals += placed * points;
        shared += placed * std::max(points, n * kTiedPoints[half - 1]);
    }
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        const std::size_t half = half_palace_at(state, space);
        if (half == 0) continue;
        const int points = static_cast<int>(half);
        standing += 2 * points;
        if (!tables_->has(state, Plane::kFresh, space)) continue;
        festivals -= points;
        shared -= std::max(points, n * kTiedPoints[half - 1]);
    }
    const int water = enclosed_points(state);
    const int to_come = number(counts_to_come(state, seats()));
    int total = 0, most_in_total = water + built + shared;
    for (int player = 0; player < n; ++player) {
        const int score = state.scores[index(player)];
        const int final_count = (player - state.turn + n) % n >= to_come ? standing : 0;
        if (score > water + built + festivals + final_count) {
            return "player " + std::to_string(player) + " has more points than the board can have given";
        }
        total += score;
        most_in_total += final_count;
    }
    if (total < built) return "fewer points than the palaces gave";
    return total <= most_in_total ? "" : "more points in all than the board can have given";
}

// JA-17, JA-18: what all enclosed bodies together gave at most.
int Game::enclosed_points(const State& state) const {
    int points = 0;
    for (const Spaces& body : water_bodies(state)) {
        const bool enclosed = std::all_of(body.begin(), body.end(), [&](std::size_t space) {
            const auto& around = tables_->board.neighbour[space];
            return std::all_of(around.begin(), around.end(), [&](std::size_t next) {
                return tables_->has(state, Plane::kLand, next) || is_water(state, next);
            });
        });
        const bool per_space = rules_.irrigation_scoring == IrrigationScoring::kPerSpace;
        if (enclosed) points += static_cast<int>(kWaterPoints * (per_space ? body.size() : 1));
    }
    return points;
}

// Flags and counts that fit the phase.
std::string Game::fault_of_phase(const State& state) const {
    const std::size_t n = seats();
    if (state.final != kNone && state.final >= n) return "final count of a player who does not exist";
    if (state.barren >= n || (state.barren > 0 && state.final != kNone)) return "too many turns without a land tile";
    if (state.owed > 1 || state.token > 1) return "flag out of range";
    const bool draw = state.phase == Phase::kOpenDraw || state.phase == Phase::kPileDraw;
    const bool in_turn = state.phase == Phase::kTurn || draw;
    const bool remembers = !spaces_in(state, Plane::kStarted).empty() || !spaces_in(state, Plane::kChanged).empty();
    if (!in_turn && ((state.ap | state.token | state.taken) != 0 || remembers)) {
        return "something left of a turn that is over";
    }
    if (!in_turn && state.phase != Phase::kFestival && state.owed != 0) return "a land tile due outside a turn";
    if (state.owed != 0 && (state.final != kNone || state.three == 0)) return "a land tile due after the end began";
    const bool no_open_card = state.phase == Phase::kDeal || state.phase == Phase::kOpenDraw;
    if (no_open_card != (state.open == kNone)) return "an open card missing or unexpected";
    if ((draw || state.phase == Phase::kDeal) && count(state.pile) == 0) return "no card to draw";
    if (state.phase == Phase::kOver) {
        if (state.final == kNone || state.turn != (state.final + n - 1) % n) {
            return "final phase with the wrong player to move";
        }
    } else if (state.final == state.turn) {
        return "a turn after the player's final count";
    }
    return "";
}

// The memory of the turn: action points, the token, moves, the figure taken up.
std::string Game::fault_of_turn(const State& state) const {
    const std::size_t started = spaces_in(state, Plane::kStarted).size(),
                      changed = spaces_in(state, Plane::kChanged).size();
    if (started != spaces_in(state, Plane::kEnded).size()) return "numbers of starts and ends of moves differ";
    const bool lifted = state.lifted != kNowhere;
    const bool draw = state.phase == Phase::kOpenDraw || state.phase == Phase::kPileDraw;
    if (state.phase == Phase::kTurn || draw) {
        const bool used = state.token == 0 && state.tokens[state.turn] < kTokens;  // possibly in this turn
        const bool any_time = rules_.token_timing == TokenTiming::kAny;
        if (state.token > state.tokens[state.turn]) return "a token marked usable that the player does not have";
        if (any_time && state.token == 0 && !used) return "a token marked unusable that was not used";
        const std::size_t paid = state.ap + changed + state.taken + (state.final == kNone && state.owed == 0 ? 1U : 0U);
        if (paid > kActionPoints + (used ? 1U : 0U) || state.taken > kMostTaken) return "too many action points";
        if (draw && (state.taken == 0 || started > 0 || lifted)) return "a draw without a card taken";
        if (!any_time && state.token != 0 && (state.ap != kActionPoints || started > 0 || lifted)) {
            return "a token marked usable after the start of the turn";
        }
    }
    if (!lifted) return "";
    if (state.phase != Phase::kTurn || state.lifted >= kCells || tables_->space_of[state.lifted] == kNowhere ||
        !tables_->has(state, planes::figures(state.turn), tables_->space_of[state.lifted])) {
        return "the figure taken up does not exist";
    }
    return legal_actions(state).size() > 0 ? "" : "a figure taken up that cannot be set down";
}

// JA-6: during the deal nothing else has happened.
std::string Game::fault_of_deal(const State& state) const {
    if (state.phase != Phase::kDeal) return "";
    State fresh = initial_state();
    fresh.hands = state.hands;
    fresh.pile = state.pile;
    if (!(fresh == state)) return "play before the deal is over";
    int dealt = kCards - count(state.pile);
    for (std::size_t player = 0; player < seats(); ++player) {
        if (count(state.hands[player]) != std::clamp(dealt, 0, kDealt)) return "cards dealt out of order";
        dealt -= kDealt;
    }
    return "";
}

// JA-29 to JA-31.
std::string Game::fault_of_festival(const State& state) const {
    if (state.phase != Phase::kFestival) {
        const bool clear = state.festival == kNowhere && state.bidder == 0 && state.bidding == 0 &&
                           state.last == kNone && state.laid == PerSeat<Cards>{};
        return clear ? "" : "something left of a festival that is over";
    }
    if (state.festival >= kCells || tables_->space_of[state.festival] == kNowhere ||
        !tables_->has(state, Plane::kFresh, tables_->space_of[state.festival])) {
        return "a festival without a fresh palace";
    }
    const unsigned guests = tables_->island.guests(state, state.festival);
    if (state.bidder >= seats() || (state.bidding >> state.bidder & 1) == 0 || (state.bidding & ~guests) != 0 ||
        (guests >> state.turn & 1) == 0) {
        return "bid by a player who is not a guest";
    }
    int laid = 0;
    for (std::size_t player = 0; player < seats(); ++player) {
        laid += count(state.laid[player]);
        if (count(state.laid[player]) > 0 && (guests >> player & 1) == 0) return "cards of a player who is not a guest";
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (state.laid[player][kind] > 0 && !matches(kind, state.open)) return "a card laid that does not match";
        }
    }
    if (count(state.laid[state.turn]) == 0) {
        if (laid > 0 || state.bidder != state.turn || state.bidding != guests) {
            return "a bid before the first bid of the player whose turn it is";
        }
        if (bids(state) == 0) return "a festival without a matching card to lay";
    } else if (bidding_is_over(state)) {
        return "a festival that should have ended";
    }
    if (state.last != kNone && (state.last >= kKinds || state.laid[state.bidder][state.last] == 0)) {
        return "a last card that was not laid";
    }
    return "";
}

}  // namespace tilery::java
