// SPDX-License-Identifier: MIT
// What is thrown at the entrances from outside; nothing inside throws.
#pragma once

#include <stdexcept>
#include <string>

namespace tilery {

struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
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

// Bytes that are no serialized state of this game and these rules.
struct StateDataError : Error {
    using Error::Error;
};

}  // namespace tilery
