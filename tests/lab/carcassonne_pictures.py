"""Makes the outlines of the tiles and the places of meeples, as drawings need them.

    python -m tests.lab.carcassonne_pictures

writes `python/tilery/data/carcassonne-pictures.json` from the tile types. A tile is 100 by 100; its cities and roads
are paths of SVG as they lie in rotation 0. `anchors` says where a meeple stands on each segment, and `things` where
houses, firs and the like are; these stay upright when a tile is turned.
"""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import tilery.errors

DATA = Path(tilery.errors.__file__).parent / "data"
TARGET = DATA / "carcassonne-pictures.json"

Point = tuple[float, float]
Cell = tuple[int, int]

SIDES = "NESW"
MIDDLE: dict[str, Point] = {"N": (50, 0), "E": (100, 50), "S": (50, 100), "W": (0, 50)}
HALF_EDGE: dict[str, Point] = {
    "NL": (25, 2), "NR": (75, 2), "EL": (98, 25), "ER": (98, 75), "SL": (75, 98), "SR": (25, 98), "WL": (2, 75),
    "WR": (2, 25),
}  # fmt: skip
CENTRE: Point = (50, 50)
STEP = 4
"""The tile is looked at in squares of this size."""
CELLS = 100 // STEP


class Curve(NamedTuple):
    """A quadratic curve, or a line if the control point is between the ends."""

    start: Point
    control: Point
    end: Point

    def turned(self, times: int) -> Curve:
        return Curve(*(turned(point, times) for point in self))

    def points(self, count: int = 12) -> list[Point]:
        def at(t: float) -> Point:
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            return tuple(a * p + b * q + c * r for p, q, r in zip(*self, strict=True))  # type: ignore[return-value]

        return [at(i / count) for i in range(count + 1)]

    def path(self) -> str:
        return f"M{text(self.start)}{self.on()}"

    def on(self) -> str:
        """The path from where the pen is."""
        return f"Q{text(self.control)} {text(self.end)}"


class Shape(NamedTuple):
    """A city: its walls, and the path and corners of its outline."""

    walls: list[Curve]
    path: str
    outline: list[Point]


def text(point: Point) -> str:
    return f"{round(point[0])} {round(point[1])}"


def turned(point: Point, times: int) -> Point:
    """A point after quarter turns of the tile, clockwise."""
    for _ in range(times % 4):
        point = (100 - point[1], point[0])
    return point


def city(edges: str) -> Shape:
    """The city with these edges."""
    if len(edges) == 4:
        corners: list[Point] = [(0, 0), (100, 0), (100, 100), (0, 100)]
        return Shape([], "M0 0H100V100H0Z", corners)
    if len(edges) == 1:
        walls, more, times = [Curve((0, 0), (50, 56), (100, 0))], [], SIDES.index(edges)
    elif edges in ("NS", "EW"):
        walls = [Curve((0, 0), (38, 50), (0, 100)), Curve((100, 100), (62, 50), (100, 0))]
        more, times = [], 0 if edges == "NS" else 1
    elif len(edges) == 2:
        walls, more = [Curve((0, 0), (22, 78), (100, 100))], [(100, 0)]
        times = ["NE", "ES", "SW", "NW"].index(edges)
    else:
        walls, more = [Curve((0, 100), (56, 50), (0, 0))], [(100, 0), (100, 100)]
        (open_side,) = set(SIDES) - set(edges)
        times = (SIDES.index(open_side) + 1) % 4
    walls = [wall.turned(times) for wall in walls]
    more = [turned(point, times) for point in more]
    path = walls[0].path()
    for wall in walls[1:]:
        path += f"L{text(wall.start)}{wall.on()}"
    path += "".join(f"L{text(point)}" for point in more) + "Z"
    return Shape(walls, path, [point for wall in walls for point in wall.points()] + more)


def inside(outline: list[Point], point: Point) -> bool:
    x, y = point
    odd = False
    for (a, b), (c, d) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            odd = not odd
    return odd


def distance(point: Point, line: list[Point]) -> float:
    """From a point to a line of several pieces."""
    best = math.inf
    for (a, b), (c, d) in itertools.pairwise(line):
        length = math.hypot(c - a, d - b) or 1
        t = max(0.0, min(1.0, ((point[0] - a) * (c - a) + (point[1] - b) * (d - b)) / length**2))
        best = min(best, math.hypot(point[0] - a - t * (c - a), point[1] - b - t * (d - b)))
    return best


def road(tile: dict[str, Any], number: int, cities: list[Shape]) -> Curve:
    edges, end = tile["roads"][number]["edges"], tile["roads"][number]["ends_at"]
    if len(edges) == 2:
        crossing = len(tile["roads"]) == 2  # the bridge: each road passes on its side
        control = CENTRE if not crossing else (62, 38) if edges == "NE" else (38, 62)
        return Curve(MIDDLE[edges[0]], control, MIDDLE[edges[1]])
    start = MIDDLE[edges]
    if end == "city":
        return road_to_city(start, cities)
    last = CENTRE if end == "monastery" else between(start, CENTRE, 0.85)
    return Curve(start, between(start, last, 0.5), last)


def road_to_city(start: Point, cities: list[Shape]) -> Curve:
    """Straight on to the wall, or around the middle of the tile to the nearest point of it."""
    straight = [between(start, CENTRE, k / 20) for k in range(4, 21)]
    for point in straight:
        if any(inside(shape.outline, point) for shape in cities):
            return Curve(start, between(start, point, 0.5), point)
    walls = [point for shape in cities for wall in shape.walls for point in wall.points()]
    return Curve(start, CENTRE, min(walls, key=lambda point: math.dist(point, CENTRE)))


def between(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def centre_of(cell: Cell) -> Point:
    return (cell[0] * STEP + STEP / 2, cell[1] * STEP + STEP / 2)


class Tile:
    """The squares of a tile by what covers them, and what is drawn there."""

    def __init__(self, tile: dict[str, Any]) -> None:
        self.tile = tile
        self.cities = [city(each["edges"]) for each in tile["cities"]]
        self.roads = [road(tile, number, self.cities) for number in range(len(tile["roads"]))]
        ends = {each["ends_at"] for each in tile["roads"]}
        self.middle = (
            "m" if tile["monastery"] else "village" if "village" in ends else "trees" if "trees" in ends else ""
        )
        self.label = {(i, j): self.covers(centre_of((i, j))) for i in range(CELLS) for j in range(CELLS)}
        self.fill_fields()
        self.anchors = {
            name: self.anchor(name) for name in sorted({*self.label.values()}) if name[:1] in "cfrm" and name
        }
        self.things: list[tuple[str, Point]] = []

    def covers(self, point: Point) -> str:
        """What is at a point: a segment, the thing in the middle, or `f` for some field."""
        for number, shape in enumerate(self.cities):
            if inside(shape.outline, point):
                return f"c{number}"
        if self.middle and math.dist(point, CENTRE) < (22 if self.middle == "m" else 14):
            return "m" if self.middle == "m" else ""
        for number, curve in enumerate(self.roads):
            if distance(point, curve.points()) < 6:
                return f"r{number}"
        return "f"

    def fill_fields(self) -> None:
        """Number the fields, each from its half edges."""
        for number, field in enumerate(self.tile["fields"]):
            stack = [(int(x // STEP), int(y // STEP)) for x, y in (HALF_EDGE[half] for half in field["half_edges"])]
            while stack:
                i, j = stack.pop()
                if self.label.get((i, j)) == "f":
                    self.label[i, j] = f"f{number}"
                    stack += [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
        # Corners that two cities cut off belong to nothing.
        self.label = {cell: "" if name == "f" else name for cell, name in self.label.items()}

    def depths(self, name: str) -> dict[Cell, float]:
        """How far each square of a segment is from all that is not of it."""
        border = [cell for cell, other in self.label.items() if other != name]
        border += [(i, j) for k in range(CELLS) for i, j in ((-1, k), (CELLS, k), (k, -1), (k, CELLS))]
        return {
            cell: min(math.dist(cell, other) for other in border) * STEP
            for cell, other in self.label.items()
            if other == name
        }

    def anchor(self, name: str) -> Point:
        """Where a meeple stands: in the middle of a road, deep inside any other segment."""
        if name == "m":
            return (52, 62)
        if name[0] == "r":
            return self.roads[int(name[1:])].points(2)[1]
        depths = self.depths(name)
        centre = (CELLS // 2, CELLS // 2)
        return centre_of(max(depths, key=lambda cell: (depths[cell], -math.dist(cell, centre), cell)))

    def decorate(self) -> None:
        """Put up what only pleases the eye, away from where meeples stand."""
        for number, each in enumerate(self.tile["cities"]):
            self.build(number, each["shield"])
        if self.middle == "m":
            self.things.append(("monastery", CENTRE))
        elif self.middle == "village":
            self.things += [("house", place) for place in ((43, 42), (59, 45), (44, 58), (60, 61))]
        elif self.middle == "trees":
            self.things += [("tree", place) for place in ((45, 44), (57, 47), (50, 56))]
        if self.tile["animal"]:
            fields = [place for name, place in self.anchors.items() if name[0] == "f"]
            x, y = max(fields, key=lambda place: math.dist(place, CENTRE))
            self.things.append(("paw", (x + (15 if x < 60 else -15), y)))
        self.plant()

    def build(self, number: int, shield: bool) -> None:
        depths = self.depths(f"c{number}")
        taken = [self.anchors[f"c{number}"]]

        def room(cell: Cell) -> float:
            return min(math.dist(centre_of(cell), place) for place in taken)

        if shield:
            cell = max(depths, key=lambda cell: (min(depths[cell] * 1.5, room(cell)), cell))
            taken.append(centre_of(cell))
            self.things.append(("shield", taken[-1]))
        for _ in range(9):
            free = [(room(cell), cell) for cell, depth in depths.items() if depth > 8.5]
            if not free or max(free)[0] < 17:
                return
            taken.append(centre_of(max(free)[1]))
            self.things.append(("house", taken[-1]))

    def plant(self) -> None:
        """Firs in the snow, scattered by a generator of small numbers."""
        number = sum(map(ord, self.tile["id"])) * 7919
        taken = [*self.anchors.values(), *(place for _, place in self.things)]
        for _ in range(7):
            number = (number * 1103515245 + 12345) % 2**31
            x = 8 + number % 85
            number = (number * 1103515245 + 12345) % 2**31
            y = 10 + number % 82
            around = [((x + a) // STEP, (y + b) // STEP) for a in (-7, 0, 7) for b in (-9, 0, 5)]
            if all(self.label.get(cell, "")[:1] == "f" for cell in around) and all(
                math.dist((x, y), place) > 14 for place in taken
            ):
                taken.append((x, y))
                self.things.append(("fir", (x, y)))

    def data(self) -> dict[str, Any]:
        return {
            "cities": [
                {"outline": shape.path, "walls": "".join(wall.path() for wall in shape.walls)} for shape in self.cities
            ],
            "roads": [curve.path() for curve in self.roads],
            "anchors": {name: [round(x), round(y)] for name, (x, y) in self.anchors.items()},
            "things": [[kind, round(x), round(y)] for kind, (x, y) in self.things],
        }


def content() -> str:
    """The file: one line for each tile type."""
    box = json.loads((DATA / "carcassonne.json").read_text(encoding="utf-8"))
    lines = []
    for each in box["tiles"]:
        tile = Tile(each)
        segments = {f"{kind[0]}{i}" for kind in ("cities", "roads", "fields") for i in range(len(each[kind]))}
        assert {*tile.anchors} == segments | ({"m"} if each["monastery"] else set()), each["id"]
        tile.decorate()
        lines.append(f"{json.dumps(each['id'])}: {json.dumps(tile.data())}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(content(), encoding="utf-8")
