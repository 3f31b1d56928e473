"""Lists of actions belong to their callers, who may do with them what they like: later lists stay as they should be."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import tilery


class Thing:
    """An object that tells when it is freed."""


def some_states(count: int, seed: int = 1) -> list[Any]:
    """This many states of random games of Java, from a few legal actions to two thousand."""
    choose, states = random.Random(seed), []
    state = tilery.load("java").new_initial_state()
    while len(states) < count:
        legal = state.legal_actions()
        states.append(state.clone())
        state.apply_action(choose.choice(legal))
        if state.is_terminal():
            state = tilery.load("java").new_initial_state()
    return states


def expected(states: list[Any]) -> list[list[int]]:
    """The legal actions of states, by another way."""
    return [state.legal_actions_mask().nonzero()[0].tolist() for state in states]


def forget(_legal: list[Any]) -> None:
    """Give the list back as it is."""


def replace_some(legal: list[Any]) -> None:
    legal[::7] = [Thing() for _ in legal[::7]]


def replace_all(legal: list[Any]) -> None:
    legal[:] = [Thing() for _ in legal]


def put_into_itself(legal: list[Any]) -> None:
    legal[0] = legal


CHANGES: list[Callable[[list[Any]], Any]] = [
    forget,
    list.reverse,
    list.pop,
    list.clear,
    lambda legal: legal.append(Thing()),
    lambda legal: legal.extend(range(5000)),
    lambda legal: legal.insert(0, legal.pop()),
    lambda legal: legal.sort(key=lambda action: -action),
    replace_some,
    replace_all,
    put_into_itself,
]


def test_lists_are_kept_as_they_were() -> None:
    states = some_states(300)
    lists = [state.legal_actions() for state in states]
    assert lists == expected(states)
    assert len({id(legal) for legal in lists}) == len(lists)


@pytest.mark.parametrize("keep", [0, 1, 2, 3])
def test_changed_lists_leave_later_ones_as_they_should_be(keep: int) -> None:
    choose, states = random.Random(keep), some_states(200, 2)
    kept: list[Any] = []
    for state, actions in zip(states, expected(states), strict=True):
        legal = state.legal_actions()
        assert type(legal) is list
        assert legal == actions
        choose.choice(CHANGES)(legal)
        kept = [*kept, legal][len(kept) + 1 - keep :] if keep else []
        del legal


def test_objects_put_into_lists_are_freed() -> None:
    state = next(state for state in some_states(30) if state.num_legal_actions() > 1000)
    seen = []
    for _ in range(20):
        thing = Thing()
        seen.append(weakref.ref(thing))
        legal: list[Any] = state.legal_actions()
        legal[500] = thing
        before = sys.getrefcount(thing)
        del legal
        assert sys.getrefcount(thing) <= before
        del thing
    for _ in range(3):
        state.legal_actions()
    gc.collect()
    assert [reference() for reference in seen] == [None] * len(seen)


def test_an_iterator_holds_its_list() -> None:
    states = [state for state in some_states(60) if state.num_legal_actions() > 300]
    iterators = [iter(state.legal_actions()) for state in states]
    for state in states:
        state.legal_actions()
    assert [list(iterator) for iterator in iterators] == expected(states)


def test_objects_in_lists_are_freed_at_exit() -> None:
    program = """if True:
        import tilery

        class Thing:
            def __del__(self):
                print("freed")

        state = tilery.load("java").new_initial_state()
        while state.num_legal_actions() < 1000:
            state.apply_action(state.legal_actions()[0])
        legal = state.legal_actions()
        legal.append(Thing())
        del legal"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "freed\n"
