// SPDX-License-Identifier: MIT
// The tables of all games.
#include "tilery/any/kinds.hpp"
#include "tilery/c/hot.hpp"

const tilery_api* tilery_find_api(const char* name) {
    const tilery_api* found = nullptr;
    tilery::any::for_each_kind([&]<tilery::Game G, auto kind>() {
        if (name != nullptr && G::kName == name) found = &tilery::c::table_of<G, kind>();
    });
    return found;
}
