"""Reviews: what a recorded game says to those who played it.

    >>> import tilery
    >>> [played] = tilery.record.simulated(tilery.load("toy"), 1, seed=3)
    >>> review = tilery.review(played, threads=1)
    >>> [name for name in review.parts][:2]
    ['start', 'draws of player 0']
    >>> len(review.moments) == len(played.actions.split())
    True

docs/review.md says how losses, their errors and the parts are measured.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tilery.errors import integer
from tilery.files import Name, open_output, open_regular
from tilery.luck import Judge, Values, expectation
from tilery.options import declared
from tilery.pictures import steps
from tilery.policies import EnginePolicy, Search, repeatable
from tilery.record import Record, game_of, positions
from tilery.simulation import PolicyLike, threads_of
from tilery.statistics import TAIL, t_quantile
from tilery.tables import Table
from tilery.weights import Expectation
from tilery.words import words_of

MARKS = (("blunder", 0.12, 0.06), ("mistake", 0.06, 0.03), ("inaccuracy", 0.03, 0.015))
"""Of each mark the least loss: of the share of the win, and of the lead as a part of the points of a game, those that
are expected at the start."""
SIGNS = {"": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
PLURALS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
ERRORS = 2
"""A loss is marked if it is more than this many errors."""
WORLDS = 16
"""Worlds in which actions are compared, if a game does not say otherwise."""
LEAST_ERROR = (0.4, 0.004)
"""Of estimated losses, points and share of the win, since who plays on is not perfect (`python -m tests.lab.marks`)."""
FIRST_WORLDS = 4
"""Worlds in which every action is compared, before it is known whether it may have lost what is worth a mark."""
ACTIONS = 1200
"""Worlds are fewer where there are many actions: at most this many actions in all worlds together."""
ENUMERATED = 20_000
"""Losses are those of best play if this many steps enumerate what follows, and nothing drawn or hidden matters.

Divided by the number of the other players: the more there are, the more decisions a last round has.
"""
LINE = 12
"""Actions of a better line at most."""
OPEN_BEST = 6
"""Of how many actions the best is chosen where all hands are open."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of an action against the best one, by what its player knew; at least 0.

    Two errors are half of a 95% interval, which late in a game covers the loss by best play.
    """

    points: float
    """Of the lead over the best other seat."""
    points_error: float
    wins: float
    """Of the share of the win, rule G-6."""
    wins_error: float

    @property
    def sure(self) -> tuple[float, float]:
        """Points and share of the win, each 0 unless it is more than `ERRORS` of its error."""
        return (
            self.points if self.points > ERRORS * self.points_error else 0.0,
            self.wins if self.wins > ERRORS * self.wins_error else 0.0,
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """An action of the game and what it did."""

    player: int
    """The player who acted; -1 is chance."""
    token: str
    expected: Expectation
    """The expectation of each seat after it."""
    change: Expectation
    """By how much that is more than before: of a draw, its luck; of a decision, what was gained and lost."""
    loss: Loss | None = None
    """None where there was no choice."""
    best: str | None = None
    """The token of the best action, which may be the one taken; None where there was no choice."""
    mark: str = ""
    """"inaccuracy", "mistake", "blunder", or nothing."""
    line: tuple[str, ...] = ()
    """Of a marked action: the tokens of the better line, up to a draw or another player's turn."""


@dataclass(frozen=True, repr=False)
class Review:
    """The review of a recorded game."""

    record: Record
    policy: str
    """The policy that judged, with the network by its SHA-256."""
    all_open: bool
    """Whether losses were judged with all hands known, not by what each player knew."""
    finished: bool
    """Whether the game is over; otherwise the result is what may be expected."""
    moments: list[Moment]
    """One for each action of the main line."""
    parts: dict[str, Expectation]
    """The result of each seat in parts: "start", "draws of player p" for the draws before a turn of player p,
    "play of player p" for the decisions of p, and "result", the sum of the others."""
    spent: dict[str, int]
    """In how many `worlds` actions were compared, and how many `turns` were played on there; {} in a rough review."""

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return len(self.parts["result"].wins)

    def decisions(self, player: int) -> list[tuple[int, Moment, Loss]]:
        """The decisions of a player that had a choice, each with its number among all actions, and its loss."""
        player = integer("player", player, 0, self.num_players - 1)
        return [
            (number, each, each.loss)
            for number, each in enumerate(self.moments)
            if each.player == player and each.loss is not None
        ]

    def summary(self, player: int) -> dict[str, Any]:
        """The review of a player, as JSON types.

        `accuracy`: the share of the decisions whose loss cannot be distinguished from 0. `lost`: the points of lead
        lost, `lost_by_kind` by kind of action. `marks`: how many of each. `worst`, `best`: the numbers of the actions
        that lost most, and that the own expectation rose by most at; None if there is none. `relative`: the points
        more than the mean of the others by "start", "own draws", "others' draws", "own play", "others' play" and
        "result", each a pair with its error.
        """
        decisions = self.decisions(player)
        kinds = declared(self.record.game, "KINDS")
        by_kind: dict[str, float] = {}
        for _, moment, loss in decisions:
            kind = next((name for form, name in kinds.items() if re.fullmatch(form, moment.token)), "other")
            by_kind[kind] = by_kind.get(kind, 0.0) + loss.points
        kept = sum(loss.sure[0] == 0 for _, _, loss in decisions)
        marked = [(loss.points, -number) for number, moment, loss in decisions if moment.mark]
        gained = [(moment.change.wins[player], -number) for number, moment, _ in decisions]
        return {
            "accuracy": kept / len(decisions) if decisions else 1.0,
            "decisions": len(decisions),
            "lost": sum(by_kind.values()),
            "lost_by_kind": dict(sorted(by_kind.items(), key=lambda each: -each[1])),
            "marks": {name: sum(moment.mark == name for _, moment, _ in decisions) for name, *_ in MARKS},
            "worst": -max(marked)[1] if marked else None,
            "best": -max(gained)[1] if gained and max(gained)[0] > 0 else None,
            "relative": self._relative(player),
        }

    def _relative(self, player: int) -> dict[str, tuple[float, float]]:
        """The points that a player has more than the mean of the others, by part."""
        found: dict[str, tuple[float, float]] = {}
        for name, part in self.parts.items():
            what, _, whose = name.partition(" of player ")
            if whose:
                what = ("own " if int(whose) == player else "others' ") + what
            others = [points for seat, points in enumerate(part.points) if seat != player]
            more = part.points[player] - sum(others) / len(others)
            error = math.hypot(
                part.points_error[player],
                *(each / len(others) for seat, each in enumerate(part.points_error) if seat != player),
            )
            before = found.get(what, (0.0, 0.0))
            found[what] = before[0] + more, math.hypot(before[1], error)
        return found

    def words(self, player: int) -> str:
        """The review of a player, in a few sentences."""
        found = self.summary(player)
        sign = -1 if game_of(self.record).fewest_points_win else 1
        parts = {name: sign * value for name, (value, _) in found["relative"].items()}
        says = [f"Player {player} {'ended' if self.finished else 'stands'} {_ahead(parts['result'])}."]
        if not self.spent:
            return says[0]
        draws = parts.get("own draws", 0.0) + parts.get("others' draws", 0.0)
        if any(name.startswith("draws") for name in self.parts):
            own, others = parts["own play"], parts["others' play"]
            says.append(f"The draws {_gave(draws)}, own play {_gave(own)}, the play of others {_gave(others)}.")
        marks = [f"{count} {name if count == 1 else PLURALS[name]}" for name, count in found["marks"].items() if count]
        says.append(
            f"{found['decisions']} decisions with a choice: {100 * found['accuracy']:.0f} % lost nothing"
            + (f", {', '.join(marks)}." if marks else "; no mistake.")
        )
        costly = [f"{kind} {points:.1f}" for kind, points in found["lost_by_kind"].items() if points >= 0.1][:3]
        if costly:
            says.append(f"Points of lead lost: {found['lost']:.1f} ({', '.join(costly)}).")
        if found["worst"] is not None:
            worst = self.moments[found["worst"]]
            assert worst.loss is not None
            taken, better = self._named(found["worst"])
            says.append(
                f"Worst: action {found['worst'] + 1}, {taken}; better was {better} ({worst.loss.points:.1f} points)."
            )
        return " ".join(says)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types."""
        return {
            "game": self.record.game,
            **{name: getattr(self, name) for name in ("policy", "all_open", "finished", "spent")},
            "moments": [asdict(each) for each in self.moments],
            "judged": self.judged(),
            "parts": {name: asdict(part) for name, part in self.parts.items()},
            "players": [self.summary(player) | {"words": self.words(player)} for player in range(self.num_players)],
        }

    def _named(self, number: int) -> list[str]:
        """An action and the best one in words, by the names that places have in the position."""
        state: Any = next(islice(positions(self.record), number, None))[1]
        tokens = self.moments[number].token, self.moments[number].best or ""
        return [words_of(state, state.string_to_action(token)) for token in tokens]

    def table(self) -> Table:
        """The marked actions."""
        rows = [
            [
                f"{number + 1}. player {each.player} {each.token}{SIGNS[each.mark]}",
                each.mark,
                _measured(each.loss.points, each.loss.points_error),
                _measured(100 * each.loss.wins, 100 * each.loss.wins_error) + " %",
                f"{each.best}: {self._named(number)[1]}",
            ]
            for number, each in enumerate(self.moments)
            if each.mark and each.loss is not None
        ]
        return Table("", ["action", "", "points", "win share", "better"], rows)

    def parts_table(self) -> Table:
        """The parts of the result of each seat, in points and in share of the win."""
        seats = range(self.num_players)
        rows = [
            [name, *(_measured(part.points[seat], part.points_error[seat], "+") for seat in seats)]
            + [_measured(100 * part.wins[seat], 100 * part.wins_error[seat], "+") + " %" for seat in seats]
            for name, part in self.parts.items()
        ]
        heads = [f"points, seat {seat}" for seat in seats] + [f"win share, seat {seat}" for seat in seats]
        return Table("", ["", *heads], rows)

    def __repr__(self) -> str:
        return "\n".join([*map(self.words, range(self.num_players)), self.judged()])

    def __str__(self) -> str:
        return f"{self.parts_table()}\n{self.table()}\n{self!r}"

    def judged(self) -> str:
        """The policy that judged, and the work it did, in words."""
        spent = "at first sight" if not self.spent else "in {worlds} worlds, {turns} turns on".format(**self.spent)
        return f"Judged by {self.policy}, {spent}."

    def _repr_html_(self) -> str:
        """The page of the review, in a frame that keeps its keys and styles apart from those of the notebook."""
        page = html.escape(steps(self.record, review=self))
        return f'<iframe title="review" style="width:100%;height:48rem;border:0" srcdoc="{page}"></iframe>'


def _measured(value: float, error: float, sign: str = "") -> str:
    return f"{value:{sign}.1f}" + (f" +- {error:.1f}" if error else "")


def _ahead(points: float) -> str:
    by = round(abs(points), 1)
    return f"{by:g} point{'s' if by != 1 else ''} {'ahead' if points > 0 else 'behind'}" if by else "level"


def _gave(points: float) -> str:
    return f"{'gave' if points >= 0 else 'cost'} {abs(points):.1f}"


def review(
    record: Record | str | bytes,
    *,
    policy: PolicyLike | None = None,
    all_open: bool = False,
    worlds: int | None = None,
    turns: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    judge: Judge | None = None,
    cache: Name | None = None,
    rough: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Review the main line of a recorded game: what was played, what was better, what was luck.

    record: a `Record` or a line of JSON; the game need not be over.
    policy: who says what is best, whatever `tilery.policy` takes; `tilery.luck.Judge` says who judges positions, and
        is the default. A game whose turns have many actions may name a quicker one, fewer worlds and turns: `budget`.
    all_open: judge decisions in the world as it was, not in worlds dealt from what the player knew.
    worlds: in how many worlds an action that may have lost something is compared with the best one; fewer where there
        are many actions, and one where nothing is hidden or drawn.
    turns: how many turns are played on there; None for two of each player.
    seed: of those worlds. threads: how many work; the result does not depend on it.
    judge: remembers positions from one review to the next; then `policy` is that of the judge.
    cache: a folder; what is found of each position is kept there too, and found again; for policies that repeat it.
    rough: say only what could be expected, in a second or two; nothing is compared or marked.
    progress: called with the number of actions that are done, and of all.

    Raises `RecordError` for an illegal action, `ValueError` for numbers out of range, `OSError` for a folder that
    cannot be written to, and what `tilery.policy` raises.
    """
    written = record if isinstance(record, Record) else Record.from_json(record)
    game: Any = game_of(written)
    threads = threads_of(threads)
    judge = judge or judge_of(game, policy)
    judge.check(game)
    if cache is not None:
        repeatable(judge.best, "a cache of reviews")
    compare = Comparison(judge, worlds=worlds, turns=turns, seed=seed, all_open=all_open)
    tokens, states = zip(*positions(written), strict=True)
    actions = [game.string_to_action(token) for token in tokens[1:]]
    plies = range(len(actions))
    done = iter(range(1, len(actions) + 1))
    expect = judge.values if rough else judge.over_a_round

    def look(ply: int) -> Any:
        state, action = states[ply], actions[ply]
        if state.is_chance_node():
            found: Any = judge.draw(state, action)
        elif rough or state.num_legal_actions() == 1:
            found = None
        else:
            found = compare(state, action)
        return found, None if states[ply + 1].is_chance_node() else expect(states[ply + 1])

    with (
        _Kept(judge, None if rough else cache) as kept,
        ThreadPoolExecutor(threads) as pool,
        judge.stoppable(),
    ):

        def known(ply: int) -> Any:
            found = look(ply) if rough else kept.found(compare, states[ply], actions[ply], lambda: look(ply))
            if progress is not None:
                progress(next(done), len(actions))
            return found

        start = None if states[0].is_chance_node() else expect(states[0])
        # Of other policies several would be in each other's way, and only on this thread does Ctrl-C end one. A turn
        # stays on one thread, whose player finds again what it found before.
        of_turns = [list(each) for _, each in groupby(plies, lambda ply: states[ply].current_player())]
        over = pool.map if isinstance(judge.best, EnginePolicy) else map
        looked = [each for turn in over(lambda turn: [known(ply) for ply in turn], of_turns) for each in turn]
    values = [start, *(after for _, after in looked)]
    if values[-1] is None:
        values[-1] = judge.values(states[-1])
    for ply in reversed(plies):  # before draws there is what comes after them, less their luck
        if values[ply] is None:
            values[ply] = values[ply + 1] - looked[ply][0]
    moments, parts = _moments(judge, states, actions, [found for found, _ in looked], values)
    spent = {} if rough else {"worlds": compare.worlds, "turns": compare.turns}
    return Review(written, str(judge.best), all_open, states[-1].is_terminal(), moments, parts, spent)


class _Kept(contextlib.AbstractContextManager["_Kept"]):
    """Findings of reviews by position: in memory with the judge, and in a file of a folder if there is one."""

    def __init__(self, judge: Judge, folder: Name | None) -> None:
        self._memory, self._file, self._text = judge.looked, None, f"{tilery.__version__} {judge.best}"
        if folder is not None:
            name = hashlib.sha256(self._text.encode()).hexdigest()[:16]
            self._file = open_output(Path(folder, f"{judge.game.name}-{name}.jsonl"), append=True)
            with open_regular(self._file.name) as file:
                for line in file:
                    with contextlib.suppress(ValueError):  # one may be cut off
                        self._memory.update(json.loads(line))

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            self._file.close()

    def found(self, compare: Comparison, state: Any, action: int, look: Callable[[], Any]) -> Any:
        """The findings about an action in a position, and about the position after it, computed now or before."""
        asked = f"{self._text} {compare.settings} {action} "
        key = hashlib.sha256(asked.encode() + state.serialize()).hexdigest()
        if key not in self._memory:
            found, after = look()
            compared = isinstance(found, Compared)
            kept = [found.best, *astuple(found.loss)] if compared else found if found is None else found.tolist()
            self._memory[key] = [compared, kept, after if after is None else after.tolist()]
            if self._file is not None:
                self._file.write(b"\n" + json.dumps({key: self._memory[key]}).encode())
        compared, kept, values = self._memory[key]
        found = Compared(compare.world(state, 0), kept[0], Loss(*kept[1:])) if compared else kept and np.array(kept)
        return found, values and np.array(values)


def _moments(
    judge: Judge, states: Sequence[Any], actions: Sequence[int], found: Sequence[Any], values: Sequence[Values]
) -> tuple[list[Moment], dict[str, Expectation]]:
    """The moments of a game and the expectations in their lines, from its positions, its actions and what was found."""
    game: Any = judge.game
    plies = range(len(actions))
    players = [state.current_player() for state in states]
    changes = [values[ply + 1] - values[ply] for ply in plies]
    # Where the best action was taken, or the only one, what is expected should not change.
    turns = [ply for ply in plies if players[ply] >= 0]
    still = [changes[ply] for ply in turns if found[ply] is None or found[ply].best == actions[ply]]
    noise = np.sqrt(np.mean(np.square(still), axis=0)) if still else np.zeros_like(values[0])
    nothing = np.zeros_like(noise)
    names = [f"{'draws' if players[ply] < 0 else 'play'} of player {_turn(players, ply)}" for ply in plies]
    kinds = ("draws", "play") if game.max_chance_nodes else ("play",)
    parts = {"start": values[0]}
    parts |= {f"{kind} of player {seat}": nothing for kind in kinds for seat in range(game.num_players)}
    for name, each in zip(names, changes, strict=True):
        parts[name] = parts[name] + each
    parts["result"] = values[-1]
    judged = [name for name, state in (("start", states[0]), ("result", states[-1])) if not state.is_terminal()]
    counts = Counter(names + judged)
    moments = []
    for ply, player in enumerate(players[:-1]):
        expected = expectation(values[ply + 1], nothing if states[ply + 1].is_terminal() else noise)
        change = expectation(changes[ply], noise)
        one = found[ply] if player >= 0 else None
        token = game.action_to_string(actions[ply])
        if one is None:
            moments.append(Moment(player, token, expected, change))
            continue
        mark = mark_of(one.loss, judge.scale)
        line = one.line(judge) if mark else ()
        moments.append(Moment(player, token, expected, change, one.loss, game.action_to_string(one.best), mark, line))
    return moments, {name: expectation(part, noise * math.sqrt(counts[name])) for name, part in parts.items()}


def _turn(players: Sequence[int], ply: int) -> int:
    """The player who acts, or whose turn follows a draw, or who acted last before the end."""
    return next((each for each in players[ply:] if each >= 0), next((p for p in reversed(players[:ply]) if p >= 0), 0))


def mark_of(loss: Loss, scale: float) -> str:
    """The mark of a loss: the gravest that its points or its share of the win deserve. `scale`: points of a game."""
    points, wins = loss.sure
    return next((name for name, share, part in MARKS if wins >= share or (points > 0 and points >= part * scale)), "")


@dataclass(frozen=True)
class Compared:
    """An action compared with the best one, which is the action itself where nothing better was found."""

    world: Any
    """The position, or one that the player cannot tell apart from it."""
    best: int
    loss: Loss

    def line(self, judge: Judge) -> tuple[str, ...]:
        """The best action and what follows in the same turn, by what the player knows."""
        state, player, tokens = self.world.clone(), self.world.current_player(), []
        action = self.best
        while True:
            tokens.append(state.action_to_string(action))
            state.apply_action(action)
            if state.current_player() != player or len(tokens) == LINE:
                return tuple(tokens)
            action = judge.quick.choose(state, 0)


def budget(game: Any) -> dict[str, Any]:
    """The `policy`, `worlds` and `turns` that a game sets for its reviews, so that they do not take too long."""
    found: dict[str, Any] = declared(game.name, "REVIEW", {})
    return found


def judge_of(game: Any, policy: PolicyLike | None = None) -> Judge:
    """The judge of a review; by default what the game says, otherwise its champion."""
    return Judge(game, budget(game).get("policy") if policy is None else policy)


def estimated(lost: Values) -> tuple[Values, Values, Values]:
    """The mean of losses, its error and its drift, each float64[2]: lead and share of the win.

    lost: float64[worlds, turns, 2], as `Comparison.lost` finds them. Two errors are half of a 95% interval over worlds;
    one world does not tell an error. The drift is the standard deviation over the turns after which they were judged.
    """
    worlds, each, drift = len(lost), lost.mean(axis=1), lost.mean(axis=0).std(axis=0)
    if worlds == 1:
        return each[0], np.zeros(2), drift
    reach = t_quantile(1 - TAIL, worlds - 1) / ERRORS
    return each.mean(axis=0), reach * each.std(axis=0, ddof=1) / math.sqrt(worlds), drift


class Comparison:
    """Compares actions with the best ones, in worlds that their players could not tell apart from the real one."""

    def __init__(
        self,
        judge: Judge,
        *,
        worlds: int | None = None,
        turns: int | None = None,
        seed: int = 0,
        all_open: bool = False,
    ) -> None:
        game: Any = judge.game
        usual = {"worlds": WORLDS, "turns": 2 * game.num_players} | budget(game)
        self.worlds = integer("worlds", usual["worlds"] if worlds is None else worlds, 1, 10_000)
        self.turns = integer("turns", usual["turns"] if turns is None else turns, 1, 10_000)
        self._judge, self._seed, self._open, self._scale = judge, seed, all_open, judge.scale
        self.settings = f"{self.worlds} {self.turns} {seed} {all_open}"
        self._worlds = self.worlds if game.max_chance_nodes or (game.hides_information and not all_open) else 1
        self._known = all_open or not game.hides_information
        self._sign = -1 if game.fewest_points_win else 1

    def __call__(self, state: Any, action: int) -> Compared:
        """Compare an action of a decision with a choice."""
        world = self.world(state, 0)
        if exact := self._exact(state):
            best = max(exact, key=lambda each: (exact[each], each == action))
            lost_points, lost_wins = np.subtract(exact[best], exact[action]).tolist()
            return Compared(world, best, Loss(lost_points, 0, max(0.0, lost_wins), 0))
        best = self._best(world)
        if best == action:
            return Compared(world, best, Loss(0, 0, 0, 0))
        most = self.worlds_for(state)
        _, share, part = MARKS[-1]
        lost = self.lost(state, best, action, range(min(most, FIRST_WORLDS)), self.turns)[:, 1:]
        seems = 2 * lost.mean(axis=(0, 1))
        if len(lost) < most and (seems[0] >= part * self._scale or seems[1] >= share):  # worth a closer look
            more = self.lost(state, best, action, range(len(lost), most), self.turns)[:, 1:]
            lost = np.concatenate([lost, more])
        mean, error, drift = estimated(lost)
        if mean.max() <= 0:
            best = action
        points, wins = np.maximum(mean, 0.0).tolist()
        points_error, wins_error = np.sqrt(error**2 + drift**2 + np.square(LEAST_ERROR)).tolist()
        return Compared(world, best, Loss(points, points_error, wins, wins_error))

    def worlds_for(self, state: Any) -> int:
        """In how many worlds actions of a position are compared."""
        most: int = ACTIONS // state.num_legal_actions()
        return max(min(self._worlds, FIRST_WORLDS), min(self._worlds, most))

    def measured(self, state: Any, best: int, action: int, worlds: int) -> tuple[Values, Values, Values]:
        """The loss of an action against another: `estimated` in this many worlds."""
        return estimated(self.lost(state, best, action, range(worlds), self.turns)[:, 1:])

    def world(self, state: Any, number: int) -> Any:
        """A position that the player to act cannot tell apart from the real one; that with all cards open."""
        if self._open:
            return state
        return state.determinize(state.current_player(), tilery.Rng(self._seed, 2 * number))

    def _best(self, world: Any) -> int:
        """The best action as the policy finds it; in the last round the best of all actions, where nothing is hidden.

        With all hands open it is the best in this world of the policy's best ones.
        """
        chosen: int = self._judge.best.choose(world, self._seed, stop=self._judge.stop)
        player, candidates = world.current_player(), [chosen]
        if self._known and self._ends(world.child(chosen)):
            candidates += world.legal_actions()
        elif self._open and isinstance(self._judge.best, Search):
            rows = self._judge.best.analyse(world, self._seed, stop=self._judge.stop).actions[:OPEN_BEST]
            candidates += [int(row["action"]) for row in rows]
        if len(candidates) == 1:
            return chosen
        return max(candidates, key=lambda each: self._lead_and_share(self._judge.fresh(world.child(each)), player))

    def _exact(self, state: Any) -> dict[int, tuple[float, float]] | None:
        """The result of each action by best play, less the best of these; None if that is too much to enumerate.

        Where something is hidden it is also None if it is not the same in all worlds, or if a choice of another player
        matters.
        """
        found = list[dict[int, Any]]()
        for number in range(1 if self._known else FIRST_WORLDS):
            world = self.world(state, number)
            if not self._ends(world.clone()) or (values := self._by_best_play(world)) is None:
                return None
            best = max(values.values())
            less = {each: tuple(np.subtract(value, best).round(9).tolist()) for each, value in values.items()}
            if found and less != found[0]:
                return None
            found.append(less)
        return found[0]

    def _by_best_play(self, state: Any) -> dict[int, tuple[float, float]] | None:
        """The result of each action if all play for the lead from here on; None if there are too many positions."""
        left, player = ENUMERATED // (self._judge.game.num_players - 1), state.current_player()
        known: dict[Any, Values] = {}

        def values(state: Any) -> Values:
            nonlocal left
            left -= 1
            if left < 0:
                raise OverflowError
            if (found := known.get(state)) is not None:
                return found
            mover = state.current_player()
            if state.is_terminal():
                found = self._judge.fresh(state)
            elif state.is_chance_node():
                found = sum(share * values(state.child(each)) for each, share in state.chance_outcomes())
            else:
                results = [values(state.child(each)) for each in state.legal_actions()]
                found = max(results, key=lambda each: self._lead_and_share(each, mover))
                if not self._known and mover != player and any((each != found).any() for each in results):
                    raise OverflowError
            known[state] = found
            return found

        try:
            return {each: self._lead_and_share(values(state.child(each)), player) for each in state.legal_actions()}
        except OverflowError:
            return None

    def _ends(self, state: Any) -> bool:
        """Whether the game ends within a round, without a draw."""
        turn_of, turns = state.current_player(), 1
        while not state.is_terminal():
            if state.is_chance_node() or turns > self._judge.game.num_players:
                return False
            state.apply_action(self._judge.quick.choose(state, self._seed))
            turns += state.current_player() != turn_of
            turn_of = state.current_player()
        return True

    def _lead_and_share(self, values: Values, player: int) -> tuple[float, float]:
        """The lead and the share of the win of a player."""
        points = self._sign * values[0]
        return float(points[player] - np.delete(points, player).max()), float(values[1, player])

    def lost(self, state: Any, best: int, action: int, worlds: Sequence[int], turns: int) -> Values:
        """The loss, float64[worlds, 1 + turns, 2]: lead and share of the win, judged after each number of turns."""
        player = state.current_player()
        found = []
        for number in worlds:
            world = self.world(state, number)
            judged = []
            for each in (best, action):
                child, luck = world.child(each), tilery.Rng(self._seed, 2 * number + 1)
                values = [self._judge.values(child), *self._judge.play_on(child, luck, turns)]
                judged.append([self._lead_and_share(each, player) for each in values])
            found.append(np.subtract(judged[0], judged[1]))
        return np.array(found)
