// SPDX-License-Identifier: MIT
// The exceptions of the checked entry points; nothing behind them throws.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tilery/core/types.hpp"

namespace tilery {

// Text from outside as an error may show it: UTF-8, with control characters and stray bytes written \x00, so that
// no reader cuts it at a zero byte and no terminal obeys it.
[[nodiscard]] std::string printable(std::string_view text);

// The subject of an error: each has a class of its own in Python, and most a status in C.
enum class ErrorKind { kOption, kIllegalAction, kParse, kStateData, kWeights };

struct Error : std::invalid_argument {
    Error(ErrorKind of, std::string_view reason) : std::invalid_argument(printable(reason)), kind(of) {}

    ErrorKind kind;
};
template <ErrorKind kKind>
struct ErrorOf : Error {
    explicit ErrorOf(std::string_view reason) : Error(kKind, reason) {}
};

// An unknown option, or a value that is not allowed.
using OptionError = ErrorOf<ErrorKind::kOption>;
// An action that is not legal in the state.
using IllegalActionError = ErrorOf<ErrorKind::kIllegalAction>;
// A token that cannot be read, or that no state of the game can offer.
using ParseError = ErrorOf<ErrorKind::kParse>;
// Bytes that are not a serialized state of this game and these rules.
using StateDataError = ErrorOf<ErrorKind::kStateData>;
// A network that cannot be read or does not fit the game, or a game without inputs.
using WeightsError = ErrorOf<ErrorKind::kWeights>;

// Throws IllegalActionError for an action with this token and these words; both are empty if it is not an id.
[[noreturn]] void refuse_action(std::string_view game, Action action, const std::string& token,
                                const std::string& words, const std::string& why);

}  // namespace tilery
