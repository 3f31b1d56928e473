"""Did anything change at all? Fingerprints, perft tables and golden games, as recorded in files."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import tilery
from tests.kit import recording
from tests.kit.games import BACKENDS, GAMES, ROOT
from tests.kit.recording import FINGERPRINTS, Golden, PerftTable, fingerprint, fingerprint_games
from tests.kit.running import in_v2_build
from tests.lab import record

RECORDED = tomllib.loads(FINGERPRINTS.read_text())
GOLDEN = sorted(ROOT.glob("tests/games/*/golden/*.txt"))
NATIVE_BUDGET = 3_000_000
REFERENCE_BUDGET = 300


@pytest.mark.parametrize("label", RECORDED)
def test_fingerprints(label: str) -> None:
    """1,000 random games are the same, action for action, as when they were recorded."""
    assert fingerprint(fingerprint_games()[label]) == RECORDED[label]


def test_every_variant_has_a_fingerprint() -> None:
    assert list(RECORDED) == list(fingerprint_games())


@pytest.mark.slow
def test_fingerprints_of_the_other_build() -> None:
    """The build for processors without AVX2 plays the very same games."""
    printed = in_v2_build(
        "from tests.kit.recording import fingerprint, fingerprint_games\n"
        "for label, game in fingerprint_games().items(): print(f'{label}\\t{fingerprint(game)}')"
    )
    assert dict(line.split("\t") for line in printed.splitlines()) == RECORDED


@pytest.mark.parametrize("name", GAMES)
def test_perft(name: str) -> None:
    """The engine counts the paths of the table; the reference those it can count soon."""
    rows = PerftTable.read(name).rows
    assert rows
    for rules, depth, paths in rows:
        if paths <= NATIVE_BUDGET:
            assert BACKENDS["native"](name, **rules).new_initial_state().perft(depth) == paths, (rules, depth)
        if paths <= REFERENCE_BUDGET:
            assert count_paths(BACKENDS["reference"](name, **rules).new_initial_state(), depth) == paths


def count_paths(state: object, depth: int) -> int:
    """perft, by hand; the last level is counted, not played."""
    legal = state.legal_actions()
    if depth <= 1:
        return len(legal) if depth else 1
    total = 0
    for action in legal:
        after = state.clone()
        after.apply_action(action)
        total += count_paths(after, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_deep_perft(name: str) -> None:
    """The rows of the table that take the engine a while."""
    for rules, depth, paths in PerftTable.read(name).rows:
        if paths > NATIVE_BUDGET:
            assert BACKENDS["native"](name, **rules).new_initial_state().perft(depth) == paths, (rules, depth)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_golden_games(path: Path, backend: str) -> None:
    """Games that a person has read: who acts, what they may do, what it scores."""
    golden = Golden.read(path)
    game = BACKENDS[backend](golden.name, **golden.rules)
    assert list(Golden.played(game, [token for _, token, _ in golden.lines])) == golden.lines


def test_every_game_has_a_golden_game() -> None:
    assert {path.parts[-3] for path in GOLDEN} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_new_game_gets_its_recordings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`record perft` and `record golden` begin from nothing, as docs/adding-a-game.md says."""
    golden = min(ROOT.glob(f"tests/games/{name}/golden/*.txt"))
    monkeypatch.setattr(recording, "folder_of", lambda name: tmp_path / name)
    (tmp_path / name).mkdir()
    record.record_perft(name)
    rows = PerftTable.read(name).rows
    assert rows
    assert all(tilery.load(name).new_initial_state().perft(depth) == paths for _, depth, paths in rows)
    expected = Golden.read(golden)
    settings = [f"{option}={json.dumps(value)}" for option, value in expected.rules.items()]
    record.record_golden(name, str(expected.seed), *settings)
    assert (tmp_path / name / "golden" / golden.name).read_bytes() == golden.read_bytes()


@pytest.mark.slow
def test_fingerprints_are_recorded_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "fingerprints.toml"
    copy.write_bytes(FINGERPRINTS.read_bytes())
    monkeypatch.setattr(record, "FINGERPRINTS", copy)
    record.record_fingerprints()
    assert copy.read_bytes() == FINGERPRINTS.read_bytes()
