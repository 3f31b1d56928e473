"""Bad bytes, tokens and records: refused with a typed error, never a crash, never an impossible state."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.forging import accept_or_refuse, mutations, reseal
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery import record

rule = pytest.mark.rule


@pytest.mark.parametrize("name", GAMES)
def test_mutated_bytes_are_refused(name: str) -> None:
    """Any change of any byte, any cut, any growth: the checksum tells."""
    game = tilery.load(name)
    data = random_game(game, seed=4, actions=60).serialize()
    rng = np.random.default_rng(1)
    for mutated in mutations(data, rng, 3000):
        with pytest.raises(tilery.StateDataError):
            game.deserialize_state(mutated)
    for foreign in (b"", b"tilery", bytes(len(data)), data + data, data[:-1], b"\xff" * 5000):
        with pytest.raises(tilery.StateDataError):
            game.deserialize_state(foreign)
    for wrong in ("text", 3, None, [300], object()):
        with pytest.raises((tilery.StateDataError, TypeError)):
            game.deserialize_state(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_forged_checksums_reach_no_impossible_state(name: str) -> None:
    """With the checksum made to fit, a state is either refused as impossible or plays on to its end."""
    rng = np.random.default_rng(2)
    for players in (2, 3):
        game = tilery.load(name, players=players)
        for actions in (0, 10, 35, 90, 10**6):
            data = random_game(game, seed=actions, actions=actions).serialize()
            for mutated in mutations(data[24:-8], rng, 400):
                accept_or_refuse(game, reseal(data[:24] + mutated), rng)


@rule("G-4")
@pytest.mark.parametrize("name", GAMES)
def test_hostile_tokens(name: str) -> None:
    """Tokens with something changed are refused with ParseError, or are tokens of the game."""
    game = tilery.load(name)
    rng = np.random.default_rng(3)
    ids = rng.integers(0, game.num_distinct_actions, 200).tolist()
    alphabet = "".join(sorted({c for action in ids for c in game.action_to_string(action)})) + " \n\0*-+é\U0001f600"
    for action in ids:
        token = game.action_to_string(action)
        for at in range(len(token) + 1):
            letter = alphabet[int(rng.integers(len(alphabet)))]
            for changed in (token[:at] + letter + token[at:], token[:at] + token[at + 1 :], token[:at] + letter):
                with contextlib.suppress(tilery.ParseError):
                    assert game.action_to_string(game.string_to_action(changed)) == changed
    for nonsense in ("", " ", "x" * 100_000, "9" * 400, "*", "\ud800"):
        with pytest.raises(ValueError, match=r".+"):
            game.string_to_action(nonsense)


def hostile_lines(line: str, rng: np.random.Generator) -> Iterator[str | bytes]:
    content = json.loads(line)
    yield from ("", "{", "[]", "null", "3", '"x"', "{}", line[:-1], line + line, "[" * 100_000, b"\xff\xfe")
    for key in content:
        if key in ("seed", "index"):
            continue
        yield json.dumps({k: v for k, v in content.items() if k != key} | {key: rng.choice([7, -1]).item()})
        yield json.dumps(content | {key: {"a": [1]}})
    yield json.dumps(content | {"rules": content["rules"] | {"players": 77}})
    yield json.dumps(content | {"rules": content["rules"] | {"nonsense": 1}})
    yield json.dumps(content | {"game": "chess"})
    tokens = content["actions"].split()
    for at in rng.integers(0, len(tokens) - 1, 20).tolist():
        for other in (tokens[: at + 1], [*tokens[:at], "zz", *tokens[at:]], [*tokens, tokens[at]]):
            yield json.dumps(content | {"actions": " ".join(other)})
    yield json.dumps(content | {"actions": content["actions"].replace(" ", "  ", 1)})
    yield json.dumps(content | {"scores": [score + 1 for score in content["scores"]]})
    yield json.dumps(content | {"returns": list(reversed(content["returns"]))[:1]})


@rule("G-8")
@pytest.mark.parametrize("name", GAMES)
def test_hostile_records(name: str) -> None:
    """A record that is not the game it claims to be is refused, and the error says where."""
    (written,) = record.simulated(tilery.load(name), 1, seed=5)
    line = written.to_json()
    for hostile in hostile_lines(line, np.random.default_rng(4)):
        with pytest.raises(tilery.RecordError, match=r"^record: "):
            record.replay(hostile)
    assert record.replay(line).scores() == written.scores


@rule("G-8")
def test_a_record_that_is_not_over_may_lack_its_scores() -> None:
    game = tilery.load("toy")
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("*1"))
    half = record.of_state(state, "*1", comment="kept")
    assert half.scores is None
    assert record.replay(half) == state
    assert record.Record.from_json(half.to_json()).more == {"comment": "kept"}


@rule("G-8")
def test_records_that_cannot_be_read_back_are_not_written() -> None:
    game = tilery.load("toy")
    of_numpy: dict[str, Any] = {"seed": np.int64(2), "first": np.uint8(7)}
    for each in record.simulated(game, 2, **of_numpy):
        assert record.Record.from_json(each.to_json()) == each
    state = game.new_initial_state()
    for key in ("format", "game", "rules", "scores", "returns", "variations"):
        with pytest.raises(tilery.RecordError, match=f"'{key}' is a key of its own"):
            record.of_state(state, "", **{key: "x"})
    for value in (float("nan"), object(), {1, 2}):
        with pytest.raises(tilery.RecordError, match="'rating' cannot be written"):
            record.of_state(state, "", names=["Ann"], rating=value).to_json()
    wrong: Any
    for wrong in ({"game": 3}, {"rules": None}, {"actions": None}, {"more": []}):
        with pytest.raises(tilery.RecordError, match=f"'{next(iter(wrong))}' must be"):
            record.Record(**{"game": "toy", "rules": {}, "actions": "", **wrong})
    for wrong in (None, 3, [], object()):
        with pytest.raises(tilery.RecordError, match="not JSON"):
            record.replay(wrong)
        with pytest.raises(tilery.RecordError, match="not JSON"):
            tilery.review(wrong)


def test_the_envelope_says_what_is_wrong() -> None:
    """Magic, version, rules, size, checksum: each has its sentence."""
    game: Any = tilery.load("toy")
    data = game.new_initial_state().serialize()
    other = tilery.load("toy", hand=2).new_initial_state().serialize()
    for wrong, sentence in (
        (b"x" + data[1:], "begin"),
        (data[:6] + struct.pack("<H", 9) + data[8:], "version 9"),
        (other, "other rules"),
        (data[:40], "bytes"),
        (data[:30] + bytes([data[30] ^ 1]) + data[31:], "checksum"),
    ):
        with pytest.raises(tilery.StateDataError, match=sentence):
            game.deserialize_state(wrong)
