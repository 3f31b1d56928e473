// SPDX-License-Identifier: MIT
// Pueblo: positions as values and as numbers. Nothing is hidden.
#include <algorithm>

#include "tilery/core/value_reader.hpp"
#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

constexpr std::string_view kOwnerDigits = "0123n";

// A value that a state stores as player + 1, or 0 for nobody.
Value player_or_null(int stored) {
    if (stored == 0) return nullptr;
    return stored - 1;
}

}  // namespace

Value::Object Game::summary(const State& state) const {
    const auto owner_of = [&](std::size_t token) { return player_or_null(state.order[token]); };
    Value auction;
    if (in_auction(state)) {
        Value::List passed;
        Seats::of_word(state.passed).for_each([&](std::size_t p) { passed.emplace_back(number(p)); });
        auction = Value::object({{"opener", state.opener},
                                 {"bid", state.bid},
                                 {"bidder", player_or_null(state.bidder)},
                                 {"passed", passed}});
    }
    return {{"part", state.part},
            {"step", kPhaseNames[state.phase]},
            {"player", current_player(state)},
            {"order", Value::list_of(index(rules_.players), owner_of)},
            {"scores", Value::list_of(state.points.first(rules_.players))},
            {"chieftain", state.chieftain},
            {"supply", Value::list_of(state.supply.first(rules_.players))},
            {"aside", state.aside},
            {"auction", auction}};
}

Value Game::information_state(const State& state, Player) const {
    const auto column = [&](std::size_t square) {
        std::string owners;
        for (int level = 0; level < state.heights[square]; ++level) {
            owners += kOwnerDigits[index(owner(state, number(square), level))];
        }
        return owners;
    };
    Value::Object all = summary(state);
    const auto auction = all.back();  // comes last, and in the pro game alone
    all.back() = {"columns", Value::list_of(kSquares, column)};
    if (rules_.demolition) all.emplace_back("blocks", block_numbers(state));
    if (rules_.pro) all.push_back(auction);
    return all;
}

// No view gives more than one cube of each level, and there are no more views than actions and spaces of the
// lap; bids are paid in actions of their own, as many as there can be.
int Game::most_points() const { return kMostLevels * (kMostLevels + 1) / 2 * (max_decisions() + kSpaces); }

namespace {

// By code, of which there are 1 to 5.
template <class T>
using PerOwner = Keyed<T, std::size_t{1} << kCodeBits>;

// The levels, as bits, on which each square has a cube of this code.
ByteCells levels_of(const State& state, int code) {
    ByteCells levels;
    for (std::size_t square = 0; square < kSquares; ++square) {
        unsigned all = 0xFF;
        for (std::size_t b = 0; b < kCodeBits; ++b) all &= state.cubes[b][square] ^ ((code >> b & 1) - 1U);
        levels[square] = static_cast<std::uint8_t>(all);
    }
    return levels;
}

// The code of the topmost cube on each square, or 0.
ByteCells top_codes(const State& state) {
    ByteCells codes;
    for (std::size_t square = 0; square < kSquares; ++square) {
        const unsigned levels = state.cubes[0][square] | state.cubes[1][square] | state.cubes[2][square];
        const unsigned top = levels ^ levels >> 1;  // every level below has a cube, too
        unsigned code = 0;
        for (std::size_t b = 0; b < kCodeBits; ++b) code |= ((state.cubes[b][square] & top) != 0 ? 1U : 0U) << b;
        codes[square] = static_cast<std::uint8_t>(code);
    }
    if (has_high_cubes(state)) {
        for (std::size_t square = 0; square < kSquares; ++square) {
            const int height = state.heights[square];
            if (height > kLowLevels) codes[square] = static_cast<std::uint8_t>(code_at(state, square, height - 1));
        }
    }
    return codes;
}

}  // namespace

void Game::write_building(const State& state, auto& out) const {
    // Neutral comes after the seats.
    const auto by_owner = [&](auto&& write) {
        out.seats([&](std::size_t seat) { write(code_of(number(seat))); });
        write(code_of(kNeutral));
    };
    out.part("height", kMostLevels, kLowLevels).cells([&](std::size_t square) { return state.heights[square]; });
    out.part("above_level_8", kMostLevels - kLowLevels, kLowLevels).cells([&](std::size_t square) {
        return std::max(0, state.heights[square] - kLowLevels);
    });
    out.part("sacred_sites", 1).set(covered_);
    const ByteCells tops = top_codes(state);
    out.part("top_owner", 1);
    by_owner([&](int code) { out.cells([&](std::size_t square) { return tops[square] == code; }); });
    PerOwner<ByteCells> levels{};
    by_owner([&](int code) { levels[index(code)] = levels_of(state, code); });
    out.part("owner_by_level", 1);
    for (int level = 0; level < kLowLevels; ++level) {
        by_owner([&](int code) {
            const ByteCells& sets = levels[index(code)];
            out.cells([&, level](std::size_t square) { return sets[square] >> level & 1; });
        });
    }
    Squares looked;
    for (const std::uint8_t square : looked_at(state.chieftain)) looked.insert(square);
    const bool corner = state.chieftain % (kSide + 1) == 0;
    out.part("chieftain_line", 1);
    for (int side = 0; side < 4; ++side) {
        out.set(!corner && state.chieftain / (kSide + 1) == side ? looked : Squares{});
    }
    out.part("chieftain_quarter", 1).set(corner ? looked : Squares{});
}

void Game::write_observation(const State& state, auto& out) const {
    write_building(state, out);
    const auto by_seat = [&](std::string_view name, int most, int divisor, auto&& value) {
        out.part(name, most, divisor).seats([&](std::size_t seat) { out.number(value(seat)); });
    };
    out.in_bytes(
        "points", "points_above_255", [this] { return most_points(); }, 100,
        [&](auto split) { out.seats([&](std::size_t seat) { out.number(split(state.points[seat])); }); });
    by_seat("coloured", 8, 8, [&](std::size_t seat) { return state.supply[seat][0]; });
    by_seat("neutral", 8, 8, [&](std::size_t seat) { return state.supply[seat][1]; });
    out.part("to_act", 1).one_seat(current_player(state));
    by_seat("token", rules_.players, rules_.players, [&](std::size_t seat) {
        const auto token = std::find(state.order.begin(), state.order.end(), number(seat) + 1);
        return token == state.order.end() ? 0 : token - state.order.begin() + 1;
    });
    out.part("step", 1).one_hot(kPhases - 1, index(state.phase));
    out.part("part", 1).one_hot(3, index(state.part - 1));
    if (rules_.demolition) out.part("removable", 1).set(unburdened(state));
    if (!rules_.pro) return;
    out.part("aside", kAsidePairs, kAsidePairs).number(state.aside);
    out.part("bid", rules_.max_bid, rules_.max_bid).number(state.bid);
    out.part("bidder", 1).one_seat(state.bidder - 1);
    out.part("opener", 1).one_seat(in_auction(state) ? Player{state.opener} : -1);
    by_seat("passed", 1, 1, [&](std::size_t seat) { return state.passed >> seat & 1; });
}

std::vector<ObservationPart> Game::observation_parts() const {
    ObservationCounter counter({kSide, kSide}, rules_.players);
    write_observation(initial_state(), counter);
    return std::move(counter).parts();
}

template <class Number>
void Game::observe(const State& state, Player player, std::span<Number> out) const {
    ObservationWriter writer({kSide, kSide}, rules_.players, player, out);
    write_observation(state, writer);
}
template void Game::observe(const State&, Player, std::span<float>) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>) const;

// ---- reading a position

void Game::read_building(const ValueReader& columns, State& state) const {
    columns.items(kSquares, [&](std::size_t square, const ValueReader& column) {
        const std::string& owners = column.text();
        if (owners.size() > kMostLevels) column.refuse("a string of at most 37 owners");
        for (const char digit : owners) {
            const std::size_t whose = kOwnerDigits.find(digit);
            if (whose == kOwnerDigits.npos) column.refuse("a string of the owners 0, 1, 2, 3 and n");
            if (high_cubes_before(state, kSquares) == kMostBlocks * kCubes) column.refuse("lower");
            pile_up(state, square, 1, code_of(number(whose)));
        }
    });
}

// The blocks of a building from their numbers, which follow the order of blocks in a state.
void Game::read_blocks(const ValueReader& numbers, State& state) const {
    Keyed<FixedVector<Block, kCubes>, kMostBlocks> cubes{};  // of each block, as blocks of shape 0
    numbers.items(kSquares, [&](std::size_t square, const ValueReader& column) {
        column.items(state.heights[square], [&](std::size_t level, const ValueReader& item) {
            auto& block = cubes[item.integer(0, kMostBlocks - 1)];
            if (block.size() == kCubes) item.refuse("a block of four cubes");
            block.push_back(Narrow<Block>(number(square << 10 | level << 4)));
        });
    });
    for (const auto& block : cubes) {
        if (block.empty()) continue;
        const Block lowest = block[0];  // on the first square, since squares ascend
        for (int shape = 0; shape < shapes_.size(); ++shape) {
            const auto fits = [&](Block cube) {
                return std::ranges::any_of(shapes_[shape], [&](const Column& column) {
                    const int above = level_of(cube) - level_of(lowest) - column.level;
                    return first_square(lowest) + column.square == first_square(cube) && above >= 0 &&
                           above < column.cubes;
                });
            };
            if (block.size() == kCubes && std::ranges::all_of(block, fits)) {
                state.blocks.push_back(Narrow<Block>(lowest | shape));
            }
        }
    }
}

State Game::state_of(const Value& position) const {
    const ValueReader reader(position, "position");
    constexpr int kMost = 255;  // fault() knows what can be
    const std::size_t players = index(rules_.players);
    State state{};
    state.part = reader.at("part").integer(1, 3);
    const ValueReader step = reader.at("step");
    const auto phase = std::ranges::find(kPhaseNames, step.text());
    if (phase == kPhaseNames.end()) step.refuse("place, move, remove, bid, token or over");
    state.phase = static_cast<Phase>(phase - kPhaseNames.begin());
    const bool over = state.phase == Phase::kOver;
    state.player = over ? 0 : reader.at("player").integer(0, rules_.players - 1);
    reader.at("order").items(players, [&](std::size_t token, const ValueReader& owner) {
        state.order[token] = owner.is_null() ? 0 : owner.integer(0, rules_.players - 1) + 1;
    });
    reader.at("scores").items(
        players, [&](std::size_t p, const ValueReader& points) { state.points[p] = points.integer(0, most_points()); });
    state.chieftain = reader.at("chieftain").integer(0, kSpaces - 1);
    reader.at("supply").items(
        players, [&](std::size_t p, const ValueReader& blocks) { blocks.integers(state.supply[p], 2, 0, kMost); });
    state.aside = reader.at("aside").integer(0, kAsidePairs);
    read_building(reader.at("columns"), state);
    if (rules_.demolition) read_blocks(reader.at("blocks"), state);
    if (in_auction(state) && rules_.pro) {
        const ValueReader auction = reader.at("auction");
        state.opener = auction.at("opener").integer(0, rules_.players - 1);
        state.bid = auction.at("bid").integer(0, rules_.max_bid);
        const ValueReader bidder = auction.at("bidder");
        state.bidder = bidder.is_null() ? 0 : bidder.integer(0, rules_.players - 1) + 1;
        const ValueReader passed = auction.at("passed");
        passed.items(passed.size(players),
                     [&](std::size_t, const ValueReader& p) { state.passed |= 1 << p.integer(0, rules_.players - 1); });
    } else if (!over) {  // the place in the order of the player to act
        const auto turn = std::find(state.order.begin(), state.order.end(), state.player + 1);
        if (turn != state.order.end()) state.turn = number(index(turn - state.order.begin()));
    }
    if (state.phase == Phase::kRemove) state.removable = recomputed_removable(state, state.player);
    return state;
}

}  // namespace tilery::pueblo
