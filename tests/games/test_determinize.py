"""determinize yields every deal that the player cannot rule out with its probability, by chi-squared.

The deals are enumerated here, from nothing but what the player sees and what is in the box: the cards he has not
seen, the places they may fill, and what the rules say of a hand. Seeds are fixed, so a test says the same for ever.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb, prod
from typing import Any

import pytest
import scipy.stats

from carcassonne_land import BOX, TYPES
from options.java import SMALL, board_of
from options.tajmahal import SHIPPED
from support import play, walk
from tilery.reference.rng import Rng

Hand = tuple[int, ...]
"""Copies of each kind, kinds in the order of the game's page."""
Deal = tuple[Hand, ...]
"""The hands of the others, by ascending seat."""

LEAST = 1e-4
"""The least p-value of a fair deal; seeds are fixed, so nothing ever falls below it by accident."""


def minus(cards: Sequence[int], taken: Sequence[int]) -> Hand:
    return tuple(a - b for a, b in zip(cards, taken, strict=True))


def hands_of(cards: Sequence[int], size: int) -> Iterator[Hand]:
    """All hands of that size out of the cards."""
    if not cards:
        if not size:
            yield ()
        return
    for count in range(max(0, size - sum(cards[1:])), min(cards[0], size) + 1):
        for rest in hands_of(cards[1:], size - count):
            yield (count, *rest)


def deals_of(unseen: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[Deal, int]]:
    """Every deal of the unseen cards to hands of these sizes, and in how many ways single cards make it."""
    if not sizes:
        yield (), 1
        return
    for hand in hands_of(unseen, sizes[0]):
        ways = prod(comb(copies, count) for copies, count in zip(unseen, hand, strict=True))
        for rest, others in deals_of(minus(unseen, hand), sizes[1:]):
            yield (hand, *rest), ways * others


def p_value(found: Mapping[Any, int], ways: Mapping[Any, int]) -> float:
    """Of the counts, if each deal has so many of all the ways; deals too rare to be counted are counted together."""
    assert set(found) <= set(ways), "an impossible deal"
    draws, total = sum(found.values()), sum(ways.values())
    observed, expected = [0], [0.0]
    for deal, number in sorted(ways.items(), key=lambda item: item[1], reverse=True):
        if expected[-1] >= 5:
            observed.append(0)
            expected.append(0.0)
        observed[-1] += found.get(deal, 0)
        expected[-1] += draws * number / total
    if expected[-1] < 5:
        rest = observed.pop(), expected.pop()
        observed[-1] += rest[0]
        expected[-1] += rest[1]
    assert len(expected) > 1
    return float(scipy.stats.chisquare(observed, expected).pvalue)


def look(state: Any, player: int) -> dict[str, Any]:
    seen: dict[str, Any] = json.loads(state.information_state_string(player))
    return seen


def others_of(state: Any, player: int) -> list[int]:
    return [seat for seat in range(state.game.num_players) if seat != player]


def anything(deal: Deal) -> bool:
    return True


def assert_fair(
    state: Any,
    player: int,
    hand: Callable[[dict[str, Any]], Sequence[int]],
    ways: Mapping[Deal, int],
    draws: int = 1500,
) -> None:
    """So many determinizations; `hand` reads, out of what its owner sees, the part of a hand that was unknown."""
    found = Counter[Deal]()
    for seed in range(draws):
        guess = state.determinize(player, seed)
        found[tuple(tuple(hand(look(guess, seat))) for seat in others_of(state, player))] += 1
    assert p_value(found, ways) > LEAST


def ways_of(
    unseen: Sequence[int], sizes: Sequence[int], possible: Callable[[Deal], bool] = anything
) -> dict[Deal, int]:
    """The deals that the rules allow, each with its number of ways."""
    return {deal: number for deal, number in deals_of(unseen, sizes) if possible(deal)}


# Toy.


@pytest.mark.parametrize(
    ("players", "hand", "tokens", "player"),
    [
        (2, 3, "*1 *1 *4 *4 *4 *5 *3", 0),
        (3, 1, "*1 *2 *3 *5 1", 1),
        (3, 2, "*1 *2 *3 *3 *5 *5 *4 1", 1),
        (4, 1, "*2 *2 *2 *3", 3),
    ],
)
def test_toy(load: Any, players: int, hand: int, tokens: str, player: int) -> None:
    state = play(load("toy", players=players, hand=hand), tokens)
    seen = look(state, player)
    unseen = minus(minus([4] * 5, seen["open"]), seen["hand"])
    sizes = [seen["hand_sizes"][seat] for seat in others_of(state, player)]
    assert_fair(state, player, lambda own: own["hand"], ways_of(unseen, sizes))


# Java.

KINDS = ["m", "d", "p", "md", "dp", "pm"]


def java_ways(state: Any, player: int) -> dict[Deal, int]:
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
def test_java(load: Any, players: int, seed: int, actions: int, player: int) -> None:
    state = walk(load("java", players=players, board=SMALL), seed=seed, actions=actions)
    assert_fair(state, player, unknown_cards, java_ways(state, player))


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


def test_java_who_opens_a_festival_holds_a_card_for_it(load: Any) -> None:
    """JA-R5 by hand: player 1 holds m md pm, an m is open, 11 of the 26 cards he has not seen match it.

    Of the 2600 hands of three 15 * 14 * 13 / 6 = 455 have none; the other 2145 are equally likely.
    """
    state = festival(load, "m d d m md pm m")
    ways = java_ways(state, 1)
    assert sum(ways.values()) == 2600 - 455
    assert_fair(state, 1, unknown_cards, ways)
    for seed in range(300):
        hand = look(state.determinize(1, seed), 0)["cards"]["hand"]
        assert hand[0] + hand[3] + hand[5] > 0


def test_java_the_hand_of_a_bystander_is_free(load: Any) -> None:
    """Only the mover's hand is bound; what player 1 holds follows from it by the cards alone."""
    state = festival(load, "m d d d d p m md pm m")
    ways = java_ways(state, 2)
    assert sum(ways.values()) == 2145 * comb(23, 3)
    assert_fair(state, 2, unknown_cards, ways)


def test_java_a_known_card_that_matches_frees_the_others(load: Any) -> None:
    """Player 0 took the open m before everybody's eyes: nothing follows for his three other cards."""
    calm = "3@3.9/W 3@3.11/NE 3@4.10/SE +5.9 5.9> >3.11 P3.9=2 end r@1.5 end r@1.7 open *m F3.9"
    state = festival(load, "m d d m md pm m", calm)
    assert look(state, 1)["cards"]["known"][0] == [1, 0, 0, 0, 0, 0]
    ways = java_ways(state, 1)
    assert sum(ways.values()) == comb(25, 3)
    assert_fair(state, 1, unknown_cards, ways)


# Taj Mahal.

DECKS = {
    2: {"gEE": 5, "vKP": 5, "rEM": 4, "wE": 4},
    3: {"gEE": 7, "vKP": 7, "rEM": 6, "wE": 5},
    4: {"gEE": 14, "vKP": 12, "wE": 7},
}
"""Few types, few cards: by number of players."""


def taj_mahal_ways(state: Any, player: int) -> dict[Deal, int]:
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
def test_taj_mahal(load: Any, players: int, seed: int, actions: int, player: int) -> None:
    deck = DECKS[players]
    state = walk(load("tajmahal", players=players, data={**SHIPPED, "deck": deck}), seed=seed, actions=actions)

    def unknown(own: dict[str, Any]) -> Hand:
        known = own["known"][own["player"]]
        return tuple(own["hand"].get(card, 0) - known.get(card, 0) for card in deck)

    assert_fair(state, player, unknown, taj_mahal_ways(state, player))


# Carcassonne with tiles in hand.

CITIES = [bool(tile["cities"]) for tile in BOX]
ROADS = [bool(tile["roads"]) for tile in BOX]


def carcassonne_ways(state: Any, player: int, fits: Sequence[bool] | None = None) -> dict[Deal, int]:
    """CA-H3 and CA-H4; with `fits` (which types fit) the mover has a tile that does, shown ones included."""
    seen, others = look(state, player), others_of(state, player)
    sizes = [seen["hands"][seat]["size"] - len(seen["hands"][seat]["shown"]) for seat in others]
    assert sum(seen["unseen"]) == sum(sizes) + seen["pile"]
    if fits is None:
        return ways_of(seen["unseen"], sizes)
    assert not any(fits[TYPES.index(kind)] for kind in seen["hands"][seen["turn"]]["shown"])
    place = others.index(seen["turn"])
    return ways_of(
        seen["unseen"], sizes, lambda deal: any(count and fit for count, fit in zip(deal[place], fits, strict=False))
    )


def unknown_tiles(kinds: int) -> Callable[[dict[str, Any]], Hand]:
    def read(own: dict[str, Any]) -> Hand:
        hand = own["hands"][own["player"]]
        return tuple(hand["held"].count(kind) - hand["shown"].count(kind) for kind in TYPES[:kinds])

    return read


@pytest.mark.parametrize(
    ("options", "tokens", "player"),
    [
        ({"hand_size": 1, "players": 2}, "*U *C", 0),
        ({"hand_size": 1, "players": 3}, "*U *C *D", 1),
        ({"hand_size": 3, "players": 2, "table": [0, 0, 0, 2]}, "*G *U *U *E *U *V tile:G 0,1@0 -", 0),
    ],
)
def test_carcassonne(load: Any, options: dict[str, Any], tokens: str, player: int) -> None:
    """Where nobody is about to choose a tile, every tile not seen may be anywhere; also before a refill."""
    state = play(load("carcassonne", tiles="base", **options), tokens)
    assert_fair(state, player, unknown_tiles(24), carcassonne_ways(state, player))


def test_carcassonne_who_chooses_has_a_tile_that_fits(load: Any) -> None:
    """At 0,2, the one open cell of the table, a city is asked for; player 1 is to choose a tile."""
    game = load("carcassonne", tiles="base", hand_size=3, table=[0, 0, 0, 2])
    state = play(game, "*G *U *U *E *U *V tile:G 0,1@0 - *W")
    assert look(state, 0)["phase"] == "choose"
    assert_fair(state, 0, unknown_tiles(24), carcassonne_ways(state, 0, CITIES))


@pytest.mark.slow
def test_carcassonne_the_hand_of_a_bystander_is_free(load: Any) -> None:
    """Three players: the mover's hand is bound, the other one takes from what that leaves; by tiles with a city."""
    game = load("carcassonne", tiles="base", players=3, hand_size=3, table=[0, 0, 0, 2])
    state = play(game, "*G *U *U *E *U *V *B *B *B tile:G 0,1@0 - *W")
    unseen = look(state, 0)["unseen"]
    good = sum(copies for copies, fit in zip(unseen, CITIES, strict=False) if fit)
    ways = ways_of([good, sum(unseen) - good], [3, 3], lambda deal: deal[0][0] > 0)

    def by_cities(own: dict[str, Any]) -> Hand:
        cities = sum(CITIES[TYPES.index(kind)] for kind in own["hands"][own["player"]]["held"])
        return cities, 3 - cities

    assert_fair(state, 0, by_cities, ways, 5000)


def test_carcassonne_a_hand_shown_stays_and_its_last_tile_must_fit(load: Any) -> None:
    """Player 1 showed B B B, which fit nowhere, discarded one and drew a hidden tile; now he is to choose.

    At 0,1 a city is asked for and at 1,1 a road: his third tile has one of them. Before it is drawn nothing is hidden.
    """
    game = load("carcassonne", tiles="base", hand_size=3, table=[0, 0, 1, 2])
    state = play(game, "*X *L *U *B *B *B tile:X 1,0@0 - *U discard:B")
    assert carcassonne_ways(state, 0) == {((0,) * 24,): 1}
    assert look(state.determinize(0, 1), 1)["hands"][1] == look(state, 1)["hands"][1]
    state.apply_action(state.string_to_action("*E"))
    assert look(state, 0)["phase"] == "choose"
    fits = [city or road for city, road in zip(CITIES, ROADS, strict=True)]
    assert_fair(state, 0, unknown_tiles(24), carcassonne_ways(state, 0, fits))


# The check can fail: dealers that are not fair, on the hands of the positions above.


def by_copies(cards: Sequence[int], rng: Rng) -> int:
    draw, kind = rng.below(sum(cards)), 0
    while draw >= cards[kind]:
        draw, kind = draw - cards[kind], kind + 1
    return kind


def by_kinds(cards: Sequence[int], rng: Rng) -> int:
    kinds = [kind for kind, copies in enumerate(cards) if copies]
    return kinds[rng.below(len(kinds))]


def never_the_last_card(cards: Sequence[int], rng: Rng) -> int:
    """One card too few to draw from."""
    last = max(kind for kind, copies in enumerate(cards) if copies)
    return by_copies([copies - (kind == last) for kind, copies in enumerate(cards)], rng)


def dealt(
    unseen: Sequence[int], sizes: Sequence[int], rng: Rng, one: Callable[[Sequence[int], Rng], int] = by_copies
) -> Deal:
    hands, left = [], list(unseen)
    for size in sizes:
        hand = [0] * len(left)
        for _ in range(size):
            kind = one(left, rng)
            left[kind] -= 1
            hand[kind] += 1
        hands.append(tuple(hand))
    return tuple(hands)


UNSEEN = (2, 5, 5, 4, 5, 5)
MATCHING = (0, 3, 5)


def test_a_fair_dealer_passes() -> None:
    rng, ways = Rng(1), ways_of(UNSEEN, [3, 2])
    assert p_value(Counter(dealt(UNSEEN, [3, 2], rng) for _ in range(2000)), ways) > LEAST


@pytest.mark.parametrize("one", [by_kinds, never_the_last_card])
def test_an_unfair_dealer_is_found(one: Callable[[Sequence[int], Rng], int]) -> None:
    rng, ways = Rng(1), ways_of(UNSEEN, [3])
    assert p_value(Counter(dealt(UNSEEN, [3], rng, one) for _ in range(3000)), ways) < LEAST


def opens(deal: Deal) -> bool:
    return any(deal[0][kind] for kind in MATCHING)


def test_who_deals_a_matching_card_first_is_found() -> None:
    """The easy way to a hand that can open a festival: one matching card, then any others. It is not fair."""
    rng, ways, found = Rng(1), ways_of(UNSEEN, [3], opens), Counter[Deal]()
    matching = [copies if kind in MATCHING else 0 for kind, copies in enumerate(UNSEEN)]
    for _ in range(2000):
        ((first,),) = (dealt(matching, [1], rng),)
        ((rest,),) = (dealt(minus(UNSEEN, first), [2], rng),)
        found[tuple(a + b for a, b in zip(first, rest, strict=True)),] += 1
    assert p_value(found, ways) < LEAST


def test_who_repeats_the_mover_s_hand_only_is_fair_and_who_changes_a_card_is_found() -> None:
    """Two dealers of hands that must match: one deals such a hand again until it does, one swaps in a card."""
    ways = ways_of(UNSEEN, [3], opens)
    for swaps in (False, True):
        rng, found = Rng(1), Counter[Deal]()
        while found.total() < 2000:
            deal = dealt(UNSEEN, [3], rng)
            if not opens(deal) and swaps:
                (hand,) = deal
                worst = max(range(6), key=lambda kind: hand[kind])
                deal = (tuple(count - (kind == worst) + (kind == 3) for kind, count in enumerate(hand)),)
            if opens(deal):
                found[deal] += 1
        assert (p_value(found, ways) < LEAST) == swaps


def test_an_impossible_deal_is_found() -> None:
    with pytest.raises(AssertionError, match="impossible"):
        p_value(Counter({((3,),): 1}), ways_of([2], [1]))
