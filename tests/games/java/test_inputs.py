"""Java: what a learner sees of a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tilery
from tests.kit.inputs import of_group, rotated_seats_see_the_same, shifted
from tests.kit.walking import random_game

NOBODY, ALONE, FIRST, ONLY_OTHERS, SECOND, TIE = range(6)


def rotated(position: dict[str, Any], players: int) -> dict[str, Any]:
    """All seats one further."""

    def seat(player: int | None) -> int | None:
        return None if player is None else (player + 1) % players

    for place, keys in (
        (position, ("scores",)),
        (position["supply"], ("two", "rice", "village", "tokens", "figures")),
        (position["cards"], ("hands", "known")),
    ):
        for key in keys:
            place[key] = shifted(place[key])
    for key in ("turn", "final"):
        position[key] = seat(position[key])
    position["board"]["figures"] = [[space, seat(player)] for space, player in position["board"]["figures"]]
    festival = position.get("festival")
    if festival:
        festival["laid"] = shifted(festival["laid"])
        festival["in"] = sorted(seat(player) for player in festival["in"])
    return position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_see_alike(players: int) -> None:
    game = tilery.load("java", players=players)
    assert rotated_seats_see_the_same(game, lambda position: rotated(position, players), 20) >= 8


def positions(players: int) -> Iterator[Any]:
    game = tilery.load("java", players=players)
    for seed in range(12):
        yield random_game(game, seed=seed, actions=100 + 40 * seed)


def rank(ranking: list[dict[str, Any]], player: int) -> int:
    """How a player stands against the best of the others."""
    if not ranking:
        return NOBODY
    places = [place for place, each in enumerate(ranking) if player in each["players"]]
    others = [place for place, each in enumerate(ranking) if set(each["players"]) - {player}]
    if not places:
        return ONLY_OTHERS
    if not others:
        return ALONE
    return FIRST if places[0] < others[0] else SECOND if places[0] > others[0] else TIE


def stage(state: Any) -> int:
    three = state.to_dict()["supply"]["three"]
    return 0 if three > 36 else 1 if three > 14 else 2


@pytest.mark.parametrize("players", [2, 4])
def test_settlements(players: int) -> None:
    """Size, palace and rank of each, as the view of settlements has them, and where a festival can be held."""
    seen = set()
    for state in positions(players):
        fresh = {palace[0] for palace in state.to_dict()["board"]["palaces"] if palace[-1]}
        for player in range(players):
            expected = []
            for settlement in state.settlements():
                palace = settlement["palace"]
                half, here = (0, 0) if palace is None else (palace["value"] // 2, int(palace["space"] in fresh))
                place = rank(settlement["ranking"], player)
                expected.append(
                    f"spaces={min(len(settlement['spaces']), 12)},half palace={half},rank={place},"
                    f"fresh+2*stage={here + 2 * stage(state)}"
                )
                seen.add(place)
            assert of_group(state, player, "settlement") == sorted(expected)
    assert seen >= {NOBODY, ALONE, FIRST, ONLY_OTHERS, SECOND}


def test_ponds() -> None:
    """The open shore of each body of irrigation that is not enclosed, and who ranks first there (JA-17, JA-18)."""
    found = 0
    for state in positions(2):
        expected = sorted(
            f"open shore={min(len(body['open']), 7)},rank={rank(body['ranking'], 0)}"
            for body in state.bodies()
            if body["open"]
        )
        seen = [each.rpartition(",")[0] for each in of_group(state, 0, "pond")]
        assert seen == expected
        found += len(seen)
    assert found > 10


def test_action_points_are_those_of_the_own_turn() -> None:
    for state in positions(2):
        position = state.to_dict()
        if position["draw"] is not None or position["over"]:
            continue
        turn, left = position["turn"], min(position["ap"], 7)
        three = position["supply"]["three"]
        owed, token = int(position["owed"]), int(position["token"])
        assert of_group(state, turn, "action points") == [
            f"three left={three},left={left},tile owed={owed},token={token}"
        ]
        assert of_group(state, 1 - turn, "action points") == [f"three left={three},left=8,tile owed=0,token=0"]


def test_cards() -> None:
    """The own cards, and only the number of the others'."""
    for state in positions(2):
        position = state.to_dict()
        sizes = [min(sum(hand), 7) for hand in position["cards"]["hands"]]
        assert of_group(state, 0, "cards") == [f"own={sizes[0]},others={sizes[1]},stage={stage(state)}"]


def test_a_beam_that_met_a_position_chooses_as_a_new_one() -> None:
    """What a player of a whole game remembers of its turns changes no choice, and neither does what a game keeps."""
    game = tilery.load("java", players=2)
    beam, state = tilery.policy("nn:2"), game.new_initial_state()
    _, (text,) = tilery.simulate(game, 1, seed=3, policies=["nn:2", "random"], records=True, threads=1)
    chosen = 0
    for token in text.split()[:200]:
        action = state.string_to_action(token)
        if state.current_player() == 0:
            assert beam.choose(state, chosen) == action
            if chosen % 4 == 0:
                new = tilery.load("java", players=2).deserialize_state(state.serialize())
                assert beam.choose(new, chosen) == action
            chosen += 1
        state.apply_action(action)
    assert chosen > 30
