"""Whether determinize yields every deal that a player cannot rule out, each with its probability, by chi-squared.

The deals are enumerated from nothing but what the player sees and what is in the box: the cards they have not
seen, the places those may fill, and what the rules say of a hand. Seeds are fixed, so a test always gives the same
verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb, prod
from typing import Any

import scipy.stats

from tests.kit.walking import look

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
    """Of the counts, if each deal has its share of all the ways; deals too rare to be counted are counted together."""
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
    """This many determinizations; `hand` reads, out of what its owner sees, the part of a hand that was unknown."""
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
