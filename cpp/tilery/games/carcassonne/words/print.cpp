// SPDX-License-Identifier: MIT
// Printed positions.
#include <algorithm>

#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
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

// A tile in five lines of eleven characters, with the names of its segments: a city or road on its first
// edge, or in the middle if it is a city with several; a field on its first half edge.
using LargePicture = std::array<std::string, 5>;

void name_segment(LargePicture& picture, const Segment& segment, std::size_t rotation, bool shield) {
    // Clockwise from the north; half edges from the left half of the northern edge.
    constexpr std::array<Spot, kSides> kEdges{{{0, 4}, {2, 9}, {4, 4}, {2, 0}}};
    constexpr std::array<Spot, 2 * kSides> kHalves{{{0, 2}, {0, 7}, {1, 9}, {3, 9}, {4, 7}, {4, 2}, {3, 0}, {1, 0}}};
    Spot spot{2, 5};
    if (segment.kind == 'f') {
        spot = kHalves[(index_of(std::countr_zero(segment.halves)) + 2 * rotation) % kHalves.size()];
    } else if (segment.kind == 'c' && std::popcount(segment.sides) > 1) {
        spot = {2, 4};
    } else if (segment.kind != 'm') {
        std::size_t c = 0;
        while ((segment.sides >> kClockwise[c] & 1) == 0) ++c;
        spot = kEdges[(c + rotation) % kSides];
    }
    std::string name(kSegmentNames[segment.id]);
    if (segment.kind == 'c' && shield) name += '%';
    picture[spot.line].replace(spot.column, name.size(), name);
}

LargePicture draw_large_tile(const TileType& type, std::size_t rotation) {
    // Each character of the small picture is two wide, but for the middle column.
    const Picture small = draw_tile(type, rotation, -1, 0);
    constexpr std::array<std::size_t, 5> kLines{0, 1, 1, 1, 2};
    constexpr std::array<std::size_t, 11> kColumns{0, 0, 1, 1, 1, 2, 3, 3, 3, 4, 4};
    LargePicture picture;
    for (std::size_t line = 0; line < picture.size(); ++line) {
        for (const std::size_t column : kColumns) picture[line] += small[kLines[line]][column];
    }
    // Roads to the sides are one line high; what comes from the north and south reaches the middle.
    const char middle = small[1][2];
    for (const std::size_t line : {std::size_t{1}, std::size_t{3}}) {
        std::string& text = picture[line];
        std::replace(text.begin(), text.end(), '-', '.');
        std::replace(text.begin(), text.end(), '%', '#');
        const char edge = small[line == 1 ? 0 : 2][2];
        if (edge == '|') text[5] = '|';
        if (edge != '|' && middle != '#' && middle != '%') text[5] = text[4];
        if (edge == '#' && (middle == '#' || middle == '%')) text.replace(4, 3, "###");
    }
    for (const Segment& segment : type.segments) name_segment(picture, segment, rotation, type.shield);
    return picture;
}

std::string padded(std::string text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string hand_text(const Box& box, const State& state, std::size_t seat, bool seen) {
    std::string known, hidden;
    const std::span<const std::uint8_t> hand = hand_of(state, seat);
    for (std::size_t i = 0; i < hand.size(); ++i) {
        if (seen || (state.hands.shown[seat] >> i & 1) != 0) {
            known += " " + type_id(box, hand[i]);
        } else {
            hidden += " ?";
        }
    }
    return known + hidden;
}

// The tile to be placed as printed, or the tile just placed as it is now, with the names of segments.
std::string tile_text(const Box& box, const State& state) {
    const std::size_t code =
        state.turn.tile != 0 ? code_of(state.turn.tile - std::size_t{1}, 0) : state.land.codes[state.turn.placed];
    if (code == 0) return "";
    std::string text = "\ntile " + box.type(code).id + (state.turn.tile != 0 ? ", not turned:" : ", as placed:");
    for (const std::string& line : draw_large_tile(box.type(code), rotation_of(code))) text += "\n    " + line;
    return text;
}

// The parts that are not on the board: one line for the turn, one for each player.
// `sees(seat)`: whether the tiles of a hand are printed that are not shown.
std::string turn_text(const Box& box, const State& state, auto&& sees) {
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
            text += "  hand" + hand_text(box, state, seat, sees(seat));
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
            Picture picture{"     ", "     ", "     "};
            if (const auto at = std::ranges::find(land, cell_at(x, y), &LaidTile::cell); at != land.end()) {
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

// The land in as many strips as its width needs.
std::string whole_land_text(const Box& box, const State& state) {
    const std::vector<LaidTile> land = laid_tiles(state);
    if (land.empty()) return "";
    const auto column = [](const LaidTile& laid) { return x_of(laid.cell); };
    const auto [west, east] = std::ranges::minmax(land, {}, column);
    constexpr int kColumns = 19;  // of tiles, so that lines keep to 100 characters
    std::string text;
    for (int from = column(west); from <= column(east); from += kColumns) {
        text += land_text(box, land, from, std::min(from + kColumns - 1, column(east)));
    }
    return text;
}

}  // namespace

std::string Game::to_string(const State& state) const {
    return turn_text(box_, state, [](std::size_t) { return true; }) + tile_text(box_, state) +
           whole_land_text(box_, state);
}

std::string Game::to_string(const State& state, Player player) const {
    return turn_text(box_, state, [&](std::size_t seat) { return sees_hand(box_, player, seat); }) +
           tile_text(box_, state) + whole_land_text(box_, state);
}

}  // namespace tilery::carcassonne
