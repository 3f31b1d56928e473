"""Taj Mahal by its rules (TM-1 to TM-33) and the rulings TM-R1 and on of docs/rules/tajmahal.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Any, ClassVar, NoReturn, Self

from tilery.errors import OptionError
from tilery.protocol import CHANCE, TERMINAL
from tilery.reference import base
from tilery.reference.rng import Rng

COLOURS = "gvry"
SYMBOLS = "EMVGKP"
PERSONS = "VGKP"
SPECIAL_CARDS = ["sV", "sG", "sK", "sP"]
SYMBOLS_OF_SPECIAL = {"sV": "MM", "sG": "EE", "sK": "", "sP": ""}  # TM-21
COMMODITIES = ["rice", "tea", "spice", "gems"]
BONUS_KINDS = ["+2", "card", *COMMODITIES]
PROVINCES = "ABCDEFGHIJKL"
VISITS = 12
PALACES = 20  # TM-6
HAND_DEALT = 6  # TM-2 (c)
MOST_CARDS = 128

PHASES = ["provinces", "bonus", "deal", "display", "turn", "build", "crown", "draw", "take", "fictive", "over"]
CHANCE_PHASES = {"provinces", "bonus", "deal", "display", "draw", "fictive"}

# TM-30: all types in their order, 84 coloured and 6 white.
PAIRS = [first + second for first, second in combinations_with_replacement(SYMBOLS, 2)]
COLOURED_TYPES = [colour + pair for colour in COLOURS for pair in PAIRS]
WHITE_TYPES = ["w" + symbol for symbol in SYMBOLS]
TYPES = COLOURED_TYPES + WHITE_TYPES

NOBODY = -1

Cards = dict[str, int]
"""The number of cards of each type; only types of which there are some."""


def number_of(cards: Cards) -> int:
    return sum(cards.values())


def put(card: str, cards: Cards, copies: int = 1) -> None:
    cards[card] = cards.get(card, 0) + copies


def remove(card: str, cards: Cards) -> None:
    cards[card] -= 1
    if cards[card] == 0:
        del cards[card]


def move(card: str, source: Cards, target: Cards) -> None:
    remove(card, source)
    put(card, target)


def move_all(source: Cards, target: Cards) -> None:
    for card, copies in source.items():
        put(card, target, copies)
    source.clear()


# The data (TM-1, Options). Whatever is wrong in it is named.


def wrong(part: str, reason: str) -> NoReturn:
    raise OptionError(f"data: {part}: {reason}")


def part_of(data: Any, key: str, kind: type, path: str = "") -> Any:
    if key not in data:
        wrong(path + key, "is missing")
    if not isinstance(data[key], kind):
        wrong(path + key, f"must be {'an object' if kind is dict else 'a list'}, got {data[key]!r}")
    return data[key]


def check_count(part: str, value: Any, most: int) -> int:
    if not base.is_integer(value) or not 0 <= value <= most:
        wrong(part, f"must be a whole number from 0 to {most}, got {value!r}")
    return int(value)


class Game(base.Game):
    """The rules of Taj Mahal with all options fixed, the map and the cards as tables, and the tokens."""

    name = "tajmahal"
    score_sources: ClassVar = [
        "princess",
        "commodities",
        "bonus tiles",
        "taj mahal",
        "palaces",
        "special cards",
        "white cards",
        "cards of a colour",
    ]

    def __init__(self, **options: Any) -> None:
        given = base.Options(options)
        given.integer("players", 2, 5, default=3)
        given.choice("monk_colour", "later", "announce")
        data = given.content("data", {"shipped": "tajmahal.json"})
        self.rules = given.rules
        self._read_deck(data)
        self._read_map(data)
        self._read_tiles(data)
        self.tokens = list(self._all_tokens())

    def _read_deck(self, data: Any) -> None:
        deck = part_of(data, "deck", dict)
        for card, copies in deck.items():
            if card not in TYPES:
                wrong(f"deck.{card}", "is not a card type")
            check_count(f"deck.{card}", copies, 99)
        needed = 8 * self.num_players - 1
        if not needed <= sum(deck.values()) <= MOST_CARDS:
            allowed = f"{needed} to {MOST_CARDS} cards for {self.num_players} players"
            wrong("deck", f"must have {allowed}, got {sum(deck.values())}")
        self.deck: Cards = {card: deck[card] for card in TYPES if deck.get(card, 0) > 0}
        self.types = list(self.deck)
        self.coloured = [card for card in self.types if card[0] != "w"]
        self.white = [card for card in self.types if card[0] == "w"]

    def _read_map(self, data: Any) -> None:
        fortress: dict[str, bool] = {}
        for index, city in enumerate(part_of(data, "cities", list)):
            part = f"cities[{index}]"
            if not isinstance(city, dict) or "id" not in city or "fortress" not in city:
                wrong(part, f"must be an object with id and fortress, got {city!r}")
            name = city["id"]
            if not (isinstance(name, str) and len(name) == 2 and name[0] in PROVINCES and name[1] in "123456789"):
                wrong(f"{part}.id", f"must be a letter A..L and a digit 1..9, got {name!r}")
            if name in fortress:
                wrong(f"{part}.id", f"city {name} is there twice")
            if not isinstance(city["fortress"], bool):
                wrong(f"{part}.fortress", f"must be true or false, got {city['fortress']!r}")
            fortress[name] = city["fortress"]
        self.cities = sorted(fortress)
        self.cities_of = {letter: [city for city in self.cities if city[0] == letter] for letter in PROVINCES}
        for letter in PROVINCES:
            if not self.cities_of[letter]:
                wrong("cities", f"province {letter} has none; there must be 12 provinces, A to L")

        taj_mahal = part_of(data, "taj_mahal", dict)
        city, points = (part_of(taj_mahal, key, object, "taj_mahal.") for key in ("city", "points"))
        if not isinstance(city, str) or not fortress.get(city, False):
            wrong("taj_mahal.city", f"must be a city that is a fortress, got {city!r}")
        self.taj_mahal: str = city
        self.taj_mahal_points = check_count("taj_mahal.points", points, 99)
        self.taj_mahal_province = self.taj_mahal[0]
        self.bonus_cities = [city for city in self.cities if fortress[city] and city != self.taj_mahal]

        self.neighbours: dict[str, set[str]] = {city: set() for city in self.cities}
        for index, road in enumerate(part_of(data, "roads", list)):
            part = f"roads[{index}]"
            if not isinstance(road, list) or len(road) != 2 or road[0] == road[1]:
                wrong(part, f"must be a pair of different cities, got {road!r}")
            for city in road:
                if not isinstance(city, str) or city not in self.neighbours:
                    wrong(part, f"there is no city {city!r}")
            self.neighbours[road[0]].add(road[1])
            self.neighbours[road[1]].add(road[0])

    def _read_tiles(self, data: Any) -> None:
        production = part_of(data, "province_tiles", dict)
        self.production: dict[int, list[str]] = {}
        for visit in range(1, VISITS + 1):
            goods = part_of(production, str(visit), list, "province_tiles.")
            if len(goods) not in (1, 2) or any(good not in COMMODITIES for good in goods):
                among = ", ".join(COMMODITIES)
                wrong(f"province_tiles.{visit}", f"must be one or two of {among}, got {goods}")
            self.production[visit] = goods
        for number in production:
            if number not in map(str, self.production):
                wrong(f"province_tiles.{number}", "there are tiles 1 to 12")
        bonus = part_of(data, "bonus_tiles", dict)
        for kind, copies in bonus.items():
            if kind not in BONUS_KINDS:
                wrong(f"bonus_tiles.{kind}", f"is not a bonus tile; there are {', '.join(BONUS_KINDS)}")
            check_count(f"bonus_tiles.{kind}", copies, 999)
        needed = len(self.bonus_cities)
        if sum(bonus.values()) != needed:
            wrong("bonus_tiles", f"one less than fortresses are needed: {needed}, not {sum(bonus.values())}")
        self.bonus_tiles: dict[str, int] = {kind: bonus[kind] for kind in BONUS_KINDS if bonus.get(kind, 0) > 0}

    # Tokens (TM-30 to TM-33) in the order of their ids.

    def _all_tokens(self) -> Iterator[str]:
        yield from ("*" + card for card in self.types)
        yield from ("*" + letter for letter in PROVINCES if letter != self.taj_mahal_province)
        yield from ("*" + kind for kind in self.bonus_tiles)
        yield from ("out", "none")
        yield from self.coloured
        yield from (f"{card}+{white}" for card in self.coloured for white in self.white)
        yield from (f"{card}+{special}" for special in SPECIAL_CARDS for card in self.coloured)
        if self.rules["monk_colour"] == "announce":
            yield from (f"{card}+sK/{colour}" for colour in COLOURS for card in self.coloured)
        yield from ("at:" + city for city in self.cities)
        yield from ("crown:" + city for city in self.cities)
        yield from ("take:" + card for card in self.types)

    @property
    def max_decisions(self) -> int:
        """Withdrawals, cards taken, palaces built or declined, cards played.

        What is played was dealt, or taken or drawn in one of the first eleven visits.
        """
        n, displays = self.num_players, 2 * self.num_players - 1
        palaces = 4 + 1
        played = HAND_DEALT * n + (VISITS - 1) * (displays + n) + self.bonus_tiles.get("card", 0)
        return VISITS * (n + displays + palaces) + played

    @property
    def max_chance_nodes(self) -> int:
        """Set-up (TM-2), displays (TM-4), cards drawn (TM-19), and six cards of a fictive player in a visit (TM-26)."""
        n, displays = self.num_players, 2 * self.num_players - 1
        set_up = VISITS - 1 + len(self.bonus_cities) + HAND_DEALT * n
        fictive_cards = len(COLOURS + "w") + 1 if n == 2 else 0
        return set_up + VISITS * (displays + n + fictive_cards) + self.bonus_tiles.get("card", 0)

    def new_initial_state(self) -> State:
        return State(self)


class State(base.State[Game]):
    """A position. Cards are multisets; `known` holds those cards of a hand that everybody has seen in it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        n = game.num_players
        self.phase = "provinces"
        self.visit = 1
        self.turn = NOBODY
        # The map.
        self.provinces: list[str] = []  # those with number 1, 2, ... so far; number 12 needs no entry
        self.bonus: dict[str, str] = {}
        self.ordinary: dict[str, int] = {}
        self.mogul: dict[str, int] = {}
        # The players' things.
        self.points = [0] * n
        self.goods = [dict.fromkeys(COMMODITIES, 0) for _ in range(n)]
        self.tiles = [dict.fromkeys(PERSONS, 0) for _ in range(n)]
        self.special = dict.fromkeys(SPECIAL_CARDS, NOBODY)
        # Cards.
        self.pile: Cards = dict(game.deck)
        self.discards: Cards = {}
        self.display: Cards = {}
        self.hands: list[Cards] = [{} for _ in range(n)]
        self.known: list[Cards] = [{} for _ in range(n)]
        # The visit.
        self.still_in = [False] * n
        self.offer: set[str] = set()
        self.played: list[Cards] = [{} for _ in range(n)]
        self.used: set[str] = set()  # special cards on the table
        self.colour: list[str | None] = [None] * n
        self.fictive_in = False
        self.fictive_cards: Cards = {}
        # The withdrawal under way.
        self.persons_to_build = 0
        self.mogul_to_build = False
        self.draws = 0
        self.takes = 0
        self.first: str | None = None

    # Who acts, and what is possible.

    def current_player(self) -> int:
        if self.phase == "over":
            return TERMINAL
        return CHANCE if self.phase in CHANCE_PHASES else self.turn

    def _outcomes(self) -> Mapping[int, int]:
        ids = self.game.ids
        if self.phase == "provinces":
            given_out = {*self.provinces, self.game.taj_mahal_province}
            return {ids["*" + letter]: 1 for letter in PROVINCES if letter not in given_out}
        if self.phase == "bonus":
            lying = list(self.bonus.values())
            left = {kind: copies - lying.count(kind) for kind, copies in self.game.bonus_tiles.items()}
            return {ids["*" + kind]: copies for kind, copies in left.items() if copies > 0}
        return {ids["*" + card]: copies for card, copies in self.pile.items()}

    def _decisions(self) -> list[int]:
        ids = self.game.ids
        if self.phase == "turn":
            return [ids["out"]] + [ids[token] for token in self.plays()]
        if self.phase == "build":
            return [ids["none"]] + [ids["at:" + city] for city in self.cities_to_build_in()]
        if self.phase == "crown":
            return [ids["none"]] + [ids["crown:" + city] for city in self.game.cities_of[self.province()]]
        return [ids["take:" + card] for card in self.cards_to_take()]

    def plays(self) -> Iterator[str]:
        """TM-7, TM-8: a coloured card alone, or with one white or one special card."""
        player = self.turn
        hand, colour = self.hands[player], self.colour[player]
        white = [card for card in hand if card[0] == "w"]
        special = [card for card in SPECIAL_CARDS if self.special[card] == player and card not in self.used]  # TM-21
        for card in hand:
            if card[0] == "w":
                continue
            if colour is None or card[0] == colour:
                yield card
                yield from (f"{card}+{companion}" for companion in white)
                yield from (f"{card}+{companion}" for companion in special if companion != "sK")
            if "sK" in special:
                if colour is None and self.game.rules["monk_colour"] == "announce":
                    yield from (f"{card}+sK/{named}" for named in COLOURS)
                else:
                    yield f"{card}+sK"

    def cities_to_build_in(self) -> list[str]:
        """TM-13, TM-14: cities of the province without an ordinary palace, above the last one built in."""
        cities = self.game.cities_of[self.province()]
        last = max((city for city in cities if self.ordinary.get(city) == self.turn), default="")
        return [city for city in cities if city > last and city not in self.ordinary]

    def cards_to_take(self) -> list[str]:
        """TM-19: the second card is not earlier than the first, and the first leaves such a second one."""
        types = self.game.types
        from_first = types if self.first is None else types[types.index(self.first) :]
        cards = [card for card in from_first if card in self.display]
        if self.takes == 2 and self.display[cards[-1]] == 1:
            cards.pop()
        return cards

    def _apply(self, action: int) -> None:
        token = self.game.tokens[action]
        do = {
            "provinces": self.number_province,
            "bonus": self.lay_bonus_tile,
            "deal": self.deal,
            "display": self.lay_out,
            "turn": self.play,
            "build": self.build,
            "crown": self.crown,
            "draw": self.draw,
            "take": self.take,
            "fictive": self.turn_up_for_fictive_player,
        }
        do[self.phase](token.removeprefix("*"))

    # Set-up (TM-2).

    def number_province(self, letter: str) -> None:
        self.provinces.append(letter)
        if len(self.provinces) == VISITS - 1:
            self.phase = "bonus" if self.game.bonus_cities else "deal"

    def lay_bonus_tile(self, kind: str) -> None:
        self.bonus[self.game.bonus_cities[len(self.bonus)]] = kind
        if len(self.bonus) == len(self.game.bonus_cities):
            self.phase = "deal"

    def deal(self, card: str) -> None:
        receiver = next(hand for hand in self.hands if number_of(hand) < HAND_DEALT)
        move(card, self.pile, receiver)
        if all(number_of(hand) == HAND_DEALT for hand in self.hands):
            self.begin_visit()

    # The course of a visit.

    def province(self) -> str:
        """TM-3: the province of the visit."""
        return [*self.provinces, self.game.taj_mahal_province][self.visit - 1]

    def start_player(self) -> int:
        return (self.visit - 1) % self.game.num_players

    def card_can_be_drawn(self) -> bool:
        """TM-5: a card is needed now; if the pile is empty the discards become the pile."""
        if not self.pile:
            move_all(self.discards, self.pile)
        return bool(self.pile)

    def begin_visit(self) -> None:
        """TM-4, TM-R10."""
        n = self.game.num_players
        self.still_in = [True] * n
        self.offer = set(SYMBOLS)
        self.fictive_in = n == 2
        self.turn = NOBODY
        if self.card_can_be_drawn():
            self.phase = "display"
        else:
            self.begin_turns()

    def lay_out(self, card: str) -> None:
        move(card, self.pile, self.display)
        if number_of(self.display) == 2 * self.game.num_players - 1 or not self.card_can_be_drawn():
            self.begin_turns()

    def begin_turns(self) -> None:
        self.phase = "turn"
        self.turn = self.start_player()

    def play(self, token: str) -> None:
        if token == "out":
            self.withdraw()
            return
        player = self.turn
        card, _, companion = token.partition("+")
        companion, _, named = companion.partition("/")
        self.lay_down(card)
        if companion in self.game.white:
            self.lay_down(companion)
        elif companion:
            self.used.add(companion)
        if companion != "sK":  # TM-8
            self.colour[player] = card[0]
        elif named:
            self.colour[player] = named
        if companion == "sP":  # TM-9
            self._give(player, 2, "princess", "TM-9", ["special:sP"])
        self.end_turn()

    def lay_down(self, card: str) -> None:
        """TM-28: a card played is a known one of its type if there is one."""
        move(card, self.hands[self.turn], self.played[self.turn])
        if card in self.known[self.turn]:
            remove(card, self.known[self.turn])

    def end_turn(self) -> None:
        """TM-25: while a player is in, a card for the fictive player if it is in; then the next player in."""
        if not any(self.still_in):
            self.end_visit()
        elif self.fictive_in and self.card_can_be_drawn():
            self.phase = "fictive"
        else:
            self.pass_turn()

    def pass_turn(self) -> None:
        """TM-7: clockwise among those still in."""
        self.turn = next(player for player in self._seats_from(self.turn + 1) if self.still_in[player])
        self.phase = "turn"

    # Withdrawing.

    def symbols_on(self, cards: Cards) -> dict[str, int]:
        return {symbol: sum(copies * card[1:].count(symbol) for card, copies in cards.items()) for symbol in SYMBOLS}

    def symbols_of(self, player: int) -> dict[str, int]:
        """TM-11, TM-21: the symbols on all cards a player has played in this visit."""
        special = {"s" + SYMBOLS_OF_SPECIAL[card]: 1 for card in self.used if self.special[card] == player}
        return self.symbols_on({**self.played[player], **special})

    def win_items(self, own: dict[str, int]) -> list[str]:
        """TM-11, TM-27: what someone with these symbols, no longer in, wins; it leaves the offer."""
        rivals = [self.symbols_of(player) for player, inside in enumerate(self.still_in) if inside]
        if self.fictive_in:
            rivals.append(self.symbols_on(self.fictive_cards))
        won = [
            symbol
            for symbol in SYMBOLS
            if symbol in self.offer and own[symbol] > 0 and all(own[symbol] > rival[symbol] for rival in rivals)
        ]
        self.offer -= set(won)
        return won

    def withdraw(self) -> None:
        """TM-11, TM-12."""
        player = self.turn
        self.still_in[player] = False
        won = self.win_items(self.symbols_of(player))
        for person in PERSONS:
            if person in won:
                self.tiles[player][person] += 1
                self.persons_to_build += 1
        self.mogul_to_build = "M" in won
        if "E" in won:
            for commodity in self.game.production[self.visit]:
                self.gain_commodity(player, commodity, f"province:{self.province()}")
        self.draws = 0 if self.played[player] else 1  # TM-19
        self.go_on_building()

    def gain_commodity(self, player: int, commodity: str, place: str) -> None:
        """TM-16: as many points as the player then has symbols of it."""
        self.goods[player][commodity] += 1
        self._give(player, self.goods[player][commodity], "commodities", "TM-16", [place])

    def palaces_left(self, player: int) -> int:
        """TM-6, TM-R1."""
        owners = [*self.ordinary.values(), *self.mogul.values()]
        return PALACES - owners.count(player)

    def go_on_building(self) -> None:
        """TM-14: first the ordinary palaces, then the mogul palace; a step without a choice is skipped."""
        palace_left = self.palaces_left(self.turn) > 0
        if self.persons_to_build and palace_left and self.cities_to_build_in():
            self.phase = "build"
            return
        self.persons_to_build = 0
        if self.mogul_to_build and palace_left:
            self.phase = "crown"
            return
        self.mogul_to_build = False
        self.end_building()

    def build(self, token: str) -> None:
        if token == "none":
            self.persons_to_build = 0
        else:
            city = token.removeprefix("at:")
            self.ordinary[city] = self.turn
            self.persons_to_build -= 1
            self.gain_bonus(city)
        self.go_on_building()

    def gain_bonus(self, city: str) -> None:
        """TM-15."""
        if city == self.game.taj_mahal:
            self._give(self.turn, self.game.taj_mahal_points, "taj mahal", "TM-15", [f"city:{city}"])
        if city not in self.bonus:
            return
        kind = self.bonus.pop(city)
        if kind == "+2":
            self._give(self.turn, 2, "bonus tiles", "TM-15", [f"city:{city}"])
        elif kind == "card":
            self.draws += 1
        else:
            self.gain_commodity(self.turn, kind, f"city:{city}")

    def crown(self, token: str) -> None:
        if token != "none":
            self.mogul[token.removeprefix("crown:")] = self.turn
        self.mogul_to_build = False
        self.go_on_building()

    def end_building(self) -> None:
        """TM-17, TM-18."""
        player = self.turn
        provinces = self.provinces_joined(player)
        self._give(player, len(provinces), "palaces", "TM-17", [f"province:{letter}" for letter in provinces])
        move_all(self.played[player], self.discards)
        self.used = {card for card in self.used if self.special[card] != player}
        self.colour[player] = None
        self.go_on_drawing()

    def provinces_joined(self, player: int) -> list[str]:
        """TM-17: the province of the visit, if built in, and those that own palaces join to it."""
        own = {city for palaces in (self.ordinary, self.mogul) for city in palaces if palaces[city] == player}
        start = [city for city in own if city[0] == self.province()]
        reached = base.reached(start, lambda city: self.game.neighbours[city] & own)
        return sorted({city[0] for city in reached})

    def go_on_drawing(self) -> None:
        """TM-19: hidden cards of the pile, then cards of the display."""
        if self.draws and self.card_can_be_drawn():
            self.phase = "draw"
            return
        self.draws = 0
        wanted = 2 if any(self.still_in) else 1
        self.takes = min(wanted, number_of(self.display))
        if self.takes:
            self.phase = "take"
        else:
            self.end_turn()

    def draw(self, card: str) -> None:
        move(card, self.pile, self.hands[self.turn])
        self.draws -= 1
        self.go_on_drawing()

    def take(self, token: str) -> None:
        """TM-19, TM-28: a card of the display is known to be held."""
        card = token.removeprefix("take:")
        move(card, self.display, self.hands[self.turn])
        put(card, self.known[self.turn])
        self.takes -= 1
        self.first = card if self.takes else None
        if not self.takes:
            self.end_turn()

    # The fictive player (TM-25 to TM-27).

    def turn_up_for_fictive_player(self, card: str) -> None:
        """TM-26, TM-R7."""
        if any(card[0] == lying[0] for lying in self.fictive_cards):
            move(card, self.pile, self.discards)
            self.fictive_in = False
            self.win_items(self.symbols_on(self.fictive_cards))
            move_all(self.fictive_cards, self.discards)
        else:
            move(card, self.pile, self.fictive_cards)
        self.pass_turn()

    # The end of a visit and of the game.

    def end_visit(self) -> None:
        """TM-20, TM-22, TM-27."""
        move_all(self.fictive_cards, self.discards)
        self.fictive_in = False
        self.offer.clear()
        for player, tiles in enumerate(self.tiles):
            for person in PERSONS:
                if tiles[person] == 2:
                    tiles[person] = 0
                    self.special["s" + person] = player
        if self.visit == VISITS:
            self.end_game()
        else:
            self.visit += 1
            self.begin_visit()

    def end_game(self) -> None:
        """TM-23, TM-R4."""
        self._count_at_end()
        self.known = [dict(hand) for hand in self.hands]
        self.turn = NOBODY
        self.phase = "over"

    def _count_at_end(self) -> None:
        """TM-23 for hands and special cards as they are held; cards on the table are in no hand."""
        for player in self._seats_from(self.turn):
            hand = self.hands[player]
            for source, points in (
                ("special cards", list(self.special.values()).count(player)),
                ("white cards", number_of_colour("w", hand)),
                ("cards of a colour", max(number_of_colour(colour, hand) for colour in COLOURS)),
            ):
                self._give(player, points, source, "TM-23")

    # What a player knows (TM-28).

    def in_order(self, cards: Cards) -> Cards:
        return {card: cards[card] for card in self.game.types if card in cards}

    def _seen_only_by(self, _action: int) -> int | None:
        """TM-28: a card dealt or drawn is seen by the player who gets it."""
        if self.phase == "deal":
            return next(seat for seat, hand in enumerate(self.hands) if number_of(hand) < HAND_DEALT)
        return self.turn if self.phase == "draw" else None

    def _public(self) -> dict[str, Any]:
        seen = self._information(0)
        return {key: value for key, value in seen.items() if key not in ("player", "hand")}

    def _information(self, player: int) -> dict[str, Any]:
        fictive = {"in": self.fictive_in, "cards": self.in_order(self.fictive_cards)}
        return {
            "player": player,
            "phase": self.phase,
            "visit": self.visit,
            "turn": self.turn,
            "provinces": self.provinces,
            "bonus": dict(sorted(self.bonus.items())),
            "ordinary": dict(sorted(self.ordinary.items())),
            "mogul": dict(sorted(self.mogul.items())),
            "points": self.points,
            "goods": [[goods[commodity] for commodity in COMMODITIES] for goods in self.goods],
            "tiles": [[tiles[person] for person in PERSONS] for tiles in self.tiles],
            "special": [self.special[card] for card in SPECIAL_CARDS],
            "used": [card for card in SPECIAL_CARDS if card in self.used],
            "in": self.still_in,
            "colour": self.colour,
            "played": [self.in_order(cards) for cards in self.played],
            "offer": [symbol for symbol in SYMBOLS if symbol in self.offer],
            "fictive": fictive if self.game.num_players == 2 else None,
            "display": self.in_order(self.display),
            "discards": self.in_order(self.discards),
            "pile": number_of(self.pile),
            "hand": self.in_order(self.hands[player]),
            "known": [self.in_order(cards) for cards in self.known],
            "hands": [number_of(hand) for hand in self.hands],
            "build": [self.persons_to_build, int(self.mogul_to_build)],
            "draws": self.draws,
            "takes": self.takes,
            "first": self.first,
        }

    def _deal_again(self, other: Self, player: int, stream: Rng) -> None:
        """The unseen cards dealt again to the unknown places in the other hands; the pile gets the rest."""
        others = [seat for seat in range(self.game.num_players) if seat != player]
        unseen = Counter(self.pile)
        for seat in others:
            unseen += Counter(self.hands[seat]) - Counter(self.known[seat])
            other.hands[seat] = dict(self.known[seat])
        other.pile = dict(unseen)
        for seat in others:
            for _ in range(number_of(self.hands[seat]) - number_of(self.known[seat])):
                move(base.drawn(self.in_order(other.pile), stream), other.pile, other.hands[seat])

    def _observed(self, player: int) -> Iterator[base.Section]:
        game, seats = self.game, self._seats_from(player)
        most_copies, most_cards = max(game.deck.values()), HAND_DEALT + 4 * VISITS
        produced = [commodity for tile in game.production.values() for commodity in tile]
        most_goods = [game.bonus_tiles.get(each, 0) + produced.count(each) for each in COMMODITIES]
        most_points = game.taj_mahal_points + sum(range(VISITS + 1)) + 2 * VISITS + 2 * game.bonus_tiles.get("+2", 0)
        most_points += len(SPECIAL_CARDS) + most_cards
        most_points += sum(sum(range(symbols + 1)) for symbols in most_goods)

        def copies(*piles: Cards) -> list[int]:
            return [cards.get(card, 0) for cards in piles for card in game.types]

        numbers = {letter: number for number, letter in enumerate(self.provinces, start=1)}
        numbers[game.taj_mahal_province] = VISITS
        production = game.production[self.visit]
        unknown = [number_of(self.hands[seat]) - number_of(self.known[seat]) for seat in seats]

        yield base.Section("own hand", copies(self.hands[player]), most_copies)
        yield base.Section("known cards", copies(*(self.known[seat] for seat in seats)), most_copies)
        yield base.Section("other cards", unknown, most_cards)
        yield base.Section("played cards", copies(*(self.played[seat] for seat in seats)), most_copies)
        totals = [total for seat in seats for total in self.symbols_of(seat).values()]
        yield base.Section("symbol totals", totals, 2 * most_cards + 2)
        yield base.Section("fixed colour", [self.colour[seat] == colour for seat in seats for colour in COLOURS])
        yield base.Section("still in", [self.still_in[seat] for seat in seats])
        held = [self.special[card] == seat for seat in seats for card in SPECIAL_CARDS]
        yield base.Section("special cards held", held)
        yield base.Section("played special cards", [card in self.used for card in SPECIAL_CARDS])
        yield base.Section("tiles of persons", [self.tiles[seat][person] for seat in seats for person in PERSONS], 2)
        yield base.Section("offer", [symbol in self.offer for symbol in SYMBOLS])
        yield base.Section("display", copies(self.display), most_copies)
        yield base.Section("discards", copies(self.discards), most_copies)
        yield base.Section("pile", [number_of(self.pile)], number_of(game.deck))
        yield base.Section("numbers of provinces", [numbers.get(letter, 0) for letter in PROVINCES], VISITS)
        yield base.Section("province of the visit", [numbers.get(letter) == self.visit for letter in PROVINCES])
        yield base.Section("production tile of the visit", [production.count(each) for each in COMMODITIES], 2)
        lying = [self.bonus.get(city) == kind for kind in BONUS_KINDS for city in game.cities]
        yield base.Section("bonus tiles", lying)
        for name, palaces in (("ordinary palaces", self.ordinary), ("mogul palaces", self.mogul)):
            yield base.Section(name, [palaces.get(city) == seat for seat in seats for city in game.cities])
        yield base.Section("palaces left", [self.palaces_left(seat) for seat in seats], PALACES)
        goods = [self.goods[seat][commodity] for seat in seats for commodity in COMMODITIES]
        yield base.Section("commodities", goods, max(most_goods))
        yield from base.in_bytes("points", "points above 255", [self.points[seat] for seat in seats], most_points)
        yield base.Section("visit", [visit == self.visit for visit in range(1, VISITS + 1)])
        yield base.Section("phase", [phase == self.phase for phase in PHASES])
        yield base.Section("turn", [seat == self.turn for seat in seats])
        yield base.Section("start player", [seat == self.start_player() for seat in seats])
        yield base.Section("to build", [self.persons_to_build, self.mogul_to_build], len(PERSONS))
        yield base.Section("to draw", [self.draws], len(PERSONS))
        yield base.Section("to take", [self.takes], 2)
        yield base.Section("first taken", [card == self.first for card in game.types])
        yield base.Section("fictive player in", [self.fictive_in])
        yield base.Section("fictive player's cards", copies(self.fictive_cards))
        yield base.Section("fictive player's symbols", [*self.symbols_on(self.fictive_cards).values()], 10)


def number_of_colour(colour: str, cards: Cards) -> int:
    return sum(copies for card, copies in cards.items() if card[0] == colour)
