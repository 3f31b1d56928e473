// SPDX-License-Identifier: MIT
// The definition of list_actions(), for the one source of each game that instantiates it.
#pragma once

#include <algorithm>

#include "tilery/core/listing.hpp"
#include "tilery/core/play.hpp"

namespace tilery {

template <Game G>
bool list_actions(const G& game, const typename G::State& state, const Listing& list) {
    return with_actions(game, state, [&list](std::uint32_t size, auto&& for_each) {
        const ActionRoom room = list.room(list.context, size);
        if (room.to == nullptr) return false;
        write_actions(for_each, room.to, room.capacity,
                      [pointers = room.pointers](Action action) { return pointers[action]; });
        return std::find(room.to, room.to + size, nullptr) == room.to + size;
    });
}

}  // namespace tilery
