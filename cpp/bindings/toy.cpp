// SPDX-License-Identifier: MIT
#include "bind_game.hpp"
#include "tilery/games/toy/game.hpp"

namespace tilery::bindings {

void bind_toy(py::module_& parent) {
    bind_game<toy::Game>(parent, "Toy: the worked example of docs/adding-a-game.md.\n\nGame(*, players=2, hand=3)");
}

}  // namespace tilery::bindings
