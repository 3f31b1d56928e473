// SPDX-License-Identifier: MIT
// The options of Java (docs/rules/java.md, Options).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

    static Options options();  // words/options.cpp
};

}  // namespace tilery::java
