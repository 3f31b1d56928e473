// SPDX-License-Identifier: MIT
// Actions as tokens (JA-40 to JA-44), in words, and as things to point at; positions printed for people.
#include <algorithm>

#include "tilery/core/token.hpp"
#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

constexpr std::array<std::string_view, kDirections> kDirectionWords{"east", "southeast", "southwest",
                                                                    "west", "northwest", "northeast"};
constexpr std::array<std::string_view, kKinds> kKindWords{"a mask",        "a drum",          "a puppet",
                                                          "mask and drum", "drum and puppet", "puppet and mask"};

constexpr std::array<std::string_view, kPalaceValues> kPalaceNames{"2", "4", "6", "8", "10"};

// How the actions of a verb are written and said. Those with a kind of card or a space go on with it.
struct VerbWords {
    Verb verb;
    std::string_view token;
    std::string_view words;
    std::string_view pick = {};        // the button, card or tool that they begin with
    std::string_view pick_words = {};  // in words, where these are others
};
constexpr std::array<VerbWords, 19> kVerbs{{
    {Verb::kDraw, "*", "a card with", "draw:"},
    {Verb::kEnd, "end", "end the turn", "button:end"},
    {Verb::kExtra, "extra", "use an action token", "button:extra"},
    {Verb::kOpen, "open", "take the open card", "card:open"},
    {Verb::kPile, "pile", "take a card from the pile", "card:pile"},
    {Verb::kStop, "stop", "lay no more cards for now", "button:stop"},
    {Verb::kPass, "pass", "pass for the rest of the festival", "button:pass"},
    {Verb::kLay, "lay:", "lay a card with", "hand:"},
    {Verb::kThree, "3@", "village on", "tool:3", "a three-space tile"},
    {Verb::kTwo, "2@", "village on", "tool:2", "a two-space tile"},
    {Verb::kRice, "r@", "rice on", "tool:rice", "a rice tile"},
    {Verb::kVillage, "v@", "village on", "tool:village", "a village tile"},
    {Verb::kWater, "w@", "irrigation on", "tool:water", "an irrigation tile"},
    {Verb::kEnter, "+", "a figure enters on", "tool:enter", "a figure enters the island"},
    {Verb::kLeave, "-", "the figure leaves from", "tool:leave", "a figure leaves the island"},
    {Verb::kTakeUp, "", "take up the figure on", "tool:move", "move a figure"},
    {Verb::kSetDown, ">", "set the figure down on"},
    {Verb::kPalace, "P", "palace of", "tool:palace", "a palace"},
    {Verb::kFestival, "F", "festival in the palace on", "tool:festival", "a festival"},
}};
constexpr const VerbWords& words_of(Verb verb) { return kVerbs[static_cast<std::size_t>(verb)]; }
static_assert(std::ranges::all_of(kVerbs, [](const VerbWords& each) { return words_of(each.verb).verb == each.verb; }));

bool is_plain(Verb verb) { return verb >= Verb::kEnd && verb <= Verb::kPass; }
bool is_of_card(Verb verb) { return verb == Verb::kDraw || verb == Verb::kLay; }
bool has_direction(Verb verb) { return verb == Verb::kThree || verb == Verb::kTwo; }
int palace_of(const Move& move) { return 2 * (move.index + 1); }

// The place of the name that comes next. Of two names that begin alike the longer one is the later one.
std::uint8_t read_name(TokenReader& reader, const auto& names, const std::string& expected) {
    for (std::size_t i = names.size(); i-- > 0;) {
        if (reader.accept(names[i])) return static_cast<std::uint8_t>(i);
    }
    reader.fail("expected " + expected);
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
    std::string token(words_of(move.verb).token);
    if (is_plain(move.verb)) return token;
    if (is_of_card(move.verb)) return token.append(kKindNames[move.index]);
    token += tables_->board.name(tables_->space_of[move.cell]);
    if (move.verb == Verb::kTakeUp) return token + ">";
    if (move.verb == Verb::kPalace) return token + "=" + std::to_string(palace_of(move));
    return has_direction(move.verb) ? token.append("/").append(kDirectionNames[move.index]) : token;
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto found = std::ranges::find_if(
        kVerbs, [&](const VerbWords& each) { return !each.token.empty() && reader.accept(each.token); });
    const VerbWords& words = found == kVerbs.end() ? words_of(Verb::kTakeUp) : *found;
    Move move{words.verb, 0, 0};
    if (is_plain(move.verb) || is_of_card(move.verb)) {
        if (is_of_card(move.verb)) {
            move.index = read_name(reader, kKindNames, "a kind of card: m, d, p, md, dp or pm");
        }
        reader.end();
        if (is_plain(move.verb)) return std::countr_zero(plain_bit(move.verb));
        return move.verb == Verb::kDraw ? move.index : Ids::kLay + move.index;
    }
    if (move.verb == Verb::kTakeUp && (reader.peek() < '0' || reader.peek() > '9')) reader.fail("expected an action");
    const std::size_t start = words.token.size();
    move.cell = tables_->cell_of[read_space(reader, tables_->board, start)];
    if (move.verb == Verb::kTakeUp) reader.expect(">");
    if (has_direction(move.verb)) {
        reader.expect("/");
        move.index = read_name(reader, kDirectionNames, "a direction: E, SE, SW, W, NW or NE");
    } else if (move.verb == Verb::kPalace) {
        reader.expect("=");
        move.index = read_name(reader, kPalaceNames, "the value of a palace: 2, 4, 6, 8 or 10");
    }
    reader.end();
    const Action id = tables_->ids.find(move, tables_->space_of);
    if (id == kUnlisted) {
        const bool edge = move.verb == Verb::kEnter || move.verb == Verb::kLeave;
        reader.fail_at(start, has_direction(move.verb)    ? "the tile does not fit the island"
                              : edge                      ? "figures cannot enter or leave here"
                              : move.verb == Verb::kWater ? "irrigation cannot be placed here"
                                                          : "nothing can be placed here");
    }
    return id;
}

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    const Move move = move_of(action);
    std::string text(words_of(move.verb).words);
    if (is_plain(move.verb)) return text;
    if (is_of_card(move.verb)) {
        text.append(" ").append(kKindWords[move.index]);
        return move.verb == Verb::kDraw ? text + " is drawn" : text;
    }
    if (move.verb == Verb::kPalace) text += " " + std::to_string(palace_of(move)) + " on";
    text += " " + tables_->board.name(tables_->space_of[move.cell]);
    if (has_direction(move.verb)) text.append(", rice to the ").append(kDirectionWords[move.index]);
    if (move.verb == Verb::kThree) text.append(" and ").append(kDirectionWords[clockwise(move.index)]);
    return text;
}

// Legal actions with different verbs begin with different things, but for `>`, which is the only verb
// while a figure is taken up.
std::vector<std::string> Game::picks(Action action) const {
    check_action_id(action, num_distinct_actions());
    const Move move = move_of(action);
    const std::string pick(words_of(move.verb).pick);
    if (is_plain(move.verb)) return {pick};
    if (is_of_card(move.verb)) return {pick + std::string(kKindNames[move.index])};
    const std::string space = "space:" + tables_->board.name(tables_->space_of[move.cell]);
    if (pick.empty()) return {space};
    std::vector<std::string> path{pick, space};
    if (has_direction(move.verb)) path.push_back("direction:" + std::string(kDirectionNames[move.index]));
    if (move.verb == Verb::kPalace) path.push_back("value:" + std::to_string(palace_of(move)));
    return path;
}

std::string Game::describe_pick(std::string_view pick) const {
    for (const VerbWords& each : kVerbs) {
        if (!pick.empty() && pick == each.pick)
            return std::string(each.pick_words.empty() ? each.words : each.pick_words);
    }
    for (std::size_t i = 0; i < kDirectionNames.size(); ++i) {
        if (pick == "direction:" + std::string(kDirectionNames[i])) return "to the " + std::string(kDirectionWords[i]);
    }
    for (std::size_t i = 0; i < kKindNames.size(); ++i) {
        if (pick == "hand:" + std::string(kKindNames[i])) return "a card with " + std::string(kKindWords[i]);
    }
    return pick.starts_with("value:") ? "a palace of " + std::string(pick.substr(6)) : "";
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
