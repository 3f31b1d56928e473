// SPDX-License-Identifier: MIT
// Notation (JA-40 to JA-44), and positions printed for people.
#include <algorithm>

#include "tilery/core/token.hpp"
#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

constexpr std::array<std::pair<std::string_view, Verb>, 6> kWords{{{"end", Verb::kEnd},
                                                                   {"extra", Verb::kExtra},
                                                                   {"open", Verb::kOpen},
                                                                   {"pile", Verb::kPile},
                                                                   {"stop", Verb::kStop},
                                                                   {"pass", Verb::kPass}}};

std::string_view prefix(Verb verb) {
    switch (verb) {
        case Verb::kDraw:
            return "*";
        case Verb::kLay:
            return "lay:";
        case Verb::kThree:
            return "3@";
        case Verb::kTwo:
            return "2@";
        case Verb::kRice:
            return "r@";
        case Verb::kVillage:
            return "v@";
        case Verb::kWater:
            return "w@";
        case Verb::kEnter:
            return "+";
        case Verb::kLeave:
            return "-";
        case Verb::kSetDown:
            return ">";
        case Verb::kPalace:
            return "P";
        case Verb::kFestival:
            return "F";
        default:
            return "";
    }
}

constexpr std::array kPrefixed{Verb::kDraw,  Verb::kLay,     Verb::kThree,  Verb::kTwo,
                               Verb::kRice,  Verb::kVillage, Verb::kWater,  Verb::kEnter,
                               Verb::kLeave, Verb::kSetDown, Verb::kPalace, Verb::kFestival};

int read_kind(TokenReader& reader) {
    for (int kind = kKinds - 1; kind >= 0; --kind) {  // md before m
        if (reader.accept(kKindNames[index(kind)])) return kind;
    }
    reader.fail("expected a kind of card: m, d, p, md, dp or pm");
}

Direction read_direction(TokenReader& reader) {
    reader.expect("/");
    constexpr std::array kLongestFirst{kSE, kSW, kNW, kNE, kE, kW};
    for (const Direction direction : kLongestFirst) {
        if (reader.accept(kDirectionNames[direction])) return direction;
    }
    reader.fail("expected a direction: E, SE, SW, W, NW or NE");
}

std::uint8_t read_palace(TokenReader& reader) {
    reader.expect("=");
    for (std::uint8_t i = 0; i < kPalaceValues; ++i) {
        if (reader.accept(std::to_string(2 * (i + 1)))) return i;
    }
    reader.fail("expected the value of a palace: 2, 4, 6, 8 or 10");
}

std::size_t read_space(TokenReader& reader, const Board& board, std::size_t start) {
    const int row = reader.number(0, kMostCoordinate);
    reader.expect(".");
    const std::uint16_t space = board.find({row, reader.number(0, kMostCoordinate)});
    if (space == kNowhere) reader.fail_at(start, "there is no such space");
    return space;
}

}  // namespace

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    const Move move = move_of(action);
    for (const auto& [word, verb] : kWords) {
        if (verb == move.verb) return std::string(word);
    }
    std::string token(prefix(move.verb));
    if (move.verb == Verb::kDraw || move.verb == Verb::kLay) return token.append(kKindNames[move.index]);
    token += tables_->board.name(tables_->space_of[move.cell]);
    if (move.verb == Verb::kTakeUp) return token + ">";
    if (move.verb == Verb::kPalace) return token + "=" + std::to_string(2 * (move.index + 1));
    if (move.verb == Verb::kThree || move.verb == Verb::kTwo)
        return token.append("/").append(kDirectionNames[move.index]);
    return token;
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    for (const auto& [word, verb] : kWords) {
        if (!reader.accept(word)) continue;
        reader.end();
        return std::countr_zero(plain_bit(verb));
    }
    Move move{Verb::kTakeUp, 0, 0};
    for (const Verb verb : kPrefixed) {
        if (!reader.accept(prefix(verb))) continue;
        move.verb = verb;
        break;
    }
    if (move.verb == Verb::kDraw || move.verb == Verb::kLay) {
        const int kind = read_kind(reader);
        reader.end();
        return move.verb == Verb::kDraw ? kind : Ids::kLay + kind;
    }
    if (move.verb == Verb::kTakeUp && (reader.peek() < '0' || reader.peek() > '9')) reader.fail("expected an action");
    const std::size_t start = prefix(move.verb).size();
    const std::size_t space = read_space(reader, tables_->board, start);
    move.cell = tables_->cell_of[space];
    if (move.verb == Verb::kTakeUp) reader.expect(">");
    if (move.verb == Verb::kThree || move.verb == Verb::kTwo) move.index = read_direction(reader);
    if (move.verb == Verb::kPalace) move.index = read_palace(reader);
    reader.end();
    const Action id = tables_->ids.find(move, tables_->board, tables_->cell_of, space);
    if (id == kUnlisted) {
        const bool edge = move.verb == Verb::kEnter || move.verb == Verb::kLeave;
        reader.fail_at(start, move.verb == Verb::kThree || move.verb == Verb::kTwo ? "the tile does not fit the island"
                              : edge                      ? "figures cannot enter or leave here"
                              : move.verb == Verb::kWater ? "irrigation cannot be placed here"
                                                          : "nothing can be placed here");
    }
    return id;
}

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
