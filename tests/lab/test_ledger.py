"""What the tools write in the ledger: nothing counted twice, nothing claimed that was not tested."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fcntl", reason="the tools run on Unix")

from tests.kit.games import GAMES, ROOT
from tests.lab import calibration, campaign, fuzzing, mutants, platforms, stores


def part(seed: int) -> dict[str, Any]:
    return {"seed": seed, "counts": {"inputs": 10}, "seconds": 1.0}


def pieces(kept: Path, seeds: int = 3) -> list[dict[str, Any]]:
    return list(campaign.pieces("hostile", "toy", range(seeds), 1, kept))


class TestCampaign:
    def test_a_seed_counts_once(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept.jsonl"
        kept.write_text("".join(json.dumps(part(seed)) + "\n" for seed in (0, 1, 1, 2, 0, 7)))
        assert pieces(kept) == [part(0), part(1), part(2)]

    def test_a_line_that_was_cut_off_is_made_again(self, tmp_path: Path, monkeypatch: Any) -> None:
        monkeypatch.setattr(campaign, "PIECE", 1)
        kept = tmp_path / "kept.jsonl"
        whole = json.dumps(part(0)) + "\n"
        kept.write_text(whole + json.dumps(part(1))[:-9])
        found = pieces(kept, 2)
        assert [one["seed"] for one in found] == [0, 1]
        assert found[1]["counts"]["inputs"] > 0
        text = kept.read_text()
        assert pieces(kept, 2) == found
        assert kept.read_text() == text, "nothing is done again"

    def test_parts_of_changed_sources_are_not_kept(self, tmp_path: Path) -> None:
        kept = tmp_path / "hostile-toy-0123456789-dirty.jsonl"
        kept.write_text(json.dumps(part(0)) + "\n")
        assert pieces(kept, 0) == []
        assert kept.read_text() == ""

    def test_a_second_call_refuses_to_start(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept.jsonl"
        program = "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.lockf(f, fcntl.LOCK_EX); print(); input()"
        words = [sys.executable, "-S", "-c", program, str(kept)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdout.readline()
            with pytest.raises(SystemExit, match="another call is at work on this campaign"):
                pieces(kept)
            other.stdin.close()
        assert pieces(kept, 0) == []

    def test_new_source_files_are_changes(self, tmp_path: Path, monkeypatch: Any) -> None:
        monkeypatch.setattr(campaign, "ROOT", tmp_path)
        for folder in ("cpp", "docs"):
            (tmp_path / folder).mkdir()
        (tmp_path / ".gitignore").write_text("*.so\n")
        (tmp_path / "cpp" / "old.cpp").touch()
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
            git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
            subprocess.run([*git, *words], cwd=tmp_path, check=True)
        (tmp_path / "cpp" / "built.so").touch()
        (tmp_path / "docs" / "notes.txt").touch()
        assert not campaign.commit().endswith("-dirty")
        (tmp_path / "cpp" / "new.cpp").touch()
        assert campaign.commit().endswith("-dirty")


class TestFuzz:
    STATISTICS = "#900\tDONE   cov: 9 ft: 8 corp: 7/6b\nstat::number_of_executed_units: 900\nstat::new_units_added: 5\n"

    def test_inputs_of_the_corpus_do_not_count(self) -> None:
        begin = "INFO: seed corpus: files: 311\n#64\tpulse  cov: 4 exec/s: 0\n#312\tINITED cov: 4 ft: 5 corp: 1/1b\n"
        assert fuzzing.executed_of(begin + "#400\tNEW    cov: 5\n" + self.STATISTICS) == 900 - 312

    def test_without_a_corpus_all_count(self) -> None:
        assert fuzzing.executed_of(self.STATISTICS) == 900


class TestPlatforms:
    def test_a_program_prints_every_checksum(self) -> None:
        names = [name for game in GAMES for name in (game, f"{game}_choices")]
        text = "".join(f"{name} 0123456789abcdef\n" for name in names)
        assert list(platforms.printed(text, "some")) == names
        for wrong in ("", text.replace(f"{names[0]} ", "other "), text.replace(f"{names[1]} 0", f"{names[1]} ")):
            with pytest.raises(SystemExit, match=f"some prints no checksum of .*{GAMES[0]}"):
                platforms.printed(wrong, "some")

    def test_every_source_of_the_rules_is_compiled(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(platforms, "FOLDER", tmp_path)
        compiled = platforms.engine()
        texts = [path.read_text(encoding="utf-8") for path in compiled if tmp_path in path.parents]
        included = [Path(line.split('"')[1]) for text in texts for line in text.splitlines()]
        found = [path for path in (*compiled, *included) if tmp_path not in path.parents]
        assert sorted(found) == sorted(
            path for folder in ("core", "net", "search", "games") for path in (platforms.CPP / folder).rglob("*.cpp")
        )

    def test_the_headers_that_the_program_includes_are_made(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(platforms, "FOLDER", tmp_path)
        platforms.generated()
        text = (ROOT / "tests" / "lab" / "checksum.cpp").read_text(encoding="utf-8")
        for header in re.findall(r'^#include "(.+)"$', text, re.MULTILINE):
            assert (platforms.CPP.parent / header).is_file() or (tmp_path / "include" / header).is_file(), header

    def test_a_platform_is_not_equal_to_itself(self) -> None:
        assert platforms.compared(["one"], recorded=True) == "equal: one"
        assert platforms.compared(["one", "other"], recorded=False) == "equal: one, other"
        with pytest.raises(SystemExit, match="one was compared with nothing"):
            platforms.compared(["one"], recorded=False)
        for recorded in (True, False):
            with pytest.raises(SystemExit, match="no platform ran"):
                platforms.compared([], recorded)


class TestMutants:
    @pytest.fixture
    def workshop(self, tmp_path: Path, monkeypatch: Any) -> Any:
        """Three mutants; each is killed at once."""
        (tmp_path / "rules.cpp").write_text("int a = b + 1;\nint c = d;\nint e = f * g;\n")

        def kill(_workshop: Any, mutant: Any, *_more: Any) -> None:
            mutant.fate, mutant.seconds = mutants.BY_JUDGE, 1.0

        monkeypatch.setattr(mutants, "attempt", kill)
        return SimpleNamespace(
            game="toy", rules=tmp_path, folder=tmp_path, mutants=lambda: mutants.mutants_of(tmp_path)
        )

    def run(self, workshop: Any, count: int, tested: str) -> str:
        return mutants.run(workshop, 1, count, 1.0, False, tested)[1]

    def test_results_of_several_commits_are_told(self, workshop: Any) -> None:
        assert self.run(workshop, 1, "aaa") == "aaa"
        assert self.run(workshop, 2, "bbb") == "aaa..bbb"
        assert self.run(workshop, 3, "ccc") == "aaa..ccc"
        assert self.run(workshop, 2, "ddd") == "aaa..bbb", "nothing was left to test"

    def test_a_fate_found_again_is_of_the_later_commit(self, workshop: Any) -> None:
        self.run(workshop, 3, "aaa")
        path = workshop.folder / "results-1.json"
        path.write_text(path.read_text().replace(mutants.BY_JUDGE, "survived", 1))
        assert self.run(workshop, 3, "bbb") == "aaa..bbb"
        path.write_text(path.read_text().replace(mutants.BY_JUDGE, "survived"))
        assert self.run(workshop, 3, "ccc") == "ccc"

    def test_fates_that_were_kept_without_a_commit(self, workshop: Any) -> None:
        self.run(workshop, 2, "aaa")
        path = workshop.folder / "results-1.json"
        path.write_text(json.dumps([[key, fate, seconds] for key, fate, seconds, _ in json.loads(path.read_text())]))
        assert self.run(workshop, 2, "bbb") == "before"
        assert self.run(workshop, 3, "bbb") == "before..bbb"

    def test_only_failed_tests_and_signals_kill(self) -> None:
        assert [mutants.has_failed(status, "") for status in (0, 5, 1, -6, -9, -24)] == [False] * 2 + [True] * 4
        for status in (2, 3, 4, 127):
            with pytest.raises(SystemExit, match=f"could not be run, exit status {status}:\nthe text"):
                mutants.has_failed(status, "the text")

    def test_processor_time_is_limited(self) -> None:
        endless = [sys.executable, "-S", "-c", "while True: pass"]
        words = mutants.limited(0, endless)
        assert subprocess.run(words, check=False, timeout=60).returncode < 0

    @pytest.fixture
    def compiled(self, tmp_path: Path) -> Any:
        """A source, a header, and programs that are made of them by writing them in an object."""
        made = tmp_path / "made.o"
        for name in ("rules.cpp", "rules.hpp", made.name):
            (tmp_path / name).write_text("old")

        def compile(*targets: str) -> bool:
            made.write_text((tmp_path / targets[0]).read_text())
            return made.read_text() != "broken"

        return SimpleNamespace(
            rules=tmp_path,
            targets=("rules.cpp",),
            others=(),
            compile=compile,
            built=lambda: [made],
            judge=lambda: made.read_text() != "wrong",
            test=lambda file: "tests" if (file, made.read_text()) == ("rules.cpp", "tested") else "",
        )

    def fate(self, workshop: Any, file: str, text: str, judge_only: bool = False) -> str:
        """The fate of a mutant, which leaves the text and the time of no file changed."""
        files = sorted(workshop.rules.iterdir())
        before = [(path.read_text(), path.stat().st_mtime_ns) for path in files]
        found = mutants.CompiledWorkshop.fate_of(workshop, workshop.rules / file, text, judge_only)
        assert [(path.read_text(), path.stat().st_mtime_ns) for path in files] == before
        return found

    def test_fates_of_compiled_mutants(self, compiled: Any) -> None:
        assert self.fate(compiled, "rules.cpp", "broken") == mutants.NOT_COMPILED
        assert self.fate(compiled, "rules.cpp", "old") == mutants.SAME_CODE
        assert self.fate(compiled, "rules.cpp", "wrong") == mutants.BY_JUDGE
        assert self.fate(compiled, "rules.cpp", "tested") == "killed by tests"
        assert self.fate(compiled, "rules.cpp", "tested", judge_only=True) == mutants.UNTESTED
        assert self.fate(compiled, "rules.cpp", "new") == "survived"

    def test_a_header_is_equivalent_if_nothing_at_all_is_compiled_otherwise(self, compiled: Any) -> None:
        assert self.fate(compiled, "rules.hpp", "new") == "survived", "in what was not compiled it may be seen"
        compiled.others = ("rules.cpp",)
        assert self.fate(compiled, "rules.hpp", "new") == mutants.SAME_CODE
        compiled.others = ("rules.hpp",)
        assert self.fate(compiled, "rules.hpp", "new") == "survived"

    def test_a_mutant_whose_tests_do_not_compile_does_not_count(self, compiled: Any) -> None:
        compiled.test = lambda _: mutants.BUILD
        assert self.fate(compiled, "rules.hpp", "new") == mutants.NOT_COMPILED

    def test_a_test_that_fails_once_kills_nothing(self, tmp_path: Path) -> None:
        """A test that fails only when it runs first, and one that always fails."""
        workshop = object.__new__(mutants.EngineWorkshop)
        workshop.folder = workshop.source = tmp_path
        workshop.python, workshop.environment = Path(sys.executable), dict(os.environ)
        (tmp_path / "test_once.py").write_text(
            "from pathlib import Path\n\ndef test_once():\n    seen = Path('seen')\n    first = not seen.exists()\n"
            "    seen.touch()\n    assert not first\n"
        )
        (tmp_path / "test_always.py").write_text("def test_passes(): pass\n\ndef test_always(): assert False\n")
        assert not workshop.kills("test_once.py")
        assert workshop.kills("test_always.py")
        assert not workshop.kills("test_always.py -k passes")

    def test_tests_that_fail_without_a_mutation_are_left_out(self, tmp_path: Path, monkeypatch: Any) -> None:
        workshop = object.__new__(mutants.EngineWorkshop)
        workshop.folder, workshop.python, workshop.tests = tmp_path, Path("python"), ("tests/one", "tests/other")
        ran: list[str] = []

        def fails(words: list[str]) -> bool:
            ran.append(words[-1])
            found = tmp_path / "cache" / "v" / "cache" / "lastfailed"
            found.parent.mkdir(parents=True, exist_ok=True)
            found.write_text('{"tests/one/test_a.py::test[b c]": true}')
            return True

        monkeypatch.setattr(workshop, "fails", fails)
        monkeypatch.setattr(workshop, "install", lambda: True)
        monkeypatch.setattr(workshop, "test_programs", lambda: "")
        monkeypatch.setattr(mutants, "commit", lambda: "0123456789")
        for _ in range(2):
            assert not workshop.check()
            assert workshop.pytest()[-1] == "--deselect=tests/one/test_a.py::test[b c]"
            workshop.left_out = ()
        assert ran == ["tests/one", "tests/other"], "at the same commit once"
        monkeypatch.setattr(mutants, "commit", lambda: "0123456789-dirty")
        workshop.check()
        workshop.check()
        assert len(ran) == 6

    def test_every_part_of_the_engine_has_mutants_and_tests(self) -> None:
        found = {mutant.file for mutant, _ in mutants.mutants_of(ROOT / "cpp", mutants.ENGINE_PARTS).values()}
        assert {str(Path(file).parent) for file in found} == {str(Path(part).parent) for part in mutants.ENGINE_PARTS}
        for file in found:
            (stage,) = mutants.tests_of(file, mutants.ENGINE_PARTS)
            assert stage in mutants.ENGINE_TESTS

    def test_tokens_of_python_are_changed(self) -> None:
        text = '''
def half(x: int, *, y: int = 1) -> int:
    """x + y, halved."""
    if not x and -y is not x:  # 2 + 3
        tell(x)
    return (x + 7) // y
'''
        changed = [line for _, line in mutants.python_changes(text)]
        assert changed == [
            "def half(x: int, *, y: int = 2) -> int:",
            "    if x and -y is not x:  # 2 + 3",
            "    if not x or -y is not x:  # 2 + 3",
            "        pass",
            "    return (x - 7) // y",
            "    return (x + 8) // y",
            "    return (x + 7) * y",
        ]


def test_loads_that_several_stores_wrote_are_found() -> None:
    trace = ["==1== lackey", "I  10,3", " S 100,4", "I  13,3", " S 104,4", "I  16,3", " L 100,4", "I  19,3", " L 100,8"]
    assert stores.stalled(trace, 60) == {(0x13, 0x19): 1}
    assert not stores.stalled(trace, 2), "the last store is two instructions before"
    assert not stores.stalled([*trace[:3], "I  19,3", " L 100,4"], 60), "one store wrote all of it"
    assert stores.stalled([*trace[:3], "I  19,3", " L 0fe,4"], 60) == {(0x10, 0x19): 1}


def test_tenths_of_predictions_are_compared_with_results() -> None:
    rng = np.random.default_rng(3)
    predicted = rng.random((4000, 1))
    predicted = np.hstack([predicted, 1 - predicted])
    won = (rng.random((4000, 1)) < predicted[:, :1]).astype(float)
    won = np.hstack([won, 1 - won])
    found = calibration.tenths(predicted, won)
    assert [tenth.number for tenth in found] == list(range(10))
    assert sum(tenth.seats for tenth in found) == 8000
    assert all(tenth.holds for tenth in found)
    assert 0.03 < found[5].half < 0.06, "800 games of one seat each: 1.96 / sqrt(4 * 800), more or less"
    bent = calibration.tenths(0.25 + predicted / 2, won)
    assert [tenth.number for tenth in bent if not tenth.holds] == [2, 3, 6, 7]
