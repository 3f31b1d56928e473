// SPDX-License-Identifier: MIT
// The options of Taj Mahal.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

    static Options options();  // words/options.cpp
    static Value read_data(const Value& value);
    static Value write_data(const Value& data) { return data; }
};

}  // namespace tilery::tajmahal
