"""Views for the page: a session as one seat may know it, as JSON types."""

from __future__ import annotations

from itertools import groupby, islice
from typing import Any

from tilery.play.session import Session
from tilery.words import words_of

FEW = 12
"""At most this many actions are shown with the points that they give."""


def view(session: Session, viewer: int | None) -> dict[str, Any]:
    """The present position with what its viewer may do, and the moves that led there; None sees all hands.

    - `version`, `game`, `players`, `viewer`, `seats` (None or the text of a bot), `people`, `names` (of people, for
      each seat a text or None; empty if nobody has one), `hides` (whether hands are hidden), `fewest` (whether the
      fewest points win), `actor` (-1 chance, -4 over), `resigned`
      (a seat or None), `lesson` (of a tutorial, or None), `moves`: lists of player, token, words, score events,
      picks (of what the viewer saw a player choose) and whether it was played for the viewer, who had no other action
    - those of `position`
    - if the viewer is to act `actions`: dicts of `token`, `words`, `picks` and, where there are few, `events`; and
      `labels`: the words of each pick, and of what the panel shows but cannot be picked now
    """
    game, state = session.game, session.state
    actions = [] if session.actor != viewer else [(action, game.picks(action)) for action in state.legal_actions()]
    picks = sorted({pick for _, path in actions for pick in path})
    here = position(session, viewer, len(session.moves))
    labels = here["panel"]["labels"]
    return {
        "version": session.version,
        "game": game.name,
        "players": game.num_players,
        "viewer": viewer,
        "seats": session.seats,
        "people": session.people,
        "names": session.names,
        "hides": game.hides_information,
        "fewest": game.fewest_points_win,
        "actor": session.actor,
        "resigned": session.resigned,
        "lesson": session.lesson,
        "moves": [
            [
                move.player,
                session.token_seen(number, viewer),
                session.words_seen(number, viewer),
                list(move.events),
                game.picks(seen) if move.player >= 0 and seen >= 0 else [],
                session.played_for(number, viewer),
            ]
            for number, move in enumerate(session.moves)
            for seen in [session.seen(number, viewer)]
        ],
        **here,
        "actions": [
            {"token": game.action_to_string(action), "words": words_of(state, action, labels), "picks": path}
            | ({"events": session.shown(viewer).score_events(action)} if len(actions) <= FEW else {})
            for action, path in actions
        ],
        "labels": {pick: game.describe_pick(pick) for pick in [*picks, *here["panel"]["spots"]]} | labels,
    }


def preview(session: Session, viewer: int | None, token: str, turns: int) -> dict[str, Any]:
    """A legal action of its viewer, who is to act, before it is taken.

    `picture` and `panel` (the board as it would be, and what is next to it), `events` (the points that it gives),
    `actor` (of what comes after it), and `next`: if the same player has few choices then, for each its `words` and
    `events`.
    """
    game = session.game
    action = game.string_to_action(token)
    state = session.shown(viewer)
    after = state.child(action)
    panel = after.panel(viewer)
    few = after.current_player() == viewer and after.num_legal_actions() <= FEW
    return {
        "picture": session.state.to_svg(viewer, part="board", ghost=action, turns=turns),
        "panel": panel,
        "events": state.score_events(action),
        "actor": after.current_player(),
        "next": [
            {"words": words_of(after, each, panel["labels"]), "events": after.score_events(each)}
            for each in (after.legal_actions() if few else ())
        ],
    }


def position(session: Session, viewer: int | None, number: int, turns: int = 0) -> dict[str, Any]:
    """The position after a number of actions.

    `number`, `picture` (the board as SVG), `panel` (what `state.panel` says of what is next to it), `text`, `scores`,
    `winners` (none yet: []; those of the present position, if somebody has resigned).
    """
    state = session.state_after(number)
    return {
        "number": number,
        "picture": drawn(session, viewer, number, targets=True, part="board", turns=turns),
        "panel": state.panel(viewer),
        "text": str(state) if viewer is None else state.to_string(viewer),
        "scores": state.scores(),
        "winners": session.winners if number == len(session.moves) else [],
    }


def drawn(session: Session, viewer: int | None, number: int, **how: Any) -> str:
    """The drawing of the position after a number of actions, with a mark on what the last of them changed.

    It marks what the player who acted last did: the last action, or the one before if that left nothing to mark. The
    place of a meeple is that of the tile placed before it, for example. how: the other arguments of `state.to_svg()`.
    """
    state, moves = session.state_after(number), session.moves
    plain: str = state.to_svg(viewer, **how)
    seen = (moves[at] for at in reversed(range(number)) if moves[at].player >= 0 and session.seen(at, viewer) >= 0)
    for _, latest in islice(groupby(seen, key=lambda move: move.player), 1):
        for move in islice(latest, 2):
            svg: str = state.to_svg(viewer, last=move.action, **how)
            if svg != plain:
                return svg
    return plain
