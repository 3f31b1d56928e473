// SPDX-License-Identifier: MIT
// The things on the island, in space numbers and names.
#include <algorithm>
#include <functional>
#include <map>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {

int Game::height_at(const State& state, std::size_t space) const {
    int height = 0;
    for (std::size_t bit = 0; bit < planes::kHeightBits; ++bit)
        height |= tables_->has(state, planes::height(bit), space) << bit;
    return height;
}

std::size_t Game::half_palace_at(const State& state, std::size_t space) const {
    return tables_->island.palace_value(state, tables_->cell_of[space]) / 2;
}

std::vector<Spaces> Game::settlement_spaces(const State& state) const {
    return tables_->board.connected([&](std::size_t space) { return tables_->has(state, Plane::kVillage, space); });
}

bool Game::is_water(const State& state, std::size_t space) const {
    return tables_->board.ground[space] == Ground::kPrinted || tables_->has(state, Plane::kWater, space);
}

std::vector<Spaces> Game::water_bodies(const State& state) const {
    return tables_->board.connected([&](std::size_t space) { return is_water(state, space); });
}

std::vector<int> Game::heights(const State& state) const {
    std::vector<int> heights(tables_->board.size());
    for (std::size_t space = 0; space < heights.size(); ++space) heights[space] = height_at(state, space);
    return heights;
}

std::string Game::terrain(const State& state) const {
    const Board& board = tables_->board;
    std::string tops(board.size(), '.');
    for (std::size_t space = 0; space < board.size(); ++space) {
        if (board.ground[space] == Ground::kPrinted) tops[space] = '~';
        if (tables_->has(state, Plane::kWater, space)) tops[space] = 'w';
        if (tables_->has(state, Plane::kLand, space))
            tops[space] = tables_->has(state, Plane::kVillage, space) ? 'v' : 'r';
    }
    return tops;
}

Value Game::names(const Spaces& spaces) const {
    return Value::list_of(spaces.size(), [&](std::size_t i) { return tables_->board.name(spaces[i]); });
}

Spaces Game::spaces_in(const State& state, Plane plane) const {
    Spaces spaces;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        if (tables_->has(state, plane, space)) spaces.push_back(space);
    }
    return spaces;
}

Value Game::name_of_cell(std::size_t cell) const {
    return cell == kNowhere ? Value() : Value(tables_->board.name(tables_->space_of[cell]));
}

Value Game::tiles(const State& state) const {
    Value::List list;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
            if (!tables_->has(state, planes::bonds(shape), space)) continue;
            Spaces tile = tables_->board.tile(space, shape);
            std::sort(tile.begin(), tile.end());
            list.push_back(names(tile));
        }
    }
    return list;
}

Value Game::figures(const State& state) const {
    Value::List list;
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        for (std::size_t player = 0; player < kMostPlayers; ++player) {
            if (!tables_->has(state, planes::figures(player), space)) continue;
            list.push_back(Value::list({tables_->board.name(space), number(player)}));
        }
    }
    return list;
}

std::vector<tilery_java_space> Game::rows(const State& state) const {
    std::vector<tilery_java_space> rows;
    const std::string tops = terrain(state);
    for (std::size_t space = 0; space < tables_->board.size(); ++space) {
        int figure = -1;
        for (std::size_t player = 0; player < kMostPlayers; ++player) {
            if (tables_->has(state, planes::figures(player), space)) figure = number(player);
        }
        rows.push_back({height_at(state, space), tops[space], palace_at(state, space), figure});
    }
    return rows;
}

Value Game::spaces() const {
    Value::List list;
    for (const Space space : tables_->board.spaces) list.push_back(Value::list({space.row, space.column}));
    return list;
}

Value Game::board() const {
    Value::Object lists;
    for (const auto& [name, ground] : kGroundLists) {
        Value::List list;
        for (std::size_t i = 0; i < tables_->board.size(); ++i) {
            const Space space = tables_->board.spaces[i];
            if (tables_->board.ground[i] == ground) list.push_back(Value::list({space.row, space.column}));
        }
        lists.emplace_back(name, list);
    }
    return lists;
}

// JA-26: the players who are level, and their heights, best first.
Value Game::ranking(const State& state, const Spaces& place) const {
    std::map<std::vector<int>, Value::List, std::greater<>> players;
    for (std::size_t player = 0; player < kMostPlayers; ++player) {
        std::vector<int> here;
        for (const std::size_t space : place) {
            if (tables_->has(state, planes::figures(player), space)) here.push_back(height_at(state, space));
        }
        std::sort(here.rbegin(), here.rend());
        if (!here.empty()) players[here].emplace_back(number(player));
    }
    Value::List ranking;
    for (const auto& [heights, level] : players) {
        ranking.push_back(Value::object({{"players", level}, {"heights", Value::list_of(heights)}}));
    }
    return ranking;
}

Value Game::settlements(const State& state) const {
    Value::List list;
    for (const auto& settlement : settlement_spaces(state)) {
        Value palace;
        for (const std::size_t space : settlement) {
            if (const int value = palace_at(state, space); value > 0) {
                palace = Value::object({{"space", tables_->board.name(space)},
                                        {"value", value},
                                        {"fresh", tables_->has(state, Plane::kFresh, space)}});
            }
        }
        list.push_back(Value::object(
            {{"spaces", names(settlement)}, {"palace", palace}, {"ranking", ranking(state, settlement)}}));
    }
    return list;
}

Value Game::bodies(const State& state) const {
    Value::List list;
    for (const auto& body : water_bodies(state)) {
        Spaces shore, open;
        for (const std::size_t space : body) {
            for (const std::uint16_t next : tables_->board.neighbour[space]) {
                if (!is_water(state, next)) shore.push_back(next);
            }
        }
        std::sort(shore.begin(), shore.end());
        shore.erase(std::unique(shore.begin(), shore.end()), shore.end());
        std::copy_if(shore.begin(), shore.end(), std::back_inserter(open),
                     [&](std::size_t space) { return !tables_->has(state, Plane::kLand, space); });
        list.push_back(
            Value::object({{"spaces", names(body)}, {"open", names(open)}, {"ranking", ranking(state, shore)}}));
    }
    return list;
}

}  // namespace tilery::java
