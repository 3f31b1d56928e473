// SPDX-License-Identifier: MIT
// What the checked entry points throw; nothing behind them throws.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tilery {

// Text from outside as an error may show it: UTF-8, with control characters and stray bytes written \x00, so that
// no reader cuts it at a zero byte and no terminal obeys it.
[[nodiscard]] std::string printable(std::string_view text);

struct Error : std::invalid_argument {
    explicit Error(std::string_view reason) : std::invalid_argument(printable(reason)) {}
};

// An unknown option, or a value that is not allowed.
struct OptionError : Error {
    using Error::Error;
};

// An action that is not legal in the state.
struct IllegalActionError : Error {
    using Error::Error;
};

// A token that cannot be read, or that no state of the game can offer.
struct ParseError : Error {
    using Error::Error;
};

// Bytes that are not a serialized state of this game and these rules.
struct StateDataError : Error {
    using Error::Error;
};

// A network that cannot be read or does not fit the game, or a game without inputs.
struct WeightsError : Error {
    using Error::Error;
};

}  // namespace tilery
