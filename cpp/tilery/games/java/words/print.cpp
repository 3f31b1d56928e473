// SPDX-License-Identifier: MIT
// Positions printed for people.
#include <algorithm>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

std::string cards_text(const Cards& cards) {
    std::string list;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (cards[kind] == 0) continue;
        list += " " + (cards[kind] > 1 ? std::to_string(cards[kind]) : "") + std::string(kKindNames[kind]);
    }
    return list.empty() ? " -" : list;
}

char letter_of(std::size_t player, bool capital) { return std::string_view(capital ? "ABCD" : "abcd")[player]; }

void append_right(std::string& text, const std::string& word, std::size_t width) {
    text.append(width > word.size() ? width - word.size() : 0, ' ').append(word);
}

}  // namespace

// A space is three characters: what is on top, the height, and what is on it.
//
//     .        bare              ~   printed irrigation    w   irrigation tile
//     r2       rice, height 2    v3b village with a figure of player 1
//     [8*      a fresh palace of value 8 on a village      [8  a used one
//
// Outside spaces are blank, or ^ (mountains) and , (lowlands), as long as no tile is there.
std::string Game::space_text(const State& state, std::size_t space) const {
    const auto has = [&](Plane plane) { return tables_->has(state, plane, space); };
    if (has(Plane::kWater)) return "w";
    if (!has(Plane::kLand)) return std::string(1, std::string_view(".~^,")[index(tables_->board.ground[space])]);
    if (const int value = palace_at(state, space); value > 0) {
        return (value == 10 ? "[X" : "[" + std::to_string(value)) + (has(Plane::kFresh) ? "*" : "");
    }
    std::string text = (has(Plane::kVillage) ? "v" : "r") + std::to_string(height_at(state, space));
    for (std::size_t player = 0; player < seats(); ++player) {
        if (!has(planes::figures(player))) continue;
        if (text.size() > 2) text.erase(0, 1);  // a height of two digits
        text += letter_of(player, tables_->cell_of[space] == state.lifted);
    }
    return text;
}

// Columns are doubled, so two lines of column numbers, of even and of odd columns, are above the rows.
std::string Game::island_text(const State& state) const {
    const Board& board = tables_->board;
    const auto [first_row, last_row, first_half, last_half] = board.extent();
    const int first = 2 * first_half, last = 2 * last_half + 1;
    const std::size_t margin = std::to_string(last_row).size() + 2;
    const auto place = [&, first](int column) { return margin + 2 * index(column - first); };
    std::string text;
    for (const int parity : {0, 1}) {
        std::string line;
        for (int column = first + parity; column <= last; column += 2) {
            line.append(place(column) - std::min(line.size(), place(column)), ' ').append(std::to_string(column));
        }
        text += line + "\n";
    }
    std::string line;
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (line.empty()) append_right(line, std::to_string(board.spaces[space].row), margin - 2);
        line.append(place(board.spaces[space].column) - line.size(), ' ').append(space_text(state, space));
        if (space + 1 == board.size() || board.spaces[space + 1].row != board.spaces[space].row) {
            text += line + "\n";
            line.clear();
        }
    }
    return text;
}

std::string Game::player_text(const State& state, std::size_t player, std::optional<std::size_t> viewer) const {
    std::string text = "player " + std::to_string(player) + " (" + letter_of(player, false) + ")  " +
                       std::to_string(state.scores[player]) + " points  figures " +
                       std::to_string(state.figures[player]) + "  tiles 2:" + std::to_string(state.two[player]) +
                       " r:" + std::to_string(state.rice[player]) + " v:" + std::to_string(state.village[player]) +
                       "  tokens " + std::to_string(state.tokens[player]) + "  hand";
    if (!viewer || *viewer == player) {
        text += cards_text(state.hands[player]);
    } else {
        const int unknown = count(state.hands[player]) - count(state.known[player]);
        if (unknown == 0 || count(state.known[player]) > 0) text += cards_text(state.known[player]);
        if (unknown > 0) text += " +" + std::to_string(unknown);
    }
    return state.phase == Phase::kFestival ? text + "  laid" + cards_text(state.laid[player]) : text;
}

std::string Game::supply_text(const State& state) const {
    std::string text = "tiles 3:" + std::to_string(state.three) + " w:" + std::to_string(state.water) + "  palaces";
    for (std::size_t half = 1; half <= kPalaceValues; ++half) {
        text += " " + std::to_string(2 * half) + ":" + std::to_string(state.palaces[half - 1]);
    }
    return text + "  pile " + std::to_string(count(state.pile)) + "  open " +
           (state.open == kNone ? "-" : std::string(kKindNames[state.open])) + "  discards" +
           cards_text(state.discards);
}

std::string Game::turn_text(const State& state) const {
    if (state.phase == Phase::kOver) return "the game is over";
    if (state.phase == Phase::kDeal) return "cards are dealt";
    const auto name = [this](std::size_t cell) { return tables_->board.name(tables_->space_of[cell]); };
    std::string text = "turn of player " + std::to_string(state.turn);
    if (state.phase == Phase::kFestival) {
        return text + ": festival in " + name(state.festival) + ", player " + std::to_string(state.bidder) + " bids";
    }
    text += ": " + std::to_string(state.ap) + " action points";
    if (state.owed != 0) text += ", a land tile due";
    if (state.lifted != kNowhere) text += ", figure taken up on " + name(state.lifted);
    if (state.phase != Phase::kTurn) text += ", a card is drawn";
    return state.final == kNone ? text : text + " (last turns)";
}

std::string Game::printed(const State& state, std::optional<std::size_t> viewer) const {
    std::string text = island_text(state);
    for (std::size_t player = 0; player < seats(); ++player) text += player_text(state, player, viewer) + "\n";
    return text + supply_text(state) + "\n" + turn_text(state);
}

std::string Game::to_string(const State& state) const { return printed(state, {}); }

std::string Game::to_string(const State& state, Player player) const { return printed(state, index(player)); }

}  // namespace tilery::java
