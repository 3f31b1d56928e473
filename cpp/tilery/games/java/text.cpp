// SPDX-License-Identifier: MIT
// Notation (JA-40 to JA-44) and the island as a person likes to see it.
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

std::size_t read_kind(TokenReader& reader) {
    for (std::size_t kind = kKinds; kind-- > 0;) {  // md before m
        if (reader.accept(kKindNames[kind])) return kind;
    }
    reader.fail("expected a kind of card: m, d, p, md, dp or pm");
}

std::size_t read_direction(TokenReader& reader) {
    reader.expect("/");
    constexpr std::array kLongestFirst{kSE, kSW, kNW, kNE, kE, kW};
    for (const Direction direction : kLongestFirst) {
        if (reader.accept(kDirectionNames[direction])) return direction;
    }
    reader.fail("expected a direction: E, SE, SW, W, NW or NE");
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
    const Ids& ids = tables_->ids;
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
        const auto kind = static_cast<Action>(read_kind(reader));
        reader.end();
        return move.verb == Verb::kDraw ? kind : Ids::kLay + kind;
    }
    if (move.verb == Verb::kTakeUp && (reader.peek() < '0' || reader.peek() > '9')) reader.fail("expected an action");
    const std::size_t start = prefix(move.verb).size();
    constexpr int kMostCoordinate = 9999;
    const int row = reader.number(0, kMostCoordinate);
    reader.expect(".");
    const std::uint16_t space = tables_->board.find({row, reader.number(0, kMostCoordinate)});
    if (space == kNowhere) reader.fail_at(start, "there is no such space");
    move.cell = tables_->cell_of[space];
    switch (move.verb) {
        case Verb::kTakeUp:
            reader.expect(">");
            break;
        case Verb::kThree:
        case Verb::kTwo:
            move.index = static_cast<std::uint8_t>(read_direction(reader));
            break;
        case Verb::kPalace: {
            reader.expect("=");
            const int value = reader.number(2, 2 * static_cast<int>(kPalaceValues));
            if (value % 2 != 0) reader.fail("palaces have even values");
            move.index = static_cast<std::uint8_t>(value / 2 - 1);
            break;
        }
        default:
            break;
    }
    reader.end();

    const auto tile = [&](const auto& placings, const auto& tables) {
        const Direction first = placings[move.index].first;
        const std::uint16_t at = first == kNoDirection ? space : tables_->board.neighbour[space][first];
        return at == kNowhere ? kNowhere : tables[move.index][tables_->cell_of[at]];
    };
    const auto id = [&]() -> std::pair<Action, std::uint16_t> {
        switch (move.verb) {
            case Verb::kThree:
                return {ids.three, tile(kThreePlacings, ids.three_at)};
            case Verb::kTwo:
                return {ids.two, tile(kTwoPlacings, ids.two_at)};
            case Verb::kRice:
                return {ids.rice, ids.buildable_at[move.cell]};
            case Verb::kVillage:
                return {ids.village, ids.buildable_at[move.cell]};
            case Verb::kWater:
                return {ids.water, ids.water_at[move.cell]};
            case Verb::kEnter:
                return {ids.enter, ids.edge_at[move.cell]};
            case Verb::kLeave:
                return {ids.leave, ids.edge_at[move.cell]};
            case Verb::kTakeUp:
                return {ids.take_up, ids.buildable_at[move.cell]};
            case Verb::kSetDown:
                return {ids.set_down, ids.buildable_at[move.cell]};
            case Verb::kPalace:
                return {ids.palace + move.index * ids.buildable, ids.buildable_at[move.cell]};
            default:
                return {ids.festival, ids.buildable_at[move.cell]};
        }
    }();
    if (id.second == kNowhere) {
        const bool edge = move.verb == Verb::kEnter || move.verb == Verb::kLeave;
        reader.fail_at(start, move.verb == Verb::kThree || move.verb == Verb::kTwo ? "the tile would not fit the island"
                              : edge                                               ? "figures never come or go here"
                              : move.verb == Verb::kWater                          ? "irrigation can never lie here"
                                                                                   : "nothing is ever built here");
    }
    return id.first + id.second;
}

// A space is three characters: what is on top, the height, and who or what stands there.
//
//     .        bare              ~   printed irrigation    w   irrigation tile
//     r2       rice, height 2    v3b village with a figure of player 1
//     [8*      a fresh palace of value 8 on a village      [8  a used one
//
// Outside spaces are blank, or ^ (mountains) and , (lowlands), as long as no tile lies there.
std::string Game::to_string(const State& state) const {
    const Board& board = tables_->board;
    const std::size_t n = seats();
    std::string text;
    const auto [west, east] = std::minmax_element(board.spaces.begin(), board.spaces.end(),
                                                  [](Space a, Space b) { return a.column < b.column; });
    const auto place = [&](Space space) { return 2 * static_cast<std::size_t>(space.column - west->column); };
    const std::size_t width = place(*east) + 3;
    std::string line(width, ' ');
    for (std::size_t space = 0; space < board.size(); ++space) {
        const auto has = [&](Plane plane) { return tables_->has(state, plane, space); };
        std::string cell(1, std::string_view(".~^,")[static_cast<std::size_t>(board.ground[space])]);
        if (has(Plane::kWater)) cell = "w";
        if (has(Plane::kLand)) {
            const int value = palace_at(state, space);
            if (value > 0) {
                cell = "[" + std::to_string(value) + (has(Plane::kFresh) ? "*" : "");
                if (value == 10) cell = has(Plane::kFresh) ? "[X*" : "[X";
            } else {
                cell = (has(Plane::kVillage) ? "v" : "r") + std::to_string(height_at(state, space));
                for (std::size_t player = 0; player < n; ++player) {
                    if (!has(planes::figures(player))) continue;
                    if (cell.size() > 2) cell.erase(0, 1);  // two digits
                    cell += static_cast<char>((tables_->cell_of[space] == state.lifted ? 'A' : 'a') +
                                              static_cast<int>(player));
                }
            }
        }
        line.replace(place(board.spaces[space]), cell.size(), cell);
        if (space + 1 == board.size() || board.spaces[space + 1].row != board.spaces[space].row) {
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
            line.assign(width, ' ');
        }
    }
    const auto cards = [](const Cards& these) {
        std::string list;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (these[kind] == 0) continue;
            list += " " + (these[kind] > 1 ? std::to_string(these[kind]) : "") + std::string(kKindNames[kind]);
        }
        return list.empty() ? " -" : list;
    };
    for (std::size_t player = 0; player < n; ++player) {
        text += "player " + std::to_string(player) + " (" + static_cast<char>('a' + player) + ")  " +
                std::to_string(state.scores[player]) + " points  figures " + std::to_string(state.figures[player]) +
                "  tiles 2:" + std::to_string(state.two[player]) + " r:" + std::to_string(state.rice[player]) +
                " v:" + std::to_string(state.village[player]) + "  tokens " + std::to_string(state.tokens[player]) +
                "  hand" + cards(state.hands[player]);
        if (state.phase == Phase::kFestival) text += "  laid" + cards(state.laid[player]);
        text += "\n";
    }
    std::size_t pile = 0;
    for (const std::uint8_t copies : state.pile) pile += copies;
    text += "tiles 3:" + std::to_string(state.three) + " w:" + std::to_string(state.water) + "  palaces";
    for (std::size_t value = 0; value < kPalaceValues; ++value) {
        text += " " + std::to_string(2 * (value + 1)) + ":" + std::to_string(state.palaces[value]);
    }
    text += "  pile " + std::to_string(pile) + "  open " +
            (state.open == kNone ? "-" : std::string(kKindNames[state.open])) + "  discards" + cards(state.discards) +
            "\n";
    const Player player = current_player(state);
    if (player == kTerminal) return text + "the game is over";
    if (state.phase == Phase::kDeal) return text + "cards are dealt";
    text += "turn of player " + std::to_string(state.turn);
    if (state.phase == Phase::kFestival) {
        return text + ": festival in " + board.name(tables_->space_of[state.festival]) + ", player " +
               std::to_string(player) + " bids";
    }
    text += ": " + std::to_string(state.ap) + " action points";
    if (state.owed != 0) text += ", a land tile owed";
    if (state.lifted != kNowhere) text += ", figure taken up on " + board.name(tables_->space_of[state.lifted]);
    if (player == kChance) text += ", a card is drawn";
    if (state.final != kNone) text += " (last turns)";
    return text;
}

}  // namespace tilery::java
