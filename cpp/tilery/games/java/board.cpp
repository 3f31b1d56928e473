// SPDX-License-Identifier: MIT
#include "tilery/games/java/board.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "tilery/core/errors.hpp"

namespace tilery::data {
const Value& java_board_153();
const Value& java_board_155();
}  // namespace tilery::data

namespace tilery::java {
namespace {

constexpr std::array<Space, kDirections> kSteps{{{0, 2}, {1, 1}, {1, -1}, {0, -2}, {-1, -1}, {-1, 1}}};

Space operator+(Space a, Space b) { return {a.row + b.row, a.column + b.column}; }

std::string name_of(Space space) { return std::to_string(space.row) + "." + std::to_string(space.column); }

[[noreturn]] void refuse(const std::string& reason) { throw OptionError("board: " + reason); }

std::string list_of(Ground ground) { return std::string(kGroundLists[index(ground)].first); }

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
    if (option == Value(Rules::kShipped[0])) return data::java_board_153();
    if (option == Value(Rules::kShipped[1])) return data::java_board_155();
    if (option.get<Value::Object>() != nullptr) return option;
    refuse_option("board", R"("java-153", "java-155", a path or a board object)", option);
}

}  // namespace

Value read_board_option(const Value& given) {
    static_cast<void>(Board(given));
    return given;
}

Value write_board_option(const Value& board) { return board; }

// Checked in the order of docs/rules/java.md; the first failure is named.
Board::Board(const Value& option) {
    read_lists(board_object(option));
    if (std::find(ground.begin(), ground.end(), Ground::kLand) == ground.end()) refuse("land must not be empty");
    check_outside();
    check_size();
    for (const Space space : spaces) {
        auto& around = neighbour.emplace_back();
        for (std::size_t d = 0; d < kDirections; ++d) around[d] = find(space + kSteps[d]);
    }
    check_connected();
}

// The spaces of the four lists in ascending order, each with its ground.
void Board::read_lists(const Value& object) {
    std::vector<std::pair<Space, Ground>> all;
    for (const auto& [list_name, here] : kGroundLists) {
        const Value* const list = object.find(list_name);
        if (list == nullptr) refuse("the list '" + std::string(list_name) + "' is missing");
        const auto* const entries = list->get<Value::List>();
        if (entries == nullptr) refuse(std::string(list_name) + " must be a list, got " + list->json());
        for (const Value& entry : *entries) all.emplace_back(read_space(entry, list_name), here);
    }
    std::sort(all.begin(), all.end());
    const auto twice = std::ranges::adjacent_find(all, {}, &std::pair<Space, Ground>::first);
    if (twice != all.end()) {
        refuse("space " + name_of(twice->first) + " is listed twice, in " + list_of(twice->second) + " and in " +
               list_of((twice + 1)->second));
    }
    for (const auto& [space, here] : all) {
        spaces.push_back(space);
        ground.push_back(here);
    }
}

// JA-2.
void Board::check_size() const {
    const int rows = spaces.back().row - spaces.front().row + 1;
    const auto [first, last] = std::ranges::minmax(spaces, {}, &Space::skewed_column);
    const int columns = last.skewed_column() - first.skewed_column() + 1;
    if (rows <= number(kMostRows) && columns <= number(kMostSkewedColumns)) return;
    refuse("has " + std::to_string(rows) + " rows and " + std::to_string(columns) +
           " skewed columns (row + column) / 2 with the outside spaces; " + std::to_string(kMostRows) + " and " +
           std::to_string(kMostSkewedColumns) + " are the most");
}

// JA-3: outside are exactly the spaces next to the board. (Such a space may have a negative
// coordinate; it can then not be listed.)
void Board::check_outside() const {
    std::set<Space> due;
    for (std::size_t i = 0; i < size(); ++i) {
        if (outside(i)) continue;
        for (const Space step : kSteps) due.insert(spaces[i] + step);
    }
    for (std::size_t i = 0; i < size(); ++i) {
        if (outside(i) && !due.contains(spaces[i])) {
            refuse("space " + name(i) + " is listed as outside, but is not next to the board");
        }
        due.erase(spaces[i]);
    }
    if (!due.empty()) {
        refuse("space " + name_of(*due.begin()) +
               " is next to the board, but in none of the lists (an outside space is mountains or lowlands)");
    }
}

// JA-R2: land and printed irrigation are connected.
void Board::check_connected() const {
    const auto parts = connected([this](std::size_t space) { return !outside(space); });
    if (parts.size() == 1) return;
    refuse("space " + name(parts[1].front()) + " is not connected with space " + name(parts[0].front()));
}

std::uint16_t Board::find(Space space) const {
    const auto at = std::lower_bound(spaces.begin(), spaces.end(), space);
    return at != spaces.end() && *at == space ? static_cast<std::uint16_t>(at - spaces.begin()) : kNowhere;
}

std::string Board::name(std::size_t space) const { return name_of(spaces[space]); }

std::array<int, 4> Board::extent() const {
    const auto [west, east] = std::ranges::minmax(spaces, {}, &Space::column);
    return {spaces.front().row, spaces.back().row, west.column / 2, east.column / 2};
}

bool Board::perimeter(std::size_t space) const {
    return !outside(space) && std::ranges::any_of(neighbour[space], [this](auto next) { return outside(next); });
}

bool Board::buildable(std::size_t space) const {
    if (!outside(space)) return land(space);
    return std::ranges::any_of(neighbour[space], [this](auto next) { return next != kNowhere && land(next); });
}

bool Board::edge(std::size_t space) const { return buildable(space) && (outside(space) || perimeter(space)); }

std::vector<Spaces> Board::connected(const std::function<bool(std::size_t)>& member) const {
    std::vector<bool> seen(size(), false);
    std::vector<Spaces> groups;
    for (std::size_t space = 0; space < size(); ++space) {
        if (seen[space] || !member(space)) continue;
        Spaces group{space};
        seen[space] = true;
        for (std::size_t at = 0; at < group.size(); ++at) {
            for (const std::uint16_t next : neighbour[group[at]]) {
                if (next == kNowhere || seen[next] || !member(next)) continue;
                seen[next] = true;
                group.push_back(next);
            }
        }
        std::sort(group.begin(), group.end());
        groups.push_back(group);
    }
    return groups;
}

Spaces Board::tile(std::size_t first, std::size_t shape) const {
    Spaces tile{first};
    for (const Direction step : kShapeSteps[shape]) {
        if (step != kNoDirection) tile.push_back(neighbour[first][step]);
    }
    return tile;
}

namespace {

std::vector<std::size_t> spaces_where(const Board& board, bool (Board::*wanted)(std::size_t) const) {
    std::vector<std::size_t> spaces;
    for (std::size_t space = 0; space < board.size(); ++space) {
        if ((board.*wanted)(space)) spaces.push_back(space);
    }
    return spaces;
}

}  // namespace

Action Ids::add(Verb verb, std::size_t index, std::uint16_t cell) {
    moves.push_back({verb, static_cast<std::uint8_t>(index), cell});
    return count++;
}

// Tiles by direction and village; the tables are by the first space of their shape.
Action Ids::add_tiles(Verb verb, const Placings& placings, const Board& board, const Numbers& cell_of,
                      std::array<IdTable, kDirections>& tables) {
    const auto next = [&board](std::size_t space, std::size_t direction) {
        const std::uint16_t there = board.neighbour[space][direction];
        return there != kNowhere && board.buildable(there) ? there : kNowhere;
    };
    const Action base = count;
    for (std::size_t d = 0; d < kDirections; ++d) {
        for (const std::size_t space : spaces_where(board, &Board::buildable)) {
            if (next(space, d) == kNowhere) continue;
            if (verb == Verb::kThree && next(space, clockwise(d)) == kNowhere) continue;
            const Direction first = placings[d].first;
            const std::size_t at = first == kNoDirection ? space : board.neighbour[space][first];
            tables[d][cell_of[at]] = static_cast<std::uint16_t>(add(verb, d, cell_of[space]) - base);
        }
    }
    return base;
}

Action Ids::add_spaces(Verb verb, std::size_t index, const std::vector<std::size_t>& spaces, const Numbers& cell_of,
                       IdTable& table) {
    const Action base = count;
    for (const std::size_t space : spaces) {
        table[cell_of[space]] = static_cast<std::uint16_t>(add(verb, index, cell_of[space]) - base);
    }
    return base;
}

Ids::Ids(const Board& board, const Numbers& cell_of, bool irrigation_on_perimeter) {
    for (std::uint16_t id = 0; id < kFirstTile; ++id) plain[id] = id;
    for (std::size_t kind = 0; kind < kKinds; ++kind) add(Verb::kDraw, kind);
    for (const Verb verb : {Verb::kEnd, Verb::kExtra, Verb::kOpen, Verb::kPile, Verb::kStop, Verb::kPass}) add(verb);
    for (std::size_t kind = 0; kind < kKinds; ++kind) add(Verb::kLay, kind);
    three = add_tiles(Verb::kThree, kThreePlacings, board, cell_of, three_at);
    two = add_tiles(Verb::kTwo, kTwoPlacings, board, cell_of, two_at);

    const auto anywhere = spaces_where(board, &Board::buildable), edges = spaces_where(board, &Board::edge);
    auto irrigable = spaces_where(board, &Board::land);
    if (!irrigation_on_perimeter) std::erase_if(irrigable, [&](std::size_t space) { return board.perimeter(space); });
    rice = add_spaces(Verb::kRice, 0, anywhere, cell_of, buildable_at);
    buildable = count - rice;
    village = add_spaces(Verb::kVillage, 0, anywhere, cell_of, buildable_at);
    water = add_spaces(Verb::kWater, 0, irrigable, cell_of, water_at);
    enter = add_spaces(Verb::kEnter, 0, edges, cell_of, edge_at);
    leave = add_spaces(Verb::kLeave, 0, edges, cell_of, edge_at);
    take_up = add_spaces(Verb::kTakeUp, 0, anywhere, cell_of, buildable_at);
    set_down = add_spaces(Verb::kSetDown, 0, anywhere, cell_of, buildable_at);
    palace = count;
    for (std::size_t value = 0; value < kPalaceValues; ++value) {
        add_spaces(Verb::kPalace, value, anywhere, cell_of, buildable_at);
    }
    festival = add_spaces(Verb::kFestival, 0, anywhere, cell_of, buildable_at);
    for (auto& tables : {&three_at, &two_at}) {
        for (IdTable& table : *tables) table.order();
    }
    for (IdTable* const table : {&plain, &buildable_at, &water_at, &edge_at}) table->order();
}

Action Ids::find(const Move& move, const Numbers& space_of) const {
    const auto order = [&](const Move& one) { return std::tuple(one.verb, one.index, space_of[one.cell]); };
    const auto found = std::ranges::lower_bound(moves, order(move), {}, order);
    return found != moves.end() && order(*found) == order(move) ? static_cast<Action>(found - moves.begin())
                                                                : kUnlisted;
}

}  // namespace tilery::java
