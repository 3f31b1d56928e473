"""Recorded games as drawings: SVG, PNG, and a page to click through."""

from __future__ import annotations

import html
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.web import content_of
from tilery import pictures, record
from tilery.cli import main
from tilery.pictures import title_of
from tilery.play import Session
from tilery.play.view import drawn


def recorded(name: str, folder: Path, **options: Any) -> tuple[Path, record.Record]:
    (written,) = record.simulated(tilery.load(name, **options), 1, seed=5)
    record.write(folder / "games.jsonl", [written])
    return folder / "games.jsonl", written


def drawn_after(written: record.Record, number: int, player: int | None = None) -> str:
    """The drawing after a number of actions, with a mark on what the last of them changed."""
    return drawn(Session.of_record(written, looks=True), player, number)


@pytest.mark.parametrize("name", GAMES)
def test_show_draws_a_position(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, written = recorded(name, tmp_path)
    _, state = list(record.positions(written))[9]
    out = tmp_path / "out.svg"
    assert main(["show", str(file), "--after", "9", "--svg", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == drawn_after(written, 9)
    assert main(["show", str(file), "--after", "9", "--player", "1", "--svg", str(out), "--overwrite"]) == 0
    assert out.read_text(encoding="utf-8") == drawn_after(written, 9, player=1)
    assert capsys.readouterr().out == ""
    assert main(["show", str(file), "--after", "9", "--player", "1"]) == 0
    assert str(state.to_string(1)) in capsys.readouterr().out  # type: ignore[attr-defined]
    assert main(["show", str(file), "--player", "7", "--svg", str(out)]) == 2
    assert "no player 7" in capsys.readouterr().err


@pytest.mark.parametrize("name", GAMES)
def test_the_drawing_after_an_action_marks_what_a_player_did(name: str, tmp_path: Path) -> None:
    """The last action, or the one before it of the same player; what chance did has no mark."""
    _, written = recorded(name, tmp_path)
    taken: list[int] = []
    marked = possible = 0
    before: Any = None
    for step, (token, position) in enumerate(record.positions(written)):
        state: Any = position
        if token is not None and before.current_player() >= 0:
            taken.append(state.string_to_action(token))
        before = state
        if step in (0, 9, 10, 11, 12, written.actions.count(" ") + 1):
            drawn = drawn_after(written, step)
            assert drawn in {state.to_svg(), *(state.to_svg(last=action) for action in taken[-2:])}
            assert drawn == state.to_svg(last=taken[-1] if taken else None) or drawn != state.to_svg()
            marked += drawn != state.to_svg()
            possible += any(state.to_svg(last=action) != state.to_svg() for action in taken[-1:])
    assert marked >= possible


def test_show_draws_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="pip install 'tilery[png]'")
    file, written = recorded("toy", tmp_path)
    out = tmp_path / "out.png"
    assert main(["show", str(file), "--png", str(out)]) == 0
    svg = record.replay(written).to_svg()  # type: ignore[attr-defined]
    for scale, data in ((1, out.read_bytes()), (2, pictures.png(svg, scale=2))):
        assert data.startswith(b"\x89PNG\r\n")
        assert int.from_bytes(data[16:20], "big") == scale * int(re.findall(r'width="(\d+)"', svg)[0])
    with pytest.raises(ValueError, match="not a drawing"):
        pictures.png("<html/>")


def test_png_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported = importlib.import_module

    def without(name: str) -> Any:
        if name.startswith("tilery."):
            return imported(name)
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(importlib, "import_module", without)
    file, _ = recorded("toy", tmp_path)
    assert main(["show", str(file), "--png", str(tmp_path / "out.png")]) == 2
    assert "pip install 'tilery[png]'" in capsys.readouterr().err


@pytest.mark.parametrize("player", [None, 0])
@pytest.mark.parametrize("name", GAMES)
def test_steps_hold_the_whole_game(name: str, player: int | None, tmp_path: Path) -> None:
    """The page has every position, refers to nothing outside, and tells a player no more than that player may know."""
    file, written = recorded(name, tmp_path)
    out = tmp_path / "steps.html"
    viewer = [] if player is None else ["--player", str(player)]
    assert main(["show", str(file), "--steps", str(out), *viewer]) == 0
    page = out.read_text(encoding="utf-8")
    content = content_of(page)
    assert set(re.findall(r"https?://[^\"\\ ]+", page + json.dumps(content))) == {"http://www.w3.org/2000/svg"}
    assert "src=" not in page
    assert f"<title>{html.escape(title_of(tilery.load(name)))}" in page
    positions: list[Any] = [state for _, state in record.positions(written)]
    moves = content["view"]["moves"]
    assert len(content["positions"]) == len(positions) == len(moves) + 1

    def drawing(pieces: list[int]) -> str:
        return "".join(content["pieces"][piece] for piece in pieces)

    latest: list[int] = []
    mover = None
    for number, (shown, state) in enumerate(zip(content["positions"], positions, strict=True)):
        if number > 0:
            before, (by, token, words, events, *_) = positions[number - 1], moves[number - 1]
            action = state.string_to_action(written.actions.split()[number - 1])
            assert by == before.current_player()
            assert events == before.score_events(action)
            if player is not None and before.action_seen_by(player, action) < 0:
                assert (token, words) == ("*?", "something hidden")
            elif by >= 0:
                assert token == before.action_to_string(action)
                latest = [*latest[-1:], action] if by == mover else [action]
                mover = by
        how: dict[str, Any] = {"targets": True, "part": "board"}
        plain = state.to_svg(player, **how)
        marked = [state.to_svg(player, last=action, **how) for action in reversed(latest)]
        assert drawing(shown["picture"][0]) == next((each for each in marked if each != plain), plain)
        for turns, turned in enumerate(shown["picture"][1:], start=1):
            assert re.findall('data-solid="."', drawing(turned)) != re.findall('data-solid="."', plain), turns
        panel = shown["panel"] | json.loads(drawing(shown["panel"].pop("drawn")))
        assert panel == state.panel(player)
        assert shown["text"] == (str(state) if player is None else state.to_string(player))
        assert shown["scores"] == state.scores()
    assert (content["view"]["actions"], content["view"]["people"]) == ([], [])


def test_steps_of_an_unfinished_game_end_where_it_was_left(tmp_path: Path) -> None:
    """Also where chance is to act, or a player without a choice."""
    _, written = recorded(GAMES[0], tmp_path)
    for count in range(12):
        begun = record.Record(written.game, written.rules, " ".join(written.actions.split()[:count]))
        assert len(content_of(pictures.steps(begun))["positions"]) == count + 1


def test_steps_of_a_broken_record(tmp_path: Path) -> None:
    _, written = recorded("toy", tmp_path)
    broken = record.Record(written.game, written.rules, written.actions + " *9")
    with pytest.raises(tilery.RecordError):
        pictures.steps(broken)
