"""What is recorded in files and compared: fingerprints, perft tables, golden games."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import tilery
from tests.kit.games import GAMES, ROOT, folder_of, variants

FINGERPRINTS = ROOT / "tests" / "fingerprints.toml"
GAMES_IN_A_FINGERPRINT = 1000
SEARCH_FINGERPRINTS = ROOT / "tests" / "fingerprints-search.toml"
SEARCH_IN_A_FINGERPRINT = "mcts:200"
GAMES_OF_A_SEARCH = 50


def fingerprint_games() -> dict[str, Any]:
    """Label -> game, for every variant of every game."""
    labelled = {}
    for name in GAMES:
        for options in variants(name):
            words = (
                f"{key}={'own' if isinstance(value, dict) else json.dumps(value)}" for key, value in options.items()
            )
            labelled[" ".join([name, *words]).replace('"', "'")] = tilery.load(name, **options)
    return labelled


def fingerprint(game: Any) -> str:
    """A hash of the actions and scores of 1,000 games of seed 2026."""
    return _hash(*tilery.simulate(game, GAMES_IN_A_FINGERPRINT, seed=2026, records=True))


def search_fingerprint(name: str) -> str:
    """A hash of the actions and scores of 50 games that mcts:200 plays against itself, of seed 2026."""
    game = tilery.load(name)
    policy = SEARCH_IN_A_FINGERPRINT
    return _hash(*tilery.simulate(game, GAMES_OF_A_SEARCH, seed=2026, records=True, policies=policy))


def _hash(results: Any, tokens: list[str]) -> str:
    digest = hashlib.sha256()
    for result, text in zip(results, tokens, strict=True):
        digest.update(f"{text} {result['scores'].tolist()}\n".encode())
    return digest.hexdigest()[:16]


@dataclass
class PerftTable:
    """tests/games/<game>/perft.txt: `{rules} depth paths` a line; comments begin with #."""

    name: str
    comments: list[str]
    rows: list[tuple[dict[str, Any], int, int]]

    @classmethod
    def path(cls, name: str) -> Path:
        return folder_of(name) / "perft.txt"

    @classmethod
    def read(cls, name: str) -> Self:
        table = cls(name, [], [])
        for line in cls.path(name).read_text(encoding="ascii").splitlines():
            if line.startswith("#"):
                table.comments.append(line)
            elif line:
                rules, depth, paths = line.rsplit(maxsplit=2)
                table.rows.append((json.loads(rules), int(depth), int(paths)))
        return table

    @classmethod
    def begun(cls, name: str, most: int = 1_000_000) -> Self:
        """A table for a game without one: its default rules, as deep as there are at most this many paths."""
        table, start = cls(name, ["# rules, depth, paths"], []), tilery.load(name).new_initial_state()
        for depth in range(1, 8):
            if (paths := start.perft(depth)) > most:
                break
            table.rows.append(({}, depth, paths))
        return table

    def count(self) -> None:
        """Put what the engine counts in place of every number."""
        self.rows = [
            (rules, depth, tilery.load(self.name, **rules).new_initial_state().perft(depth))
            for rules, depth, _ in self.rows
        ]

    def write(self) -> None:
        lines = [*self.comments, *(f"{json.dumps(rules)} {depth} {paths}" for rules, depth, paths in self.rows)]
        self.path(self.name).write_text("\n".join(lines) + "\n", encoding="ascii")


@dataclass
class Golden:
    """tests/games/<game>/golden/*.txt: a game for people to read, one action a line.

        # pueblo {"players": 2} seed 7
           1  p0      Cd4ne          0 0

    number, who acts, token, scores after it.
    """

    name: str
    rules: dict[str, Any]
    seed: int
    lines: list[tuple[str, str, list[int]]]

    @classmethod
    def recorded(cls, game: Any, seed: int) -> Self:
        _, (tokens,) = tilery.simulate(game, 1, seed=seed, records=True)
        defaults = tilery.load(game.name).rules.as_dict()
        rules = {k: v for k, v in game.rules.as_dict().items() if k == "players" or v != defaults[k]}
        return cls(game.name, rules, seed, list(cls.played(game, tokens.split())))

    @staticmethod
    def played(game: Any, tokens: list[str]) -> Iterator[tuple[str, str, list[int]]]:
        """Who acts, the token and the scores after it, for each token in turn."""
        state = game.new_initial_state()
        for token in tokens:
            player = state.current_player()
            state.apply_action(state.string_to_action(token))
            yield ("chance" if player == tilery.CHANCE else f"p{player}"), token, state.scores()
        assert state.is_terminal()

    @classmethod
    def read(cls, path: Path) -> Self:
        head, *rest = path.read_text(encoding="ascii").splitlines()
        mark, name, remainder = head.split(maxsplit=2)
        rules, word, seed = remainder.rsplit(maxsplit=2)
        assert mark == "#"
        assert word == "seed"
        lines = []
        for number, line in enumerate(rest, start=1):
            count, player, token, *scores = line.split()
            assert int(count) == number, line
            lines.append((player, token, [int(score) for score in scores]))
        return cls(name, json.loads(rules), int(seed), lines)

    def write(self) -> Path:
        folder = folder_of(self.name) / "golden"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.rules['players']}-players-seed-{self.seed}.txt"
        lines = [f"# {self.name} {json.dumps(self.rules)} seed {self.seed}"]
        for number, (player, token, scores) in enumerate(self.lines, start=1):
            lines.append(f"{number:4}  {player:7} {token:14} {' '.join(map(str, scores))}")
        path.write_text("\n".join(lines) + "\n", encoding="ascii")
        return path


STUB_TYPES = {"hand_size": "Literal[0, 1, 3]", "sites": "Sequence[str]", "table": "Sequence[int] | None"}
"""The types of options that have a rule of their own."""


def stub_of(name: str) -> Path:
    """The file of the types of a game."""
    return ROOT / "python" / "tilery" / "_core" / f"{name}.pyi"


def stub_with_options(name: str) -> str:
    """The stub of a game with the options that the engine declares."""
    options = []
    for option in tilery.options(name).values():
        default = () if option.default == [] else option.default
        quoted = f'"{default}"' if isinstance(default, str) else repr(default)
        options.append(f"{option.name}: {_type_of(option)} = {quoted}")
    written = f"    def __init__(self, *, {', '.join(options)}) -> None: ..."
    if len(written) > 120:
        written = "".join(f"        {each},\n" for each in ["self", "*", *options])
        written = f"    def __init__(\n{written}    ) -> None: ..."
    head, colon, rest = stub_of(name).read_text(encoding="ascii").partition("class Game(")
    return head + colon + re.sub(r"    def __init__\(.*?\) -> None: \.\.\.", written, rest, count=1, flags=re.DOTALL)


def _type_of(option: Any) -> str:
    match option.kind:
        case "choice":
            return "Literal[" + ", ".join(f'"{choice}"' for choice in option.choices) + "]"
        case "file":
            return "str | PathLike[str] | Mapping[str, Any]"
        case "value":
            return STUB_TYPES[option.name]
    return str(option.kind)
