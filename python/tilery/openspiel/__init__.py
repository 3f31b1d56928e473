"""The games of tilery in OpenSpiel, and its searches as bots of OpenSpiel (docs/adapters.md).

    import pyspiel
    import tilery.openspiel

    tilery.openspiel.register()
    game = pyspiel.load_game("tilery_pueblo(players=3,pro=True)")
    bot = tilery.openspiel.bot("mcts:1000")

Needs the extra `openspiel`: `pip install 'tilery[openspiel]'`. `python -m tilery.openspiel build` compiles the plug-in,
with which the games are those of C++ for OpenSpiel and its bots.
"""

from __future__ import annotations

from tilery import extras

extras.need("openspiel")

from tilery.openspiel.bots import Bot as Bot  # noqa: E402
from tilery.openspiel.bots import bot  # noqa: E402
from tilery.openspiel.games import PREFIX, action_struct, game_string, position, state_of  # noqa: E402
from tilery.openspiel.games import Game as Game  # noqa: E402
from tilery.openspiel.games import State as State  # noqa: E402
from tilery.openspiel.plugin import register  # noqa: E402

__all__ = ["PREFIX", "action_struct", "bot", "game_string", "position", "register", "state_of"]
