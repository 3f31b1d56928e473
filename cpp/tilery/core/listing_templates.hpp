// SPDX-License-Identifier: MIT
// The definition of list_actions(), for the one source of each game that instantiates it.
#pragma once

#include "tilery/core/listing.hpp"
#include "tilery/core/play.hpp"

namespace tilery {

template <Game G>
bool list_actions(const G& game, const typename G::State& state, const Listing& list) {
    return with_actions(game, state, [&list](std::uint32_t size, auto&& for_each) {
        const ActionRoom room = list.room(list.context, size);
        if (room.to == nullptr) return false;
        if (list.all_made) {
            write_actions(for_each, room.to, room.capacity,
                          [pointers = room.pointers](Action action) { return pointers[action]; });
            return true;
        }
        bool missing = false;
        for_each([&, to = room.to](Action action) mutable {
            *to = room.pointers[action];
            missing |= *to++ == nullptr;
        });
        return !missing;
    });
}

}  // namespace tilery
