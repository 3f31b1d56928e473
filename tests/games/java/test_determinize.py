"""Fair deals in Java: JA-38, and what a festival reveals (JA-R5)."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from tests.games.java.options import SMALL, board_of
from tests.kit.deals import Deal, Hand, assert_fair, minus, others_of, ways_of
from tests.kit.walking import look, play, walk

rule = pytest.mark.rule

KINDS = ["m", "d", "p", "md", "dp", "pm"]


def ways_to_deal(state: Any, player: int) -> dict[Deal, int]:
    """JA-38 and, while the mover of a festival has laid nothing, JA-R5."""
    seen, others = look(state, player), others_of(state, player)
    cards, festival, opened = seen["cards"], seen["festival"], seen["cards"]["open"]
    unseen: Hand = minus([5] * 6, cards["hand"])
    for part in [cards["discards"], *(cards["known"][seat] for seat in others), *(festival or {"laid": []})["laid"]]:
        unseen = minus(unseen, part)
    if opened:
        unseen = minus(unseen, [kind == opened for kind in KINDS])
    sizes = [cards["unknown"][seat] for seat in others]
    assert sum(unseen) == sum(sizes) + cards["pile"]
    if not festival or seen["turn"] == player or any(festival["laid"][seen["turn"]]):
        return ways_of(unseen, sizes)
    place = others.index(seen["turn"])

    def can_begin(deal: Deal) -> bool:
        hand = [a + b for a, b in zip(deal[place], cards["known"][seen["turn"]], strict=True)]
        return any(count and set(kind) & set(opened) for count, kind in zip(hand, KINDS, strict=True))

    return ways_of(unseen, sizes, can_begin)


def unknown_cards(own: dict[str, Any]) -> Hand:
    return minus(own["cards"]["hand"], own["cards"]["known"][own["seat"]])


@rule("JA-38")
@pytest.mark.parametrize(
    ("players", "seed", "actions", "player"),
    [
        (2, 0, 7, 0),  # dealt just now
        (3, 737, 237, 0),
        (2, 1576, 196, 1),  # a festival that waits for its mover
        (2, 468, 288, 1),  # festivals under way
        pytest.param(3, 654, 234, 2, marks=pytest.mark.slow),
        pytest.param(4, 139, 239, 0, marks=pytest.mark.slow),
        pytest.param(3, 996, 296, 1, marks=pytest.mark.slow),
        pytest.param(2, 1225, 85, 0, marks=pytest.mark.slow),
        pytest.param(3, 1590, 210, 2, marks=pytest.mark.slow),
    ],
)
def test_hands(load: Any, players: int, seed: int, actions: int, player: int) -> None:
    state = walk(load("java", players=players, board=SMALL), seed=seed, actions=actions)
    assert_fair(state, player, unknown_cards, ways_to_deal(state, player))


ISLAND = board_of(
    [(row, column) for row, least in enumerate([5, 4, 3, 4, 5], start=1) for column in range(least, 19 - least, 2)],
    [],
    4,
)
FESTIVAL = "3@3.9/W 3@3.11/NE 3@4.10/SE +5.9 5.9> >3.11 P3.9=2 F3.9"
"""Player 0 lays a city of three, enters, builds a palace and calls a festival: six points of action."""


def festival(load: Any, deal: str, tokens: str = FESTIVAL) -> Any:
    cards = deal.split()
    game = load("java", players=len(cards) // 3, board=ISLAND)
    return play(game, " ".join(f"*{card}" for card in cards) + " " + tokens)


@rule("JA-R5")
def test_who_opens_a_festival_holds_a_card_for_it(load: Any) -> None:
    """JA-R5 by hand: player 1 holds m md pm, an m is open, 11 of the 26 cards they have not seen match it.

    Of the 2600 hands of three 15 * 14 * 13 / 6 = 455 have none; the other 2145 are equally likely.
    """
    state = festival(load, "m d d m md pm m")
    ways = ways_to_deal(state, 1)
    assert sum(ways.values()) == 2600 - 455
    assert_fair(state, 1, unknown_cards, ways)
    for seed in range(300):
        hand = look(state.determinize(1, seed), 0)["cards"]["hand"]
        assert hand[0] + hand[3] + hand[5] > 0


def test_the_hand_of_a_bystander_is_free(load: Any) -> None:
    """Only the mover's hand is bound; what player 1 holds follows from it by the cards alone."""
    state = festival(load, "m d d d d p m md pm m")
    ways = ways_to_deal(state, 2)
    assert sum(ways.values()) == 2145 * comb(23, 3)
    assert_fair(state, 2, unknown_cards, ways)


@rule("JA-R5")
def test_a_known_card_that_matches_frees_the_others(load: Any) -> None:
    """Player 0 took the open m in view of all: nothing follows for their three other cards."""
    calm = "3@3.9/W 3@3.11/NE 3@4.10/SE +5.9 5.9> >3.11 P3.9=2 end r@1.5 end r@1.7 open *m F3.9"
    state = festival(load, "m d d m md pm m", calm)
    assert look(state, 1)["cards"]["known"][0] == [1, 0, 0, 0, 0, 0]
    ways = ways_to_deal(state, 1)
    assert sum(ways.values()) == comb(25, 3)
    assert_fair(state, 1, unknown_cards, ways)
