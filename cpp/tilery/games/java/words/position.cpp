// SPDX-License-Identifier: MIT
// Whole positions in readable keys, and back (docs/rules/java.md, Positions as text).
#include <algorithm>

#include "tilery/core/value_reader.hpp"
#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

using Reader = ValueReader;

std::size_t player_of(const Reader& reader) { return index(reader.integer(0, int{kMostPlayers} - 1)); }
std::uint8_t kind_or_none(const Reader& reader) {
    if (reader.is_null()) return kNone;
    return static_cast<std::uint8_t>(reader.place_in(kKindNames, "m, d, p, md, dp, pm or null"));
}
std::size_t space_of(const Reader& reader, const Board& board) {
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (reader.text() == board.name(space)) return space;
    }
    reader.refuse("the name of a space");
}

// The shape of a bond, and its spaces with the first one in front.
std::pair<std::size_t, Spaces> read_bond(const Reader& reader, const Board& board) {
    Spaces spaces;
    for (const Reader& item : reader.items()) spaces.push_back(space_of(item, board));
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        for (const std::size_t first : spaces) {
            const Spaces tile = board.tile(first, shape);
            if (std::ranges::is_permutation(tile, spaces)) return {shape, tile};
        }
    }
    reader.refuse("the spaces of a tile: one, two or three that touch one another");
}

void read_tops(const Tables& tables, const Reader& reader, State& state) {
    const Board& board = tables.board;
    const std::string& tops = reader.text();
    if (tops.size() != board.size()) reader.refuse("a character for each space");
    for (std::size_t space = 0; space < board.size(); ++space) {
        const bool printed = board.ground[space] == Ground::kPrinted;
        if ((tops[space] == '~') != printed || std::string_view(".~wrv").find(tops[space]) == std::string::npos) {
            reader.refuse("one of . w r v, or ~ on printed irrigation, for " + board.name(space));
        }
        const bool village = tops[space] == 'v';
        if (village) tables.insert(state, Plane::kVillage, space);
        if (village || tops[space] == 'r') tables.insert(state, Plane::kLand, space);
        if (tops[space] != 'w') continue;
        tables.insert(state, Plane::kWater, space);
        tables.insert(state, Plane::kBlocked, space);
    }
}

void read_heights(const Tables& tables, const Reader& reader, State& state) {
    const auto items = reader.items(tables.board.size());
    for (std::size_t space = 0; space < items.size(); ++space) {
        std::uint8_t height = 0;
        items[space].number(height);
        if (height >> planes::kHeightBits != 0) items[space].refuse("a height below 128");
        for (std::size_t bit = 0; bit < planes::kHeightBits; ++bit) {
            if ((height >> bit & 1) != 0) tables.insert(state, planes::height(bit), space);
        }
        while (height >> state.height_bits != 0) ++state.height_bits;
    }
}

void read_board(const Tables& tables, const Reader& reader, State& state) {
    const Board& board = tables.board;
    reader.expect_keys({"tops", "heights", "bonds", "palaces", "figures"});
    read_tops(tables, reader.at("tops"), state);
    read_heights(tables, reader.at("heights"), state);
    for (const Reader& item : reader.at("bonds").items()) {
        const auto [shape, spaces] = read_bond(item, board);
        tables.insert(state, planes::bonds(shape), spaces.front());
    }
    for (const Reader& item : reader.at("palaces").items()) {
        const auto parts = item.items(3);
        const std::size_t space = space_of(parts[0], board);
        std::uint8_t value = 0;
        parts[1].number(value);
        if (value % 2 != 0 || value == 0 || value > 2 * kPalaceValues) parts[1].refuse("2, 4, 6, 8 or 10");
        for (std::size_t bit = 0; bit < planes::kPalaceBits; ++bit) {
            if ((value / 2 >> bit & 1) != 0) tables.insert(state, planes::palace(bit), space);
        }
        if (parts[2].boolean()) tables.insert(state, Plane::kFresh, space);
        tables.insert(state, Plane::kBlocked, space);
    }
    for (const Reader& item : reader.at("figures").items()) {
        const auto parts = item.items(2);
        const std::size_t space = space_of(parts[0], board);
        tables.insert(state, planes::figures(player_of(parts[1])), space);
        tables.insert(state, Plane::kBlocked, space);
    }
}

Phase read_phase(const Reader& all) {
    const Reader draw = all.at("draw");
    const Phase phase = all.at("over").boolean()       ? Phase::kOver
                        : all.at("festival").is_null() ? Phase::kTurn
                                                       : Phase::kFestival;
    if (draw.is_null()) return phase;
    for (const auto& [name, drawing] : kDraws) {
        if (phase == Phase::kTurn && name == draw.text()) return drawing;
    }
    draw.refuse("deal, open or pile, or null in a festival, at a decision and at the end");
}

void read_turn(const Tables& tables, const Reader& all, State& state) {
    const auto spaces = [&](std::string_view key, Plane plane) {
        for (const Reader& item : all.at(key).items()) tables.insert(state, plane, space_of(item, tables.board));
    };
    state.phase = read_phase(all);
    all.at("turn").number(state.turn);
    all.at("ap").number(state.ap);
    state.owed = all.at("owed").boolean() ? 1 : 0;
    state.token = all.at("token").boolean() ? 1 : 0;
    all.at("taken").number(state.taken);
    all.at("barren").number(state.barren);
    spaces("changed", Plane::kChanged);
    spaces("started", Plane::kStarted);
    spaces("ended", Plane::kEnded);
    const Reader lifted = all.at("lifted"), final = all.at("final");
    state.lifted = lifted.is_null() ? kNowhere : tables.cell_of[space_of(lifted, tables.board)];
    state.final = kNone;
    if (!final.is_null()) final.number(state.final);
}

}  // namespace

Value Game::position(const State& state) const {
    Value::Object all = turn_and_board(state);
    const auto by_player = [n = seats()](const PerSeat<Cards>& cards) {
        Value::List list;
        for (std::size_t player = 0; player < n; ++player) list.push_back(Value::list_of(cards[player]));
        return list;
    };
    all.emplace_back("over", state.phase == Phase::kOver);
    all.emplace_back("cards", Value::object({{"hands", by_player(state.hands)},
                                             {"known", by_player(state.known)},
                                             {"open", state.open == kNone ? Value() : Value(kKindNames[state.open])},
                                             {"discards", Value::list_of(state.discards)},
                                             {"pile", Value::list_of(state.pile)}}));
    all.emplace_back("festival", festival(state));
    all.emplace_back("bidder", state.phase == Phase::kFestival ? Value(state.bidder) : Value());
    return all;
}

State Game::state_of(const Value& position) const {
    const Reader all(position, "position");
    all.expect_keys({"turn", "draw", "ap", "owed", "token", "taken", "changed", "lifted", "started", "ended", "barren",
                     "final", "scores", "supply", "board", "over", "cards", "festival", "bidder"});
    State state{};
    const auto by_player = [n = seats()](const Reader& reader, auto& into) {
        reader.numbers(std::span(into).first(n));
    };
    const auto cards_by_player = [n = seats()](const Reader& reader, PerSeat<Cards>& into) {
        reader.items(n, [&into](std::size_t player, const Reader& cards) { cards.numbers(into[player]); });
    };
    const Reader supply = all.at("supply"), cards = all.at("cards");
    supply.expect_keys({"three", "water", "palaces", "two", "rice", "village", "tokens", "figures"});
    supply.at("three").number(state.three);
    supply.at("water").number(state.water);
    supply.at("palaces").numbers(state.palaces);
    by_player(supply.at("two"), state.two);
    by_player(supply.at("rice"), state.rice);
    by_player(supply.at("village"), state.village);
    by_player(supply.at("tokens"), state.tokens);
    by_player(supply.at("figures"), state.figures);
    by_player(all.at("scores"), state.scores);
    cards.expect_keys({"hands", "known", "open", "discards", "pile"});
    cards_by_player(cards.at("hands"), state.hands);
    cards_by_player(cards.at("known"), state.known);
    state.open = kind_or_none(cards.at("open"));
    cards.at("discards").numbers(state.discards);
    cards.at("pile").numbers(state.pile);
    read_board(*tables_, all.at("board"), state);
    read_turn(*tables_, all, state);
    state.festival = kNowhere;
    state.last = kNone;
    const Reader festival = all.at("festival"), bidder = all.at("bidder");
    if (festival.is_null()) {
        if (!bidder.is_null()) bidder.refuse("null without a festival");
        return state;
    }
    festival.expect_keys({"palace", "in", "laid", "last"});
    state.festival = tables_->cell_of[space_of(festival.at("palace"), tables_->board)];
    unsigned bidding = 0;
    for (const Reader& item : festival.at("in").items()) bidding |= 1U << player_of(item);
    state.bidding = static_cast<std::uint8_t>(bidding);
    cards_by_player(festival.at("laid"), state.laid);
    state.last = kind_or_none(festival.at("last"));
    bidder.number(state.bidder);
    return state;
}

}  // namespace tilery::java
