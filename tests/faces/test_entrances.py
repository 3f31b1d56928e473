"""The entrances of the Python module: objects that lie, raise, or change under the reader; programs that end."""

from __future__ import annotations

import gc
import operator
import pickle
import subprocess
import sys
import textwrap
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery import _core, record
from tilery.run import result_dtype


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


@pytest.mark.parametrize("name", GAMES)
def test_types_cannot_be_changed(name: str) -> None:
    module = getattr(tilery, name)
    for kind in (module.Game, module.State, module.Driver):
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
        [[[0.0, 0.0]]],
        np.zeros((3, game.num_players, 2), np.float32),
        np.zeros((2, game.num_players, 2)),
        np.zeros((3, game.num_players, 4))[:, :, ::2],
        np.broadcast_to(np.zeros((1, game.num_players, 2)), (3, game.num_players, 2)),
    ):
        with pytest.raises(ValueError, match="thinking must be a writeable float64 array"):
            game._simulate_into(state, None, 3, 0, 0, 1, rows, False, None, policies, False, wrong)
    twin = tilery.load(name).deserialize_state(state.serialize())
    game._simulate_into(twin, None, 3, 0, 0, 1, rows, False, None)
    assert np.array_equal(rows.view(dtype)[:, 0], tilery.simulate(state, 3))


def program(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


ENDING = """
import sys, threading, time
import tilery

work = sys.argv[1]
state = tilery.load(tilery.games()[0]).new_initial_state()
started = threading.Event()

def play():
    started.set()
    while True:
        if work == "perft":
            state.perft(100)
        else:
            tilery.simulate(state, 10**6, threads=int(work))

for _ in range(3):
    threading.Thread(target=play, daemon=True).start()
started.wait()
time.sleep(0.2)
"""


@pytest.mark.parametrize("work", ["perft", "1", "2"])
def test_a_program_ends_while_daemon_threads_work(work: str) -> None:
    for _ in range(3):
        done = program(ENDING, work)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_forked_child_waits_for_nobody() -> None:
    """A child does not have the calls its parent is in, and ends at once."""
    done = program(
        """
        import os, threading, time
        import tilery

        game = tilery.load(tilery.games()[0])
        threading.Thread(target=lambda: tilery.simulate(game, 10**6, threads=1), daemon=True).start()
        time.sleep(0.2)
        child = os.fork()
        if child:
            assert os.waitpid(child, 0)[1] == 0
        else:
            assert len(tilery.simulate(game, 5, threads=1)) == 5
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_thread_that_cannot_start_stops_the_others() -> None:
    """With memory for a few stacks alone, simulate raises at once: most games have not been played."""
    done = program(
        """
        import resource
        from pathlib import Path
        import numpy as np
        import tilery
        from tilery.run import result_dtype

        n = 500_000
        game = tilery.load(tilery.games()[0])
        dtype = result_dtype(game.num_players)
        results = np.zeros(n, dtype)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + (100 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            rows = results.view(np.uint8).reshape(n, -1)
            game._simulate_into(None, None, n, 0, 0, 1024, rows, False, None)
        except RuntimeError as error:
            assert "cannot start thread" in str(error), error
        else:
            raise AssertionError("1024 threads in 100 MB")
        print(np.count_nonzero(results["num_actions"]) < n // 2)
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_a_search_without_memory_raises() -> None:
    """Lack of memory on a thread of a search, or for a thread, is an error of the caller; the next search runs."""
    done = program(
        """
        import resource
        from pathlib import Path
        import tilery

        def kind_of_error(policy: str, threads: int, kilobytes: int) -> str:
            limit = pages * resource.getpagesize() + (kilobytes << 10)
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
            try:
                tilery.policy(policy).analyse(state, 1, threads=threads)
            except (MemoryError, RuntimeError) as error:
                return type(error).__name__
            return "none"

        state = tilery.load(tilery.games()[0]).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        print(kind_of_error("uct:2000000000,trees=3,memory=100000", 3, 150_000))
        # Memory for some threads, for others or for their trees not.
        limits = range(2_000, 90_000, 1_700)
        print({kind_of_error("uct:25600,trees=256", 256, limit) for limit in limits} <= {"MemoryError", "RuntimeError"})
        tilery.policy("uct:10,trees=2").analyse(state, 1, threads=1)
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "MemoryError\nTrue\n", "")


def test_an_interrupt_ends_a_simulation() -> None:
    """A signal handler that raises ends simulate and perft with its error, whatever the number of threads."""
    done = program(
        """
        import signal
        import tilery

        class Stop(Exception): ...

        def stop(*_):
            raise Stop

        signal.signal(signal.SIGALRM, stop)
        game = tilery.load(tilery.games()[0])
        for work in (lambda: game.new_initial_state().perft(50), lambda: tilery.simulate(game, 10**6, threads=2)):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            try:
                work()
            except Stop:
                print("stopped")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\nstopped\n", "")


@pytest.mark.parametrize("name", GAMES)
def test_options_nested_deeply_in_a_file(name: str, tmp_path: Any) -> None:
    path = tmp_path / "deep.json"
    for levels in (20, 100_000):
        path.write_text("[" * levels + "]" * levels)
        for option in tilery.load(name).rules:
            with pytest.raises(tilery.OptionError, match=rf"^{option}\b"):
                tilery.load(name, **{option: path})


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
