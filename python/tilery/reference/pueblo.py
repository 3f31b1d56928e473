"""Pueblo in plain Python, paragraph by paragraph (PB-1 to PB-33; docs/rules/pueblo.md).

Placing follows the block in space (PB-2, PB-3). Its twelve orientations are turned out of one drawing, and a
window takes the one whose underside rests there on all three squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any, ClassVar, NamedTuple

from tilery.errors import OptionError
from tilery.protocol import TERMINAL
from tilery.reference import base

SIDE = 8
FILES = "abcdefgh"
RANKS = "12345678"
COLOURS = "CN"
DIRECTIONS = {"ne": (1, 1), "nw": (-1, 1), "se": (1, -1), "sw": (-1, -1)}
PATH = 36
CORNERS = {"sw": 0, "nw": 9, "ne": 18, "se": 27}
NEUTRAL = "n"
"""Owner of a neutral cube; that of a coloured one is the digit of its seat."""

BLOCK = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)})
"""The right-handed screw of PB-2, in (x east, y north, z up)."""

PAIRS = {2: 7, 3: 5, 4: 4}
"""PB-11: pairs of each player; there is one single coloured block besides."""
PAIRS_SET_ASIDE = 2

STEPS = ("place", "move", "remove", "bid", "token")
LEVELS_SHOWN = 8
"""Levels that the observation shows cube by cube."""

NEW_BLOCK = -1
"""Marks a block just placed until the blocks are numbered again."""

Cube = tuple[int, int, int]
Shape = frozenset[Cube]
Action = tuple[str, Any]


class Pillar(NamedTuple):
    """The cubes of a block on one square: its lowest level within the block, and how many cubes."""

    square: int
    lowest: int
    cubes: int


Body = tuple[Pillar, ...]
"""A block in one orientation over one window."""


def square_at(x: int, y: int) -> int:
    return SIDE * y + x


def square_name(square: int) -> str:
    return FILES[square % SIDE] + RANKS[square // SIDE]


# PB-2: the orientations of the block.


def settled(cubes: Iterable[Cube]) -> Shape:
    """The same shape, moved so that its smallest coordinates are 0."""
    xs, ys, zs = zip(*cubes, strict=True)
    return frozenset((x - min(xs), y - min(ys), z - min(zs)) for x, y, z in zip(xs, ys, zs, strict=True))


def quarter_turns(shape: Shape) -> list[Shape]:
    """The shape after a quarter turn about the vertical axis, and after one about the west-east axis."""
    return [settled((-y, x, z) for x, y, z in shape), settled((x, -z, y) for x, y, z in shape)]


def orientations(handedness: str) -> list[Shape]:
    """All that the block can be turned into; never its mirror image (PB-2)."""
    block = BLOCK if handedness == "right" else settled((-x, y, z) for x, y, z in BLOCK)
    return sorted(base.reached([block], quarter_turns), key=sorted)


# PB-29: windows.


WINDOWS = {
    square_name(square_at(x, y)) + name: (square_at(x, y), name)
    for name, (dx, dy) in DIRECTIONS.items()
    for y, x in product(range(SIDE), repeat=2)
    if 0 <= x + dx < SIDE and 0 <= y + dy < SIDE
}
"""The 196 windows by name, each with apex and direction; in the order of ids: direction, then apex rank by rank."""


def squares_of_window(apex: int, direction: str) -> list[int]:
    """The three squares used: the apex and its two neighbours, without the one that is left out."""
    y, x = divmod(apex, SIDE)
    dx, dy = DIRECTIONS[direction]
    return sorted([apex, square_at(x + dx, y), square_at(x, y + dy)])


def bodies_over(apex: int, direction: str, shapes: list[Shape]) -> list[Body]:
    """The block in each orientation whose underside is just the window's three squares."""
    squares = squares_of_window(apex, direction)
    west = min(square % SIDE for square in squares)
    south = min(square // SIDE for square in squares)
    bodies = []
    for shape in shapes:
        levels: dict[int, list[int]] = {}
        for x, y, z in sorted(shape):
            levels.setdefault(square_at(west + x, south + y), []).append(z)
        if sorted(levels) == squares:
            bodies.append(tuple(Pillar(square, min(zs), len(zs)) for square, zs in sorted(levels.items())))
    return bodies


# PB-7 to PB-9: what the chieftain looks at.


def line_from(space: int) -> list[int]:
    """PB-7, PB-8: the eight squares before a side space, the nearest first."""
    if 1 <= space <= 8:
        return [square_at(x, space - 1) for x in range(SIDE)]
    if 10 <= space <= 17:
        return [square_at(space - 10, y) for y in reversed(range(SIDE))]
    if 19 <= space <= 26:
        return [square_at(x, 26 - space) for x in reversed(range(SIDE))]
    return [square_at(35 - space, y) for y in range(SIDE)]


def quarter_at(space: int) -> list[int]:
    """PB-9: the 4 x 4 squares nearest a corner."""
    near = range(SIDE // 2)
    far = range(SIDE // 2, SIDE)
    files = near if space in (CORNERS["sw"], CORNERS["nw"]) else far
    ranks = near if space in (CORNERS["sw"], CORNERS["se"]) else far
    return [square_at(x, y) for y in ranks for x in files]


def check_sites(value: Any) -> list[str]:
    """PB-27: up to four tiles inside the site that share no square, sorted."""
    if not isinstance(value, (list, tuple)):
        raise OptionError(f"sites must be a list of windows such as 'd4ne', got {value!r}")
    covered: set[int] = set()
    for token in value:
        if not isinstance(token, str) or token not in WINDOWS:
            raise OptionError(f"sites must be windows inside the site such as 'd4ne', got {token!r}")
        squares = set(squares_of_window(*WINDOWS[token]))
        if squares & covered:
            raise OptionError(f"sites must not share a square, got {value!r}: {token!r} overlaps")
        covered |= squares
    if len(value) > 4:
        raise OptionError(f"sites must be at most 4 tiles, got {value!r}")
    return sorted(value, key=WINDOWS.__getitem__)


class Game(base.Game):
    name = "pueblo"
    fewest_points_win = True  # PB-18
    hides_information = False
    plane = (SIDE, SIDE)
    score_sources: ClassVar = ["views", "final lap", "bids"]

    def __init__(self, **options: Any) -> None:
        given = base.Options(options)
        self.players = given.integer("players", 2, 4, default=2)
        self.demolition = given.flag("demolition")
        self.pro = given.flag("pro")
        given.keep("sites", check_sites(given.get("sites", [])))
        given.choice("start_corner", *CORNERS)
        given.choice("handedness", "right", "left")
        given.integer("first_bidder", 0, self.players - 1, default=0)
        given.integer("max_bid", 1, 99, default=50)
        self.rules = given.rules
        self.covered = {square for site in self.rules["sites"] for square in squares_of_window(*WINDOWS[site])}

        shapes = orientations(self.rules["handedness"])
        self.bodies: dict[int, list[Body]] = {}
        """PB-5: for each window that no sacred site forbids, the ways in which a block may lie there."""
        for number, (apex, direction) in enumerate(WINDOWS.values()):
            if not self.covered & set(squares_of_window(apex, direction)):
                self.bodies[number] = bodies_over(apex, direction, shapes)

        self.views = {space: line_from(space) for space in range(PATH) if space not in CORNERS.values()}
        self.quarters = {space: quarter_at(space) for space in CORNERS.values()}

        self.actions = list(self._actions())
        self.tokens = [token for token, _ in self.actions]

    def _actions(self) -> Iterator[tuple[str, Action]]:
        """PB-29 to PB-33: all actions in the order of their ids, each with its token and its meaning."""
        for colour in COLOURS:
            for number, window in enumerate(WINDOWS):
                yield colour + window, ("place", (colour, number))
        for spaces in range(1, 5):
            yield f"+{spaces}", ("move", spaces)
        if self.demolition:
            for square in range(SIDE * (SIDE - 1)):
                yield "x" + square_name(square), ("remove", square)
        if self.pro:
            for bid in range(1, self.rules["max_bid"] + 1):
                yield f"bid{bid}", ("bid", bid)
            yield "pass", ("pass", None)
            for token in range(1, self.players + 1):
                yield f"token{token}", ("token", token)

    @property
    def max_decisions(self) -> int:
        """Two actions for each block; in demolition each is removed, and n players move for it (PB-13, PB-19).

        For a token there are at most `max_bid` bids, each bidder passes at most once, and one takes it (PB-26).
        """
        n = self.players
        blocks = n * (2 * PAIRS[n] + 1)
        length = 2 * blocks
        if self.demolition:
            length += (n + 1) * blocks
        if self.pro:
            auctions = 3 if self.demolition else 2
            length += auctions * sum(self.rules["max_bid"] + bidders for bidders in range(2, n + 1))
        return length

    def new_initial_state(self) -> State:
        return State(self)


class State(base.State[Game]):
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        n = game.players
        pairs = PAIRS[n]
        self.part = 1
        self.step = "place"
        self.player = 0
        self.order: list[int | None] = list(range(n))
        self.points = [0] * n
        self.chieftain = CORNERS[game.rules["start_corner"]]
        self.supply = [[pairs + 1, pairs] for _ in range(n)]
        self.aside = 0
        self.columns = [""] * (SIDE * SIDE)
        self.blocks: list[list[int]] = [[] for _ in self.columns] if game.demolition else []
        self.auction: dict[str, Any] = {}
        if game.pro:
            self._set_pairs_aside(PAIRS_SET_ASIDE)  # PB-23
            self._open_auction(1)

    # What is to be done, and by whom.

    def current_player(self) -> int:
        return self.player

    def _decisions(self) -> list[int]:
        ids = self.game.ids
        if self.step == "place":
            fitting = [window for window, _ in self._placements()]
            first_ids = [COLOURS.index(colour) * len(WINDOWS) for colour in self._colours()]
            return [first + window for first in first_ids for window in fitting]
        if self.step == "move":
            return [ids[f"+{spaces}"] for spaces in range(1, 5)]
        if self.step == "remove":
            return [ids["x" + square_name(square)] for square in self._removable(self.player)]
        if self.step == "bid":
            higher = range(self.auction["bid"] + 1, self.game.rules["max_bid"] + 1)
            return [ids["pass"], *(ids[f"bid{bid}"] for bid in higher)]
        return [ids[f"token{token}"] for token, owner in enumerate(self.order, 1) if owner is None]

    def _apply(self, action: int) -> None:
        _, (kind, what) = self.game.actions[action]
        if kind == "place":
            self._place(*what)
        elif kind == "move":
            self._move(what)
        elif kind == "remove":
            self._remove(what)
        elif kind == "token":
            self._take_token(what)
        else:
            self._bid_or_pass(what)

    # Building.

    def _colours(self) -> str:
        """PB-14: the other block of an open pair must come next; the single block counts as one half."""
        coloured, neutral = self.supply[self.player]
        if coloured > neutral:
            return "C"
        return "N" if neutral > coloured else "CN"

    def _placements(self) -> Iterator[tuple[int, Body]]:
        """PB-3: all ways to put a block with its whole underside, three squares, on the ground or on cubes.

        No column has a hole, so a cube rests if it is put on top of its column, and nothing is in its way.
        """
        heights = [len(column) for column in self.columns]
        for window, bodies in self.game.bodies.items():
            for body in bodies:
                if len({heights[pillar.square] - pillar.lowest for pillar in body}) == 1:
                    yield window, body

    def _place(self, colour: str, window: int) -> None:
        body = next(body for fitting, body in self._placements() if fitting == window)
        owner = str(self.player) if colour == "C" else NEUTRAL
        self.supply[self.player][COLOURS.index(colour)] -= 1
        for pillar in body:
            self.columns[pillar.square] += owner * pillar.cubes
            if self.game.demolition:
                self.blocks[pillar.square] += [NEW_BLOCK] * pillar.cubes
        self._number_blocks()
        self.step = "move"

    def _number_blocks(self) -> None:
        """Number the blocks as they first occur: equal buildings are equal however they were built."""
        numbers: dict[int, int] = {}
        for column in self.blocks:
            column[:] = [numbers.setdefault(block, len(numbers)) for block in column]

    # The chieftain.

    def _move(self, spaces: int) -> None:
        """PB-13: the chieftain moves and what is seen there is scored; that ends the turn."""
        self.chieftain = (self.chieftain + spaces) % PATH
        self._score(self.chieftain, "views", "PB-9" if self.chieftain in self.game.quarters else "PB-8")
        if self.part == 3:
            self._begin_demolition_turn(self._next_player())
        else:
            self._end_building_turn()

    def _score(self, space: int, source: str, rule: str) -> None:
        """PB-10: all owners seen score."""
        seen = list(self._seen_from(space))
        for player in self._seats_from(self.player):
            own = [(square, points) for square, owner, points in seen if owner == str(player)]
            points = sum(points for _, points in own)
            self._give(player, points, source, rule, (f"square:{square_name(at)}" for at in dict(own)))

    def _seen_from(self, space: int) -> Iterator[tuple[int, str, int]]:
        """The cubes seen from a space: square, owner and points.

        PB-8: on each level the first cube, of any owner, hides all behind it; it counts its level. PB-9: in a quarter
        each topmost cube counts 1.
        """
        for square in self.game.quarters.get(space, ()):
            yield square, self.columns[square][-1:], 1
        level = 0
        for square in self.game.views.get(space, ()):
            for owner in self.columns[square][level:]:
                level += 1
                yield square, owner, level

    def _in_turn(self, turn: int) -> int:
        """The player at this place of the turn order, counted from 0; after the last comes the first again."""
        player = self.order[turn % self.game.players]
        assert player is not None
        return player

    def _next_player(self) -> int:
        """PB-15, PB-24: seat order, or the order of the tokens."""
        return self._in_turn(self.order.index(self.player) + 1)

    def _end_building_turn(self) -> None:
        if not any(self._placements()):  # PB-16, in both parts
            self._final_lap()
        elif any(sum(hand) for hand in self.supply):
            self.player = self._next_player()
            self.step = "place"
        elif self.aside:
            self._open_auction(2)
        else:
            self._final_lap()

    def _final_lap(self) -> None:
        """PB-17: each of the 36 spaces once, the chieftain's own last; PB-18, PB-19: what follows."""
        self._walk_round()
        if not self.game.demolition:
            self._end_game()
        elif self.game.pro:
            self._open_auction(3)
        else:
            self._begin_part(3)

    def _walk_round(self) -> None:
        for spaces in range(1, PATH + 1):
            self._score((self.chieftain + spaces) % PATH, "final lap", "PB-17")

    def _count_at_end(self) -> None:
        """PB-17, unless the lap is over (PB-19)."""
        if self.part < 3:
            self._walk_round()

    def _end_game(self) -> None:
        self.step = "over"
        self.player = TERMINAL

    # Demolition.

    def _begin_demolition_turn(self, player: int) -> None:
        """PB-21: removing is compulsory; who can remove nothing only moves the chieftain."""
        self.player = player
        self.step = "remove" if self._removable(player) else "move"

    def _free_blocks(self) -> dict[int, list[int]]:
        """PB-20: the blocks that own the topmost cubes of all their three squares, by the first of these."""
        squares: dict[int, list[int]] = {}
        for square, column in enumerate(self.blocks):
            for block in column[-1:]:
                squares.setdefault(block, []).append(square)
        return {on_top[0]: on_top for on_top in squares.values() if len(on_top) == 3}

    def _removable(self, player: int) -> list[int]:
        """PB-19, PB-21: the player's own free blocks and the neutral ones, if any block of their colour is left."""
        own = str(player)
        if not any(own in column for column in self.columns):
            return []
        return [first for first in self._free_blocks() if self.columns[first][-1] in (own, NEUTRAL)]

    def _remove(self, first: int) -> None:
        block = self.blocks[first][-1]
        for square in self._free_blocks()[first]:
            cubes = self.blocks[square].count(block)
            self.columns[square] = self.columns[square][:-cubes]
            del self.blocks[square][-cubes:]
        self._number_blocks()
        if all(set(column) <= {NEUTRAL} for column in self.columns):  # PB-22
            self._end_game()
        else:
            self.step = "move"

    # The pro game.

    def _set_pairs_aside(self, pairs: int) -> None:
        """Set this many pairs of each player aside."""
        for hand in self.supply:
            hand[:] = [blocks + self.aside - pairs for blocks in hand]
        self.aside = pairs

    def _open_auction(self, part: int) -> None:
        """PB-24, PB-25: all tokens are free again."""
        self.part = part
        self.order = [None] * self.game.players
        self._open_bidding(self.game.rules["first_bidder"])

    def _open_bidding(self, opener: int) -> None:
        self.auction = {"opener": opener, "bid": 0, "bidder": None, "passed": []}
        self.player = opener
        self.step = "bid"

    def _bid_or_pass(self, bid: int | None) -> None:
        auction = self.auction
        if bid is None:
            auction["passed"] = sorted([*auction["passed"], self.player])
        else:
            auction["bid"] = bid
            auction["bidder"] = self.player
        others = [
            player
            for player in self._seats_from(self.player)[1:]
            if player not in self.order and player not in auction["passed"]
        ]
        rivals = [player for player in others if player != auction["bidder"]]
        if rivals:  # PB-26: while nobody has bid, even the last one is asked
            self.player = others[0]
        else:
            self.player = auction["opener"] if auction["bidder"] is None else auction["bidder"]
            self.step = "token"

    def _take_token(self, token: int) -> None:
        """PB-25: the winner of the bidding takes a token and pays; the last token goes by itself."""
        self.order[token - 1] = self.player
        self._give(self.player, self.auction["bid"], "bids", "PB-25", [f"token:{token}"])
        without = [player for player in self._seats_from(self.player)[1:] if player not in self.order]
        if len(without) > 1:
            self._open_bidding(without[0])
        else:
            self.order[self.order.index(None)] = without[0]
            self.auction = {}
            self._begin_part(self.part)

    def _begin_part(self, part: int) -> None:
        self.part = part
        if part == 3:
            self._begin_demolition_turn(self._in_turn(0))
            return
        if part == 2:
            self._set_pairs_aside(0)
        self.player = self._in_turn(0)
        self.step = "place"

    # What others ask.

    def _information(self, player: int) -> dict[str, Any]:  # noqa: ARG002 - all players know all
        information: dict[str, Any] = {
            "part": self.part,
            "step": self.step,
            "player": self.player,
            "order": self.order,
            "scores": self.points,
            "chieftain": self.chieftain,
            "supply": self.supply,
            "aside": self.aside,
            "columns": self.columns,
        }
        if self.game.demolition:
            information["blocks"] = self.blocks
        if self.game.pro:
            keys = ("opener", "bid", "bidder", "passed")
            information["auction"] = {key: self.auction[key] for key in keys} if self.auction else None
        return information

    def _observed(self, player: int) -> Iterator[base.Section]:
        game, n, most_levels = self.game, self.game.players, 37
        seats = self._seats_from(player)
        owners = [*map(str, seats), NEUTRAL]
        most_points = most_levels * (most_levels + 1) // 2 * (game.max_game_length + PATH)
        auction = self.auction or {"opener": None, "bid": 0, "bidder": None, "passed": []}
        board = partial(base.board, game.plane, {square: divmod(square, SIDE) for square in range(SIDE * SIDE)})

        def tops(level: int | None) -> list[list[int]]:
            """For each owner, the squares where the cube on this level is theirs; None for the topmost."""
            shown = slice(-1, None) if level is None else slice(level, level + 1)
            return [[at for at, column in enumerate(self.columns) if column[shown] == owner] for owner in owners]

        heights = {square: len(column) for square, column in enumerate(self.columns)}
        above = {square: max(0, height - LEVELS_SHOWN) for square, height in heights.items()}
        yield board("height", heights, most=most_levels, divisor=8)
        yield board("above_level_8", above, most=most_levels - LEVELS_SHOWN, divisor=8)
        yield board("sacred_sites", game.covered)
        yield board("top_owner", *tops(None))
        yield board("owner_by_level", *(squares for level in range(LEVELS_SHOWN) for squares in tops(level)))
        sides = [0 < self.chieftain - corner < 9 for corner in CORNERS.values()]
        yield board("chieftain_line", *(game.views[self.chieftain] if looks else () for looks in sides))
        yield board("chieftain_quarter", game.quarters.get(self.chieftain, ()))
        yield from base.in_bytes("points", "points_above_255", [self.points[seat] for seat in seats], most_points, 100)
        yield base.Section("coloured", [self.supply[seat][0] for seat in seats], 8, 8)
        yield base.Section("neutral", [self.supply[seat][1] for seat in seats], 8, 8)
        yield base.Section("to_act", [seat == self.player for seat in seats])
        places = {owner: token for token, owner in enumerate(self.order, 1)}
        yield base.Section("token", [places.get(seat, 0) for seat in seats], n, n)
        yield base.Section("step", [self.step == step for step in STEPS])
        yield base.Section("part", [self.part == part for part in (1, 2, 3)])
        if game.demolition:
            yield board("removable", (at for squares in self._free_blocks().values() for at in squares))
        if game.pro:
            most_bid = int(game.rules["max_bid"])
            yield base.Section("aside", [self.aside], PAIRS_SET_ASIDE, PAIRS_SET_ASIDE)
            yield base.Section("bid", [auction["bid"]], most_bid, most_bid)
            yield base.Section("bidder", [seat == auction["bidder"] for seat in seats])
            yield base.Section("opener", [seat == auction["opener"] for seat in seats])
            yield base.Section("passed", [seat in auction["passed"] for seat in seats])
