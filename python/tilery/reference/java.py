"""Java (Kiesling, Kramer; Ravensburger 2000): the rules JA-1 to JA-44 in plain Python.

Spaces are numbered by ascending (row, column), board and outside spaces together. Ids, information state,
observation and determinization are those of docs/rules/java.md, and so are the rulings, JA-R1 and so on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

from tilery.errors import OptionError
from tilery.protocol import CHANCE, TERMINAL
from tilery.reference import base
from tilery.reference.rng import Rng

Place = tuple[int, int]
"""A space as (row, column), JA-1."""
Action = tuple[Any, ...]
"""The meaning of an id: a verb, and what it is done to: a space, a kind or value of the supply, or a `LandTile`."""

DIRECTIONS = {"E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1), "NE": (-1, 1)}
"""JA-1, clockwise."""

KINDS = ("m", "d", "p", "md", "dp", "pm")
"""JA-6: the kinds of cards, by their symbols."""
CARDS_OF_A_KIND = 5
CARDS_DEALT = 3

PALACE_VALUES = (2, 4, 6, 8, 10)
PALACES = (6, 7, 8, 9, 10)
"""JA-4: how many there are of each value."""
SHARE_OF_A_TIE = {2: 0, 4: 1, 6: 2, 8: 2, 10: 3}
"""JA-32."""

THREE_SPACE_TILES = 56
IRRIGATION_TILES = 16
FIGURES = 12
ACTION_TOKENS = 3
TWO_SPACE_TILES = 5
ONE_SPACE_RICE = 3
ONE_SPACE_VILLAGES = 2

ACTION_POINTS = 6
CARDS_A_TURN = 2
LOWLAND_PRICE = 1
MOUNTAIN_PRICE = 2
IRRIGATION_POINTS = 3
UNPAYABLE = 99
"""The price of what cannot be done."""

BOARDS = {"java-153": "java-board-153.json", "java-155": "java-board-155.json"}
BOARD_KEYS = ("land", "printed_irrigation", "outside_mountains", "outside_lowlands")
MOST_ROWS = 15
MOST_SKEWED_COLUMNS = 20
LAST_ROW_OR_COLUMN = 9999

OFFICIAL = {
    "token_timing": "turn_start",
    "two_on_three": True,
    "irrigation_on_perimeter": False,
    "irrigation_scoring": "per_space",
}

ONE_OFF = ("end", "extra", "open", "pile", "stop", "pass")


class LandTile(NamedTuple):
    """A land tile at a place: `tops` says r or v for each of its spaces, the village first."""

    spaces: tuple[int, ...]
    tops: str
    outside: int  # how many of the spaces are

    def cost(self, height: int) -> int:
        """JA-10, on a height of 1 or more JA-11."""
        return 1 + self.outside if height == 0 else 1


# Board (JA-1 to JA-3).


def neighbouring_places(place: Place) -> list[Place]:
    row, column = place
    return [(row + down, column + right) for down, right in DIRECTIONS.values()]


def check_board(board: Mapping[str, Any]) -> dict[str, list[Place]]:
    """The four lists of a board object, if they make a board (JA-2, JA-3, JA-R2)."""
    for key in BOARD_KEYS:
        if not isinstance(board.get(key), list):
            raise OptionError(f"board: {key} must be a list of [row, column], got {board.get(key)!r}")
    lists = {key: [check_place(key, entry) for entry in board[key]] for key in BOARD_KEYS}
    where: dict[Place, str] = {}
    for key, places in lists.items():
        for place in places:
            if place in where:
                raise OptionError(f"board: space {list(place)} is in {key} and before that in {where[place]}")
            where[place] = key
    check_connected(lists)
    check_outside(where)
    # JA-2: the most rows and skewed columns (row + column) / 2, outside spaces included.
    for what, numbers, most in (
        ("rows", [row for row, _ in where], MOST_ROWS),
        ("skewed columns", [(row + column) // 2 for row, column in where], MOST_SKEWED_COLUMNS),
    ):
        if (found := max(numbers) - min(numbers) + 1) > most:
            raise OptionError(f"board: at most {most} {what}, outside spaces included, got {found}")
    return lists


def check_place(key: str, entry: Any) -> Place:
    if not isinstance(entry, list) or len(entry) != 2 or not all(map(base.is_integer, entry)):
        raise OptionError(f"board: {key} must hold pairs [row, column] of integers, got {entry!r}")
    row, column = entry
    if not (0 <= row <= LAST_ROW_OR_COLUMN and 0 <= column <= LAST_ROW_OR_COLUMN):
        raise OptionError(
            f"board: rows and columns must be from 0 to {LAST_ROW_OR_COLUMN}, got {[row, column]} in {key}"
        )
    if (row + column) % 2:
        raise OptionError(f"board: row + column must be even, got {[row, column]} in {key}")
    return row, column


def check_outside(where: Mapping[Place, str]) -> None:
    """The two outside lists are together exactly the outside spaces (JA-2, JA-3)."""
    board = {place for place, key in where.items() if key in ("land", "printed_irrigation")}
    beside = {near for place in board for near in neighbouring_places(place)}
    for place in sorted(beside - where.keys()):
        raise OptionError(f"board: outside space {list(place)} is neither in outside_mountains nor in outside_lowlands")
    for place, key in where.items():
        if place not in board | beside:
            raise OptionError(f"board: space {list(place)} of {key} is not next to the board")


def check_connected(lists: dict[str, list[Place]]) -> None:
    """JA-R2."""
    if not lists["land"]:
        raise OptionError("board: land must not be empty")
    board = {*lists["land"], *lists["printed_irrigation"]}
    start = lists["land"][0]
    reached = base.reached([start], lambda place: board.intersection(neighbouring_places(place)))
    for place in sorted(board.difference(reached)):
        raise OptionError(f"board: no way over the board leads from space {list(place)} to space {list(start)}")


class Game(base.Game):
    """Java with its options fixed."""

    name = "java"
    plane: tuple[int, int]
    score_sources: ClassVar = ["irrigation", "palaces", "festivals", "final counts"]

    def __init__(self, **options: Any) -> None:
        given = base.Options(options)
        given.integer("players", 2, 4, default=2)
        board = check_board(given.content("board", BOARDS))
        self.token_only_at_turn_start = given.choice("token_timing", "any", "turn_start") == "turn_start"
        self.two_on_three = given.flag("two_on_three", default=True)
        given.flag("irrigation_on_perimeter")
        self.irrigation_per_space = given.choice("irrigation_scoring", "per_body", "per_space") == "per_space"
        self.reserve_after = given.choice("land_reserve", "before", "after") == "after"
        self.rules = given.rules
        self._number_spaces(board)
        self._number_actions()

    @classmethod
    def official(cls, **options: Any) -> Game:
        """The game by the official rules: their options, which those given override."""
        return cls(**{**OFFICIAL, **options})

    def _number_spaces(self, board: dict[str, list[Place]]) -> None:
        self.places = sorted(place for places in board.values() for place in places)
        self.spaces = range(len(self.places))
        number = {place: space for space, place in enumerate(self.places)}
        self.names = [f"{row}.{column}" for row, column in self.places]
        self.land = {number[place] for place in board["land"]}
        self.printed = {number[place] for place in board["printed_irrigation"]}
        self.mountains = {number[place] for place in board["outside_mountains"]}
        self.lowlands = {number[place] for place in board["outside_lowlands"]}
        self.outside = self.mountains | self.lowlands
        # For each space the neighbours by direction, -1 where there is no space.
        self.towards = [
            dict(zip(DIRECTIONS, (number.get(near, -1) for near in neighbouring_places(place)), strict=True))
            for place in self.places
        ]
        self.neighbours = [[near for near in there.values() if near >= 0] for there in self.towards]
        perimeter = {space for space in self.land | self.printed if self.outside.intersection(self.neighbours[space])}
        # JA-11: the first layer of an outside space needs board land next to it (JA-R1).
        by_land = {space for space in self.outside if self.land.intersection(self.neighbours[space])}
        self.buildable = sorted(self.land | by_land)
        self.edge = [space for space in self.buildable if space in self.outside or space in perimeter]
        # JA-16
        self.may_hold_water = sorted(self.land if self.rules["irrigation_on_perimeter"] else self.land - perimeter)
        # JA-19: at an outside space its own price, elsewhere to be asked of the outside spaces next to it.
        self.price = {space: MOUNTAIN_PRICE if space in self.mountains else LOWLAND_PRICE for space in self.outside}
        first_row, first_column = self.places[0][0], min(column // 2 for _, column in self.places)
        cells = [(row - first_row, column // 2 - first_column) for row, column in self.places]
        self.cells = dict(enumerate(cells))
        self.plane = (max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1)

    def _number_actions(self) -> None:
        numbered = list(self._all_actions())
        self.tokens = [token for token, _ in numbered]
        self.actions = [action for _, action in numbered]
        self.id_of = {action: id for id, action in enumerate(self.actions)}
        self.tiles = {id: what[0] for id, (verb, *what) in enumerate(self.actions) if verb == "land"}

    def _all_actions(self) -> Iterator[tuple[str, Action]]:
        """The actions in the order of docs/rules/java.md, each with its token and its meaning (JA-40 to JA-44)."""
        for kind, symbols in enumerate(KINDS):
            yield f"*{symbols}", ("draw", kind)
        for token in ONE_OFF:
            yield token, (token,)
        for kind, symbols in enumerate(KINDS):
            yield f"lay:{symbols}", ("lay", kind)
        clockwise = list(DIRECTIONS)
        for turn, direction in enumerate(clockwise):
            following = clockwise[(turn + 1) % 6]
            for village in self.buildable:
                near = self.towards[village]
                yield from self._land_tile("3@{}/" + direction, (village, near[direction], near[following]), "vrr")
        for direction in clockwise:
            for village in self.buildable:
                yield from self._land_tile("2@{}/" + direction, (village, self.towards[village][direction]), "vr")
        for top in "rv":
            for space in self.buildable:
                yield from self._land_tile(top + "@{}", (space,), top)
        for verb, written, spaces in (
            ("water", "w@{}", self.may_hold_water),
            ("enter", "+{}", self.edge),
            ("leave", "-{}", self.edge),
            ("take up", "{}>", self.buildable),
            ("set down", ">{}", self.buildable),
        ):
            for space in spaces:
                yield written.format(self.names[space]), (verb, space)
        for value in PALACE_VALUES:
            for space in self.buildable:
                yield f"P{self.names[space]}={value}", ("palace", space, value)
        for space in self.buildable:
            yield f"F{self.names[space]}", ("festival", space)

    def _land_tile(self, written: str, spaces: tuple[int, ...], tops: str) -> Iterator[tuple[str, Action]]:
        """The tile on these spaces, if it may ever lie there."""
        if set(spaces) <= set(self.buildable):
            tile = LandTile(spaces, tops, sum(space in self.outside for space in spaces))
            yield written.format(self.names[spaces[0]]), ("land", tile)

    @property
    def _most_turns(self) -> int:
        """JA-34, JA-34a: each land tile makes a turn, after at most n - 1 turns without one; n turns without a tile and
        n - 1 last turns follow."""
        n = self.num_players
        land_tiles = THREE_SPACE_TILES + n * (TWO_SPACE_TILES + ONE_SPACE_RICE + ONE_SPACE_VILLAGES)
        return land_tiles * n + n + n - 1

    @property
    def max_decisions(self) -> int:
        n = self.num_players
        move = 2  # take up, set down
        free_moves = FIGURES * move  # JA-22: of each figure once between actions that cost AP
        turn = ACTION_POINTS * move + (ACTION_POINTS + 1) * free_moves + 1  # the last is `end` or a festival
        token = 1 + move + free_moves
        # JA-32: each palace tile has at most one festival. All cards but the open one are laid, each followed by
        # `stop`, and every player passes.
        festival = 2 * (CARDS_OF_A_KIND * len(KINDS) - 1) + n
        return self._most_turns * turn + n * ACTION_TOKENS * token + sum(PALACES) * festival

    @property
    def max_chance_nodes(self) -> int:
        """The deal and the open card (JA-6), and a card drawn for each card taken (JA-27)."""
        return CARDS_DEALT * self.num_players + 1 + CARDS_A_TURN * self._most_turns

    def new_initial_state(self) -> State:
        return State(self)


class State(base.State[Game]):
    """A position of Java. Spaces, players and kinds are numbers; cards are counted by kind."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        n = game.num_players
        self.points = [0] * n
        # The board.
        self.tops = ["~" if space in game.printed else "." for space in game.spaces]
        self.heights = [0] * len(game.spaces)
        self.bonds: dict[int, tuple[int, ...]] = {}  # JA-R3, for each space in one
        self.palaces: dict[int, tuple[int, bool]] = {}  # space -> value, fresh
        self.figures: dict[int, int] = {}  # space -> player
        # The supply.
        self.three = THREE_SPACE_TILES
        self.water = IRRIGATION_TILES
        self.palaces_left = dict(zip(PALACE_VALUES, PALACES, strict=True))
        self.two = [TWO_SPACE_TILES] * n
        self.rice = [ONE_SPACE_RICE] * n
        self.village = [ONE_SPACE_VILLAGES] * n
        self.action_tokens = [ACTION_TOKENS] * n
        # The cards: of each hand those all players know and those only its owner knows.
        self.known = [[0] * len(KINDS) for _ in range(n)]
        self.hidden = [[0] * len(KINDS) for _ in range(n)]
        self.open: int | None = None
        self.pile = [CARDS_OF_A_KIND] * len(KINDS)
        self.discards = [0] * len(KINDS)
        self.drawing: str | None = "deal"
        # The turn.
        self.turn = 0
        self.over = False
        self.barren = 0
        self.final: int | None = None
        self.ap = 0
        self.owed = False
        self.token = False
        self.taken = 0
        self.changed: set[int] = set()
        self.lifted: int | None = None
        self.started: set[int] = set()
        self.ended: set[int] = set()
        # The festival.
        self.feast: int | None = None
        self.bidder = -1
        self.bidding: set[int] = set()
        self.laid = [[0] * len(KINDS) for _ in range(n)]
        self.last: int | None = None

    def current_player(self) -> int:
        if self.over:
            return TERMINAL
        if self.drawing is not None:
            return CHANCE
        return self.turn if self.bidder < 0 else self.bidder

    # What can be done.

    def _decisions(self) -> list[int]:
        if self.feast is not None:
            return self._bids()
        placements = list(self._placements()) if self.ap or self.owed else []
        cheapest = min((cost for _, cost in placements), default=UNPAYABLE)
        in_force = self._duty_is_in_force(cheapest)
        budget = self.ap
        judged_after = in_force and self.game.reserve_after
        if in_force and not judged_after:
            usable = self.token and not self.game.token_only_at_turn_start  # JA-8: after an action other than `extra`
            budget = min(self.ap, self.ap + usable - cheapest)
        if self.lifted is not None:
            goals = [self.game.id_of["set down", space] for space, _ in self._goals(self.lifted, budget)]
            return [id for id in goals if self._keeps_the_duty(id)] if judged_after else goals
        legal = [id for id, cost in placements if cost <= self.ap]
        actions = self._take_ups(budget) + self._enterings_and_leavings(budget)
        if self.token:
            actions.append(("extra",))
        if budget >= 1:
            actions += self._irrigations() + self._palaces_to_build() + self._cards()
        if not in_force:
            actions += [("end",), *self._festivals()]
        others = [self.game.id_of[action] for action in actions]
        return legal + ([id for id in others if self._keeps_the_duty(id)] if judged_after else others)

    def _keeps_the_duty(self, action: int) -> bool:
        """JA-9, `land_reserve` "after": whether a land tile can still be placed this turn after another action."""
        after = self.clone()
        after._apply(action)
        if after.lifted is not None:  # the figure counts as where it stood, and has to be set down somewhere
            goals = after._goals(after.lifted, after.ap)
            return any(after._keeps_the_duty(self.game.id_of["set down", goal]) for goal, _ in goals)
        return any(after._duty_is_in_force(cost) for _, cost in after._placements())  # the first one is enough

    def _duty_is_in_force(self, cheapest: int) -> bool:
        """JA-9: a land tile is owed and could still be placed this turn."""
        return self.owed and cheapest <= self.ap + self.token

    # Land tiles (JA-10 to JA-15).

    def _placements(self) -> Iterator[tuple[int, int]]:
        """Id and cost of each land tile that could be placed if AP were plenty."""
        player = self.turn
        supply = {"vrr": self.three, "vr": self.two[player], "r": self.rice[player], "v": self.village[player]}
        # JA-12. No tile may rest on a space where this is None.
        ground = [
            None if top in "~w" or space in self.palaces or space in self.figures else self.heights[space]
            for space, top in enumerate(self.tops)
        ]
        palaces = self.palaces if len(self.palaces) > 1 else ()
        palace_of = {space: palace for palace in palaces for space in self._settlement(palace)}
        for id, tile in self.game.tiles.items():
            height = ground[tile.spaces[0]]
            if not supply[tile.tops] or height is None or any(ground[space] != height for space in tile.spaces):
                continue
            if height == 0 and tile.outside == len(tile.spaces):  # JA-11
                continue
            if height > 0 and self._covers_a_bond(tile.spaces):
                continue
            if not palace_of or "v" not in tile.tops or not self._joins_cities(tile, palace_of):
                yield id, tile.cost(height)

    def _covers_a_bond(self, spaces: tuple[int, ...]) -> bool:
        """JA-13, JA-R3."""
        bond = self.bonds.get(spaces[0], ())
        if self.game.two_on_three or len(spaces) == 1:
            return set(spaces) == set(bond)
        return set(spaces) <= set(bond)

    def _joins_cities(self, tile: LandTile, palace_of: dict[int, int]) -> bool:
        """JA-14: whether the tile would leave a settlement with two palaces."""
        village, rice = tile.spaces[0], tile.spaces[1:]
        near = [space for space in (village, *self.game.neighbours[village]) if space not in rice]
        if len({palace_of[space] for space in near if space in palace_of}) < 2:
            return False
        # The rice of the same tile may cut the cities apart, so the settlement is looked at as it would be.
        settlement = self._settlement(village, without=rice)
        return sum(space in self.palaces for space in settlement) > 1

    def _settlement(self, space: int, without: tuple[int, ...] = ()) -> list[int]:
        """JA-14: the settlement of a space, itself counted as village; `without` are spaces thought away."""

        def villages(here: int) -> list[int]:
            return [near for near in self.game.neighbours[here] if self.tops[near] == "v" and near not in without]

        return base.reached([space], villages)

    # Irrigation (JA-16).

    def _irrigations(self) -> list[Action]:
        if not self.water:
            return []
        return [("water", space) for space in self.game.may_hold_water if self.tops[space] == "."]

    # Figures (JA-19 to JA-22).

    def _figures_in_supply(self, player: int) -> int:
        return FIGURES - sum(owner == player for owner in self.figures.values())

    def _edge_price(self, space: int) -> int:
        """JA-19: the price of entering and leaving here, `UNPAYABLE` if the space is not at the edge."""
        if self.tops[space] not in "rv":
            return UNPAYABLE
        prices = self.game.price
        if space in prices:
            return prices[space]
        near = [near for near in self.game.neighbours[space] if near in prices and self.tops[near] == "."]
        return min((prices[space] for space in near), default=UNPAYABLE)

    def _enterings_and_leavings(self, budget: int) -> list[Action]:
        """JA-19."""
        has_figures = self._figures_in_supply(self.turn) > 0
        actions: list[Action] = []
        for space in self.game.edge:
            if self._edge_price(space) > budget:
                continue
            owner = self.figures.get(space)
            if owner == self.turn:
                actions.append(("leave", space))
            elif owner is None and has_figures and space not in self.palaces:
                actions.append(("enter", space))
        return actions

    def _walks(self, origin: int, budget: int) -> Iterator[tuple[int, int]]:
        """JA-20: the spaces a figure of the mover reaches, each with its cheapest price, cheap ones first."""
        seen: set[int] = set()

        def ways(space: int, colours: str) -> list[int]:
            """The neighbours of these colours that may be entered and are not yet reached."""
            land = [near for near in self.game.neighbours[space] if self.tops[near] in colours and near not in seen]
            return [at for at in land if at not in self.palaces and self.figures.get(at, self.turn) == self.turn]

        here = [origin]
        for price in range(budget + 1):
            here = base.reached(here, lambda space: ways(space, self.tops[space]))
            seen.update(here)
            yield from ((space, price) for space in here if space != origin)
            here = sorted({near for space in here for near in ways(space, "rv")})

    def _goals(self, origin: int, budget: int) -> Iterator[tuple[int, int]]:
        """JA-21, JA-22: where the figure may be set down, with the price."""
        for space, price in self._walks(origin, budget):
            barred = price == 0 and (origin in self.ended or space in self.started)
            if space not in self.figures and not barred:
                yield space, price

    def _take_ups(self, budget: int) -> list[Action]:
        """JA-21: the figures that could be set down somewhere."""
        return [
            ("take up", space)
            for space, owner in self.figures.items()
            if owner == self.turn and next(self._goals(space, budget), None) is not None
        ]

    # Palaces (JA-23 to JA-26).

    def _palaces_to_build(self) -> list[Action]:
        """JA-23 to JA-25. Settlements without a figure of the mover need not be looked at (JA-24)."""
        actions: list[Action] = []
        starts = [space for space, owner in self.figures.items() if owner == self.turn and self.tops[space] == "v"]
        for settlement in {frozenset(self._settlement(start)) for start in starts}:
            if self._ranking(settlement)[0] != [self.turn] or not self.changed.isdisjoint(settlement):
                continue
            palaces = settlement.intersection(self.palaces)
            above = sum(self.palaces[palace][0] for palace in palaces)  # there is at most one
            values = [value for value, left in self.palaces_left.items() if left and above < value <= len(settlement)]
            spaces = palaces or settlement.difference(self.figures)
            actions += [("palace", space, value) for space in spaces for value in values]
        return actions

    def _ranking(self, spaces: Collection[int]) -> list[list[int]]:
        """JA-26: the players with figures on these spaces, best first, those who tie together."""
        players: dict[tuple[int, ...], list[int]] = {}
        for player in range(self.game.num_players):
            heights = [self.heights[space] for space in spaces if self.figures.get(space) == player]
            players.setdefault(tuple(sorted(heights, reverse=True)), []).append(player)
        # Tuples compare as JA-26 does: the first difference decides, and one that runs out is lower.
        return [players[heights] for heights in sorted(players, reverse=True) if heights]

    # Cards and festival (JA-27 to JA-33).

    def _cards(self) -> list[Action]:
        """JA-27."""
        if self.taken == CARDS_A_TURN or not (any(self.pile) or any(self.discards)):
            return []
        return [("open",), ("pile",)]

    def _hand(self, player: int) -> list[int]:
        return [known + hidden for known, hidden in zip(self.known[player], self.hidden[player], strict=True)]

    def _worth(self, kind: int) -> int:
        """JA-31: the symbols that a card shares with the open card."""
        assert self.open is not None
        return len(set(KINDS[kind]) & set(KINDS[self.open]))

    def _matching(self, player: int) -> list[int]:
        """The kinds of a hand that share a symbol with the open card."""
        return [kind for kind, count in enumerate(self._hand(player)) if count and self._worth(kind)]

    def _festivals(self) -> list[Action]:
        """JA-29."""
        if not self._matching(self.turn):
            return []
        return [
            ("festival", palace)
            for palace, (_, fresh) in self.palaces.items()
            if fresh and any(self.figures.get(space) == self.turn for space in self._settlement(palace))
        ]

    def _bids(self) -> list[int]:
        """JA-30."""
        actions: list[Action] = [
            ("lay", kind) for kind in self._matching(self.bidder) if self.last is None or kind >= self.last
        ]
        if self.last is not None:
            actions.append(("stop",))
        elif any(self.laid[self.turn]):
            actions.append(("pass",))  # not before the mover has laid a first card
        return [self.game.id_of[action] for action in actions]

    # What is done.

    def _outcomes(self) -> dict[int, int]:
        """JA-44: a card drawn, weighted by the copies in the pile."""
        ids = self.game.id_of
        return {ids["draw", kind]: count for kind, count in enumerate(self.pile) if count > 0}

    def _apply(self, action: int) -> None:
        verb, *what = self.game.actions[action]
        if self.game.token_only_at_turn_start and verb not in ("extra", "draw"):
            self.token = False  # JA-8
        if verb == "draw":
            self._draw(*what)
        elif verb == "land":
            self._place_land(*what)
        elif verb == "water":
            self._place_irrigation(*what)
        elif verb == "enter":
            self._pay(self._edge_price(*what))
            self.figures[what[0]] = self.turn
        elif verb == "leave":
            self._pay(self._edge_price(*what))
            del self.figures[what[0]]
        elif verb == "take up":
            (self.lifted,) = what
        elif verb == "set down":
            self._set_down(*what)
        elif verb == "palace":
            self._build_palace(*what)
        elif verb in ("open", "pile"):
            self._take_card(verb)
        elif verb == "extra":
            self.action_tokens[self.turn] -= 1
            self.token = False
            self.ap += 1
        elif verb == "end":
            self._end_turn()
        elif verb == "festival":
            self._begin_festival(*what)
        elif verb == "lay":
            self._lay(*what)
        elif verb == "stop":
            self._ask_next_bidder()
        elif verb == "pass":
            self._pass()

    def _pay(self, cost: int) -> None:
        """Every action that costs AP clears the memory of JA-22."""
        self.ap -= cost
        if cost:
            self.started, self.ended = set(), set()

    def _place_land(self, tile: LandTile) -> None:
        """JA-10 to JA-15."""
        height = self.heights[tile.spaces[0]]
        self._pay(tile.cost(height))
        if tile.tops == "vrr":
            self.three -= 1
        else:
            own = {"vr": self.two, "r": self.rice, "v": self.village}[tile.tops]
            own[self.turn] -= 1
        for space, top in zip(tile.spaces, tile.tops, strict=True):
            self._loosen(space)
            self.tops[space] = top
            self.heights[space] += 1
        for space in tile.spaces:
            self.bonds[space] = tuple(sorted(tile.spaces))
        self.owed = False
        if height == 0:
            shores = {near for space in tile.spaces for near in self.game.neighbours[space]}
            self._score_bodies(shores)

    def _loosen(self, space: int) -> None:
        """JA-R3: the space is no longer part of its bond."""
        bond = self.bonds.get(space, ())
        for member in bond:
            del self.bonds[member]
        rest = tuple(member for member in bond if member != space)
        if len(rest) == 2 and not self.game.two_on_three:
            for member in rest:
                self.bonds[member] = rest

    def _place_irrigation(self, space: int) -> None:
        """JA-16."""
        self._pay(1)
        self.water -= 1
        self.tops[space] = "w"
        self._score_bodies({space})

    def _score_bodies(self, spaces: set[int]) -> None:
        """JA-17, JA-18 for the bodies with one of these spaces, none of which was enclosed before (JA-R4)."""

        def water(around: Iterable[int]) -> list[int]:
            return [space for space in around if self.tops[space] in "~w"]

        neighbours = self.game.neighbours
        bodies = {tuple(sorted(base.reached([start], lambda here: water(neighbours[here])))) for start in water(spaces)}
        for body in sorted(bodies):
            shore = {near for space in body for near in neighbours[space]}.difference(body)
            ranking = self._ranking(shore)
            enclosed = all(self.heights[space] > 0 for space in shore)
            if enclosed and ranking and len(ranking[0]) == 1:
                (player,) = ranking[0]
                points = IRRIGATION_POINTS * (len(body) if self.game.irrigation_per_space else 1)
                self._give(player, points, "irrigation", "JA-18", self._places(body))

    def _set_down(self, space: int) -> None:
        """JA-21, JA-22."""
        assert self.lifted is not None
        price = dict(self._walks(self.lifted, self.ap))[space]
        self._pay(price)
        if price == 0:
            self.started.add(self.lifted)
            self.ended.add(space)
        self.figures[space] = self.figures.pop(self.lifted)
        self.lifted = None

    def _build_palace(self, space: int, value: int) -> None:
        """JA-23 to JA-25."""
        self._pay(1)
        self._loosen(space)
        self.palaces_left[value] -= 1
        self.palaces[space] = (value, True)
        self.changed.add(space)
        self._give(self.turn, value // 2, "palaces", "JA-24", self._places([space]))

    def _take_card(self, source: str) -> None:
        """JA-27: pays and, for the open card, takes it; what comes from the pile is drawn by chance."""
        self._pay(1)
        self.taken += 1
        if source == "open":
            assert self.open is not None
            self.known[self.turn][self.open] += 1
            self.open = None
        if not any(self.pile):
            self.pile, self.discards = self.discards, [0] * len(KINDS)
        self.drawing = source

    def _draw(self, kind: int) -> None:
        """JA-6 in the deal (three cards to each player, then the open card), JA-27 later."""
        self.pile[kind] -= 1
        receiver = self._receiver()
        if receiver is None:
            self.open = kind
        else:
            self.hidden[receiver][kind] += 1
        if self.drawing == "deal":
            if receiver is not None:
                return
            self._begin_turn(0)
        self.drawing = None

    def _receiver(self) -> int | None:
        """Into whose hand a card is to be drawn; None if it is the open card, or none is drawn."""
        if self.drawing == "deal":
            return next((player for player, hand in enumerate(self.hidden) if sum(hand) < CARDS_DEALT), None)
        return self.turn if self.drawing == "pile" else None

    def _begin_festival(self, palace: int) -> None:
        """JA-29, JA-30. The rest of the turn is bidding, so nothing else of the turn is kept."""
        self._clear_turn()
        self.feast = palace
        self.bidding = {self.figures[space] for space in self._settlement(palace) if space in self.figures}
        self.bidder = self.turn

    def _most_symbols(self) -> list[int]:
        """JA-31: the players who have laid most symbols so far."""
        symbols = [sum(count * self._worth(kind) for kind, count in enumerate(laid)) for laid in self.laid]
        return [player for player, count in enumerate(symbols) if count == max(symbols)]

    def _lay(self, kind: int) -> None:
        """JA-30; a card laid is taken to be a known one if there is one (JA-38)."""
        hand = self.known[self.bidder] if self.known[self.bidder][kind] else self.hidden[self.bidder]
        hand[kind] -= 1
        self.laid[self.bidder][kind] += 1
        self.last = kind
        if self._bidding_is_over():
            self._end_festival()

    def _pass(self) -> None:
        self.bidding.remove(self.bidder)
        if self._bidding_is_over():
            self._end_festival()
        else:
            self._ask_next_bidder()

    def _ask_next_bidder(self) -> None:
        """JA-31: the next player clockwise who has not passed; the same player again if nobody else is left."""
        self.bidder = next(player for player in self._seats_from(self.bidder + 1) if player in self.bidding)
        self.last = None

    def _bidding_is_over(self) -> bool:
        """JA-31."""
        return not self.bidding or (len(self.bidding) == 1 and self._most_symbols() == [*self.bidding])

    def _end_festival(self) -> None:
        """JA-32; the festival is the last action of the turn."""
        assert self.feast is not None
        value, _ = self.palaces[self.feast]
        first = self._most_symbols()
        points = value // 2 if len(first) == 1 else SHARE_OF_A_TIE[value]
        for player in sorted(first, key=lambda player: (player - self.turn) % self.game.num_players):
            self._give(player, points, "festivals", "JA-32", self._places([self.feast]))
        self.palaces[self.feast] = (value, False)
        self.discards = [sum(counts) for counts in zip(self.discards, *self.laid, strict=True)]
        self.laid = [[0] * len(KINDS) for _ in self.laid]
        self.feast, self.bidder, self.bidding, self.last = None, -1, set(), None
        self._end_turn()

    # Turns and the end (JA-7, JA-34 to JA-36).

    def _clear_turn(self) -> None:
        """Takes from the turn all but the duty, which JA-34a asks for when it ends."""
        self.ap, self.token, self.taken = 0, False, 0
        self.changed, self.started, self.ended = set(), set(), set()

    def _begin_turn(self, player: int) -> None:
        self._clear_turn()
        self.turn = player
        self.ap = ACTION_POINTS
        self.token = self.action_tokens[player] > 0
        self.owed = self.final is None  # JA-36

    def _end_turn(self) -> None:
        """JA-34, JA-34a."""
        n = self.game.num_players
        if self.final is None:
            self.barren = self.barren + 1 if self.owed else 0
            if self.three == 0 or self.barren == n:
                self.final = self.turn
                self.barren = 0
        if self.final is not None:
            self._final_count(self.turn)
        following = (self.turn + 1) % n
        if following == self.final:
            self._clear_turn()
            self.owed = False
            self.over = True
        else:
            self._begin_turn(following)

    def _count_at_end(self) -> None:
        """JA-35 on the board as it is, for all who have not had their final count (JA-34)."""
        n = self.game.num_players
        counted = 0 if self.final is None else (self.turn - self.final) % n
        for player in range(self.turn, self.turn + n - counted):
            self._final_count(player % n)

    def _final_count(self, player: int) -> None:
        """JA-35."""
        for palace, (value, _) in sorted(self.palaces.items()):
            ranking = self._ranking(self._settlement(palace))
            for rank, points in zip(ranking, (value, value // 2), strict=False):
                if player in rank:
                    self._give(player, points, "final counts", "JA-35", self._places([palace]))

    # What players see.

    def _places(self, spaces: Iterable[int]) -> list[str]:
        return [f"space:{self.game.names[space]}" for space in spaces]

    def _names(self, spaces: Iterable[int]) -> list[str]:
        return [self.game.names[space] for space in sorted(spaces)]

    def _seen_only_by(self, _action: int) -> int | None:
        """JA-38: cards dealt and drawn from the pile are seen by the player who gets them alone."""
        return self._receiver()

    def _information(self, player: int) -> dict[str, Any]:
        """JA-38, in the order of docs/rules/java.md."""
        public = self._public()
        return {"seat": player, **public, "cards": {"hand": self._hand(player), **public["cards"]}}

    def _public(self) -> dict[str, Any]:
        """The public part: no key depends on who looks."""
        names = self.game.names
        players = range(self.game.num_players)
        return {
            "player": self.current_player(),
            "turn": self.turn,
            "draw": self.drawing,
            "ap": self.ap,
            "owed": self.owed,
            "token": self.token,
            "taken": self.taken,
            "changed": self._names(self.changed),
            "lifted": None if self.lifted is None else names[self.lifted],
            "started": self._names(self.started),
            "ended": self._names(self.ended),
            "barren": self.barren,
            "final": self.final,
            "scores": self.points,
            "supply": {
                "three": self.three,
                "water": self.water,
                "palaces": [self.palaces_left[value] for value in PALACE_VALUES],
                "two": self.two,
                "rice": self.rice,
                "village": self.village,
                "tokens": self.action_tokens,
                "figures": [self._figures_in_supply(seat) for seat in players],
            },
            "board": {
                "tops": "".join(self.tops),
                "heights": self.heights,
                "bonds": [self._names(bond) for bond in sorted(set(self.bonds.values()))],
                "palaces": [[names[space], *self.palaces[space]] for space in sorted(self.palaces)],
                "figures": [[names[space], self.figures[space]] for space in sorted(self.figures)],
            },
            "cards": {
                "known": self.known,
                "unknown": [sum(hand) for hand in self.hidden],
                "open": None if self.open is None else KINDS[self.open],
                "discards": self.discards,
                "pile": sum(self.pile),
            },
            "festival": None
            if self.feast is None
            else {
                "palace": names[self.feast],
                "in": sorted(self.bidding),
                "laid": self.laid,
                "last": None if self.last is None else KINDS[self.last],
            },
        }

    def _observed(self, player: int) -> Iterator[base.Section]:
        game, n, six = self.game, self.game.num_players, len(KINDS)
        seats = self._seats_from(player)
        board = partial(base.board, game.plane, game.cells)
        land_tiles = THREE_SPACE_TILES + n * (TWO_SPACE_TILES + ONE_SPACE_RICE + ONE_SPACE_VILLAGES)
        # JA-24, JA-32 and JA-35 give at most twice the value of each palace tile, JA-18 at most 3 for each space.
        most_points = 2 * sum(value * tiles for value, tiles in zip(PALACE_VALUES, PALACES, strict=True))
        most_points += IRRIGATION_POINTS * (IRRIGATION_TILES + len(game.printed))

        yield board("land", game.land)
        yield board("printed_irrigation", game.printed)
        yield board("mountains", game.mountains)
        yield board("lowlands", game.lowlands)
        yield board("heights", dict(enumerate(self.heights)), most=land_tiles)
        for name, shown in (("rice_tops", "r"), ("village_tops", "v"), ("irrigation", "w")):
            yield board(name, [space for space in game.spaces if self.tops[space] == shown])
        yield board("palaces", {space: value for space, (value, _) in self.palaces.items()}, most=max(PALACE_VALUES))
        yield board("fresh", [space for space, (_, fresh) in self.palaces.items() if fresh])
        yield board("changed", self.changed)
        yield board("bonds", {space: len(bond) for space, bond in self.bonds.items()}, most=3)
        towards = [
            [space for space, bond in self.bonds.items() if game.towards[space][direction] in bond]
            for direction in ("E", "SE", "SW")
        ]
        yield board("bonded", *towards)
        yield board("figures", *([space for space, owner in self.figures.items() if owner == seat] for seat in seats))
        yield board("lifted", [] if self.lifted is None else [self.lifted])
        yield board("started", self.started)
        yield board("ended", self.ended)
        yield board("festival", [] if self.feast is None else [self.feast])
        yield from base.in_bytes("scores", "scores_above_255", [self.points[seat] for seat in seats], most_points)
        yield base.Section("two", [self.two[seat] for seat in seats], TWO_SPACE_TILES)
        yield base.Section("rice", [self.rice[seat] for seat in seats], ONE_SPACE_RICE)
        yield base.Section("village", [self.village[seat] for seat in seats], ONE_SPACE_VILLAGES)
        yield base.Section("tokens", [self.action_tokens[seat] for seat in seats], ACTION_TOKENS)
        yield base.Section("figures_left", [self._figures_in_supply(seat) for seat in seats], FIGURES)
        yield base.Section("known", [count for seat in seats for count in self.known[seat]], CARDS_OF_A_KIND)
        yield base.Section("unknown", [sum(self.hidden[seat]) for seat in seats], six * CARDS_OF_A_KIND)
        yield base.Section("hand", self._hand(player), CARDS_OF_A_KIND)
        yield base.Section("laid", [count for seat in seats for count in self.laid[seat]], CARDS_OF_A_KIND)
        yield base.Section("bidding", [seat in self.bidding for seat in seats])
        yield base.Section("to_act", [seat == self.current_player() for seat in seats])
        yield base.Section("turn", [seat == self.turn for seat in seats])
        yield base.Section("final", [seat == self.final for seat in seats])
        yield base.Section("open", [kind == self.open for kind in range(six)])
        yield base.Section("discards", self.discards, CARDS_OF_A_KIND)
        yield base.Section("pile", [sum(self.pile)], six * CARDS_OF_A_KIND)
        yield base.Section("last", [kind == self.last for kind in range(six)])
        yield base.Section("ap", [self.ap], ACTION_POINTS + 1)
        yield base.Section("owed", [self.owed])
        yield base.Section("token", [self.token])
        yield base.Section("taken", [self.taken], CARDS_A_TURN)
        yield base.Section("barren", [self.barren], n - 1)
        yield base.Section("three", [self.three], THREE_SPACE_TILES)
        yield base.Section("water_left", [self.water], IRRIGATION_TILES)
        yield base.Section("palaces_left", [self.palaces_left[value] for value in PALACE_VALUES], max(PALACES))
        yield base.Section("draw", [self.drawing == what for what in ("deal", "open", "pile")])
        yield base.Section("over", [self.over])

    def _deal_again(self, other: Self, player: int, stream: Rng) -> None:
        """JA-38: the unseen cards are dealt again to unknown hands; what is left is the pile."""
        others = self._seats_from(player)[1:]
        unseen = [count + sum(self.hidden[seat][kind] for seat in others) for kind, count in enumerate(self.pile)]
        while True:
            other.pile = list(unseen)
            for seat in others:
                other.hidden[seat] = deal(other.pile, sum(self.hidden[seat]), stream)
            if not other._festival_waits_for_nothing():
                return

    def _festival_waits_for_nothing(self) -> bool:
        """JA-R5: the mover must lay the first card of the festival and has none that matches."""
        return self.feast is not None and not any(self.laid[self.turn]) and not self._matching(self.turn)


def deal(pile: list[int], cards: int, stream: Rng) -> list[int]:
    """A hand of that many cards taken from the pile, one draw each."""
    hand = [0] * len(pile)
    for _ in range(cards):
        kind = base.drawn(dict(enumerate(pile)), stream)
        pile[kind] -= 1
        hand[kind] += 1
    return hand
