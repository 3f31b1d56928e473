"""Java by Michael Kiesling and Wolfgang Kramer (Ravensburger 2000), for 2 to 4 players; see docs/rules/java.md.

>>> from tilery import java
>>> game = java.Game(players=3)
>>> state = game.new_initial_state()
>>> len(game.spaces), state.terrain().count("~"), int(state.heights().max())
(214, 3, 0)

In addition to the calls of every game, `Game` has `spaces`, `board` and `Game.official(players=...)`, and a state has
views:

- `heights()`: int8[len(game.spaces)], layers of tiles on each space
- `terrain()`: str, a character for each space
- `tiles()`: spaces under one physical tile on top
- `figures()`: space and player of each figure
- `settlements()`, `bodies()`: villages and cities, irrigation, with sizes, palaces, shores and rankings
- `cards(player)`: hands as far as a player knows them, open card, discards, pile
- `costs()`: action points of each legal action

Spaces are named "row.column" as in tokens; where a view has an item for each, their order is that of `game.spaces`.
"""

from __future__ import annotations

from tilery._core.java import Driver, Game, State

__all__ = ["Driver", "Game", "State"]
