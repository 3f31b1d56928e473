"""Drawings as files: PNG, and a page that shows a whole game step by step.

`state.to_svg()` draws a position; this module is for what is not SVG.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilery import rules_page
from tilery.extras import imported
from tilery.pages import as_html
from tilery.play.files import PAGE, alone
from tilery.play.session import Session, seats_of
from tilery.play.view import position, view
from tilery.protocol import TERMINAL
from tilery.record import Record
from tilery.words import words_of

if TYPE_CHECKING:
    from tilery.reviews import Review

SIDES = 4
"""Sides that a solid can be seen from."""
DRAWN = ("groups", "shapes")
"""The part of a panel that is drawn."""
PIECE = re.compile(r"<[^>]*>[^<]*|[^<]+")
"""An element of a drawing, with the text after it; or the text before the first."""


def png(svg: str, *, scale: float = 1.0) -> bytes:
    """A drawing as the bytes of a PNG file, `scale` times as wide and high.

    Needs the extra `tilery[png]`. Raises `ImportError` where it is missing, and `ValueError` for what is not SVG.
    """
    resvg = imported("resvg_py", "png", "PNG files")
    width, _ = size_of(svg)
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=round(width * scale)))


def size_of(svg: str) -> tuple[int, int]:
    """The width and the height of a drawing, in pixels. Raises `ValueError` for what is not one of tilery."""
    size = re.match(r'<svg [^>]*?width="(\d+)"[^>]*? height="(\d+)"', svg)
    if size is None:
        raise ValueError(f"not a drawing of tilery: {svg[:40]!r}")
    return int(size[1]), int(size[2])


def steps(record: Record, *, player: int | None = None, review: Review | None = None, closer: str | None = None) -> str:
    """A whole game as one HTML file, `<tilery-board>` with a slider and keys to step through it.

    player: show only what that player knows; by default all hands are shown. review: of this record; then also a graph
    of what each seat could expect, marks, and the better turns. The file loads nothing else. closer: the address of
    a page that says more, and is shown instead as soon as it is there. Raises `RecordError` at an illegal token.
    """
    session = Session.of_record(record, looks=True)
    game = session.game
    pieces: dict[str, int] = {}

    def written(drawn: Any) -> list[int]:
        """A drawing, or JSON with some, by its pieces. Most of them were there before, so each is written once."""
        text = drawn if isinstance(drawn, str) else json.dumps(drawn)
        return [pieces.setdefault(piece, len(pieces)) for piece in PIECE.findall(text)]

    positions = [position(session, player, number) for number in range(len(session.moves) + 1)]
    for number, each in enumerate(positions):
        sides = range(1, SIDES if "data-solid=" in each["picture"] else 1)
        turned = [position(session, player, number, turns)["picture"] for turns in sides]
        each["picture"] = [written(picture) for picture in (each["picture"], *turned)]
        each["panel"]["drawn"] = written({key: each["panel"].pop(key) for key in DRAWN})
    shown = view(session, player)
    data = {
        "view": {key: value for key, value in shown.items() if key not in positions[-1]}
        | {"people": [], "actor": TERMINAL, "actions": []}
        | {"seats": seats_of(record, game.num_players, strict=False)},
        "positions": positions,
        "rules": {"rules": as_html(rules_page(game.name)), "options": game.rules.as_dict()},
        "review": review and review.to_dict() | {"lines": _lines(review, session, written)},
        "closer": closer,
        "pieces": list(pieces),
    }
    content = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode("ascii")
    return alone(f"{title_of(game)}, {game.num_players} players", [PAGE / "recorded.js"], f'replay("{content}");')


def _lines(review: Review, session: Session, written: Callable[[Any], list[int]]) -> dict[int, list[dict[str, Any]]]:
    """The better lines by the position that the marked action led to: of each action words, board and panel."""
    lines: dict[int, list[dict[str, Any]]] = {}
    for number, moment in enumerate(review.moments):
        state = session.state_after(number)
        for token in moment.line:
            action = state.string_to_action(token)
            step = {"words": words_of(state, action), "picture": written(state.to_svg(ghost=action, part="board"))}
            state.apply_action(action)
            panel = state.panel()
            lines.setdefault(number + 1, []).append(step | {"panel": written({key: panel[key] for key in DRAWN})})
    return lines


def title_of(game: Any) -> str:
    """The name of a game for people, as its drawings have it: "Taj Mahal"."""
    title: str = game.new_initial_state().panel()["title"]
    name = re.split("[:,]", title)[0]
    return name[:1].upper() + name[1:]
