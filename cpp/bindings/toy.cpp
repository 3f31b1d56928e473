// SPDX-License-Identifier: MIT
#include "tilery/games/toy.hpp"

#include "bind_game.hpp"

namespace tilery::bindings {

void bind_toy(py::module_& parent) {
    bind_game<toy::Game>(parent, "Toy: the worked example of docs/adding-a-game.md.\n\nGame(*, players=2, hand=3)");
}

}  // namespace tilery::bindings
