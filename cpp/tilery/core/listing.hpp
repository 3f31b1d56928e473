// SPDX-License-Identifier: MIT
// Writes the legal actions as pointers from a table by action id: the int objects that the Python binding keeps.
// Compiled with the search of each game, for speed: the module that calls it is not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tilery/core/game.hpp"

namespace tilery {

// Where a game writes a list of its legal actions, as pointers that stand for them.
struct ActionRoom {
    void** to;  // null if there is none
    std::size_t capacity;
    void* const* pointers;  // by id
};
// Gives the room for a number of actions.
struct Listing {
    ActionRoom (*room)(void* context, std::uint32_t size);
    void* context;
};

// Lists everything that may be applied: legal actions, or the outcomes of a chance node. Returns whether there was room
// and no pointer was null. Defined in core/listing_templates.hpp.
template <Game G>
[[nodiscard]] bool list_actions(const G& game, const typename G::State& state, const Listing& list);

}  // namespace tilery
