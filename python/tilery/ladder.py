"""The ladder of a game: frozen policies of known strength, the rungs, against which others are measured.

    >>> import tilery
    >>> from tilery import ladder
    >>> rungs = ladder.rungs("tajmahal")
    >>> rungs[0].policy
    'random'

Ratings are in Elo points of games of two players; the lowest rung is at 0. They are fitted to the shares of the wins of
whole deals (Bradley and Terry), and the intervals follow from the variance between deals.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tilery
from tilery.errors import TileryError, WeightsError
from tilery.files import read_json, shipped, write_whole
from tilery.luck import Judge, of_game
from tilery.policies import Champion, full_text, policy
from tilery.record import of_results
from tilery.simulation import PolicyLike
from tilery.statistics import less_luck, t_quantile, win_share

ELO = 400 / math.log(10)
"""Elo points of one unit of the logarithm of the odds."""

OPENING = 4
"""Random decisions at the beginning of games without chance, where players without luck would play one and the same."""


class LadderError(TileryError):
    """A game without a ladder, or a file that holds another measurement."""


@dataclass(frozen=True)
class Rung:
    """A frozen policy."""

    number: int
    """1 is the weakest."""
    policy: str
    """Its full text; a network by its SHA-256."""
    rating: float
    """In Elo points."""
    rating_95: tuple[float, float]
    """The 95% interval."""
    version: str
    """Of tilery, with which it was measured."""


def rungs(game: str) -> list[Rung]:
    """The rungs of a game, the weakest first. Raises `LadderError` if it has none."""
    known = _ladders().get(game, [])
    if not known:
        raise LadderError(f"{game} has no ladder")
    return [
        Rung(**{**each, "number": place, "rating_95": tuple(each["rating_95"])}) for place, each in enumerate(known, 1)
    ]


def texts(game: str) -> list[str]:
    """The policies of the rungs of a game, the weakest first; none without a ladder."""
    return [each["policy"] for each in _ladders().get(game, [])]


def strongest(game: str, otherwise: str) -> str:
    """The text "champion" for a game with a ladder, else another policy."""
    return "champion" if texts(game) else otherwise


def _ladders() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shipped("data", "nets", "ladder.json"))
    return found


Pairs = dict[tuple[int, int], list[float]]
"""Of two players by number, the share of the first in each deal between them."""


def ratings(
    pairs: Pairs, players: int, fixed: dict[int, float]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The ratings in Elo points that explain the shares best, those in `fixed` as given, and their 95% intervals.

    Returns float64[players] and float64[players, 2]. The intervals follow from the variance between deals. To each two
    who met a deal is added that was drawn, and to its variance one that was won and one that was lost, so that one who
    lost every game has a rating and an interval.
    """
    at = np.zeros(players)
    for player, rating in fixed.items():
        at[player] = rating / ELO
    free = [player for player in range(players) if player not in fixed]
    met = [(a, b, np.asarray(shares)) for (a, b), shares in pairs.items() if shares]
    for _ in range(100):
        slope, curve, spread = np.zeros(players), np.zeros((players, players)), np.zeros((players, players))
        for a, b, shares in met:
            expected, played = 1 / (1 + math.exp(at[b] - at[a])), len(shares) + 1
            difference = np.zeros(players)
            difference[[a, b]] = 1, -1
            slope += difference * (shares.sum() + 0.5 - played * expected)
            curve += np.outer(difference, difference) * (played * expected * (1 - expected))
            variance = (((shares - expected) ** 2).sum() + (1 - expected) ** 2 + expected**2) / (len(shares) + 2)
            spread += np.outer(difference, difference) * (played * variance)
        inner = np.linalg.pinv(curve[np.ix_(free, free)])
        step = np.clip(inner @ slope[free], -2, 2)
        at[free] += step
        if np.abs(step).max(initial=0) < 1e-9:
            break
    errors = np.zeros(players)
    errors[free] = np.sqrt(np.diag(inner @ spread[np.ix_(free, free)] @ inner))
    deals = min((len(shares) for _, _, shares in met), default=0)
    reach = t_quantile(0.975, max(1, deals - 1)) * errors
    return at * ELO, np.stack([at - reach, at + reach], axis=1) * ELO


def deal(game: Any, first: str, others: str, rng: tilery.Rng, luck: PolicyLike | None = None) -> tuple[float, float]:
    """The share of the wins of a policy among others in one deal, played once in each rotation of the seats.

    Games without chance begin with `OPENING` random decisions. luck: who judges how much of the share the draws gave,
    which is returned, too; 0 if nobody does.
    """
    n, start = game.num_players, game.new_initial_state()
    for _ in range(0 if game.max_chance_nodes else OPENING):
        start.apply_action(start.random_action(rng))
    policies = [first, *[others] * (n - 1)]
    played, tokens = tilery.simulate(start, n, seed=rng.next(), policies=policies, rotate=True, threads=1, records=True)
    won, gave = win_share(played["returns"], n), np.zeros((n, n))
    if luck is not None and game.max_chance_nodes:
        judge = Judge(game, luck)
        gave[:] = [of_game(judge, written)[1] for written in of_results(game, played, tokens, seed=0)]
    share, given = (float(each[played["policy"] == 0].sum() / n) for each in (won, gave))
    return share, given


class Measurement:
    """Deals between policies of one game, saved after each; it goes on where it was. luck: as for `deal`."""

    def __init__(
        self,
        game: Any,
        policies: Sequence[str],
        *,
        seed: int = 0,
        file: Path | None = None,
        luck: PolicyLike | None = None,
    ) -> None:
        """Begin or continue. Raises `LadderError` if the file holds another measurement."""
        self.game, self.seed, self.file = game, seed, file
        self.luck = None if luck is None else full_text(policy(luck), game.name)
        self.policies = [full_text(policy(text), game.name) for text in policies]
        self._deals: dict[tuple[int, int], list[tuple[float, float]]] = {}
        """As `deal` returns them."""
        if file is not None and file.exists():
            saved = read_json(file)
            if saved["what"] != self._what() or "deals" not in saved:
                raise LadderError(f"{file} holds another measurement")
            self._deals = {(a, b): list(map(tuple, deals)) for a, b, deals in saved["deals"]}

    @property
    def pairs(self) -> Pairs:
        """The shares of the deals so far, less luck (`tilery.statistics.less_luck`) if that is judged."""
        pairs = list(self._deals)
        of_pair = np.repeat(np.arange(len(pairs)), [len(self._deals[pair]) for pair in pairs])
        shares, luck = np.array([deal for pair in pairs for deal in self._deals[pair]]).reshape(-1, 2).T
        corrected = less_luck(shares, luck, of_pair)
        return {pair: corrected[of_pair == number].tolist() for number, pair in enumerate(pairs) if self._deals[pair]}

    def variance_kept(self) -> float:
        """The variance of shares less luck as a part of that with it; 1 where they do not vary."""

        def spread(pairs: Iterable[Sequence[float]]) -> float:
            return sum(len(shares) * float(np.var(shares)) for shares in pairs)

        with_luck = spread([share for share, _ in deals] for deals in self._deals.values() if deals)
        return spread(self.pairs.values()) / with_luck if with_luck else 1.0

    def _what(self) -> dict[str, Any]:
        luck = {} if self.luck is None else {"luck": self.luck}
        return luck | {
            "game": self.game.name,
            "rules": self.game.rules.as_dict(),
            "policies": self.policies,
            "seed": self.seed,
            "version": tilery.__version__,
        }

    def play(self, a: int, b: int, deals: int) -> list[float]:
        """Play `deals` more deals between two of the policies; returns the shares of the first in all of them."""
        played = self._deals.setdefault((a, b), [])
        for _ in range(deals):
            rng = tilery.Rng(self.seed, (a << 48) + (b << 32) + len(played))
            played.append(deal(self.game, self.policies[a], self.policies[b], rng, self.luck))
            self.save()
        return self.pairs.get((a, b), [])

    def save(self) -> None:
        """Write the file, if there is one, whole or not at all."""
        if self.file is None:
            return
        deals = [[a, b, played] for (a, b), played in self._deals.items()]
        write_whole(self.file, json.dumps({"what": self._what(), "deals": deals}).encode(), overwrite=True)


@dataclass(frozen=True)
class Place:
    """The rating of a policy against the rungs of a ladder."""

    policy: str
    rating: float
    rating_95: tuple[float, float]
    games: dict[int, int]
    """Against each rung."""
    shares: dict[int, float]
    """Its share of the wins against each of these rungs."""
    variance_kept: float = 1.0
    """Of shares less luck as a part of that with it; 1 if nobody judged luck."""


def enter(
    game: Any,
    text: str,
    *,
    width: float = 100.0,
    most_games: int = 400,
    seed: int = 0,
    file: Path | None = None,
    luck: PolicyLike | None = None,
) -> Place:
    """Measure a policy against the rungs nearest to it.

    game: of two players, with the default options; ratings hold for these alone.
    width: play until the 95% interval is at most this many Elo points wide, or at least `most_games` are played, ten
    against each rung that is tried.
    file: where every deal is saved, and from where an interrupted measurement goes on. luck: as for `deal`.

    Raises `LadderError` for a game without a ladder, and what `tilery.simulate` raises.
    """
    ladder = rungs(game.name)
    with suppress(WeightsError):  # loads what is shipped, which rungs name
        Champion().resolved(game.name)
    if game.num_players != 2:
        raise LadderError("a ladder is of games of two players")
    measured = Measurement(game, [*(rung.policy for rung in ladder), text], seed=seed, file=file, luck=luck)
    fixed = {place: rung.rating for place, rung in enumerate(ladder)}
    newcomer, low, high = len(ladder), 0, len(ladder) - 1
    while low < high:  # by a few deals each, about where it stands
        middle = (low + high) // 2
        missing = 5 - len(measured.pairs.get((newcomer, middle), []))
        share = float(np.mean(measured.play(newcomer, middle, max(0, missing))))
        low, high = (middle + 1, high) if share > 0.5 else (low, middle)
    while True:
        place = _place(measured, ladder, fixed)
        enough = place.rating_95[1] - place.rating_95[0] <= width
        if enough or sum(place.games.values()) >= most_games:
            return place
        near = sorted(range(len(ladder)), key=lambda rung: abs(ladder[rung].rating - place.rating))[:2]
        for rung in near:
            measured.play(newcomer, rung, 5)


def _place(measured: Measurement, ladder: list[Rung], fixed: dict[int, float]) -> Place:
    newcomer = len(ladder)
    fitted, bounds = ratings(measured.pairs, newcomer + 1, fixed)
    rating, (low, high) = float(fitted[newcomer]), bounds[newcomer].tolist()
    met = {ladder[b].number: shares for (_, b), shares in measured.pairs.items() if shares}
    games = {number: 2 * len(shares) for number, shares in met.items()}
    means = {number: float(np.mean(shares)) for number, shares in met.items()}
    return Place(measured.policies[newcomer], rating, (low, high), games, means, measured.variance_kept())
