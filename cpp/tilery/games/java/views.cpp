// SPDX-License-Identifier: MIT
// What players know and see (JA-38): information states, observations, determinization, views.
#include <algorithm>
#include <numeric>

#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

int count(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

}  // namespace

int Game::height_at(const State& state, std::size_t space) const {
    int height = 0;
    for (std::size_t bit = 0; bit < kHeightBits; ++bit) height |= tables_->has(state, kHeight + bit, space) << bit;
    return height;
}

int Game::palace_at(const State& state, std::size_t space) const {
    int half = 0;
    for (std::size_t bit = 0; bit < 3; ++bit) half |= tables_->has(state, kPalace + bit, space) << bit;
    return 2 * half;
}

std::vector<std::vector<std::size_t>> Game::bonds(const State& state) const {
    std::vector<std::vector<std::size_t>> bonds;
    const Board& board = tables_->board;
    for (std::size_t space = 0; space < board.size(); ++space) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            if (!tables_->has(state, bond_plane(shape), space)) continue;
            std::vector<std::size_t> bond{space};
            for (const Direction other : kShapeSteps[shape]) {
                if (other != kDirections) bond.push_back(board.neighbour[space][other]);
            }
            std::sort(bond.begin(), bond.end());
            bonds.push_back(bond);
        }
    }
    return bonds;
}

std::vector<std::vector<std::size_t>> Game::groups(const State& state,
                                                   bool (*member)(const Tables&, const State&, std::size_t)) const {
    const Board& board = tables_->board;
    std::vector<bool> seen(board.size(), false);
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (seen[space] || !member(*tables_, state, space)) continue;
        std::vector<std::size_t> group{space};
        seen[space] = true;
        for (std::size_t at = 0; at < group.size(); ++at) {
            for (const std::uint16_t next : board.neighbour[group[at]]) {
                if (next == kNowhere || seen[next] || !member(*tables_, state, next)) continue;
                seen[next] = true;
                group.push_back(next);
            }
        }
        std::sort(group.begin(), group.end());
        groups.push_back(group);
    }
    return groups;
}

std::vector<int> Game::heights(const State& state) const {
    std::vector<int> heights(tables_->board.size());
    for (std::size_t space = 0; space < heights.size(); ++space) heights[space] = height_at(state, space);
    return heights;
}

std::string Game::terrain(const State& state) const {
    const Board& board = tables_->board;
    std::string tops(board.size(), '.');
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (board.ground[space] == Ground::kPrinted) tops[space] = '~';
        if (tables_->has(state, kWater, space)) tops[space] = 'w';
        if (tables_->has(state, kLand, space)) tops[space] = tables_->has(state, kVillage, space) ? 'v' : 'r';
    }
    return tops;
}

Value Game::names(const std::vector<std::size_t>& spaces) const {
    Value::List list;
    for (const std::size_t space : spaces) list.emplace_back(tables_->board.name(space));
    return list;
}

std::vector<std::size_t> Game::spaces_in(const State& state, std::size_t plane) const {
    std::vector<std::size_t> spaces;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        if (tables_->has(state, plane, space)) spaces.push_back(space);
    }
    return spaces;
}

Value Game::name_of_cell(std::uint16_t cell) const {
    return cell == kNowhere ? Value() : Value(tables_->board.name(tables_->space_of[cell]));
}

Value Game::tiles(const State& state) const {
    Value::List list;
    for (const auto& bond : bonds(state)) list.push_back(names(bond));
    return list;
}

Value Game::figures(const State& state) const {
    Value::List list;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        for (std::size_t player = 0; player < kMostPlayers; ++player) {
            if (!tables_->has(state, kFigure + player, space)) continue;
            list.push_back(Value::list({tables_->board.name(space), static_cast<int>(player)}));
        }
    }
    return list;
}

Value Game::cards(const State& state, Player player) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    Value::List known, unknown;
    for (std::size_t seat = 0; seat < n; ++seat) {
        known.push_back(Value::list_of(state.known[seat]));
        unknown.emplace_back(count(state.hands[seat]) - count(state.known[seat]));
    }
    return Value::object({{"hand", Value::list_of(state.hands[static_cast<std::size_t>(player)])},
                          {"known", known},
                          {"unknown", unknown},
                          {"open", state.open == kNone ? Value() : Value(kKindNames[state.open])},
                          {"discards", Value::list_of(state.discards)},
                          {"pile", count(state.pile)}});
}

Value Game::information_state(const State& state, Player player) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    const auto by_player = [n](const auto& items) { return Value::list_of(std::span(items).first(n)); };
    Value::List palaces;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        if (const int value = palace_at(state, space); value > 0) {
            palaces.push_back(
                Value::list({tables_->board.name(space), value, Value(tables_->has(state, kFresh, space))}));
        }
    }
    const Value draw = state.phase == Phase::kDeal       ? Value("deal")
                       : state.phase == Phase::kOpenDraw ? Value("open")
                       : state.phase == Phase::kPileDraw ? Value("pile")
                                                         : Value();
    Value festival;
    if (state.phase == Phase::kFestival) {
        Value::List in, laid;
        for (std::size_t seat = 0; seat < n; ++seat) {
            if ((state.bidding >> seat & 1) != 0) in.emplace_back(static_cast<int>(seat));
            laid.push_back(Value::list_of(state.laid[seat]));
        }
        festival = Value::object({{"palace", name_of_cell(state.festival)},
                                  {"in", in},
                                  {"laid", laid},
                                  {"last", state.last == kNone ? Value() : Value(kKindNames[state.last])}});
    }
    return Value::object({
        {"seat", player},
        {"player", current_player(state)},
        {"turn", state.turn},
        {"draw", draw},
        {"ap", state.ap},
        {"owed", state.owed != 0},
        {"token", state.token != 0},
        {"taken", state.taken},
        {"changed", names(spaces_in(state, kChanged))},
        {"lifted", name_of_cell(state.lifted)},
        {"started", names(spaces_in(state, kStarted))},
        {"ended", names(spaces_in(state, kEnded))},
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
        {"board", Value::object({{"tops", terrain(state)},
                                 {"heights", Value::list_of(heights(state))},
                                 {"bonds", tiles(state)},
                                 {"palaces", palaces},
                                 {"figures", figures(state)}})},
        {"cards", cards(state, player)},
        {"festival", festival},
    });
}

std::vector<int> Game::observation_shape() const {
    const auto [first_row, last_row, first_column, last_column] = tables_->board.extent();
    return {60 + 24 * rules_.players, last_row - first_row + 1, last_column - first_column + 1};
}

void Game::observe(const State& state, Player player, std::span<float> out) const {
    const Board& board = tables_->board;
    const auto n = static_cast<std::size_t>(rules_.players);
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
    const auto on = [&](std::size_t p) {
        by_space([&, p](std::size_t space) { return tables_->has(state, p, space); });
    };
    const auto cell = [&](std::uint16_t where) {
        by_space([&](std::size_t space) { return where == tables_->cell_of[space]; });
    };
    for (const Ground ground : {Ground::kLand, Ground::kPrinted, Ground::kMountains, Ground::kLowlands}) {
        by_space([&](std::size_t space) { return board.ground[space] == ground; });
    }
    by_space([&](std::size_t space) { return height_at(state, space); });
    by_space(
        [&](std::size_t space) { return tables_->has(state, kLand, space) && !tables_->has(state, kVillage, space); });
    on(kVillage);
    on(kWater);
    by_space([&](std::size_t space) { return palace_at(state, space); });
    on(kFresh);
    on(kChanged);
    std::vector<std::size_t> bond_of(board.size(), board.size()), bond_size(board.size() + 1, 0);
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
    for (std::size_t k = 0; k < n; ++k) on(kFigure + seat(k));
    cell(state.lifted);
    on(kStarted);
    on(kEnded);
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
    const auto n = static_cast<std::size_t>(rules_.players), me = static_cast<std::size_t>(player);
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

Value Game::spaces() const {
    Value::List list;
    for (const Space space : tables_->board.spaces) list.push_back(Value::list({space.row, space.column}));
    return list;
}

// JA-26: lists of heights with whose they are, best first.
Value Game::ranking(const State& state, const std::vector<std::size_t>& place) const {
    std::vector<std::pair<std::vector<int>, std::size_t>> lists;
    for (std::size_t player = 0; player < kMostPlayers; ++player) {
        std::vector<int> here;
        for (const std::size_t space : place) {
            if (tables_->has(state, kFigure + player, space)) here.push_back(height_at(state, space));
        }
        std::sort(here.rbegin(), here.rend());
        if (!here.empty()) lists.emplace_back(here, player);
    }
    std::stable_sort(lists.begin(), lists.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    Value::List ranking;
    for (std::size_t i = 0; i < lists.size();) {
        Value::List players;
        const std::size_t first = i;
        for (; i < lists.size() && lists[i].first == lists[first].first; ++i) {
            players.emplace_back(static_cast<int>(lists[i].second));
        }
        ranking.push_back(Value::object({{"players", players}, {"heights", Value::list_of(lists[first].first)}}));
    }
    return ranking;
}

Value Game::settlements(const State& state) const {
    const auto village = [](const Tables& tables, const State& s, std::size_t space) {
        return tables.has(s, kVillage, space);
    };
    Value::List list;
    for (const auto& settlement : groups(state, village)) {
        Value palace;
        for (const std::size_t space : settlement) {
            if (const int value = palace_at(state, space); value > 0) {
                palace = Value::object({{"space", tables_->board.name(space)},
                                        {"value", value},
                                        {"fresh", tables_->has(state, kFresh, space)}});
            }
        }
        list.push_back(Value::object(
            {{"spaces", names(settlement)}, {"palace", palace}, {"ranking", ranking(state, settlement)}}));
    }
    return list;
}

Value Game::bodies(const State& state) const {
    const auto water = [](const Tables& tables, const State& s, std::size_t space) {
        return tables.board.ground[space] == Ground::kPrinted || tables.has(s, kWater, space);
    };
    Value::List list;
    for (const auto& body : groups(state, water)) {
        std::vector<std::size_t> shore, open;
        for (const std::size_t space : body) {
            for (const std::uint16_t next : tables_->board.neighbour[space]) {
                if (!water(*tables_, state, next)) shore.push_back(next);
            }
        }
        std::sort(shore.begin(), shore.end());
        shore.erase(std::unique(shore.begin(), shore.end()), shore.end());
        std::copy_if(shore.begin(), shore.end(), std::back_inserter(open),
                     [&](std::size_t space) { return !tables_->has(state, kLand, space); });
        list.push_back(
            Value::object({{"spaces", names(body)}, {"open", names(open)}, {"ranking", ranking(state, shore)}}));
    }
    return list;
}

}  // namespace tilery::java
