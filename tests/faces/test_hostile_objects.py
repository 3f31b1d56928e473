"""Every attribute of every public type, given objects that raise, lie about themselves, or change what is being read.

What may come back is a result or an exception of the kind that bad arguments raise. `SystemError`, and the complaint of
pybind11 about a cast, are defects; so is an exception that leaves a state or the arguments' references changed.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery import _core

METHODS = ["__index__", "__int__", "__float__", "__bool__", "__len__", "__iter__", "__next__", "__getitem__", "__eq__"]
METHODS += ["__hash__", "__str__", "__repr__", "__array__", "__fspath__", "__contains__", "items", "keys"]
METHODS += ["integers", "next", "below", "__getattr__"]
PROPERTIES = ["dtype", "bit_generator", "_native"]
PLAIN: list[Any] = [None, True, -1, 0, 1, 2, 3, 2**31, 2**63, 2**64, 10**30, 0.5, float("nan"), "", "x", "\0", "\ud800"]
PLAIN += [b"", b"tilery", (), [], {}, [1], {"a": [{}]}, object, "random", "uct:4", np.zeros(3), np.int8(1), ...]
NOT_CALLED = {
    *("__class__", "__new__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__dir__", "__sizeof__"),
    *("__setattr__", "__delattr__", "__doc__", "__module__", "__slotnames__", "_pybind11_conduit_v1_"),
}
LONG = {"perft", "batch", "_restore_batch", "_simulate_into", "_analyse", "_evaluated", "driver", "analyse"}
"""What takes as long, or as much memory, as a number says."""


class Trouble(Exception):
    """What hostile methods raise."""


class Lie:
    """An object whose methods do what was drawn."""

    def __init__(self, methods: dict[str, Callable[[], Any]]) -> None:
        self.methods = methods


def hostile(methods: dict[str, Callable[[], Any]]) -> Any:
    """An object with these methods, whatever its arguments."""

    def method(act: Callable[[], Any]) -> Callable[..., Any]:
        return lambda _self, *_arguments, **_options: act()

    made = {name: property(method(act)) if name in PROPERTIES else method(act) for name, act in methods.items()}
    return type("Hostile", (Lie,), made)(methods)


class World:
    """The objects of one game on which everything is tried."""

    def __init__(self, name: str) -> None:
        self.game: Any = tilery.load(name)
        self.state: Any = random_game(self.game, seed=3, actions=20)
        self.data = self.state.serialize()
        self.list: list[Any] = [1, 2, 3]
        self.objects = [
            self.game,
            self.state,
            self.game.driver(),
            self.game.batch(3),
            tilery.Rng(1),
            tilery.policy("uct:4"),
            _core.Policy("greedy"),
            self.game.rules,
        ]
        self.attributes = [attributes(thing) for thing in self.objects]

    def acts(self) -> dict[str, Callable[[], Any]]:
        """What a hostile method may do: give something back, after changing something or not."""

        def fail(error: BaseException) -> Callable[[], Any]:
            def act() -> Any:
                raise error

            return act

        def meddle() -> Any:
            self.list.clear()
            self.list.extend(object() for _ in range(50))
            gc.collect()
            return 1

        def play() -> Any:
            if not self.state.is_terminal():
                self.state.apply_action(self.state.legal_actions()[0])
            return 0

        return {
            "raise": fail(Trouble("of mine")),
            "stop": fail(StopIteration()),
            "lookup": fail(AttributeError("of mine")),
            "meddle": meddle,
            "play": play,
            "none": lambda: None,
            "negative": lambda: -1,
            "huge": lambda: 10**30,
            "text": lambda: "text",
            "self": lambda: self.list,
            "iterator": lambda: iter(self.list),
            "pairs": lambda: [("players", 2), ("a",)],
        }


@pytest.fixture(scope="module", params=GAMES)
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


def attributes(thing: Any) -> list[str]:
    return [name for name in dir(thing) if name not in NOT_CALLED]


def values(world: World, *, small: bool) -> st.SearchStrategy[Any]:
    """Arguments: plain ones of any kind, hostile ones, and the objects under test."""
    plain = [value for value in PLAIN if not (small and isinstance(value, int) and value > 3)]
    acts = world.acts()
    if small:
        del acts["huge"]
    return st.one_of(
        st.sampled_from(range(len(plain))).map(lambda i: plain[i]),
        st.dictionaries(
            st.sampled_from(METHODS + PROPERTIES), st.sampled_from(sorted(acts)).map(acts.__getitem__), max_size=4
        ).map(hostile),
        st.sampled_from(range(len(world.objects))).map(lambda i: world.objects[i]),
        st.just(world.list),
        st.just(world.data),
    )


def look_at(error: Exception) -> None:
    """Nothing of the machinery may come through."""
    assert not isinstance(error, SystemError), error
    try:
        text = str(error)
    except Exception:  # a KeyError shows the key, whose __repr__ may be hostile
        assert isinstance(error, KeyError), type(error)
        return
    assert "Unable to cast" not in text, error
    assert "unregistered type" not in text, error


def call(thing: Any, name: str, arguments: list[Any], options: dict[str, Any]) -> None:
    try:
        member = getattr(thing, name)
        if callable(member):
            member(*arguments, **options)
    except Exception as error:
        look_at(error)


def try_everything(world: World, examples: int) -> None:
    @settings(max_examples=examples)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        which = data.draw(st.integers(0, len(world.objects) - 1))
        thing = world.objects[which]
        name = data.draw(st.sampled_from(world.attributes[which]))
        argument = values(world, small=name in LONG)
        arguments = data.draw(st.lists(argument, max_size=3))
        options = data.draw(
            st.dictionaries(st.sampled_from(["player", "seed", "out", "dtype", "size"]), argument, max_size=1)
        )
        call(thing, name, arguments, options)
        if data.draw(st.integers(0, 9)) == 0:
            world.state = world.game.deserialize_state(world.data)
            world.objects[1] = world.state

    run()
    assert world.game.deserialize_state(world.data).serialize() == world.data
    restored = world.state.serialize()
    assert world.game.deserialize_state(restored) == world.state


def test_every_attribute(world: World) -> None:
    try_everything(world, 40)


@pytest.mark.long
def test_every_attribute_at_length(world: World) -> None:
    try_everything(world, 2000)


def test_nothing_can_be_set(world: World) -> None:
    """The objects of the engine have no attributes but their own, and those cannot be changed."""
    for thing in world.objects[:5]:
        for name in attributes(thing):
            for change in (
                lambda thing=thing, name=name: setattr(thing, name, 1),
                lambda thing=thing, name=name: delattr(thing, name),
            ):
                with pytest.raises((AttributeError, TypeError)):
                    change()


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_objects_shared_by_threads(name: str) -> None:
    """Four threads use one game, one state and one batch while the garbage collector runs."""
    world = World(name)
    batch = world.objects[3]
    errors: list[BaseException] = []
    interval = sys.getswitchinterval()

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            for _ in range(400):
                thing = world.objects[int(rng.integers(len(world.objects)))]
                names = [name for name in attributes(thing) if name not in LONG]
                call(
                    thing,
                    names[int(rng.integers(len(names)))],
                    [int(rng.integers(4)) for _ in range(int(rng.integers(3)))],
                    {},
                )
                if rng.integers(4) == 0:
                    call(batch, "step", [batch.random_indices()], {})  # refused where another thread was faster
                if rng.integers(20) == 0:
                    gc.collect()
        except BaseException as error:
            errors.append(error)

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not errors
    assert world.game.deserialize_state(world.state.serialize()) == world.state
