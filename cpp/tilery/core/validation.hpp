// SPDX-License-Identifier: MIT
// Validation as a list of checks, each of which returns why a state cannot occur, or "".
#pragma once

#include <string>

namespace tilery {

// What the first of a game's member functions finds wrong:
// first_fault(*this, state, &Game::columns_fault, &Game::turns_fault).
template <class G, class State, class... Check>
[[nodiscard]] std::string first_fault(const G& game, const State& state, Check... checks) {
    std::string fault;
    static_cast<void>(((fault = (game.*checks)(state), !fault.empty()) || ...));
    return fault;
}

}  // namespace tilery
