"""The check of fair deals (tests/kit/deals.py) can fail: dealers that are not fair are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.kit.deals import LEAST, Deal, minus, p_value, ways_of
from tilery.reference.rng import Rng


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
