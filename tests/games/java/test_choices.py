"""Java: what the rulings on free moves (JA-22) and on the duty to place a land tile (JA-9) lose, by enumeration.

The rules without a ruling are the reference with what the ruling remembers wiped out; the rules with it are the engine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilery
import tilery.reference
from tests.games.java.options import SMALL, TINY
from tests.games.java.test_rules import Table
from tests.kit.walking import legal_tokens

rule = pytest.mark.rule

Arrangement = tuple[frozenset[Any], int]
"""The figures on the island, and the action points left."""
MOST_ARRANGEMENTS = 400


def walk(game: Any, rng: np.random.Generator, kinds: str) -> tuple[Any, Any]:
    """A position of a random game that prefers figures, in the engine and in the reference, with nothing remembered."""
    native = game.new_initial_state()
    reference = tilery.reference.load("java", **game.rules.as_dict()).new_initial_state()
    for _ in range(int(rng.integers(15, 90))):
        tokens = legal_tokens(native)
        liked = [token for token in tokens if token[0] in kinds] if rng.random() < 0.6 else []
        token = str(rng.choice(liked or tokens))
        action = native.string_to_action(token)
        if game.action_to_string(action) == "end" and native.is_terminal():
            break
        native.apply_action(action)
        reference.apply_action(action)
        if native.is_terminal():
            break
    return native, reference


def at_rest(native: Any) -> bool:
    """A turn in which nothing is remembered, and no figure is taken up."""
    if native.current_player() < 0:
        return False
    known = native.information_state(native.current_player())
    return not (known["festival"] or known["lifted"] or known["started"])


def followers(reach: dict[Arrangement, set[str]], here: Arrangement, tokens: list[str]) -> None:
    reach.setdefault(here, set()).update(tokens)


def with_the_ruling(start: Any) -> dict[Arrangement, set[str]]:
    """What moves for 0 AP reach in the engine: the arrangements, and what else is legal in each."""
    reach: dict[Arrangement, set[str]] = {}
    seen, waiting = {start}, [start]
    for state in waiting:
        here = (frozenset(state.figures()), state.information_state(0)["ap"])
        for action, cost in state.costs().items():
            token = state.action_to_string(action)
            after = state.child(action)
            if token == "extra":
                nearby = [after]
            elif token.endswith(">"):
                free = [goal for goal, price in after.costs().items() if price == 0]
                dear = [goal for goal, price in after.costs().items() if price > 0]
                followers(reach, here, [token + after.action_to_string(goal) for goal in dear])
                nearby = [after.child(goal) for goal in free]
            else:
                assert cost or token == "end" or token[0] == "F"
                followers(reach, here, [token])
                continue
            followers(reach, here, [])
            for state_near in nearby:
                if state_near not in seen:
                    seen.add(state_near)
                    waiting.append(state_near)
    return reach


def without_the_ruling(start: Any) -> dict[Arrangement, set[str]] | None:
    """The same without JA-22; None if there are too many arrangements."""
    reach: dict[Arrangement, set[str]] = {}
    seen, waiting = {(frozenset(start.figures.items()), start.ap)}, [start]
    for state in waiting:
        here = (frozenset(state.figures.items()), state.ap)
        followers(reach, here, [])
        nearby = []
        for action in state.legal_actions():
            token = state.game.action_to_string(action)
            if token == "extra":
                nearby.append(state.child(action))
            elif token.endswith(">"):
                lifted = state.child(action)
                prices = dict(lifted._walks(lifted.lifted, lifted.ap))
                for goal in lifted.legal_actions():
                    _, space = state.game.actions[goal]
                    if prices[space] == 0:
                        nearby.append(lifted.child(goal))
                    else:
                        followers(reach, here, [token + state.game.action_to_string(goal)])
            else:
                followers(reach, here, [token])
        for after in nearby:
            after.started, after.ended = set(), set()
            there = (frozenset(after.figures.items()), after.ap)
            if there not in seen:
                seen.add(there)
                waiting.append(after)
        if len(waiting) > MOST_ARRANGEMENTS:
            return None
    return reach


@rule("JA-22", "JA-R12")
@pytest.mark.parametrize("board", [TINY, SMALL], ids=["7 spaces", "19 spaces"])
def test_no_outcome_is_lost_by_the_limit_on_free_moves(board: dict[str, Any]) -> None:
    """All arrangements are reached with it, and the same actions follow."""
    game = tilery.load("java", players=2, board=board)
    rng = np.random.default_rng(22)
    compared = moved = 0
    for _ in range(400):
        native, reference = walk(game, rng, "+>3r123456789")
        if not at_rest(native) or not any(token.endswith(">") for token in legal_tokens(native)):
            continue
        free = without_the_ruling(reference)
        if free is None:
            continue
        spaces = game.spaces
        named = {
            (frozenset((f"{spaces[s][0]}.{spaces[s][1]}", p) for s, p in figures), ap): tokens
            for (figures, ap), tokens in free.items()
        }
        assert with_the_ruling(native) == named
        compared += len(free)
        moved += len({figures for figures, _ in free}) > 2
        if moved == 12:
            break
    assert moved == 12
    assert compared > 100


def legal_in(game: Any, state: Any) -> tuple[Any, set[str]]:
    """The same position under other rules, and what is legal in it."""
    same = game.state_from_dict(state.to_dict())
    return same, set(legal_tokens(same))


@rule("JA-9", "JA-R13")
def test_an_action_that_ends_the_duty_is_legal_with_before_and_nothing_else_is() -> None:
    """Random games on a board of seven spaces."""
    games = {value: tilery.load("java", board=TINY, land_reserve=value) for value in ("before", "after")}
    rng = np.random.default_rng(9)
    ended = compared = 0
    for _ in range(20):
        state = games["before"].new_initial_state()
        while not state.is_terminal():
            if at_rest(state) and state.information_state(0)["owed"]:
                (before, legal_before), (_, legal_after) = (legal_in(game, state) for game in games.values())
                compared += 1
                for token in legal_before - legal_after:
                    played = before.child(before.string_to_action(token))
                    if token.endswith(">"):  # judged by where the figure can be set down
                        continue
                    if played.is_chance_node():
                        played = played.child(played.legal_actions()[0])
                    assert "end" in legal_tokens(played), token
                    ended += 1
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert ended > 20
    assert compared > 100


ROW = """

   . . ~ . ~ . ~ . ~ . ~ . ~ . ~ .
  L L   L L
"""
"""Land that touches no other land but for 1.3 and 1.5, in the mountains but for four spaces."""


@rule("JA-9", "JA-R13")
def test_with_after_a_figure_may_leave_the_only_place_for_a_cheap_tile(load: Any) -> None:
    """The tile over 1.5 and the edge costs 2 AP; once the figure on 1.3 is gone, one beside it costs 1."""
    turns = "3@1.3/W r@1.9 r@1.13 r@1.17 end r@1.21 +0.2 end v@1.25 v@1.29 +1.3 end r@1.33 end"
    last = "extra open * pile * +1.13 +1.9"
    for value in ("before", "after"):
        table = Table(load, ROW, quarry=0, land_reserve=value).play(f"{turns} {last}")
        assert table.seen()["ap"] == 2
        assert min(table.cost(token) for token in table.legal if "@" in token) == 2
        assert table.can("-1.3") == (value == "after")
    table.play("-1.3")
    assert not table.can("end")
    assert table.play("2@1.3/W").can("end")
