// SPDX-License-Identifier: MIT
#include "tilery/games/java/board.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "tilery/core/errors.hpp"

namespace tilery::data {
const Value& java_board_153();
const Value& java_board_155();
}  // namespace tilery::data

namespace tilery::java {
namespace {

constexpr int kMostCoordinate = 9999;
constexpr std::array<Space, kDirections> kSteps{{{0, 2}, {1, 1}, {1, -1}, {0, -2}, {-1, -1}, {-1, 1}}};

Space operator+(Space a, Space b) { return {a.row + b.row, a.column + b.column}; }

std::string name_of(Space space) { return std::to_string(space.row) + "." + std::to_string(space.column); }

[[noreturn]] void refuse(const std::string& reason) { throw OptionError("board: " + reason); }

// The lists of a board object, by ground.
constexpr std::array<std::string_view, 4> kLists{"land", "printed_irrigation", "outside_mountains", "outside_lowlands"};

Space read_space(const Value& entry, std::string_view list) {
    const auto* pair = entry.get<Value::List>();
    std::array<int, 2> numbers{};
    bool good = pair != nullptr && pair->size() == numbers.size();
    for (std::size_t i = 0; good && i < numbers.size(); ++i) {
        const auto* number = (*pair)[i].get<std::int64_t>();
        good = number != nullptr && *number >= 0 && *number <= kMostCoordinate;
        if (good) numbers[i] = static_cast<int>(*number);
    }
    if (!good || (numbers[0] + numbers[1]) % 2 != 0) {
        refuse(std::string(list) + " must hold pairs [row, column] of integers from 0 to " +
               std::to_string(kMostCoordinate) + " with an even sum, got " + entry.json());
    }
    return {numbers[0], numbers[1]};
}

const Value& board_object(const Value& option) {
    if (const auto* name = option.get<std::string>(); name != nullptr) {
        if (*name == Rules::kShipped[0]) return data::java_board_153();
        if (*name == Rules::kShipped[1]) return data::java_board_155();
        refuse_option("board", R"("java-153", "java-155", a path or a board object)", option);
    }
    if (option.get<Value::Object>() == nullptr) {
        refuse_option("board", R"("java-153", "java-155", a path or a board object)", option);
    }
    return option;
}

}  // namespace

Value read_board_option(const Value& given) {
    static_cast<void>(Board(given));
    return given;
}

Value write_board_option(const Value& board) { return board; }

Board::Board(const Value& option) {
    const Value& object = board_object(option);
    std::vector<std::pair<Space, Ground>> all;
    for (std::size_t g = 0; g < kLists.size(); ++g) {
        const Value* const list = object.find(kLists[g]);
        if (list == nullptr) refuse("the list '" + std::string(kLists[g]) + "' is missing");
        const auto* const entries = list->get<Value::List>();
        if (entries == nullptr) refuse(std::string(kLists[g]) + " must be a list, got " + list->json());
        for (const Value& entry : *entries) {
            all.emplace_back(read_space(entry, kLists[g]), static_cast<Ground>(g));
        }
    }
    std::sort(all.begin(), all.end());
    const auto twice =
        std::adjacent_find(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != all.end()) {
        const Ground other = (twice + 1)->second;
        refuse("space " + name_of(twice->first) + " is listed twice, in " +
               std::string(kLists[static_cast<std::size_t>(twice->second)]) + " and in " +
               std::string(kLists[static_cast<std::size_t>(other)]));
    }
    for (const auto& [space, ground_here] : all) {
        spaces.push_back(space);
        ground.push_back(ground_here);
    }
    if (std::find(ground.begin(), ground.end(), Ground::kLand) == ground.end()) refuse("land must not be empty");
    // JA-3: outside are exactly the spaces next to the board. (Such a space may have a negative
    // coordinate, and can then not be listed.)
    std::set<Space> due;
    for (std::size_t i = 0; i < size(); ++i) {
        if (outside(i)) continue;
        for (const Space step : kSteps) due.insert(spaces[i] + step);
    }
    for (std::size_t i = 0; i < size(); ++i) {
        if (outside(i) && due.count(spaces[i]) == 0) {
            refuse("space " + name(i) + " is listed as outside, but is not next to the board");
        }
        due.erase(spaces[i]);
    }
    if (!due.empty()) {
        refuse("space " + name_of(*due.begin()) +
               " is next to the board, but in none of the lists (an outside space is mountains or lowlands)");
    }
    if (size() > kMostSpaces) {
        refuse("has " + std::to_string(size()) + " spaces with those outside; " + std::to_string(kMostSpaces) +
               " are the most");
    }
    for (const Space space : spaces) {
        auto& around = neighbour.emplace_back();
        for (std::size_t d = 0; d < kDirections; ++d) around[d] = find(space + kSteps[d]);
    }
    // JA-R2: the board hangs together.
    std::vector<bool> reached(size(), false);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size(); ++i) {
        if (outside(i) || reached[i]) continue;
        if (!open.empty()) refuse("space " + name(i) + " is not connected with space " + name(open.front()));
        open.push_back(i);
        reached[i] = true;
        for (std::size_t at = 0; at < open.size(); ++at) {
            for (const std::uint16_t next : neighbour[open[at]]) {
                if (next == kNowhere || outside(next) || reached[next]) continue;
                reached[next] = true;
                open.push_back(next);
            }
        }
    }
}

std::uint16_t Board::find(Space space) const {
    const auto at = std::lower_bound(spaces.begin(), spaces.end(), space);
    return at != spaces.end() && *at == space ? static_cast<std::uint16_t>(at - spaces.begin()) : kNowhere;
}

std::string Board::name(std::size_t space) const { return name_of(spaces[space]); }

std::array<int, 4> Board::extent() const {
    const auto [west, east] =
        std::minmax_element(spaces.begin(), spaces.end(), [](Space a, Space b) { return a.column < b.column; });
    return {spaces.front().row, spaces.back().row, west->column / 2, east->column / 2};
}

bool Board::perimeter(std::size_t space) const {
    return !outside(space) && std::any_of(neighbour[space].begin(), neighbour[space].end(),
                                          [this](std::uint16_t next) { return outside(next); });
}

bool Board::buildable(std::size_t space) const {
    if (!outside(space)) return land(space);
    return std::any_of(neighbour[space].begin(), neighbour[space].end(),
                       [this](std::uint16_t next) { return next != kNowhere && land(next); });
}

bool Board::edge(std::size_t space) const { return buildable(space) && (outside(space) || perimeter(space)); }

Ids::Ids(const Board& board, const Numbers& cell_of, bool irrigation_on_perimeter) {
    const auto next = [&board](std::size_t space, std::size_t direction) {
        const std::uint16_t there = board.neighbour[space][direction];
        return there != kNowhere && board.buildable(there) ? there : kNowhere;
    };
    std::iota(plain.begin(), plain.end(), std::uint16_t{0});
    for (auto* tables : {&three_at, &two_at}) {
        for (Table& table : *tables) table.fill(kNowhere);
    }
    for (Table* table : {&buildable_at, &water_at, &edge_at}) table->fill(kNowhere);

    const auto now = [this] { return static_cast<Action>(moves.size()); };
    const auto add = [this](Kind kind, std::size_t index = 0, std::uint16_t cell = 0) {
        moves.push_back({kind, static_cast<std::uint8_t>(index), cell});
    };
    for (std::size_t kind = 0; kind < kKinds; ++kind) add(Kind::kDraw, kind);
    for (const Kind kind : {Kind::kEnd, Kind::kExtra, Kind::kOpen, Kind::kPile, Kind::kStop, Kind::kPass}) add(kind);
    for (std::size_t kind = 0; kind < kKinds; ++kind) add(Kind::kLay, kind);

    // Tiles, by direction and village; the tables are by the first space of their shape.
    const auto add_tiles = [&](Kind kind, const auto& placings, auto& tables) {
        const Action base = now();
        for (std::size_t d = 0; d < kDirections; ++d) {
            for (std::size_t space = 0; space < board.size(); ++space) {
                if (!board.buildable(space) || next(space, d) == kNowhere) continue;
                if (kind == Kind::kThree && next(space, (d + 1) % kDirections) == kNowhere) continue;
                const Direction first = placings[d].first;
                const std::size_t at = first == kDirections ? space : board.neighbour[space][first];
                tables[d][cell_of[at]] = static_cast<std::uint16_t>(now() - base);
                add(kind, d, cell_of[space]);
            }
        }
        return base;
    };
    three = add_tiles(Kind::kThree, kThreePlacings, three_at);
    two = add_tiles(Kind::kTwo, kTwoPlacings, two_at);

    const auto add_spaces = [&](Kind kind, std::size_t index, Table& table, auto&& wanted) {
        const Action base = now();
        for (std::size_t space = 0; space < board.size(); ++space) {
            if (!wanted(space)) continue;
            table[cell_of[space]] = static_cast<std::uint16_t>(now() - base);
            add(kind, index, cell_of[space]);
        }
        return base;
    };
    const auto any = [&board](std::size_t space) { return board.buildable(space); };
    const auto edges = [&board](std::size_t space) { return board.edge(space); };
    rice = add_spaces(Kind::kRice, 0, buildable_at, any);
    buildable = now() - rice;
    village = add_spaces(Kind::kVillage, 0, buildable_at, any);
    water = add_spaces(Kind::kWater, 0, water_at, [&](std::size_t space) {
        return board.land(space) && (irrigation_on_perimeter || !board.perimeter(space));
    });
    enter = add_spaces(Kind::kEnter, 0, edge_at, edges);
    leave = add_spaces(Kind::kLeave, 0, edge_at, edges);
    take_up = add_spaces(Kind::kTakeUp, 0, buildable_at, any);
    set_down = add_spaces(Kind::kSetDown, 0, buildable_at, any);
    palace = now();
    for (std::size_t value = 0; value < kPalaceValues; ++value) add_spaces(Kind::kPalace, value, buildable_at, any);
    festival = add_spaces(Kind::kFestival, 0, buildable_at, any);
    count = now();
}

}  // namespace tilery::java
