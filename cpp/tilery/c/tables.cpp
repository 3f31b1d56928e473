// SPDX-License-Identifier: MIT
// The tables of all games for programs without Python: the library tilery_c.
#include "tilery/c/table.hpp"
#include "tilery/run/games.hpp"

const tilery_api* tilery_find_api(const char* name) {
    const tilery_api* found = nullptr;
    tilery::for_each_game([&]<tilery::Game G>() {
        if (name != nullptr && G::kName == name) found = &tilery::c::CTable<G>::api;
    });
    return found;
}
