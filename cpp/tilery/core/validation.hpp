// SPDX-License-Identifier: MIT
// Validation as a list of checks, each of which returns why a state cannot occur, or "".
#pragma once

#include <initializer_list>
#include <string>

namespace tilery {

// The fault that the first of some member functions finds:
// first_fault(*this, {&Game::columns_fault, &Game::turns_fault}, state), without the state for an object that holds it.
template <class Checker, class... Subject>
[[nodiscard]] std::string first_fault(const Checker& checker,
                                      std::initializer_list<std::string (Checker::*)(const Subject&...) const> checks,
                                      const Subject&... subject) {
    for (const auto check : checks) {
        if (std::string fault = (checker.*check)(subject...); !fault.empty()) return fault;
    }
    return "";
}

}  // namespace tilery
