"""Java, paragraph by paragraph: JA-1 to JA-44.

Boards are drawn: the line is the row, the place in the line is the column. `.` is land, `~` printed
irrigation, `L` an outside space of the lowlands; outside spaces that are not drawn are mountains. South of the
island, behind printed irrigation, lies a quarry: double rows of land where a player who has to lay some land
tile lays it, on the ground or on others, without touching the island.
"""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.walking import chosen_by_lead, legal_tokens
from tilery.reference.rng import Rng

rule = pytest.mark.rule

KINDS = ["m", "d", "p", "md", "dp", "pm"]
STEPS = {"E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1), "NE": (-1, 1)}
DATA = Path(tilery.__file__).parent / "data"

# Inland are 2.6 to 2.12, 3.5 to 3.13 and 4.6 to 4.12. Next to the lowlands are row 5, 4.4 and 4.14.
ISLAND = """

     . . . . .
    . . . . . .
   . . . . . . .
    . . . . . .
   L . . . . . L
    L L L L L L
"""

# Two land spaces in the mountains.
PAIR = """

   . .
"""

# Three villages that touch one another on 3.9, 3.11 and 4.10, their rice outside of them.
VILLAGE = "3@3.9/W 3@3.11/NE 3@4.10/SE"
# Moreover a figure from 5.9 on the village space 3.11 and a palace of 2 on 3.9: exactly 6 AP.
CITY = f"{VILLAGE} +5.9 5.9> >3.11 P3.9=2"


def near(place: tuple[int, int]) -> list[tuple[int, int]]:
    return [(place[0] + down, place[1] + right) for down, right in STEPS.values()]


def drawn(drawing: str) -> dict[tuple[int, int], str]:
    lines = drawing.split("\n")[1:]
    return {(row, column): sign for row, line in enumerate(lines) for column, sign in enumerate(line) if sign != " "}


def board(drawing: str, quarry: int = 0) -> dict[str, Any]:
    """The board object of a drawing, with a quarry for that many three-space tiles."""
    signs = drawn(drawing)
    if quarry:
        for place, sign in quarry_of(drawing).items():
            signs.setdefault(place, sign)
    land = sorted(place for place, sign in signs.items() if sign == ".")
    water = sorted(place for place, sign in signs.items() if sign == "~")
    outside = sorted({side for place in land + water for side in near(place)} - {*land, *water})
    lowlands = [place for place in outside if signs.get(place) == "L"]
    assert len(lowlands) == list(signs.values()).count("L")
    return {
        "land": [list(place) for place in land],
        "printed_irrigation": [list(place) for place in water],
        "outside_mountains": [list(place) for place in outside if place not in lowlands],
        "outside_lowlands": [list(place) for place in lowlands],
    }


@cache
def strips_of(drawing: str) -> list[list[tuple[int, int]]]:
    """The quarry's double rows below a drawing, each as a zigzag: as many as a board may have rows (JA-2)."""
    signs = drawn(drawing)
    land = [place for place, sign in signs.items() if sign != "L"]
    least = min((row + column) // 2 for place in land for row, column in near(place))
    top = min(row for row, _ in land) - 1
    strips = []
    for row in range(max(row for row, _ in land) + 3, top + 13, 3):
        first = max(2, 2 * least - row + 2)
        first += (row + first) % 2
        size = (2 * (least + 19) - row - first - 2) // 3 * 3
        strips.append([(row + step % 2, first + step) for step in range(size)])
    return strips


def quarry_of(drawing: str) -> dict[tuple[int, int], str]:
    """The quarry's land, and printed irrigation from the drawing to it and between its rows."""
    signs = drawn(drawing)
    row, column = max((place for place in signs if signs[place] == "."), key=lambda place: place[1])
    strips = strips_of(drawing)
    water = [(row, column + 2), *((down, column + 4 + (down - row) % 2) for down in range(row, strips[0][0][0]))]
    water += [(upper[0][0] + 2, upper[0][1] + 2) for upper in strips[:-1]]
    return dict.fromkeys(water, "~") | {place: "." for strip in strips for place in strip}


def quarry_tiles(drawing: str, count: int) -> list[str]:
    """Tokens of tiles in the quarry, layer upon layer: each layer begins one space further on than the one below."""
    tokens = []
    for strip in strips_of(drawing):
        for layer in range(len(strip) // 3):
            for first in range(layer, len(strip) - 2 * layer - 2, 3):
                row, column = strip[first]
                tokens.append(f"3@{row}.{column}/{'E' if first % 2 == 0 else 'NE'}")
    assert len(tokens) >= count
    return tokens[:count]


@cache
def game_on(load: Any, drawing: str, quarry: int, options: tuple[tuple[str, Any], ...]) -> Any:
    return load("java", board=board(drawing, quarry), **dict(options))


class Table:
    """A game under way: the deal is done, tokens are played, what can be seen is read."""

    def __init__(self, load: Any, drawing: str = ISLAND, quarry: int = 20, deal: str = "", **options: Any) -> None:
        self.game = game_on(load, drawing, quarry, tuple(options.items()))
        self.state = self.game.new_initial_state()
        n = self.game.num_players
        cards = deal.split() or (KINDS * 3)[: 3 * n + 1]
        assert len(cards) == 3 * n + 1
        self.play(" ".join(f"*{card}" for card in cards))
        self.quarry = quarry_tiles(drawing, quarry) if quarry else []

    def play(self, tokens: str) -> Table:
        """`quiet` stands for the next tile in the quarry, `*` for the first outcome of a draw."""
        for token in tokens.split():
            todo = self.quarry.pop(0) if token == "quiet" else self.legal[0] if token == "*" else token
            self.state.apply_action(self.state.string_to_action(todo))
        return self

    def after(self, tokens: str) -> Table:
        """The same on a copy."""
        other = object.__new__(Table)
        other.game, other.state = self.game, self.state.clone()
        other.quarry = list(self.quarry)
        return other.play(tokens)

    def lay_all(self) -> Table:
        """Turns that only lay three-space tiles in the quarry, to the last one; its turn goes on."""
        while (left := self.seen()["supply"]["three"]) > 6:
            self.play("quiet " * 6 + "end")
        return self.play("quiet " * left)

    @property
    def legal(self) -> list[str]:
        return legal_tokens(self.state)

    def can(self, token: str) -> bool:
        return self.state.string_to_action(token) in self.state.legal_actions()

    def cost(self, tokens: str) -> int:
        return int(self.seen()["ap"] - self.after(tokens).seen()["ap"])

    def seen(self, player: int = 0) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.state.information_state_string(player))
        return result

    @property
    def scores(self) -> list[int]:
        return list(self.state.scores())

    @property
    def player(self) -> int:
        return int(self.state.current_player())

    def top(self, name: str) -> str:
        return str(self.seen()["board"]["tops"][self.number(name)])

    def height(self, name: str) -> int:
        return int(self.seen()["board"]["heights"][self.number(name)])

    def number(self, name: str) -> int:
        lists = self.game.rules["board"]
        return sorted(
            tuple(place)
            for key in ("land", "printed_irrigation", "outside_mountains", "outside_lowlands")
            for place in lists[key]
        ).index(tuple(int(part) for part in name.split(".")))

    @property
    def figures(self) -> dict[str, int]:
        return dict(self.seen()["board"]["figures"])

    @property
    def palaces(self) -> dict[str, tuple[int, bool]]:
        return {name: (value, fresh) for name, value, fresh in self.seen()["board"]["palaces"]}


def starting(prefix: str, tokens: list[str]) -> list[str]:
    return [token for token in tokens if token.startswith(prefix)]


# Check values.


def first_decision(game: Any) -> list[str]:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return legal_tokens(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_check_values_of_the_first_decision(load: Any, players: int) -> None:
    tokens = first_decision(load("java", players=players))
    assert len(tokens) == 2437
    sorts = {sort: len(starting(sort, tokens)) for sort in ("3@", "2@", "r@", "v@", "w@")}
    assert sorts == {"3@": 1041, "2@": 998, "r@": 150, "v@": 150, "w@": 95}
    assert {token for token in tokens if "@" not in token} == {"open", "pile", "extra"}
    assert len(first_decision(load("java", players=players, board="java-155"))) == 2475
    assert len(first_decision(load("java", players=players, irrigation_on_perimeter=True))) == 2492


@pytest.mark.parametrize(("players", "pile"), [(2, 23), (3, 20), (4, 17)])
def test_check_values_of_the_box(load: Any, players: int, pile: int) -> None:
    seen = Table(load, players=players).seen()
    supply, cards = seen["supply"], seen["cards"]
    tiles = supply["three"] + sum(supply["two"] + supply["rice"] + supply["village"])
    assert tiles == 56 + 10 * players  # 96 with four players
    assert sum(supply["palaces"]) == 40
    assert supply["water"] == 16
    assert cards["unknown"] == [3] * players
    assert cards["pile"] == pile
    assert sum(cards["unknown"]) + 1 + pile == 30


def test_check_values_a_three_space_tile_has_six_placements_per_village_space(load: Any) -> None:
    tokens = Table(load).legal
    assert starting("3@3.9/", tokens) == [f"3@3.9/{direction}" for direction in STEPS]


# Board.


@rule("JA-1", "JA-41")
@pytest.mark.parametrize("direction", list(STEPS))
def test_ja_1_and_ja_41_directions_of_land_tiles(load: Any, direction: str) -> None:
    clockwise = list(STEPS)
    following = clockwise[(clockwise.index(direction) + 1) % 6]
    names = {}
    for way in (direction, following):
        down, right = STEPS[way]
        names[way] = f"{3 + down}.{9 + right}"
    table = Table(load)
    three = table.after(f"3@3.9/{direction}")
    assert three.top("3.9") == "v"
    assert [three.top(name) for name in names.values()] == ["r", "r"]
    assert sum(three.seen()["board"]["heights"]) == 3
    two = table.after(f"2@3.9/{direction}")
    assert two.top("3.9") == "v"
    assert two.top(names[direction]) == "r"
    assert sum(two.seen()["board"]["heights"]) == 2


@rule("JA-1")
def test_ja_1_neighbours_of_a_space_and_no_others(load: Any) -> None:
    # A figure walks from rice to rice, so the rice it can reach is what the hexagons join.
    table = Table(load).play("r@5.9 +5.9 quiet end quiet end r@4.8 r@4.12 5.9>")
    assert table.legal == [">4.8"]


@rule("JA-2")
def test_ja_2_the_boards_of_the_box(load: Any) -> None:
    for name, land in (("java-153", 150), ("java-155", 152)):
        data = json.loads((DATA / f"java-board-{name[-3:]}.json").read_text())
        game = load("java", board=name)
        assert game.rules["board"] == name
        state = game.new_initial_state()
        seen = json.loads(state.information_state_string(0))["board"]
        assert seen["tops"].count("~") == 3
        outside = len(data["outside_mountains"]) + len(data["outside_lowlands"])
        assert seen["tops"].count(".") == land + outside
    assert load("java").rules["board"] == "java-153"


@rule("JA-2")
def test_ja_2_a_board_of_ones_own_by_path_and_as_object(load: Any, tmp_path: Path) -> None:
    own = board(ISLAND) | {"name": "island", "note": {"year": 2000, "by": ["me", None, 1.5, True]}}
    path = tmp_path / "island.json"
    path.write_text(json.dumps(own))
    as_object = load("java", board=own)
    for given in (str(path), path):
        by_path = load("java", board=given)
        assert by_path.rules == as_object.rules
        assert by_path.rules.as_dict()["board"] == own
        assert by_path.new_initial_state() == as_object.new_initial_state()
    again = load("java", **as_object.rules.as_dict())
    assert again.rules == as_object.rules


def changed(**lists: Any) -> dict[str, Any]:
    return board(PAIR) | lists


WRONG_BOARDS = {
    "not an object": ([1, 2], "board"),
    "a number": (5, "board"),
    "no file": ("no-such-file.json", "no-such-file.json"),
    "a list missing": ({key: value for key, value in board(PAIR).items() if key != "land"}, "land"),
    "no list": (changed(land=7), "land"),
    "no pair": (changed(land=[[1, 2, 3], [1, 4]]), r"\[1, ?2, ?3\]"),
    "no number": (changed(land=[["1", 2], [1, 4]]), r"['\"]1['\"]"),
    "a bool": (changed(land=[[True, 3], [1, 5]]), "True|true"),
    "a fraction": (changed(land=[[1, 2.0], [1, 4]]), r"2\.0|\[1, ?2\]"),
    "odd": (changed(land=[[1, 2], [1, 4]]), r"\[1, ?2\]|\b1\.2\b"),
    "negative": (changed(land=[[-1, 3], [1, 5]]), r"\[-1, ?3\]|-1\.3\b"),
    "beyond": (changed(land=[[1, 3], [1, 10001]]), r"\[1, ?10001\]|\b1\.10001\b"),
    "twice": (changed(land=[[1, 3], [1, 5], [1, 3]]), r"\[1, ?3\]|\b1\.3\b"),
    "land and water": (changed(printed_irrigation=[[1, 3]]), r"\[1, ?3\]|\b1\.3\b"),
    "outside twice": (
        changed(outside_lowlands=board(PAIR)["outside_mountains"][:1]),
        r"\[0, ?2\]|\b0\.2\b",
    ),
    "outside missing": (
        changed(outside_mountains=board(PAIR)["outside_mountains"][1:]),
        r"\[0, ?2\]|\b0\.2\b",
    ),
    "outside too far": (changed(outside_lowlands=[[5, 5]]), r"\[5, ?5\]|\b5\.5\b"),
    "no land": (changed(land=[], printed_irrigation=[[1, 3], [1, 5]]), "land"),
    "a key that is not JSON": (changed(note={1, 2}), "note"),
}


@rule("JA-2")
@pytest.mark.parametrize("wrong", list(WRONG_BOARDS))
def test_ja_2_a_wrong_board_is_refused_by_name(load: Any, wrong: str) -> None:
    value, named = WRONG_BOARDS[wrong]
    with pytest.raises(ValueError, match=named) as refused:
        load("java", board=value)
    assert "board" in str(refused.value)
    load("java", board=changed())


@rule("JA-R2")
def test_ja_r2_a_board_is_connected(load: Any) -> None:
    with pytest.raises(ValueError, match=r"\[1, ?9\]|\b1\.9\b"):
        load("java", board=board("\n\n   .     .\n"))
    load("java", board=board("\n\n   . ~ ~ .\n"))


@rule("JA-2", "JA-R1")
def test_ja_2_printed_water_may_lie_on_the_perimeter_and_side_by_side(load: Any) -> None:
    table = Table(load, "\n\n   . ~ ~\n", quarry=0)
    assert table.top("1.5") == table.top("1.7") == "~"
    # Outside spaces that touch nothing but water are never built on, so they have no tokens (JA-R1).
    with pytest.raises(ValueError, match=r"0\.8"):
        table.state.string_to_action("r@0.8")
    assert table.state.string_to_action("r@0.4") >= 0


def board_of(land: set[tuple[int, int]]) -> dict[str, Any]:
    """A board of these land spaces."""
    rows = ("".join("." if (row, column) in land else " " for column in range(60)) for row in range(20))
    return board("\n" + "\n".join(rows))


@rule("JA-2")
@pytest.mark.parametrize(
    ("land", "limit"),
    [
        ([(1 + i, 5 + i % 2) for i in range(14)], "15"),
        ([(1, 3 + 2 * i) for i in range(19)], "20"),
        ([(1 + i, 3 + i) for i in range(10)] + [(10, 14 + 2 * i) for i in range(9)], "20"),
    ],
)
def test_ja_2_15_rows_and_20_skewed_columns_are_supported_and_no_more(
    load: Any, land: list[tuple[int, int]], limit: str
) -> None:
    game = load("java", board=board_of(set(land[:-1])))
    assert len(starting("r@", first_decision(game))) == len(land) - 1
    with pytest.raises(tilery.OptionError, match=rf"\b{limit}\b"):
        load("java", board=board_of(set(land)))


RING = """

   . .
  . L .
   . .
"""


@rule("JA-3")
def test_ja_3_a_hole_is_outside_and_needs_a_terrain(load: Any) -> None:
    table = Table(load, RING, quarry=0)
    assert table.cost("2@1.3/SE") == 2  # rice hangs over the hole
    without = board(RING)
    without["outside_lowlands"] = []
    with pytest.raises(ValueError, match=r"\[2, ?4\]|\b2\.4\b"):
        load("java", board=without)
    # The hole is an edge: each space of the ring is next to it, and it is the cheapest way in.
    assert table.after("r@1.3").cost("+1.3") == 1


# Components and set-up.


@rule("JA-4", "JA-5")
def test_ja_4_and_ja_5_the_supply(load: Any) -> None:
    seen = Table(load, players=3).seen()
    assert seen["supply"] == {
        "three": 56,
        "water": 16,
        "palaces": [6, 7, 8, 9, 10],
        "two": [5, 5, 5],
        "rice": [3, 3, 3],
        "village": [2, 2, 2],
        "tokens": [3, 3, 3],
        "figures": [12, 12, 12],
    }


@rule("JA-6", "JA-R10")
def test_ja_6_three_cards_to_each_player_in_turn_then_the_open_card(load: Any) -> None:
    state = load("java", players=3).new_initial_state()
    counts = []
    for _ in range(10):
        assert state.is_chance_node()
        assert legal_tokens(state) == [f"*{kind}" for kind in KINDS]
        counts.append(json.loads(state.information_state_string(0))["cards"]["unknown"])
        state.apply_action(state.string_to_action("*dp" if len(counts) == 10 else f"*{KINDS[len(counts) % 5]}"))
    served = ["000", "100", "200", "300", "310", "320", "330", "331", "332", "333"]
    assert ["".join(map(str, count)) for count in counts] == served
    assert state.current_player() == 0
    assert json.loads(state.information_state_string(1))["cards"]["open"] == "dp"
    assert json.loads(state.information_state_string(1))["cards"]["hand"] == [1, 1, 0, 0, 1, 0]


@rule("JA-6")
def test_ja_6_five_cards_of_a_kind(load: Any) -> None:
    state = load("java").new_initial_state()
    for left in (5, 4, 3, 2, 1):
        total = 25 + left
        assert dict(state.chance_outcomes()) == {
            state.string_to_action(f"*{kind}"): (left if kind == "md" else 5) / total for kind in KINDS
        }
        state.apply_action(state.string_to_action("*md"))
    assert legal_tokens(state) == [f"*{kind}" for kind in KINDS if kind != "md"]


# Turn.


@rule("JA-7")
def test_ja_7_six_action_points_and_the_unspent_ones_are_lost(load: Any) -> None:
    table = Table(load)
    assert table.seen()["ap"] == 6
    table.play("quiet quiet end")
    assert (table.player, table.seen()["ap"]) == (1, 6)
    table.play("quiet quiet quiet quiet quiet quiet")
    assert table.seen()["ap"] == 0
    assert table.legal == ["end", "extra"]
    table.play("end")
    assert (table.player, table.seen()["ap"]) == (0, 6)


@rule("JA-7")
def test_ja_7_turns_go_clockwise(load: Any) -> None:
    table = Table(load, players=4)
    movers = []
    for _ in range(5):
        movers.append(table.player)
        table.play("quiet end")
    assert movers == [0, 1, 2, 3, 0]


@rule("JA-8")
def test_ja_8_an_action_token_gives_one_ap_once_a_turn_and_three_times(load: Any) -> None:
    table = Table(load)
    for left in (2, 1, 0):
        table.play("quiet quiet extra")
        assert table.seen()["ap"] == 5
        assert table.seen()["supply"]["tokens"][0] == left
        assert not table.can("extra")
        table.play("end quiet end")
    assert not table.can("extra")
    assert table.seen()["supply"]["tokens"] == [0, 3]
    assert not table.after("quiet").can("extra")


@rule("JA-8")
@pytest.mark.parametrize("first", ["quiet", "open *m", "w@3.9", "5.9> >5.11"])
def test_ja_8_turn_start_allows_the_token_only_as_first_action(load: Any, first: str) -> None:
    for timing, allowed in (("any", True), ("turn_start", False)):
        table = Table(load, token_timing=timing).play("r@5.9 r@5.11 +5.9 end quiet end")
        assert table.can("extra")
        table.play(first)
        assert table.can("extra") == allowed
        assert table.seen()["token"] == allowed


@rule("JA-8", "JA-R7")
def test_ja_8_a_figure_taken_up_is_too_late_for_the_token_too(load: Any) -> None:
    table = Table(load, token_timing="turn_start").play("r@5.9 r@5.11 +5.9 end quiet end 5.9>")
    assert table.seen()["token"] is False


@rule("JA-9")
def test_ja_9_a_land_tile_must_be_placed_before_the_end(load: Any) -> None:
    table = Table(load)
    assert not table.can("end")
    assert not table.after("w@3.9").can("end")
    assert not table.after("open *m").can("end")
    assert table.after("quiet").can("end")
    for tile in ("2@3.9/E", "r@3.9", "v@3.9"):
        assert table.after(tile).can("end")


@rule("JA-9")
def test_ja_9_a_palace_is_no_land_tile(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end extra")
    # Villages 3 + 1: now a palace of 4 fits, but it places no land.
    table.play("3@2.10/NW end quiet end P3.9=4")
    assert table.seen()["owed"] is True
    assert not table.can("end")


@rule("JA-9")
def test_ja_9_the_last_ap_is_kept_for_a_land_tile(load: Any) -> None:
    table = Table(load).play("extra w@3.9 w@3.7 w@3.11 open *m pile *m w@3.13")
    assert table.seen()["ap"] == 1
    assert table.seen()["token"] is False
    assert {token.split("@")[0] for token in table.legal} == {"3", "2", "r", "v"}


@rule("JA-9")
def test_ja_9_a_usable_token_counts_as_one_ap(load: Any) -> None:
    table = Table(load).play("w@3.9 w@3.7 w@3.11 open *m pile *m w@3.13")
    assert table.seen()["ap"] == 0
    assert table.legal == ["extra"]
    table.play("extra")
    assert {token.split("@")[0] for token in table.legal} == {"3", "2", "r", "v"}


@rule("JA-9")
def test_ja_9_a_token_no_longer_usable_does_not_count(load: Any) -> None:
    table = Table(load, token_timing="turn_start").play("w@3.9 w@3.7 w@3.11 open *m pile *m")
    assert table.seen()["ap"] == 1
    assert not table.can("w@3.13")
    assert {token.split("@")[0] for token in table.legal} == {"3", "2", "r", "v"}


@rule("JA-9")
def test_ja_9_without_ap_but_with_a_token_free_moves_and_extra_are_legal(load: Any) -> None:
    table = Table(load).play("r@5.9 r@5.11 +5.9 end quiet end")
    table.play("w@3.9 w@3.7 w@3.11 open *m pile *m w@3.13")
    assert table.seen()["ap"] == 0
    assert table.legal == ["extra", "5.9>"]
    table.play("5.9>")
    assert table.legal == [">5.11"]
    assert table.play(">5.11").legal == ["extra"]


# Land spaces in a row, water between them: only one-space tiles fit without hanging over.
COMB = """

   . ~ . ~ . ~ . ~ . ~ . ~ .
"""


def comb_without_single_tiles(load: Any, **options: Any) -> Table:
    """Player 0 has no one-space tiles left; on 1.27, the only bare land, a two-space tile costs 2 AP."""
    table = Table(load, COMB, quarry=0, **options)
    table.play("r@1.3 r@1.7 r@1.11 v@1.15 v@1.19 end r@1.23 end")
    assert {token.split("@")[0] for token in table.legal if "@" in token} == {"3", "2"}
    return table


@rule("JA-9", "JA-R6")
def test_ja_9_the_reserve_is_the_cheapest_tile_that_could_be_placed(load: Any) -> None:
    table = comb_without_single_tiles(load)
    assert table.cost("2@1.27/E") == 2
    assert table.cost("3@1.27/E") == 3
    table.play("extra open *m pile *m")
    assert table.seen()["ap"] == 5
    table.play("+1.3")  # 2 AP from the mountains
    # 3 AP are left, 2 of them kept: nothing for 2 AP.
    assert not table.can("+1.7")
    assert not table.can("-1.3")
    assert table.can("2@1.27/E")
    assert table.can("3@1.27/E")


@rule("JA-9")
def test_ja_9_the_last_single_tile_may_be_a_village(load: Any) -> None:
    table = Table(load, COMB, quarry=0).play("r@1.3 r@1.7 r@1.11 v@1.15 end r@1.23 end")
    assert {token.split("@")[0] for token in table.legal if "@" in token} == {"3", "2", "v"}
    table.play("extra open *m pile *m +1.3")
    assert table.seen()["ap"] == 3
    assert table.can("+1.7")  # 1 AP of the 3 is kept
    assert not table.after("+1.7").can("-1.3")


@rule("JA-9")
def test_ja_9_the_token_lies_in_the_reserve(load: Any) -> None:
    table = comb_without_single_tiles(load).play("open *m pile *m +1.3")
    assert table.seen()["ap"] == 2
    assert not table.can("+1.7")  # would leave 0 and the token, one short of the cheapest tile
    assert table.after("2@1.27/E").can("end")
    assert not table.can("3@1.27/E")
    assert table.after("extra").can("3@1.27/E")


@rule("JA-9")
def test_ja_9_the_duty_lapses_when_no_land_tile_can_be_placed(load: Any) -> None:
    table = Table(load, PAIR, quarry=0).play("r@1.3 v@1.5 +1.3 end")
    # One-space tiles lie on 1.3 and 1.5 (JA-13), a figure bars the tile of two: nothing fits.
    assert [token for token in table.legal if "@" in token] == []
    assert table.can("end")
    assert table.seen(1)["owed"] is True
    # Nor is anything kept: all seven AP may be spent.
    assert table.after("extra open *m pile *m +1.5 -1.5 end").player == 0
    assert not table.after("extra open *m pile *m +1.5 -1.5").can("+1.5")


@rule("JA-9", "JA-R6")
def test_ja_9_the_duty_lapses_when_the_cheapest_tile_has_become_too_dear(load: Any) -> None:
    """Without one-space tiles: a tile of two lies on 1.27 and 1.29 for 1 AP; with water on one of them it costs 2."""
    comb = "\n\n   . ~ . ~ . ~ . ~ . ~ . ~ . .\n"
    table = Table(load, comb, quarry=0, irrigation_on_perimeter=True)
    table.play("r@1.3 r@1.7 r@1.11 v@1.15 v@1.19 end r@1.23 end extra pile *m +1.3 +1.7")
    assert table.seen()["ap"] == 2
    assert not table.can("end")
    assert table.after("open *m").legal == ["2@1.27/E", "2@1.29/W"]
    table.play("w@1.27")
    assert table.seen()["ap"] == 1
    assert not table.can("2@1.29/E")
    assert table.can("end")
    assert table.can("open")  # nor is anything kept


@rule("JA-R7")
def test_ja_r7_at_turn_start_the_token_is_not_in_the_reserve_of_the_first_action(load: Any) -> None:
    """Own figures stand on six of seven spaces in a row of changing colours: from 3.3 to 3.15 a move costs all 6 AP."""
    for timing, legal in (("any", True), ("turn_start", False)):
        table = Table(load, token_timing=timing)
        table.play("2@3.3/E 2@3.7/E 2@3.11/E v@3.15 +3.15 end quiet end")
        table.play("quiet 3.15> >3.9 +3.15 end quiet end")
        table.play("quiet 3.15> >3.11 +3.15 3.15> >3.13 end quiet end")
        table.play("quiet +3.3 3.3> >3.7 end quiet end")
        table.play("quiet +3.3 3.3> >3.5 +3.3 end quiet end")
        assert table.can("3.3>") == legal
        assert table.can("3.5>")
        assert table.after("3.5>").legal == [">3.15"]
        assert not table.after("quiet").can("3.3>")


@rule("JA-9")
def test_ja_9_water_that_makes_placing_impossible_is_legal_and_ends_the_duty(load: Any) -> None:
    table = Table(load, "\n\n   .\n", quarry=0, irrigation_on_perimeter=True)
    assert not table.can("end")
    table.play("w@1.3")
    assert table.can("end")
    # Without a duty there is no reserve: all AP may be spent.
    assert table.play("open *m pile *m").seen()["ap"] == 3


@rule("JA-9")
def test_ja_9_the_duty_comes_back_when_a_figure_leaves(load: Any) -> None:
    table = Table(load, PAIR, quarry=0).play("r@1.3 v@1.5 +1.3 end end")
    assert table.can("end")
    table.play("-1.3")
    assert not table.can("end")
    assert table.can("2@1.3/E")


@rule("JA-9")
def test_ja_9_a_figure_taken_up_counts_as_standing_where_it_was(load: Any) -> None:
    table = Table(load, PAIR, quarry=0).play("r@1.3 v@1.5 +1.3 end end")
    table.play("extra open *m pile *m +1.5 -1.5")
    assert table.seen()["ap"] == 1
    # Were 1.3 free, a tile would fit on both, and the last AP would have to be kept.
    assert table.play("1.3>").legal == [">1.5"]
    table.play(">1.5")
    assert table.seen()["ap"] == 0
    assert table.can("end")


@rule("JA-9")
def test_ja_9_the_reserve_bars_dear_moves_only(load: Any) -> None:
    table = Table(load).play("3@4.10/SE +5.9 end quiet end extra w@3.5 w@3.7 w@3.9 open *m pile *m w@3.13")
    assert table.seen()["ap"] == 1
    assert table.play("5.9>").legal == [">5.11"]  # not the village 4.10, which would cost 1 AP


# Land tiles.


@rule("JA-10")
def test_ja_10_a_tile_costs_one_ap_and_one_for_each_space_outside(load: Any) -> None:
    table = Table(load)
    costs = {"3@3.9/E": 1, "2@3.9/E": 1, "r@3.9": 1, "v@1.5": 1}
    costs |= {"2@1.5/NE": 2, "2@0.6/SW": 2, "3@1.5/NW": 3, "3@1.5/W": 3, "3@1.5/E": 1, "3@1.5/NE": 2}
    assert {token: table.cost(token) for token in costs} == costs


@rule("JA-10")
def test_ja_10_all_spaces_under_a_tile_have_the_same_height(load: Any) -> None:
    table = Table(load).play("2@3.7/E")
    assert not table.can("2@3.9/E")  # 1 and 0
    assert table.play("r@3.11").can("2@3.9/E")
    assert not table.after("v@3.9").can("2@3.9/E")  # 2 and 1
    assert table.after("v@3.9").height("3.9") == 2


@rule("JA-10")
def test_ja_10_no_adjacency_is_required(load: Any) -> None:
    assert Table(load).play("r@1.5").can("r@5.13")


@rule("JA-11")
def test_ja_11_on_the_ground_one_space_must_be_on_the_board(load: Any) -> None:
    table = Table(load)
    assert not table.can("r@0.6")
    assert not table.can("2@0.6/E")
    assert table.can("2@0.6/SE")
    assert not table.can("3@0.6/E") or table.cost("3@0.6/E") == 3
    assert not table.can("3@2.14/NE") or table.top("1.15") == "."


@rule("JA-11")
def test_ja_11_a_tile_may_lie_wholly_outside_on_tiles_and_costs_nothing_extra(load: Any) -> None:
    table = Table(load).play("2@1.5/NE 2@1.7/NE end quiet end")
    assert [table.height(name) for name in ("0.6", "0.8")] == [1, 1]
    assert table.cost("r@0.6") == 1
    assert table.cost("2@0.6/E") == 1
    table.play("2@0.6/E")
    assert [table.height(name) for name in ("0.6", "0.8")] == [2, 2]


@rule("JA-11")
def test_ja_11_partly_outside_on_tiles_costs_nothing_extra(load: Any) -> None:
    table = Table(load).play("3@1.5/NW r@1.7 end quiet end")
    assert [table.height(name) for name in ("0.4", "0.6", "1.5", "1.7")] == [1, 1, 1, 1]
    assert table.cost("2@0.6/SE") == 1
    assert table.cost("2@1.5/E") == 1


@rule("JA-12")
def test_ja_12_not_on_figures_palaces_and_water(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end w@3.5")
    for token in ("r@3.11", "2@3.11/E", "v@3.9", "2@3.7/E", "r@3.5", "r@3.17", "2@3.15/E"):
        # Printed irrigation has no tokens at all.
        assert token not in table.legal, token
    assert table.can("r@3.13")
    assert table.can("r@3.7")


@rule("JA-13")
def test_ja_13_a_tile_may_not_exactly_cover_one_of_its_size(load: Any) -> None:
    table = Table(load).play("r@1.5 2@2.6/E 3@4.6/E end quiet end")
    assert not table.can("r@1.5")
    assert not table.can("v@1.5")
    assert not table.can("2@2.6/E")
    assert not table.can("2@2.8/W")
    for token in ("3@4.6/E", "3@4.8/SW", "3@5.7/NW"):
        assert not table.can(token), token
    assert table.can("r@2.6")
    assert table.can("r@4.6")


@rule("JA-13")
def test_ja_13_two_tiles_of_the_same_outline_are_not_one(load: Any) -> None:
    table = Table(load).play("r@2.6 v@2.8 r@4.6 2@4.8/SW end quiet end")
    assert table.can("2@2.6/E")
    assert table.can("3@4.6/E")


@rule("JA-13")
def test_ja_13_only_the_layer_on_top_counts(load: Any) -> None:
    # Two tiles of two on 2.6 to 2.12, above them one tile across both: the lower ones are forgotten.
    table = Table(load).play("2@2.6/E 2@2.10/E 2@2.8/E end quiet end")
    assert not table.can("2@2.8/E")
    table.play("r@2.6 v@2.12 end quiet end")
    assert table.can("2@2.6/E")
    assert table.can("2@2.10/E")
    assert not table.can("2@2.8/E")


@rule("JA-13")
def test_ja_13_the_rest_of_a_tile_is_not_a_tile_of_its_own_size(load: Any) -> None:
    table = Table(load).play("2@2.6/E r@2.6 3@4.6/E r@4.6 r@4.8 end quiet end")
    assert table.can("v@2.8")  # one space of a tile of two
    assert not table.can("v@2.6")  # a tile of one
    assert table.can("v@5.7")  # the last space of a tile of three


@rule("JA-13")
@pytest.mark.parametrize("allowed", [True, False])
def test_ja_13_two_on_three(load: Any, allowed: bool) -> None:
    table = Table(load, two_on_three=allowed).play("3@4.6/E 3@4.10/E r@5.9 end quiet end")
    assert table.can("2@4.6/E") == allowed
    assert table.can("2@5.7/NW") == allowed
    assert table.can("2@4.8/E")  # rests on two tiles
    assert not table.can("3@4.6/E")
    assert table.can("3@4.8/E")


@rule("JA-13")
@pytest.mark.parametrize("direction", STEPS)
def test_ja_13_two_on_any_two_spaces_of_any_three(load: Any, direction: str) -> None:
    """Whichever way the tile of three lies, on each two of its spaces and village first or rice first."""
    at = list(STEPS).index(direction)
    tile = [(3, 9), near((3, 9))[at], near((3, 9))[(at + 1) % 6]]
    tables = {allowed: Table(load, two_on_three=allowed).play(f"3@3.9/{direction}") for allowed in (True, False)}
    for row, column in tile:
        for step, other in zip(STEPS, near((row, column)), strict=True):
            if other in tile:
                for allowed, table in tables.items():
                    token = f"2@{row}.{column}/{step}"
                    assert table.can(token) == (token in table.legal) == allowed


@rule("JA-13")
def test_ja_13_two_on_the_rest_of_a_three(load: Any) -> None:
    for allowed in (True, False):
        table = Table(load, two_on_three=allowed).play("3@4.6/E r@4.6 end quiet end")
        assert table.can("2@4.8/SW") == allowed
        assert table.can("v@4.8")


@rule("JA-13")
def test_ja_13_on_the_ground_nothing_of_it_applies(load: Any) -> None:
    table = Table(load, two_on_three=False)
    assert table.can("3@4.6/E")
    assert table.can("2@4.6/E")
    assert table.can("r@4.6")


@rule("JA-R3")
def test_ja_r3_positions_are_equal_however_reached(load: Any) -> None:
    # The rest of a tile of three is like the rest of a tile of two, since nothing can feel the difference.
    table = Table(load)
    three = table.after("3@4.6/E r@4.6")
    assert [sorted(bond) for bond in three.seen()["board"]["bonds"]] == [["4.6"]]
    apart = table.after("r@1.5 2@2.6/E")
    together = table.after("2@2.6/E r@1.5")
    assert apart.state == together.state
    assert hash(apart.state) == hash(together.state)
    assert apart.seen()["board"]["bonds"] == [["1.5"], ["2.6", "2.8"]]
    literal = Table(load, two_on_three=False)
    assert literal.after("3@4.6/E r@4.6").seen()["board"]["bonds"] == [["4.6"], ["4.8", "5.7"]]
    assert literal.after("2@4.6/E r@4.6").seen()["board"]["bonds"] == [["4.6"]]


@rule("JA-R3")
@pytest.mark.parametrize("two_on_three", [True, False])
@pytest.mark.parametrize("direction", STEPS)
def test_ja_r3_a_space_covered_anew_leaves_its_bond(load: Any, direction: str, two_on_three: bool) -> None:
    """Of two spaces nothing stays bonded; of three the other two do if no tile may lie within one tile."""
    at = list(STEPS).index(direction)
    spaces = [(3, 9), near((3, 9))[at], near((3, 9))[(at + 1) % 6]]
    for size in (2, 3):
        tile = spaces[:size]
        for row, column in tile:
            table = Table(load, two_on_three=two_on_three).play(f"{size}@3.9/{direction} r@{row}.{column}")
            bonds = [[(row, column)]]
            if size == 3 and not two_on_three:
                bonds.append(sorted(space for space in tile if space != (row, column)))
            assert table.seen()["board"]["bonds"] == [[f"{r}.{c}" for r, c in bond] for bond in sorted(bonds)]


@rule("JA-R3")
def test_ja_r3_a_palace_loosens_the_tile_below(load: Any) -> None:
    table = Table(load).play(VILLAGE)
    assert ["2.8", "3.7", "3.9"] in table.seen()["board"]["bonds"]
    table.play("+5.9 5.9> >3.11 P3.9=2")
    assert table.seen()["board"]["bonds"] == [["2.12", "3.11", "3.13"], ["4.10", "5.9", "5.11"]]


def two_cities(load: Any, **options: Any) -> Table:
    """Cities of player 0 (3.5, 4.4, palace 2 on 3.5) and player 1 (3.13, 4.14, palace 2 on 3.13)."""
    table = Table(load, ISLAND, **options)
    table.play("v@3.5 2@4.4/SE +5.5 5.5> >4.4 P3.5=2 end")
    table.play("v@3.13 2@4.14/SW +5.13 5.13> >4.14 P3.13=2 end")
    assert table.palaces == {"3.5": (2, True), "3.13": (2, True)}
    return table


@rule("JA-14")
def test_ja_14_cities_may_not_be_joined(load: Any) -> None:
    table = two_cities(load).play("2@3.7/SE 2@3.11/NW end")
    assert table.top("3.9") == "."
    # 3.7 and 3.11 belong to the two cities, a village between them would join these.
    assert not table.can("v@3.9")
    assert table.can("r@3.9")
    assert not table.can("2@3.9/NE")
    assert not table.can("3@3.9/NE")
    assert table.can("2@2.8/NE")


@rule("JA-14")
def test_ja_14_only_the_state_after_placing_counts(load: Any) -> None:
    table = two_cities(load).play("2@3.7/NE 2@3.11/NE end")
    # The rice of the same tile cuts 3.7 off, so that 3.9 joins the eastern city alone.
    assert table.can("r@3.9")
    assert not table.can("v@3.9")
    table.play("r@3.9 end")
    assert not table.can("v@3.9")
    assert table.can("2@3.9/W")
    assert table.can("2@3.9/E")
    table.play("2@3.9/W")
    assert table.top("3.7") == "r"
    assert table.height("3.9") == 2


@rule("JA-14")
def test_ja_14_villages_may_be_split_and_joined(load: Any) -> None:
    table = Table(load).play("v@3.5 2@3.9/SE r@3.11 end quiet end")
    assert table.can("v@3.7")  # joins two villages
    table.play("2@3.7/NW 3@1.9/E end quiet end")
    assert table.can("r@3.7") is True  # splits them again


@rule("JA-14")
def test_ja_14_a_palace_keeps_its_value_when_the_city_shrinks(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end r@4.10")
    assert table.top("4.10") == "r"
    assert table.palaces == {"3.9": (2, True)}


@rule("JA-R8")
def test_ja_r8_a_palace_alone_is_a_city_that_nobody_can_use(load: Any) -> None:
    table = Table(load, quarry=60).play(f"{CITY} end quiet end 3.11> >3.13")
    assert "P3.9=4" not in table.legal
    table.play("r@3.11 r@4.10")  # no village is left next to the palace
    assert table.palaces == {"3.9": (2, True)}
    assert table.can("end")
    assert starting("F", table.legal) == starting("P", table.legal) == []
    scores = table.scores
    table.play("end").lay_all().play("end end")
    assert table.state.is_terminal()
    assert table.scores == scores


@rule("JA-14")
def test_ja_14_outside_spaces_with_a_tile_belong_to_settlements_and_carry_palaces(load: Any) -> None:
    # A village on the overhang 6.8 and one on 5.9: a settlement of two.
    table = Table(load).play("2@6.8/NW 2@5.9/E +5.9")
    assert table.top("6.8") == "v"
    assert starting("P", table.legal) == ["P6.8=2"]
    table.play("P6.8=2")
    assert table.palaces == {"6.8": (2, True)}
    assert table.scores == [1, 0]


@rule("JA-15")
def test_ja_15_one_and_two_space_tiles_come_from_the_own_supply(load: Any) -> None:
    table = Table(load).play("2@1.5/E 2@1.9/E 2@2.4/E 2@2.8/E 2@2.12/E end")
    assert table.seen()["supply"]["two"] == [0, 5]
    assert table.can("2@3.3/E")
    table.play("r@3.3 r@3.5 r@3.7 v@3.9 v@3.11 end")
    assert table.seen()["supply"]["rice"] == [3, 0]
    assert table.seen()["supply"]["village"] == [2, 0]
    assert {token.split("@")[0] for token in table.legal if "@" in token} == {"3", "r", "v", "w"}
    table.play("quiet end")
    assert {token.split("@")[0] for token in table.legal if "@" in token} == {"3", "2", "w"}
    assert table.seen()["supply"]["three"] == 55


# Irrigation.


@rule("JA-16")
def test_ja_16_water_costs_one_ap_and_lies_on_bare_land_of_the_board(load: Any) -> None:
    table = Table(load).play("r@3.9")
    assert table.cost("w@3.7") == 1
    assert not table.can("w@3.9")
    assert not table.after("w@3.7").can("w@3.7")
    assert table.after("w@3.7").top("3.7") == "w"
    assert table.after("w@3.7").height("3.7") == 0
    with pytest.raises(ValueError, match=r"w@0\.6"):
        table.state.string_to_action("w@0.6")


@rule("JA-16")
def test_ja_16_on_the_perimeter_only_by_option(load: Any) -> None:
    table = Table(load)
    assert starting("w@", table.legal) == [
        f"w@{row}.{column}"
        for row, columns in ((2, (6, 8, 10, 12)), (3, (5, 7, 9, 11, 13)), (4, (6, 8, 10, 12)))
        for column in columns
    ]
    with pytest.raises(ValueError, match=r"w@1\.5"):
        table.state.string_to_action("w@1.5")
    anywhere = Table(load, irrigation_on_perimeter=True)
    assert anywhere.can("w@1.5")
    assert anywhere.can("w@3.15")
    with pytest.raises(ValueError, match=r"w@3\.17"):
        anywhere.state.string_to_action("w@3.17")  # printed


@rule("JA-16")
def test_ja_16_there_are_sixteen_tiles(load: Any) -> None:
    table = Table(load, irrigation_on_perimeter=True)
    spaces = [token for token in table.legal if token.startswith("w@")]
    for first in (0, 5, 10):
        table.play(" ".join(spaces[first : first + 5]) + " quiet end")
    assert table.seen()["supply"]["water"] == 1
    table.play(spaces[15])
    assert table.seen()["supply"]["water"] == 0
    assert starting("w@", table.legal) == []


@rule("JA-17", "JA-R4")
def test_ja_17_a_body_is_scored_once_when_it_becomes_enclosed(load: Any) -> None:
    table = lake(load).play("quiet +5.9 5.9> >4.10 end")
    assert table.scores == [0, 0]
    table.play("r@4.8 end")
    assert table.scores == [3, 0]
    # Later layers around it score nothing.
    table.play("v@2.8 end r@2.10 end")
    assert table.scores == [3, 0]


@rule("JA-17")
def test_ja_17_the_water_tile_itself_may_complete_the_enclosure(load: Any) -> None:
    table = Table(load).play("2@2.8/E r@3.7 r@3.11 end 3@4.10/SE r@4.8 +5.9 5.9> >4.10 end")
    assert table.scores == [0, 0]
    table.play("w@3.9")
    assert table.scores == [0, 3]


@rule("JA-17")
def test_ja_17_outside_spaces_count_as_land_only_under_an_overhang(load: Any) -> None:
    lake = """

   ~ .
"""
    # Around 1.3: the land 1.5 and the outside spaces 0.2, 0.4, 1.1, 2.2, 2.4. Only some can be overhung.
    table = Table(load, lake, quarry=0)
    table.play("3@1.5/NW +1.5")
    assert table.height("0.4") == 1
    assert table.scores == [0, 0]


@rule("JA-17")
def test_ja_17_a_printed_body_enclosed_over_the_edge(load: Any) -> None:
    # 1.5 is printed; its neighbours outside, 0.4 and 0.6, get land only by tiles that hang over.
    gulf = """

   . ~ .
    . .
"""
    table = Table(load, gulf, quarry=0).play("2@1.3/NE 2@2.4/SW +1.3 end")
    assert table.scores == [0, 0]
    table.play("2@1.7/NW end")
    assert table.scores == [0, 0]
    assert table.height("0.4") == table.height("0.6") == 1
    table.play("r@2.6")
    assert table.scores == [3, 0]


@rule("JA-17")
def test_ja_17_one_tile_may_enclose_two_bodies(load: Any) -> None:
    straits = """

     . . . . .
    . ~ . . ~ .
     . . . . .
      L L L L
"""
    # Around 2.6 lie 1.5 1.7 2.4 2.8 3.5 3.7, around 2.12 lie 1.11 1.13 2.10 2.14 3.11 3.13.
    table = Table(load, straits).play("2@1.5/E r@2.4 2@3.5/E +3.5 end 2@1.11/E r@2.14 2@3.11/E +3.11 end")
    assert table.scores == [0, 0]
    table.play("2@2.8/E")
    assert table.scores == [3, 3]


@rule("JA-18")
@pytest.mark.parametrize(("scoring", "points"), [("per_body", 3), ("per_space", 6)])
def test_ja_18_points_by_body_or_by_space(load: Any, scoring: str, points: int) -> None:
    # 3.7 and 3.9 are one body; around it lie 2.6 2.8 2.10 3.5 3.11 4.6 4.8 4.10.
    table = Table(load, irrigation_scoring=scoring)
    table.play("w@3.7 w@3.9 3@4.10/SE +5.9 5.9> >4.10 end 2@2.6/E r@2.10 r@3.5 r@3.11 end")
    assert table.scores == [0, 0]
    table.play("2@4.6/E")
    assert table.scores == [points, 0]


def lake(load: Any, **options: Any) -> Table:
    """Water on 3.9 with land around it on 2.8 2.10 3.7 3.11 4.10; player 0 to move, 4.8 still bare."""
    table = Table(load, **options)
    return table.play("w@3.9 2@2.8/E r@3.7 2@3.11/E end 3@4.10/SE end")


@rule("JA-18")
def test_ja_18_the_first_alone_scores_three_whoever_closed(load: Any) -> None:
    table = lake(load).play("quiet +5.9 5.9> >4.10 end r@4.8")
    assert table.scores == [3, 0]


@rule("JA-18")
def test_ja_18_a_tie_for_first_scores_nobody_for_good(load: Any) -> None:
    table = lake(load).play("quiet +5.9 5.9> >4.10 end")
    # Player 1 comes to 3.11, as high as 4.10, and closes.
    table.play("r@4.12 r@5.13 +5.13 5.13> >3.11 end")
    assert table.figures == {"4.10": 0, "3.11": 1}
    table.play("r@4.8 end")
    assert table.scores == [0, 0]
    table.play("quiet 3.11> >4.12 end")
    assert table.scores == [0, 0]


@rule("JA-18")
def test_ja_18_the_higher_figure_is_first(load: Any) -> None:
    table = lake(load).play("quiet +5.9 5.9> >4.10 end")
    table.play("r@4.12 r@5.13 r@3.11 +5.13 5.13> >3.11 end")
    assert table.height("3.11") == 2
    table.play("r@4.8")
    assert table.scores == [0, 3]


@rule("JA-18")
def test_ja_18_without_figures_nobody_scores(load: Any) -> None:
    assert lake(load).play("r@4.8").scores == [0, 0]


@rule("JA-18")
def test_ja_18_a_figure_away_from_the_shore_does_not_count(load: Any) -> None:
    table = lake(load).play("quiet +5.9 end r@4.8")
    assert table.figures == {"5.9": 0}
    assert table.scores == [0, 0]


# Figures.


@rule("JA-19")
def test_ja_19_entering_costs_one_from_lowlands_and_two_from_mountains(load: Any) -> None:
    table = Table(load).play("r@5.9 r@1.9 r@4.4 v@3.9")
    assert table.cost("+5.9") == 1
    assert table.cost("+1.9") == 2
    assert table.cost("+4.4") == 1  # next to 4.2 in the mountains and 5.3 in the lowlands: the cheapest counts
    assert not table.can("+5.7")  # bare
    with pytest.raises(ValueError, match=r"\+3\.9"):
        table.state.string_to_action("+3.9")  # inland


@rule("JA-19")
def test_ja_19_leaving_costs_the_same_and_returns_the_figure(load: Any) -> None:
    table = Table(load).play("r@5.9 +5.9 r@1.9 +1.9 end quiet end")
    assert table.seen()["supply"]["figures"] == [10, 12]
    assert table.cost("-5.9") == 1
    assert table.cost("-1.9") == 2
    table.play("-5.9")
    assert table.seen()["supply"]["figures"] == [11, 12]
    assert table.figures == {"1.9": 0}


@rule("JA-19")
def test_ja_19_others_figures_do_not_leave(load: Any) -> None:
    table = Table(load).play("r@5.9 +5.9 end")
    assert starting("-", table.legal) == []
    assert not table.can("+5.9")


@rule("JA-19")
def test_ja_19_an_overhang_is_an_edge_at_its_own_price(load: Any) -> None:
    table = Table(load).play("2@4.4/SW 2@1.5/NE end quiet end")
    assert table.top("5.3") == "r"
    assert table.cost("+5.3") == 1
    assert table.cost("+0.6") == 2
    # 5.3 no longer lets anybody in at 4.4; what is left are the mountains.
    assert table.cost("+4.4") == 2


@rule("JA-19")
def test_ja_19_a_board_space_with_all_outside_neighbours_covered_is_no_edge(load: Any) -> None:
    # 4.4 has the outside neighbours 4.2 and 5.3.
    table = Table(load).play("3@4.4/SW end quiet end")
    assert table.top("4.2") == table.top("5.3") == "r"
    assert not table.can("+4.4")
    assert table.can("+4.2")
    assert table.cost("+4.2") == 2


@rule("JA-19")
def test_ja_19_entering_needs_a_figure_in_supply(load: Any) -> None:
    table = Table(load, quarry=30).play("2@5.5/E 2@5.9/E r@5.13 +5.5 +5.7 end quiet end")
    table.play("r@4.4 r@4.14 +5.9 +5.11 +5.13 +4.4 end quiet end")
    table.play("2@1.5/E +4.14 +1.5 +1.7 end quiet end 2@1.9/E +1.9 +1.11 end quiet end")
    assert table.seen()["supply"]["figures"] == [1, 12]
    table.play("2@1.13/NE")
    assert table.can("+1.13")
    table.play("+0.14")
    assert table.seen()["supply"]["figures"] == [0, 12]
    assert starting("+", table.legal) == []
    table.play("end quiet end quiet")
    assert starting("+", table.legal) == []
    assert table.play("-5.5").can("+1.13")


@rule("JA-20")
def test_ja_20_each_change_of_colour_costs_one_ap(load: Any) -> None:
    # From 5.5 in the south-west: rice 5.5, village 5.7, rice 5.9, village 5.11.
    table = Table(load).play("2@5.7/W 2@5.11/W +5.5 end quiet end 5.5>")
    assert table.legal == [">5.7", ">5.9", ">5.11"]
    assert [table.cost(token) for token in table.legal] == [1, 2, 3]


@rule("JA-20")
def test_ja_20_one_colour_is_free_whatever_the_heights(load: Any) -> None:
    table = Table(load).play("r@5.5 2@4.6/SE r@4.6 +5.5 end quiet end")
    assert [table.height(name) for name in ("5.5", "4.6", "5.7")] == [1, 2, 1]
    table.play("5.5>")
    assert [table.cost(token) for token in (">4.6", ">5.7")] == [0, 0]


@rule("JA-20")
def test_ja_20_the_cheapest_path_counts(load: Any) -> None:
    # From 5.5 to 5.9: over the village 5.7 two changes; over the rice 4.6 and 4.8 none.
    table = Table(load).play("r@5.5 v@5.7 r@5.9 +5.5 end quiet end")
    assert table.after("5.5>").cost(">5.9") == 2
    table.play("3@3.7/SE end quiet end")
    assert [table.top(name) for name in ("4.6", "4.8")] == ["r", "r"]
    assert table.after("5.5>").cost(">5.9") == 0


@rule("JA-20")
def test_ja_20_figures_do_not_walk_over_water_palaces_and_bare_spaces(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end")
    # West of the palace lies rice; 3.9 itself and the ring around keep the figure away from it.
    table.play("3.11>")
    assert ">3.9" not in table.legal
    assert ">4.8" not in table.legal  # bare
    assert table.legal == [">2.12", ">3.13", ">4.10", ">5.9", ">5.11"]


@rule("JA-20")
def test_ja_20_own_figures_may_be_passed_others_not(load: Any) -> None:
    lane = Table(load).play("r@5.5 r@5.7 r@5.9 +5.5 +5.7 end quiet end")
    assert lane.after("5.5>").legal == [">5.9"]
    other = Table(load).play("r@5.5 r@5.7 r@5.9 +5.5 end quiet +5.7 end")
    assert not other.can("5.5>")


@rule("JA-20")
def test_ja_20_over_the_outside_too(load: Any) -> None:
    table = Table(load).play("r@5.5 2@6.8/NW +5.5 end quiet end")
    table.play("5.5>")
    assert table.legal == [">5.7", ">6.8"]
    assert table.cost(">6.8") == 1


@rule("JA-21")
def test_ja_21_between_taking_up_and_setting_down_comes_nothing(load: Any) -> None:
    table = Table(load).play("2@5.7/W +5.5 end quiet end 5.5>")
    assert table.legal == [">5.7"]
    assert table.seen()["lifted"] == "5.5"
    assert table.figures == {"5.5": 0}
    assert table.player == 0
    table.play(">5.7")
    assert table.seen()["lifted"] is None
    assert table.figures == {"5.7": 0}


@rule("JA-21")
def test_ja_21_taking_up_is_free_and_legal_only_with_a_goal(load: Any) -> None:
    table = Table(load).play("r@5.5 r@1.9 +5.5 +1.9 end quiet end")
    assert starting("", [token for token in table.legal if token.endswith(">")]) == []
    table.play("v@5.7")
    assert [token for token in table.legal if token.endswith(">")] == ["5.5>"]
    assert table.cost("5.5>") == 0


@rule("JA-21")
def test_ja_21_a_goal_must_be_affordable(load: Any) -> None:
    table = Table(load).play("r@5.5 v@5.7 +5.5 end quiet end quiet open *m pile *m w@3.9 w@3.7 w@3.11")
    assert table.seen()["ap"] == 0
    assert not table.can("5.5>")  # the token gives no AP before it is used
    assert table.after("extra").can("5.5>")


def rice_lane(load: Any) -> Table:
    """Rice 5.5 to 5.11 and a village 5.13, figures of player 0 on 5.5 and 5.7."""
    table = Table(load).play("r@5.5 r@5.7 r@5.9 v@5.13 +5.5 +5.7 end quiet end")
    return table.play("2@4.10/SE")


@rule("JA-22")
def test_ja_22_a_free_move_may_not_start_where_one_ended(load: Any) -> None:
    table = rice_lane(load)
    assert table.top("5.11") == "r"
    table.play("5.7> >5.9")
    assert table.seen()["started"] == ["5.7"]
    assert table.seen()["ended"] == ["5.9"]
    # For 5.9 the rice is barred now, the villages are not.
    assert table.play("5.9>").legal == [">4.10", ">5.13"]


@rule("JA-22")
def test_ja_22_a_free_move_may_not_end_where_one_started(load: Any) -> None:
    table = rice_lane(load).play("5.7> >5.9 5.5>")
    assert table.legal == [">4.10", ">5.11", ">5.13"]  # not 5.7, at no price


@rule("JA-22")
def test_ja_22_an_action_that_costs_ap_clears_the_memory_extra_does_not(load: Any) -> None:
    table = rice_lane(load).play("5.7> >5.9")
    for action in ("w@3.7", "open *m", "pile *m", "quiet", "5.5> >4.10", "-5.5"):
        after = table.after(action)
        assert after.seen()["started"] == after.seen()["ended"] == [], action
        assert after.after("5.9>").can(">5.7"), action
    after = table.after("extra")
    assert after.seen()["started"] == ["5.7"]
    assert not after.after("5.9>").can(">5.7")


@rule("JA-22")
def test_ja_22_dear_moves_are_never_restricted(load: Any) -> None:
    table = rice_lane(load).play("5.7> >5.9 5.9> >5.13")
    assert table.seen()["started"] == []
    assert table.after("5.13>").can(">5.9")


@rule("JA-22")
def test_ja_22_a_new_turn_remembers_nothing(load: Any) -> None:
    table = rice_lane(load).play("5.7> >5.9 end")
    assert table.seen()["started"] == table.seen()["ended"] == []


@rule("JA-22")
def test_ja_22_free_moves_come_to_an_end(load: Any) -> None:
    table = rice_lane(load)
    chosen = random.Random(22)
    for _ in range(6):
        moves = 0
        copy = table.after("")
        while True:
            free = [
                (up, down)
                for up in copy.legal
                if up.endswith(">")
                for down in copy.after(up).legal
                if copy.after(f"{up} {down}").seen()["ap"] == copy.seen()["ap"]
            ]
            if not free:
                break
            copy.play(" ".join(chosen.choice(free)))
            moves += 1
        assert 1 <= moves <= 2  # one for each figure


# Palaces.


@rule("JA-23")
def test_ja_23_a_palace_may_not_exceed_its_settlement(load: Any) -> None:
    table = Table(load).play(f"{VILLAGE} +5.9 5.9> >3.11")
    assert starting("P", table.legal) == ["P3.9=2", "P4.10=2"]
    table.play("end 3@2.10/NW end")
    # Four villages now, the one with the figure does not qualify as a place.
    tokens = starting("P", table.legal)
    assert tokens == [f"P{space}={value}" for value in (2, 4) for space in ("2.10", "3.9", "4.10")]


@rule("JA-23")
def test_ja_23_building_costs_one_ap_and_a_tile_of_the_supply(load: Any) -> None:
    table = Table(load).play(f"{VILLAGE} +5.9 5.9> >3.11")
    assert table.cost("P3.9=2") == 1
    table.play("P3.9=2")
    assert table.seen()["supply"]["palaces"] == [5, 7, 8, 9, 10]
    assert table.palaces == {"3.9": (2, True)}
    assert table.top("3.9") == "v"
    assert table.height("3.9") == 1


@rule("JA-23")
def test_ja_23_expanding_is_building_a_higher_value_on_the_palace(load: Any) -> None:
    table = Table(load).play(f"{CITY} end 3@2.10/NW end")
    assert starting("P", table.legal) == ["P3.9=4"]
    table.play("P3.9=4")
    assert table.palaces == {"3.9": (4, True)}
    assert table.seen()["supply"]["palaces"] == [5, 6, 8, 9, 10]  # the 2 stays underneath
    assert table.scores == [3, 0]


@rule("JA-23")
def test_ja_23_a_used_palace_may_be_expanded_and_is_fresh_again(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(f"{CITY} F3.9 lay:m 3@2.10/NW end")
    assert table.palaces == {"3.9": (2, False)}
    table.play("P3.9=4")
    assert table.palaces == {"3.9": (4, True)}


@rule("JA-23")
def test_ja_23_values_run_out(load: Any) -> None:
    table = Table(load)
    supply = table.seen()["supply"]["palaces"]
    table.play(CITY)
    assert table.seen()["supply"]["palaces"] == [supply[0] - 1, *supply[1:]]


@rule("JA-24")
def test_ja_24_only_the_first_and_alone_may_build_and_he_scores_half(load: Any) -> None:
    table = Table(load).play(f"{VILLAGE} +5.9 5.9> >3.11 end")
    assert starting("P", table.legal) == []  # player 1 has no figure there
    table.play("quiet +5.9 5.9> >4.10")
    assert starting("P", table.legal) == []  # as high as player 0
    table.play("end")
    assert starting("P", table.legal) == []
    table.play("v@3.9 end quiet 4.10> >3.9")
    assert starting("P", table.legal) == ["P4.10=2"]
    table.play("P4.10=2")
    assert table.scores == [0, 1]


@rule("JA-24")
def test_ja_24_figures_on_rice_do_not_count(load: Any) -> None:
    table = Table(load).play(f"{VILLAGE} +5.9")
    assert starting("P", table.legal) == []


@rule("JA-25")
def test_ja_25_each_palace_once_per_turn(load: Any) -> None:
    table = Table(load).play("3@3.9/W 3@3.11/NE 3@4.10/SE end 3@2.10/NW end")
    table.play("extra quiet +5.9 5.9> >3.11 P3.9=2")
    assert table.seen()["changed"] == ["3.9"]
    assert table.seen()["ap"] == 3
    assert starting("P", table.legal) == []
    table.play("end quiet end")
    assert starting("P", table.legal) == ["P3.9=4"]


@rule("JA-25")
def test_ja_25_turn_not_round(load: Any) -> None:
    # Player 1 may expand right after player 0 has built.
    table = Table(load).play(f"{CITY} end 3@2.10/NW v@4.10 +5.9 5.9> >4.10")
    assert starting("P", table.legal) == ["P3.9=4"]


def rivals(load: Any, **options: Any) -> Table:
    """A village of 3.9, 3.11 and 4.10, 2.10 and 4.8, the first three of them two high; rice around it.

    Player 0, to move, has figures on 3.9 (height 2) and 2.10 (height 1), player 1 one on 3.11 (height 2).
    """
    table = Table(load, **options).play(f"{VILLAGE} 2@2.10/NE 2@4.8/SW +5.9 end v@3.11 v@4.10 end")
    table.play("v@3.9 5.9> >3.9 +5.9 5.9> >2.10 end quiet +5.9 5.9> >3.11 end")
    assert table.figures == {"3.9": 0, "2.10": 0, "3.11": 1}
    return table


@rule("JA-26")
def test_ja_26_who_runs_out_of_figures_is_lower(load: Any) -> None:
    table = rivals(load)
    assert starting("P", table.legal) != []
    assert starting("P", table.play("quiet end").legal) == []


@rule("JA-26")
def test_ja_26_the_second_figure_decides(load: Any) -> None:
    table = rivals(load).play("quiet end quiet +5.9 5.9> >4.10")
    # Player 1 has 2 and 2 against 2 and 1.
    assert starting("P", table.legal) != []
    assert starting("P", table.play("end").legal) == []


@rule("JA-26")
def test_ja_26_equal_lists_are_a_tie(load: Any) -> None:
    table = rivals(load).play("quiet end quiet +5.9 5.9> >4.8")
    assert starting("P", table.legal) == []
    assert starting("P", table.play("end").legal) == []


@rule("JA-26")
def test_ja_26_the_third_figure_decides(load: Any) -> None:
    table = rivals(load).play("2@4.6/W 2@4.12/E v@4.6 end 2@4.12/NE +5.9 5.9> >4.10 end quiet +5.9 5.9> >4.6")
    assert starting("P", table.legal) != []  # 2 2 1 against 2 2
    table.play("end quiet +5.9")
    assert starting("P", table.after("5.9> >4.8").legal) == []  # 2 2 1 on both sides
    assert starting("P", table.after("5.9> >4.12").legal) != []  # 2 2 2 against 2 2 1


@rule("JA-26")
def test_ja_26_one_high_figure_beats_many_low_ones(load: Any) -> None:
    table = Table(load).play(f"{VILLAGE} 2@4.8/SW +5.9 end v@3.11 end")
    table.play("5.9> >3.9 quiet +5.9 5.9> >4.8 end")
    assert table.figures == {"3.9": 0, "4.8": 0}
    table.play("quiet +5.9 5.9> >3.11")
    assert starting("P", table.legal) != []


# Cards.


@rule("JA-27")
def test_ja_27_the_open_card_is_taken_and_replaced_at_once(load: Any) -> None:
    table = Table(load, deal="m m m d d d md")
    assert table.cost("open") == 1
    table.play("open")
    assert table.player == -1
    seen = table.seen(1)
    assert (seen["draw"], seen["cards"]["open"]) == ("open", None)
    assert seen["cards"]["known"] == [[0, 0, 0, 1, 0, 0], [0] * 6]
    table.play("*p")
    assert table.player == 0
    assert table.seen(1)["cards"]["open"] == "p"
    assert table.seen(1)["cards"]["unknown"] == [3, 3]
    assert table.seen(0)["cards"]["hand"] == [3, 0, 0, 1, 0, 0]
    assert table.seen(0)["cards"]["pile"] == 22


@rule("JA-27")
def test_ja_27_a_card_from_the_pile_is_hidden(load: Any) -> None:
    table = Table(load, deal="m m m d d d md").play("pile")
    assert table.seen(1)["draw"] == "pile"
    md, p = table.after("*md"), table.after("*p")
    assert md.seen(0)["cards"]["hand"] == [3, 0, 0, 1, 0, 0]
    assert p.seen(0)["cards"]["hand"] == [3, 0, 1, 0, 0, 0]
    assert md.seen(1) == p.seen(1)
    assert md.seen(1)["cards"]["unknown"] == [4, 3]
    assert md.seen(1)["cards"]["open"] == "md"
    assert (md.state.observation_tensor(1) == p.state.observation_tensor(1)).all()


@rule("JA-27")
def test_ja_27_two_cards_a_turn_of_both_kinds_together(load: Any) -> None:
    for first in ("open *", "pile *"):
        for second in ("open *", "pile *"):
            table = Table(load).play(f"{first} {second}")
            assert not table.can("open")
            assert not table.can("pile")
            table.play("quiet end")
            assert table.can("open")
            assert table.can("pile")


def empty_pile(load: Any) -> Table:
    """Player 0 held a festival with one card m; then 22 of the 23 cards of the pile were drawn."""
    table = Table(load, deal="m m m d d d m").play(f"{CITY} F3.9 lay:m")
    assert table.seen()["cards"]["discards"] == [1, 0, 0, 0, 0, 0]
    for _ in range(11):
        table.play("quiet pile * pile * end")
    assert table.seen()["cards"]["pile"] == 1
    return table


@rule("JA-27")
def test_ja_27_the_discards_become_the_pile_when_a_card_is_needed(load: Any) -> None:
    table = empty_pile(load).play("quiet pile *")
    # Not touched before.
    assert table.seen()["cards"]["discards"] == [1, 0, 0, 0, 0, 0]
    assert table.seen()["cards"]["pile"] == 0
    table.play("pile")
    assert table.seen()["cards"]["discards"] == [0] * 6
    assert table.seen()["cards"]["pile"] == 1
    assert table.state.chance_outcomes() == [(table.state.string_to_action("*m"), 1.0)]


@rule("JA-27")
def test_ja_27_also_for_the_open_card(load: Any) -> None:
    table = empty_pile(load).play("quiet open")
    assert table.seen()["cards"]["discards"] == [1, 0, 0, 0, 0, 0]
    table.play("* open")
    assert table.legal == ["*m"]
    table.play("*m")
    assert table.seen()["cards"]["open"] == "m"
    assert table.seen()["cards"]["pile"] == 0


@rule("JA-27")
def test_ja_27_with_pile_and_discards_empty_neither_card_can_be_taken(load: Any) -> None:
    table = empty_pile(load).play("quiet pile * pile * end")
    assert table.seen()["cards"]["pile"] == sum(table.seen()["cards"]["discards"]) == 0
    assert table.seen()["cards"]["open"] is not None
    assert not table.can("open")
    assert not table.can("pile")


@rule("JA-28")
def test_ja_28_a_hand_has_no_limit(load: Any) -> None:
    table = empty_pile(load)
    assert sum(table.seen(0)["cards"]["hand"]) == 12  # 3 - 1 + 10
    assert sum(table.seen(1)["cards"]["hand"]) == 15  # 3 + 12
    assert table.can("pile")


# Festivals.


@rule("JA-29", "JA-R9")
def test_ja_29_a_festival_is_free_and_ends_the_turn(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(CITY)
    assert table.seen()["ap"] == 0
    assert table.can("F3.9")
    table.play("F3.9 lay:m")
    assert table.player == 1
    assert table.seen()["turn"] == 1


@rule("JA-29")
def test_ja_29_not_while_a_land_tile_is_owed(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(f"{CITY} end quiet end")
    assert not table.can("F3.9")
    assert table.play("quiet").can("F3.9")


@rule("JA-29")
def test_ja_29_the_mover_needs_a_matching_card(load: Any) -> None:
    for opened, match in (("m", True), ("p", False), ("md", True), ("dp", False), ("pm", True)):
        table = Table(load, deal=f"m m m d d d {opened}").play(CITY)
        assert table.can("F3.9") == match, opened


@rule("JA-29")
def test_ja_29_the_palace_must_be_fresh_and_the_city_hold_an_own_figure(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(f"{CITY} end quiet")
    assert not table.after("+5.9").can("F3.9")
    table = Table(load, deal="m m m m d d m").play(f"{CITY} end quiet +5.9")
    assert starting("F", table.legal) == []  # on the rice outside of the city
    table.play("5.9> >4.10")
    assert table.can("F3.9")
    table.play("end quiet F3.9 lay:m stop pass quiet")
    assert starting("F", table.legal) == []  # used


def court(load: Any, deal: str, players: int = 2) -> Table:
    """Player 0 begins a festival in a city with a fresh palace of 4, where all players have a figure.

    They stand two high on 3.9 (player 0) and 3.11 (player 1), one high on 4.8 (player 2). Scores: 2, 0, 0.
    """
    table = Table(load, players=players, deal=deal)
    table.play(f"{VILLAGE} 2@2.10/NE 2@4.8/SW +5.9 end v@3.9 v@3.11 end")
    if players == 3:
        table.play("quiet end")
    table.play("quiet 5.9> >3.9 P4.10=4 end quiet +1.11 1.11> >3.11 end")
    if players == 3:
        table.play("quiet +5.9 5.9> >4.8 end")
    assert table.scores == [2] + [0] * (players - 1)
    return table.play("quiet F4.10")


@rule("JA-30")
def test_ja_30_the_mover_begins_and_must_lay(load: Any) -> None:
    table = court(load, "m m d m pm p md")
    assert table.player == 0
    assert table.legal == ["lay:m", "lay:d"]
    table.play("lay:m")
    assert table.legal == ["stop", "lay:m", "lay:d"]


@rule("JA-30")
def test_ja_30_only_players_with_a_figure_in_the_city_take_part(load: Any) -> None:
    table = Table(load, players=3, deal="m md pm m md pm m md d m")
    table.play(f"{CITY} end quiet +5.9 end quiet end")
    table.play("quiet F3.9")
    assert table.seen()["festival"]["in"] == [0]
    assert table.play("lay:m").player == 1  # the next turn
    table = court(load, "m m m d d d m")
    assert table.seen()["festival"]["in"] == [0, 1]


@rule("JA-30")
def test_ja_30_then_clockwise_cards_or_a_pass_for_good(load: Any) -> None:
    table = court(load, "m md md m md d m pm d m", players=3).play("lay:m stop")
    assert table.player == 1
    assert table.legal == ["pass", "lay:m", "lay:md"]
    table.play("pass")
    assert table.player == 2
    assert table.legal == ["pass", "lay:m", "lay:pm"]  # d does not match
    table.play("lay:m stop")
    assert table.player == 0
    table.play("lay:md stop")
    assert table.player == 2  # player 1 is out


@rule("JA-30")
def test_ja_30_a_further_card_is_of_the_same_or_a_later_kind(load: Any) -> None:
    table = court(load, "m md pm m m d m")
    assert table.legal == ["lay:m", "lay:md", "lay:pm"]
    table.play("lay:md")
    assert table.legal == ["stop", "lay:pm"]
    # The next turn of bidding starts again.
    table.play("stop lay:m stop")
    assert table.player == 0
    assert table.legal == ["pass", "lay:m", "lay:pm"]


@rule("JA-30", "G-3")
def test_ja_30_a_forced_pass_is_an_action(load: Any) -> None:
    table = court(load, "m m m p p p m").play("lay:m stop")
    assert table.player == 1
    assert table.legal == ["pass"]


@rule("JA-31")
@pytest.mark.parametrize(
    ("opened", "worth"),
    [
        ("m", [1, 0, 0, 1, 0, 1]),
        ("dp", [0, 1, 1, 1, 2, 1]),
        ("pm", [1, 0, 1, 1, 1, 2]),
        ("md", [1, 1, 0, 2, 1, 1]),
    ],
)
def test_ja_31_a_card_counts_the_symbols_it_shares_with_the_open_card(load: Any, opened: str, worth: list[int]) -> None:
    # Player 0 lays a card worth 1, player 1 a card of each kind; their other cards are worth nothing.
    against, other = KINDS[worth.index(1)], KINDS[worth.index(0)]
    for kind, symbols in zip(KINDS, worth, strict=True):
        table = court(load, f"{against} {other} {other} {kind} {other} {other} {opened}")
        table.play(f"lay:{against} stop")
        if symbols == 0:
            assert table.legal == ["pass"]
            continue
        table.play(f"lay:{kind} stop pass")
        # With two symbols player 1 has won; with one it is a tie, and they are asked again.
        assert (table.seen()["festival"] is None) == (symbols == 2)
        assert table.scores == ([2, 2] if symbols == 2 else [2, 0])


@rule("JA-31")
def test_ja_31_alone_one_card_is_enough(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(f"{CITY} F3.9")
    assert table.seen()["festival"]["in"] == [0]
    table.play("lay:m")
    assert table.seen()["festival"] is None
    assert table.seen()["cards"]["hand"] == [2, 0, 0, 0, 0, 0]
    assert table.scores == [2, 0]


@rule("JA-31")
def test_ja_31_it_ends_with_the_pass_that_leaves_a_strict_first(load: Any) -> None:
    table = court(load, "m md d m md d m").play("lay:m lay:md stop pass")
    assert table.seen()["festival"] is None
    assert table.scores == [4, 0]


@rule("JA-31", "JA-R11")
def test_ja_31_the_last_one_left_is_asked_while_he_is_not_strictly_first(load: Any) -> None:
    table = court(load, "m md d m md pm m").play("lay:m lay:md stop lay:m stop pass")
    assert table.player == 1
    assert table.legal == ["pass", "lay:md", "lay:pm"]
    table.play("lay:md")
    assert table.legal == ["stop", "lay:pm"]  # level with player 0
    table.play("stop")
    assert table.player == 1  # asked again
    assert table.legal == ["pass", "lay:pm"]
    # The card that makes them strictly first ends it, and no stop follows.
    table.play("lay:pm")
    assert table.seen()["festival"] is None
    assert table.scores == [2, 2]


@rule("JA-31")
def test_ja_31_not_before_the_others_have_passed(load: Any) -> None:
    table = court(load, "m m m d d d m").play("lay:m lay:m lay:m stop")
    assert table.player == 1
    assert table.seen()["festival"] is not None


@rule("JA-31", "JA-R11")
def test_ja_31_all_have_passed(load: Any) -> None:
    table = court(load, "m m m m d d m").play("lay:m stop lay:m stop pass pass")
    assert table.seen()["festival"] is None
    assert table.scores == [3, 1]  # a tie on a palace of 4
    table = court(load, "m md d m md d m").play("lay:m lay:md stop lay:m stop pass pass")
    assert table.scores == [4, 0]


@rule("JA-31")
def test_ja_31_the_first_among_those_who_passed_wins(load: Any) -> None:
    table = court(load, "m md d m d d m pm d m", players=3)
    table.play("lay:m lay:md stop lay:m stop lay:m stop pass pass")
    assert table.player == 2
    assert table.legal == ["pass", "lay:pm"]
    assert table.play("pass").scores == [4, 0, 0]


METROPOLIS = "2@2.4/NE 2@2.6/NE 2@2.8/NE 2@2.10/NE 2@2.12/NE end 3@3.5/SE 3@3.9/SE 3@3.13/SE v@3.7 v@3.11 end"


@rule("JA-32")
@pytest.mark.parametrize(("value", "half", "share"), [(2, 1, 0), (4, 2, 1), (6, 3, 2), (8, 4, 2), (10, 5, 3)])
def test_ja_32_half_the_palace_or_a_share_of_the_tie(load: Any, value: int, half: int, share: int) -> None:
    table = Table(load, deal="m md d m md d m").play(METROPOLIS)
    table.play(f"quiet +1.5 1.5> >2.4 P3.9={value} end quiet +1.7 1.7> >2.6 end quiet F3.9")
    assert table.scores == [half, 0]
    assert table.after("lay:m lay:md stop lay:m stop pass pass").scores == [2 * half, 0]
    assert table.after("lay:m stop lay:m lay:md stop pass").scores == [half, half]
    tie = table.after("lay:m stop lay:m stop pass pass")
    assert tie.scores == [half + share, share]


@rule("JA-32")
def test_ja_32_only_those_tied_for_most_share(load: Any) -> None:
    table = court(load, "m md d m md d pm d p m", players=3)
    table.play("lay:m lay:md stop lay:m lay:md stop lay:pm stop pass pass pass")
    assert table.scores == [3, 1, 0]


@rule("JA-32")
def test_ja_32_cards_laid_are_discarded_the_open_card_stays_and_the_palace_is_used(load: Any) -> None:
    table = court(load, "m md m m m d m").play("lay:m lay:md stop lay:m")
    assert table.seen()["cards"]["discards"] == [0] * 6
    assert table.seen()["festival"]["laid"] == [[1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0]]
    assert table.palaces == {"4.10": (4, True)}
    table.play("stop pass pass")
    assert table.seen()["cards"]["discards"] == [2, 0, 0, 1, 0, 0]
    assert table.seen()["cards"]["open"] == "m"
    assert table.palaces == {"4.10": (4, False)}


# The end.


def last_tile(load: Any, players: int = 2, **options: Any) -> Table:
    """As `court`, but no festival; the mover has just placed the last three-space tile in the quarry."""
    return court_before_the_end(load, players, **options).lay_all()


def court_before_the_end(load: Any, players: int, **options: Any) -> Table:
    """As `court`, but no festival: player 0 is to move."""
    table = Table(load, quarry=60, players=players, **options)
    table.play(f"{VILLAGE} 2@2.10/NE 2@4.8/SW +5.9 end v@3.9 v@3.11 end")
    if players == 3:
        table.play("quiet end")
    table.play("quiet 5.9> >3.9 P4.10=4 end quiet +1.11 1.11> >3.11 end")
    if players == 3:
        table.play("quiet +5.9 5.9> >4.8 end")
    return table


@rule("JA-34")
def test_ja_34_the_others_have_one_more_turn_each(load: Any) -> None:
    table = last_tile(load, 3)
    last = table.player
    assert table.seen()["final"] is None
    table.play("end")
    assert table.seen()["final"] == last
    for step in (1, 2):
        assert table.player == (last + step) % 3
        table.play("end")
    assert table.player == -4
    assert table.legal == []
    assert table.state.is_terminal()


@rule("JA-34", "JA-R9")
def test_ja_34_a_turn_that_ends_with_a_festival_triggers_the_end_too(load: Any) -> None:
    table = last_tile(load, 2, deal="m md pm m md pm m")
    last = table.player
    table.play("F4.10 lay:m stop lay:m stop pass")
    assert table.seen()["final"] is None
    before = table.scores
    table.play("pass")
    assert table.seen()["final"] == last
    # A share of 1 for both in the festival, 4 for the first final count.
    assert table.scores[last] == before[last] + 5
    assert table.scores[1 - last] == before[1 - last] + 1


@rule("JA-34")
def test_ja_34_each_final_count_follows_the_players_own_last_turn(load: Any) -> None:
    table = last_tile(load, 2)
    last = table.player
    assert table.scores == [2, 0]
    table.play("end")
    assert table.scores == [2 + 4 * (last == 0), 4 * (last == 1)]
    table.play("end")
    assert table.scores == [6, 4]  # a tie for rank 1


@rule("JA-34a")
def test_ja_34a_turns_without_a_land_tile_end_the_game(load: Any) -> None:
    table = Table(load, "\n\n   .\n", quarry=0, players=3, irrigation_on_perimeter=True)
    table.play("w@1.3 end")
    assert table.seen()["barren"] == 1
    table.play("end")
    assert (table.seen()["barren"], table.seen()["final"]) == (2, None)
    table.play("end")
    assert (table.seen()["barren"], table.seen()["final"]) == (0, 2)
    table.play("end")
    assert table.player == 1
    table.play("end")
    assert table.player == -4


@rule("JA-34a")
def test_ja_34a_a_turn_that_ends_with_a_festival_counts_too(load: Any) -> None:
    """On two spaces stand a palace and a figure: nothing can be placed any more."""
    table = Table(load, PAIR, quarry=0, deal="m m m d d d m").play("v@1.3 v@1.5 +1.5 P1.3=2 end end")
    assert (table.seen()["barren"], table.player) == (1, 0)
    table.play("F1.3 lay:m")
    assert (table.seen()["barren"], table.seen()["final"]) == (0, 0)
    assert table.player == 1
    assert table.play("end").player == -4


@rule("JA-34a")
def test_ja_34a_a_land_tile_begins_the_count_anew(load: Any) -> None:
    table = Table(load, PAIR, quarry=0).play("r@1.3 v@1.5 +1.3 end end")
    assert table.seen()["barren"] == 1
    table.play("-1.3 2@1.3/E end")
    assert table.seen()["barren"] == 0
    assert table.seen()["final"] is None


@rule("JA-35")
def test_ja_35_rank_one_the_value_rank_two_half(load: Any) -> None:
    # 3.9 and 2.10 of player 0 against 3.11 of player 1: 2 1 against 2.
    table = rivals(load, quarry=60).play("quiet P4.10=4 end")
    table.lay_all().play("end end")
    assert table.player == -4
    assert table.scores == [2 + 4, 2]


@rule("JA-35")
def test_ja_35_ties_get_all_and_the_next_list_is_rank_two(load: Any) -> None:
    table = last_tile(load, 3).play("end end end")
    assert table.scores == [2 + 4, 4, 2]


@rule("JA-35")
def test_ja_35_the_third_rank_and_villages_score_nothing(load: Any) -> None:
    table = court_before_the_end(load, 3)
    # Player 0 comes to 2 and 2, player 1 has 2, player 2 has 1.
    table.play("v@2.10 +1.11 1.11> >2.10 end")
    assert table.height("2.10") == 2
    # A village apart from the city, with a figure of player 2.
    table.play("quiet end v@5.13 +5.13 end")
    table.lay_all().play("end end end")
    assert table.scores == [2 + 4, 2, 0]


@rule("JA-35")
def test_ja_35_on_the_board_as_it_stands(load: Any) -> None:
    # Player 0 has 2 and 1 in their count; then player 1 with 2 gets level and has rank 1 as well.
    table = rivals(load, quarry=60).play("quiet P4.10=4 end quiet end").lay_all()
    assert table.play("end").scores == [2 + 4, 0]
    assert table.after("end").scores == [6, 2]
    assert table.after("+5.9 5.9> >4.8 end").scores == [6, 4]


def tokens_by_lead(table: Table) -> set[str]:
    return {table.state.action_to_string(action) for action in chosen_by_lead(table.state, 32)}


@rule("JA-34", "JA-35")
def test_ja_35_the_points_if_the_game_ended_here(load: Any) -> None:
    table = rivals(load, quarry=60).play("quiet P4.10=4 end")
    assert (table.scores, table.state.scores_if_over()) == ([2, 0], [2 + 4, 2])
    table.lay_all()
    assert table.state.scores_if_over() == [6, 2]
    table.play("end")
    assert table.state.scores_if_over() == [6, 2]
    counted = last_tile(load, 3).play("end")
    for step in ("end", "end"):
        assert counted.state.scores_if_over() == [2 + 4, 4, 2]
        counted.play(step)
    assert counted.scores == counted.state.scores_if_over() == [6, 4, 2]


@rule("JA-34", "JA-35")
def test_ja_35_a_search_counts_the_final_counts_to_come() -> None:
    """A figure of player 1 ranks first on 3.9 like that of player 2, who has their count later, and on 2.10 alone."""
    table = court_before_the_end(tilery.load, 3).play("v@2.10 r@2.12 2@2.10/E 3.9> >2.8 end")
    table.play("quiet quiet quiet quiet quiet quiet end v@3.7 4.8> >3.7 quiet end").lay_all().play("end 3.11>")
    assert table.player == 1
    assert table.after(">3.9 end end").scores == [2, 4, 4]
    assert table.after(">2.10 end end").scores == [2, 4, 2]
    assert tokens_by_lead(table) == {">2.10"}


@rule("JA-34", "JA-35")
def test_ja_35_a_search_counts_no_final_count_again() -> None:
    """The same for player 0, when player 1 has had their count."""
    table = court_before_the_end(tilery.load, 2).play("v@2.10 r@2.12 2@2.10/E v@4.8 end").lay_all().play("end 3.9>")
    assert table.player == 0
    for place in (">4.8", ">2.10"):
        assert table.after(f"{place} end").scores == [6, 4]
    assert tokens_by_lead(table) == {">4.8", ">2.10"}


@rule("JA-36")
def test_ja_36_in_the_last_turns_no_land_tile_is_owed(load: Any) -> None:
    table = last_tile(load, 3).play("end")
    assert table.seen()["owed"] is False
    assert table.can("end")
    # Nor is anything kept for one: 7 AP, and no land tile.
    table.play("extra w@4.6 open * pile * +5.9 -5.9 +5.9 -5.9")
    assert table.seen()["ap"] == 0
    assert table.can("end")


@rule("JA-33")
def test_ja_33_after_his_final_count_a_player_still_takes_part_in_festivals(load: Any) -> None:
    table = last_tile(load, 2, deal="m md pm m md pm m")
    last = table.player
    table.play("end")
    before = table.scores
    table.play("F4.10 lay:m stop lay:m lay:md stop pass")
    assert table.player == -4
    assert table.scores[last] == before[last] + 2


@rule("JA-18")
def test_ja_18_after_his_final_count_a_player_still_scores_water(load: Any) -> None:
    table = Table(load, quarry=60).play("w@3.9 2@2.8/E r@3.7 r@3.11 end 3@4.10/SE end")
    table.play("quiet +5.9 5.9> >4.10 end quiet end")
    table.lay_all()
    assert table.player == 0
    table.play("end r@4.8")
    assert table.seen()["final"] == 0
    assert table.scores == [3, 0]


@rule("JA-37")
def test_ja_37_most_points_win_and_ties_share(load: Any) -> None:
    table = last_tile(load, 2)
    assert list(table.state.returns()) == [0.0, 0.0]
    table.play("end end")
    assert table.scores == [6, 4]
    assert list(table.state.returns()) == [1.0, -1.0]
    empty = Table(load, "\n\n   .\n", quarry=0, players=3, irrigation_on_perimeter=True)
    empty.play("w@1.3 end end end end end")
    assert empty.scores == [0, 0, 0]
    assert list(empty.state.returns()) == [0.0, 0.0, 0.0]


# What a player knows.


@rule("JA-38")
def test_ja_38_hands_are_hidden_but_for_open_cards_taken(load: Any) -> None:
    first = Table(load, deal="m m d p p p md").play("open *d")
    second = Table(load, deal="dp dp md p p p md").play("open *d")
    assert first.seen(1) == second.seen(1)
    assert first.seen(0) != second.seen(0)
    assert first.seen(1)["cards"]["known"][0] == [0, 0, 0, 1, 0, 0]


@rule("JA-38")
def test_ja_38_a_card_laid_is_taken_to_be_a_known_one(load: Any) -> None:
    table = Table(load, deal="m d d m p p m").play(f"{VILLAGE} open *m end")
    table.play("quiet end +5.9 5.9> >3.11 P3.9=2 quiet")
    assert table.seen()["cards"]["known"][0] == [1, 0, 0, 0, 0, 0]
    assert table.seen()["cards"]["unknown"] == [3, 3]
    table.play("F3.9 lay:m")
    assert table.seen()["cards"]["known"][0] == [0] * 6
    assert table.seen()["cards"]["unknown"] == [3, 3]
    assert table.seen()["cards"]["hand"] == [1, 2, 0, 0, 0, 0]


@rule("JA-38")
def test_ja_38_a_card_not_known_comes_from_the_unknown_ones(load: Any) -> None:
    table = Table(load, deal="m d d m p p m").play(f"{CITY} F3.9 lay:m")
    assert table.seen()["cards"]["unknown"] == [2, 3]


INFORMATION_KEYS = {
    "": "seat player turn draw ap owed token taken changed lifted started ended barren final "
    "scores supply board cards festival",
    "supply": "three water palaces two rice village tokens figures",
    "board": "tops heights bonds palaces figures",
    "cards": "hand known unknown open discards pile",
    "festival": "palace in laid last",
}


@rule("JA-38")
def test_ja_38_the_information_state_is_one_line_of_json_with_ordered_keys(load: Any) -> None:
    table = court(load, "m m m d d d m").play("lay:m")
    text = table.state.information_state_string(1)
    assert text.isascii()
    assert " " not in text
    assert "\n" not in text
    seen = table.seen(1)
    for key, names in INFORMATION_KEYS.items():
        assert list(seen[key] if key else seen) == names.split(), key
    assert json.dumps(seen, separators=(",", ":")) == text
    assert seen["festival"] == {
        "palace": "4.10",
        "in": [0, 1],
        "laid": [[1, 0, 0, 0, 0, 0], [0] * 6],
        "last": "m",
    }
    # The rest of the turn is bidding, so nothing else of the turn is kept.
    assert [seen[key] for key in ("ap", "token", "taken", "changed", "started", "ended")] == [
        0,
        False,
        0,
        [],
        [],
        [],
    ]


@rule("JA-38")
def test_ja_38_a_new_game_as_documented(load: Any) -> None:
    text = load("java").new_initial_state().information_state_string(0)
    documented = (
        '{"seat":0,"player":-1,"turn":0,"draw":"deal","ap":0,"owed":false,"token":false,"taken":0,"changed":[],'
        '"lifted":null,"started":[],"ended":[],"barren":0,"final":null,"scores":[0,0],"supply":{"three":56,'
        '"water":16,"palaces":[6,7,8,9,10],"two":[5,5],"rice":[3,3],"village":[2,2],"tokens":[3,3],'
        '"figures":[12,12]},"board":{"tops":"....'
    )
    assert text.startswith(documented)
    assert text.endswith(
        '"bonds":[],"palaces":[],"figures":[]},"cards":{"hand":[0,0,0,0,0,0],"known":[[0,0,0,0,0,0],[0,0,0,0,0,0]],'
        '"unknown":[0,0],"open":null,"discards":[0,0,0,0,0,0],"pile":30},"festival":null}'
    )


@rule("JA-38")
def test_ja_38_determinization_deals_unknown_cards_and_keeps_what_is_known(load: Any) -> None:
    table = Table(load, deal="m m m d d d m", players=2).play("quiet end open *p quiet end")
    hands = set()
    for seed in range(60):
        drawn_state = table.state.determinize(0, seed)
        assert drawn_state.information_state_string(0) == table.state.information_state_string(0)
        assert (drawn_state.observation_tensor(0) == table.state.observation_tensor(0)).all()
        assert drawn_state.legal_actions() == table.state.legal_actions()
        cards = json.loads(drawn_state.information_state_string(1))["cards"]
        hand = cards["hand"]
        assert cards["known"] == [[0] * 6, [1, 0, 0, 0, 0, 0]]
        assert sum(hand) == 4
        assert hand[0] <= 5 - 3  # the other three m are player 0's
        assert hand[0] >= 1
        hands.add(tuple(hand))
    assert len(hands) > 10
    assert table.state.determinize(0, 7) == table.state.determinize(0, 7)


@rule("JA-38")
def test_ja_38_determinization_by_the_documented_draws(load: Any) -> None:
    # One draw for each unknown card of seat 1 from here, then of seat 2; the rest is the pile.
    table = Table(load, deal="m m m d d d p p p md", players=3)
    stream = Rng(38)
    unseen = [5, 2, 5, 4, 5, 5]  # all but the own d d d and the open md
    hands = []
    for _ in range(2):
        hand = [0] * 6
        for _ in range(3):
            left = stream.below(sum(unseen))
            kind = next(kind for kind in range(6) if left < sum(unseen[: kind + 1]))
            unseen[kind] -= 1
            hand[kind] += 1
        hands.append(hand)
    state = table.state.determinize(1, 38)
    assert [json.loads(state.information_state_string(player))["cards"]["hand"] for player in (2, 0)] == hands
    state.apply_action(state.string_to_action("pile"))
    outcomes = {state.action_to_string(action)[1:]: chance for action, chance in state.chance_outcomes()}
    assert outcomes == {kind: count / 20 for kind, count in zip(KINDS, unseen, strict=True) if count}


@rule("JA-R5")
def test_ja_r5_the_mover_of_a_festival_has_a_card_to_lay_in_every_determinization(load: Any) -> None:
    table = court(load, "m p p p p d m")
    for seed in range(30):
        state = table.state.determinize(1, seed)
        hand = json.loads(state.information_state_string(0))["cards"]["hand"]
        assert hand[0] + hand[3] + hand[5] >= 1
        assert state.legal_actions() != []
    # Once they have laid it, nothing more is known of their hand.
    table.play("lay:m stop")
    without = 0
    for seed in range(30):
        hand = json.loads(table.state.determinize(1, seed).information_state_string(0))["cards"]["hand"]
        without += hand[0] + hand[3] + hand[5] == 0
    assert without > 0


@rule("JA-38")
def test_ja_38_determinization_without_anything_unknown_draws_nothing(load: Any) -> None:
    state = load("java").new_initial_state()
    assert state.determinize(0, 1) == state


# Tokens.


@rule("JA-40", "JA-41", "JA-42", "JA-43", "JA-44")
def test_ja_40_to_44_every_id_has_one_token_and_every_token_one_id(load: Any) -> None:
    game = load("java")
    state = game.new_initial_state()
    tokens = [state.action_to_string(action) for action in range(game.num_distinct_actions)]
    assert len(set(tokens)) == len(tokens) == 4651
    assert [state.string_to_action(token) for token in tokens] == list(range(len(tokens)))
    assert tokens[:18] == [
        *(f"*{kind}" for kind in KINDS),
        *("end", "extra", "open", "pile", "stop", "pass"),
        *(f"lay:{kind}" for kind in KINDS),
    ]
    sorts = ["3@", "2@", "r@", "v@", "w@", "+", "-", ">", "P", "F"]
    assert [len(starting(sort, tokens)) for sort in sorts] == [
        1062,
        1134,
        211,
        211,
        95,
        116,
        116,
        211,
        1055,
        211,
    ]
    assert len([token for token in tokens if token.endswith(">")]) == 211
    for action in (-1, len(tokens)):
        with pytest.raises(ValueError, match=str(action)):
            state.action_to_string(action)


@rule("JA-41", "JA-42", "JA-43")
def test_ja_41_to_43_ids_are_in_the_documented_order(load: Any) -> None:
    table = Table(load, PAIR, quarry=0)
    tokens = [table.state.action_to_string(action) for action in range(table.game.num_distinct_actions)]
    land = ["1.3", "1.5"]
    spaces = ["0.2", "0.4", "0.6", "1.1", "1.3", "1.5", "1.7", "2.2", "2.4", "2.6"]
    places = {tuple(int(part) for part in name.split(".")) for name in spaces}

    def fits(name: str, *directions: str) -> bool:
        row, column = (int(part) for part in name.split("."))
        return all((row + STEPS[way][0], column + STEPS[way][1]) in places for way in directions)

    ways = list(STEPS)
    expected = [
        f"3@{name}/{way}" for k, way in enumerate(ways) for name in spaces if fits(name, way, ways[(k + 1) % 6])
    ]
    expected += [f"2@{name}/{way}" for way in ways for name in spaces if fits(name, way)]
    expected += [f"{sort}@{name}" for sort in "rv" for name in spaces]
    expected += [f"{sign}{name}" for sign in "+-" for name in spaces]
    expected += [f"{name}>" for name in spaces] + [f">{name}" for name in spaces]
    expected += [f"P{name}={value}" for value in (2, 4, 6, 8, 10) for name in spaces] + [f"F{name}" for name in spaces]
    assert tokens[18:] == expected
    with_water = Table(load, PAIR, quarry=0, irrigation_on_perimeter=True)
    water = [with_water.state.string_to_action(f"w@{name}") for name in land]
    assert water == [
        with_water.state.string_to_action("+0.2") - 2,
        with_water.state.string_to_action("+0.2") - 1,
    ]


BAD_TOKENS = [
    "",
    "END",
    "end ",
    " end",
    "lay:dm",
    "*x",
    "3@3.9",
    "3@3.9/X",
    "3@03.9/E",
    "3@3.9/EE",
    "r@3.99",
    "P3.9=3",
]
BAD_TOKENS += ["3.9", "3.9>4.8", "w@3.17", "+3.9", "r@3,9", "r@\uff13.9", "F", "2@-1.3/E"]


@rule("JA-40", "JA-41", "JA-42", "JA-43", "JA-44")
@pytest.mark.parametrize("token", BAD_TOKENS)
def test_ja_40_to_44_bad_and_impossible_tokens_are_refused(load: Any, token: str) -> None:
    state = Table(load).state
    with pytest.raises(ValueError, match=r"position \d+"):
        state.string_to_action(token)


# Options.


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 1),
        ("players", 5),
        ("players", 2.0),
        ("players", True),
        ("board", None),
        ("token_timing", "end"),
        ("token_timing", None),
        ("two_on_three", 1),
        ("irrigation_on_perimeter", "yes"),
        ("irrigation_scoring", "both"),
        ("colour", "red"),
    ],
)
def test_options_are_checked_by_name(load: Any, option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        load("java", **{option: value})


def test_options_and_their_defaults(load: Any) -> None:
    assert load("java").rules.as_dict() == {
        "players": 2,
        "board": "java-153",
        "token_timing": "any",
        "two_on_three": True,
        "irrigation_on_perimeter": False,
        "irrigation_scoring": "per_body",
        "land_reserve": "before",
    }
    assert list(load("java").rules) == [
        *("players", "board", "token_timing", "two_on_three", "irrigation_on_perimeter", "irrigation_scoring"),
        "land_reserve",
    ]


def test_official_sets_all_official_options_at_once(load: Any) -> None:
    official = type(load("java")).official(players=4, board="java-155")
    assert official.rules.as_dict() == {
        "players": 4,
        "board": "java-155",
        "token_timing": "turn_start",
        "two_on_three": True,
        "irrigation_on_perimeter": False,
        "irrigation_scoring": "per_space",
        "land_reserve": "before",
    }
    assert official.name == "java"


# States are values.


def wander(table: Table, chosen: random.Random) -> None:
    """Takes one action: a sort of action at random, then one of the sort."""
    sorts: dict[str, list[str]] = {}
    for token in table.legal:
        sorts.setdefault(token[-1] if token.endswith(">") else token[:2] if "@" in token else token[0], []).append(
            token
        )
    table.play(chosen.choice(sorts[chosen.choice(sorted(sorts))]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_the_laws(load: Any, players: int) -> None:
    chosen = random.Random(players)
    options = {
        "token_timing": chosen.choice(["any", "turn_start"]),
        "two_on_three": chosen.choice([True, False]),
        "irrigation_on_perimeter": chosen.choice([True, False]),
    }
    table = Table(load, players=players, **options)
    played = 3 * players + 1
    while table.player != -4:
        legal = table.state.legal_actions()
        assert legal
        assert all(low < high for low, high in pairwise(legal))
        if played % 10 == 0:
            copy = table.game.deserialize_state(table.state.serialize())
            assert copy == table.state == table.state.clone()
            assert hash(copy) == hash(table.state)
            assert copy.legal_actions() == legal
            for player in range(players):
                guess = table.state.determinize(player, played)
                assert guess.information_state_string(player) == table.state.information_state_string(player)
            seen = table.seen()
            supply, cards = seen["supply"], seen["cards"]
            assert all(0 <= figures <= 12 for figures in supply["figures"])
            assert sum(supply["figures"]) + len(seen["board"]["figures"]) == 12 * players
            on_table = sum(map(sum, seen["festival"]["laid"])) if seen["festival"] else 0
            hands = sum(cards["unknown"]) + sum(map(sum, cards["known"]))
            opened = int(cards["open"] is not None)
            assert hands + opened + cards["pile"] + sum(cards["discards"]) + on_table == 30
            assert table.state.observation_tensor(0).shape == tuple(table.game.observation_tensor_shape)
        before = table.scores
        wander(table, chosen)
        assert all(now >= then for now, then in zip(table.scores, before, strict=True))
        played += 1
    assert played <= table.game.max_game_length


def test_the_length_of_a_game_is_bounded_as_documented(load: Any) -> None:
    for n in (2, 3, 4):
        game, turns = load("java", players=n), n * (56 + 10 * n) + 2 * n - 1
        if load is not tilery.load:
            assert game.max_decisions == 181 * turns + 81 * n + 40 * (58 + n)
            assert game.max_chance_nodes == 3 * n + 1 + 2 * turns
        assert game.max_game_length == 183 * turns + 84 * n + 1 + 40 * (58 + n)


def test_the_observation_shows_board_and_counts_as_documented(load: Any) -> None:
    table = court(load, "m m d d m m m d d md", players=3).play("lay:m")
    tensor = table.state.observation_tensor(1)
    assert tensor.shape == tuple(table.game.observation_tensor_shape)
    n = 3
    assert tensor.shape[0] == 60 + 25 * n
    rows = [int(name.split(".")[0]) for name in ("0.4", "6.4")]
    assert rows == [0, 6]

    def at(plane: int, name: str) -> int:
        row, column = (int(part) for part in name.split("."))
        return int(tensor[plane, row, column // 2])  # the least row is 0 and the least column 1

    assert [at(plane, "3.9") for plane in (0, 1, 2, 3)] == [1, 0, 0, 0]
    assert [at(plane, "3.17") for plane in (0, 1, 2, 3)] == [0, 1, 0, 0]
    assert [at(plane, "0.4") for plane in (0, 1, 2, 3)] == [0, 0, 1, 0]
    assert [at(plane, "6.4") for plane in (0, 1, 2, 3)] == [0, 0, 0, 1]
    assert [at(4, name) for name in ("3.9", "4.8", "4.10", "5.5")] == [2, 1, 1, 0]
    assert [at(5, name) for name in ("3.7", "3.9")] == [1, 0]
    assert [at(6, name) for name in ("3.7", "3.9", "4.10")] == [0, 1, 1]
    assert [at(8, name) for name in ("3.9", "4.10")] == [0, 4]
    assert [at(9, name) for name in ("3.9", "4.10")] == [0, 1]
    assert [at(11, name) for name in ("3.9", "4.8", "4.10", "5.9")] == [1, 2, 0, 0]
    assert [at(plane, "4.8") for plane in (12, 13, 14)] == [0, 0, 1]  # bound to 5.7 in the south-west
    # Figures of seats 0, 1, 2 from player 1: players 1, 2, 0.
    assert [at(15, "3.11"), at(16, "4.8"), at(17, "3.9"), at(15, "3.9")] == [1, 1, 1, 0]
    assert at(21, "4.10") == 1
    numbers = tensor[22:]
    assert (numbers == numbers[:, :1, :1]).all()
    flat = [int(value) for value in numbers[:, 0, 0]]
    assert len(flat) == 41 + 24 * n
    seen = table.seen(1)

    def seats(values: list[int]) -> list[int]:
        return [values[1], values[2], values[0]]

    supply, cards = seen["supply"], seen["cards"]
    assert flat == [
        *seats(seen["scores"]),
        *(0, 0, 0),
        *(value for key in ("two", "rice", "village", "tokens", "figures") for value in seats(supply[key])),
        *(count for player in (1, 2, 0) for count in cards["known"][player]),
        *seats(cards["unknown"]),
        *cards["hand"],
        *(count for player in (1, 2, 0) for count in seen["festival"]["laid"][player]),
        *(1, 1, 1),
        *(0, 0, 1),
        *(0, 0, 1),
        *(0, 0, 0),
        *(int(kind == "md") for kind in KINDS),
        *cards["discards"],
        cards["pile"],
        *(int(kind == "m") for kind in KINDS),
        *(seen["ap"], int(seen["owed"]), int(seen["token"]), seen["taken"], seen["barren"]),
        *(supply["three"], supply["water"], *supply["palaces"]),
        *(0, 0, 0),
        0,
    ]
