"""Java in words: why an action is illegal, what actions are called and point at, boards and positions as text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tilery
from tests.games.java.test_rules import PAIR, Table, court, two_cities
from tests.games.java.test_validation import OPTIONS, position
from tests.kit.walking import play

rule = pytest.mark.rule

DEAL = "*m *m *m *d *d *d *p"
"""Three masks for player 0, three drums for player 1, an open puppet."""


def reason(tokens: str, token: str) -> str:
    state = play(tilery.java.Game(), f"{DEAL} {tokens}")
    sentence: str = state.why_illegal(state.string_to_action(token))
    return sentence


@rule("JA-9", "JA-10", "JA-12", "JA-13", "JA-16", "JA-19", "JA-20", "JA-21", "JA-23", "JA-29", "JA-30")
@pytest.mark.parametrize(
    ("tokens", "token", "expected"),
    [
        ("", "end", "JA-9: a land tile must still be placed in this turn"),
        ("", "lay:m", "JA-30: bids are made in a festival only"),
        ("3@7.13/E", "3@7.11/E", "JA-10: all spaces under a tile must have the same height"),
        ("w@7.13", "r@7.13", "JA-12: a tile may not cover figures, palaces or irrigation"),
        ("3@7.13/E", "3@7.13/E", "JA-13: a tile may not exactly cover a tile of the same size"),
        ("3@7.13/E", "w@7.13", "JA-16: irrigation needs a bare space"),
        ("3@7.13/E", ">7.13", "JA-21: no figure is taken up"),
        ("3@7.13/E", "P7.13=2", "JA-23: the settlement has fewer spaces than the palace's value"),
        ("3@7.13/E", "F7.13", "JA-29: a festival needs a fresh palace"),
        ("3@7.13/E w@5.9 w@5.11 w@5.13 w@5.17 w@5.19", "open", "JA-7: the player has too few action points left"),
    ],
)
def test_the_rule_that_an_illegal_action_breaks_is_named(tokens: str, token: str, expected: str) -> None:
    sentence = reason(tokens, token)
    assert sentence.startswith(f"{expected} (turn of player 0: "), sentence


@rule("JA-14")
def test_legal_tiles_whose_rice_cuts_a_settlement_need_no_reason() -> None:
    state = two_cities(tilery.load).play("2@3.7/NE 2@3.11/NE end r@3.9 end").state
    for token, expected in (
        ("2@3.9/NW", "JA-14: no settlement may hold two palaces"),
        ("2@3.9/W", ""),
        ("3@3.9/W", ""),
    ):
        sentence = state.why_illegal(state.string_to_action(token))
        assert sentence.startswith(expected) if expected else sentence == "", token


@rule("JA-30")
def test_who_begins_a_festival_may_not_pass() -> None:
    table = court(tilery.load, "m m d m m p md")
    sentence = table.state.why_illegal(table.state.string_to_action("pass"))
    assert sentence.startswith("JA-30: the player whose turn it is must lay a card before passing")
    table.play("lay:m stop lay:m stop")
    assert table.can("pass")
    assert table.state.why_illegal(table.state.string_to_action("pass")) == ""


@rule("JA-38")
def test_a_player_sees_the_known_cards_of_others_alone() -> None:
    state = play(tilery.java.Game(), f"{DEAL} 3@7.13/E open *md pile *dp")
    assert "player 0 (a)  0 points  figures 12  tiles 2:5 r:3 v:2  tokens 3  hand 3m p dp" in str(state)
    assert "player 0 (a)  0 points  figures 12  tiles 2:5 r:3 v:2  tokens 3  hand p +4" in state.to_string(1)
    assert "player 1 (b)  0 points  figures 12  tiles 2:5 r:3 v:2  tokens 3  hand +3" in state.to_string(0)


def test_the_printed_board_numbers_its_rows_and_columns() -> None:
    state = play(tilery.java.Game(), f"{DEAL} 3@7.13/E")
    even, odd, *rows = str(state).splitlines()
    row = next(line for line in rows if line.startswith(" 7 "))
    at = row.index("v1")
    assert odd[at:].startswith("13 ")
    assert rows[rows.index(row) + 1][even.index(" 14") + 1 :].startswith("r1")


def test_observations_begin_where_the_board_begins() -> None:
    """The same board two rows lower looks the same."""
    here = Table(tilery.load, PAIR, quarry=0).play("r@1.3")
    lower = Table(tilery.load, "\n\n" + PAIR, quarry=0).play("r@3.3")
    for player in range(2):
        seen = here.state.observation_tensor(player)
        assert np.count_nonzero(seen) > 10
        assert np.array_equal(seen, lower.state.observation_tensor(player))


@rule("JA-40", "JA-41", "JA-42", "JA-43", "JA-44")
@pytest.mark.parametrize(
    ("token", "words", "picks"),
    [
        ("3@7.13/E", "village on 7.13, rice to the east and southeast", ["tool:3", "space:7.13", "direction:E"]),
        ("2@7.13/NW", "village on 7.13, rice to the northwest", ["tool:2", "space:7.13", "direction:NW"]),
        ("w@7.13", "irrigation on 7.13", ["tool:water", "space:7.13"]),
        (">6.14", "set the figure down on 6.14", ["space:6.14"]),
        ("P7.13=4", "palace of 4 on 7.13", ["tool:palace", "space:7.13", "value:4"]),
        ("lay:md", "lay a card with mask and drum", ["hand:md"]),
        ("end", "end the turn", ["button:end"]),
        ("*p", "a card with a puppet is drawn", ["draw:p"]),
    ],
)
def test_actions_in_words_and_as_things_to_point_at(token: str, words: str, picks: list[str]) -> None:
    game = tilery.java.Game()
    action = game.string_to_action(token)
    assert game.describe_action(action) == words
    assert game.picks(action) == picks


@pytest.mark.parametrize("options", OPTIONS)
def test_picks_of_legal_actions_differ_and_none_begins_another(options: dict[str, Any]) -> None:
    game = tilery.java.Game(**options)
    for seed in range(20):
        state = position(game, seed, 15 * seed)
        paths = sorted(tuple(game.picks(action)) for action in state.legal_actions())
        assert all(1 <= len(path) <= 4 for path in paths)
        for path, following in pairwise(paths):
            assert following[: len(path)] != path


def test_a_position_that_cannot_be_read_names_the_place() -> None:
    game = tilery.java.Game()
    good = play(game, f"{DEAL} 3@7.13/E").to_dict()
    assert game.state_from_dict(good) == play(game, f"{DEAL} 3@7.13/E")
    for path, bad, message in [
        (("supply", "two"), [5], r"supply\.two must be a list of 2 items"),
        (("ap",), -1, "ap must be an integer from 0 to 255, got -1"),
        (("board", "figures"), [["99.1", 0]], r"board\.figures\[0\]\[0\] must be the name of a space"),
        (("cards", "open"), "x", r"cards\.open must be m, d, p, md, dp, pm or null"),
        (("draw",), "sometimes", "draw must be deal, open or pile"),
    ]:
        wrong: Any = {key: dict(value) if isinstance(value, dict) else value for key, value in good.items()}
        inner = wrong
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = bad
        with pytest.raises(tilery.StateDataError, match=message):
            game.state_from_dict(wrong)


def test_a_hand_of_any_size_lies_in_the_picture() -> None:
    """Players who take a card whenever they can; later rows hold what a row has no room for."""
    state, rng, most = tilery.load("java").new_initial_state(), tilery.Rng(4), 0
    while not state.is_terminal() and most < 15:
        if state.is_chance_node():
            state.apply_action(state.random_action(rng))
            continue
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(next((actions[t] for t in ("pile", "open", "end") if t in actions), min(actions.values())))
        most = max(sum(state.information_state(player)["cards"]["hand"]) for player in range(2))
        root = ET.fromstring(state.to_svg())
        width, height = int(root.attrib["width"]), int(root.attrib["height"])
        for card in root.findall("{http://www.w3.org/2000/svg}rect"):
            assert int(card.attrib["x"]) + int(card.attrib["width"]) <= width
            assert int(card.attrib["y"]) + int(card.attrib["height"]) <= height
    assert most == 15
