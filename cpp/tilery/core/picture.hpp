// SPDX-License-Identifier: MIT
// The parts of drawings of positions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

// A thing that a person points at to choose a legal action (Game::picks).
struct Target {
    std::string pick;
    bool first;  // of a path

    auto operator<=>(const Target&) const = default;
};

// The part that is drawn: all of it, the board alone, what belongs next to it without the list of players, or that as
// data: a JSON object instead of an SVG (Canvas::finish).
enum class Part { kAll, kBoard, kPanel, kData };
inline constexpr std::array<std::string_view, 4> kPartNames{"all", "board", "panel", "data"};

// Which drawing of a position is asked for.
struct PictureRequest {
    std::optional<Player> viewer = {};  // none: all hands are shown
    std::optional<Action> last = {};    // the action before the position, to be marked
    bool targets = false;
    Part part = Part::kAll;
    std::optional<Action> ghost = {};  // a legal action, which is shown as if it had been taken
    int turns = 0;                     // quarter turns of what is drawn as a solid
};

// Nothing but what the viewer knows, so that a drawing cannot show more.
struct PictureInput {
    std::string_view name;             // of the game
    std::optional<Player> viewer;      // none: all hands are shown
    std::vector<Value> known;          // the information state of the viewer; without one, of each player
    Value rules;                       // as game.rules in Python
    std::vector<std::string> last;     // the picks of the action before, which the drawing marks
    std::vector<Target> targets = {};  // ascending, once each
    Part part = Part::kAll;
    bool ghost = false;  // the position is only a preview
    bool spots = false;  // whether to name the places that are no targets too (Canvas)
    Player to_act = kTerminal;
    int turns = 0;
    Value::Object more = {};  // for Part::kData, besides what Canvas says of the panel

    // Whether what belongs next to the board stands alone, without the list of players.
    [[nodiscard]] bool beside() const { return part == Part::kPanel || part == Part::kData; }
    // The position as all viewers know it.
    [[nodiscard]] const Value& common() const { return known.front(); }
    [[nodiscard]] const Target* find_target(std::string_view pick) const;
    [[nodiscard]] bool is_last(std::string_view pick) const;
};

// "turn 3" for "turn:3"; "pass" for "button:pass".
[[nodiscard]] std::string words_of_pick(std::string_view pick);

// The drawing of a game that has none of its own: lines of text.
[[nodiscard]] std::string picture_of_text(const PictureInput& input, std::string_view text);

}  // namespace tilery
