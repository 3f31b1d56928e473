"""Carcassonne, Winter Edition, in plain Python: rules CA-1..CA-23 and CA-H2..CA-H11.

What the rules leave open, ids and what players see: docs/rules/carcassonne.md.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from tilery.errors import OptionError
from tilery.files import shipped
from tilery.protocol import CHANCE, TERMINAL, ScoreEvent
from tilery.reference import base
from tilery.reference.rng import Rng

Cell = tuple[int, int]
"""(x, y), x to the east, y to the north."""
Tile = tuple[str, int]
"""(type, rotation): a tile on the land."""
Land = Mapping[Cell, Tile]
Part = tuple[Cell, str]
"""A segment of a tile of the land: (cell, "c0"). Segments are named as in the tokens (CA-22)."""
Table = tuple[int, int, int, int]
"""(west, south, east, north), inclusive."""

START_TYPE = "D"
START_CELL = (0, 0)
MEEPLES = 7
REACH = 83
"""No tile of the largest land is farther than this from the start tile (CA-2)."""
TOP_PRICE = 480
ROUNDS_FOR_THE_START = 10
DEFAULT_WINDOW = 25
LARGEST_WINDOW = 2 * REACH + 1

PLACEMENT = re.compile(r"(0|-?[1-9][0-9]{0,3}),(0|-?[1-9][0-9]{0,3})@([0-3])")
"""The token of a placement: a cell and a rotation."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
HALF_EDGES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
EDGES = "CRF"
LINKS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
KINDS = "crfm"
MEEPLE_TOKENS = ("-", "c0", "c1", "r0", "r1", "r2", "r3", "f0", "f1", "f2", "f3", "m")
PHASES = ("order", "deal", "draw", "choose", "discard", "offer", "bid", "accept", "place", "meeple", "refill", "over")
SOURCES = {
    "cities": "CA-12",
    "roads": "CA-11",
    "monasteries": "CA-14",
    "unfinished": "CA-15",
    "farms": "CA-16",
    "tile sales": "CA-H7",
}
"""The sources of points in the order of events, with the rules that fix them."""
COMPLETED = {"c": "cities", "r": "roads", "m": "monasteries"}
"""Those of completed features by kind."""
CHANCE_PHASES = ("order", "deal", "draw", "refill")


def beyond(cell: Cell, side: int) -> Cell:
    return (cell[0] + STEPS[side][0], cell[1] + STEPS[side][1])


def opposite(side: int) -> int:
    return (side + 2) % 4


def across(half: int) -> int:
    """The half edge that meets this one: NL and SR, NR and SL, EL and WR, ER and WL."""
    return 2 * opposite(half // 2) + 1 - half % 2


def surroundings(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1) if (i, j) != (0, 0)]


def by_row(cell: Cell) -> tuple[int, int]:
    """The order of cells on the docs page: by y, then x."""
    return (cell[1], cell[0])


class Layout(NamedTuple):
    """The picture on a tile, in its rotation."""

    edges: str
    """The types of its four edges, N E S W."""
    segments: list[str]
    """All its segments, in the order of their tokens."""
    halves: dict[str, list[int]]
    """Segment -> the half edges it has."""
    at: dict[tuple[bool, int], str]
    """Half edge -> the field segment there (True), and the city or road segment (False)."""
    borders: dict[str, list[str]]
    """Field segment -> the city segments it borders."""
    shields: set[str]
    """The city segments with a shield."""
    look: tuple[object, ...]
    """Equal for two rotations of a type if and only if they give the same layout (CA-3, CA-R4)."""


def roads_of(tile: Mapping[str, Any], trees_end_roads: bool) -> list[tuple[str, str | None]]:
    """The road segments of a tile: (sides, what they end at). CA-H6 joins those ended by trees."""
    roads = [(road["edges"], road["ends_at"]) for road in tile["roads"]]
    by_trees = [sides for sides, ends_at in roads if ends_at == "trees"]
    if trees_end_roads or not by_trees:
        return roads
    return [("".join(by_trees), None)] + [road for road in roads if road[1] != "trees"]


def layout_of(tile: Mapping[str, Any], rotation: int, trees_end_roads: bool) -> Layout:
    """A tile of the data file after `rotation` clockwise quarter turns (CA-3)."""
    roads = roads_of(tile, trees_end_roads)
    sides = {f"c{i}": city["edges"] for i, city in enumerate(tile["cities"])}
    sides |= {f"r{i}": letters for i, (letters, _) in enumerate(roads)}
    unturned = {segment: [side + half for side in reached for half in "LR"] for segment, reached in sides.items()}
    unturned |= {f"f{i}": field["half_edges"] for i, field in enumerate(tile["fields"])}
    if tile["monastery"]:
        unturned["m"] = []
    halves = {
        segment: [(HALF_EDGES.index(half) + 2 * rotation) % 8 for half in reached]
        for segment, reached in unturned.items()
    }
    borders = {f"f{i}": [f"c{city}" for city in field["cities"]] for i, field in enumerate(tile["fields"])}
    shields = {f"c{i}" for i, city in enumerate(tile["cities"]) if city["shield"]}

    look = (
        frozenset((frozenset(halves[f"c{i}"]), f"c{i}" in shields) for i in range(len(tile["cities"]))),
        frozenset((frozenset(halves[f"r{i}"]), ends_at) for i, (_, ends_at) in enumerate(roads)),
        frozenset(
            (frozenset(halves[segment]), frozenset(frozenset(halves[city]) for city in cities))
            for segment, cities in borders.items()
        ),
    )
    return Layout(
        edges="".join(tile["edges"][(side - rotation) % 4] for side in range(4)),
        segments=[token for token in MEEPLE_TOKENS if token in halves],
        halves=halves,
        at={(segment in borders, half): segment for segment, reached in halves.items() for half in reached},
        borders=borders,
        shields=shields,
        look=look,
    )


class Feature(NamedTuple):
    """A city, road, field or monastery: its segments, and whether a city or road is complete (CA-11, CA-12)."""

    parts: set[Part]
    complete: bool

    @property
    def tiles(self) -> set[Cell]:
        """A tile counts once, even with several segments (CA-13)."""
        return {cell for cell, _ in self.parts}


def check_table(value: Any) -> Table | None:
    """CA-H10."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)) and len(value) == 4 and all(map(base.is_integer, value)):
        west, south, east, north = map(int, value)
        if west <= 0 <= east and south <= 0 <= north and (east - west + 1) * (north - south + 1) > 1:
            return (west, south, east, north)
    raise OptionError(
        "table must be None or four integers [west, south, east, north] with west <= 0 <= east, "
        f"south <= 0 <= north and at least two cells, got {value!r}"
    )


class Game(base.Game):
    """The options, the tiles in every rotation, and all that depends on a land but not on whose turn it is."""

    name: ClassVar[str] = "carcassonne"
    score_sources: ClassVar = list(SOURCES)

    def __init__(self, **options: Any) -> None:
        given = base.Options(options)
        self.players = given.integer("players", 2, 5, default=2)
        tiles = given.choice("tiles", "winter", "base")
        self.farmers = given.flag("farmers", default=True)
        self.most_roads = given.choice("first_player", "seat_0", "most_roads") == "most_roads"
        self.hand_size = given.integer("hand_size", 0, 3, default=0)
        if self.hand_size == 2:
            raise OptionError("hand_size must be 0, 1 or 3, got 2")
        self.hides_information = given.choice("hands", "hidden", "open") == "hidden" and self.hand_size > 0
        self.start_tile_in_bag = given.flag("start_tile_in_bag")
        self.return_unplaceable = given.choice("unplaceable", "discard", "return") == "return"
        self.trees_end_roads = given.flag("trees_end_roads", default=True)
        self.tile_sale = given.flag("tile_sale")
        self.gap_bonus = given.flag("gap_bonus")
        self.score_unfinished = given.flag("score_unfinished", default=True)
        self.table = given.keep("table", check_table(given.get("table", None)))
        self.edge_closes = given.flag("edge_closes")
        self.meeples_go_home = given.choice("final_meeples", "stay", "home") == "home"
        if self.hand_size > 0 and self.return_unplaceable:
            raise OptionError(f"unplaceable 'return' needs hand_size 0, got hand_size {self.hand_size}")
        if self.hand_size > 0 and self.tile_sale:
            raise OptionError(f"tile_sale needs hand_size 0, got hand_size {self.hand_size}")
        if self.edge_closes and self.table is None:
            raise OptionError("edge_closes True needs a table, got table None")
        self.rules = given.rules
        self._read_tiles(tiles)
        self._lay_out_actions()

    def _read_tiles(self, tiles: str) -> None:
        box = json.loads(shipped("data", "carcassonne.json"))["tiles"]
        in_play = [tile for tile in box if tiles == "winter" or tile["set"] == "base"]
        self.types: list[str] = [tile["id"] for tile in in_play]
        self.number = {kind: i for i, kind in enumerate(self.types)}
        self.copies: dict[str, int] = {tile["id"]: tile["count"] for tile in in_play}
        self.printed_roads = {tile["id"]: len(tile["roads"]) for tile in in_play}
        self.layouts: dict[Tile, Layout] = {
            (tile["id"], rotation): layout_of(tile, rotation, self.trees_end_roads)
            for tile in in_play
            for rotation in range(4)
        }
        self.rotations = {kind: self._distinct_rotations(kind) for kind in self.types}
        # (type, edges required by the four neighbours) -> the rotations that fit; "." requires nothing (CA-4).
        self.rotations_for: dict[tuple[str, str], list[int]] = {}
        for kind in self.types:
            for rotation in self.rotations[kind]:
                edges = self.layouts[kind, rotation].edges
                for asked in range(1, 16):
                    pattern = "".join(edges[side] if asked >> side & 1 else "." for side in range(4))
                    self.rotations_for.setdefault((kind, pattern), []).append(rotation)

    def _distinct_rotations(self, kind: str) -> list[int]:
        """CA-3: of rotations that look the same only the least."""
        looks = [self.layouts[kind, rotation].look for rotation in range(4)]
        return [rotation for rotation in range(4) if looks.index(looks[rotation]) == rotation]

    def _lay_out_actions(self) -> None:
        west, south, east, north = self.table or (-REACH, -REACH, REACH, REACH)
        self.west, self.south = max(west, -REACH), max(south, -REACH)
        self.width = min(east, REACH) - self.west + 1
        self.height = min(north, REACH) - self.south + 1
        self.tokens = [f"*{kind}" for kind in self.types]
        self.tokens += MEEPLE_TOKENS
        if self.hand_size == 3:
            self.tokens += [f"tile:{kind}" for kind in self.types]
            self.tokens += [f"discard:{kind}" for kind in self.types]
        if self.tile_sale:
            self.tokens += ["offer", "keep"]
            self.tokens += [f"price:{price}" for price in range(1, TOP_PRICE + 1)]
            self.tokens += ["pass", "accept", "decline"]
        self.first_placement = len(self.tokens)

    # Game, rule G-4.

    @property
    def num_distinct_actions(self) -> int:
        return self.first_placement + 4 * self.height * self.width

    @property
    def max_chance_nodes(self) -> int:
        """One draw for each tile, and those of CA-H2."""
        tiles = sum(self.copies.values()) - (0 if self.start_tile_in_bag else 1)
        return tiles + (ROUNDS_FOR_THE_START * self.players if self.most_roads else 0)

    @property
    def max_decisions(self) -> int:
        """For each tile what CA-7, CA-8, CA-H4 and CA-H7 ask for; the first of CA-H5 is placed without an action."""
        choice = 1 if self.hand_size == 3 else 0
        sale = 1 + (self.players - 1) + 1 if self.tile_sale else 0
        tiles = sum(self.copies.values()) - 1
        return tiles * (choice + sale + 2) + (choice + 1 if self.start_tile_in_bag else 0)

    def new_initial_state(self) -> State:
        return State(self)

    def placement(self, cell: Cell, rotation: int) -> int:
        x, y = cell
        return self.first_placement + (rotation * self.height + y - self.south) * self.width + x - self.west

    def placement_of(self, action: int) -> tuple[Cell, int]:
        rest, column = divmod(action - self.first_placement, self.width)
        rotation, row = divmod(rest, self.height)
        return (self.west + column, self.south + row), rotation

    def _token(self, action: int) -> str:
        if action < self.first_placement:
            return self.tokens[action]
        (x, y), rotation = self.placement_of(action)
        return f"{x},{y}@{rotation}"

    def string_to_action(self, token: str) -> int:
        found = PLACEMENT.fullmatch(token) if isinstance(token, str) else None
        if found is None:
            return super().string_to_action(token)
        x, y, rotation = map(int, found.groups())
        if not (0 <= x - self.west < self.width and 0 <= y - self.south < self.height):
            raise base.parse_error(token, 0, "impossible: the land never reaches this cell")
        return self.placement((x, y), rotation)

    # The table (CA-H10, CA-H11).

    def on_table(self, cell: Cell) -> bool:
        if self.table is None:
            return True
        west, south, east, north = self.table
        return west <= cell[0] <= east and south <= cell[1] <= north

    def closed_by_the_edge(self, cell: Cell) -> bool:
        """Whether an edge of a tile that faces this empty cell counts as closed."""
        return self.edge_closes and not self.on_table(cell)

    # Placing tiles (CA-4).

    def asked(self, land: Land, cell: Cell) -> str:
        """The edges required by the neighbours of a cell, N E S W, "." where there is none."""
        near = [land.get(beyond(cell, side)) for side in range(4)]
        return "".join(self.layouts[tile].edges[opposite(side)] if tile else "." for side, tile in enumerate(near))

    def open_cells(self, land: Land) -> dict[Cell, str]:
        """The empty cells along the land, with what their neighbours ask for."""
        near = {beyond(cell, side) for cell in land for side in range(4)}
        return {cell: self.asked(land, cell) for cell in near.difference(land) if self.on_table(cell)}

    def placements(self, land: Land, kind: str) -> list[tuple[Cell, int]]:
        """All placements of a type: cell and rotation."""
        return [
            (cell, rotation)
            for cell, pattern in self.open_cells(land).items()
            for rotation in self.rotations_for.get((kind, pattern), ())
        ]

    # Features (CA-5).

    def joined(self, land: Land, cell: Cell, segment: str) -> Iterator[Part]:
        """The cells that a segment reaches, each with the segment it meets there; "" where there is no tile.

        All are joined across half edges: fields also along both sides of a road.
        """
        field = segment.startswith("f")
        for half in self.layouts[land[cell]].halves[segment]:
            near = beyond(cell, half // 2)
            yield near, self.layouts[land[near]].at[field, across(half)] if near in land else ""

    def feature(self, land: Land, cell: Cell, segment: str) -> Feature:
        """The feature of a segment of any kind."""
        if segment == "m":  # CA-14: all eight neighbours; with CA-H11 those inside the table
            complete = all(near in land or self.closed_by_the_edge(near) for near in surroundings(cell))
            return Feature({(cell, segment)}, complete)
        found = base.reached([(cell, segment)], lambda part: self.joined(land, *part) if part[1] else ())
        complete = all(met or self.closed_by_the_edge(near) for near, met in found)
        return Feature({part for part in found if part[1]}, complete)

    def features(self, land: Land, segments: Iterable[Part]) -> Iterator[tuple[Part, Feature]]:
        """The features of these segments, each once, with its first segment here."""
        seen: set[Part] = set()
        for segment in segments:
            if segment not in seen:
                feature = self.feature(land, *segment)
                seen |= feature.parts
                yield segment, feature

    def monasteries_near(self, land: Land, cell: Cell) -> list[Cell]:
        """The monasteries that a tile in this cell counts for."""
        near = [cell, *surroundings(cell)]
        return [place for place in near if place in land and "m" in self.layouts[land[place]].halves]

    def value(self, land: Land, feature: Feature, segment: str) -> int:
        """The points of a city, road or monastery at this moment (CA-11, CA-12, CA-14, CA-15, CA-H11)."""
        if segment == "m":
            (cell,) = feature.tiles
            return 1 + sum(near in land for near in surroundings(cell))
        if segment.startswith("r"):
            return len(feature.tiles)
        shields = sum(part in self.layouts[land[cell]].shields for cell, part in feature.parts)
        return (len(feature.tiles) + shields) * (2 if feature.complete else 1)

    def completed_by(self, land: Land, kind: str, cell: Cell, rotation: int) -> set[Part]:
        """The cities, roads and monasteries of the land that a placement would complete.

        A feature is named by the least of its segments as it is now. One that is completed by being
        joined to another counts, and so does the other.
        """
        after = {**land, cell: (kind, rotation)}
        completed = set()
        for side in range(4):
            segment, neighbour = self.layouts[kind, rotation].at.get((False, 2 * side)), beyond(cell, side)
            if segment is not None and neighbour in land and self.feature(after, cell, segment).complete:
                joined = self.layouts[land[neighbour]].at[False, 2 * opposite(side)]  # CA-4: the edges agree
                completed.add(min(self.feature(land, neighbour, joined).parts))
        for place in self.monasteries_near(land, cell):
            if self.feature(after, place, "m").complete:
                completed.add((place, "m"))
        return completed

    def may_be_sold(self, land: Land, kind: str, pile: Iterable[str]) -> bool:
        """CA-H7: the tile could complete a feature which no tile of these in the pile could complete."""

        def completed(kinds: Iterable[str], cell: Cell, pattern: str) -> set[Part]:
            ways = [(other, rotation) for other in kinds for rotation in self.rotations_for.get((other, pattern), ())]
            return {feature for other, rotation in ways for feature in self.completed_by(land, other, cell, rotation)}

        # If one tile completes a feature, all that the feature lacks is the tile of that one cell. So
        # whatever else completes it must be placed there too.
        for cell, pattern in self.open_cells(land).items():
            if (own := completed([kind], cell, pattern)) and not own <= completed(pile, cell, pattern):
                return True
        return False


class State(base.State[Game]):
    """A position.

    `land` and `meeples` are kept by cell, the pile by type, hands as lists in the order of types: nothing
    tells in which order a position was reached.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.land: dict[Cell, Tile] = {}
        self.meeples: dict[Cell, tuple[str, int]] = {}
        self.pile = dict(game.copies)
        self.hands: list[list[str]] = [[] for _ in range(game.players)]
        self.shown: list[list[str]] = [[] for _ in range(game.players)]
        self.points = [0] * game.players
        self.supply = [MEEPLES] * game.players
        self.phase = "order"
        self.turn = self.ordinary = -1
        self.again = False
        self.tile: str | None = None
        self.cell: Cell | None = None
        self.bidder = self.buyer = -1
        self.price = 0
        self.round = 0
        self.contenders: list[int] = []
        self.drawn: list[str] = []
        if not game.start_tile_in_bag:
            self.pile[START_TYPE] -= 1
            self.land[START_CELL] = (START_TYPE, 0)
        if game.most_roads:
            self.round = 1
            self.contenders = list(range(game.players))
        else:
            self._start(0)

    # What the shared part asks for.

    def current_player(self) -> int:
        if self.phase == "over":
            return TERMINAL
        if self.phase in CHANCE_PHASES:
            return CHANCE
        return self.bidder if self.phase == "bid" else self.turn

    def _outcomes(self) -> Mapping[int, int]:
        """Each tile of the pile equally likely (CA-6)."""
        kinds = self._types_in_the_pile()
        if self.phase == "draw" and self.game.return_unplaceable:
            kinds = self._fitting(kinds)
        return {self.game.ids[f"*{kind}"]: self.pile[kind] for kind in kinds}

    def _decisions(self) -> Sequence[int]:
        if self.phase == "place":
            assert self.tile is not None
            places = self.game.placements(self.land, self.tile)
            return [self.game.placement(cell, rotation) for cell, rotation in places]
        return [self.game.ids[token] for token in self._tokens()]

    def _tokens(self) -> list[str]:
        """The legal actions of all phases but `place`."""
        if self.phase == "meeple":
            return ["-", *self._free_segments()]
        if self.phase == "choose":
            return [f"tile:{kind}" for kind in self._fitting(self.hands[self.turn])]
        if self.phase == "discard":
            return [f"discard:{kind}" for kind in sorted(set(self.hands[self.turn]))]
        if self.phase == "offer":
            return ["offer", "keep"]
        if self.phase == "accept":
            return ["accept", "decline"]
        assert self.phase == "bid"
        prices = range(self.price + 1, self.points[self.bidder] + 1)
        return [f"price:{price}" for price in prices] + ["pass"]

    def _apply(self, action: int) -> None:
        mover = self.turn
        self._take(int(action))  # a NumPy integer would leave NumPy integers in the land

        def place(event: ScoreEvent) -> tuple[Any, ...]:
            cells = [tuple(map(int, on.removeprefix("cell:").split(","))) for on in event["on"]]
            seat = (event["player"] - mover) % self.game.players
            return (list(SOURCES).index(event["source"]), [by_row((x, y)) for x, y in cells], seat, event["points"])

        if self._events:
            self._events.sort(key=place)

    def _take(self, action: int) -> None:
        if action >= self.game.first_placement:
            assert self.tile is not None
            cell, rotation = self.game.placement_of(action)
            self._place(self.tile, cell, rotation)
            return
        token = self.game.tokens[action]
        if token.startswith("*"):
            self._chance(token[1:])
        elif token.startswith("tile:"):
            self._choose(token[len("tile:") :])
        elif token.startswith("discard:"):
            self._discard(token[len("discard:") :])
        elif self.phase == "meeple":
            self._place_meeple(token)
        else:
            self._sell(token)

    # The pile and the hands.

    def _types_in_the_pile(self) -> list[str]:
        return [kind for kind in self.game.types if self.pile[kind] > 0]

    def _fitting(self, kinds: Iterable[str]) -> list[str]:
        """Those of the types that fit somewhere, each once; on the empty land every type does (CA-H5)."""
        fits = self.game.rotations_for
        patterns = set(self.game.open_cells(self.land).values())
        fitting = {kind for kind in kinds if not self.land or any((kind, pattern) in fits for pattern in patterns)}
        return sorted(fitting, key=self.game.number.__getitem__)

    def _chance(self, kind: str) -> None:
        self.pile[kind] -= 1
        if self.phase == "order":
            self._draw_for_the_start(kind)
        elif self.phase == "deal":
            self._deal(kind)
        elif self.phase == "draw":
            self._begin_with(kind)
        else:
            self._take_in_hand(self.turn, kind)
            self._next_turn()

    def _take_in_hand(self, player: int, kind: str) -> None:
        self.hands[player] = sorted([*self.hands[player], kind], key=self.game.number.__getitem__)

    def _use(self, kind: str) -> None:
        """A tile leaves the mover's hand; a copy that was shown is the one used (CA-H3)."""
        self.hands[self.turn].remove(kind)
        if kind in self.shown[self.turn]:
            self.shown[self.turn].remove(kind)

    # Who starts (CA-H2), and with what (CA-H3, CA-H4).

    def _draw_for_the_start(self, kind: str) -> None:
        self.drawn.append(kind)
        if len(self.drawn) < len(self.contenders):
            return
        roads = [self.game.printed_roads[drawn] for drawn in self.drawn]
        tied = [seat for seat, count in zip(self.contenders, roads, strict=True) if count == max(roads)]
        for drawn in self.drawn:
            self.pile[drawn] += 1
        self.drawn = []
        if len(tied) == 1 or self.round == ROUNDS_FOR_THE_START:
            self.round, self.contenders = 0, []
            self._start(min(tied))
        else:
            self.round += 1
            self.contenders = tied

    def _start(self, player: int) -> None:
        self.turn = self.ordinary = player
        if self.game.hand_size > 0:
            self.phase = "deal"
        else:
            self._begin_turn()

    def _deal(self, kind: str) -> None:
        """All tiles of one player before the next, in seat order, no matter who starts."""
        size = self.game.hand_size
        player = next(seat for seat, hand in enumerate(self.hands) if len(hand) < size)
        self._take_in_hand(player, kind)
        if all(len(hand) == size for hand in self.hands):
            self._begin_turn()

    # A turn: which tile.

    def _begin_turn(self) -> None:
        """Ask the mover for a tile; skip a player without tiles; end the game if no player can get one."""
        if self.game.hand_size == 0:
            self.phase = "draw"
            if not self._outcomes():
                self._finish()
            return
        if not any(self.hands):  # they are refilled as long as the pile has tiles
            self._finish()
            return
        while not self.hands[self.turn]:
            self._pass_the_turn_on()
        hand = self.hands[self.turn]
        fits = bool(self._fitting(hand))
        if self.game.hand_size == 3:
            self.phase = "choose" if fits else "discard"
            if self.game.hides_information and not fits:
                self.shown[self.turn] = list(hand)
        elif fits:
            self._choose(hand[0])
        else:
            self._discard(hand[0])

    def _pass_the_turn_on(self) -> None:
        """To the player after the one who had the last ordinary turn (CA-9, CA-H8)."""
        self.ordinary = (self.ordinary + 1) % self.game.players
        self.turn = self.ordinary

    def _begin_with(self, kind: str) -> None:
        """The turn with this tile; one drawn that fits nowhere stays out of the game (CA-6)."""
        if not self.land:
            self._place(kind, START_CELL, 0)
        elif not self._fitting([kind]):
            self._begin_turn()
        else:
            self.tile = kind
            for_sale = self.game.tile_sale and self.game.may_be_sold(self.land, kind, self._types_in_the_pile())
            self.phase = "offer" if for_sale else "place"

    def _choose(self, kind: str) -> None:
        """CA-H3, CA-H4: the tile of this turn comes from the hand."""
        self._use(kind)
        self._begin_with(kind)

    def _discard(self, kind: str) -> None:
        """CA-H4: out of the game; refill and try again."""
        self._use(kind)
        if self._types_in_the_pile():
            self.phase, self.again = "refill", True
        else:
            self._begin_turn()

    # The sale of a tile (CA-H7).

    def _sell(self, token: str) -> None:
        if token == "offer":
            self.phase = "bid"
            self.bidder = (self.turn + 1) % self.game.players
        elif token == "pass":
            self._next_bidder()
        elif token.startswith("price:"):
            self.price = int(token[len("price:") :])
            self.buyer = self.bidder
            self._next_bidder()
        else:
            if token == "accept":
                self._give(self.buyer, -self.price, "tile sales", "CA-H7")
                self.turn = self.buyer
            self.price, self.buyer = 0, -1
            self.phase = "place"

    def _next_bidder(self) -> None:
        self.bidder = (self.bidder + 1) % self.game.players
        if self.bidder == self.turn:
            self.bidder = -1
            self.phase = "accept" if self.price > 0 else "place"

    # A turn: the tile and the meeple.

    def _place(self, kind: str, cell: Cell, rotation: int) -> None:
        """CA-7; a gap filled is remembered until the end of the turn (CA-H8)."""
        fills_a_gap = all(beyond(cell, side) in self.land for side in range(4))
        self.land[cell] = (kind, rotation)
        self.tile = None
        self.cell = cell
        self.again = self.game.gap_bonus and fills_a_gap
        if self._free_segments():
            self.phase = "meeple"
        else:
            self._end_turn()

    def _free_segments(self) -> list[str]:
        """CA-8: the segments of the tile just placed that may take a meeple of the mover."""
        assert self.cell is not None
        if self.supply[self.turn] == 0:
            return []
        segments = self.game.layouts[self.land[self.cell]].segments
        parts = [(self.cell, segment) for segment in segments if self.game.farmers or not segment.startswith("f")]
        features = self.game.features(self.land, parts)
        return [segment for (_, segment), feature in features if not self._meeples_on(feature.parts)]

    def _meeples_on(self, parts: set[Part]) -> list[Cell]:
        return [cell for cell, (segment, _) in self.meeples.items() if (cell, segment) in parts]

    def _place_meeple(self, token: str) -> None:
        if token != "-":
            assert self.cell is not None
            self.meeples[self.cell] = (token, self.turn)
            self.supply[self.turn] -= 1
        self._end_turn()

    def _end_turn(self) -> None:
        """CA-9, then the refill (CA-H3), then the next player."""
        self._score_completed()
        self.cell = None
        if self.game.hand_size > 0 and self._types_in_the_pile():
            self.phase = "refill"
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        """The same player's after a gap filled or a tile discarded, else the next ordinary turn."""
        again, self.again = self.again, False
        if not again:
            self._pass_the_turn_on()
        self._begin_turn()

    # Scoring.

    def _award(self, meeples: Iterable[Cell], points: int, source: str, cells: Iterable[Cell]) -> None:
        """CA-10: all who have most meeples get the full value."""
        on = [f"cell:{x},{y}" for y, x in sorted({(y, x) for x, y in cells})]
        counts = Counter(self.meeples[cell][1] for cell in meeples)
        for player, count in counts.items():
            if count == max(counts.values()):
                self._give(player, points, source, SOURCES[source], on)

    def _score_completed(self) -> None:
        """CA-9: what the tile just placed has completed."""
        assert self.cell is not None
        game, going_home = self.game, []
        segments = game.layouts[self.land[self.cell]].segments
        parts = [(self.cell, segment) for segment in segments if segment[0] in "cr"]
        parts += [(place, "m") for place in game.monasteries_near(self.land, self.cell)]
        for (_, segment), feature in game.features(self.land, parts):
            if feature.complete:
                meeples = self._meeples_on(feature.parts)
                points = game.value(self.land, feature, segment)
                self._award(meeples, points, COMPLETED[segment[0]], feature.tiles)
                going_home += meeples
        for cell in going_home:
            _, player = self.meeples.pop(cell)
            self.supply[player] += 1

    def _count_at_end(self) -> None:
        """CA-15 and CA-16 for the land as it lies; before the turn ends nothing is complete by its tile (CA-9)."""
        self._score_finally(by=self.cell if self.phase == "meeple" else None)

    def _finish(self) -> None:
        """CA-15: the final scoring; the meeples stay where they stand, or all but farmers go home."""
        self._score_finally()
        for cell, (segment, player) in list(self.meeples.items()):
            if self.game.meeples_go_home and not segment.startswith("f"):
                del self.meeples[cell]
                self.supply[player] += 1
        self.phase = "over"
        self.turn = self.ordinary = -1
        self.again = False

    def _score_finally(self, by: Cell | None = None) -> None:
        """CA-15, CA-16. by: the cell of a tile that completes nothing yet."""
        standing = [(cell, segment) for cell, (segment, _) in self.meeples.items()]
        for (_, segment), feature in self.game.features(self.land, standing):
            source = "farms" if segment.startswith("f") else "unfinished"
            points = self._final_value(segment, feature, by)
            self._award(self._meeples_on(feature.parts), points, source, feature.tiles)

    def _final_value(self, segment: str, feature: Feature, by: Cell | None) -> int:
        """The points at the end for the feature of a meeple still on the land (CA-15, CA-16, CA-H9)."""
        if segment.startswith("f"):
            return 3 * sum(city.complete and by not in city.tiles for city in self._cities_at(feature))
        if not self.game.score_unfinished:
            return 0
        complete = feature.complete and by not in feature.tiles
        return self.game.value(self.land, Feature(feature.parts, complete), segment)

    def _cities_at(self, field: Feature) -> list[Feature]:
        """CA-16: the cities that border a field."""
        layouts = {cell: self.game.layouts[self.land[cell]] for cell in field.tiles}
        parts = [(cell, city) for cell, segment in field.parts for city in layouts[cell].borders[segment]]
        return [city for _, city in self.game.features(self.land, parts)]

    # What a player knows.

    def _known_hand(self, player: int, owner: int) -> list[str] | None:
        """The hand of the owner as the player sees it, None if it is hidden from them."""
        return None if self.game.hides_information and player != owner else self.hands[owner]

    def _unseen(self, player: int) -> dict[str, int]:
        """The copies of each type in the pile and in places of other hands that the player has not seen."""
        unseen = dict(self.pile)
        for owner, hand in enumerate(self.hands):
            if self._known_hand(player, owner) is None:
                for kind in hand:
                    unseen[kind] += 1
                for kind in self.shown[owner]:
                    unseen[kind] -= 1
        return unseen

    def _seen_only_by(self, action: int) -> int | None:
        """CA-H3: a draw for a hidden hand is seen by its owner, by others if the tile is used in the same action."""
        if not self.game.hides_information or self.phase not in ("deal", "refill"):
            return None
        owner = self.turn
        if self.phase == "deal":
            owner = next(seat for seat, hand in enumerate(self.hands) if len(hand) < self.game.hand_size)
        after = self.clone()
        after._apply(action)
        return None if self.game.hand_size == 1 and not after.hands[owner] else owner

    def _information(self, player: int) -> dict[str, Any]:
        return {"player": player, **self._known(player)}

    def _public(self) -> dict[str, Any]:
        """The position as a spectator sees it, who is not a player and has no hand."""
        return self._known(-1)

    def _known(self, player: int) -> dict[str, Any]:
        unseen = self._unseen(player)
        hands = []
        if self.game.hand_size > 0:
            for owner, hand in enumerate(self.hands):
                held = self._known_hand(player, owner)
                hands.append({"size": len(hand), "shown": self.shown[owner], "held": held})
        order = None
        if self.phase == "order":
            order = {"round": self.round, "contenders": self.contenders, "drawn": self.drawn}
        return {
            "phase": self.phase,
            "actor": self.current_player(),
            "turn": self.turn,
            "ordinary": self.ordinary,
            "again": self.again,
            "scores": self.points,
            "supply": self.supply,
            "land": [[*cell, *self.land[cell]] for cell in sorted(self.land, key=by_row)],
            "meeples": [[*cell, *self.meeples[cell]] for cell in sorted(self.meeples, key=by_row)],
            "tile": self.tile,
            "cell": self.cell,
            "price": self.price,
            "buyer": self.buyer,
            "unseen": [unseen[kind] for kind in self.game.types],
            "pile": sum(self.pile.values()),
            "hands": hands,
            "order": order,
        }

    def _deal_again(self, other: Self, player: int, stream: Rng) -> None:
        """Deal what the player has not seen over the hands of the others; the rest is the pile."""
        other.pile = self._unseen(player)
        others = [owner for owner in range(self.game.players) if owner != player]
        chooser = self.turn if self.phase == "choose" else None
        for owner in sorted(others, key=lambda owner: owner != chooser):  # the chooser first
            other.hands[owner] = list(self.shown[owner])
            for places in range(len(self.hands[owner]) - len(self.shown[owner]), 0, -1):
                fit_wanted = owner == chooser and not self._fitting(other.hands[owner])
                other._take_in_hand(owner, other._unseen_tile(stream, places, fit_wanted))

    def _unseen_tile(self, stream: Rng, places: int, fit_wanted: bool) -> str:
        """One tile out of the pile, for the first of `places` places of a hand.

        If a fit is wanted, the mover's hand must end up with a tile that fits, since they are about to choose
        one: a type is then weighed by the number of ways to fill the other places so that it does.
        """
        weights = {kind: self.pile[kind] for kind in self._types_in_the_pile()}
        if fit_wanted:
            fitting = self._fitting(weights)
            left = sum(weights.values())
            useless = sum(count for kind, count in weights.items() if kind not in fitting)
            fills = math.perm(left - 1, places - 1)
            useless_fills = math.perm(max(useless - 1, 0), places - 1)
            for kind in weights:
                weights[kind] *= fills if kind in fitting else fills - useless_fills
        kind = base.drawn(weights, stream)
        self.pile[kind] -= 1
        return kind

    # The observation.

    def observation_tensor(self, player: int, window: int | None = None) -> npt.NDArray[np.float32]:
        """Planes over the table, or over a window on the middle of the land, then numbers."""
        player = self._player(player)
        if window is not None:
            if self.game.table is not None:
                raise ValueError(f"window: with a table the observation shows the table, got {window!r}")
            if not base.is_integer(window) or window not in range(1, LARGEST_WINDOW + 1, 2):
                raise ValueError(f"window must be an odd integer from 1 to {LARGEST_WINDOW}, got {window!r}")
        return self._tensor(self._observed(player, DEFAULT_WINDOW if window is None else int(window)))

    def _window(self, size: int) -> tuple[int, int, int, int]:
        """(west, south, width, height) of what the planes show."""
        if self.game.table is not None:
            return (self.game.west, self.game.south, self.game.width, self.game.height)
        x, y = ((min(axis) + max(axis)) // 2 for axis in zip(*(self.land or [START_CELL]), strict=True))
        return (x - size // 2, y - size // 2, size, size)

    def _observed(self, player: int, size: int = DEFAULT_WINDOW) -> Iterator[base.Section]:
        game, types, t = self.game, self.game.types, len(self.game.types)
        seats = self._seats_from(player)
        west, south, width, height = self._window(size)
        layouts = {cell: game.layouts[tile] for cell, tile in self.land.items()}
        open_cells = list(game.open_cells(self.land))
        fits = game.placements(self.land, self.tile) if self.tile is not None else []
        tiles = sum(game.copies.values())
        # Row and column of the cells that the planes show.
        inside = {(west + column, south + row): (row, column) for row in range(height) for column in range(width)}
        board = partial(base.board, (height, width), inside)

        def outside(cells: Iterable[Cell]) -> int:
            return sum(cell not in inside for cell in cells)

        def linked(one: int, two: int) -> list[Cell]:
            there = {cell: layout.at.get((False, 2 * one)) for cell, layout in layouts.items()}
            return [at for at, each in there.items() if each and each == layouts[at].at.get((False, 2 * two))]

        yield board("tile", self.land.keys())
        yield board("type", {cell: 1 + game.number[kind] for cell, (kind, _) in self.land.items()}, most=t, divisor=t)
        yield board("rotation", {cell: rotation for cell, (_, rotation) in self.land.items()}, most=3, divisor=4)
        edges = [
            [at for at, layout in layouts.items() if layout.edges[side] == edge] for side in range(4) for edge in EDGES
        ]
        yield board("edges", *edges)
        yield board("links", *(linked(one, two) for one, two in LINKS))
        yield board("shield", [at for at, layout in layouts.items() if layout.shields])
        yield board("monastery", [at for at, layout in layouts.items() if "m" in layout.halves])
        meeples = self.meeples.items()
        yield board("meeple_kind", *([at for at, (segment, _) in meeples if segment[0] == kind] for kind in KINDS))
        halves = {at: layouts[at].halves[segment] for at, (segment, _) in meeples}
        yield board("meeple_halves", *([at for at, each in halves.items() if half in each] for half in range(8)))
        yield board("meeple_seat", *([at for at, (_, owner) in meeples if owner == seat] for seat in seats))
        yield board("cell", [] if self.cell is None else [self.cell])
        yield board("open", open_cells)
        yield board("fits", *([at for at, rotation in fits if rotation == turned] for turned in range(4)))

        yield base.Section("phase", [self.phase == phase for phase in PHASES])
        yield base.Section("actor", [seat == self.current_player() for seat in seats])
        yield base.Section("turn", [seat == self.turn for seat in seats])
        yield base.Section("ordinary", [seat == self.ordinary for seat in seats])
        yield base.Section("again", [self.again])
        yield from base.in_bytes("scores", "scores_above_255", [self.points[seat] for seat in seats], TOP_PRICE, 100)
        yield base.Section("supply", [self.supply[seat] for seat in seats], MEEPLES, MEEPLES)
        yield base.Section("tile_type", [kind == self.tile for kind in types])
        unseen = self._unseen(player)
        yield base.Section("unseen", [unseen[kind] for kind in types], max(game.copies.values()))
        yield base.Section("pile", [sum(self.pile.values())], tiles, tiles)
        if game.tile_sale:
            yield from base.in_bytes("price", "price_above_255", [self.price], TOP_PRICE, 100)
            yield base.Section("buyer", [seat == self.buyer for seat in seats])
        if game.hand_size > 0:
            yield base.Section("hand_sizes", [len(self.hands[seat]) for seat in seats], game.hand_size)
            held = {seat: self._known_hand(player, seat) for seat in seats}
            known = [self.shown[seat] if (hand := held[seat]) is None else hand for seat in seats]
            yield base.Section("hands", [hand.count(kind) for hand in known for kind in types], game.hand_size)
            yield base.Section("own_shown", [self.shown[player].count(kind) for kind in types], game.hand_size)
        if game.most_roads:
            yield base.Section("round", [self.round], ROUNDS_FOR_THE_START, ROUNDS_FOR_THE_START)
            yield base.Section("contenders", [seat in self.contenders for seat in seats])
            drawn = {seat: 1 + game.number[kind] for seat, kind in zip(self.contenders, self.drawn, strict=False)}
            yield base.Section("drawn", [drawn.get(seat, 0) for seat in seats], t, t)
        if game.table is None:
            touched = 2 * tiles + 2
            yield base.Section("tiles_outside", [outside(self.land)], tiles)
            yield base.Section("open_outside", [outside(open_cells)], touched)
            of_fits = [outside(at for at, rotation in fits if rotation == turned) for turned in range(4)]
            yield base.Section("fits_outside", of_fits, touched)
            of_meeples = [outside(at for at, (_, owner) in meeples if owner == seat) for seat in seats]
            yield base.Section("meeples_outside", of_meeples, MEEPLES)
            yield base.Section("cell_outside", [self.cell is not None and self.cell not in inside])
