// SPDX-License-Identifier: MIT
// Carcassonne in words: tokens, printed positions, information states.
#include <algorithm>
#include <limits>

#include "tilery/core/token.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

constexpr std::array<std::string_view, kPhases> kPhaseNames{"order", "deal",   "draw",  "choose", "discard", "offer",
                                                            "bid",   "accept", "place", "meeple", "refill",  "over"};

struct SaleToken {
    SaleId id;
    std::string_view token;
};
constexpr std::array<SaleToken, 5> kSaleTokens{
    {{kOffer, "offer"}, {kKeep, "keep"}, {kPass, "pass"}, {kAcceptSale, "accept"}, {kDecline, "decline"}}};

Value cell_value(Cell cell) { return Value::list({x_of(cell), y_of(cell)}); }
std::string cell_text(Cell cell) { return std::to_string(x_of(cell)) + "," + std::to_string(y_of(cell)); }
std::string_view phase_name(const State& state) { return kPhaseNames[index_of(state.turn.phase)]; }
const std::string& type_id(const Box& box, std::uint8_t tile) { return box.tiles.types[tile - std::size_t{1}].id; }

// CA-R1: a cell that is outside the rectangle of this game is impossible, anything else malformed.
int read_coordinate(TokenReader& reader, std::size_t at, int low, int high) {
    const std::string range = "a number from " + std::to_string(low) + " to " + std::to_string(high);
    if (std::string_view("-0123456789").find(reader.peek()) == std::string_view::npos) reader.fail("expected " + range);
    constexpr int kAny = std::numeric_limits<int>::max();
    const int number = reader.number(-kAny, kAny);
    if (number < low || number > high) reader.fail_at(at, "impossible: not " + range);
    return number;
}

}  // namespace

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action >= box_.first_placement) {
        const auto [cell, rotation] = box_.placement_of(action);
        return cell_text(cell) + "@" + std::to_string(rotation);
    }
    const auto type = [&](Action first) { return box_.tiles.types[index_of(action - first)].id; };
    if (action >= box_.first_sale) {
        const Action id = action - box_.first_sale;
        for (const SaleToken& word : kSaleTokens) {
            if (id == word.id) return std::string(word.token);
        }
        return "price:" + std::to_string(id - kPrice1 + 1);
    }
    if (action >= box_.first_discard) return "discard:" + type(box_.first_discard);
    if (action >= box_.first_choice) return "tile:" + type(box_.first_choice);
    if (action >= box_.first_meeple) return std::string(kSegmentNames[index_of(action - box_.first_meeple)]);
    return "*" + type(0);
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto type = [&](Action first, std::size_t at) {
        for (std::size_t i = 0; i < box_.num_types; ++i) {
            if (token.substr(at) == box_.tiles.types[i].id) return first + narrow<Action>(i);
        }
        reader.fail_at(at, "expected a tile type of this game");
    };
    for (Action i = 0; const std::string_view name : kSegmentNames) {
        if (token == name) return box_.first_meeple + i;
        ++i;
    }
    if (reader.accept("*")) return type(0, 1);
    if (box_.rules.hand_size == kMostHand) {
        if (reader.accept("tile:")) return type(box_.first_choice, 5);
        if (reader.accept("discard:")) return type(box_.first_discard, 8);
    }
    if (box_.rules.tile_sale) {
        for (const SaleToken& word : kSaleTokens) {
            if (token == word.token) return box_.first_sale + word.id;
        }
        if (reader.accept("price:")) {
            const Action action = box_.first_sale + kPrice1 + reader.number(1, kMostPoints) - 1;
            reader.end();
            return action;
        }
    }
    const int x = read_coordinate(reader, 0, box_.land.west, box_.land.east);
    reader.expect(",");
    const int y = read_coordinate(reader, token.find(',') + 1, box_.land.south, box_.land.north);
    reader.expect("@");
    const int rotation = reader.number(0, int{kRotations} - 1);
    reader.end();
    return box_.placement(cell_at(x, y), rotation);
}

namespace {

// Three lines of five characters: fields are dots, roads lines, cities #, a shield %, a monastery
// M, and a meeple the number of its seat.
using Picture = std::array<std::string, 3>;

struct Spot {
    std::size_t line, column;
};
// Clockwise from the north: the middles of the edges, what is between them and the middle, the corners.
constexpr std::array<Spot, kSides> kEdgeSpots{{{0, 2}, {1, 4}, {2, 2}, {1, 0}}};
constexpr std::array<Spot, kSides> kInnerSpots{{{1, 2}, {1, 3}, {1, 2}, {1, 1}}};
constexpr std::array<Spot, kSides> kCorners{{{0, 0}, {0, 4}, {2, 4}, {2, 0}}};
constexpr Spot kMiddle{1, 2};

char& at(Picture& picture, Spot spot) { return picture[spot.line][spot.column]; }

// Draws a segment and returns where a meeple on it is printed.
Spot draw_segment(Picture& picture, const Segment& segment, std::size_t rotation, bool shield) {
    Spot meeple = kMiddle;
    const bool several = std::popcount(segment.sides) > 1;
    for (std::size_t c = 0; c < kSides; ++c) {
        if ((segment.sides >> kClockwise[c] & 1) == 0) continue;
        const std::size_t turned = (c + rotation) % kSides;
        const bool upright = turned % 2 == 0;
        meeple = kEdgeSpots[turned];
        if (segment.kind == 'r') {
            at(picture, meeple) = upright ? '|' : '-';
            if (!upright) at(picture, kInnerSpots[turned]) = '-';
        } else {
            at(picture, meeple) = '#';
            if (upright) picture[meeple.line].replace(1, 3, "###");
            if (several) at(picture, kInnerSpots[turned]) = '#';
        }
    }
    if (segment.kind == 'c' && several) at(picture, kMiddle) = shield ? '%' : '#';
    if (segment.kind == 'm') at(picture, kMiddle) = 'M';
    if (segment.kind == 'f') {
        const std::size_t half = index_of(std::countr_zero(segment.halves));
        meeple = kCorners[((half + 1) / 2 + rotation) % kSides];
    }
    return meeple;
}

// Where two sides of a city meet, its corner is city too.
void fill_corners(Picture& picture, const TileType& type, std::size_t rotation) {
    for (std::size_t corner = 0; corner < kSides; ++corner) {
        bool field = false;
        for (const Segment& segment : type.segments) {
            const unsigned halves = turned_halves(segment.halves, rotation);
            field |= segment.kind == 'f' && (halves & (1U << 2 * corner | 1U << (2 * corner + 7) % 8)) != 0;
        }
        if (!field && at(picture, kCorners[corner]) == '.') at(picture, kCorners[corner]) = '#';
    }
}

Picture draw_tile(const TileType& type, std::size_t rotation, int seat, std::size_t meeple) {
    Picture picture{".....", ".....", "....."};
    int roads = 0;
    for (const Segment& segment : type.segments) {
        const Spot spot = draw_segment(picture, segment, rotation, type.shield);
        if (segment.kind == 'r') roads += std::popcount(segment.sides);
        if (segment.id == meeple && seat >= 0) at(picture, spot) = narrow<char>('0' + seat);
    }
    char& middle = at(picture, kMiddle);
    if (middle == '.' && roads > 0) {
        const bool along = picture[1][1] == '-' && picture[1][3] == '-';
        const bool across = picture[0][2] == '|' && picture[2][2] == '|';
        middle = roads > 2 ? '+' : along ? '-' : across ? '|' : '+';
    }
    fill_corners(picture, type, rotation);
    return picture;
}

std::string padded(std::string text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// What is not on the board: one line for the turn, one for each player.
std::string turn_text(const Box& box, const State& state) {
    const Turn& turn = state.turn;
    std::string text(phase_name(state));
    if (turn.actor >= 0) text += ", player " + std::to_string(turn.actor) + " to act";
    if (turn.tile != 0) text += ", tile " + type_id(box, turn.tile);
    if (turn.placed != 0) text += ", meeple at " + cell_text(state.land.cells[turn.placed]);
    if (state.sale.price > 0) {
        text += ", price " + std::to_string(state.sale.price) + " by player " + std::to_string(state.sale.buyer);
    }
    text += ", " + std::to_string(state.pile.size()) + " tiles in the pile";
    if (turn.phase == Phase::kOrder) text += ", round " + std::to_string(turn.round);
    if (box.rules.table) {
        const auto [west, south, east, north] = *box.rules.table;
        text += "\ntable from " + std::to_string(west) + "," + std::to_string(south) + " to " + std::to_string(east) +
                "," + std::to_string(north);
    }
    for (std::size_t seat = 0; seat < index_of(box.rules.players); ++seat) {
        text += "\nplayer " + std::to_string(seat) + "  " + padded(std::to_string(state.points[seat]), 3) +
                " points  " + std::to_string(state.meeples.at_home[seat]) + " meeples";
        if (turn.phase == Phase::kOrder) {
            const std::uint8_t drawn = state.hands.tiles[seat][0];
            if (drawn != 0) text += "  draws " + type_id(box, drawn);
        } else if (box.rules.hand_size > 0) {
            text += "  hand";
            for (const std::uint8_t tile : hand_of(state, seat)) text += " " + type_id(box, tile);
        }
    }
    return text;
}

// The land from one column to another, with coordinates.
std::string land_text(const Box& box, const std::vector<LaidTile>& land, int from, int to) {
    std::string text = "\n    ";
    for (int x = from; x <= to; ++x) text += padded(std::to_string(x), 3) + "  ";
    for (int y = y_of(land.back().cell); y >= y_of(land.front().cell); --y) {
        std::array<std::string, 3> lines;
        lines.fill("    ");
        lines[1] = padded(std::to_string(y), 3) + " ";
        for (int x = from; x <= to; ++x) {
            const auto at = std::lower_bound(land.begin(), land.end(), cell_at(x, y),
                                             [](const LaidTile& laid, Cell cell) { return laid.cell < cell; });
            Picture picture{"     ", "     ", "     "};
            if (at != land.end() && at->cell == cell_at(x, y)) {
                picture = draw_tile(box.type(at->code), rotation_of(at->code), at->seat, at->segment);
            }
            for (std::size_t line = 0; line < lines.size(); ++line) lines[line] += picture[line];
        }
        for (std::string& line : lines) {
            line.erase(line.find_last_not_of(' ') + 1);
            text += "\n" + line;
        }
    }
    return text;
}

}  // namespace

std::string Game::to_string(const State& state) const {
    std::string text = turn_text(box_, state);
    const std::vector<LaidTile> land = laid_tiles(state);
    if (land.empty()) return text;
    int west = x_of(land[0].cell), east = west;
    for (const LaidTile& laid : land) {
        west = std::min(west, x_of(laid.cell));
        east = std::max(east, x_of(laid.cell));
    }
    constexpr int kColumns = 19;  // of tiles, so that lines keep to 100 characters
    for (int from = west; from <= east; from += kColumns) {
        text += land_text(box_, land, from, std::min(from + kColumns - 1, east));
    }
    return text;
}

namespace {

// What a player may know of the hands, one for each seat.
Value hands_value(const Box& box, const State& state, Player player) {
    Value::List hands;
    if (box.rules.hand_size == 0) return hands;
    for (std::size_t seat = 0; seat < index_of(box.rules.players); ++seat) {
        const std::span<const std::uint8_t> hand = hand_of(state, seat);
        Value::List shown, held;
        for (std::size_t i = 0; i < hand.size(); ++i) {
            held.emplace_back(type_id(box, hand[i]));
            if ((state.hands.shown[seat] >> i & 1) != 0) shown.emplace_back(type_id(box, hand[i]));
        }
        hands.push_back(
            Value::object({{"size", narrow<int>(hand.size())},
                           {"shown", std::move(shown)},
                           {"held", sees_hand(box, player, seat) ? Value(std::move(held)) : Value(nullptr)}}));
    }
    return hands;
}

// CA-H2
Value order_value(const Box& box, const State& state) {
    if (state.turn.phase != Phase::kOrder) return nullptr;
    Value::List contenders, drawn;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if ((state.turn.contenders >> seat & 1) == 0) continue;
        contenders.emplace_back(narrow<int>(seat));
        const std::uint8_t tile = state.hands.tiles[seat][0];
        if (tile != 0) drawn.emplace_back(type_id(box, tile));
    }
    return Value::object(
        {{"round", int{state.turn.round}}, {"contenders", std::move(contenders)}, {"drawn", std::move(drawn)}});
}

}  // namespace

Value Game::information_state(const State& state, Player player) const {
    const std::size_t players = index_of(box_.rules.players);
    const Turn& turn = state.turn;
    Value::List land, meeples;
    for (const LaidTile& laid : laid_tiles(state)) {
        const int x = x_of(laid.cell), y = y_of(laid.cell);
        land.push_back(Value::list({x, y, box_.type(laid.code).id, narrow<int>(rotation_of(laid.code))}));
        if (laid.seat >= 0) meeples.push_back(Value::list({x, y, kSegmentNames[laid.segment], int{laid.seat}}));
    }
    return Value::object({
        {"player", player},
        {"phase", phase_name(state)},
        {"actor", int{turn.actor}},
        {"turn", int{turn.mover}},
        {"ordinary", int{turn.ordinary}},
        {"again", turn.goes_on != 0},
        {"scores", Value::list_of(std::span(state.points).first(players))},
        {"supply", Value::list_of(std::span(state.meeples.at_home).first(players))},
        {"land", std::move(land)},
        {"meeples", std::move(meeples)},
        {"tile", turn.tile == 0 ? Value(nullptr) : Value(type_id(box_, turn.tile))},
        {"cell", turn.placed == 0 ? Value(nullptr) : cell_value(state.land.cells[turn.placed])},
        {"price", int{state.sale.price}},
        {"buyer", int{state.sale.buyer}},
        {"unseen", Value::list_of(unseen_counts(state, player))},
        {"pile", state.pile.size()},
        {"hands", hands_value(box_, state, player)},
        {"order", order_value(box_, state)},
    });
}

}  // namespace tilery::carcassonne
