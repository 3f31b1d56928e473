"""Agents in files: what is written is read again, plays everywhere, and opens nothing else."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tilery.policies import repeatable


def agent_of(game: Any, *, seed: int = 1) -> Any:
    """An agent with random numbers, for any game; of few inputs, since some games have many actions."""
    rng, size = np.random.default_rng(seed), int(np.prod(game.observation_tensor_shape))
    kept = rng.choice(size, 5, replace=False)
    layers = [
        (rng.normal(size=(5, 4)), rng.normal(size=4)),
        (rng.normal(size=(4, game.num_distinct_actions)), rng.normal(size=game.num_distinct_actions)),
    ]
    return tilery.agents.Agent(game, layers, kept=kept, mean=rng.normal(size=5), scale=rng.random(5))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "my.npz"
    agent_of(tilery.load("toy")).save(path)
    return path


@pytest.mark.parametrize("name", GAMES)
def test_an_agent_comes_back_from_its_file_and_plays(name: str, tmp_path: Path) -> None:
    game = tilery.load(name)
    agent = agent_of(game)
    agent.save(tmp_path / "my.npz")
    policy = tilery.policy(f"agent:{tmp_path / 'my.npz'}")
    assert str(policy) == f"agent:{tmp_path / 'my.npz'}"
    state, rng = game.new_initial_state(), tilery.Rng(5)
    for _ in range(30):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            player = state.current_player()
            found = agent.priorities(state.observation_tensor(player))
            best = max(state.legal_actions(), key=lambda action: (found[action], -action))
            assert agent.choose(state) == policy.choose(state, 3) == tilery.policy(agent).choose(state, 8) == best
        state.apply_action(state.random_action(rng))
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_agents_play_in_matches_runs_and_environments(saved: Path) -> None:
    text, game = f"agent:{saved}", tilery.load("toy")
    (table,) = tilery.match.play(game, [text, "random"], games=8, seed=2)
    assert table.sides[0].policy == text
    assert not table.failures
    assert len(tilery.simulate(game, 3, policies=[text, "greedy"])) == 3
    command = Path(sys.executable).with_name("tilery")
    words = [str(command), "match", "toy", f"agent:{saved.name}", "random", "--games", "2", "--json"]
    done = subprocess.run(words, cwd=saved.parent, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["tables"][0]["sides"][0]["policy"] == f"agent:{saved.name}"


def test_an_agent_of_another_game_is_refused_before_the_first_game(saved: Path) -> None:
    other = tilery.games()[0]
    with pytest.raises(ValueError, match=f"the agent learned a game with name toy, not {other}"):
        tilery.match.play(tilery.load(other), [f"agent:{saved}", "random"], games=2)
    with pytest.raises(ValueError, match="the agent learned a game with num_players 2, not 3"):
        tilery.match.play(tilery.load("toy", players=3), [f"agent:{saved}", "random"], games=2)


def test_a_file_is_never_written_over(saved: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(FileExistsError, match="holds data"):
        agent_of(tilery.load("toy"), seed=2).save(saved)
    assert saved.read_bytes() == before
    agent_of(tilery.load("toy"), seed=2).save(saved, overwrite=True)
    assert saved.read_bytes() != before
    assert list(saved.parent.iterdir()) == [saved]


def rewritten(saved: Path, **arrays: Any) -> bytes:
    """The file with other arrays."""
    with np.load(saved) as found:
        kept = {name: found[name] for name in found.files} | arrays
    written = io.BytesIO()
    np.savez(written, **{name: array for name, array in kept.items() if array is not None})
    return written.getvalue()


def head(saved: Path, **changed: Any) -> Any:
    with np.load(saved) as found:
        return np.frombuffer(json.dumps(json.loads(found["head"].tobytes()) | changed).encode(), np.uint8)


def bomb(_saved: Path) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("head.npy", "w") as member:
        for _ in range(130):
            member.write(bytes(1 << 20))
    return written.getvalue()


WRONG: list[tuple[Callable[[Path], bytes], str]] = [
    (lambda _: b"", "not a zip file"),
    (lambda saved: saved.read_bytes()[:-200], "is not an agent"),
    (lambda _: b"PK\x03\x04" + bytes(1000), "is not an agent"),
    (lambda saved: rewritten(saved, head=None), "it has no .*head"),
    (lambda saved: rewritten(saved, weights0=None), "it has no .*weights0"),
    (lambda saved: rewritten(saved, head=np.array([print], object)), "allow_pickle"),
    (lambda saved: rewritten(saved, weights1=np.array([[print]], object)), "allow_pickle"),
    (lambda saved: rewritten(saved, bias0=np.full(4, np.nan)), "bias 0 must be finite numbers"),
    (lambda saved: rewritten(saved, mean=np.zeros(9)), "mean must be finite numbers of shape"),
    (lambda saved: rewritten(saved, kept=np.array([0, 1, 2, 3, 10**6])), "kept must be integers from 0 to"),
    (lambda saved: rewritten(saved, head=head(saved, format="other")), "its format is 'other'"),
    (lambda saved: rewritten(saved, head=head(saved, game="chess")), "chess"),
    (lambda saved: rewritten(saved, head=head(saved, layers=10**9)), "is not an agent"),
    (lambda saved: rewritten(saved, head=head(saved, layers="x")), "is not an agent"),
    (lambda saved: rewritten(saved, head=head(saved, clip=0)), "clip must be a number above 0"),
    (lambda saved: rewritten(saved, head=np.frombuffer(b"[" * 10**5, np.uint8)), "is not an agent"),
    (bomb, "it holds more than 134,217,728 bytes"),
]


@pytest.mark.parametrize(("content", "says"), WRONG)
def test_what_is_no_agent_is_refused(content: Callable[[Path], bytes], says: str, saved: Path) -> None:
    saved.write_bytes(content(saved))
    with pytest.raises(ValueError, match=says):
        tilery.policy(f"agent:{saved}")


def test_files_that_are_missing_or_no_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"agent:.*none.npz: No such file"):
        tilery.policy(f"agent:{tmp_path / 'none.npz'}")
    with pytest.raises(ValueError, match="it is a directory"):
        tilery.policy(f"agent:{tmp_path}")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="not a regular file"):
        tilery.policy(f"agent:{tmp_path / 'pipe'}")


def test_an_option_that_is_a_path_opens_nothing(tmp_path: Path) -> None:
    name, option = next((n, o.name) for n in GAMES for o in tilery.options(n).values() if o.kind == "file")
    path = tmp_path / "map.npz"
    agent_of(tilery.load(name)).save(path)
    path.write_bytes(rewritten(path, head=head(path, rules={option: str(tmp_path / "other.json")})))
    with pytest.raises(ValueError, match=f"is not an agent: {option}"):
        tilery.policy(f"agent:{path}")


def test_runs_on_disk_and_texts_from_outside_name_no_agent(saved: Path) -> None:
    with pytest.raises(ValueError, match="the file may hold another agent"):
        repeatable(f"agent:{saved}")
    assert not tilery.policies.of_engine(f"agent:{saved}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"layers": []},
        {"layers": [(np.zeros((3, 4)), np.zeros(4))]},
        {"layers": [(np.zeros((2, 4)), np.zeros((1, 4))), (np.zeros((4, 10)), np.zeros(10))]},
        {"layers": [(np.zeros((2, 10)), np.full(10, np.inf))]},
        {"layers": [(np.zeros((2, 10)), np.array(["x"] * 10))]},
        {"kept": [0.5, 1]},
        {"kept": [[0, 1]]},
        {"kept": [-1, 1]},
        {"scale": [1]},
        {"scale": [1e300, 1]},
        {"mean": [0, -(2.0**200)]},
        {"layers": [(np.full((2, 10), 1e39), np.zeros(10))]},
        {"clip": -1},
        {"clip": None},
        {"clip": True},
    ],
)
def test_arrays_that_do_not_fit_are_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"layers": [(np.zeros((2, 10)), np.zeros(10))], "kept": [0, 1]} | wrong
    with pytest.raises(ValueError, match=r"must be|has 1 to 16 layers"):
        tilery.agents.Agent(tilery.load("toy"), given.pop("layers"), **given)
