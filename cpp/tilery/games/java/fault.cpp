// SPDX-License-Identifier: MIT
// What makes bytes from outside no possible state of Java.
#include <algorithm>
#include <numeric>

#include "tilery/games/java/turn.hpp"

namespace tilery::java {
namespace {

int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

template <class T>
bool clear_from(const PerSeat<T>& items, std::size_t n) {
    return std::all_of(items.begin() + static_cast<std::ptrdiff_t>(n), items.end(),
                       [](const T& item) { return item == T{}; });
}

// Points from palaces: half the values at building, half in festivals, all in the final count.
constexpr int kMostPalacePoints = 2 * (6 * 2 + 7 * 4 + 8 * 6 + 9 * 8 + 10 * 10);

}  // namespace

// What all other checks rely on.
std::string Game::fault_of_planes(const State& state) const {
    const Tables& t = *tables_;
    if (state.phase > Phase::kOver) return "no such phase";
    if (state.turn >= rules_.players) return "nobody's turn";
    for (std::size_t w = kPlanes * t.words; w < state.planes.size(); ++w) {
        if (state.planes[w] != 0) return "spaces beyond all spaces";
    }
    for (std::size_t word = 0; word < t.words; ++word) {
        std::uint64_t buildable = 0, irrigable = 0;
        for (std::size_t bit = 0; bit < 64; ++bit) {
            buildable |= std::uint64_t{t.ids.buildable_at[64 * word + bit] != kNowhere} << bit;
            irrigable |= std::uint64_t{t.ids.water_at[64 * word + bit] != kNowhere} << bit;
        }
        for (std::size_t plane = 0; plane < kPlanes; ++plane) {
            if ((state.planes[plane * t.words + word] & ~(plane == kWater ? irrigable : buildable)) != 0) {
                return "something where nothing can be";
            }
        }
    }
    return "";
}

// Each space: what is on it goes together.
std::string Game::fault_of_spaces(const State& state) const {
    const Board& board = tables_->board;
    int highest = 0;
    for (std::size_t space = 0; space < board.size(); ++space) {
        const auto has = [&](std::size_t plane) { return tables_->has(state, plane, space); };
        const auto named = [&](const char* what) { return std::string(what) + " on " + board.name(space); };
        const int height = height_at(state, space), value = palace_at(state, space);
        highest = std::max(highest, height);
        int figures = 0;
        for (std::size_t player = 0; player < kMostPlayers; ++player) figures += has(kFigure + player) ? 1 : 0;
        if (has(kLand) != (height > 0)) return named("land and height do not agree");
        if (has(kVillage) && height == 0) return named("a village without a tile");
        if (has(kWater) && height > 0) return named("a tile over irrigation");
        if (value > 2 * static_cast<int>(kPalaceValues)) return named("no such palace");
        if (has(kBlocked) != (has(kWater) || value > 0 || figures > 0)) return named("blocked, or not, for no reason");
        if (value > 0 && (!has(kVillage) || figures > 0)) return named("a palace on no free village");
        if (has(kFresh) && value == 0) return named("a fresh nothing");
        if (has(kChanged) && !has(kFresh)) return named("a changed palace that is not fresh");
        if (figures > 1) return named("two figures");
        if (figures > 0 && height == 0) return named("a figure on no land");
        if (has(kStarted) && (height == 0 || value > 0 || figures > 0)) return named("no free space that a move left");
        if (has(kEnded) && !has(kFigure + state.turn)) return named("no figure that a move brought");
        if (board.outside(space) && height > 0) {
            // JA-11: the lowest tile has a space on the board.
            const auto& around = board.neighbour[space];
            if (std::none_of(around.begin(), around.end(), [&](std::uint16_t next) {
                    return next != kNowhere && board.land(next) && tables_->has(state, kLand, next);
                })) {
                return named("a tile that nothing holds");
            }
        }
    }
    if (state.height_bits != std::bit_width(static_cast<unsigned>(highest))) return "a wrong greatest height";
    // JA-14
    const auto village = [](const Tables& tables, const State& s, std::size_t space) {
        return tables.has(s, kVillage, space);
    };
    for (const auto& settlement : groups(state, village)) {
        if (std::count_if(settlement.begin(), settlement.end(),
                          [&](std::size_t space) { return palace_at(state, space) > 0; }) > 1) {
            return "two palaces in the settlement of " + board.name(settlement.front());
        }
    }
    return "";
}

// JA-R3.
std::string Game::fault_of_bonds(const State& state) const {
    const Board& board = tables_->board;
    std::vector<bool> bonded(board.size(), false);
    std::array<int, kShapes> bonds{};
    for (std::size_t space = 0; space < board.size(); ++space) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            if (!tables_->has(state, bond_plane(shape), space)) continue;
            ++bonds[shape];
            std::vector<std::size_t> bond{space};
            for (const Direction step : kShapeSteps[shape]) {
                if (step == kDirections) continue;
                if (board.neighbour[space][step] == kNowhere) return "a bond beyond the island";
                bond.push_back(board.neighbour[space][step]);
            }
            std::size_t villages = 0;
            for (const std::size_t member : bond) {
                if (bonded[member]) return "two bonds on " + board.name(member);
                bonded[member] = true;
                villages += tables_->has(state, kVillage, member) ? 1U : 0U;
                if (!tables_->has(state, kLand, member) || palace_at(state, member) > 0 ||
                    height_at(state, member) != height_at(state, space)) {
                    return "no tile for the bond on " + board.name(member);
                }
            }
            const bool whole = rules_.two_on_three || bond.size() == 3;
            if (bond.size() > 1 && (villages > 1 || (whole && villages == 0))) {
                return "no such tile on " + board.name(space);
            }
        }
    }
    // At most one bond for each tile placed.
    int two = 0, one = 0;
    for (std::size_t player = 0; player < static_cast<std::size_t>(rules_.players); ++player) {
        two += kTwoTiles - state.two[player];
        one += kRiceTiles + kVillageTiles - state.rice[player] - state.village[player];
    }
    const int three = kThreeTiles - state.three;
    const int pairs = bonds[kTwoE] + bonds[kTwoSE] + bonds[kTwoSW], triples = bonds[kThreeE] + bonds[kThreeSE];
    const bool fit =
        triples <= three && bonds[kOne] <= one && (rules_.two_on_three ? pairs <= two : pairs + triples <= two + three);
    return fit ? "" : "more bonds than tiles";
}

// The box is whole (JA-4 to JA-6).
std::string Game::fault_of_supply(const State& state) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    if (!clear_from(state.scores, n) || !clear_from(state.hands, n) || !clear_from(state.known, n) ||
        !clear_from(state.laid, n) || !clear_from(state.two, n) || !clear_from(state.rice, n) ||
        !clear_from(state.village, n) || !clear_from(state.tokens, n) || !clear_from(state.figures, n)) {
        return "a seat too many";
    }
    if (state.three > kThreeTiles || state.water > kWaterTiles) return "too many tiles left";
    const Board& board = tables_->board;
    int villages = kThreeTiles - state.three, rice = 2 * villages;  // spaces of all tiles placed
    for (std::size_t player = 0; player < kMostPlayers; ++player) {
        const auto figures = static_cast<int>(spaces_in(state, kFigure + player).size());
        if (player >= n) {
            if (figures > 0) return "figures of nobody";
            continue;
        }
        if (state.two[player] > kTwoTiles || state.rice[player] > kRiceTiles || state.village[player] > kVillageTiles ||
            state.tokens[player] > kTokens) {
            return "too much left to player " + std::to_string(player);
        }
        if (state.figures[player] + figures != kFigures)
            return "figures of player " + std::to_string(player) + " astray";
        const int two = kTwoTiles - state.two[player];
        villages += two + kVillageTiles - state.village[player];
        rice += two + kRiceTiles - state.rice[player];
    }
    int height = 0, village_tops = 0, rice_tops = 0, water = 0, printed = 0;
    std::array<int, kPalaceValues> standing{};
    for (std::size_t space = 0; space < board.size(); ++space) {
        height += height_at(state, space);
        const bool village = tables_->has(state, kVillage, space);
        village_tops += village ? 1 : 0;
        rice_tops += tables_->has(state, kLand, space) && !village ? 1 : 0;
        water += tables_->has(state, kWater, space) ? 1 : 0;
        printed += board.ground[space] == Ground::kPrinted ? 1 : 0;
        if (const int value = palace_at(state, space); value > 0) ++standing[static_cast<std::size_t>(value / 2 - 1)];
    }
    if (height != villages + rice || village_tops > villages || rice_tops > rice) return "land tiles astray";
    if (water + state.water != kWaterTiles) return "irrigation tiles astray";
    int higher = 0;  // palaces that may stand on one of this value
    for (std::size_t value = kPalaceValues; value-- > 0;) {
        if (state.palaces[value] > kPalaceTiles[value]) return "too many palaces left";
        const int buried = kPalaceTiles[value] - state.palaces[value] - standing[value];
        if (buried < 0 || buried > higher) return "palaces astray";
        higher += standing[value];
    }
    // Each space of water is scored once at most.
    constexpr int kWaterPoints = 3;
    for (const std::uint16_t score : state.scores) {
        if (score > kMostPalacePoints + kWaterPoints * (printed + kWaterTiles)) return "more points than there are";
    }
    // Cards.
    if (state.open != kNone && state.open >= kKinds) return "no such open card";
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        int copies = state.pile[kind] + state.discards[kind] + (state.open == kind ? 1 : 0);
        for (std::size_t player = 0; player < n; ++player) {
            copies += state.hands[player][kind] + state.laid[player][kind];
            if (state.known[player][kind] > state.hands[player][kind]) return "a known card that nobody has";
        }
        if (copies != kCopies) return "cards astray";
    }
    return "";
}

// The turn and what is remembered of it.
std::string Game::fault_of_turn(const State& state) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    if (state.final != kNone && state.final >= n) return "nobody's final count";
    if (state.barren >= n || (state.barren > 0 && state.final != kNone)) return "too many barren turns";
    if (state.owed > 1 || state.token > 1) return "a flag that is none";
    const bool chance_card = state.phase == Phase::kOpenDraw || state.phase == Phase::kPileDraw;
    const bool in_turn = state.phase == Phase::kTurn || chance_card;
    const bool festival = state.phase == Phase::kFestival;

    const std::size_t started = spaces_in(state, kStarted).size(), changed = spaces_in(state, kChanged).size();
    if (started != spaces_in(state, kEnded).size()) return "moves that only started or only ended";
    if (!in_turn && (state.ap | state.token | state.taken) != 0) return "a turn out of turn";
    if (!in_turn && started + changed > 0) return "a turn out of turn";
    if (!in_turn && !festival && state.owed != 0) return "a tile owed out of turn";
    if (state.owed != 0 && (state.final != kNone || state.three == 0)) return "a tile owed that is not due";
    if ((state.phase == Phase::kDeal || state.phase == Phase::kOpenDraw) != (state.open == kNone)) {
        return "an open card too many or too few";
    }
    if ((chance_card || state.phase == Phase::kDeal) && count(state.pile) == 0) return "no card to draw";
    if (in_turn) {
        const bool used = state.token == 0 && state.tokens[state.turn] < kTokens;  // perhaps, this turn
        if (state.token > state.tokens[state.turn]) return "no token to use";
        if (rules_.token_timing == TokenTiming::kAny && state.token == 0 && !used) return "a token that cannot be used";
        const std::size_t paid = state.ap + changed + state.taken + (state.final == kNone && state.owed == 0 ? 1U : 0U);
        if (paid > kActionPoints + (used ? 1U : 0U) || state.taken > kMostTaken) return "too many action points";
        if (chance_card && (state.taken == 0 || started > 0 || state.lifted != kNowhere)) return "no card is due";
        if (rules_.token_timing == TokenTiming::kTurnStart && state.token != 0 &&
            (state.ap != kActionPoints || started > 0 || state.lifted != kNowhere)) {
            return "a token that came too late";
        }
    }
    if (state.lifted != kNowhere) {
        if (state.phase != Phase::kTurn || state.lifted >= 64 * tables_->words ||
            tables_->space_of[state.lifted] == kNowhere ||
            !tables_->has(state, kFigure + state.turn, tables_->space_of[state.lifted])) {
            return "no figure taken up";
        }
        if (legal_actions(state).size() == 0) return "a figure taken up that cannot be set down";
    }
    if (state.phase == Phase::kOver) {
        if (state.final == kNone || state.turn != (state.final + n - 1) % n) return "an end that is none";
    } else if (state.final == state.turn) {
        return "a turn after the final count";
    }
    if (state.phase == Phase::kDeal) {
        // Nothing has happened but the deal.
        State fresh = initial_state();
        fresh.hands = state.hands;
        fresh.pile = state.pile;
        if (!(fresh == state)) return "play before the deal is over";
        int dealt = static_cast<int>(kKinds) * kCopies - count(state.pile);
        for (std::size_t player = 0; player < n; ++player) {
            if (count(state.hands[player]) != std::clamp(dealt, 0, kDealt)) return "a deal out of order";
            dealt -= kDealt;
        }
    }
    return "";
}

// JA-29 to JA-31.
std::string Game::fault_of_festival(const State& state) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    if (state.phase != Phase::kFestival) {
        const bool clear = state.festival == kNowhere && state.bidder == 0 && state.bidding == 0 &&
                           state.last == kNone && state.laid == PerSeat<Cards>{};
        return clear ? "" : "a festival out of turn";
    }
    if (state.festival >= 64 * tables_->words || tables_->space_of[state.festival] == kNowhere ||
        !tables_->has(state, kFresh, tables_->space_of[state.festival])) {
        return "a festival in no fresh palace";
    }
    const unsigned guests =
        tables_->on_island([&](const auto& island) { return island.guests(state, state.festival); });
    if (state.bidder >= n || (state.bidding >> state.bidder & 1) == 0 || (state.bidding & ~guests) != 0 ||
        (guests >> state.turn & 1) == 0) {
        return "bids of who is no guest";
    }
    int laid = 0;
    for (std::size_t player = 0; player < n; ++player) {
        laid += count(state.laid[player]);
        if (count(state.laid[player]) > 0 && (guests >> player & 1) == 0) return "cards of who is no guest";
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (state.laid[player][kind] > 0 && !matches(kind, state.open)) return "a card laid that does not match";
        }
    }
    if (count(state.laid[state.turn]) == 0) {
        if (laid > 0 || state.bidder != state.turn || state.bidding != guests) return "bids before the mover's";
        if (bids(state) == 0) return "a festival without a card";
    } else if (bidding_is_over(state)) {
        return "a festival that should have ended";
    }
    if (state.last != kNone && (state.last >= kKinds || state.laid[state.bidder][state.last] == 0)) {
        return "a last card that was not laid";
    }
    return "";
}

std::string Game::fault(const State& state) const {
    using Check = std::string (Game::*)(const State&) const;
    constexpr std::array<Check, 6> kChecks{&Game::fault_of_planes, &Game::fault_of_supply, &Game::fault_of_spaces,
                                           &Game::fault_of_bonds,  &Game::fault_of_turn,   &Game::fault_of_festival};
    for (const Check check : kChecks) {
        if (std::string found = (this->*check)(state); !found.empty()) return found;
    }
    return "";
}

}  // namespace tilery::java
