// SPDX-License-Identifier: MIT
// The knowledge and view of players (JA-38): information states, observations, determinization.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

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
    Value::List in;
    for (std::size_t seat = 0; seat < seats(); ++seat) {
        if ((state.bidding >> seat & 1) != 0) in.emplace_back(number(seat));
    }
    return Value::object({{"palace", name_of_cell(state.festival)},
                          {"in", in},
                          {"laid", Value::list_of(std::span(state.laid).first(seats()))},
                          {"last", state.last == kNone ? Value() : Value(kKindNames[state.last])}});
}

// The keys between `player` and `cards`.
Value::Object Game::turn_and_board(const State& state) const {
    const auto by_player = [n = seats()](const auto& items) { return Value::list_of(std::span(items).first(n)); };
    Value drawn;
    for (const auto& [name, phase] : kDraws) {
        if (state.phase == phase) drawn = name;
    }
    return {
        {"turn", state.turn},
        {"draw", drawn},
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
    };
}

// What a player knows, or what everybody does: without `seat` and the `hand` of `cards`.
Value Game::seen_by(const State& state, std::optional<Player> viewer) const {
    Value::Object all = turn_and_board(state);
    all.emplace(all.begin(), "player", current_player(state));
    if (viewer) all.emplace(all.begin(), "seat", *viewer);
    all.emplace_back("cards", cards(state, viewer));
    all.emplace_back("festival", festival(state));
    return all;
}

Value Game::cards(const State& state, std::optional<Player> viewer) const {
    const auto unknown = [&](std::size_t seat) { return count(state.hands[seat]) - count(state.known[seat]); };
    Value::Object all{{"known", Value::list_of(std::span(state.known).first(seats()))},
                      {"unknown", Value::list_of(seats(), unknown)},
                      {"open", state.open == kNone ? Value() : Value(kKindNames[state.open])},
                      {"discards", Value::list_of(state.discards)},
                      {"pile", count(state.pile)}};
    if (viewer) all.emplace(all.begin(), "hand", Value::list_of(state.hands[index(*viewer)]));
    return all;
}

// JA-38: a card dealt or drawn from the pile is seen by the player who gets it, the open card by all.
Action Game::action_seen_by(const State& state, Player player, Action action) const {
    if (state.phase == Phase::kPileDraw) return player == state.turn ? action : kUnseen;
    if (state.phase != Phase::kDeal) return action;
    const int dealt = kCards - count(state.pile);
    return dealt >= kDealt * rules_.players || dealt / kDealt == player ? action : kUnseen;
}

namespace {

// The cells of a set.
void for_each_cell(auto&& word_of, auto&& visit) {
    for (std::size_t w = 0; w < kSetWords; ++w) {
        for (std::uint64_t word = word_of(w); word != 0; word &= word - 1) visit(64 * w + lowest_bit(word));
    }
}

}  // namespace

// The planes of docs/rules/java.md. Without bounds of its own a part holds zeros and ones.
void Game::write_observation(const State& state, Player viewer, auto& out) const {
    write_spaces(state, out);
    const int n = rules_.players;
    const auto by_seat = [&](std::string_view name, const auto& most, auto&& value) {
        out.part(name, most).seats([&](std::size_t seat) { out.number(value(seat)); });
    };
    const auto by_kind = [&](std::string_view name, const PerSeat<Cards>& cards) {
        out.part(name, kCopies).seats([&](std::size_t seat) { out.numbers(cards[seat]); });
    };
    const auto number = [&](std::string_view name, int most, int value) { out.part(name, most).number(value); };
    out.in_bytes(
        "scores", "scores_above_255", [this] { return most_points(); }, 1,
        [&](auto split) { out.seats([&](std::size_t seat) { out.number(split(state.scores[seat])); }); });
    by_seat("two", kTwoTiles, [&](std::size_t seat) { return state.two[seat]; });
    by_seat("rice", kRiceTiles, [&](std::size_t seat) { return state.rice[seat]; });
    by_seat("village", kVillageTiles, [&](std::size_t seat) { return state.village[seat]; });
    by_seat("tokens", kTokens, [&](std::size_t seat) { return state.tokens[seat]; });
    by_seat("figures_left", kFigures, [&](std::size_t seat) { return state.figures[seat]; });
    by_kind("known", state.known);
    by_seat("unknown", kCards, [&](std::size_t seat) { return count(state.hands[seat]) - count(state.known[seat]); });
    out.part("hand", kCopies).numbers(state.hands[index(viewer)]);
    by_kind("laid", state.laid);
    by_seat("bidding", 1, [&](std::size_t seat) { return state.bidding >> seat & 1; });
    out.part("to_act", 1).one_seat(current_player(state));
    out.part("turn", 1).one_seat(state.turn);
    out.part("final", 1).one_seat(state.final == kNone ? -1 : state.final);
    out.part("open", 1).one_hot(kKinds, state.open);
    out.part("discards", kCopies).numbers(state.discards);
    number("pile", kCards, count(state.pile));
    out.part("last", 1).one_hot(kKinds, state.last);
    number("ap", kLongestStretch, state.ap);
    number("owed", 1, state.owed);
    number("token", 1, state.token);
    number("taken", kMostTaken, state.taken);
    number("barren", n - 1, state.barren);
    number("three", kThreeTiles, state.three);
    number("water_left", kWaterTiles, state.water);
    out.part("palaces_left", kPalaceTiles.back()).numbers(state.palaces);
    out.part("draw", 1);
    for (const auto& [name, phase] : kDraws) out.number(state.phase == phase);
    number("over", 1, state.phase == Phase::kOver);
}

// A plane at a time. Sets of cells are given by their words.
void Game::write_spaces(const State& state, auto& out) const {
    const auto& place_of = tables_->place_of;
    const auto word = [&](Plane plane, std::size_t w) { return state.planes[planes::index(plane) * kSetWords + w]; };
    const auto set = [&](auto&& word_of) {
        out.planes(1, [&](auto put) { for_each_cell(word_of, [&](std::size_t cell) { put(0, place_of[cell], 1); }); });
    };
    const auto plane = [&](Plane which) { set([&](std::size_t w) { return word(which, w); }); };
    // Numbers of which each bit is a plane.
    const auto numbers = [&](Plane first, std::size_t bits, int unit) {
        std::array<std::uint8_t, kCells> values{};
        for (std::size_t bit = 0; bit < bits; ++bit) {
            for_each_cell(
                [&](std::size_t w) { return word(planes::at(planes::index(first) + bit), w); },
                [&](std::size_t cell) { values[cell] = static_cast<std::uint8_t>(values[cell] | 1U << bit); });
        }
        out.planes(1, [&](auto put) {
            for (std::size_t cell = 0; cell < kCells; ++cell) {
                if (values[cell] != 0) put(0, place_of[cell], values[cell] * unit);
            }
        });
    };
    const auto cell = [&](std::uint16_t which) {
        out.planes(1, [&](auto put) {
            if (which != kNowhere) put(0, place_of[which], 1);
        });
    };
    constexpr std::array<std::string_view, kGroundLists.size()> kGrounds{"land", "printed_irrigation", "mountains",
                                                                         "lowlands"};
    for (std::size_t ground = 0; ground < kGrounds.size(); ++ground) {
        out.part(kGrounds[ground], 1);
        set([&](std::size_t w) { return tables_->on[ground].word(w); });
    }
    out.part("heights", kThreeTiles + rules_.players * kOwnLandTiles);
    numbers(Plane::kHeight, planes::kHeightBits, 1);
    out.part("rice_tops", 1);
    set([&](std::size_t w) { return word(Plane::kLand, w) & ~word(Plane::kVillage, w); });
    for (const auto& [name, which] : {std::pair{"village_tops", Plane::kVillage}, {"irrigation", Plane::kWater}}) {
        out.part(name, 1);
        plane(which);
    }
    out.part("palaces", 2 * kPalaceValues);
    numbers(Plane::kPalace, planes::kPalaceBits, 2);
    for (const auto& [name, which] : {std::pair{"fresh", Plane::kFresh}, {"changed", Plane::kChanged}}) {
        out.part(name, 1);
        plane(which);
    }
    write_bonds(state, out);
    out.part("figures", 1).seats([&](std::size_t seat) { plane(planes::figures(seat)); });
    out.part("lifted", 1);
    cell(state.lifted);
    for (const auto& [name, which] : {std::pair{"started", Plane::kStarted}, {"ended", Plane::kEnded}}) {
        out.part(name, 1);
        plane(which);
    }
    out.part("festival", 1);
    cell(state.festival);
}

// How large the bond of each space is, and in which directions it goes on.
void Game::write_bonds(const State& state, auto& out) const {
    const Board& board = tables_->board;
    const auto place = [this](std::size_t space) { return tables_->place_of[tables_->cell_of[space]]; };
    std::array<std::uint16_t, kCells> bond_of{};                        // by space: the first space of its bond, plus 1
    std::array<std::pair<std::uint16_t, std::uint8_t>, kCells> bonded;  // spaces, and the sizes of their bonds
    std::size_t count = 0;
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        const auto word = [&](std::size_t w) {
            return state.planes[planes::index(planes::bonds(shape)) * kSetWords + w];
        };
        for_each_cell(word, [&](std::size_t cell) {
            const std::uint16_t first = tables_->space_of[cell];
            const std::size_t begin = count;
            const auto add = [&](std::uint16_t space) {
                bond_of[space] = static_cast<std::uint16_t>(first + 1);
                bonded[count++].first = space;
            };
            add(first);
            for (const Direction other : kShapeSteps[shape]) {
                if (other != kNoDirection) add(board.neighbour[first][other]);
            }
            for (std::size_t i = begin; i < count; ++i) bonded[i].second = static_cast<std::uint8_t>(count - begin);
        });
    }
    const std::span all(bonded.data(), count);
    out.part("bonds", 3).planes(1, [&](auto put) {
        for (const auto& [space, size] : all) put(0, place(space), size);
    });
    out.part("bonded", 1);
    for (const Direction direction : {kE, kSE, kSW}) {
        out.planes(1, [&](auto put) {
            for (const auto& [space, size] : all) {
                const std::uint16_t next = board.neighbour[space][direction];
                if (next != kNowhere && bond_of[next] == bond_of[space]) put(0, place(space), 1);
            }
        });
    }
}

// The most that building, festivals, final counts and irrigation can give one player (JA-18, JA-24, JA-32, JA-35).
int Game::most_points() const {
    int palaces = 0;
    for (std::uint8_t i = 0; i < kPalaceValues; ++i) palaces += 4 * (i + 1) * kPalaceTiles[i];
    const auto& ground = tables_->board.ground;
    const auto printed = std::count(ground.begin(), ground.end(), Ground::kPrinted);
    return palaces + static_cast<int>(kWaterPoints) * (kWaterTiles + static_cast<int>(printed));
}

tilery::Plane Game::observation_plane() const {
    const auto [first_row, last_row, first_column, last_column] = tables_->board.extent();
    return {last_row - first_row + 1, last_column - first_column + 1};
}

std::vector<ObservationPart> Game::observation_parts() const {
    ObservationCounter counter(observation_plane(), rules_.players);
    write_observation(initial_state(), 0, counter);
    return std::move(counter).parts();
}

template <class Number>
void Game::observe(const State& state, Player player, std::span<Number> out) const {
    ObservationWriter writer(observation_plane(), rules_.players, player, out);
    write_observation(state, player, writer);
}
template void Game::observe(const State&, Player, std::span<float>) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>) const;

void Game::determinize(State& state, Player player, Rng& rng) const {
    const std::size_t n = seats(), me = index(player);
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
                const std::size_t kind = index(outcomes.at(rng.below(outcomes.total())));
                --state.pile[kind];
                ++state.hands[seat][kind];
            }
        }
        if (!must_match || has_match(state.hands[state.turn], state.open)) return;
        state = undealt;
    }
}

}  // namespace tilery::java
