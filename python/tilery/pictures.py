"""Drawings as files: PNG, and a page that shows a whole game step by step.

`state.to_svg()` draws a position; this module is for what is not SVG.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tilery.extras import imported
from tilery.files import shipped
from tilery.protocol import ScoreEvent
from tilery.record import Record, game_of, positions

if TYPE_CHECKING:
    from tilery.reviews import Review

PIECE = re.compile(r"<[^>]*>[^<]*")
"""An element of a drawing, with the text after it."""


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


def marked(state: Any, actions: Sequence[int], player: int | None = None, **how: Any) -> str:
    """The drawing of a state with a mark on what the last of some actions changed that left something to mark.

    actions: ids of the latest actions of the player who acted last, the latest at the end. The place of a meeple is
    that of the tile placed before it, for example. how: the other arguments of `state.to_svg()`.
    """
    plain: str = state.to_svg(player, **how)
    for action in reversed(actions):
        svg: str = state.to_svg(player, last=action, **how)
        if svg != plain:
            return svg
    return plain


def steps(record: Record, *, player: int | None = None, review: Review | None = None, closer: str | None = None) -> str:
    """A whole game as one HTML file: a slider, keys, scores with their reasons, and the actions in words.

    player: show only what that player knows; by default all hands are shown. review: of this record; then also a graph
    of what each seat could expect, marks, and the better turns. The file loads nothing else. closer: the address of
    a page that says more, and is shown instead as soon as it is there. Raises `RecordError` at an illegal token.
    """
    game: Any = game_of(record)
    pieces: dict[str, int] = {}
    moves: list[dict[str, Any]] = []

    def drawn(svg: str) -> list[int]:
        """A drawing by its pieces. Most of one is as it was before, so each piece is written once."""
        return [pieces.setdefault(piece, len(pieces)) for piece in PIECE.findall(svg)]

    before: Any = None
    for by, token, action, state, latest in seen(record, player):
        svg = marked(state, latest, player)
        moves.append(
            {
                "by": by,
                "text": "the game begins" if token is None else _words(game, action),
                "token": "" if action is None else token,
                "scores": state.scores(),
                "reasons": [] if token is None else _reasons(before.score_events(game.string_to_action(token))),
                "drawing": drawn(svg),
            }
        )
        if review is not None:
            moves[-1] |= _reviewed(review, len(moves) - 2, before, drawn)
        before = state
    content = {"moves": moves, "pieces": list(pieces), "colours": [], "closer": closer}
    title, said = f"{title_of(game)}, {game.num_players} players", ""
    if review is not None:
        told = before.panel()["players"]
        content["colours"] = [each["colour"] for each in told] or ["currentColor"] * game.num_players
        words = "".join(f"<p>{html.escape(review.words(seat))}</p>" for seat in range(game.num_players))
        table = review.parts_table()._repr_html_() if review.spent else ""
        said = words + table + f"<p>{html.escape(review.judged())}</p>"
    text = shipped("page", "steps.html").replace("{{title}}", html.escape(title)).replace("{{said}}", said)
    return text.replace("{{content}}", json.dumps(content, separators=(",", ":")).replace("</", "<\\/"))


def _reviewed(review: Review, number: int, before: Any, drawn: Callable[[str], list[int]]) -> dict[str, Any]:
    """The review of the action with a number, taken in the position `before` it; -1 is the beginning."""
    if number < 0:
        return {"wins": review.parts["start"].wins, "errors": review.parts["start"].wins_error}
    moment = review.moments[number]
    told: dict[str, Any] = {"wins": moment.expected.wins, "errors": moment.expected.wins_error}
    if moment.player < 0:
        told["note"] = "luck, in points: " + " : ".join(f"{points:+.1f}" for points in moment.change.points)
    if moment.loss is not None and moment.mark:
        loss, line, state = moment.loss, [], before.clone()
        for token in moment.line:
            action = state.string_to_action(token)
            ghost = state.to_svg(ghost=action)
            state.apply_action(action)
            line.append({"text": _words(state.game, action), "drawing": drawn(ghost)})
        told |= {"mark": moment.mark, "line": line}
        told["note"] = (
            f"lost {loss.points:.1f} \u00b1 {loss.points_error:.1f} points of lead, "
            f"{100 * loss.wins:.0f} \u00b1 {100 * loss.wins_error:.0f} % of the win"
        )
    return told


def seen(record: Record, player: int | None) -> Iterator[tuple[int | None, str | None, int | None, Any, list[int]]]:
    """Each position of a game, with the player, the token and the id of the action before it, and the latest ids.

    The id is None at the beginning, and where the player does not see it. The latest ids are up to two of the player
    who acted last, as `marked` takes them. Raises `RecordError` at the first token that is illegal.
    """
    game: Any = game_of(record)
    before: Any = None
    latest: list[int] = []
    mover = None
    for token, position in positions(record):
        state: Any = position
        action = None if token is None else game.string_to_action(token)
        if action is not None and player is not None and before.action_seen_by(player, action) < 0:
            action = None
        by = None if before is None else before.current_player()
        if by is not None and by >= 0 and action is not None:
            latest = [*latest[-1:], action] if by == mover else [action]
            mover = by
        yield by, token, action, state, latest
        before = state


def title_of(game: Any) -> str:
    """The name of a game for people, as its drawings have it: "Taj Mahal"."""
    title: str = game.new_initial_state().panel()["title"]
    name = re.split("[:,]", title)[0]
    return name[:1].upper() + name[1:]


def _reasons(events: Sequence[ScoreEvent]) -> list[str]:
    """The reasons for points in words, those of a player and rule together."""
    sums: dict[tuple[int, str, str], int] = {}
    for event in events:
        key = event["player"], event["source"], event["rule"]
        sums[key] = sums.get(key, 0) + event["points"]
    return [f"player {player}: {points:+} {source} ({rule})" for (player, source, rule), points in sums.items()]


def _words(game: Any, action: int | None) -> str:
    return "something unseen" if action is None else str(game.describe_action(action))
