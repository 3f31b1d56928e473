"""Requests of any shape in any order: a refusal changes nothing, and some person can always go on."""

from __future__ import annotations

import dataclasses
import sys
import threading
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import tilery
from tests.kit.games import GAMES
from tests.kit.waiting import until
from tilery.play import Session, requests
from tilery.play.host import Host
from tilery.play.requests import KINDS, ForbiddenError
from tilery.play.session import PlayError

ENDLESS = "mcts:2000000000,memory=16"
FAILING = "py:tests.play.test_session:failing"
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.integers(-2, 2**70),
    st.text(max_size=5),
    st.lists(st.integers(0, 2), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(0, 2), max_size=1),
)
SEATS = st.integers(-1, 3)
BOTS = st.sampled_from([None, "random", "greedy", ENDLESS, FAILING, "mctx", "cmd:touch x", "py:os:getpid", ""])


@pytest.mark.parametrize("name", KINDS)
def test_every_field_is_checked_whatever_is_left_out(name: str) -> None:
    types = requests._TYPES[name]
    needed = {each.name for each in dataclasses.fields(KINDS[name]) if each.default is dataclasses.MISSING}
    right = {key: next(value for value in (0, "", None, [], {}) if isinstance(value, types[key][0])) for key in needed}
    requests.parse(name, right)
    for key in types:
        with pytest.raises((PlayError, ForbiddenError)):
            requests.parse(name, right | {key: object()})


def idle(host: Host) -> None:
    """Wait until nobody thinks who will ever be done."""
    session = host.session
    if session.actor < 0 or session.seats[session.actor] != ENDLESS:
        assert host.wait(60)


def none_left(before: set[threading.Thread]) -> None:
    """The threads begun since end."""
    until(lambda: set(threading.enumerate()) <= before, "no thread is left")


class Requests(RuleBasedStateMachine):
    """Requests to a host of three seats; what a page could send, and what it could not."""

    @initialize(seats=st.permutations([None, "random", FAILING]), more=st.booleans())
    def begin(self, seats: list[str | None], more: bool) -> None:
        self.threads = set(threading.enumerate())
        game = tilery.load("toy", players=3, hand=4)
        if more:
            seats[seats.index("random")] = None
        self.calls: list[int] = []

        def again() -> Session:
            now = self.host.session  # by a known seed: a second run of the same requests must draw alike
            return Session(now.game, now.seats, seed=6, names=now.names)

        self.host = Host(Session(game, seats, seed=5), again, told=lambda: self.calls.append(1), patience=0.0)

    def state(self) -> tuple[Any, ...]:
        """All that a refused request must leave alone."""
        session, host = self.host.session, self.host
        record = session.record().to_json()
        return (
            session.version,
            list(session.moves),
            session.seats,
            session.people,
            record,
            host._thought,
            len(self.calls),
        )

    def send(self, name: object, data: object) -> None:
        idle(self.host)
        before = self.state()
        status, answer = self.host.reply(name, data)
        assert status in (200, 400, 403, 409)
        if status != 200:
            assert self.state() == before
            assert list(answer) == ["error"]
            assert answer["error"]

    @rule(name=st.sampled_from([*KINDS, "close", "_view", ""]), data=st.data())
    def any_request(self, name: str, data: st.DataObject) -> None:
        """The right keys, more or less, with values that may fit or not."""
        session = self.host.session
        tokens = [session.state.action_to_string(action) for action in session.state.legal_actions()]
        likely: dict[str, Any] = {
            "seat": st.sampled_from([*session.people, session.actor, None]),
            "version": st.just(session.version),
            "token": st.sampled_from(tokens or [""]),
            "number": st.integers(0, len(session.moves)),
            "turns": st.integers(0, 3),
            "other": SEATS,
            "bot": BOTS,
            "options": st.sampled_from([{"hand": 4}, {"players": 3, "hand": 4}, {"hand": 99}, {"more": 1}]),
            "seats": st.lists(BOTS, min_size=2, max_size=3),
            "names": st.sampled_from([[], ["Ann", None], ["Ann", "Bo", None], [1, 2, 3]]),
            "seed": st.sampled_from([None, 5, -1]),
            "picks": st.sampled_from([[], tokens[:1], ["what"], [3]]),
            "record": st.sampled_from([session.record().to_json(), "{}", "what"]),
        }
        keys = set(KINDS[name].__dataclass_fields__) if name in KINDS else {"seat"}
        request: dict[str, Any] = {}
        odd = data.draw(st.sampled_from([None, None, None, *likely, "more", "missing"]))
        for key in sorted(keys - ({data.draw(st.sampled_from(sorted(keys)))} if odd == "missing" else set())):
            request[key] = data.draw(ODD if key == odd else likely[key])
        if odd == "more":
            request["more"] = 1
        self.send(name, request)

    @rule(name=ODD, data=ODD)
    def no_request(self, name: object, data: object) -> None:
        self.send(name, data)

    @invariant()
    def some_person_can_go_on(self) -> None:
        idle(self.host)
        session = self.host.session
        status, seen = self.host.reply("view", {"seat": None})
        assert status == 200
        if session.waits_for_person:
            status, seen = self.host.reply("view", {"seat": session.actor})
            assert seen["actions"]
        elif session.actor >= 0:  # a bot thinks, or has failed: its seat can be taken
            assert seen["thinking"] or seen["trouble"] or not session.people

    def teardown(self) -> None:
        if hasattr(self, "host"):
            self.host.close()
            none_left(self.threads)


TestRequests = Requests.TestCase
TestRequests.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_the_last_person_stays() -> None:
    host = Host(Session(tilery.load("toy"), [None, "random"], seed=3), patience=0.0)
    idle(host)
    version = host.session.version
    status, answer = host.reply("seat", {"seat": 0, "version": version, "other": 0, "bot": "random"})
    assert (status, host.session.people, host.session.version) == (400, [0], version)
    assert "the last person stays" in answer["error"]


def test_new_begins_another_game_of_the_same_rules_and_players() -> None:
    game = tilery.load("toy", players=3, hand=4)
    first = Session(game, [None, "random", None], seed=5, names=["Ann", None, "Bo"])
    host = Host(first, patience=0.0)
    other = Session(game, [None, "greedy", None], seed=6)
    given = Host(Session(game, [None, "random", None], seed=5), lambda: other, patience=0.0)
    for each, bot in ((host, "random"), (given, "greedy")):
        idle(each)
        version = each.session.version
        status, seen = each.reply("new", {"seat": 0, "version": version})
        assert (status, each.session.game) == (200, game)
        assert 0 not in [player for player, *_ in seen["moves"]]
        assert (each.session.seats, each.session.version > version) == ([None, bot, None], True)
        each.close()
    assert (host.session.names, given.session) == (first.names, other)
    assert host.session.record().more["seed"] != 5


def test_games_are_begun_opened_and_watched() -> None:
    """By rules and seats that a page may choose; a game without people goes on by steps, for whoever watches."""
    calls: list[int] = []
    first = Session(tilery.load("toy", hand=4), [None, "random"], seed=3)
    host = Host(first, told=lambda: calls.append(1), patience=0.0)
    idle(host)

    def asked(name: str, **data: Any) -> tuple[int, dict[str, Any]]:
        return host.reply(name, {"seat": None, "version": host.session.version, **data})

    written = host.session.record()
    assert [option["name"] for option in host.reply("options", {"seat": 0})[1]["options"]] == [*tilery.options("toy")]
    begin: dict[str, Any] = {"seat": 0, "options": {"players": 3}, "seats": ["random"] * 3, "names": []}
    for wrong in (
        {"options": {"players": 9}},
        {"options": {"nothing": 1}},
        {"seats": ["random"]},
        {"seats": ["random", "random", "cmd:touch x"]},
        {"seats": ["random", "random", 3]},
        {"names": ["Ann"]},
        {"names": ["Ann", 1, None]},
        {"seed": -1},
    ):
        status, answer = asked("begin", **(begin | wrong))
        assert (status, host.session) == (400, first), (wrong, answer)
    status, seen = asked("begin", **begin, seed=8)
    assert status == 200
    assert (host.session.seed, host.session.people, seen["viewer"], seen["thinking"]) == (8, [], None, False)
    assert asked("play", token="1")[0] == 400
    assert asked("step", seat=0)[0] == 403
    while host.session.actor >= 0:
        moves = len(host.session.moves)
        assert asked("step")[0] == 200
        assert host.wait(60)
        assert len(host.session.moves) > moves
    assert asked("step")[0] == 400
    assert host.reply("record", {"seat": None})[1]["record"] == host.session.record().to_json()
    assert host.reply("position", {"seat": None, "number": 2})[0] == 200
    for line in ("{}", "what", written.to_json().replace('"toy"', f'"{GAMES[1]}"')):
        assert asked("open", record=line)[0] == 400, line
    assert asked("open", record=written.to_json())[0] == 200
    assert host.session.record() == written
    strange = written.to_json().replace('"random"', '"cmd:touch x"')
    assert asked("open", seat=0, record=strange)[0] == 200
    assert host.session.people == [0, 1]
    host.close()


@pytest.mark.parametrize("seat", [0.0, True, "0", None])
def test_a_seat_of_another_type_plays_nothing(seat: Any) -> None:
    calls: list[int] = []
    session = Session(tilery.load("toy"), [None, None], seed=3)
    host = Host(session, told=lambda: calls.append(1), patience=0.0)
    token = session.state.action_to_string(session.state.legal_actions()[0])
    before = session.version
    assert host.reply("play", {"seat": seat, "version": before, "token": token})[0] == 403
    assert (session.version, calls) == (before, [])
    host.reply("play", {"seat": session.actor, "version": before, "token": token})
    moves, version = list(session.moves), session.version
    for undone in (requests.Undo, requests.Resign):
        with pytest.raises(ForbiddenError, match="is not a person's"):
            host.answer(undone(seat=seat, version=version))
    assert (session.moves, session.version, calls) == (moves, version, [1])


@pytest.mark.parametrize("request_", ["undo", "seat", "begin", "close"])
def test_a_thought_ends_when_nobody_needs_it(request_: str) -> None:
    """Whatever takes the turn away stops the search, and leaves no thread."""
    threads = set(threading.enumerate())
    session = Session(tilery.load("toy", hand=4), [None, ENDLESS], seed=3)
    with_first = session.actor == 0
    host = Host(session, patience=0.0)
    if with_first:
        seen = host.reply("view", {"seat": 0})[1]
        host.reply("play", {"seat": 0, "version": seen["version"], "token": seen["actions"][0]["token"]})
    data: dict[str, Any] = {"seat": 0, "version": session.version}
    if request_ == "seat":
        data |= {"other": 1, "bot": None}
    if request_ == "begin":
        data |= {"options": {"hand": 4}, "seats": [None, None], "names": []}
    assert host.reply("view", {"seat": 0})[1]["thinking"]
    if request_ == "close":
        host.close()
    else:
        assert host.reply(request_, data)[0] == 200
    none_left(threads)
    host.close()


def test_a_stopped_program_does_not_end_the_next_one() -> None:
    """Each thought has its own process: stopping one leaves that of the next alone."""
    session = Session(tilery.load("toy", hand=4), [f"cmd:{sys.executable} -m tilery bot random", "random"], seed=3)
    with session:
        threads = set(threading.enumerate())
        first = session.thought()
        failed: list[BaseException] = []

        def run() -> None:
            try:
                first()
            except tilery.StoppedError as error:
                failed.append(error)

        thinking = threading.Thread(target=run)
        thinking.start()
        until(lambda: first.process, "the program runs")
        first.stop()
        assert session.thought()() in session.state.legal_actions()
        thinking.join(60)
        assert len(failed) == 1
        with pytest.raises(tilery.StoppedError):
            first()
        session.play_bots()
        assert session.state.is_terminal()
    none_left(threads)


def test_a_search_can_be_hurried() -> None:
    """It takes the best action so far; without one that thinks there is nothing to hurry."""
    session = Session(tilery.load("toy", hand=4), [None, ENDLESS], seed=3)
    host = Host(session, patience=0.0)
    while session.waits_for_person:
        assert host.reply("hurry", {"seat": 0, "version": session.version})[0] == 400
        host.session.play(session.state.action_to_string(session.state.legal_actions()[0]))
    with host._news:
        host._changed()
    moves = len(session.moves)
    assert host.reply("hurry", {"seat": 0, "version": session.version - 1})[0] == 409
    assert host.reply("hurry", {"seat": 0, "version": session.version})[0] == 200
    until(lambda: len(session.moves) > moves, "the hurried bot has moved")
    assert session.moves[moves].player == 1
    host.close()


def test_the_points_if_the_game_ended_are_told_where_nothing_is_hidden() -> None:
    for name in GAMES:
        game = tilery.load(name)
        session = Session(game, [None] * game.num_players, seed=3)
        host = Host(session, patience=0.0)
        number = len(session.moves)
        status, answer = host.reply("outlook", {"seat": 0, "number": number})
        assert status == (400 if game.hides_information else 200)
        if status == 200:
            assert answer == {"scores": session.state.scores_if_over()}
        assert host.reply("outlook", {"seat": 0, "number": number + 1})[0] == 400
        host.close()
