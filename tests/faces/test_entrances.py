"""The entrances of the Python module: objects that lie, raise, or change under the reader."""

from __future__ import annotations

import gc
import operator
import pickle
import weakref
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery import _core, record, search
from tilery.simulation import result_dtype


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_init_answers_nothing(name: str) -> None:
    """Every attribute and method of Game.__new__(Game) raises TypeError."""
    kind = getattr(tilery, name).Game
    blank = kind.__new__(kind)
    arguments: dict[str, tuple[Any, ...]] = {
        "deserialize_state": (b"",),
        **dict.fromkeys(("action_to_string", "describe_action", "picks"), (0,)),
        **dict.fromkeys(("string_to_action", "describe_pick"), ("x",)),
        "_simulate_into": (None, None, 1, 0, 0, 1, np.zeros((1, 32), np.uint8), False, None),
        "batch": (1,),
        "_restore_batch": ((1, 0, 0, 1, True, None, None), 1, [()]),
        "_evaluated": ([], 1, 1.5),
        "_choose": (_core.Policy("random"), None, 1),
        "_analyse": (_core.Policy("uct"), None, 1, 1),
        "_expect": (_core.Policy("nn"), None),
        "_judge": ("", None, 0),
        "_self_play": ("zero", {}),
        "_fit": ([], {}, "{}"),
        "__deepcopy__": ({},),
        "state_from_dict": ({},),
        "__eq__": (tilery.load(name),),
    }
    # What hands the object itself back, or asks for another module's C++ type.
    of_object = {"__copy__", "__deepcopy__", "__new__", "__init__", "_pybind11_conduit_v1_"}
    checked = 0
    for attribute in {*vars(kind)} - of_object:
        member = vars(kind)[attribute]
        static = isinstance(member, staticmethod) or type(member).__name__ == "pybind11_static_property"
        if static or isinstance(member, str) or member is None:
            continue
        ask = member.fget if isinstance(member, property) else getattr(kind, attribute)
        with pytest.raises(TypeError, match=r"Game\.__init__\(\)"):
            ask(blank, *arguments.get(attribute, ()))
        checked += 1
    assert checked >= 15
    with pytest.raises(TypeError, match="base type"):
        type("Mine", (kind,), {})


OF_PYBIND11 = (tilery.Batch, _core.Policy, type(tilery.load("toy")._evaluated([], 1, 1.5)))


@pytest.mark.parametrize("kind", OF_PYBIND11)
def test_nothing_is_made_without_its_value(kind: Any) -> None:
    """__new__ of pybind11's classes is no way to an object without a value."""
    for make in (kind, lambda: kind.__new__(kind), lambda: object.__new__(kind)):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError, match="base type"):
        type("Mine", (kind,), {})


@pytest.mark.parametrize("name", GAMES)
def test_types_cannot_be_changed(name: str) -> None:
    module = getattr(tilery, name)
    for kind in (module.Game, module.State, type(tilery.load(name).driver()), *OF_PYBIND11):
        for change in (lambda kind: setattr(kind, "x", 1), lambda kind: delattr(kind, "__doc__")):
            with pytest.raises(TypeError, match="immutable"):
                change(kind)


def test_no_instance_without_a_class() -> None:
    """pybind11's base type has no instances; pickle protocols 0 and 1 ask for one."""
    base = next(kind for kind in type(_core.Policy("random")).__mro__ if kind.__name__ == "pybind11_object")
    for make in (base, lambda: base.__new__(base), type("Mine", (base,), {})):
        with pytest.raises(TypeError, match="cannot create instances of"):
            make()
    for protocol in range(6):
        with pytest.raises(TypeError):
            pickle.dumps(_core.Policy("random"), protocol=protocol)


class Clearing:
    """A number that changes the list it is in while it is read."""

    def __init__(self, change: Callable[[], object]) -> None:
        self.change = change

    def __index__(self) -> int:
        self.change()
        gc.collect()
        return 1


@pytest.mark.parametrize("change", ["clear", "extend", "replace"])
def test_lists_that_change_while_they_are_read(change: str) -> None:
    """The list given is read as it was when the reading began."""
    items: list[Any] = []
    changes: dict[str, Callable[[], object]] = {
        "clear": items.clear,
        "extend": lambda: items.extend([object() for _ in range(1000)]),
        "replace": lambda: operator.setitem(items, slice(None), [object() for _ in range(100)]),
    }
    items += [Clearing(changes[change]), *[str(i) * 50 for i in range(50)]]
    with pytest.raises(tilery.OptionError, match=r"players must be an integer"):
        tilery.load("toy", players=items)

    class Pairs:
        """A mapping whose items are such a list."""

        def __getitem__(self, key: object) -> None: ...

        def items(self) -> list[Any]:
            items[:] = [["a", Clearing(changes[change])], *[[str(i) * 50, i] for i in range(50)]]
            return items

    with pytest.raises(tilery.OptionError, match=r"players must be an integer"):
        tilery.load("toy", players=Pairs())


def raising(method: str, error: BaseException) -> Any:
    """An object of which a method raises."""

    def fail(self: object, *_arguments: object) -> Any:
        raise error

    return type("numpy.bool_odd" if method == "__bool__" else "Odd", (), {method: fail, "__getitem__": fail})()


@pytest.mark.parametrize("method", ["__index__", "__bool__", "items"])
def test_exceptions_inside_an_option(method: str) -> None:
    """Errors become OptionError with their cause; what ends a program, and lack of memory, passes."""
    cause = ZeroDivisionError("of mine")
    with pytest.raises(tilery.OptionError, match=r"^players: ZeroDivisionError: of mine$") as caught:
        tilery.load("toy", players=raising(method, cause))
    assert caught.value.__cause__ is cause
    for error in (KeyboardInterrupt(), MemoryError(), SystemExit()):
        with pytest.raises(type(error)):
            tilery.load("toy", players=raising(method, error))


def deep(levels: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


class Mapping:
    """A mapping with these items."""

    def __init__(self, items: Any) -> None:
        self.items = lambda: items

    def __getitem__(self, key: object) -> None: ...


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("\ud800", r"players: '\\ud800' is not valid Unicode"),
        ({"\ud800": 1}, r"players: a key: '\\ud800' is not valid Unicode"),
        ({3: 1}, r"players: a key must be a string, got 3"),
        (Mapping([(1, 2, 3)]), r"players: items\(\) must give pairs, got \(1, 2, 3\)"),
        (Mapping([()]), r"players: items\(\) must give pairs"),
        (Mapping([3]), r"players: TypeError"),
        (Mapping(None), r"players: TypeError"),
        (2**70, r"players: the number 1180591620717411303424 is out of range"),
        (deep(1000), r"players.*: nested too deeply"),
        (object(), r"players: a value of type object has no meaning here"),
        (np.array([1, 2]), r"players: a value of type numpy.ndarray"),
        (3.0, r"players must be an integer from 2 to 4, got 3.0"),
        ("a\0b", r"players must be an integer from 2 to 4, got .a\\u0000b."),
    ],
)
def test_values_that_are_no_option(value: Any, sentence: str) -> None:
    with pytest.raises(tilery.OptionError, match=rf"^{sentence}"):
        tilery.load("toy", players=value)


def test_names_that_are_no_option() -> None:
    for name, shown in (("a\0b", r"a\\x00b"), ("\ud800", r"\\ud800")):
        with pytest.raises(tilery.OptionError, match=shown):
            tilery.load("toy", **{name: 1})


class Generator:
    """What looks like a NumPy generator, and draws what it likes."""

    bit_generator = None

    def __init__(self, drawn: object) -> None:
        self.drawn = drawn

    def integers(self, *_arguments: object, **_options: object) -> object:
        return self.drawn


@pytest.mark.parametrize("drawn", [-1, 2**70, 1.5, "7", None])
def test_a_generator_that_lies(drawn: object) -> None:
    state = tilery.load("toy").new_initial_state()
    rng: Any = Generator(drawn)
    with pytest.raises(ValueError, match=r"^rng: a number that it draws must be"):
        state.determinize(0, rng)


@pytest.mark.parametrize("name", GAMES)
def test_wrong_types_are_named(name: str) -> None:
    """Arguments of a wrong type raise the ValueError of their kind, which says what was given."""
    game: Any = tilery.load(name)
    state = game.new_initial_state()
    token = state.action_to_string(state.legal_actions()[0])
    for action in (True, None, 1.0, token, np.array([1, 2]), object()):
        with pytest.raises(tilery.IllegalActionError, match="an action must be an integer id, got "):
            state.apply_action(action)
    with pytest.raises(tilery.IllegalActionError, match=r"string_to_action\(\) gives the id"):
        state.apply_action(token)
    for player in (True, None, "0", 0.0):
        with pytest.raises(ValueError, match=r"player must be an integer from 0 to"):
            state.information_state_string(player)
    for text in (3, None, b"x"):
        with pytest.raises(tilery.ParseError, match="a token must be a str, got "):
            state.string_to_action(text)
    for data in ("text", 3, None, [300], object()):
        with pytest.raises(tilery.StateDataError):
            game.deserialize_state(data)
    with pytest.raises(tilery.ParseError, match="é"):
        state.string_to_action("é")
    with pytest.raises(tilery.ParseError, match=r"\\x00"):
        state.string_to_action("\0")
    with pytest.raises(ValueError, match="seed must be an integer"):
        tilery.simulate(game, 1, seed="a")  # type: ignore[call-overload]


class Raising:
    """Raises an error where an argument is looked at."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def fail(self, *_: object, **__: object) -> Any:
        raise self.error

    __array__ = __iter__ = __getitem__ = __getattr__ = fail


def first_decision(game: Any) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit, ZeroDivisionError])
def test_what_ends_a_program_passes_through(error: type[BaseException]) -> None:
    """Errors of arguments are typed errors, but not those that are no fault of an argument."""
    game = tilery.load("toy")
    state, batch = first_decision(game), game.batch(4)
    policy, wrong = tilery.policy("uct:4"), cast("Any", Raising(error()))
    calls: list[Callable[[], object]] = [
        lambda: policy.choose(state, wrong),
        lambda: state.random_action(wrong),
        lambda: batch.step(wrong),
        lambda: batch.select(wrong),
        lambda: game.batch(3, player=0, opponents=wrong),
        lambda: game.deserialize_state(wrong),
        lambda: tilery.load("toy", players=wrong),
        lambda: search.run([state], lambda *_: (wrong, wrong), simulations=4),
    ]
    for call in calls:
        with pytest.raises((error, ValueError)) as raised:
            call()
        assert raised.type is error or error is ZeroDivisionError


@pytest.mark.parametrize("number", [-1, 2**70, None, "x", True, 0.5])
def test_numbers_of_another_stream(number: Any) -> None:
    class Stream:
        def next(self) -> Any:
            return number

    state = first_decision(tilery.load("toy"))
    with pytest.raises(ValueError, match=r"next\(\) returns"):
        tilery.policy("random").choose(state, cast("Any", Stream()))


@pytest.mark.parametrize(("text", "shown"), [("a" + "é" * 200, "é..."), ("x\0y", r"x\x00y"), ("\ud800", r"\ud800")])
def test_messages_show_any_repr(text: str, shown: str) -> None:
    """A repr is cut between characters, and shown with what cannot be printed."""

    class Named:
        def __repr__(self) -> str:
            return text

    named, policy = cast("Any", Named()), tilery.policy("random")
    game = tilery.load("toy")
    state, batch = first_decision(game), game.batch(2)
    calls: list[Callable[[], object]] = [
        lambda: game.batch(named),
        lambda: batch.observations(dtype=named),
        lambda: batch.observations(out=named),
        lambda: state.random_action(named),
        lambda: policy.choose(state, named),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="got") as raised:
            call()
        assert str(raised.value).endswith(shown)


def test_texts_of_policies_that_cannot_be_printed() -> None:
    with pytest.raises(ValueError, match=r"unknown policy 'x\\x00'"):
        tilery.policy("x\0")
    with pytest.raises(ValueError, match="not valid Unicode"):
        tilery.policy("\ud800")
    with pytest.raises(ValueError, match="must be a string"):
        _core.Policy(3)


def test_a_dtype_that_changes() -> None:
    class Changing:
        asked = 0

        @property
        def dtype(self) -> np.dtype[Any]:
            self.asked += 1
            return np.dtype("f4" if self.asked % 2 else "i1")

    batch = tilery.load("toy").batch(1000)
    for _ in range(20):
        assert batch.observations(dtype=cast("Any", Changing())).dtype in (np.float32, np.int8)


def test_a_list_whose_end_changes_the_state() -> None:
    """Freeing an item of a list given back runs code that plays on while the next list is made."""
    game = tilery.load(tilery.games()[0])
    rng = tilery.Rng(1)

    class Playing:
        def __del__(self) -> None:
            while not state.is_terminal():
                state.apply_action(state.random_action(rng))

    compared = 0
    for _ in range(200):
        state = game.new_initial_state()
        while not state.is_terminal() and (state.is_chance_node() or state.num_legal_actions() < 64):
            state.apply_action(state.random_action(rng))
        if state.is_terminal():
            continue
        expected = state.legal_actions()
        given_back: list[Any] = list(expected)
        held = state.legal_actions()
        held[0] = cast("Any", Playing())
        del held
        while not state.is_terminal():
            found = state.legal_actions()
            assert found == given_back or state.is_terminal()
        compared += 1
    assert compared > 5


def test_seats_that_a_policy_removes() -> None:
    game = tilery.load("toy")
    dtype = result_dtype(game.num_players)
    seats: list[Any] = []

    class Removing:
        def __call__(self, state: Any, *_: object) -> int:
            seats.clear()
            return int(state.legal_actions()[0])

    seats += [Removing(), Removing()]
    rows = np.zeros((20, dtype.itemsize), np.uint8)
    game._simulate_into(None, None, 20, 0, 0, 1, rows, False, None, seats, False, None)
    assert np.all(rows.view(dtype)["num_actions"] > 0)


def test_ids_beyond_any_action() -> None:
    batch = tilery.load("toy").batch(2)
    with pytest.raises(tilery.IllegalActionError, match=f"action {2**64 - 1} is not legal"):
        batch.apply_actions(np.full(2, 2**64 - 1, np.uint64))


@pytest.mark.parametrize("name", GAMES)
def test_nothing_keeps_a_game_alive(name: str) -> None:
    """Games cannot be part of a cycle: what holds game, state and driver is freed with them."""

    class Environment:
        def __init__(self) -> None:
            self.game = tilery.load(name)
            self.state = self.game.new_initial_state()
            self.driver = self.game.driver()
            self.me = self

    watched = [weakref.ref(Environment()) for _ in range(20)]
    gc.collect()
    assert [reference() for reference in watched] == [None] * 20
    with pytest.raises((AttributeError, TypeError)):
        tilery.load(name).owner = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", GAMES)
def test_simulate_into_checks_its_arguments(name: str) -> None:
    """States of other rules, and arrays whose results would be lost in a copy."""
    game = tilery.load(name)
    dtype = result_dtype(game.num_players)
    rows = np.zeros((3, dtype.itemsize), np.uint8)
    state = random_game(game, seed=1, actions=5)
    other = tilery.load(name, players=3 if game.num_players == 2 else 4).new_initial_state()
    with pytest.raises(ValueError, match="start must be a state of this game"):
        game._simulate_into(other, None, 3, 0, 0, 1, rows, False, None)
    foreign: Any
    for foreign in (3, tilery.load(next(other for other in GAMES if other != name)).new_initial_state()):
        with pytest.raises(TypeError, match="expected a state"):
            game._simulate_into(foreign, None, 3, 0, 0, 1, rows, False, None)
    wrong: Any
    for wrong in (
        rows.tolist(),
        np.asfortranarray(rows),
        rows.astype(np.int16),
        np.zeros((2, dtype.itemsize), np.uint8),
        np.zeros((3, dtype.itemsize + 1), np.uint8),
        rows[:, ::2],
        np.broadcast_to(rows[:1], rows.shape),
    ):
        with pytest.raises(ValueError, match="rows must be a writeable uint8 array"):
            game._simulate_into(state, None, 3, 0, 0, 1, wrong, False, None)
    policies = [tilery.policy("random")._native] * game.num_players
    for wrong in (
        [[[0.0, 0.0, 0.0]]],
        np.zeros((3, game.num_players, 3), np.float32),
        np.zeros((2, game.num_players, 3)),
        np.zeros((3, game.num_players, 6))[:, :, ::2],
        np.broadcast_to(np.zeros((1, game.num_players, 3)), (3, game.num_players, 3)),
    ):
        with pytest.raises(ValueError, match="thinking must be a writeable float64 array"):
            game._simulate_into(state, None, 3, 0, 0, 1, rows, False, None, policies, False, wrong)
    twin = tilery.load(name).deserialize_state(state.serialize())
    game._simulate_into(twin, None, 3, 0, 0, 1, rows, False, None)
    assert np.array_equal(rows.view(dtype)[:, 0], tilery.simulate(state, 3))


@pytest.mark.parametrize("name", GAMES)
def test_options_nested_deeply_in_a_file(name: str, tmp_path: Any) -> None:
    path = tmp_path / "deep.json"
    for levels in (20, 100_000):
        path.write_text("[" * levels + "]" * levels)
        for option in tilery.load(name).rules:
            with pytest.raises(tilery.OptionError, match=rf"^{option}\b"):
                tilery.load(name, **{option: path})


def test_files_without_end(tmp_path: Any) -> None:
    """Of a file that an option names no more than 16 MiB are read, and only a regular file is."""
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate((1 << 24) + 1)
    files = [(name, option) for name in GAMES for option, known in tilery.options(name).items() if known.kind == "file"]
    assert len(files) >= 2
    for name, option in files:
        for endless, reason in ((path, "more than 16,777,216"), ("/dev/zero", "not a regular file")):
            with pytest.raises(tilery.OptionError, match=rf"^{option}: cannot read the file .* {reason}"):
                tilery.load(name, **{option: endless})


@pytest.mark.parametrize("levels", [20, 100_000])
def test_records_and_positions_nested_deeply(levels: int) -> None:
    nested = "[" * levels + "]" * levels
    game = tilery.load("toy")
    (written,) = record.simulated(game, 1, seed=1)
    line = written.to_json()
    for wrong in (nested, line.replace('"players": 2', f'"players": {nested}')):
        assert wrong != line
        with pytest.raises(tilery.RecordError):
            record.replay(wrong)
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    with pytest.raises(tilery.StateDataError, match="nested too deeply"):
        game.state_from_dict({"deck": inner})
