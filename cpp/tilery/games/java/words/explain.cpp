// SPDX-License-Identifier: MIT
// Actions in words and as things to point at.
#include "tilery/core/token.hpp"
#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

constexpr std::array<std::string_view, kDirections> kDirectionWords{"east", "southeast", "southwest",
                                                                    "west", "northwest", "northeast"};
constexpr std::array<std::string_view, kKinds> kKindWords{"a mask",        "a drum",          "a puppet",
                                                          "mask and drum", "drum and puppet", "puppet and mask"};

// Steps in words, but for those that name what the board shows.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPickWords{{
    {"tool:3", "a three-space tile"},
    {"tool:2", "a two-space tile"},
    {"tool:rice", "a rice tile"},
    {"tool:village", "a village tile"},
    {"tool:water", "an irrigation tile"},
    {"tool:enter", "a figure enters the island"},
    {"tool:leave", "a figure leaves the island"},
    {"tool:move", "move a figure"},
    {"tool:palace", "a palace"},
    {"tool:festival", "a festival"},
    {"card:open", "take the open card"},
    {"card:pile", "take a card from the pile"},
}};

// The button or tool that an action begins with.
std::string_view tool_of(Verb verb) {
    switch (verb) {
        case Verb::kThree:
            return "tool:3";
        case Verb::kTwo:
            return "tool:2";
        case Verb::kRice:
            return "tool:rice";
        case Verb::kVillage:
            return "tool:village";
        case Verb::kWater:
            return "tool:water";
        case Verb::kEnter:
            return "tool:enter";
        case Verb::kLeave:
            return "tool:leave";
        case Verb::kTakeUp:
            return "tool:move";
        case Verb::kPalace:
            return "tool:palace";
        case Verb::kFestival:
            return "tool:festival";
        default:
            return "";
    }
}

}  // namespace

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    const Move move = move_of(action);
    const auto joined = [](auto... words) { return (std::string() + ... + std::string(words)); };
    const auto at = [&](std::string_view words) {
        return joined(words, " ", tables_->board.name(tables_->space_of[move.cell]));
    };
    switch (move.verb) {
        case Verb::kDraw:
            return joined("a card with ", kKindWords[move.index], " is drawn");
        case Verb::kEnd:
            return "end the turn";
        case Verb::kExtra:
            return "use an action token";
        case Verb::kOpen:
            return "take the open card";
        case Verb::kPile:
            return "take a card from the pile";
        case Verb::kStop:
            return "lay no more cards for now";
        case Verb::kPass:
            return "pass for the rest of the festival";
        case Verb::kLay:
            return joined("lay a card with ", kKindWords[move.index]);
        case Verb::kThree:
            return joined(at("village on"), ", rice to the ", kDirectionWords[move.index], " and ",
                          kDirectionWords[clockwise(move.index)]);
        case Verb::kTwo:
            return joined(at("village on"), ", rice to the ", kDirectionWords[move.index]);
        case Verb::kRice:
            return at("rice on");
        case Verb::kVillage:
            return at("village on");
        case Verb::kWater:
            return at("irrigation on");
        case Verb::kEnter:
            return at("a figure enters on");
        case Verb::kLeave:
            return at("the figure leaves from");
        case Verb::kTakeUp:
            return at("take up the figure on");
        case Verb::kSetDown:
            return at("set the figure down on");
        case Verb::kPalace:
            return at(joined("palace of ", std::to_string(2 * (move.index + 1)), " on"));
        default:
            return at("festival in the palace on");
    }
}

// Legal actions with different verbs begin with different things, but for `>`, which is the only verb
// while a figure is taken up.
std::vector<std::string> Game::picks(Action action) const {
    check_action_id(action, num_distinct_actions());
    const Move move = move_of(action);
    if (move.verb == Verb::kDraw) return {"draw:" + std::string(kKindNames[move.index])};
    if (move.verb == Verb::kLay) return {"hand:" + std::string(kKindNames[move.index])};
    if (move.verb == Verb::kOpen || move.verb == Verb::kPile) return {"card:" + action_to_string(action)};
    const std::string_view tool = tool_of(move.verb);
    if (tool.empty() && move.verb != Verb::kSetDown) return {"button:" + action_to_string(action)};
    const std::string space = "space:" + tables_->board.name(tables_->space_of[move.cell]);
    if (tool.empty()) return {space};
    std::vector<std::string> path{std::string(tool), space};
    if (move.verb == Verb::kThree || move.verb == Verb::kTwo) {
        path.push_back("direction:" + std::string(kDirectionNames[move.index]));
    }
    if (move.verb == Verb::kPalace) path.push_back("value:" + std::to_string(2 * (move.index + 1)));
    return path;
}

std::string Game::describe_pick(std::string_view pick) const {
    for (const auto& [step, words] : kPickWords) {
        if (pick == step) return std::string(words);
    }
    for (std::size_t i = 0; i < kDirectionNames.size(); ++i) {
        if (pick == "direction:" + std::string(kDirectionNames[i])) return "to the " + std::string(kDirectionWords[i]);
    }
    for (std::size_t i = 0; i < kKindNames.size(); ++i) {
        if (pick == "hand:" + std::string(kKindNames[i])) return "a card with " + std::string(kKindWords[i]);
    }
    for (const Verb verb : {Verb::kEnd, Verb::kExtra, Verb::kStop, Verb::kPass}) {
        const Action action = std::countr_zero(plain_bit(verb));
        if (pick == "button:" + action_to_string(action)) return describe_action(action);
    }
    return pick.starts_with("value:") ? "a palace of " + std::string(pick.substr(6)) : "";
}

}  // namespace tilery::java
