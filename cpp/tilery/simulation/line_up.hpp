// SPDX-License-Identifier: MIT
// Who plays the seats of a game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/search/policy.hpp"

namespace tilery {

// Chooses for a seat from outside: handed a state of the game that holds no more than the player knows, the number that
// the policy takes from its stream, and all actions so far as that player saw them (kUnseen for hidden draws).
using Callback = std::function<Action(const void* state, std::uint64_t luck, const std::vector<Action>& seen)>;
using SeatPolicy = std::variant<search::Policy, Callback>;

// How long a seat thought in one game, over how many decisions, and how much CPU time it took.
struct Thinking {
    double seconds = 0, decisions = 0, cpu = 0;
};

// Games of `seats`, one policy for each; with `rotate` seat p of game i is played by seats[(p + i) % n].
struct LineUp {
    std::vector<SeatPolicy> seats;
    bool rotate = false;
    Thinking* thinking = nullptr;  // [games, players], added to; or null

    [[nodiscard]] std::size_t policy_of(Player seat, std::uint64_t game) const {
        return static_cast<std::size_t>((static_cast<std::uint64_t>(seat) + (rotate ? game : 0)) % seats.size());
    }
};

}  // namespace tilery
