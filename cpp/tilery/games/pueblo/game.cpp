// SPDX-License-Identifier: MIT
// Pueblo: options, building, and the position in words and numbers.
#include "tilery/games/pueblo/game.hpp"

#include <algorithm>

#include "tilery/core/token.hpp"
#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

// R and L of each direction, as steps from the apex (PB-4, PB-29).
struct Arms {
    int right, left;
};
constexpr std::array<Arms, 4> kArms{{{1, kSide}, {kSide, -1}, {-kSide, 1}, {-1, -kSide}}};

// The apexes of the windows inside the site.
constexpr Fits kInside = [] {
    Fits inside{};
    for (int rank = 0; rank < kSide; ++rank) {
        for (int file = 0; file < kSide; ++file) {
            const auto square = std::uint64_t{1} << (kSide * rank + file);
            const bool east = file < kSide - 1, west = file > 0, north = rank < kSide - 1, south = rank > 0;
            if (north && east) inside[0] |= square;
            if (north && west) inside[1] |= square;
            if (south && east) inside[2] |= square;
            if (south && west) inside[3] |= square;
        }
    }
    return inside;
}();
static_assert(std::popcount(kInside[0]) + std::popcount(kInside[1]) + std::popcount(kInside[2]) +
                  std::popcount(kInside[3]) ==
              kWindows);

constexpr std::uint64_t bit(int square) { return std::uint64_t{1} << square; }

std::string square_name(int square) {
    return {static_cast<char>('a' + square % kSide), static_cast<char>('1' + square / kSide)};
}

int read_square(TokenReader& reader) {
    const std::size_t file = reader.one_of("abcdefgh", "a file from a to h");
    const std::size_t rank = reader.one_of("12345678", "a rank from 1 to 8");
    return static_cast<int>(kSide * rank + file);
}

// An apex and a direction whose window lies inside the site (PB-30).
Site read_window(TokenReader& reader) {
    const int apex = read_square(reader);
    for (std::size_t d = 0; d < kDirections.size(); ++d) {
        if (!reader.accept(kDirections[d])) continue;
        if ((kInside[d] & bit(apex)) == 0) reader.fail("the window leaves the site");
        return {static_cast<std::uint8_t>(apex), static_cast<Direction>(d)};
    }
    reader.fail("expected a direction: ne, nw, se or sw");
}

std::string window_name(int apex, Direction direction) {
    return square_name(apex) + std::string(kDirections[static_cast<std::size_t>(direction)]);
}

std::uint64_t squares_of(const Site& site) {
    const Arms arms = kArms[static_cast<std::size_t>(site.direction)];
    return bit(site.apex) | bit(site.apex + arms.right) | bit(site.apex + arms.left);
}

// Which of A, R, L gets two cubes depends on how L stands to A: lower, level or higher (PB-4).
enum Role : std::size_t { kApex, kRight, kLeft };
constexpr std::array<Role, 3> kDoubled{kLeft, kRight, kApex};
// On which of the block's two levels each column begins.
constexpr std::array<std::array<std::int8_t, 3>, 3> kBottom{{{0, 0, 1}, {0, 0, 0}, {1, 1, 0}}};

constexpr std::string_view kOwnerDigits = "0123n";

}  // namespace

// ---- options

Sites Rules::read_sites(const Value& value) {
    constexpr std::string_view kAllowed = "a list of at most 4 sacred sites such as \"d4ne\" inside the site";
    const auto* list = value.get<Value::List>();
    if (list == nullptr || list->size() > kMostSites) refuse_option("sites", kAllowed, value);
    Sites sites;
    for (const Value& item : *list) {
        const auto* text = item.get<std::string>();
        if (text == nullptr) refuse_option("sites", kAllowed, value);
        try {
            TokenReader reader(*text);
            const Site site = read_window(reader);
            reader.end();
            sites.push_back(site);
        } catch (const ParseError& error) {
            throw OptionError("sites must be " + std::string(kAllowed) + ", got " + value.json() + ": " + error.what());
        }
    }
    std::sort(sites.begin(), sites.end());  // PB-27
    return sites;
}

Value Rules::write_sites(const Sites& sites) {
    Value::List list;
    for (const Site& site : sites) list.emplace_back(window_name(site.apex, site.direction));
    return list;
}

Game::Game(const Rules& rules) : rules_(read_rules<Rules>(write_rules(rules))) {
    if (rules_.first_bidder >= rules_.players) {
        refuse_option("first_bidder", "a player from 0 to " + std::to_string(rules_.players - 1), rules_.first_bidder);
    }
    for (const Site& site : rules_.sites) {
        if ((covered_ & pueblo::squares_of(site)) != 0) {
            refuse_option("sites", "tiles that share no square", Rules::write_sites(rules_.sites));
        }
        covered_ |= pueblo::squares_of(site);
    }

    remove_ = 2 * kWindows + kMostSteps;
    bid_ = remove_ + (rules_.demolition ? kRemovable : 0);
    pass_ = bid_ + (rules_.pro ? rules_.max_bid : 0);
    token_ = pass_ + (rules_.pro ? 1 : 0);
    end_ = token_ + (rules_.pro ? rules_.players : 0);

    for (std::size_t d = 0; d < 4; ++d) {
        Arms arms = kArms[d];
        if (rules_.handedness == Handedness::left) std::swap(arms.right, arms.left);  // PB-2
        for (int apex = 0; apex < kSquares; ++apex) {
            if ((kInside[d] & bit(apex)) == 0) continue;
            const int right = apex + arms.right, left = apex + arms.left;
            windows_[static_cast<std::size_t>(Choices::window_id(d, apex))] = {
                static_cast<std::uint8_t>(apex), static_cast<std::uint8_t>(right), static_cast<std::uint8_t>(left)};
            if ((covered_ & (bit(apex) | bit(right) | bit(left))) == 0) open_[d] |= bit(apex);
        }
        for (std::size_t doubled = 0; doubled < 3; ++doubled) {
            const std::array<int, 3> squares{0, arms.right, arms.left};
            const auto first =
                static_cast<std::size_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
            for (std::size_t role = 0; role < 3; ++role) {
                shapes_[3 * d + doubled][role] = {
                    static_cast<std::int8_t>(squares[role] - squares[first]),
                    static_cast<std::int8_t>(kBottom[doubled][role] - kBottom[doubled][first]),
                    static_cast<std::uint8_t>(role == doubled ? 2 : 1)};
            }
        }
    }
}

int Game::max_game_length() const {
    const int n = rules_.players, blocks = n * (2 * kPairs[static_cast<std::size_t>(n)] + 1);
    int length = 2 * blocks;
    if (rules_.demolition) length += (n + 1) * blocks;
    if (rules_.pro) length += (rules_.demolition ? 3 : 2) * ((n - 1) * rules_.max_bid + n * (n + 1) / 2 - 1);
    return length;
}

// ---- building

State Game::initial_state() const {
    State state{};
    const auto n = static_cast<std::size_t>(rules_.players);
    state.aside = rules_.pro ? kAsidePairs : 0;
    const auto pairs = static_cast<std::uint8_t>(kPairs[n] - state.aside);
    for (std::size_t p = 0; p < n; ++p) state.supply[p] = {static_cast<std::uint8_t>(pairs + 1), pairs};
    state.chieftain = static_cast<std::uint8_t>((kSide + 1) * static_cast<int>(rules_.start_corner));  // PB-12
    state.part = 1;
    if (rules_.pro) {
        open_auction(state, 1);
    } else {
        for (std::size_t p = 0; p < n; ++p) state.order[p] = static_cast<std::uint8_t>(p + 1);
        state.step = Step::place;
    }
    return state;
}

// PB-4
bool Game::window_fits(const State& state, const Window& window) const {
    const int apex = state.heights[window.apex], right = state.heights[window.right], left = state.heights[window.left];
    return ((covered_ & (bit(window.apex) | bit(window.right) | bit(window.left))) == 0) && apex == right &&
           left - apex >= -1 && left - apex <= 1;
}

// PB-16: most often one of the four directions answers for all.
bool Game::fits_anywhere(const State& state) const {
    // With R in the west or east and L in the north: ne, or nw of the left-handed block.
    const auto mirrored = static_cast<std::size_t>(rules_.handedness);
    const auto [east, north] = compare_neighbours(state.heights);
    if ((east.equal << mirrored & north.close & open_[mirrored]) != 0) return true;
    const Fits where = fits(state);
    return (where[0] | where[1] | where[2] | where[3]) != 0;
}

Choices Game::legal_actions(const State& state) const {
    switch (state.step) {
        case Step::place: {  // PB-14, PB-R2
            const auto& [coloured, neutral] = state.supply[state.player];
            return Choices::places(fits(state), coloured >= neutral, neutral >= coloured);
        }
        case Step::move:
            return Choices::row(2 * kWindows, kMostSteps);
        case Step::remove:
            return Choices::among(remove_, state.removable);
        case Step::bid:  // more than the last bid, or the pass that follows the highest
            return Choices::row(bid_ + state.bid, rules_.max_bid - state.bid + 1);
        case Step::token: {
            std::uint64_t free = 0;
            for (std::size_t token = 0; token < static_cast<std::size_t>(rules_.players); ++token) {
                if (state.order[token] == 0) free |= std::uint64_t{1} << token;
            }
            return Choices::among(token_, free);
        }
        case Step::over:
            break;
    }
    return Choices::row(0, 0);
}

bool Game::is_legal(const State& state, Action action) const {
    switch (state.step) {
        case Step::place: {
            if (action >= 2 * kWindows) return false;
            const auto& [coloured, neutral] = state.supply[state.player];
            return (action < kWindows ? coloured >= neutral : neutral >= coloured) &&
                   window_fits(state, windows_[static_cast<std::size_t>(action % kWindows)]);
        }
        case Step::move:
            return action >= 2 * kWindows && action < 2 * kWindows + kMostSteps;
        case Step::remove:
            return action >= remove_ && action < remove_ + kRemovable &&
                   (state.removable >> (action - remove_) & 1) != 0;
        case Step::bid:
            return action >= bid_ + state.bid && action <= pass_;
        case Step::token:
            return action >= token_ && action < end_ && state.order[static_cast<std::size_t>(action - token_)] == 0;
        case Step::over:
            break;
    }
    return false;
}

void Game::apply_action(State& state, Action action) const {
    switch (state.step) {
        case Step::place:
            return place(state, action);
        case Step::move:
            return move(state, action - 2 * kWindows + 1);
        case Step::remove:
            return remove(state, action - remove_);
        case Step::bid:
            return action == pass_ ? pass(state) : bid(state, action - bid_ + 1);
        case Step::token:
            return take_token(state, action - token_);
        case Step::over:
            break;
    }
}

void Game::place(State& state, Action action) const {
    // In random play colour and case have no pattern, so no branch may depend on them.
    const int neutral = action >= kWindows ? 1 : 0;
    const auto id = static_cast<std::size_t>(action - neutral * kWindows);
    const Window& window = windows_[id];
    const int code = code_of(state.player) + neutral * (kNeutral - state.player);
    const auto tilt = static_cast<std::size_t>(state.heights[window.left] - state.heights[window.apex] + 1);
    if (rules_.demolition) {
        const Role doubled = kDoubled[tilt];
        const std::size_t direction = id / (kWindows / 4);
        const int first = std::min({window.apex, window.right, window.left});
        const auto block = static_cast<Block>(first << 10 | state.heights[static_cast<std::size_t>(first)] << 4 |
                                              static_cast<int>(3 * direction + doubled));
        int before = 0;
        for (const Block standing : state.blocks) before += standing < block ? 1 : 0;
        state.blocks.insert(static_cast<std::size_t>(before), block);
    }
    build(state, window, kRises[tilt], code);
    --state.supply[state.player][static_cast<std::size_t>(neutral)];
    state.step = Step::move;
}

void Game::move(State& state, int steps) const {
    const int space = state.chieftain + steps;
    state.chieftain = static_cast<std::uint8_t>(space < kSpaces ? space : space - kSpaces);
    add_seen_from(state, state.chieftain, state.points);  // PB-10
    const int after = state.turn + 1;
    const int next = after * (after < rules_.players ? 1 : 0);
    if (state.part == 3) return give_turn(state, next);
    // PB-R4
    if (!fits_anywhere(state)) return end_building(state);  // PB-16
    const auto& [coloured, neutral] = state.supply[state.player];
    if (next == 0 && coloured + neutral == 0) {  // all have placed as many blocks
        return rules_.pro && state.part == 1 ? open_auction(state, 2) : end_building(state);
    }
    give_turn(state, next);
}

void Game::end_building(State& state) const {
    const Points seen = seen_all_round(state);  // PB-17
    for (std::size_t p = 0; p < seen.size(); ++p) state.points[p] += seen[p];
    if (!rules_.demolition) {  // PB-18
        end_game(state);
    } else if (rules_.pro) {
        open_auction(state, 3);
    } else {
        state.part = 3;
        give_turn(state, 0);
    }
}

void Game::end_game(State& state) const {
    state.step = Step::over;
    state.player = state.turn = 0;
}

int Game::owner(const State& state, int square, int level) const {
    return code_at(state, static_cast<std::size_t>(square), level) - 1;
}

PerPlayer<int> Game::scores(const State& state) const {
    PerPlayer<int> scores{};
    std::copy(state.points.begin(), state.points.end(), scores.begin());
    return scores;
}

// ---- tokens

std::string Game::action_to_string(Action action) const {
    check_action_id(action, end_);
    if (action < 2 * kWindows) {
        const auto id = static_cast<std::size_t>(action % kWindows);
        return (action < kWindows ? "C" : "N") +
               window_name(windows_[id].apex, static_cast<Direction>(id / (kWindows / 4)));
    }
    if (action < remove_) return "+" + std::to_string(action - 2 * kWindows + 1);
    if (action < bid_) return "x" + square_name(action - remove_);
    if (action < pass_) return "bid" + std::to_string(action - bid_ + 1);
    if (action < token_) return "pass";
    return "token" + std::to_string(action - token_ + 1);
}

Action Game::string_to_action(std::string_view token) const {
    TokenReader reader(token);
    Action action = 0;
    if (reader.accept("+")) {
        action = 2 * kWindows + reader.number(1, kMostSteps) - 1;
    } else if (reader.accept("x")) {
        if (!rules_.demolition) reader.fail_at(0, "blocks are removed only with demolition");
        const int square = read_square(reader);
        if (square >= kRemovable) reader.fail_at(1, "a square of rank 8 is never the first of a block");
        action = remove_ + square;
    } else if (reader.accept("bid") || reader.accept("pass") || reader.accept("token")) {
        if (!rules_.pro) reader.fail_at(0, "there are auctions only in the pro game");
        switch (token.front()) {
            case 'b':
                action = bid_ + reader.number(1, rules_.max_bid) - 1;
                break;
            case 'p':
                action = pass_;
                break;
            default:
                action = token_ + reader.number(1, rules_.players) - 1;
        }
    } else {
        const bool neutral = reader.one_of("CN", "C, N, +, x, bid, pass or token") == 1;
        const Site window = read_window(reader);
        action = (neutral ? kWindows : 0) + Choices::window_id(static_cast<std::size_t>(window.direction), window.apex);
    }
    reader.end();
    return action;
}

// ---- what a player knows

Value::Object Game::summary(const State& state) const {
    Value::List order, scores, supply;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rules_.players); ++i) {
        order.emplace_back(state.order[i] == 0 ? Value() : Value(state.order[i] - 1));
        scores.emplace_back(state.points[i]);
        supply.emplace_back(Value::list_of(state.supply[i]));
    }
    Value auction;
    if (state.step == Step::bid || state.step == Step::token) {
        Value::List passed;
        for (int p = 0; p < rules_.players; ++p) {
            if ((state.passed >> p & 1) != 0) passed.emplace_back(p);
        }
        auction = Value::object({{"opener", state.opener},
                                 {"bid", state.bid},
                                 {"bidder", state.bidder == 0 ? Value() : Value(state.bidder - 1)},
                                 {"passed", passed}});
    }
    return {{"part", state.part},
            {"step", kSteps[static_cast<std::size_t>(state.step)]},
            {"player", current_player(state)},
            {"order", order},
            {"scores", scores},
            {"chieftain", state.chieftain},
            {"supply", supply},
            {"aside", state.aside},
            {"auction", auction}};
}

Value Game::information_state(const State& state, Player) const {
    Value::List columns;
    for (int square = 0; square < kSquares; ++square) {
        std::string column;
        for (int level = 0; level < state.heights[static_cast<std::size_t>(square)]; ++level) {
            column += kOwnerDigits[static_cast<std::size_t>(owner(state, square, level))];
        }
        columns.emplace_back(column);
    }
    Value::Object all = summary(state);
    const auto auction = all.back();  // comes last, and in the pro game alone
    all.back() = {"columns", columns};
    if (rules_.demolition) all.emplace_back("blocks", block_numbers(state));
    if (rules_.pro) all.push_back(auction);
    return all;
}

std::vector<int> Game::observation_shape() const {
    const int n = rules_.players;
    return {14 * n + 25 + (rules_.demolition ? 1 : 0) + (rules_.pro ? 3 * n + 2 : 0), kSide, kSide};
}

void Game::observe(const State& state, Player player, std::span<float> out) const {
    std::fill(out.begin(), out.end(), 0.0F);
    const auto n = static_cast<std::size_t>(rules_.players);
    const auto seat = [&](std::size_t k) { return (static_cast<std::size_t>(player) + k) % n; };
    // The plane of an owner: his seat from here, and neutral after them.
    const auto plane_of = [&](int owner) {
        return owner == kNeutral ? n : (static_cast<std::size_t>(owner) + n - static_cast<std::size_t>(player)) % n;
    };
    float* plane = out.data();
    const auto fill = [&](double value) {
        std::fill_n(plane, kSquares, static_cast<float>(value));
        plane += kSquares;
    };
    const auto draw = [&](std::uint64_t set) {
        for (; set != 0; set &= set - 1) plane[std::countr_zero(set)] = 1;
        plane += kSquares;
    };

    for (std::size_t s = 0; s < kSquares; ++s) plane[s] = static_cast<float>(state.heights[s] / 8.0);
    plane += kSquares;
    for (std::size_t s = 0; s < kSquares; ++s) {
        plane[s] = static_cast<float>(std::max(0, state.heights[s] - kLowLevels) / 8.0);
    }
    plane += kSquares;
    draw(covered_);
    for (std::size_t s = 0; s < kSquares; ++s) {
        const int height = state.heights[s];
        if (height == 0) continue;
        plane[kSquares * plane_of(owner(state, static_cast<int>(s), height - 1)) + s] = 1;
        for (int level = 0; level < std::min(height, kLowLevels); ++level) {
            const std::size_t planes = (n + 1) * static_cast<std::size_t>(level + 1);
            plane[kSquares * (planes + plane_of(owner(state, static_cast<int>(s), level))) + s] = 1;
        }
    }
    plane += kSquares * (n + 1) * (kLowLevels + 1);
    std::uint64_t looked = 0;
    for (const std::uint8_t square : looked_at(state.chieftain)) looked |= bit(square);
    const int side = state.chieftain / (kSide + 1);
    const bool corner = state.chieftain % (kSide + 1) == 0;
    for (int i = 0; i < 4; ++i) draw(!corner && side == i ? looked : 0);
    draw(corner ? looked : 0);

    for (std::size_t k = 0; k < n; ++k) fill(state.points[seat(k)] / 100.0);
    for (std::size_t k = 0; k < n; ++k) fill(state.supply[seat(k)][0] / 8.0);
    for (std::size_t k = 0; k < n; ++k) fill(state.supply[seat(k)][1] / 8.0);
    for (std::size_t k = 0; k < n; ++k) fill(current_player(state) == static_cast<Player>(seat(k)) ? 1 : 0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto taken = std::find(state.order.begin(), state.order.end(), seat(k) + 1);
        fill(taken == state.order.end()
                 ? 0
                 : static_cast<double>(taken - state.order.begin() + 1) / static_cast<double>(n));
    }
    for (const Step step : {Step::place, Step::move, Step::remove, Step::bid, Step::token}) fill(state.step == step);
    for (int part = 1; part <= 3; ++part) fill(state.part == part);
    if (rules_.demolition) draw(unburdened(state));
    if (rules_.pro) {
        const bool auction = state.step == Step::bid || state.step == Step::token;
        fill(state.aside / 2.0);
        fill(static_cast<double>(state.bid) / rules_.max_bid);
        for (std::size_t k = 0; k < n; ++k) fill(state.bidder == seat(k) + 1);
        for (std::size_t k = 0; k < n; ++k) fill(auction && state.opener == seat(k));
        for (std::size_t k = 0; k < n; ++k) fill(state.passed >> seat(k) & 1);
    }
}

// ---- a board to look at

std::string Game::to_string(const State& state) const {
    constexpr std::array<std::string_view, kMostPlayers> kColours{"red", "blue", "green", "violet"};
    constexpr std::string_view kLetters = "rbgvn";
    const auto path = [&](int space) { return space == state.chieftain ? std::string("   @") : std::string("   ."); };
    std::string text = "part " + std::to_string(state.part) + ", ";
    if (state.step == Step::over) {
        text += "the game is over";
    } else {
        text += "player " + std::to_string(state.player) + " to " + (state.step == Step::token ? "choose a " : "") +
                std::string(kSteps[static_cast<std::size_t>(state.step)]);
    }
    // The path runs around the site; a square shows the owner of its topmost cube and its height.
    text += "\n\n   ";
    for (int space = kSide + 1; space <= 2 * (kSide + 1); ++space) text += path(space);
    for (int rank = kSide - 1; rank >= 0; --rank) {
        text += "\n " + std::to_string(rank + 1) + " " + path(rank + 1);
        for (int file = 0; file < kSide; ++file) {
            const int square = kSide * rank + file, height = state.heights[static_cast<std::size_t>(square)];
            std::string cell((covered_ & bit(square)) != 0 ? "##" : "-");
            if (height > 0) {
                cell = kLetters[static_cast<std::size_t>(owner(state, square, height - 1))] + std::to_string(height);
            }
            text += std::string(4 - cell.size(), ' ') + cell;
        }
        text += path(3 * (kSide + 1) - 1 - rank);
    }
    text += "\n   " + path(0);
    for (int space = kSpaces - 1; space >= 3 * (kSide + 1); --space) text += path(space);
    text += "\n       ";
    for (char file = 'a'; file <= 'h'; ++file) text += std::string("   ") + file;
    text += "\n";
    for (std::size_t p = 0; p < static_cast<std::size_t>(rules_.players); ++p) {
        text += "\nplayer " + std::to_string(p) + " (" + std::string(kColours[p]) + ")  " +
                std::to_string(state.points[p]) + " points, in hand " + std::to_string(state.supply[p][0]) +
                " coloured, " + std::to_string(state.supply[p][1]) + " neutral";
        const auto token = std::find(state.order.begin(), state.order.end(), p + 1);
        if (rules_.pro && token != state.order.end()) {
            text += ", token " + std::to_string(token - state.order.begin() + 1);
        }
        if (state.bidder == p + 1) text += ", bids " + std::to_string(state.bid);
        if ((state.passed >> p & 1) != 0) text += ", passed";
    }
    if (state.aside > 0) text += "\npairs set aside by each: " + std::to_string(state.aside);
    return text;
}

// ---- what cannot be

std::string Game::fault(const State& state) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    if (state.step > Step::over) return "no such step";
    if (state.part < 1 || state.part > 3 || (state.part == 2 && !rules_.pro) ||
        (state.part == 3 && !rules_.demolition)) {
        return "a part that these rules do not have";
    }
    if ((state.step == Step::place && state.part == 3) || (state.step == Step::remove && state.part < 3)) {
        return "a step of another part";
    }
    const bool over = state.step == Step::over;
    if (over && rules_.demolition && state.part != 3) return "no demolition";
    if (state.player >= n || (over && state.player != 0)) return "no such player to act";
    if (state.chieftain >= kSpaces) return "the chieftain is off his path";
    // No view is worth more than one cube of each level, nor are there more views than actions and lap.
    const auto most = static_cast<std::uint32_t>(kMostLevels * (kMostLevels + 1) / 2 * (max_game_length() + kSpaces));
    for (std::size_t p = 0; p < kMostPlayers; ++p) {
        if (state.points[p] > (p < n ? most : 0)) return "more points than can be given";
        if (p >= n && (state.supply[p][0] | state.supply[p][1] | state.order[p]) != 0) return "a seat too many";
    }
    std::array<int, kMostPlayers + 1> cubes{};
    std::array<int, kMostPlayers> placed{};
    std::string wrong = columns_fault(state, cubes);
    if (wrong.empty()) wrong = hands_fault(state, cubes, placed);
    if (wrong.empty()) wrong = auction_fault(state);
    if (wrong.empty()) wrong = blocks_fault(state);
    if (wrong.empty()) wrong = turns_fault(state, placed);
    return wrong;
}

// The columns, and whose the cubes are.
std::string Game::columns_fault(const State& state, std::array<int, kMostPlayers + 1>& cubes) const {
    const std::size_t most_high = kMostBlocks * kCubes;
    std::size_t high = 0;
    for (std::size_t s = 0; s < kSquares; ++s) {
        const int height = state.heights[s];
        if (height > kMostLevels) return "a column higher than all blocks reach";
        if (height > 0 && (covered_ >> s & 1) != 0) return "a cube on a sacred site";
        const int low = std::min(height, kLowLevels);
        if ((state.cubes[0][s] | state.cubes[1][s] | state.cubes[2][s]) != (1 << low) - 1) return "cubes in the air";
        for (int level = 0; level < height; ++level) {
            if (level >= kLowLevels && high >= most_high) return "more cubes than the box holds";
            const int code = level < kLowLevels ? code_at(state, s, level) : nibble(state.high_cubes, high++);
            if (code == 0 || code > code_of(kNeutral) || (code != code_of(kNeutral) && code > rules_.players)) {
                return "a cube of nobody";
            }
            ++cubes[static_cast<std::size_t>(code - 1)];
        }
    }
    for (; high < most_high; ++high) {
        if (nibble(state.high_cubes, high) != 0) return "cubes above the columns";
    }
    return "";
}

// What has been placed must not be in hand any more (PB-11, PB-14, PB-23).
std::string Game::hands_fault(const State& state, const std::array<int, kMostPlayers + 1>& cubes,
                              std::array<int, kMostPlayers>& placed) const {
    const bool auction = state.step == Step::bid || state.step == Step::token;
    const bool for_part_2 = state.part == 2 && auction;
    const bool aside = rules_.pro && (state.part == 1 || for_part_2);
    const bool ended_early = rules_.pro && state.part == 3 && state.aside == kAsidePairs;  // PB-16
    if (state.aside != (aside ? kAsidePairs : 0) && !ended_early) return "a wrong number of pairs set aside";

    const bool demolition = state.part == 3 && !auction;
    const auto astray = [demolition](int standing, int out) {
        return demolition ? standing > kCubes * out || standing % kCubes != 0 : standing != kCubes * out;
    };
    const int pairs = kPairs[static_cast<std::size_t>(rules_.players)] - state.aside;
    int neutral_out = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(rules_.players); ++p) {
        const int coloured = pairs + 1 - state.supply[p][0], neutral = pairs - state.supply[p][1];
        if (coloured < 0 || neutral < 0) return "more blocks in hand than the box holds";
        if (coloured + neutral > 0 && (coloured < 1 || coloured < neutral || coloured > neutral + 2)) {
            return "pairs out of order";
        }
        if (astray(cubes[p], coloured)) return "coloured cubes astray";
        placed[p] = coloured + neutral;
        neutral_out += neutral;
    }
    return astray(cubes[kNeutral], neutral_out) ? "neutral cubes astray" : "";
}

// Who has placed how many blocks must agree with whose turn it is.
std::string Game::turns_fault(const State& state, const std::array<int, kMostPlayers>& placed) const {
    const auto n = static_cast<std::size_t>(rules_.players);
    const bool auction = state.step == Step::bid || state.step == Step::token, over = state.step == Step::over;
    const bool out_of_turn = state.turn >= n || state.order[state.turn] != state.player + 1;
    if (auction || over ? state.turn != 0 : out_of_turn) return "a player out of turn";

    const auto [fewest, most] = std::minmax_element(placed.begin(), placed.begin() + rules_.players);
    if (*most - *fewest > 1) return "rounds out of order";
    const bool empty_hands = std::bit_cast<std::uint64_t>(state.supply) == 0;
    if (auction && state.part == 1 && *most > 0) return "an auction after building has begun";
    if (auction && state.part == 2 && !empty_hands) return "an auction in part 1";
    const int in_part_1 = 2 * (kPairs[n] - kAsidePairs) + 1;
    if (rules_.pro && state.aside == 0 && *fewest < in_part_1) return "part 2 before the end of part 1";

    if (state.part < 3 && (state.step == Step::place || state.step == Step::move)) {
        // Who comes before the player in the order has placed one block more; he too if he is to move.
        const bool has_placed = state.step == Step::move;
        const int rounds = placed[state.player] - (has_placed ? 1 : 0);
        for (std::size_t turn = 0; turn < n; ++turn) {
            const bool more = turn < state.turn || (turn == state.turn && has_placed);
            if (placed[state.order[turn] - 1U] != rounds + (more ? 1 : 0)) return "a turn out of order";
        }
        if (!has_placed && state.supply[state.player][0] + state.supply[state.player][1] == 0) {
            return "nothing to place";
        }
    }
    if (state.step == Step::place && !fits_anywhere(state)) return "building goes on where nothing fits";
    const bool just_ended = (over && !rules_.demolition) || (auction && state.part == 3);
    if (just_ended && (!empty_hands || state.aside > 0) && fits_anywhere(state)) return "building ended too early";
    return "";
}

}  // namespace tilery::pueblo

template tilery::Played tilery::playout(const tilery::pueblo::Game&, tilery::pueblo::State&, tilery::Rng&);
