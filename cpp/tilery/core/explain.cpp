// SPDX-License-Identifier: MIT
#include "tilery/core/explain.hpp"

#include "tilery/core/errors.hpp"

namespace tilery {

void refuse_action(std::string_view game, Action action, const std::string& token, const std::string& words,
                   const std::string& why) {
    std::string named;
    if (!token.empty()) named = "'" + token + "'" + (words == token ? "" : " (" + words + ")") + ", ";
    throw IllegalActionError(std::string(game) + ": " + named + "action " + std::to_string(action) +
                             ", is not legal. " + why);
}

}  // namespace tilery
