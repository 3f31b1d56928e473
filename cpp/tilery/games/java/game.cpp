// SPDX-License-Identifier: MIT
// The course of the game: turns, cards, the end.
#include "tilery/games/java/game.hpp"

#include <numeric>

#include "tilery/games/java/cities.hpp"
#include "tilery/games/java/figures.hpp"
#include "tilery/games/java/tiles.hpp"
#include "tilery/games/java/turn.hpp"

namespace tilery::java {

static_assert(planes::kHeightBits >= std::bit_width(std::size_t{kThreeTiles + kMostPlayers * kOwnLandTiles}),
              "a space can be as high as there are tiles");

Action LegalActions::operator[](std::uint32_t i) const {
    assert(i < size_);
    std::size_t block = 0;
    for (std::size_t b = 0; b < blocks_; b += kStride) {
        for (std::size_t j = 0; j < kStride; ++j) block += end_[b + j] <= i ? 1U : 0U;
    }
    const std::uint32_t n = block == 0 ? i : i - end_[block - 1];
    return base_[block] + ids_[block]->at_place(nth_place(&words_[first_word_[block]], n));
}

namespace {

// The cells of the spaces (cells.hpp).
Numbers cells_of(const Board& board) {
    const int first = std::ranges::min(board.spaces, {}, &Space::skewed_column).skewed_column();
    Numbers cells;
    for (const Space space : board.spaces) {
        const std::size_t row = index(space.row - board.spaces.front().row), q = index(space.skewed_column() - first);
        cells.push_back(static_cast<std::uint16_t>(64 * (row % kSetWords) + Stripes::kWidth * (row / kSetWords) + q));
    }
    return cells;
}

Numbers inverse(const Numbers& numbers) {
    Numbers result(kCells, kNowhere);
    for (std::size_t i = 0; i < numbers.size(); ++i) result[numbers[i]] = static_cast<std::uint16_t>(i);
    return result;
}

std::vector<std::uint32_t> places(const Board& board, const Numbers& cell_of) {
    const auto [first_row, last_row, first_column, last_column] = board.extent();
    std::vector<std::uint32_t> places(kCells);
    for (std::size_t space = 0; space < board.size(); ++space) {
        const auto [row, column] = board.spaces[space];
        const int before = (row - first_row) * (last_column - first_column + 1);
        places[cell_of[space]] = static_cast<std::uint32_t>(before + column / 2 - first_column);
    }
    return places;
}

std::array<CellSet<kCells>, kGroundLists.size()> cells_by_ground(const Board& board, const Numbers& cell_of) {
    std::array<CellSet<kCells>, kGroundLists.size()> cells;
    for (std::size_t space = 0; space < board.size(); ++space) {
        cells[static_cast<std::size_t>(board.ground[space])].insert(cell_of[space]);
    }
    return cells;
}

}  // namespace

Tables::Tables(const Rules& rules)
    : board(rules.board),
      cell_of(cells_of(board)),
      space_of(inverse(cell_of)),
      place_of(places(board, cell_of)),
      on(cells_by_ground(board, cell_of)),
      ids(board, cell_of, rules.irrigation_on_perimeter),
      island(rules, board, ids, cell_of) {}

Game::Game(const Rules& rules) : rules_(checked_rules(rules)), tables_(std::make_shared<const Tables>(rules_)) {}

Action Game::num_distinct_actions() const { return tables_->ids.count; }

const Move& Game::move_of(Action action) const { return tables_->ids.moves[index(action)]; }

namespace {

// Turns of a game of n players: each land tile makes one, with at most n - 1 turns without a tile before
// it, at most n follow the last, and n - 1 last turns (JA-34, JA-34a).
int most_turns(int n) { return n * (kThreeTiles + n * kOwnLandTiles) + 2 * n - 1; }

}  // namespace

// In a turn 6 action points pay for at most 6 actions. Before, between and after them each figure makes
// at most one move for 0 points (JA-22). A move is two decisions, and one ends the turn. Each token adds
// itself, an action and the moves after it. Each palace tile has at most one festival (JA-32): at most 29
// cards are laid, as many turns of bidding end with `stop`, and each player passes once.
int Game::max_decisions() const {
    const int n = rules_.players;
    constexpr int kMoves = 2 * kFigures, kBids = 2 * (kCards - 1);
    constexpr int kFestivals = std::accumulate(kPalaceTiles.begin(), kPalaceTiles.end(), 0);
    return most_turns(n) * (2 * kActionPoints + (kActionPoints + 1) * kMoves + 1) + n * kTokens * (3 + kMoves) +
           kFestivals * (kBids + n);
}

// The deal, the first open card, and a card drawn for each card taken (JA-6, JA-27).
int Game::max_chance_nodes() const { return kDealt * rules_.players + 1 + kMostTaken * most_turns(rules_.players); }

State Game::initial_state() const {
    State state{};
    state.lifted = state.festival = kNowhere;
    state.pile.fill(kCopies);
    state.palaces = kPalaceTiles;
    state.three = kThreeTiles;
    state.water = kWaterTiles;
    for (std::size_t player = 0; player < seats(); ++player) {
        state.two[player] = kTwoTiles;
        state.rice[player] = kRiceTiles;
        state.village[player] = kVillageTiles;
        state.tokens[player] = kTokens;
        state.figures[player] = kFigures;
    }
    state.phase = Phase::kDeal;
    state.last = state.open = state.final = kNone;
    return state;
}

TILERY_FLATTEN LegalActions Game::legal_actions(const State& state) const {
    LegalActions legal;
    if (state.phase == Phase::kTurn) {
        tables_->island.add_turn_actions(state, legal);
        if (rules_.land_reserve == LandReserve::kAfter) {
            legal.keep_if([&](Action action) { return keeps_duty(state, action); });
        }
    } else {
        legal.add_plain(bids(state), tables_->ids.plain);
    }
    return legal;
}

bool Game::is_legal(const State& state, Action action) const {
    if (state.phase != Phase::kTurn) return action < Ids::kFirstTile && (bids(state) >> action & 1) != 0;
    return tables_->island.refusal(state, move_of(action)) == nullptr && keeps_duty(state, action);
}

// JA-9: with `land_reserve` "after" an action may not end a duty that is in force before it, but by fulfilling it.
bool Game::keeps_duty(const State& state, Action action) const {
    if (rules_.land_reserve == LandReserve::kBefore || state.phase != Phase::kTurn || state.owed == 0) return true;
    const Verb verb = move_of(action).verb;
    if (verb == Verb::kThree || verb == Verb::kTwo || verb == Verb::kRice || verb == Verb::kVillage) return true;
    const Island& island = tables_->island;
    if (!island.duty_in_force(state)) return true;
    State after = state;
    apply_action(after, action);
    // A figure taken up counts as where it stood; it must be possible to set it down.
    return verb == Verb::kTakeUp ? legal_actions(after).size() > 0 : island.duty_in_force(after);
}

OutcomeList<kKinds> Game::chance_outcomes(const State& state) const {
    OutcomeList<kKinds> list;
    for (std::size_t kind = 0; kind < kKinds; ++kind) list.add(static_cast<Action>(kind), state.pile[kind]);
    return list;
}

void Game::apply_action(State& state, Action action) const { apply(state, move_of(action), kNever); }

void Game::apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const {
    const Move move = move_of(actions[i]);
    apply(state, move, move.verb == Verb::kSetDown ? actions.kept_with(move.cell) : kNever);
}

// The price of setting a figure down, if the caller knows it, else kNever.
TILERY_FLATTEN void Game::apply(State& state, Move move, int price) const {
    apply_with(state, move, price, NoEvents{});
}

void Game::apply_with(State& state, Move move, int price, auto events) const {
    switch (move.verb) {
        case Verb::kDraw:
            return draw(state, move.index);
        case Verb::kLay:
        case Verb::kStop:
        case Verb::kPass:
            return bid(state, move, events);
        case Verb::kEnd:
            return end_turn(state, events);
        case Verb::kFestival:
            return call_festival(state, move.cell);
        case Verb::kExtra:  // JA-8
            --state.tokens[state.turn];
            state.token = 0;
            ++state.ap;
            return;
        default:
            act(state, move, price, events);
    }
}

// An action of a turn that takes action points, or could.
void Game::act(State& state, Move move, int price, auto events) const {
    const Island& island = tables_->island;
    if (rules_.token_timing == TokenTiming::kTurnStart) state.token = 0;  // JA-8
    if (move.verb == Verb::kTakeUp) {
        state.lifted = move.cell;
        return;
    }
    const int cost = price != kNever ? price : island.cost(state, move);
    if (cost > 0) {
        state.ap = static_cast<std::uint8_t>(state.ap - cost);
        island.forget_moves(state);
    }
    switch (move.verb) {
        case Verb::kThree:
        case Verb::kTwo:
        case Verb::kRice:
        case Verb::kVillage:
            state.owed = 0;
            return island.place_tile(state, move, events);
        case Verb::kWater:
            return island.place_water(state, move.cell, events);
        case Verb::kEnter:
            return island.enter(state, move.cell);
        case Verb::kLeave:
            return island.leave(state, move.cell);
        case Verb::kSetDown:
            island.set_down(state, move.cell, cost);
            state.lifted = kNowhere;
            return;
        case Verb::kPalace:
            return island.place_palace(state, move, events);
        default:
            return take_card(state, move.verb == Verb::kOpen);
    }
}

// JA-27.
void Game::take_card(State& state, bool open) const {
    ++state.taken;
    if (count(state.pile) == 0) std::swap(state.pile, state.discards);
    if (open) {
        ++state.hands[state.turn][state.open];
        ++state.known[state.turn][state.open];
        state.open = kNone;
    }
    state.phase = open ? Phase::kOpenDraw : Phase::kPileDraw;
}

// JA-6, JA-27: a card comes from the pile.
void Game::draw(State& state, std::size_t kind) const {
    --state.pile[kind];
    if (state.phase == Phase::kPileDraw) {
        ++state.hands[state.turn][kind];
        state.phase = Phase::kTurn;
    } else if (state.phase == Phase::kOpenDraw) {
        state.open = static_cast<std::uint8_t>(kind);
        state.phase = Phase::kTurn;
    } else {
        const int dealt = kCards - count(state.pile) - 1;
        if (dealt < kDealt * rules_.players) {
            ++state.hands[index(dealt / kDealt)][kind];
        } else {
            state.open = static_cast<std::uint8_t>(kind);
            begin_turn(state, 0);
        }
    }
}

void Game::begin_turn(State& state, std::size_t player) const {
    state.phase = Phase::kTurn;
    state.turn = static_cast<std::uint8_t>(player);
    state.ap = kActionPoints;
    state.owed = state.final == kNone ? 1 : 0;  // JA-9, JA-36
    state.token = state.tokens[player] > 0 ? 1 : 0;
}

// JA-34 to JA-36.
void Game::end_turn(State& state, auto events) const {
    const std::size_t mover = state.turn, n = seats();
    const bool barren = state.owed != 0;
    clear_turn(state);
    if (state.final == kNone) {
        state.barren = static_cast<std::uint8_t>(barren ? state.barren + 1 : 0);  // JA-34a
        if (state.three == 0 || state.barren == n) {
            state.final = state.turn;
            state.barren = 0;
        }
    }
    if (state.final != kNone) tables_->island.final_count(state, mover, events);
    const std::size_t next = (mover + 1) % n;
    if (state.final == next) {
        state.phase = Phase::kOver;
    } else {
        begin_turn(state, next);
    }
}

template void Game::end_turn(State&, NoEvents) const;
template void Game::end_turn(State&, EventWriter) const;

ScoreEvents Game::score_events(const State& state, Action action) const {
    EventList list(rules_.players, state.turn);
    State after = state;
    apply_with(after, move_of(action), kNever, EventWriter(list, tables_->space_of));
    return list.sorted([this](int space) { return "space:" + tables_->board.name(index(space)); });
}

void Game::clear_turn(State& state) const {
    state.ap = state.owed = state.token = state.taken = 0;
    tables_->island.forget_moves(state);
    tables_->island.forget_palaces(state);
}

// JA-35, for those whose final count is still to come.
PerPlayer<int> Game::scores_if_over(const State& state) const {
    State counted = state;
    const std::size_t n = seats(), left = counts_to_come(state, n);
    for (std::size_t i = 0; i < left; ++i) tables_->island.final_count(counted, (state.turn + i) % n);
    return scores(counted);
}

int Game::cost(const State& state, Action action) const {
    if (state.phase != Phase::kTurn) return 0;
    return tables_->island.cost(state, move_of(action));
}

}  // namespace tilery::java

template struct tilery::Loops<tilery::java::Game>;
