"""Tables of moves: one row for each action of some games, for SQL, polars and pandas.

The columns, of which docs/runs.md has the meanings:

game: int64, the index of the game. ply: int32, the index of the action in its game. seat: int8, who acted; -1 chance.
phase, kind, what, token: text, in dictionaries. legal: int32, how many actions there were; 0 at chance.
<stock>_<seat>: int16, before the action, the sizes of hands and supplies that the module of the game names.
score_<seat>: int32, after the action. points_<seat>: int16, what the action changed it by.
<source>_<seat>: int16, the same by source, for each of `game.score_sources`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing import get_context
from typing import Any, BinaryIO, TypeVar

from tilery import record
from tilery.errors import RecordError
from tilery.extras import imported
from tilery.protocol import Game

Part = TypeVar("Part")
Made = TypeVar("Made")

GAMES_AT_ONCE = 500
"""Games that become one table, and one row group of a file."""


def table(records: Iterable[record.Record]) -> Any:
    """Return a `pyarrow.Table` with a row for each action of games of one kind (`tilery.runs.moves` lists its columns).

    records: as of `tilery.record.read`; their number in the order is `game`.

    Raises `ImportError` without pyarrow (the extra `arrow`), `RecordError` for a game with an illegal action, and
    `ValueError` for games of different rules or none.
    """
    arrow = imported("pyarrow", "arrow", "tables of moves")
    kept = list(records)
    if not kept:
        raise ValueError("records must have at least one game, got none")
    if any((each.game, each.rules) != (kept[0].game, kept[0].rules) for each in kept):
        raise ValueError("records must all be of one game with the same rules")
    made = pieces(record.game_of(kept[0]), [each.actions for each in kept])
    return arrow.concat_tables(made).unify_dictionaries()


def pieces(game: Game, lines: Sequence[str], *, first: int = 0, threads: int = 1) -> Iterator[Any]:
    """Tables of consecutive games, in their order, made by `threads` processes.

    lines: the actions of each game, as `tilery.simulate` gives them. first: the index of the first game.
    """
    cuts = range(0, len(lines), GAMES_AT_ONCE)
    calls = [(game, lines[cut : cut + GAMES_AT_ONCE], first + cut) for cut in cuts]
    yield from mapped(_table_of, calls, threads)


def mapped(call: Callable[[Part], Made], parts: Sequence[Part], processes: int) -> Iterator[Made]:
    """The results of a call for each part, in their order, made by this many processes."""
    if processes == 1 or len(parts) == 1:
        yield from map(call, parts)
        return
    with ProcessPoolExecutor(min(processes, len(parts)), get_context("spawn")) as pool:
        yield from pool.map(call, parts)


class Words:
    """The words for the actions of a game: their kinds, and what they are done with."""

    def __init__(self, game: Game) -> None:
        self.module: Any = importlib.import_module(f"tilery.{game.name}")
        self._game = game
        self._kinds = [(re.compile(pattern), kind) for pattern, kind in self.module.KINDS.items()]
        self._known: dict[str, tuple[int, str, str]] = {}

    def action(self, token: str) -> int:
        """The id of a token. Raises `ParseError`."""
        return self._of(token)[0]

    def of(self, token: str, known: Mapping[str, Any]) -> tuple[str, str]:
        """The kind of an action, and the tile, card or province that it is done with; "" without one.

        known: the information state of the seat that acts.
        """
        _, kind, what = self._of(token)
        return kind, what or known.get("tile") or ""

    def _of(self, token: str) -> tuple[int, str, str]:
        if token not in self._known:
            action = self._game.string_to_action(token)
            found, kind = next((found, kind) for pattern, kind in self._kinds if (found := pattern.fullmatch(token)))
            self._known[token] = action, kind, next(filter(None, found.groups()), "")
        return self._known[token]


class File(AbstractContextManager["File"]):
    """Tables of moves written one by one into an open file, as Parquet; a context manager. Needs pyarrow."""

    def __init__(self, file: BinaryIO, game: Game) -> None:
        arrow = imported("pyarrow", "arrow", "tables of moves")
        parquet = imported("pyarrow.parquet", "arrow", "tables of moves")
        self._writer = parquet.ParquetWriter(file, _schema(arrow, game), compression="zstd", store_schema=False)
        self.rows = 0

    def add(self, table: Any) -> None:
        """Write one of the tables of `pieces`."""
        self._writer.write_table(table)
        self.rows += len(table)

    def __exit__(self, *_error: object) -> None:
        self._writer.close()


def _table_of(call: tuple[Any, Sequence[str], int]) -> Any:
    game, lines, first = call
    arrow = imported("pyarrow", "arrow", "tables of moves")
    schema = _schema(arrow, game)
    rows = [row for number, line in enumerate(lines) for row in _rows(game, line.split(), first + number)]
    return arrow.table(list(zip(*rows, strict=True)) or [()] * len(schema), schema=schema)


def _schema(arrow: Any, game: Any) -> Any:
    words, seats = arrow.dictionary(arrow.int32(), arrow.string()), range(game.num_players)
    stocks = importlib.import_module(f"tilery.{game.name}").stocks(game.new_initial_state().information_state(0))
    return arrow.schema(
        [
            ("game", arrow.int64()),
            ("ply", arrow.int32()),
            ("seat", arrow.int8()),
            *((name, words) for name in ("phase", "kind", "what", "token")),
            ("legal", arrow.int32()),
            *((f"{name}_{seat}", arrow.int16()) for name, sizes in stocks.items() for seat in range(len(sizes))),
            *((f"score_{seat}", arrow.int32()) for seat in seats),
            *((f"points_{seat}", arrow.int16()) for seat in seats),
            *((f"{source.replace(' ', '_')}_{seat}", arrow.int16()) for source in game.score_sources for seat in seats),
        ]
    )


def _rows(game: Any, tokens: list[str], number: int) -> Iterator[tuple[Any, ...]]:
    words, players = Words(game), game.num_players
    place = {source: players * index for index, source in enumerate(game.score_sources)}
    state = game.new_initial_state()
    scores = state.scores()
    for ply, token in enumerate(tokens):
        seat = state.current_player()
        known = state.information_state(max(seat, 0))
        points = [0] * (players * len(place))
        try:
            action = words.action(token)
            kind, what = words.of(token, known)
            events = state.score_events(action)
            legal = state.num_legal_actions() if seat >= 0 else 0
            state.apply_action(action)
        except ValueError as error:
            raise RecordError(f"game {number}: action {ply + 1}: {error}") from None
        for event in events:
            points[place[event["source"]] + event["player"]] += event["points"]
        before, scores = scores, state.scores()
        points = [*(new - old for old, new in zip(before, scores, strict=True)), *points]
        sizes = [size for by_seat in words.module.stocks(known).values() for size in by_seat]
        yield (
            *(number, ply, seat, words.module.phase(known) if seat >= 0 else "chance", kind, what),
            *(token, legal, *sizes, *scores, *points),
        )
