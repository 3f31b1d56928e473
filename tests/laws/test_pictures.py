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
from tests.kit.games import GAMES, ROOT, options_of, variants
from tests.kit.pictures import drawings, drawn, recorded
from tests.kit.walking import random_game, walk
from tests.kit.web import content_of
from tilery import pictures, record
from tilery.pictures import title_of
from tilery.play.files import PAGE

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
    assert state._repr_svg_() == state.to_svg().replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
    actor = state.current_player()
    for player in range(state.game.num_players):
        svg = state.to_svg(player, targets=True)
        check_drawing(svg)
        other = state.determinize(player, seed)
        assert other.to_svg(player, targets=True) == svg, "a drawing shows what the player does not know"
        assert other.panel(player) == check_parts(state, player, svg)
        if player != actor:
            assert not targets(svg)
    if actor >= 0:
        check_paths(state)
        check_previews(state, seed)


def check_parts(state: Any, player: int, svg: str) -> Any:
    """Asserts that board and panel share the targets of the whole drawing; returns what the panel says."""
    parts = [state.to_svg(player, targets=True, part=part) for part in ("board", "panel")]
    board, beside = (targets(check_text(part)) for part in parts)
    assert board | beside == targets(svg)
    assert not board & beside
    found = state.panel(player)
    assert set(found["picks"]) == beside
    things = [each for group in found["groups"] for each in group["things"]]
    assert beside | set(found["spots"]) <= {each["pick"] for each in things}
    assert all(each["svg"] or each["words"] for each in things)
    for each in things:
        assert set(re.findall(r'href="#([^"]+)"', each["svg"])) <= set(re.findall(r'<g id="([^"]+)"', found["shapes"]))
    assert found["to_act"] == state.current_player()
    assert [each["points"] for each in found["players"]] in (state.scores(), [])
    if "prices" in found:
        assert player == state.current_player()
        assert len(found["prices"]) == state.num_legal_actions()
    if "standing" in found:
        gains = [sum(each["points"] for each in found["standing"] if each["player"] == p) for p in range(len(SEATS))]
        over = [points + gain for points, gain in zip(state.scores(), gains, strict=False)]
        assert over == state.scores_if_over()
    for seat, each in enumerate(found["players"]):
        assert (each["seat"], each["name"], each["colour"]) == (seat, *SEATS[seat])
    return found


def check_text(svg: str) -> str:
    check_drawing(svg)
    return svg


def check_previews(state: Any, seed: int) -> None:
    """Asserts that a preview is the drawing of the position after it, as far as the player knows that."""
    player, legal = state.current_player(), state.legal_actions()
    action = legal[seed % len(legal)]
    shown = state.to_svg(player, part="board", ghost=action)
    root = check_drawing(shown)
    assert root.get("class") == "ghost"
    assert state.determinize(player, seed).to_svg(player, part="board", ghost=action) == shown
    assert state.to_svg(player, targets=True, part="board", ghost=action) == shown
    with pytest.raises(tilery.IllegalActionError, match="needs that player to act"):
        state.to_svg((player + 1) % state.game.num_players, ghost=action)
    illegal = next((a for a in range(state.game.num_distinct_actions) if a not in set(legal)), None)
    if illegal is not None:
        with pytest.raises(tilery.IllegalActionError):
            state.to_svg(player, ghost=illegal)


SEATS = (("blue", "#0072b2"), ("orange", "#c04f00"), ("green", "#007a59"), ("pink", "#cc79a7"), ("yellow", "#f0c419"))
"""The names and colours of seats, which texts, pictures, pages and charts share."""


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


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_drawings_of_whole_games(name: str) -> None:
    """At every sixteenth action or so, and at the end, under every variant that is played by name."""
    for seed, options in enumerate(variants(name)):
        game = tilery.load(name, **options)
        state, rng = game.new_initial_state(), tilery.Rng(seed)
        while not state.is_terminal():
            last = state.random_action(rng)
            state.apply_action(last)
            if rng.below(16) == 0 or state.is_terminal():
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
    for turns in (-1, 4, 0.5):
        with pytest.raises(ValueError, match="turns"):
            state.to_svg(turns=turns)
    for part in ("data", "", "Board"):
        with pytest.raises(ValueError, match="part must be 'all', 'board' or 'panel'"):
            state.to_svg(part=part)
    with pytest.raises(ValueError, match="player"):
        state.panel(-1)
    assert game.describe_pick("button:stop & go") == "stop & go"
    assert game.describe_pick("cell:1,2") == "cell 1,2"
    assert game.describe_pick("") == ""
    with pytest.raises(ValueError, match="a pick must be a str, got 3"):
        game.describe_pick(3)
    for wrong in (-1, game.num_distinct_actions, 10**30, "0", None):
        for call in (game.action_to_string, game.describe_action, game.picks):
            with pytest.raises(tilery.ParseError):
                call(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_recorded_drawings(name: str) -> None:
    """Drawn as recorded; `nox -s pictures` records them again, for a person to look at."""
    for path, svg in recorded(name):
        check_drawing(svg)
        assert svg + "\n" == path.read_text(encoding="utf-8"), f"{path} has changed: nox -s pictures"


@pytest.mark.parametrize("name", drawings())
def test_drawings_of_the_documentation(name: str) -> None:
    """The pages of docs/games show today's drawings, and each of them."""
    svg, game = drawn(name), name.partition("-")[0]
    check_drawing(svg)
    assert svg + "\n" == (ROOT / "docs" / "games" / f"{name}.svg").read_text(encoding="utf-8"), "nox -s pictures"
    assert f"({name}.svg)" in (ROOT / "docs" / "games" / f"{game}.md").read_text(encoding="utf-8")
    assert len(svg) < 90_000


def test_one_table_of_seat_colours() -> None:
    """Pages paint seats as pictures do; white text on the first three, dark text on the others is readable."""
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    assert re.findall(r"\.seat(\d) { --seat: (#\w+); }", style) == [(str(i), c) for i, (_, c) in enumerate(SEATS)]
    for seat, (_, colour) in enumerate(SEATS):
        assert contrast(colour, "#ffffff" if seat < 3 else "#2b2a28") >= 4.5, colour


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", GAMES)
def test_labels_are_words(name: str) -> None:
    """No label of a step is a name from the program, such as "tool 3" or "segment f0"."""
    game = tilery.load(name)
    for seed in range(12):
        state = walk(game, seed=seed, actions=12 * seed)
        if state.current_player() < 0:
            continue
        for pick in {pick for action in state.legal_actions() for pick in game.picks(action)}:
            label = game.describe_pick(pick)
            named = pick.partition(":")[0] in ("cell", "space", "square", "city", "card", "token", "bid")
            assert named or pick != label.replace(" ", ":", 1), label


@pytest.mark.parametrize("name", GAMES)
def test_the_drawing_is_a_group_where_it_has_buttons(name: str) -> None:
    """A picture with controls inside is not read as one picture (WCAG: nested-interactive)."""
    state = walk(tilery.load(name), seed=3, actions=30)
    for targets_ in (False, True):
        root = ET.fromstring(state.to_svg(max(0, state.current_player()), targets=targets_))
        pointed = targets(ET.tostring(root, encoding="unicode"))
        assert root.get("role") == ("group" if pointed else "img")


def test_names_of_games_are_written_for_people() -> None:
    assert {title_of(tilery.load(name)) for name in GAMES} == {"Carcassonne", "Java", "Pueblo", "Taj Mahal", "Toy"}


def test_a_game_in_which_nobody_has_acted_has_a_page() -> None:
    content = content_of(pictures.steps(record.of_state(tilery.load("toy").new_initial_state(), "")))
    assert [position["winners"] for position in content["positions"]] == [[]]
