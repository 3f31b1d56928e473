"""Networks that learn a game by playing against themselves: `tilery train`.

A training is a folder: its plan, and of each round the samples of its games, the network fitted to them, and what the
match against the previous network showed. It can be interrupted at any time and goes on with the round it was in.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tilery import _core, match
from tilery.calibration import calibrated
from tilery.errors import OptionError, WeightsError
from tilery.files import open_regular, read, read_json, read_text, shipped, whole_file, write_whole
from tilery.ladder import deal
from tilery.options import Option
from tilery.runs import on_ray
from tilery.runs.files import write_npz
from tilery.runs.shards import RunError
from tilery.simulation import threads_of
from tilery.statistics import Sprt, counted, elo_of_share, share_interval
from tilery.weights import MOST_BYTES, Weights, load_weights

CHUNK = 50
"""Games that a task on a cluster plays."""

ZERO = "zero"
"""The name of no network: positions are judged by their points alone."""

ARRAYS = ("ids", "ends", "targets", "games")
"""The arrays of samples: inputs, where those of a position end, targets, and where the positions of a game end."""


@dataclass(frozen=True)
class Plan:
    """The plan of a training; equal plans give equal bytes on any number of threads."""

    game: str
    rounds: int = 12
    games: int = 2000
    """Games of a round; of the first four rounds fewer, since their networks are soon forgotten."""
    seed: int = 0
    passes: int = 2
    rate: float = 0.03
    window: int = 3
    """The number of last rounds that are learned from."""
    noise: float = 3.0
    """Points that are added to the judgement of turns at random in the first rounds; it falls to half of that."""
    random: float = 0.02
    """The share of decisions at random, likewise."""
    searched: float = 0.0
    """From the fifth round on, the share of decisions made by `nn:K`; what it says is learned as well."""
    best: int = 3
    """K of these searches."""
    keep: float = 1.0
    """The share of positions that are learned from."""
    match_games: int = 400
    """Games of the match between a round's network and the best one before, at most."""
    base: dict[str, Any] = field(default_factory=dict)
    """Options of all games; options that are not named here vary."""

    @classmethod
    def of_game(cls, game: str, **changes: Any) -> Plan:
        """The plan by which the network that is shipped for a game was made, with these changes."""
        known = json.loads(shipped("data", "nets", "plans.json"))
        return cls(**{"game": game, **known.get(game, {}), **changes})


@dataclass(frozen=True)
class Round:
    """The result of a round."""

    number: int
    network: str
    """SHA-256 of its network."""
    games: int
    positions: int
    errors: dict[str, float]
    """Root mean squares over games held out: `lead`, `points` and `win`, and `..._without` a network."""
    share: float | None
    """The share of the wins against the best network before; None for the first."""
    share_95: list[float] | None
    best: bool
    """Whether it is the best now."""


class Training:
    """A training in a folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin or continue. Raises `ValueError` if the folder holds another training."""
        self.folder, self.plan = folder, plan
        if not tilery.load(plan.game, **plan.base).num_inputs:
            raise WeightsError(f"{plan.game} has no inputs: nothing says what a learner sees of it")
        folder.mkdir(parents=True, exist_ok=True)
        described = json.dumps(asdict(plan), indent=1, sort_keys=True)
        plan_file = folder / "plan.json"
        if not plan_file.exists():
            write_whole(plan_file, described.encode())
        if read_text(plan_file) != described:
            raise ValueError(f"{folder} holds a training by another plan")
        finished = takewhile(lambda number: self._path(number, "json").exists(), range(plan.rounds))
        self.rounds = [self._read_round(number) for number in finished]

    def _path(self, number: int, ending: str) -> Path:
        return self.folder / f"round-{number:03}.{ending}"

    def _read_round(self, number: int) -> Round:
        found = Round(**read_json(self._path(number, "json")))
        if load_weights(str(self._path(number, "tnn"))).name != found.network:
            raise WeightsError(f"{self._path(number, 'tnn')} is not the network of its round")
        return found

    @property
    def best(self) -> Round | None:
        """The best round so far."""
        return next((each for each in reversed(self.rounds) if each.best), None)

    def rating(self, number: int) -> float:
        """The Elo points of a round's network above the first, by the matches of the rounds between them.

        A match counts as if one game more had been shared, so that one without a loss has a rating.
        """
        rating = best = 0.0
        for each in self.rounds[: number + 1]:
            if each.share is not None:
                games = self.plan.match_games
                share = (each.share * games + 0.5) / (games + 1)
                rating = best + elo_of_share(share, self.plan.base.get("players", 2))
            best = rating if each.best else best
        return rating

    def network(self, number: int) -> bytes:
        """The file of the network of a round."""
        return read(self._path(number, "tnn"), MOST_BYTES)

    def run(
        self,
        *,
        threads: int | None = None,
        ray: str | None = None,
        report: Callable[[Round], None] = lambda _round: None,
    ) -> Weights:
        """Play and fit all rounds that are left, and return the best network, as `result` has it.

        ray: the address of a Ray cluster that plays the games to learn from, or "local" (`tilery.runs.on_ray.work`).
        Fitting, matches and the calibration stay on this machine. The bytes are the same.
        """
        while len(self.rounds) < self.plan.rounds:
            finished = self._play_round(len(self.rounds), threads_of(threads), ray)
            self.rounds.append(finished)
            report(finished)
        return load_weights(self.result(threads=threads))

    def result(self, *, threads: int | None = None) -> bytes:
        """The file of the best network so far, without the weights of inputs that occurred in no game, its shares of
        the win calibrated by as many new games as half a round has.
        """
        plan, best = self.plan, self.best
        if best is None:
            raise ValueError(f"{self.folder} has no finished round")
        file = self.folder / f"calibrated-{best.number:03}.tnn"
        if not file.exists():
            small = _core._without_unlearned(self.network(best.number), plan.seed + best.number)
            seed = (plan.seed << 16) + (1 << 15) + best.number  # other games than those of the matches
            write_whole(
                file, calibrated(small, -(-plan.games // 2), seed=seed, threads=threads, **plan.base), overwrite=True
            )
        return read(file, MOST_BYTES)

    def _play_round(self, number: int, threads: int, ray: str | None) -> Round:
        plan, best = self.plan, self.best
        games = plan.games if number >= 4 else max(1, plan.games * (number + 2) // 6)
        file = self._path(number, "npz")
        if not file.exists():
            calm = min(1.0, number / 8)
            settings = {
                "noise": 2 * plan.noise if best is None else plan.noise * (1 - calm / 2),
                "random": plan.random * (1 - calm / 2),
                "searched": plan.searched if number >= 4 else 0.0,
                "best": plan.best,
                "keep": plan.keep,
            }
            samples = self._self_play(number, games, settings, threads, ray)
            with whole_file(file, overwrite=True) as opened:
                write_npz(opened, samples)
        learned = [_load(self._path(past, "npz")) for past in range(max(0, number - plan.window + 1), number + 1)]
        positions = sum(len(each["targets"]) for each in learned)
        fitting = {"seed": plan.seed + number, "passes": plan.passes, "rate": plan.rate}
        game: Any = tilery.load(plan.game, **plan.base)
        about = {
            "command": "tilery train",
            "plan": asdict(plan),
            "round": number,
            "games": sum(len(each["games"]) for each in learned),
            "licence": "MIT",
            "version": tilery.__version__,
        }
        data, errors = game._fit(learned, fitting, json.dumps(about, sort_keys=True))
        name = load_weights(data).name
        write_whole(self._path(number, "tnn"), data, overwrite=True)
        share, interval, better = (None, None, True) if best is None else self._match(number, name, best.network)
        finished = Round(number, name, games, positions, errors, share, interval, better)
        write_whole(self._path(number, "json"), json.dumps(asdict(finished), indent=1).encode(), overwrite=True)
        for past in range(max(0, number - plan.window + 2)):
            self._path(past, "npz").unlink(missing_ok=True)
        return finished

    def _self_play(
        self, number: int, games: int, settings: dict[str, Any], threads: int, ray: str | None
    ) -> dict[str, Any]:
        """Samples of a round: each part with options of its own."""
        weights = None if self.best is None else self.network(self.best.number)
        jobs = []
        for place, (options, count) in enumerate(self._options(number, games)):
            first, chunk = (number << 32) + (place << 24), count if ray is None else CHUNK
            for done in range(0, count, chunk):
                own = {"seed": self.plan.seed, "first": first + done, "count": min(chunk, count - done)}
                cores = {"threads": threads if ray is None else 1}
                jobs.append((tilery.__version__, self.plan.game, options, weights, settings | own | cores))
        if ray is None:
            return _joined([played(*job) for job in jobs])
        with closing(on_ray.results(played, jobs, ray, workers=threads)) as results:
            parts = dict(results)
        return _joined([parts[place] for place in range(len(jobs))])

    def _options(self, number: int, games: int) -> list[tuple[dict[str, Any], int]]:
        """The options with which `games` games are played: half of them by two players, and a sixth with one or two
        options that are not at their defaults.
        """
        rng = random.Random(f"{self.plan.seed} {number}")
        known = tilery.options(self.plan.game)
        most = known["players"].high or 2
        base = self.plan.base
        counts = [base["players"]] if "players" in base else list(range(2, most + 1))
        chosen = []
        for players in counts:
            part = games if len(counts) == 1 else games // 2 if players == 2 else games // 2 // (len(counts) - 1)
            chosen.append(({**base, "players": players}, part - part // 6))
            for _ in range(4):
                chosen.append((_varied(self.plan.game, {**base, "players": players}, rng), part // 24))
        return [(options, count) for options, count in chosen if count > 0]

    def _match(self, number: int, new: str, old: str) -> tuple[float, list[float], bool]:
        """The share of the wins of a network against another, its interval, and whether it is not worse."""
        game: Any = tilery.load(self.plan.game, **{"players": 2, **self.plan.base})
        ours, theirs, test = f"nn,eval={new}", f"nn,eval={old}", Sprt.of_elo(-10, 20)
        seed = (self.plan.seed << 16) + number + 1
        if game.max_chance_nodes:
            (table,) = match.play(game, [ours, theirs], games=self.plan.match_games, seed=seed, sprt=test)
            shares = table.sides[0].shares
        else:  # where two networks would play one and the same game in every deal of a match
            shares = list[float]()
            while len(shares) < -(-self.plan.match_games // game.num_players) and test.verdict(shares) is None:
                shares.append(deal(game, ours, theirs, tilery.Rng(seed, len(shares)))[0])
        share = float(np.mean(shares))
        return share, share_interval(counted(shares)), test.verdict(shares) != "low" and share >= 0.48


def played(
    version: str, name: str, options: dict[str, Any], weights: bytes | None, settings: dict[str, Any]
) -> dict[str, Any]:
    """Samples of games of a game with these options by a network, here or on a machine of a cluster."""
    if version != tilery.__version__:
        raise RunError(f"tilery is {version!r} there and {tilery.__version__!r} here")
    game: Any = tilery.load(name, **options)
    network = ZERO if weights is None else load_weights(weights).name
    samples: dict[str, Any] = game._self_play(network, settings)
    return samples


def _varied(name: str, base: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Options with one or two that are not at their defaults, chosen at random."""
    free = [each for each in tilery.options(name).values() if each.name not in base and each.kind != "file"]
    for _ in range(50):
        options = dict(base)
        for option in rng.sample(free, min(len(free), rng.choice((1, 1, 2)))):
            options[option.name] = _another(option, rng)
        try:
            tilery.load(name, **options)
        except OptionError:
            continue
        return options
    return base


def _another(option: Option, rng: random.Random) -> Any:
    if option.kind == "bool":
        return not option.default
    if option.kind == "choice":
        return rng.choice([each for each in option.choices if each != option.default])
    if option.kind == "int":
        return rng.randint(option.low or 0, option.high or 0)
    return {"hand_size": rng.choice((1, 3)), "table": [-6, -5, 6, 5]}.get(option.name, option.default)


def _joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    joined = {name: np.concatenate([part[name] for part in parts]) for name in ARRAYS}
    for name, of in (("ends", "ids"), ("games", "targets")):
        before = np.cumsum([0, *(len(part[of]) for part in parts[:-1])], dtype=np.uint64)
        joined[name] += np.repeat(before, [len(part[name]) for part in parts])
    return joined


def _load(path: Path) -> dict[str, Any]:
    with open_regular(path) as file, np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in ARRAYS}
