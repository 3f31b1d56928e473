"""Processes that end, fork or have several threads while native calls run."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests.kit.running import QUIET_FORKS


def program(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *QUIET_FORKS, "-c", textwrap.dedent(source), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


ENDING = """
import sys, threading, time
import numpy as np
import tilery
from tilery import match, search

work = sys.argv[1]
game = tilery.load(tilery.games()[0])
state, decision, batch = game.new_initial_state(), game.new_initial_state(), game.batch(10_000)
while decision.is_chance_node():
    decision.apply_action(decision.legal_actions()[0])

def evaluator(observations, masks, players):
    return masks.astype(np.float32), np.zeros((len(players), game.num_players), np.float32)
started = threading.Event()

def play():
    started.set()
    while True:
        if work == "perft":
            state.perft(100)
        elif work == "search":
            search.run([decision] * 100, evaluator, simulations=20)
        elif work == "batch":
            batch.playout()
            batch.reset()
            batch.legal_actions()
            batch.clone()
        elif work == "policy":
            match.play(game, [lambda state, rng: time.sleep(10**6), "random"], games=2)
        else:
            tilery.simulate(state, 10**6, threads=int(work))

for _ in range(3):
    threading.Thread(target=play, daemon=True).start()
started.wait()
time.sleep(0.2)
"""


@pytest.mark.parametrize(
    "work", ["perft", "1", "2", *(pytest.param(work, marks=pytest.mark.slow) for work in ("search", "batch", "policy"))]
)
def test_a_program_ends_while_daemon_threads_work(work: str) -> None:
    for _ in range(1 if work == "policy" else 3):
        done = program(ENDING, work)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_forked_child_waits_for_nobody() -> None:
    """A child does not have the calls its parent is in, and ends at once."""
    done = program(
        """
        import os, threading, time
        import tilery

        game = tilery.load(tilery.games()[0])
        tilery.simulate(game, 1, threads=1)  # or the thread might still import, with a lock that the child waits for
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
        from tilery.simulation import result_dtype

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
        tilery.simulate(game, 1)  # imports what it needs: errors of a handler inside of an import are ignored
        for work in (lambda: game.new_initial_state().perft(50), lambda: tilery.simulate(game, 10**6, threads=2)):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            try:
                work()
            except Stop:
                print("stopped")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\nstopped\n", "")


def test_calls_while_the_interpreter_exits() -> None:
    """Functions that atexit calls after the exit of the engine get an error that says so."""
    done = program(
        """
        import atexit

        def late():
            try:
                tilery.simulate(game, 10)
            except RuntimeError as error:
                print(error)

        atexit.register(late)
        import tilery
        game = tilery.load("toy")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "the interpreter is exiting\n", "")


def test_a_forked_child_steps_and_frees_a_batch() -> None:
    done = program(
        """
        import os
        import tilery

        batch = tilery.load("toy").batch(1000, threads=2)
        batch.step(batch.random_indices())
        child = os.fork()
        for _ in range(3):
            batch.step(batch.random_indices())
        states = [batch[i].serialize() for i in range(1000)]
        del batch
        if child:
            assert os.waitpid(child, 0)[1] == 0
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_batch_in_use_when_its_process_was_forked() -> None:
    """The thread that was using it is in the parent, so the child gets an error instead of waiting for it."""
    done = program(
        """
        import os, threading, time
        import tilery

        batch = tilery.load("toy").batch(50, player=0, opponents="mcts:10000000")
        indices, begins = batch.random_indices(), threading.Event()

        def play():
            begins.set()
            batch.step(indices)

        thread = threading.Thread(target=play, daemon=True)
        thread.start()
        begins.wait()
        used = time.pthread_getcpuclockid(thread.ident)
        while time.clock_gettime(used) < 0.3:  # only the step takes so long
            time.sleep(0.01)
        child = os.fork()
        if child:
            assert os.waitpid(child, 0)[1] == 0
        else:
            for work in (batch.random_indices, batch.clone, lambda: batch.reset()):
                try:
                    work()
                except RuntimeError as error:
                    assert "when the process was forked" in str(error)
                else:
                    raise AssertionError("the batch was not in use")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_threads_that_list_a_batch_while_another_steps_it() -> None:
    """Each list is that of one moment."""
    done = program(
        """
        import threading
        import numpy as np
        import tilery

        game = tilery.load(tilery.games()[0])
        batch = game.batch(2000)
        going_on = True

        def step():
            while going_on:
                batch.step(np.full(2000, -1))
                batch.playout()
                batch.reset()

        stepping = threading.Thread(target=step)
        stepping.start()
        for _ in range(300):
            offsets, ids = batch.legal_actions()
            assert offsets[-1] == len(ids) and np.all(np.diff(offsets) >= 0)
            assert np.all((0 <= ids) & (ids < game.num_distinct_actions))
        going_on = False
        stepping.join()
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_signal_handler_that_uses_the_batch_that_is_playing() -> None:
    """It gets an error, instead of waiting for its own thread."""
    done = program(
        """
        import signal
        import tilery

        batch = tilery.load("toy").batch(50, player=0, opponents="mcts:10000000")

        def handler(*_):
            batch.legal_actions()

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            while True:
                batch.step(batch.random_indices())
        except RuntimeError as error:
            print(error)
        print(len(batch.legal_actions()))
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "this thread is using the batch already\n2\n", "")


def test_the_main_interpreter_alone_imports_the_engine() -> None:
    done = program(
        """
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters

        code = "try: import tilery\\nexcept ImportError as error: print('refused')"
        interpreters.run_string(interpreters.create(), code)
        """
    )
    assert (done.returncode, done.stdout) == (0, "refused\n")


def test_what_is_imported() -> None:
    """The import takes no NumPy, which takes longer than all the rest, and has every public name nevertheless."""
    done = program(
        """
        import sys
        import tilery

        assert not {"numpy", "email", "tilery.record", "tilery.policies"} & set(sys.modules), sorted(sys.modules)
        assert set(tilery.__all__) <= set(dir(tilery))
        from tilery import match, simulate
        assert simulate is tilery.simulate and tilery.runs.columns.arrow is tilery.arrow
        for name in tilery.__all__:
            getattr(tilery, name)
        for name in ("nothing", "no.thing"):
            try:
                getattr(tilery, name)
            except AttributeError as error:
                assert str(error) == f"module 'tilery' has no attribute {name!r}"
            else:
                raise AssertionError(name)
        """
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [["--version"], ["games"], ["games", "toy", "--json"]])
def test_commands_that_need_no_numpy(words: list[str]) -> None:
    done = program(
        """
        import sys
        from tilery.__main__ import main

        assert main() == 0
        assert "numpy" not in sys.modules and "tilery.cli.simulate" not in sys.modules
        """,
        *words,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
