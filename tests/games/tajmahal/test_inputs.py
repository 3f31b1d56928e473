"""Taj Mahal: what a learner sees of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import tilery
from tests.kit.inputs import of_group, rotated_seats_see_the_same, shifted
from tests.kit.walking import random_game

SYMBOLS = "EMVGKP"
BY_SEAT = ("points", "goods", "tiles", "in", "colour", "played", "known", "hands")


def rotated(position: dict[str, Any], players: int) -> dict[str, Any]:
    """All seats one further. The first player of each visit stays."""

    def seat(player: Any) -> Any:
        return (player + 1) % players if isinstance(player, int) and player >= 0 else player

    for key in BY_SEAT:
        position[key] = shifted(position[key])
    position["turn"] = seat(position["turn"])
    position["special"] = [seat(player) for player in position["special"]]
    for key in ("ordinary", "mogul"):
        position[key] = {city: seat(player) for city, player in position[key].items()}
    return position


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_see_alike(players: int) -> None:
    game = tilery.load("tajmahal", players=players)
    moved = rotated_seats_see_the_same(game, lambda position: rotated(position, players), 25, but="begins next visit")
    assert moved >= 5


def positions(players: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Turns within visits, and what is known of them."""
    game = tilery.load("tajmahal", players=players)
    for seed in range(30):
        state = random_game(game, seed=seed, actions=60 + 10 * seed)
        position = state.to_dict()
        if position["phase"] == "turn" and any(any(cards) for cards in position["played"]):
            yield state, position


def shown(position: dict[str, Any], seat: int) -> Counter[str]:
    """The symbols of a seat's played cards, with two of its vizier's and general's cards that are played."""
    symbols: Counter[str] = Counter()
    for card, n in position["played"][seat].items():
        for symbol in card[1:]:
            symbols[symbol] += n
    for special, symbol in (("sV", "M"), ("sG", "E")):
        if special in position["used"] and position["special"]["VGKP".index(special[1])] == seat:
            symbols[symbol] += 2
    return symbols


def test_the_fight_for_each_symbol() -> None:
    """Three players: what each shows of a symbol on offer less the most that another does, from seat 1."""
    checked = 0
    for state, position in positions(3):
        seats_in = [seat for seat in range(3) if position["in"][seat]]
        others_in = any(seat != 1 for seat in seats_in)
        who = int(1 in seats_in) + 2 * others_in
        expected = []
        for seat in seats_in:
            for symbol in position["offer"]:
                own = shown(position, seat)[symbol]
                most = max(shown(position, rival)[symbol] for rival in range(3) if rival != seat)
                if own + most > 0:
                    margin = min(max(own - most, -4), 4) + 4
                    expected.append(f"seat={int(seat != 1)},symbol={SYMBOLS.index(symbol)},margin+4={margin},who={who}")
        assert of_group(state, 1, "fight") == sorted(expected)
        checked += len(expected)
    assert checked > 20


def test_hands_are_seen_as_far_as_known() -> None:
    """Two players: the number of cards of each hand, and the white cards that seat 0 knows of."""
    checked = 0
    for state, position in positions(2):
        left = 13 - position["visit"]
        sizes = [sum(hand.values()) for hand in position["hands"]]
        assert of_group(state, 0, "hand") == [
            f"seat={seat},cards={min(size, 20)},visits left={left}" for seat, size in enumerate(sizes)
        ]
        whites = [
            sum(n for card, n in cards.items() if card[0] == "w")
            for cards in (position["hands"][0], position["known"][1])
        ]
        assert of_group(state, 0, "white cards") == [
            f"seat={seat},cards={min(n, 9)},visits left={left}" for seat, n in enumerate(whites)
        ]
        checked += 1
    assert checked > 3


def test_goods_and_what_the_elephant_brings() -> None:
    """The symbols of each commodity, and the points for those of the visit's tile (TM-16)."""
    checked = 0
    for state, position in positions(2):
        for seat in (0, 1):
            totals = [sum(goods) for goods in (position["goods"][seat], position["goods"][1 - seat])]
            assert of_group(state, seat, "goods in all") == [
                f"seat={other},symbols={min(n, 25)},visits left={13 - position['visit']}"
                for other, n in enumerate(totals)
            ]
            checked += 1
    assert checked > 6


def test_a_visit_that_begins() -> None:
    """Two players: both and the fictive player are in, all symbols are on offer, seat 1 begins the second visit."""
    game = tilery.load("tajmahal", players=2)
    state = game.new_initial_state()
    while state.to_dict()["phase"] != "turn":
        state.apply_action(state.legal_actions()[0])
    assert of_group(state, 0, "moment") == ["what=1,in=1,others in=6,stage=4"]
    assert of_group(state, 0, "offer") == ["set EMVGKP=63,who=3"]
    assert of_group(state, 0, "display") == ["cards=3,who=3"]
    assert of_group(state, 0, "begins next visit") == ["seats to come=1,visits left=12"]
    assert of_group(state, 1, "begins next visit") == ["seats to come=0,visits left=12"]
