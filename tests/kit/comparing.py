"""How states of the engine and of the reference are compared: both are asked the same questions."""

from __future__ import annotations

from typing import Any

Answers = dict[str, Any]


def of_position(state: Any) -> Answers:
    """What is compared at every position: the mover, the legal actions, the chances, the scores."""
    chance = state.is_chance_node()
    return {
        "current_player": state.current_player(),
        "legal_actions": state.legal_actions(),
        "scores": state.scores(),
        "returns": state.returns(),
        "is_chance_node": chance,
        "is_terminal": state.is_terminal(),
        "chance_outcomes": state.chance_outcomes() if chance else None,
    }


def of_questions(state: Any, seed: int) -> Answers:
    """What costs more: the final count, tokens, and for every player information, observations, determinizations."""
    legal = state.legal_actions()
    tokens = [state.action_to_string(action) for action in legal]
    assert [state.string_to_action(token) for token in tokens] == legal
    mask = state.legal_actions_mask()
    answers = {"scores_if_over": state.scores_if_over(), "tokens": tokens, "mask": [mask.shape, mask.tobytes()]}
    players = range(state.game.num_players)
    for player in players:
        observed, dealt = state.observation_tensor(player), state.determinize(player, seed)
        answers[f"player {player}"] = {
            "information": state.information_state_string(player),
            "observation": [observed.shape, observed.tobytes()],
            "determinization": of_position(dealt),
            "scores after it": dealt.scores_if_over(),
            "information after it": [dealt.information_state_string(other) for other in players],
        }
    return answers


def agree(native: Any, reference: Any) -> None:
    """Raise `AssertionError` at the first answer that differs, naming it."""
    assert native == reference, difference(native, reference)


def difference(native: Any, reference: Any, where: str = "") -> str:
    """Where two answers begin to differ, and how."""
    if type(native) is type(reference):
        keys: Any = ()
        if isinstance(native, dict) and native.keys() == reference.keys():
            keys = native
        elif isinstance(native, (list, tuple, bytes)) and len(native) == len(reference):
            keys = range(len(native))
        for key in keys:
            if native[key] != reference[key]:
                return difference(native[key], reference[key], f"{where}[{key!r}]")
    return f"{where}: engine {native!r}, reference {reference!r}"


def compare_states(native: Any, reference: Any) -> None:
    agree(of_position(native), of_position(reference))
    agree(native.scores_if_over(), reference.scores_if_over())


def compare_questions(native: Any, reference: Any, *, seed: int) -> None:
    compare_states(native, reference)
    agree(of_questions(native, seed), of_questions(reference, seed))


def apply_native(native: Any, action: int) -> list[Any]:
    """Take an action in the engine; returns where its points come from, which adds up to them."""
    events: list[Any] = native.score_events(action)
    expected = native.scores()
    for event in events:
        expected[event["player"]] += event["points"]
    native.apply_action(action)
    assert native.scores() == expected, events
    return events


def apply_reference(reference: Any, action: int) -> list[Any]:
    """The same in the reference."""
    reference._events = events = []  # what score_events() does with a copy, which takes long
    reference._apply(action)  # apply_action() would list the legal actions again, which were compared before
    reference._events = None
    return events


def apply_both(native: Any, reference: Any, action: int) -> None:
    """Take an action on both sides; where its points come from is the same, and adds up to them."""
    agree({"score_events": apply_native(native, action)}, {"score_events": apply_reference(reference, action)})
