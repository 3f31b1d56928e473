"""A board to play on in a notebook: the page of `tilery play` as a widget (docs/play.md). Needs `tilery[widget]`."""

from __future__ import annotations

import base64
import threading
import traceback
from collections.abc import Sequence
from typing import Any

import tilery
from tilery import record
from tilery.errors import integer
from tilery.extras import imported
from tilery.play.files import PAGE, bundled, component
from tilery.play.host import Host
from tilery.play.requests import Play, Undo
from tilery.play.seats import Bot, seated
from tilery.play.session import Move, PlayError, Session

anywidget: Any = imported("anywidget", "widget", "boards in notebooks")
traitlets: Any = imported("traitlets", "widget", "boards in notebooks")

__all__ = ["Board"]


def module() -> str:
    """The module of the widget for the browser: all of the page in one text."""
    return component() + bundled([PAGE / "widget.js"])


def _static(picture: str) -> str:
    """A drawing in HTML, no wider than the page."""
    source = base64.b64encode(picture.encode()).decode("ascii")
    return (
        '<img class="tilery-static" alt="the board" style="max-width:100%;height:auto" '
        f'src="data:image/svg+xml;base64,{source}">'
    )


class Board(anywidget.AnyWidget):
    """A game on a board to click on, between people and bots.

    position: a game or the name of one, which begins, or a state, which is played on.
    seat: the seat of the person, or a sequence of seats; by default 0 if there is a bot, and all seats otherwise.
    bot: who takes the other seats, or a sequence of one for each of them: whatever `tilery.policy` takes.
    seed: of the game's luck, in [0, 2**53); by default chosen at random.
    layout: what else widgets of Jupyter take.

    The browser gets only what the seats of people may see. Bots think on a thread of their own, so other cells run
    meanwhile. `state` is a trait: `board.observe(function, "state")` calls a function after every change, with the
    new state as `change["new"]`, on the thread that made the change.

    Raises `TypeError` for what is no game and no state of the engine, `ValueError` for impossible seats, bots, seeds.
    """

    _esm = module()
    state = traitlets.Any(read_only=True, help="A copy of the present position.")
    _host: Host

    def __init__(
        self,
        position: Any,
        seat: int | Sequence[int] | None = None,
        bot: Bot | Sequence[Bot] | None = None,
        *,
        seed: int | None = None,
        **layout: Any,
    ) -> None:
        position = tilery.load(position) if isinstance(position, str) else position
        start = position if hasattr(position, "to_svg") else None
        game = position if start is None else start.game
        if not hasattr(game, "picks") or not hasattr(game, "new_initial_state"):
            raise TypeError(f"a board shows a game or a state of the engine, got {position!r}")
        people = [seat] if isinstance(seat, int) else seat
        several = isinstance(bot, Sequence) and not isinstance(bot, str)
        bots: list[Bot] = [] if bot is None else list(bot) if several else [bot]  # type: ignore[arg-type, list-item]
        seats = seated(game.num_players, people, bots)
        if None not in seats:
            raise ValueError("nobody plays by hand; tilery.match and tilery.simulate let bots play")
        first = Session(game, seats, seed=seed, start=start)
        self._telling = threading.RLock()
        super().__init__(**layout)
        self.set_trait("state", first.state.clone())
        self.on_msg(self._received)
        with self._telling:
            self._host = Host(first, told=self._changed, patience=0.0)

    @property
    def moves(self) -> list[Move]:
        """The actions since the beginning, of people, bots and chance."""
        return list(self._host.session.moves)

    @property
    def record(self) -> record.Record:
        """The record of the game so far, with all hands; `PlayError` if the board began from a state."""
        return self._host.session.record()

    def play(self, action: int | str) -> None:
        """Take an action for the person to act, given by its id or token.

        Raises `PlayError` if no person is to act, `ParseError` or `IllegalActionError` for what is no legal action.
        """
        session = self._host.session
        token = action if isinstance(action, str) else session.game.action_to_string(action)
        if not session.waits_for_person:
            raise PlayError("the game is over" if session.actor < 0 else f"player {session.actor} is a bot")
        self._host.answer(Play(seat=session.actor, version=session.version, token=token))

    def undo(self, seat: int | None = None) -> None:
        """Return to the last decision of a person that was a choice, by default of the first person.

        Raises `PlayError` if there is none, and `ValueError` for what is no seat.
        """
        session = self._host.session
        person = session.people[0] if seat is None else integer("seat", seat, 0, session.game.num_players - 1)
        self._host.answer(Undo(seat=person, version=session.version))

    def hints(self, policy: str | None = None) -> list[dict[str, Any]]:
        """The best actions of the player to act: `tilery.play.Session.hints`."""
        return self._host.session.hints(policy)

    def wait(self, seconds: float = 60.0) -> bool:
        """Wait while bots are thinking, at most this many seconds; returns whether they are done."""
        done = self._host.wait(seconds)
        self._show()
        return done

    def close(self) -> None:
        """Remove the board, and end programs in its seats."""
        if hasattr(self, "_host"):  # not where there is none because of wrong arguments
            self._host.close()
        super().close()

    def _received(self, _widget: object, content: Any, _buffers: object) -> None:
        if not isinstance(content, dict):
            return
        status, answer = self._host.reply(content.get("name"), content.get("data"))
        number = {"number": content.get("number")}
        if status == 200:
            self.send(number | {"answer": answer})
        else:
            self.send(number | answer | {"stale": status == 409, "forbidden": status == 403})

    def _changed(self) -> None:
        with self._telling:  # a bot that begins may come here before there is a host
            self.send({"news": self._host.session.version})
        self._show()

    def _show(self) -> None:
        """Set the trait to the present position; its observers are called if it differs."""
        with self._telling:
            try:
                self.set_trait("state", self._host.session.state.clone())
            except Exception:  # of an observer; the game goes on
                traceback.print_exc()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """With the position as a picture, for viewers of saved notebooks that have no kernel."""
        shown = super()._repr_mimebundle_(**kwargs)
        session = self._host.session
        if shown is None or (session.game.hides_information and len(session.people) > 1):
            return shown
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        picture: str = session.state.to_svg(session.people[0])
        ipython: Any = imported("IPython", "widget", "boards in notebooks")
        if ipython.get_ipython() is None:
            return data | {"image/svg+xml": picture}, metadata
        # A page made of the notebook takes the board alone of one output, and leaves its place blank without a kernel:
        # so the picture is another output, which boards that are alive hide.
        ipython.display.display({"text/html": _static(picture)}, raw=True)
        return data, metadata
