// SPDX-License-Identifier: MIT
// The options of Taj Mahal.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "tilery/core/options.hpp"
#include "tilery/core/value.hpp"

namespace tilery::tajmahal {

enum class MonkColour : std::uint8_t { kLater, kAnnounce };

struct Rules {
    int players = 3;
    MonkColour monk_colour = MonkColour::kLater;
    Value data = "shipped";

    static constexpr std::string_view kFileOption = "data";
    static constexpr std::array<std::string_view, 1> kShipped{"shipped"};

    [[nodiscard]] static auto options() {
        return std::tuple{int_option("players", &Rules::players, 2, kMaxPlayers),
                          choice_option("monk_colour", &Rules::monk_colour, {"later", "announce"}),
                          own_option("data", &Rules::data, &read_data, +[](const Value& data) { return data; })};
    }
    [[nodiscard]] static Value read_data(const Value& value);
};

}  // namespace tilery::tajmahal
