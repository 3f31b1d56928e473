// SPDX-License-Identifier: MIT
// The options of Java (docs/rules/java.md, Options).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "tilery/core/options.hpp"
#include "tilery/core/value.hpp"

namespace tilery::java {

inline constexpr int kMostPlayers = 4;

enum class TokenTiming : std::uint8_t { kAny, kTurnStart };
enum class IrrigationScoring : std::uint8_t { kPerBody, kPerSpace };
enum class LandReserve : std::uint8_t { kBefore, kAfter };

// The board option as given, checked: a name, or the whole object (JA-2).
[[nodiscard]] Value read_board_option(const Value& given);
[[nodiscard]] Value write_board_option(const Value& board);

struct Rules {
    static constexpr std::string_view kFileOption = "board";
    static constexpr std::array<std::string_view, 2> kShipped{"java-153", "java-155"};

    int players = 2;
    Value board = kShipped[0];
    TokenTiming token_timing = TokenTiming::kAny;
    bool two_on_three = true;
    bool irrigation_on_perimeter = false;
    IrrigationScoring irrigation_scoring = IrrigationScoring::kPerBody;
    LandReserve land_reserve = LandReserve::kBefore;

    static constexpr auto options() {
        return std::tuple{
            int_option("players", &Rules::players, 2, kMostPlayers, "the number of players"),
            own_option("board", &Rules::board, read_board_option, write_board_option,
                       "the island: a built-in one, or a custom one from a file or a mapping (JA-2)",
                       "a shipped board, a path to a JSON file, or a board object"),
            choice_option(
                "token_timing", &Rules::token_timing, {"any", "turn_start"},
                "whether an action token may be used at any time, or only as the first action of a turn (JA-8)"),
            bool_option("two_on_three", &Rules::two_on_three,
                        "lets a two-space tile cover two spaces of one three-space tile (JA-13)"),
            bool_option("irrigation_on_perimeter", &Rules::irrigation_on_perimeter,
                        "allows irrigation tiles on spaces at the border of the board (JA-16)"),
            choice_option("irrigation_scoring", &Rules::irrigation_scoring, {"per_body", "per_space"},
                          "an enclosed body of irrigation scores 3 points, or 3 for each of its spaces (JA-18)"),
            added_later(choice_option("land_reserve", &Rules::land_reserve, {"before", "after"},
                                      "whether the duty to place a land tile is judged in the state before an action, "
                                      "or in the state after it (JA-9)"))};
    }
};

}  // namespace tilery::java
