// SPDX-License-Identifier: MIT
// The course of the game: turns, cards, festivals, the end. The island's rules are in the headers
// named by chapter.
#include "tilery/games/java/game.hpp"

#include <numeric>

#include "tilery/games/java/turn.hpp"

namespace tilery::java {

static_assert(kHeightBits >= std::bit_width(std::size_t{kThreeTiles + kMostPlayers * kOwnLandTiles}),
              "a space can be as high as there are tiles");

// Without a branch on what random play cannot foresee.
template <std::size_t Words, std::size_t Slots>
std::size_t LegalActions::nth_cell(const std::uint64_t* words, std::uint32_t n) {
    std::size_t slot = 0;
    std::uint32_t before = 0;  // in slots before
    for (std::size_t s = 0, sum = 0; s + 1 < Slots; ++s) {
        for (std::size_t w = 0; w < Words; ++w) {
            sum += static_cast<std::size_t>(std::popcount(words[w] & slot_mask(s, Slots)));
        }
        slot += n >= sum ? 1U : 0U;
        before = n >= sum ? static_cast<std::uint32_t>(sum) : before;
    }
    n -= before;
    const std::uint64_t mask = slot_mask(slot, Slots);
    std::size_t word = 0;
    before = 0;
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w + 1 < Words; ++w) {
        sum += static_cast<std::uint32_t>(std::popcount(words[w] & mask));
        word += n >= sum ? 1U : 0U;
        before = n >= sum ? sum : before;
    }
    return 64 * word + static_cast<std::size_t>(nth_bit(words[word] & mask, n - before));
}

Action LegalActions::operator[](std::uint32_t i) const {
    assert(i < size_);
    std::size_t block = 0;
    for (std::size_t b = 0; b < blocks_; ++b) block += end_[b] <= i ? 1U : 0U;
    const std::uint32_t n = block == 0 ? i : i - end_[block - 1];
    const std::uint64_t* const words = &words_[first_word_[block]];
    const std::size_t cell = set_words_ == Rows::kWords ? nth_cell<Rows::kWords, Rows::kSlots>(words, n)
                                                        : nth_cell<Anywhere::kWords, Anywhere::kSlots>(words, n);
    return base_[block] + ids_[block][cell];
}

namespace {

std::variant<Tables::Compact, Tables::Sprawling> make_island(const Rules& rules, const Tables& tables) {
    if (tables.words == Rows::kWords) return Tables::Compact(rules, tables.board, tables.ids, tables.cell_of);
    return Tables::Sprawling(rules, tables.board, tables.ids, tables.cell_of);
}

Numbers number(const Board& board) { return Rows::number(board).value_or(Anywhere::number(board)); }

Numbers inverse(const Numbers& numbers) {
    Numbers result(kMostSpaces, kNowhere);
    for (std::size_t i = 0; i < numbers.size(); ++i) result[numbers[i]] = static_cast<std::uint16_t>(i);
    return result;
}

int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

// JA-31, JA-32: matching symbols on the cards a player has laid.
int symbols(const Cards& laid, std::size_t open) {
    int result = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        result += laid[kind] * std::popcount(static_cast<unsigned>(kSymbols[kind] & kSymbols[open]));
    }
    return result;
}

}  // namespace

Tables::Tables(const Rules& rules)
    : board(rules.board),
      cell_of(number(board)),
      space_of(inverse(cell_of)),
      words(Rows::number(board) ? Rows::kWords : Anywhere::kWords),
      slots(words == Rows::kWords ? Rows::kSlots : Anywhere::kSlots),
      ids(board, cell_of, rules.irrigation_on_perimeter),
      island(make_island(rules, *this)) {}

Game::Game(const Rules& rules) : rules_(rules), tables_(std::make_shared<const Tables>(rules)) {}

Action Game::num_distinct_actions() const { return tables_->ids.count; }

// The sum is explained in docs/rules/java.md.
int Game::max_game_length() const {
    const int n = rules_.players;
    const int turns = n * (kThreeTiles + n * kOwnLandTiles) + 2 * n - 1;
    constexpr int kPaid = 2 * kLongestStretch;
    constexpr int kFree = (kLongestStretch + 1) * 2 * kFigures;
    constexpr int kBids = 2 * static_cast<int>(kKinds) * kCopies;
    return kDealt * n + 1 + turns * (kPaid + kFree + kBids + 2 + n);
}

State Game::initial_state() const {
    State state{};
    state.lifted = state.festival = kNowhere;
    state.pile.fill(kCopies);
    state.palaces = kPalaceTiles;
    state.three = kThreeTiles;
    state.water = kWaterTiles;
    for (std::size_t player = 0; player < static_cast<std::size_t>(rules_.players); ++player) {
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

LegalActions Game::legal_actions(const State& state) const {
    LegalActions legal(tables_->words, tables_->slots);
    if (state.phase == Phase::kTurn) {
        tables_->on_island([&](const auto& island) { island.add_turn_actions(state, legal); });
    } else {
        add_bids(state, legal);
    }
    return legal;
}

// JA-30: matching cards in the order of kinds; `stop` after one, `pass` before, but the mover has
// to lay a card first.
std::uint32_t Game::bids(const State& state) {
    const std::size_t bidder = state.bidder;
    std::uint32_t bits = 0;
    for (std::size_t kind = state.last == kNone ? 0 : state.last; kind < kKinds; ++kind) {
        if (state.hands[bidder][kind] > 0 && matches(kind, state.open)) bits |= 1U << kind;
    }
    bits <<= Ids::kLay;
    if (state.last != kNone) return bits | plain_bit(Kind::kStop);
    return bidder == state.turn && count(state.laid[bidder]) == 0 ? bits : bits | plain_bit(Kind::kPass);
}

void Game::add_bids(const State& state, LegalActions& legal) const { offer_plain(legal, bids(state), tables_->ids); }

bool Game::is_legal(const State& state, Action action) const {
    if (state.phase != Phase::kTurn) return action < Ids::kFirstTile && (bids(state) >> action & 1) != 0;
    const Move move = tables_->ids.moves[static_cast<std::size_t>(action)];
    return tables_->on_island([&](const auto& island) { return island.is_legal_in_turn(state, move); });
}

OutcomeList<kKinds> Game::chance_outcomes(const State& state) const {
    OutcomeList<kKinds> list;
    for (std::size_t kind = 0; kind < kKinds; ++kind) list.add(static_cast<Action>(kind), state.pile[kind]);
    return list;
}

void Game::apply_action(State& state, Action action) const {
    const Move move = tables_->ids.moves[static_cast<std::size_t>(action)];
    switch (move.kind) {
        case Kind::kDraw:
            return draw(state, move.index);
        case Kind::kLay:
        case Kind::kStop:
        case Kind::kPass:
            return bid(state, move);
        case Kind::kEnd:
            return end_turn(state);
        case Kind::kFestival:
            return call_festival(state, move.cell);
        case Kind::kExtra:  // JA-8
            --state.tokens[state.turn];
            state.token = 0;
            ++state.ap;
            return;
        default:
            tables_->on_island([&](const auto& island) { act(island, state, move); });
    }
}

// An action of a turn that takes action points, or could.
template <class I>
void Game::act(const I& island, State& state, Move move) const {
    if (rules_.token_timing == TokenTiming::kTurnStart) state.token = 0;  // JA-8
    if (move.kind == Kind::kTakeUp) {
        state.lifted = move.cell;
        return;
    }
    const int cost = island.cost(state, move);
    if (cost > 0) {
        state.ap = static_cast<std::uint8_t>(state.ap - cost);
        island.forget_moves(state);
    }
    switch (move.kind) {
        case Kind::kThree:
        case Kind::kTwo:
        case Kind::kRice:
        case Kind::kVillage:
            state.owed = 0;
            return island.place_tile(state, move);
        case Kind::kWater:
            return island.place_water(state, move.cell);
        case Kind::kEnter:
            return island.enter(state, move.cell);
        case Kind::kLeave:
            return island.leave(state, move.cell);
        case Kind::kSetDown:
            island.set_down(state, move.cell, cost);
            state.lifted = kNowhere;
            return;
        case Kind::kPalace:
            return island.place_palace(state, move);
        default:
            return take_card(state, move.kind == Kind::kOpen);
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
        const int dealt = static_cast<int>(kKinds) * kCopies - count(state.pile) - 1;
        if (dealt < kDealt * rules_.players) {
            ++state.hands[static_cast<std::size_t>(dealt / kDealt)][kind];
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
void Game::end_turn(State& state) const {
    const std::size_t mover = state.turn, n = static_cast<std::size_t>(rules_.players);
    const bool barren = state.owed != 0;
    clear_turn(state);
    if (state.final == kNone) {
        state.barren = static_cast<std::uint8_t>(barren ? state.barren + 1 : 0);  // JA-34a
        if (state.three == 0 || state.barren == n) {
            state.final = state.turn;
            state.barren = 0;
        }
    }
    if (state.final != kNone) tables_->on_island([&](const auto& island) { island.final_count(state, mover); });
    const std::size_t next = (mover + 1) % n;
    if (state.final == next) {
        state.phase = Phase::kOver;
    } else {
        begin_turn(state, next);
    }
}

void Game::clear_turn(State& state) const {
    state.ap = state.owed = state.token = state.taken = 0;
    tables_->on_island([&](const auto& island) {
        island.forget_moves(state);
        island.forget_palaces(state);
    });
}

// JA-29, JA-30.
void Game::call_festival(State& state, std::uint16_t palace) const {
    const std::uint8_t owed = state.owed;  // JA-34a asks for it when the turn ends
    clear_turn(state);
    state.owed = owed;
    state.phase = Phase::kFestival;
    state.festival = palace;
    state.bidder = state.turn;
    state.bidding = tables_->on_island([&](const auto& island) { return island.guests(state, palace); });
}

// JA-30, JA-31.
void Game::bid(State& state, Move move) const {
    const std::size_t bidder = state.bidder, n = static_cast<std::size_t>(rules_.players);
    if (move.kind == Kind::kLay) {
        --state.hands[bidder][move.index];
        if (state.known[bidder][move.index] > 0) --state.known[bidder][move.index];  // JA-38
        ++state.laid[bidder][move.index];
        state.last = move.index;
    } else {
        if (move.kind == Kind::kPass) state.bidding = static_cast<std::uint8_t>(state.bidding & ~(1U << bidder));
        state.last = kNone;
    }
    if (move.kind != Kind::kStop && bidding_is_over(state)) return end_festival(state);
    if (move.kind == Kind::kLay) return;
    std::size_t next = (bidder + 1) % n;
    while ((state.bidding >> next & 1) == 0) next = (next + 1) % n;
    state.bidder = static_cast<std::uint8_t>(next);
}

// JA-31: all have passed, or the one left is ahead of everybody.
bool Game::bidding_is_over(const State& state) {
    if (state.bidding == 0) return true;
    if (!std::has_single_bit(state.bidding)) return false;
    const auto left = static_cast<std::size_t>(std::countr_zero(state.bidding));
    const int best = symbols(state.laid[left], state.open);
    for (std::size_t player = 0; player < state.laid.size(); ++player) {
        if (player != left && symbols(state.laid[player], state.open) >= best) return false;
    }
    return true;
}

// JA-32, JA-R9.
void Game::end_festival(State& state) const {
    PerSeat<int> laid{};
    for (std::size_t player = 0; player < laid.size(); ++player) {
        laid[player] = symbols(state.laid[player], state.open);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            state.discards[kind] = static_cast<std::uint8_t>(state.discards[kind] + state.laid[player][kind]);
        }
    }
    const int most = *std::max_element(laid.begin(), laid.end());
    const int value = tables_->on_island([&](const auto& island) {
        island.close_festival(state);
        return island.palace_value(state, state.festival);
    });
    constexpr std::array<std::uint8_t, kPalaceValues> kShared{0, 1, 2, 2, 3};
    const int points =
        std::count(laid.begin(), laid.end(), most) == 1 ? value / 2 : kShared[static_cast<std::size_t>(value / 2 - 1)];
    for (std::size_t player = 0; player < laid.size(); ++player) {
        if (laid[player] == most) state.scores[player] = static_cast<std::uint16_t>(state.scores[player] + points);
    }
    state.laid = {};
    state.festival = kNowhere;
    state.bidder = state.bidding = 0;
    state.last = kNone;
    end_turn(state);
}

PerPlayer<int> Game::scores(const State& state) const {
    PerPlayer<int> scores{};
    std::copy(state.scores.begin(), state.scores.end(), scores.begin());
    return scores;
}

int Game::cost(const State& state, Action action) const {
    if (state.phase != Phase::kTurn) return 0;
    const Move move = tables_->ids.moves[static_cast<std::size_t>(action)];
    return tables_->on_island([&](const auto& island) { return island.cost(state, move); });
}

}  // namespace tilery::java

template tilery::Played tilery::playout(const tilery::java::Game&, tilery::java::State&, tilery::Rng&);
