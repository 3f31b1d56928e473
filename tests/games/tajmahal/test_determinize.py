"""Fair deals in Taj Mahal: TM-28."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tajmahal.options import SHIPPED
from tests.kit.deals import Deal, Hand, assert_fair, others_of, ways_of
from tests.kit.walking import look, walk

rule = pytest.mark.rule

DECKS = {
    2: {"gEE": 5, "vKP": 5, "rEM": 4, "wE": 4},
    3: {"gEE": 7, "vKP": 7, "rEM": 6, "wE": 5},
    4: {"gEE": 14, "vKP": 12, "wE": 7},
}
"""Few types, few cards: by number of players."""


def ways_to_deal(state: Any, player: int) -> dict[Deal, int]:
    """TM-28: each arrangement of the unseen cards over the unknown places is equally likely."""
    seen, others, deck = look(state, player), others_of(state, player), DECKS[state.game.num_players]
    places = [
        seen["hand"],
        seen["display"],
        seen["discards"],
        *seen["played"],
        *(seen["known"][seat] for seat in others),
    ]
    if seen["fictive"]:
        places.append(seen["fictive"]["cards"])
    unseen = [copies - sum(cards.get(card, 0) for cards in places) for card, copies in deck.items()]
    sizes = [seen["hands"][seat] - sum(seen["known"][seat].values()) for seat in others]
    assert sum(unseen) == sum(sizes) + seen["pile"]
    return ways_of(unseen, sizes)


@rule("TM-28")
@pytest.mark.parametrize(
    ("players", "seed", "actions", "player"),
    [
        (2, 312, 52, 0),
        (2, 620, 60, 1),
        (3, 385, 125, 0),
        (3, 931, 71, 0),
        pytest.param(2, 1234, 74, 0, marks=pytest.mark.slow),
        pytest.param(3, 22, 62, 0, marks=pytest.mark.slow),
        pytest.param(4, 515, 255, 0, marks=pytest.mark.slow),
        pytest.param(4, 972, 112, 3, marks=pytest.mark.slow),
    ],
)
def test_hands(load: Any, players: int, seed: int, actions: int, player: int) -> None:
    deck = DECKS[players]
    state = walk(load("tajmahal", players=players, data={**SHIPPED, "deck": deck}), seed=seed, actions=actions)

    def unknown(own: dict[str, Any]) -> Hand:
        known = own["known"][own["player"]]
        return tuple(own["hand"].get(card, 0) - known.get(card, 0) for card in deck)

    assert_fair(state, player, unknown, ways_to_deal(state, player))
