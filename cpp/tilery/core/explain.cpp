// SPDX-License-Identifier: MIT
#include "tilery/core/explain.hpp"

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"
#include "tilery/core/views.hpp"

namespace tilery {

void refuse_action(std::string_view game, Action action, const std::string& token, const std::string& words,
                   const std::string& why) {
    std::string named;
    if (!token.empty()) named = "'" + token + "'" + (words == token ? "" : " (" + words + ")") + ", ";
    throw IllegalActionError(std::string(game) + ": " + named + "action " + std::to_string(action) +
                             ", is not legal. " + why);
}

void check_keys(std::string_view game, const Value& position, const Value& written) {
    const std::string of = "position of " + std::string(game) + ": ";
    for (const auto& [key, value] : position.members()) {
        if (written.find(key) == nullptr) throw StateDataError(of + "there is no key '" + key + "'");
    }
    for (const auto& [key, value] : written.members()) {
        if (position.find(key) == nullptr) throw StateDataError(of + "the key '" + key + "' is missing");
    }
}

}  // namespace tilery
