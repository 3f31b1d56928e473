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
        return std::tuple{int_option("players", &Rules::players, 2, kMaxPlayers,
                                     "the number of players; 2 is the variant with the fictive player (TM-25)"),
                          choice_option("monk_colour", &Rules::monk_colour, {"later", "announce"},
                                        "whether a first card played with the monk's card leaves the colour open, or "
                                        "the player names it (TM-8)"),
                          own_option(
                              "data", &Rules::data, &read_data, +[](const Value& value) { return value; },
                              "the deck, the tiles and the map: built in, or custom ones from a file or a mapping",
                              "shipped, a path to a JSON file, or the object itself")};
    }
    [[nodiscard]] static Value read_data(const Value& value);
};

}  // namespace tilery::tajmahal
