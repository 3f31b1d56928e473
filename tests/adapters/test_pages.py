"""What docs/adapters.md shows runs."""

from __future__ import annotations

import re

import pytest

from tests.kit.games import ROOT

PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
SECTIONS = {
    section.partition("\n")[0]: blocks
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)
    if (blocks := [block for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL) if ">>>" not in block])
}


@pytest.mark.filterwarnings("ignore:the plug-in of tilery:RuntimeWarning")
@pytest.mark.parametrize("project", SECTIONS)
def test_the_code_of_a_section_runs(project: str) -> None:
    try:
        exec("".join(SECTIONS[project]), {})
    except ImportError as error:  # says what installs it
        pytest.skip(str(error))


def test_there_are_such_sections() -> None:
    assert {"PettingZoo", "Gymnasium"} <= set(SECTIONS)
