// SPDX-License-Identifier: MIT
// Carcassonne in words: tokens, pictures, information states.
#include <algorithm>
#include <cassert>
#include <limits>

#include "tilery/core/token.hpp"
#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

constexpr std::array<std::string_view, kPhases> kPhaseNames{"order", "deal",   "draw",  "choose", "discard", "offer",
                                                            "bid",   "accept", "place", "meeple", "refill",  "over"};

Value cell_value(Cell cell) { return Value::list({x_of(cell), y_of(cell)}); }

}  // namespace

std::string Game::action_to_string(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action >= first_placement_) {
        const Placement placement = placement_of(action);
        return std::to_string(x_of(placement.cell)) + "," + std::to_string(y_of(placement.cell)) + "@" +
               std::to_string(placement.rotation);
    }
    const auto type = [&](Action first) { return tiles_.types[static_cast<std::size_t>(action - first)].id; };
    if (action >= first_sale_) {
        switch (action - first_sale_) {
            case kOffer:
                return "offer";
            case kKeep:
                return "keep";
            case kPass:
                return "pass";
            case kAcceptSale:
                return "accept";
            case kDecline:
                return "decline";
            default:
                return "price:" + std::to_string(action - first_sale_ - kPrice1 + 1);
        }
    }
    if (action >= first_discard_) return "discard:" + type(first_discard_);
    if (action >= first_choice_) return "tile:" + type(first_choice_);
    if (action >= first_meeple_) return std::string(kSegmentNames[static_cast<std::size_t>(action - first_meeple_)]);
    return "*" + type(0);
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    const auto type = [&](Action first, std::size_t at) {
        for (std::size_t i = 0; i < types_; ++i) {
            if (token.substr(at) == tiles_.types[i].id) return first + static_cast<Action>(i);
        }
        reader.fail_at(at, "expected a tile type of this game");
    };
    for (std::size_t i = 0; i < kSegmentNames.size(); ++i) {
        if (token == kSegmentNames[i]) return first_meeple_ + static_cast<Action>(i);
    }
    if (reader.accept("*")) return type(0, 1);
    if (rules_.hand_size == kMostHand) {
        if (reader.accept("tile:")) return type(first_choice_, 5);
        if (reader.accept("discard:")) return type(first_discard_, 8);
    }
    if (rules_.tile_sale) {
        if (token == "offer") return first_sale_ + kOffer;
        if (token == "keep") return first_sale_ + kKeep;
        if (token == "pass") return first_sale_ + kPass;
        if (token == "accept") return first_sale_ + kAcceptSale;
        if (token == "decline") return first_sale_ + kDecline;
        if (reader.accept("price:")) {
            const Action action = first_sale_ + kPrice1 + reader.number(1, kMostPoints) - 1;
            reader.end();
            return action;
        }
    }
    // CA-R1: a cell that is none of this game is impossible, anything else malformed.
    const auto coordinate = [&reader](std::size_t at, int low, int high) {
        const std::string range = "a number from " + std::to_string(low) + " to " + std::to_string(high);
        if (std::string_view("-0123456789").find(reader.peek()) == std::string_view::npos) {
            reader.fail("expected " + range);
        }
        constexpr int kAny = std::numeric_limits<int>::max();
        const int number = reader.number(-kAny, kAny);
        if (number < low || number > high) reader.fail_at(at, "impossible: not " + range);
        return number;
    };
    const int x = coordinate(0, west_, west_ + width_ - 1);
    reader.expect(",");
    const int y = coordinate(token.find(',') + 1, south_, south_ + height_ - 1);
    reader.expect("@");
    const int rotation = reader.number(0, static_cast<int>(kRotations) - 1);
    reader.end();
    return placement(cell_at(x, y), rotation);
}

std::vector<Game::Laid> Game::land_of(const State& state) const {
    std::vector<Laid> land;
    std::array<std::size_t, kRows> at{};
    for (std::size_t row = 1; row < state.rows; ++row) {
        if (state.tile_codes[row] == 0) continue;
        land.push_back({state.tile_cells[row], state.tile_codes[row], static_cast<std::uint8_t>(row), -1, 0});
    }
    std::sort(land.begin(), land.end(), [](const Laid& a, const Laid& b) { return a.cell < b.cell; });
    for (std::size_t i = 0; i < land.size(); ++i) at[land[i].row] = i;
    for (std::size_t slot = 0; slot < kAllSlots; ++slot) {
        if (state.meeple_labels[slot] == 0) continue;
        Laid& laid = land[at[state.meeple_rows[slot]]];
        laid.seat = static_cast<std::int8_t>(slot / kSlots);
        laid.segment = state.meeple_segments[slot];
    }
    return land;
}

namespace {

// Three lines of five characters: fields are dots, roads lines, cities #, a shield %, a monastery
// M, and a meeple the number of its seat.
using Picture = std::array<std::string, 3>;

Picture draw_tile(const TileType& type, std::size_t rotation, int seat, std::size_t meeple) {
    Picture picture{".....", ".....", "....."};
    struct Spot {
        std::size_t line, column;
    };
    // Clockwise from the north: the middles of the edges, what lies between them and the middle, the corners.
    constexpr std::array<Spot, kSides> kEdges{{{0, 2}, {1, 4}, {2, 2}, {1, 0}}};
    constexpr std::array<Spot, kSides> kInside{{{1, 2}, {1, 3}, {1, 2}, {1, 1}}};
    constexpr std::array<Spot, kSides> kCorners{{{0, 0}, {0, 4}, {2, 4}, {2, 0}}};
    const auto put = [&](Spot spot, char what) { picture[spot.line][spot.column] = what; };
    int roads = 0;
    for (const Segment& segment : type.segments) {
        Spot meeple_at{1, 2};
        const auto sides = static_cast<unsigned>(std::popcount(segment.sides));
        for (std::size_t c = 0; c < kSides; ++c) {
            if ((segment.sides >> kClockwise[c] & 1) == 0) continue;
            const std::size_t turned = (c + rotation) % kSides;
            meeple_at = kEdges[turned];
            if (segment.kind == 'r') {
                put(kEdges[turned], turned % 2 == 0 ? '|' : '-');
                if (turned % 2 == 1) put(kInside[turned], '-');
                ++roads;
            } else {
                put(kEdges[turned], '#');
                if (turned % 2 == 0) picture[kEdges[turned].line].replace(1, 3, "###");
                if (sides > 1) put(kInside[turned], '#');
            }
        }
        if (segment.kind == 'c' && sides > 1) put({1, 2}, type.shield ? '%' : '#');
        if (segment.kind == 'm') put({1, 2}, 'M');
        if (segment.kind == 'f') {
            const auto half = static_cast<std::size_t>(std::countr_zero(segment.halves));
            meeple_at = kCorners[((half + 1) / 2 + rotation) % kSides];
        }
        if (segment.id == meeple && seat >= 0) put(meeple_at, static_cast<char>('0' + seat));
    }
    char& middle = picture[1][2];
    if (middle == '.' && roads > 0) {
        const bool along = picture[1][1] == '-' && picture[1][3] == '-';
        const bool across = picture[0][2] == '|' && picture[2][2] == '|';
        middle = roads > 2 ? '+' : along ? '-' : across ? '|' : '+';
    }
    // Where two sides of a city meet, its corner is city too.
    for (std::size_t corner = 0; corner < kSides; ++corner) {
        bool field = false;
        for (const Segment& segment : type.segments) {
            const auto halves = std::rotl(segment.halves, static_cast<int>(2 * rotation));
            field |= segment.kind == 'f' && (halves & (1U << 2 * corner | 1U << (2 * corner + 7) % 8)) != 0;
        }
        if (!field && picture[kCorners[corner].line][kCorners[corner].column] == '.') put(kCorners[corner], '#');
    }
    return picture;
}

std::string padded(std::string text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

std::string Game::to_string(const State& state) const {
    std::string text = std::string(kPhaseNames[static_cast<std::size_t>(state.phase)]);
    if (state.actor >= 0) text += ", player " + std::to_string(state.actor) + " to act";
    if (state.tile != 0) text += ", tile " + tiles_.types[state.tile - std::size_t{1}].id;
    if (state.last != 0) {
        const Cell cell = state.tile_cells[state.last];
        text += ", meeple at " + std::to_string(x_of(cell)) + "," + std::to_string(y_of(cell));
    }
    if (state.price > 0) text += ", price " + std::to_string(state.price) + " by player " + std::to_string(state.buyer);
    text += ", " + std::to_string(state.pile.back()) + " tiles in the pile";
    if (state.phase == Phase::kOrder) text += ", round " + std::to_string(state.round);
    if (rules_.table) {
        const auto [west_rim, south_rim, east_rim, north_rim] = *rules_.table;
        text += "\ntable from " + std::to_string(west_rim) + "," + std::to_string(south_rim) + " to " +
                std::to_string(east_rim) + "," + std::to_string(north_rim);
    }
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules_.players); ++seat) {
        text += "\nplayer " + std::to_string(seat) + "  " + padded(std::to_string(state.scores[seat]), 3) +
                " points  " + std::to_string(state.supply[seat]) + " meeples";
        if (state.phase == Phase::kOrder) {
            if (state.hands[seat][0] != 0) text += "  draws " + tiles_.types[state.hands[seat][0] - std::size_t{1}].id;
        } else if (rules_.hand_size > 0) {
            text += "  hand";
            for (const std::uint8_t tile : hand_of(state, seat)) text += " " + tiles_.types[tile - std::size_t{1}].id;
        }
    }
    const std::vector<Laid> land = land_of(state);
    if (land.empty()) return text;
    int west = x_of(land[0].cell), east = west;
    for (const Laid& laid : land) {
        west = std::min(west, x_of(laid.cell));
        east = std::max(east, x_of(laid.cell));
    }
    const int south = y_of(land.front().cell), north = y_of(land.back().cell);
    constexpr int kColumns = 19;  // of tiles, so that lines keep to 100 characters
    for (int from = west; from <= east; from += kColumns) {
        const int to = std::min(from + kColumns - 1, east);
        text += "\n    ";
        for (int x = from; x <= to; ++x) text += padded(std::to_string(x), 3) + "  ";
        for (int y = north; y >= south; --y) {
            std::array<std::string, 3> lines;
            lines.fill("    ");
            lines[1] = padded(std::to_string(y), 3) + " ";
            for (int x = from; x <= to; ++x) {
                const auto at = std::lower_bound(land.begin(), land.end(), cell_at(x, y),
                                                 [](const Laid& laid, Cell cell) { return laid.cell < cell; });
                Picture picture{"     ", "     ", "     "};
                if (at != land.end() && at->cell == cell_at(x, y)) {
                    picture = draw_tile(tiles_.types[type_of(at->code)], rotation_of(at->code), at->seat, at->segment);
                }
                for (std::size_t line = 0; line < lines.size(); ++line) lines[line] += picture[line];
            }
            for (std::string& line : lines) {
                line.erase(line.find_last_not_of(' ') + 1);
                text += "\n" + line;
            }
        }
    }
    return text;
}

std::vector<int> Game::pile_counts(const State& state) const {
    std::vector<int> counts;
    for (std::size_t type = 0; type < types_; ++type) counts.push_back(copies_left(state, type));
    return counts;
}

bool Game::sees_hand(Player player, std::size_t seat) const {
    return rules_.hands == Hands::kOpen || static_cast<int>(seat) == player;
}

// CA-H3: what is in the pile and, as far as nobody has shown it, in the hidden hands of the others.
std::vector<int> Game::unseen_counts(const State& state, Player player) const {
    std::vector<int> counts = pile_counts(state);
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules_.players); ++seat) {
        if (sees_hand(player, seat)) continue;
        const std::span<const std::uint8_t> hand = hand_of(state, seat);
        for (std::size_t i = 0; i < hand.size(); ++i) {
            if ((state.shown[seat] >> i & 1) == 0) ++counts[hand[i] - std::size_t{1}];
        }
    }
    return counts;
}

// What a player may know of the hands, one for each seat.
Value Game::hands_value(const State& state, Player player) const {
    Value::List hands;
    if (rules_.hand_size == 0) return hands;
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules_.players); ++seat) {
        const std::span<const std::uint8_t> hand = hand_of(state, seat);
        Value::List shown, held;
        for (std::size_t i = 0; i < hand.size(); ++i) {
            const std::string& id = tiles_.types[hand[i] - std::size_t{1}].id;
            held.emplace_back(id);
            if ((state.shown[seat] >> i & 1) != 0) shown.emplace_back(id);
        }
        hands.push_back(Value::object({{"size", static_cast<int>(hand.size())},
                                       {"shown", std::move(shown)},
                                       {"held", sees_hand(player, seat) ? Value(std::move(held)) : Value(nullptr)}}));
    }
    return hands;
}

// CA-H2
Value Game::order_value(const State& state) const {
    if (state.phase != Phase::kOrder) return nullptr;
    Value::List contenders, drawn;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if ((state.contenders >> seat & 1) == 0) continue;
        contenders.emplace_back(static_cast<int>(seat));
        if (state.hands[seat][0] != 0) drawn.emplace_back(tiles_.types[state.hands[seat][0] - std::size_t{1}].id);
    }
    return Value::object(
        {{"round", int{state.round}}, {"contenders", std::move(contenders)}, {"drawn", std::move(drawn)}});
}

Value Game::information_state(const State& state, Player player) const {
    const auto players = static_cast<std::size_t>(rules_.players);
    Value::List land, meeples;
    for (const Laid& laid : land_of(state)) {
        const int x = x_of(laid.cell), y = y_of(laid.cell);
        land.push_back(
            Value::list({x, y, tiles_.types[type_of(laid.code)].id, static_cast<int>(rotation_of(laid.code))}));
        if (laid.seat >= 0) meeples.push_back(Value::list({x, y, kSegmentNames[laid.segment], int{laid.seat}}));
    }
    return Value::object({
        {"player", player},
        {"phase", kPhaseNames[static_cast<std::size_t>(state.phase)]},
        {"actor", int{state.actor}},
        {"turn", int{state.turn}},
        {"ordinary", int{state.ordinary}},
        {"again", state.again != 0},
        {"scores", Value::list_of(std::span(state.scores).first(players))},
        {"supply", Value::list_of(std::span(state.supply).first(players))},
        {"land", std::move(land)},
        {"meeples", std::move(meeples)},
        {"tile", state.tile == 0 ? Value(nullptr) : Value(tiles_.types[state.tile - std::size_t{1}].id)},
        {"cell", state.last == 0 ? Value(nullptr) : cell_value(state.tile_cells[state.last])},
        {"price", int{state.price}},
        {"buyer", int{state.buyer}},
        {"unseen", Value::list_of(unseen_counts(state, player))},
        {"pile", int{state.pile.back()}},
        {"hands", hands_value(state, player)},
        {"order", order_value(state)},
    });
}

}  // namespace tilery::carcassonne
