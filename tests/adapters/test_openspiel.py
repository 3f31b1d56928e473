"""The games in OpenSpiel, as Python games and by the plug-in: OpenSpiel's own tests, and laws of the adapter."""

from __future__ import annotations

import ctypes
import importlib.metadata
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES, ROOT, variants

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed: nox -s adapters")
if os.name == "nt":
    pytest.skip("there is no OpenSpiel for Windows", allow_module_level=True)

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import tilery.openspiel as adapter  # noqa: E402
from tests.kit.openspiel import compile_once, registered  # noqa: E402
from tilery import extras  # noqa: E402
from tilery.openspiel import plugin  # noqa: E402

HERE = Path(__file__).parent
KINDS = ["_py", ""]
"""What the names of the two kinds of games end with: Python games, and those of the plug-in."""


@pytest.fixture(scope="module", autouse=True)
def names() -> list[str]:
    """The names that OpenSpiel knows, with the plug-in."""
    try:
        return registered()
    except plugin.BuildError as error:
        pytest.skip(f"the plug-in cannot be compiled: {error}")


@pytest.fixture(params=KINDS, ids=["python", "plugin"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def string_of(name: str, kind: str, **options: Any) -> str:
    return adapter.game_string(name, **options).replace("(", f"{kind}(", 1)


VARIANTS = [
    pytest.param(name, options, id=f"{name}{number}") for name in GAMES for number, options in enumerate(variants(name))
]
every_variant = pytest.mark.parametrize(("name", "options"), VARIANTS)


def walk(state: Any, rng: random.Random, actions: int = 10**9) -> Iterator[Any]:
    """The state itself before each of this many random actions, and after the last one."""
    yield state
    for _ in range(actions):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


def decision(game: Any, seed: int, at: float = 0.4) -> Any:
    """A decision with several actions of a random game: `at` goes from 0, the first of them, to 1, the last."""
    choices = []
    for state in walk(game.new_initial_state(), random.Random(seed)):
        if state.current_player() >= 0 and len(state.legal_actions()) > 1:
            choices.append(state.move_number())
    after = choices[int(at * (len(choices) - 1))]
    *_, found = walk(game.new_initial_state(), random.Random(seed), after)
    return found


# --- OpenSpiel's own tests ---

SIMULATED: dict[str, list[dict[str, Any]]] = tomllib.loads((HERE / "simulated.toml").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in GAMES for options in SIMULATED.get(name, variants(name))]
)
@pytest.mark.parametrize("times", [10, pytest.param(100, marks=pytest.mark.long)])
def test_random_simulations(name: str, options: dict[str, Any], kind: str, times: int) -> None:
    game = pyspiel.load_game(string_of(name, kind, **options))
    pyspiel.random_sim_test(game, times, serialize=True, verbose=False)


@pytest.mark.slow
@every_variant
def test_random_simulations_of_every_variant(name: str, options: dict[str, Any], kind: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(string_of(name, kind, **options)), 3, serialize=True, verbose=False)


def script(*lines: str) -> str:
    """What a script printed that runs after the games have been registered; it must succeed."""
    code = "\n".join(["import sys", "import tilery.openspiel", "tilery.openspiel.register()", *lines])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=ROOT, check=False, timeout=500
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


RUN = (
    "import unittest",
    "result = unittest.TextTestRunner(stream=sys.stdout).run(suite)",
    "sys.exit(not result.wasSuccessful())",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_api_test(name: str, kind: str) -> None:
    printed = script(
        "from absl import flags",
        "from open_spiel.integration_tests import api_test",
        f"flags.FLAGS(['x', '--test_only_games=tilery_{name}{kind}$'])",
        "import unittest",
        "suite = api_test.load_tests(unittest.TestLoader(), None, None)",
        *RUN,
    )
    assert re.search(r"Ran [1-9]\d* tests", printed)


def count_nodes(game: Any) -> tuple[tuple[int, int, int], int]:
    """The chance nodes, decisions and ends of a game, and the decisions that their players can tell apart."""
    nodes, known = [0, 0, 0], set()
    players = range(game.num_players)
    open_states = [(game.new_initial_state(), ("",) * game.num_players)]
    while open_states:
        state, seen = open_states.pop()
        player = state.current_player()
        nodes[0 if player == tilery.CHANCE else 2 if player == tilery.TERMINAL else 1] += 1
        if player >= 0:
            known.add((player, seen[player]))
        for action in state.legal_actions():
            after = tuple(f"{seen[each]} {state.action_seen_by(each, action)}" for each in players)
            open_states.append((state.child(action), after))
    return (nodes[0], nodes[1], nodes[2]), len(known)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "hand"), [("_py", 1), ("", 1), ("", 2)])
def test_the_api_test_on_a_whole_tree(kind: str, hand: int) -> None:
    nodes, known = count_nodes(tilery.load("toy", hand=hand))
    printed = script(
        "from absl import flags",
        "import pyspiel, unittest",
        "from open_spiel.integration_tests import api_test",
        "flags.FLAGS(['x'])",
        "class Tree(api_test.EnforceAPIOnFullTreeBase):",
        f"    game_name = 'tilery_toy{kind}(hand={hand})'",
        "    game = pyspiel.load_game(game_name)",
        f"api_test.TOTAL_NUM_STATES[Tree.game_name] = {nodes}",
        f"api_test.PERFECT_RECALL_NUM_STATES[Tree.game_name] = {known}",
        "suite = unittest.defaultTestLoader.loadTestsFromTestCase(Tree)",
        *RUN,
    )
    assert re.search(r"Ran [1-9]\d* tests", printed)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_simulations_from_python(name: str, kind: str) -> None:
    """Its games with the default and with each number of players; pickles of games, types and states."""
    players = tilery.options(name)["players"]
    printed = script(
        "import unittest",
        "from open_spiel.python.tests import games_sim_test",
        "every = unittest.defaultTestLoader.loadTestsFromTestCase(games_sim_test.GamesSimTest)",
        f"suite = unittest.TestSuite(test for test in every if test.id().endswith('tilery_{name}{kind}'))",
        *RUN,
    )
    assert f"Ran {1 + players.high - players.low + 1} tests" in printed


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if tilery.load(name).num_distinct_actions < 1000])
def test_a_playthrough_replays(name: str, kind: str) -> None:
    """The text of a game with more actions has ten megabytes."""
    script(
        "from absl import flags",
        "from open_spiel.python.algorithms import generate_playthrough",
        "flags.FLAGS(['x'])",
        f"text = generate_playthrough.playthrough('tilery_{name}{kind}', None, seed=3)",
        "import pathlib, tempfile",
        "file = pathlib.Path(tempfile.mkdtemp()) / 'playthrough.txt'",
        "file.write_text(text)",
        "original, replayed = generate_playthrough.replay(str(file))",
        "assert original == replayed",
    )


@pytest.fixture(scope="module")
def cpp_tests() -> Any:
    """`run_test` of openspiel_tests.cpp."""

    def build() -> Path:
        library = ROOT / "build" / "cache" / f"openspiel-tests-{importlib.metadata.version('open-spiel')}.so"
        source = HERE / "openspiel_tests.cpp"
        if not library.is_file() or library.stat().st_mtime < source.stat().st_mtime:
            plugin.compile_library(source, library)
        return library

    registered()
    run = ctypes.CDLL(str(compile_once(build))).run_test
    run.restype, run.argtypes = ctypes.c_char_p, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
    return run


@pytest.mark.slow
@every_variant
def test_undo_and_resampling_by_the_tests_in_cpp(name: str, options: dict[str, Any], cpp_tests: Any) -> None:
    """RandomSimTestWithUndo and ResampleInfostateTest, which need games of C++."""
    for test in (b"undo", b"resample"):
        assert cpp_tests(test, string_of(name, "", **options).encode(), 2) is None


@pytest.mark.parametrize("hand", [1, 2])
def test_chance_by_the_tests_in_cpp(hand: int, cpp_tests: Any) -> None:
    """CheckChanceOutcomes on the whole tree."""
    assert cpp_tests(b"chance", f"tilery_toy(hand={hand})".encode(), 0) is None


@every_variant
def test_games_with_and_without_chance_by_the_tests_in_cpp(name: str, options: dict[str, Any], cpp_tests: Any) -> None:
    """ChanceOutcomesTest or NoChanceOutcomesTest; the other one fails."""
    game, chance = string_of(name, "", **options).encode(), tilery.load(name, **options).num_chance_actions > 0
    wrong = {test: cpp_tests(test, game, 0) for test in (b"has chance", b"has no chance")}
    assert (wrong[b"has chance"] is None, wrong[b"has no chance"] is None) == (chance, not chance)


@pytest.mark.slow
def test_counterfactual_regret_becomes_small() -> None:
    game = pyspiel.load_game("tilery_toy(hand=2)")
    solver = pyspiel.CFRSolver(game)
    before = pyspiel.nash_conv(game, solver.average_policy())
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) < before / 2


# --- The games are those of tilery ---


def test_names(names: list[str]) -> None:
    assert names == [f"tilery_{name}{ending}" for name in GAMES for ending in ("", "_py")]
    assert adapter.register() == names
    assert set(names) <= set(pyspiel.registered_names())
    for name in names:
        assert isinstance(pyspiel.load_game(name), adapter.Game) == name.endswith("_py")


@every_variant
def test_a_game_loads_from_its_own_string(name: str, options: dict[str, Any], kind: str) -> None:
    game = pyspiel.load_game(string_of(name, kind, **options))
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert pickle.loads(pickle.dumps(game)).num_distinct_actions() == game.num_distinct_actions()
    core = tilery.load(name, **options)
    assert adapter.position(game.new_initial_state()) == core.new_initial_state()
    assert game.num_players() == core.num_players
    assert game.max_chance_outcomes() == core.num_chance_actions
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (core.max_decisions, core.max_chance_nodes)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (core.min_utility, 1, 0)
    hidden = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert hidden == core.hides_information


@every_variant
def test_states_say_what_those_of_tilery_say(name: str, options: dict[str, Any], kind: str) -> None:
    core = tilery.load(name, **options).new_initial_state()
    game = pyspiel.load_game(string_of(name, kind, **options))
    observation = make_observation(game)
    players = range(game.num_players())
    for state in walk(game.new_initial_state(), random.Random(3)):
        if state.move_number():
            core.apply_action(state.history()[-1])
        assert (state.current_player(), state.is_terminal()) == (core.current_player(), core.is_terminal())
        assert (state.legal_actions(), state.returns()) == (core.legal_actions(), core.returns())
        if state.is_chance_node():
            assert state.chance_outcomes() == core.chance_outcomes()
        if state.move_number() % 20 == 0 or state.is_terminal():
            assert str(state) == str(core)
            assert adapter.position(state) == core
            for player in players:
                assert state.observation_string(player) == core.information_state_string(player)
                observation.set_from(state, player)
                assert np.array_equal(observation.tensor, core.observation_tensor(player).reshape(-1))
                assert np.array_equal(observation.tensor, state.observation_tensor(player))
    assert [(part.name, part.shape) for part in core.game.observation_parts] == [
        (part, values.shape) for part, values in observation.dict.items()
    ]


def test_tokens(kind: str) -> None:
    for name in GAMES:
        state = decision(pyspiel.load_game(f"tilery_{name}{kind}"), seed=4)
        for action in state.legal_actions():
            token = tilery.load(name).action_to_string(action)
            assert state.action_to_string(action) == token
        assert state.string_to_action(token) == action


@pytest.mark.parametrize("keys", ["json", "hash"])
@every_variant
def test_both_kinds_know_the_same(name: str, options: dict[str, Any], keys: str) -> None:
    """Information states, also in drawn worlds, are the same text from C++ and from Python."""
    games = (pyspiel.load_game(string_of(name, kind, keys=keys, **options)) for kind in KINDS)
    python, compiled = (decision(game, seed=5) for game in games)
    for player in range(python.num_players()):
        drawn = [state.resample_from_infostate(player, random.Random(6).random) for state in (python, compiled)]
        again = [state.resample_from_infostate(0, random.Random(7).random) for state in drawn]
        for one, other in ((python, compiled), drawn, again):
            assert adapter.position(one) == adapter.position(other)
            for each in range(python.num_players()):
                assert one.information_state_string(each) == other.information_state_string(each)
            for kind in OBSERVED:
                observers = [make_observation(state.get_game(), kind) for state in (one, other)]
                assert observers[0].string_from(one, player) == observers[1].string_from(other, player)


# --- What players know ---

NONE, SINGLE = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
OBSERVED = [
    pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
    for public, private in ((True, SINGLE), (True, NONE), (False, SINGLE))
]


def test_observations_that_are_not_supported_are_none(kind: str) -> None:
    game = pyspiel.load_game(f"tilery_toy{kind}")
    for public, recall, private in (
        (True, True, NONE),
        (True, False, pyspiel.PrivateInfoType.ALL_PLAYERS),
        (False, False, NONE),
    ):
        wanted = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        assert make_observation(game, wanted) is None
    with pytest.raises((ValueError, pyspiel.SpielError), match="no parameters of observations"):
        make_observation(game, None, {"planes": 3})


def test_public_and_private_observations(kind: str) -> None:
    for name in GAMES:
        game = pyspiel.load_game(f"tilery_{name}{kind}")
        state = decision(game, seed=8)
        core = adapter.position(state)
        _, public, private = (make_observation(game, wanted) for wanted in OBSERVED)
        assert public.tensor is None
        for player in range(game.num_players()):
            assert public.string_from(state, player) == core.public_state_string()
            text = private.string_from(state, player)
            if not core.game.hides_information:
                assert text == ""
                continue
            seen, known = json.loads(core.public_state_string()), json.loads(core.information_state_string(player))
            assert seen | json.loads(text) == seen | known


def test_information_states_have_perfect_recall(kind: str) -> None:
    """Two orders of the same moves are the same position, but not the same information state."""
    state = pyspiel.load_game(f"tilery_toy{kind}(hand=3)").new_initial_state()
    draws = [[0, 1, 2, 3, 4, 0], [1, 0, 2, 3, 4, 0]]
    states = []
    for actions in draws:
        played = state.clone()
        for action in actions:
            played.apply_action(action)
        states.append(played)
    one, other = states
    assert adapter.position(one) == adapter.position(other)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) == "p0 0 1 2 ? ? ?"
    assert other.information_state_string(0) == "p0 1 0 2 ? ? ?"
    assert one.information_state_string(1) == other.information_state_string(1) == "p1 ? ? ? 3 4 0"


@every_variant
def test_resampling_keeps_what_the_player_knows(name: str, options: dict[str, Any], kind: str) -> None:
    state = decision(pyspiel.load_game(string_of(name, kind, **options)), seed=9)
    rng, player = random.Random(1), state.current_player()
    known = (state.information_state_string(player), state.observation_string(player))
    for _ in range(5):
        drawn = state.resample_from_infostate(player, rng.random)
        assert (drawn.information_state_string(player), drawn.observation_string(player)) == known
        assert drawn.legal_actions() == state.legal_actions()
        assert drawn.history() == state.history()
        for other in range(state.num_players()):
            # What the others know belongs to the drawn world, of which the history says nothing.
            alike = drawn.observation_string(other) == state.observation_string(other)
            assert alike or drawn.information_state_string(other) != state.information_state_string(other)
        for after in walk(drawn.clone(), rng, 3):
            assert after.information_state_string(player).startswith(known[0])


@every_variant
def test_copies_keep_the_drawn_world(name: str, options: dict[str, Any], kind: str) -> None:
    """OpenSpiel's own text, a history, would be that of the true world."""
    game = pyspiel.load_game(string_of(name, kind, **options))
    state = decision(game, seed=10)
    rng = random.Random(2)
    drawn = state.resample_from_infostate(state.current_player(), rng.random)
    for after in walk(drawn, rng, 4):
        copies = [after.clone(), pickle.loads(pickle.dumps(after)), game.deserialize_state(after.serialize())]
        copies += [pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, after))[1]]
        for copy in copies:
            assert adapter.position(copy) == adapter.position(after)
            assert (copy.history(), copy.move_number()) == (after.history(), after.move_number())
            for player in range(game.num_players()):
                assert copy.information_state_string(player) == after.information_state_string(player)


def test_undoing_a_drawn_world_ends_where_it_was_drawn() -> None:
    for name in GAMES:
        state = decision(pyspiel.load_game(f"tilery_{name}"), seed=11)
        drawn = state.resample_from_infostate(state.current_player(), random.Random(3).random)
        before = [(state.current_player(), state.clone()) for state in walk(drawn.clone(), random.Random(4), 5)]
        last = before.pop()[1]
        for player, earlier in reversed(before):
            last.undo_action(player, last.history()[-1])
            assert adapter.position(last) == adapter.position(earlier)
            assert last.information_state_string(0) == earlier.information_state_string(0)
        if drawn.get_game().get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
            with pytest.raises(pyspiel.SpielError, match="cannot be undone beyond its resampling"):
                last.undo_action(0, last.history()[-1])


def test_hashes_are_equal_where_the_texts_are(kind: str) -> None:
    for name in GAMES:
        texts, hashes = (pyspiel.load_game(f"tilery_{name}{kind}(keys={keys})") for keys in ("json", "hash"))
        found: dict[str, str] = {}
        for seed in range(2):
            pairs = zip(
                walk(texts.new_initial_state(), random.Random(seed), 60),
                walk(hashes.new_initial_state(), random.Random(seed), 60),
                strict=True,
            )
            for text, hashed in pairs:
                for player in range(texts.num_players()):
                    key = f"{player} {text.observation_string(player)}"
                    assert len(hashed.observation_string(player)) == 11
                    assert found.setdefault(key, hashed.observation_string(player)) == hashed.observation_string(player)
        assert len(set(found.values())) == len(found)


def test_a_position_of_tilery_is_played_on(kind: str) -> None:
    for name in GAMES:
        core = adapter.position(decision(pyspiel.load_game(f"tilery_{name}{kind}"), seed=15))
        state = adapter.state_of(core, compiled=not kind)
        assert adapter.position(state) == core
        assert state.history() == []
        for player in range(state.num_players()):
            known = core.information_state_string(player)
            assert state.information_state_string(player) == f"p{player} {known}"
        for after in walk(state, random.Random(6), 30):
            copy = pickle.loads(pickle.dumps(after))
            assert adapter.position(copy) == adapter.position(after)
            assert copy.information_state_string(0) == after.information_state_string(0)


# --- Bots ---


@pytest.mark.parametrize("name", GAMES)
def test_the_bots_of_openspiel_play(name: str) -> None:
    """The steps of MCTSBot and ISMCTSBot, without the GIL, through a whole game."""
    game = pyspiel.load_game(f"tilery_{name}(keys=hash)")
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bots = [pyspiel.MCTSBot(game, rollouts, 1.4, 20, 100, False, 2, False)]
    if game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bots.append(pyspiel.ISMCTSBot(3, rollouts, 1.4, 20, -1, final, False, False))
        bots.append(pyspiel.ISMCTSBot(3, rollouts, 1.4, 20, -1, final, True, False))
    state, rng = game.new_initial_state(), random.Random(5)
    while not state.is_terminal():
        legal = state.legal_actions()
        action = rng.choice(legal) if state.is_chance_node() else bots[state.move_number() % len(bots)].step(state)
        assert action in legal
        state.apply_action(action)


@pytest.mark.slow
def test_the_bots_in_python_play(kind: str) -> None:
    game = pyspiel.load_game(f"tilery_toy{kind}")
    luck, rollouts = np.random.RandomState(1), mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    final = ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bots = [
        mcts.MCTSBot(game, 1.4, 20, rollouts, random_state=luck),
        ismcts.ISMCTSBot(game, rollouts, 1.4, 20, final_policy_type=final, random_state=luck),
    ]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sum(returns) == 0


def test_policies_of_tilery_are_bots(kind: str) -> None:
    for name in GAMES:
        game = pyspiel.load_game(f"tilery_{name}{kind}")
        state = decision(game, seed=12)
        bot = adapter.bot("uct:30", seed=4)
        expected = tilery.policy("uct:30").choose(adapter.position(state), tilery.Rng(4))
        assert bot.step(state) == expected
        bot.step(state)
        bot.restart()
        assert bot.step(state) == expected


def test_a_bot_beats_a_random_one(kind: str) -> None:
    game = pyspiel.load_game(f"tilery_toy{kind}")
    won = 0.0
    for seed in range(30):
        bots = [adapter.bot("uct:100", seed), pyspiel.make_uniform_random_bot(1, seed)]
        won += pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0]
    assert won > 5


# --- Bad input ---


def test_options_that_are_refused_name_the_option(kind: str) -> None:
    with pytest.raises((tilery.OptionError, pyspiel.SpielError), match="players must be an integer from 2 to 4, got 9"):
        pyspiel.load_game(f"tilery_toy{kind}(players=9)")
    with pytest.raises((tilery.OptionError, pyspiel.SpielError), match="keys must be one of json, hash, got 'xml'"):
        pyspiel.load_game(f"tilery_toy{kind}(keys=xml)")
    with pytest.raises(pyspiel.SpielError, match="colour"):
        pyspiel.load_game(f"tilery_toy{kind}(colour=3)")
    with pytest.raises(tilery.OptionError, match="players"):
        adapter.game_string("toy", players=9)
    with pytest.raises(ValueError, match="chess"):
        adapter.game_string("chess")


def test_illegal_actions_change_nothing(kind: str) -> None:
    for name in GAMES:
        game = pyspiel.load_game(f"tilery_{name}{kind}")
        state = decision(game, seed=13)
        before, history = adapter.position(state), state.history()
        illegal = sorted({-3, 2**31, 2**40, game.num_distinct_actions(), 0} - set(state.legal_actions()))
        for action in illegal:
            with pytest.raises((tilery.IllegalActionError, pyspiel.SpielError), match=r"action|id"):
                state.apply_action(action)
            assert adapter.position(state) == before
            assert state.history() == history
        for player in (-1, game.num_players()):
            with pytest.raises(pyspiel.SpielError):
                state.information_state_string(player)
            with pytest.raises(pyspiel.SpielError):
                state.observation_tensor(player)


def test_texts_that_are_no_state_are_refused() -> None:
    game = pyspiel.load_game("tilery_toy")
    state = decision(game, seed=14)
    good = json.loads(state.resample_from_infostate(0, random.Random(1).random).serialize())
    assert game.deserialize_state(json.dumps(good)).history() == state.history()
    changes: list[dict[str, Any]] = [
        {"position": "zz"},
        {"position": "00"},
        {"position": 3},
        {"history": [[0]]},
        {"history": []},
        {"hidden": [1]},
        {"worlds": [[10**6, good["position"]]]},
        {"worlds": [[-1, good["position"]]]},
        {"worlds": good["worlds"] * 3},
        {"resampled_for": "me"},
        {"resampled_for": 7},
    ]
    for change in changes:
        with pytest.raises(pyspiel.SpielError):
            game.deserialize_state(json.dumps(good | change))
    for missing in good:
        with pytest.raises(pyspiel.SpielError):
            game.deserialize_state(json.dumps({key: good[key] for key in good if key != missing}))
    for text in ("{", "{}", "99"):
        with pytest.raises(pyspiel.SpielError):
            game.deserialize_state(text)


def test_states_of_other_games_are_refused() -> None:
    for other in (pyspiel.load_game("tic_tac_toe").new_initial_state(), None, "state"):
        with pytest.raises(TypeError, match="must be a state of OpenSpiel of a game of tilery"):
            adapter.position(other)
    with pytest.raises(ValueError, match="chance is to act"):
        adapter.bot("random").step(pyspiel.load_game("tilery_toy").new_initial_state())
    with pytest.raises(ValueError, match="unknown policy"):
        adapter.bot("clairvoyant")


# --- Versions, and building the plug-in ---


@pytest.mark.parametrize(("version", "accepted"), [("2.0.1", False), ("2.0.2", True), ("2.0.10", True), ("2.1", False)])
def test_versions(version: str, accepted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version if name == "open-spiel" else "99")
    if accepted:
        extras.need("openspiel")
    else:
        with pytest.raises(ImportError, match=rf"open-spiel<2\.1,>=2\.0\.2, found open-spiel {version}: pip install"):
            extras.need("openspiel")


def test_without_openspiel_the_import_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(ImportError, match=r"pip install 'tilery\[openspiel\]'"):
        extras.need("openspiel")


def command(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tilery.openspiel", *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=300,
    )


def test_the_plugin_is_kept_by_version_and_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled again for this version; for another one, or from another source, it would be."""
    built = plugin.library_path()
    compiled: list[Path] = []
    monkeypatch.setattr(plugin, "compile_library", lambda _source, library: compiled.append(library))
    assert plugin.build() == built
    assert compiled == []
    assert f"openspiel-{importlib.metadata.version('open-spiel')}-" in built.name
    assert plugin.build(force=True) == built
    monkeypatch.setattr("importlib.metadata.version", lambda _name: "2.0.99")
    of_another_version = plugin.build()
    monkeypatch.setattr(plugin, "SOURCE", tmp_path / "plugin.cpp")
    plugin.SOURCE.write_text("// another source")
    assert compiled == [built, of_another_version, plugin.build()]
    assert len(set(compiled)) == 3


def test_the_command(tmp_path: Path) -> None:
    built = plugin.library_path()
    for words in (["build"], ["find"]):
        assert command(*words).stdout.strip() == str(built)
    missing = command("find", XDG_CACHE_HOME=str(tmp_path))
    assert (missing.returncode, missing.stdout.strip()) == (1, "the plug-in is not built")
    no_compiler = command("build", XDG_CACHE_HOME=str(tmp_path), CXX="no-such-compiler")
    assert no_compiler.returncode == 1
    assert "error: no C++ compiler: none of no-such-compiler is installed" in no_compiler.stderr
    refusing = command("build", XDG_CACHE_HOME=str(tmp_path), CXX="false")
    assert refusing.returncode == 1
    assert "error: false cannot compile" in refusing.stderr
    assert not list(tmp_path.glob("tilery/*"))


def test_without_the_plugin_there_are_the_python_games(tmp_path: Path) -> None:
    code = (
        "import warnings, pyspiel, tilery.openspiel as adapter\n"
        "with warnings.catch_warnings(record=True) as warned:\n"
        "    warnings.simplefilter('always')\n"
        "    names = adapter.register()\n"
        "    adapter.register()\n"
        "print(len(names), *(type(pyspiel.load_game(name)).__name__ for name in names[:2]))\n"
        "print(*(each.message for each in warned), sep='\\n')\n"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    first, *warned = done.stdout.splitlines()
    assert first == f"{2 * len(GAMES)} Game Game"
    assert len(warned) == 1
    assert "`python -m tilery.openspiel build` compiles it" in warned[0]


@pytest.mark.parametrize(
    "policy", [lambda state: state.legal_actions()[0], f"cmd:{sys.executable} -m tilery bot greedy"]
)
def test_every_kind_of_policy_is_a_bot(policy: Any) -> None:
    state = pyspiel.load_game("tilery_toy(hand=1)").new_initial_state()
    bot = adapter.bot(policy, seed=4)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0] if state.is_chance_node() else bot.step(state))
    assert len(state.returns()) == 2


# --- Structs ---


@every_variant
def test_structs_go_there_and_back(name: str, options: dict[str, Any], kind: str) -> None:
    game = pyspiel.load_game(string_of(name, kind, **options))
    for state in list(walk(game.new_initial_state(), random.Random(2), 60))[::3]:
        struct, core = state.to_struct(), adapter.position(state)
        assert isinstance(struct, pyspiel.StateStruct)
        assert (
            json.loads(state.to_json()) == struct.to_dict() == state.to_dict() == json.loads(json.dumps(core.to_dict()))
        )
        for written in (struct, struct.to_dict(), struct.to_json()):
            again = game.new_initial_state(written)
            assert adapter.position(again) == core
            assert (again.legal_actions(), again.history()) == (state.legal_actions(), [])
            assert again.to_json() == struct.to_json()
        for action in state.legal_actions()[:20]:
            written = state.action_to_struct(state.current_player(), action)
            assert isinstance(written, pyspiel.ActionStruct)
            words = {"token": state.action_to_string(action), "words": core.game.describe_action(action)}
            for each in (written, state.action_to_struct(action), state.actions_to_struct([action])):
                assert each.to_dict() == words
            for each in (written, adapter.action_struct(written.to_json()), adapter.action_struct(words)):
                assert state.struct_to_actions(each) == [action]


@every_variant
def test_both_kinds_have_the_same_structs(name: str, options: dict[str, Any]) -> None:
    python, compiled = (
        walk(pyspiel.load_game(string_of(name, kind, **options)).new_initial_state(), random.Random(3), 40)
        for kind in KINDS
    )
    for one, other in zip(python, compiled, strict=True):
        assert one.to_json() == other.to_json()
        for player in range(one.num_players()):
            assert one.to_observation_struct(player).to_json() == other.to_observation_struct(player).to_json()
        for action in one.legal_actions()[:5]:
            assert one.action_to_struct(action).to_json() == other.action_to_struct(action).to_json()


@every_variant
def test_the_struct_for_a_player_holds_what_the_player_knows(name: str, options: dict[str, Any], kind: str) -> None:
    game = pyspiel.load_game(string_of(name, kind, **options))
    rng = random.Random(4)
    for state in list(walk(game.new_initial_state(), rng, 80))[::8]:
        for player in range(game.num_players()):
            struct = state.to_observation_struct(player)
            assert isinstance(struct, pyspiel.ObservationStruct)
            seen = struct.to_dict()
            assert seen == json.loads(adapter.position(state).information_state_string(player))
            for _ in range(3):
                drawn = state.resample_from_infostate(player, rng.random)
                assert drawn.to_observation_struct(player).to_dict() == seen
        if state.current_player() >= 0:
            own = state.to_observation_struct(state.current_player())
            assert state.to_observation_struct().to_json() == own.to_json()
    for player in (-1, game.num_players()):
        with pytest.raises((ValueError, pyspiel.SpielError), match=r"player must be (in|an integer from) 0"):
            state.to_observation_struct(player)


def test_the_struct_tests_of_openspiel(kind: str) -> None:
    """Those that take any game, on a decision of each."""
    from open_spiel.python.tests import pyspiel_test

    class Structs(pyspiel_test.StructApiTest):
        name: str

        def setUp(self) -> None:
            self.game = pyspiel.load_game(f"tilery_{self.name}{kind}")
            self.ref_state = decision(self.game, seed=16)

    for Structs.name in GAMES:
        for test in ("action_struct_round_trip", "validate_action_struct_valid", "starting_state_from_dict"):
            result = Structs(f"test_{test}").run()
            assert result is not None
            assert (result.testsRun, result.errors, result.failures) == (1, [], [])


def test_a_state_of_a_struct_tells_it(kind: str) -> None:
    for name in GAMES:
        state = decision(pyspiel.load_game(f"tilery_{name}{kind}"), seed=17)
        assert (state.starting_state(), state.starting_state_str()) == (None, "")
        begun = state.get_game().new_initial_state(state.to_dict())
        begun.apply_action(begun.legal_actions()[0])
        for copy in (begun, begun.clone(), pickle.loads(pickle.dumps(begun))):
            assert json.loads(copy.starting_state_str()) == state.to_dict()
            assert copy.starting_state().to_json() == state.to_json()
            assert copy.history() == begun.history()


def test_actions_in_structs_are_applied_or_refused_with_the_reason(kind: str) -> None:
    game = pyspiel.load_game(f"tilery_toy{kind}(hand=2)")
    state = decision(game, 1)
    first, before = state.legal_actions()[0], str(state)
    assert state.validate_action_struct(state.action_to_struct(first)).ok()
    wrong = next(action for action in range(game.num_distinct_actions()) if action not in state.legal_actions())
    for struct, says in (
        (state.action_to_struct(wrong), adapter.position(state).why_illegal(wrong)),
        (adapter.action_struct({"token": "nothing"}), "nothing"),
        (adapter.action_struct({"words": "play"}), "token"),
        (adapter.action_struct('{"token": [9]}'), "9"),
    ):
        status = state.apply_action_struct(struct)
        assert not status.ok()
        assert says in status.message()
        if says != adapter.position(state).why_illegal(wrong):
            with pytest.raises((ValueError, pyspiel.SpielError), match=says):
                state.struct_to_actions(struct)
    assert str(state) == before
    spec, example = game.action_struct_spec()
    assert spec == '{"token": string}'
    assert game.new_initial_state().validate_action_struct(adapter.action_struct(example)).ok()
    assert state.apply_action_struct(state.action_to_struct(first)).ok()
    assert state.history()[-1] == first


def test_structs_that_are_none_are_refused(kind: str) -> None:
    game = pyspiel.load_game(f"tilery_toy{kind}(hand=2)")
    for text in ("", "[]", "{", '{"a": 1}', "3"):
        with pytest.raises((ValueError, RuntimeError), match=r"position must be|Expecting|position has no|parse error"):
            game.new_initial_state(text)
    for text in ("[]", "3", "null"):
        with pytest.raises(ValueError, match="is an object of JSON"):
            adapter.action_struct(text)
