// SPDX-License-Identifier: MIT
#include "tilery/any/game_of.hpp"
#include "tilery/games/toy/game.hpp"

namespace tilery::any {

GameKind toy_kind() { return kind_of<toy::Game>("Toy: the worked example of docs/adding-a-game.md."); }

}  // namespace tilery::any
