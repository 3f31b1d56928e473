"""Play by hand: a game between people and bots, in the terminal or in a browser (docs/play.md).

>>> import tilery
>>> from tilery.play import Session
>>> session = Session(tilery.load("toy"), [None, "random"], seed=1)
>>> session.actor, session.waits_for_person
(0, True)
>>> session.play(session.state.action_to_string(session.state.legal_actions()[0]))
>>> session.play_bots()
>>> session.actor
0
"""

from __future__ import annotations

from tilery.play.seats import Player, PlayerError
from tilery.play.session import Move, PlayError, Session

__all__ = ["Move", "PlayError", "Player", "PlayerError", "Session"]
