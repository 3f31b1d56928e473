"""Java in a terminal, which begins with thousands of actions."""

from __future__ import annotations

from tests.play.test_terminal import Person, session_of


def test_groups_open_by_name_and_prefixes_list_actions() -> None:
    """A list of the spaces would push the island off the screen."""
    session = session_of("java")
    lines = ["a three-space tile", "3", "tool:3", "14.24", "..", "..", "3@", "list 3@", "list", "hint", "quit"]
    text = Person(lines).play(session)
    for sentence in (
        "token 'a three-space tile'",
        "4) a three-space tile: 1041 actions",
        "a three-space tile  (.. goes back)\n211 choices: type a name, such as 0.8; list shows them.",
        "a three-space tile, space 14.24  (.. goes back)\n   1) 3@14.24/W  village on 14.24, rice to the west",
        "and 1011 more",
        ": wins ",
    ):
        assert sentence in text, sentence
    assert "tool:" not in text
    assert not session.state.is_terminal()
