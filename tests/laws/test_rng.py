"""The random streams of docs/interface.md: known numbers, and the same in both languages."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import tilery
from tilery.reference.rng import Rng, stream_of

rule = pytest.mark.rule


@rule("G-5")
def test_known_outputs() -> None:
    """xoroshiro128++ from the start (1, 2), worked out with the formulas of its authors."""
    rng = Rng(0)
    rng._s0, rng._s1 = 1, 2
    assert [rng.next() for _ in range(3)] == [393217, 669327710093319, 1732421326133921491]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(1, 2**32 - 1))
def test_a_bounded_draw_is_in_bounds(seed: int, index: int, n: int) -> None:
    assert 0 <= Rng(seed, index).below(n) < n


def test_bounded_draws_are_uniform() -> None:
    """Chi-squared over first draws of neighbouring streams and over draws of one stream."""
    one = Rng(5)
    for draws in ([Rng(5, index).below(7) for index in range(20_000)], [one.below(7) for _ in range(20_000)]):
        assert scipy.stats.chisquare(np.bincount(draws, minlength=7)).pvalue > 1e-4


def test_streams_of_numpy_generators() -> None:
    generator = np.random.default_rng(1)
    expected = Rng(int(np.random.default_rng(1).integers(0, 2**64, dtype=np.uint64))).next()
    assert stream_of(generator).next() == expected
    assert stream_of(9).next() == Rng(9).next()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None, True])
def test_a_wrong_seed_is_named(seed: object) -> None:
    with pytest.raises(ValueError, match="seed"):
        tilery.simulate(tilery.load("toy"), 1, seed=seed)


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", -1), ("n", 2.5), ("threads", 0), ("threads", 10**6), ("first", -1), ("first", None), ("n", True)],
)
def test_wrong_arguments_of_simulate_are_named(name: str, value: object) -> None:
    arguments: dict[str, object] = {"n": 1, name: value}
    with pytest.raises(ValueError, match=name):
        tilery.simulate(tilery.load("toy"), **arguments)
    with pytest.raises(ValueError, match="game"):
        tilery.simulate(3, 1)  # type: ignore[call-overload]


def test_no_games_are_no_error() -> None:
    results, tokens = tilery.simulate(tilery.load("toy"), 0, records=True)
    assert len(results) == 0
    assert tokens == []


@given(st.integers(0, 2**64 - 1), st.integers(0, 31), st.integers(0, 2**64 - 1))
def test_the_stream_of_a_purpose(seed: int, purpose: int, index: int) -> None:
    """Both sides begin it alike, by place or by name."""
    native, reference = tilery.Rng.of(seed, purpose, index), Rng.of(seed, purpose, index)
    assert [native.next() for _ in range(3)] == [reference.next() for _ in range(3)]
    assert tilery.Rng.of(seed=seed, purpose=purpose) == tilery.Rng.of(seed, purpose, 0)


def test_a_purpose_is_a_number() -> None:
    for wrong in ((-1, 0), (0, -1), (0, 2**64), ("0", 0)):
        with pytest.raises(ValueError, match="must be"):
            tilery.Rng.of(*wrong)  # type: ignore[arg-type]
