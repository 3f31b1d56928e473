"""Drawings as laws: well-formed, whole in themselves, showing no more than the viewer knows, and with things to point
at for the legal actions."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.games import GAMES, options_of, variants
from tests.kit.pictures import recorded
from tests.kit.walking import random_game, walk

SEEDS = st.integers(0, 2**32)
MOST_BYTES, MOST_ZIPPED = 200_000, 20_000
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "g", "defs", "use", "title", "path", "rect", "circle", "ellipse", "polygon", "text"}
COORDINATES = {"x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "viewBox", "font-size"}


def check_drawing(svg: str) -> ET.Element:
    """Asserts that a text is a drawing without scripts, styles and references to anything outside."""
    root = ET.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in SHAPES, element.tag
        for name, value in element.attrib.items():
            if name == "href":
                assert value in {f"#{each}" for each in ids}, value
            elif name == "d":
                assert "." not in value
            elif name in COORDINATES:
                assert re.fullmatch(r"-?\d+([ ,]+-?\d+)* ?", value), f"{name}={value!r}"
            assert not name.startswith("on"), name
            assert name != "style", value
            assert "url(" not in value, value
    assert len(svg.encode()) <= MOST_BYTES
    assert len(gzip.compress(svg.encode(), mtime=0)) <= MOST_ZIPPED
    return root


def targets(svg: str) -> set[str]:
    return {pick for element in ET.fromstring(svg).iter() if (pick := element.get("data-pick"))}


def check_paths(state: Any) -> None:
    """Asserts that the legal actions have paths to point along, and that the drawing carries their steps alone."""
    game, player = state.game, state.current_player()
    paths = [tuple(game.picks(action)) for action in state.legal_actions()]
    assert len(set(paths)) == len(paths)
    assert all(1 <= len(path) <= 4 for path in paths)
    starts = {path[:length] for path in paths for length in range(1, len(path))}
    assert not starts & set(paths), "a path begins another"
    shown = targets(state.to_svg(player, targets=True))
    assert shown <= {step for path in paths for step in path}
    for length in range(1, 5):
        # What is chosen next, after each beginning: in the drawing, or a button with a label of its own.
        after: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            if len(path) >= length:
                after.setdefault(path[: length - 1], set()).add(path[length - 1])
        for steps in after.values():
            labels = [game.describe_pick(step) for step in steps - shown]
            assert all(labels)
            assert len(set(labels)) == len(labels)


def check_state(state: Any, last: int | None, seed: int) -> None:
    """All laws of one state."""
    check_drawing(state.to_svg(last=last))
    assert state.to_svg() == state._repr_svg_()
    actor = state.current_player()
    for player in range(state.game.num_players):
        svg = state.to_svg(player, targets=True)
        check_drawing(svg)
        other = state.determinize(player, seed)
        assert other.to_svg(player, targets=True) == svg, "a drawing shows what the player does not know"
        if player != actor:
            assert not targets(svg)
    if actor >= 0:
        check_paths(state)


@pytest.mark.parametrize("name", GAMES)
def test_drawings_of_random_positions(name: str) -> None:
    """Under all options, on the way and at the end."""

    @settings(max_examples=6)
    @given(options=options_of(name), seed=SEEDS, actions=st.integers(0, 150))
    def law(options: dict[str, Any], seed: int, actions: int) -> None:
        game = tilery.load(name, **options)
        state = walk(game, seed=seed, actions=actions)
        last = None if state == game.new_initial_state() else state.game.num_distinct_actions - 1
        check_state(state, last, seed)

    law()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_drawings_of_whole_games(name: str) -> None:
    """After every action of a game, under every variant that is played by name."""
    for seed, options in enumerate(variants(name)):
        game = tilery.load(name, **options)
        state, rng = game.new_initial_state(), tilery.Rng(seed)
        while not state.is_terminal():
            last = state.random_action(rng)
            state.apply_action(last)
            if rng.below(8) == 0 or state.is_terminal():
                check_state(state, last, seed)


@pytest.mark.parametrize("name", GAMES)
def test_arguments_of_drawings(name: str) -> None:
    game = tilery.load(name)
    state = random_game(game, seed=1, actions=20)
    assert state.to_svg(None, None, False) == state.to_svg()
    assert state.to_svg(player=0, last=0, targets=True).startswith("<svg ")
    for player in (-1, game.num_players):
        with pytest.raises(ValueError, match="player"):
            state.to_svg(player)
    with pytest.raises(tilery.ParseError):
        state.to_svg(last=game.num_distinct_actions)
    with pytest.raises(TypeError):
        state.to_svg(1, 2, True, 4)
    assert game.describe_pick("button:stop & go") == "stop & go"
    assert game.describe_pick("cell:1,2") == "cell 1,2"
    assert game.describe_pick("") == ""
    with pytest.raises(TypeError):
        game.describe_pick(3)


@pytest.mark.parametrize("name", GAMES)
def test_recorded_drawings(name: str) -> None:
    """Drawn as recorded; `nox -s pictures` records them again, for a person to look at."""
    for path, svg in recorded(name):
        check_drawing(svg)
        assert svg + "\n" == path.read_text(encoding="utf-8"), f"{path} has changed: nox -s pictures"
