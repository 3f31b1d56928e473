// SPDX-License-Identifier: MIT
// Pueblo: actions and positions in words.
#include <algorithm>

#include "tilery/core/svg.hpp"
#include "tilery/core/token.hpp"
#include "tilery/games/pueblo/game.hpp"

namespace tilery::pueblo {
namespace {

std::string squares_of(const Window& window) {
    return square_name(window.apex) + ", " + square_name(window.right) + " and " + square_name(window.left);
}

std::string points_of(int amount) { return std::to_string(amount) + (amount == 1 ? " point" : " points"); }

}  // namespace

std::string square_name(int square) {
    return std::string{"abcdefgh"[square % kSide]} + std::to_string(square / kSide + 1);
}

int read_square(TokenReader& reader) {
    const int file = number(reader.one_of("abcdefgh", "a file from a to h"));
    return kSide * number(reader.one_of("12345678", "a rank from 1 to 8")) + file;
}

std::string window_name(int apex, Direction direction) {
    return square_name(apex) + std::string(kDirections[direction]);
}

Site read_window(TokenReader& reader) {
    const int apex = read_square(reader);
    for (const Direction direction : kEachDirection) {
        if (!reader.accept(kDirections[direction])) continue;
        if (!inside(apex, direction)) reader.fail("the window leaves the site");
        return {apex, direction};
    }
    reader.fail("expected a direction: ne, nw, se or sw");
}

std::string Game::action_to_string(Action action) const {
    check_action_id(action, end_);
    const auto [phase, neutral, number] = meaning(action);
    switch (phase) {
        case Phase::kPlace:
            return (neutral ? "N" : "C") +
                   window_name(windows_[number].apex, kEachDirection[index(number / kDirectionWindows)]);
        case Phase::kMove:
            return "+" + std::to_string(number);
        case Phase::kRemove:
            return "x" + square_name(number);
        case Phase::kBid:
            return number == 0 ? "pass" : "bid" + std::to_string(number);
        default:
            return "token" + std::to_string(number + 1);
    }
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
        const char first = token.front();
        action = first == 'b'   ? bid_ + reader.number(1, rules_.max_bid) - 1
                 : first == 'p' ? pass_
                                : token_ + reader.number(1, rules_.players) - 1;
    } else {
        const bool neutral = reader.one_of("CN", "C, N, +, x, bid, pass or token") == 1;
        const auto [apex, direction] = read_window(reader);
        action = (neutral ? kWindows : 0) + LegalActions::window_id(tilery::number(index(direction)), apex);
    }
    reader.end();
    return action;
}

std::string Game::describe_action(Action action) const {
    check_action_id(action, end_);
    const auto [phase, neutral, number] = meaning(action);
    switch (phase) {
        case Phase::kPlace: {
            const Window& window = windows_[number];
            return std::string("place a ") + (neutral ? "neutral" : "coloured") + " block on " + squares_of(window);
        }
        case Phase::kMove:
            return "move the chieftain " + std::to_string(number) + (number == 1 ? " space" : " spaces");
        case Phase::kRemove:
            return "remove the block whose first square is " + square_name(number);
        case Phase::kBid:
            return number == 0 ? "pass" : "bid " + points_of(number);
        default:
            return "take token " + std::to_string(number + 1);
    }
}

// A block is pointed at by its colour and its three squares, the apex first; the chieftain by steps.
std::vector<std::string> Game::picks(Action action) const {
    check_action_id(action, end_);
    const auto [phase, neutral, number] = meaning(action);
    switch (phase) {
        case Phase::kPlace: {
            const Window& window = windows_[number];
            return {neutral ? "block:neutral" : "block:coloured", "square:" + square_name(window.apex),
                    "window:" + action_to_string(action).substr(1)};
        }
        case Phase::kMove:
            return {"steps:" + std::to_string(number)};
        case Phase::kRemove:
            return {"square:" + square_name(number)};
        case Phase::kBid:
            return {number == 0 ? std::string("pass") : "bid:" + std::to_string(number)};
        default:
            return {"token:" + std::to_string(number + 1)};
    }
}

std::string Game::describe_pick(std::string_view pick) const {
    if (pick == "block:neutral") return "a neutral block";
    if (pick == "block:coloured") return "a block of the own colour";
    constexpr std::string_view kWindow = "window:", kSteps = "steps:";
    try {
        if (pick.starts_with(kSteps))
            return describe_action(string_to_action("+" + std::string(pick.substr(kSteps.size()))));
        if (!pick.starts_with(kWindow)) return "";
        const Action action = string_to_action("C" + std::string(pick.substr(kWindow.size())));
        return "on " + squares_of(windows_[meaning(action).number]);
    } catch (const ParseError&) {  // a step of no action
        return "";
    }
}

// PB-4 to PB-6: what keeps a block from fitting on a window.
std::string Game::why_not_here(const State& state, const Window& window) const {
    const auto height = [&](int square) { return int{state.heights[index(square)]}; };
    const auto tall = [&](int square) {
        return square_name(square) + " (height " + std::to_string(height(square)) + ")";
    };
    for (const int square : {window.apex, window.right, window.left}) {
        if (covered_.has(index(square))) return "PB-5: " + square_name(square) + " is covered by a sacred site";
    }
    if (height(window.apex) != height(window.right)) {
        return "PB-4: " + tall(window.apex) + " and " + tall(window.right) + " must be equally high";
    }
    return "PB-4: " + tall(window.left) + " must be at most one level lower or higher than " + tall(window.apex);
}

// PB-19, PB-20: what keeps a block with this first square from being removed.
std::string Game::why_not_removed(const State& state, int square) const {
    bool begins = false;
    for (const Block block : state.blocks) {
        if (first_square(block) != square) continue;
        begins = true;
        if (is_removable(state, block)) {
            return "PB-19: the free block whose first square is " + square_name(square) + " belongs to player " +
                   std::to_string(block_owner(state, block));
        }
    }
    return begins ? "PB-20: other blocks are on top of those whose first square is " + square_name(square)
                  : "PB-20: no block has " + square_name(square) + " as its first square";
}

std::string Game::why_illegal(const State& state, Action action) const {
    static constexpr Keyed<std::string_view, kPhases> kDue{
        "PB-13: player P is to place a block",  "PB-13: player P is to move the chieftain by 1 to 4 spaces",
        "PB-19: player P is to remove a block", "PB-26: player P is to bid or pass",
        "PB-25: player P is to take a token",   ""};
    const auto [phase, neutral, number] = meaning(action);
    const std::string player = std::to_string(state.player);
    if (phase != state.phase) {
        std::string due(kDue[state.phase]);
        due.replace(due.find('P', 3), 1, player);
        return due;
    }
    switch (phase) {
        case Phase::kPlace: {
            const auto [coloured, neutrals] = state.supply[state.player].items_;
            if (neutral && neutrals < coloured)
                return "PB-14: the next block of player " + player + " must be coloured";
            if (!neutral && coloured < neutrals)
                return "PB-14: the next block of player " + player + " must be neutral";
            return why_not_here(state, windows_[number]);
        }
        case Phase::kRemove:
            return why_not_removed(state, number);
        case Phase::kBid:
            return "PB-26: a bid must be higher than the last, which was " + points_of(state.bid);
        default:
            return "PB-25: player " + std::to_string(state.order[number] - 1) + " has token " +
                   std::to_string(number + 1);
    }
}

// The path runs around the site; a square shows the owner of its topmost cube and its height.
std::string Game::to_string(const State& state) const {
    const auto path = [&](int space) { return space == state.chieftain ? std::string("   @") : std::string("   ."); };
    std::string text = "part " + std::to_string(state.part) + ", ";
    if (state.phase == Phase::kOver) {
        text += "the game is over";
    } else {
        text += "player " + std::to_string(state.player) + " to " + (state.phase == Phase::kToken ? "choose a " : "") +
                std::string(kPhaseNames[state.phase]);
    }
    text += "\n\n   ";
    for (int space = kSide + 1; space <= 2 * (kSide + 1); ++space) text += path(space);
    for (int rank = kSide - 1; rank >= 0; --rank) {
        text += "\n " + std::to_string(rank + 1) + " " + path(rank + 1);
        for (int square = kSide * rank; square < kSide * (rank + 1); ++square) {
            const int height = state.heights[index(square)];
            std::string cell(covered_.has(index(square)) ? "##" : "-");
            if (height > 0) {
                const Player top = owner(state, square, height - 1);
                cell = (top == kNeutral ? 'n' : svg::seat_name(top)[0]) + std::to_string(height);
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
    for (Player p = 0; p < rules_.players; ++p) {
        text += "\nplayer " + std::to_string(p) + " (" + std::string(svg::seat_name(p)) + ")  " +
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

}  // namespace tilery::pueblo
