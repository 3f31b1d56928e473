// SPDX-License-Identifier: MIT
// What players know and see (JA-38): information states, observations, determinization.
#include <algorithm>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {

// The board of an information state.
Value Game::pieces(const State& state) const {
    Value::List palaces;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        if (const int value = palace_at(state, space); value > 0) {
            palaces.push_back(
                Value::list({tables_->board.name(space), value, Value(tables_->has(state, Plane::kFresh, space))}));
        }
    }
    return Value::object({{"tops", terrain(state)},
                          {"heights", Value::list_of(heights(state))},
                          {"bonds", tiles(state)},
                          {"palaces", palaces},
                          {"figures", figures(state)}});
}

Value Game::festival(const State& state) const {
    if (state.phase != Phase::kFestival) return {};
    Value::List in, laid;
    for (std::size_t seat = 0; seat < seats(); ++seat) {
        if ((state.bidding >> seat & 1) != 0) in.emplace_back(static_cast<int>(seat));
        laid.push_back(Value::list_of(state.laid[seat]));
    }
    return Value::object({{"palace", name_of_cell(state.festival)},
                          {"in", in},
                          {"laid", laid},
                          {"last", state.last == kNone ? Value() : Value(kKindNames[state.last])}});
}

Value Game::information_state(const State& state, Player player) const {
    const std::size_t n = seats();
    const auto by_player = [n](const auto& items) { return Value::list_of(std::span(items).first(n)); };
    const Value draw = state.phase == Phase::kDeal       ? Value("deal")
                       : state.phase == Phase::kOpenDraw ? Value("open")
                       : state.phase == Phase::kPileDraw ? Value("pile")
                                                         : Value();
    return Value::object({
        {"seat", player},
        {"player", current_player(state)},
        {"turn", state.turn},
        {"draw", draw},
        {"ap", state.ap},
        {"owed", state.owed != 0},
        {"token", state.token != 0},
        {"taken", state.taken},
        {"changed", names(spaces_in(state, Plane::kChanged))},
        {"lifted", name_of_cell(state.lifted)},
        {"started", names(spaces_in(state, Plane::kStarted))},
        {"ended", names(spaces_in(state, Plane::kEnded))},
        {"barren", state.barren},
        {"final", state.final == kNone ? Value() : Value(state.final)},
        {"scores", by_player(state.scores)},
        {"supply", Value::object({{"three", state.three},
                                  {"water", state.water},
                                  {"palaces", Value::list_of(state.palaces)},
                                  {"two", by_player(state.two)},
                                  {"rice", by_player(state.rice)},
                                  {"village", by_player(state.village)},
                                  {"tokens", by_player(state.tokens)},
                                  {"figures", by_player(state.figures)}})},
        {"board", pieces(state)},
        {"cards", cards(state, player)},
        {"festival", festival(state)},
    });
}

std::vector<int> Game::observation_shape() const {
    const auto [first_row, last_row, first_column, last_column] = tables_->board.extent();
    return {60 + 24 * rules_.players, last_row - first_row + 1, last_column - first_column + 1};
}

void Game::observe(const State& state, Player player, std::span<float> out) const {
    const Board& board = tables_->board;
    const std::size_t n = seats();
    const auto [first_row, last_row, first_column, last_column] = board.extent();
    const auto width = static_cast<std::size_t>(last_column - first_column + 1);
    const std::size_t size = static_cast<std::size_t>(last_row - first_row + 1) * width;
    std::fill(out.begin(), out.end(), 0.0F);
    const auto seat = [&](std::size_t k) { return (static_cast<std::size_t>(player) + k) % n; };
    const auto place = [&, row = first_row, column = first_column](std::size_t space) {
        return static_cast<std::size_t>(board.spaces[space].row - row) * width +
               static_cast<std::size_t>(board.spaces[space].column / 2 - column);
    };

    std::size_t plane = 0;
    const auto by_space = [&](auto&& value) {
        for (std::size_t space = 0; space < board.size(); ++space) {
            out[plane * size + place(space)] = static_cast<float>(value(space));
        }
        ++plane;
    };
    const auto on = [&](Plane p) { by_space([&, p](std::size_t space) { return tables_->has(state, p, space); }); };
    const auto cell = [&](std::uint16_t where) {
        by_space([&](std::size_t space) { return where == tables_->cell_of[space]; });
    };
    for (const Ground ground : {Ground::kLand, Ground::kPrinted, Ground::kMountains, Ground::kLowlands}) {
        by_space([&](std::size_t space) { return board.ground[space] == ground; });
    }
    by_space([&](std::size_t space) { return height_at(state, space); });
    by_space([&](std::size_t space) {
        return tables_->has(state, Plane::kLand, space) && !tables_->has(state, Plane::kVillage, space);
    });
    on(Plane::kVillage);
    on(Plane::kWater);
    by_space([&](std::size_t space) { return palace_at(state, space); });
    on(Plane::kFresh);
    on(Plane::kChanged);
    Spaces bond_of(board.size(), board.size()), bond_size(board.size() + 1, 0);
    for (const auto& bond : bonds(state)) {
        for (const std::size_t space : bond) bond_of[space] = bond.front();
        bond_size[bond.front()] = bond.size();
    }
    by_space([&](std::size_t space) { return bond_size[bond_of[space]]; });
    for (const Direction direction : {kE, kSE, kSW}) {
        by_space([&](std::size_t space) {
            const std::uint16_t next = board.neighbour[space][direction];
            return next != kNowhere && bond_of[space] != board.size() && bond_of[next] == bond_of[space];
        });
    }
    for (std::size_t k = 0; k < n; ++k) on(planes::figures(seat(k)));
    cell(state.lifted);
    on(Plane::kStarted);
    on(Plane::kEnded);
    cell(state.festival);

    const auto everywhere = [&](auto value) {
        const auto begin = out.begin() + static_cast<std::ptrdiff_t>(plane++ * size);
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(size), static_cast<float>(value));
    };
    const auto by_seat = [&](auto&& value) {
        for (std::size_t k = 0; k < n; ++k) everywhere(value(seat(k)));
    };
    const auto by_kind = [&](const Cards& cards) {
        for (const std::uint8_t copies : cards) everywhere(copies);
    };
    const auto one_kind = [&](std::uint8_t which) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) everywhere(kind == which);
    };
    by_seat([&](std::size_t p) { return state.scores[p]; });
    by_seat([&](std::size_t p) { return state.two[p]; });
    by_seat([&](std::size_t p) { return state.rice[p]; });
    by_seat([&](std::size_t p) { return state.village[p]; });
    by_seat([&](std::size_t p) { return state.tokens[p]; });
    by_seat([&](std::size_t p) { return state.figures[p]; });
    for (std::size_t k = 0; k < n; ++k) by_kind(state.known[seat(k)]);
    by_seat([&](std::size_t p) { return count(state.hands[p]) - count(state.known[p]); });
    by_kind(state.hands[static_cast<std::size_t>(player)]);
    for (std::size_t k = 0; k < n; ++k) by_kind(state.laid[seat(k)]);
    by_seat([&](std::size_t p) { return state.bidding >> p & 1; });
    by_seat([&](std::size_t p) { return current_player(state) == static_cast<Player>(p); });
    by_seat([&](std::size_t p) { return state.turn == p; });
    by_seat([&](std::size_t p) { return state.final == p; });
    one_kind(state.open);
    by_kind(state.discards);
    everywhere(count(state.pile));
    one_kind(state.last);
    for (const std::uint8_t value : {state.ap, state.owed, state.token, state.taken, state.barren}) everywhere(value);
    everywhere(state.three);
    everywhere(state.water);
    for (const std::uint8_t left : state.palaces) everywhere(left);
    for (const Phase phase : {Phase::kDeal, Phase::kOpenDraw, Phase::kPileDraw}) everywhere(state.phase == phase);
    everywhere(state.phase == Phase::kOver);
}

void Game::determinize(State& state, Player player, Rng& rng) const {
    const std::size_t n = seats(), me = static_cast<std::size_t>(player);
    PerSeat<int> unknown{};
    for (std::size_t seat = 0; seat < n; ++seat) {
        if (seat == me) continue;
        unknown[seat] = count(state.hands[seat]) - count(state.known[seat]);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            state.pile[kind] =
                static_cast<std::uint8_t>(state.pile[kind] + state.hands[seat][kind] - state.known[seat][kind]);
        }
        state.hands[seat] = state.known[seat];
    }
    // JA-R5: who calls a festival holds a card for it.
    const bool must_match = state.phase == Phase::kFestival && state.turn != me && count(state.laid[state.turn]) == 0;
    const State undealt = state;
    for (;;) {
        for (std::size_t k = 1; k < n; ++k) {
            const std::size_t seat = (me + k) % n;
            for (int left = unknown[seat]; left > 0; --left) {
                const auto outcomes = chance_outcomes(state);
                const auto kind = static_cast<std::size_t>(outcomes.at(rng.below(outcomes.total())));
                --state.pile[kind];
                ++state.hands[seat][kind];
            }
        }
        if (!must_match) return;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (state.hands[state.turn][kind] > 0 && matches(kind, state.open)) return;
        }
        state = undealt;
    }
}

}  // namespace tilery::java
