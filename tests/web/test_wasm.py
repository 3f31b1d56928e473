"""tilery.wasm and tilery.mjs in node: the same games, texts, pictures and errors as the engine here, to the bit."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import ROOT, variants
from tests.kit.web import Node, chromium
from tilery import record
from tilery.play import Session
from tilery.play.session import levels
from tilery.play.view import view

pytestmark = pytest.mark.slow
GAMES = tilery.games()
SEEN = {
    "Tutorial": "view.lesson?.number === 0",
    "Watch two bots": "view.people.length === 0 && view.scores.length === 2 && view.moves.length > 2",
    "A shared game": "view.winners.length > 0",
}
"""What a link of the shop window says -> what the page then shows."""


@pytest.fixture(scope="module")
def node(web_build: Path) -> Iterator[Node]:
    """Node with the engine in it."""
    process = Node(web_build)
    yield process
    process.close()


def words(options: dict[str, Any]) -> dict[str, Any]:
    """Options as JavaScript writes them."""
    return {key: str(value).lower() if isinstance(value, bool) else value for key, value in options.items()}


def shipped(name: str) -> list[dict[str, Any]]:
    """The variants of a game that need no custom board or map."""
    plain = [each for each in variants(name) if all(isinstance(value, bool | int | str) for value in each.values())]
    assert plain
    return plain


@pytest.mark.parametrize("name", GAMES)
def test_the_same_games_to_the_bit(name: str, node: Node) -> None:
    for options in shipped(name):
        game = tilery.load(name, **options)
        for index in range(5):
            played = node.ask("play", name=name, options=words(options), seed=11, index=index)
            _, tokens = tilery.simulate(game, 1, seed=11, first=index, records=True)
            assert [token for token, _ in played["steps"]] == tokens[0].split()
            rules = game.rules.as_dict()
            state = record.replay(record.Record(name, rules, tokens[0], played["scores"], played["returns"]))
            assert played["bytes"] == state.serialize().hex()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_texts_and_pictures(name: str, node: Node) -> None:
    for options in shipped(name)[:3]:
        game = tilery.load(name, **options)
        _, (played,) = tilery.simulate(game, 1, seed=2, records=True)
        tokens = played.split()
        for after in (0, len(tokens) // 3, 2 * len(tokens) // 3, len(tokens)):
            state: Any = game.new_initial_state()
            for token in tokens[:after]:
                state.apply_action(state.string_to_action(token))
            player = max(state.current_player(), 0)
            legal = state.legal_actions()
            answer = node.ask("tell", name=name, options=words(options), tokens=tokens[:after], player=player)
            assert answer == {
                "legal": legal,
                "tokens": [game.action_to_string(action) for action in legal],
                "words": [game.describe_action(action) for action in legal],
                "picks": [game.picks(action) for action in legal],
                "seen": [state.action_seen_by(player, action) for action in legal],
                "weights": [list(pair) for pair in state.chance_weights()],
                "information": state.information_state(player),
                "text": state.to_string(player),
                "all": str(state),
                "picture": state.to_svg(player, targets=True),
                "everything": state.to_svg(),
                "board": state.to_svg(player, part="board", ghost=legal[0] if state.current_player() >= 0 else None),
                "beside": state.to_svg(player, targets=True, part="panel"),
                "panel": state.panel(player),
                "token": 'expected a number, got "a1"; stringToAction() reads tokens',
                "bytes": state.determinize(player, 5).serialize().hex(),
                "equal": True,
                "rules": json.loads(json.dumps(game.rules.as_dict())),
                "options": answer["options"],
                "hides": game.hides_information,
                "why": state.why_illegal(-1),
                "sources": game.score_sources,
                "events": [state.score_events(action) for action in legal],
            }
            assert [option["name"] for option in answer["options"]] == list(tilery.options(name))


@pytest.mark.parametrize("name", GAMES)
def test_policies_choose_alike(name: str, node: Node) -> None:
    game = tilery.load(name)
    state: Any = game.new_initial_state()
    tokens = []
    rng = tilery.Rng(3)
    while len(tokens) < 12 or state.current_player() < 0:
        tokens.append(game.action_to_string(action := state.random_action(rng)))
        state.apply_action(action)
    texts = ["random", "greedy", "flat:2", "uct:60", "mcts:60", "mcts:40,trees=3", "uct:30000,memory=1"]
    found = node.ask("chosen", name=name, options={}, tokens=tokens, policies=texts, seed=8)
    assert found["choices"] == [tilery.policy(text).choose(state, 8) for text in texts]
    for text, analysis in zip(texts[3:], found["analyses"], strict=True):
        policy = tilery.policy(text)
        assert isinstance(policy, tilery.policies.Search)
        here = policy.analyse(state, 8).to_dict()
        assert analysis["actions"] == here["actions"][:20]
        assert (analysis["best"], analysis["simulations"]) == (here["best"], here["simulations"])


@pytest.mark.parametrize("name", GAMES)
def test_networks_choose_alike(name: str, node: Node) -> None:
    """In whole games with every number of players, where turns are often worth the same."""
    network = str(ROOT / "python" / "tilery" / "data" / "nets" / f"{name}.tnn")
    tilery.load_weights(network)
    champion, _ = levels(name, named=False)[-1]
    texts = ["nn", "nn:2", champion, "mcts:8,eval=nn"]
    players = tilery.options(name)["players"]
    for count in range(players.low, players.high + 1):
        game = tilery.load(name, players=count)
        state: Any = game.new_initial_state()
        tokens: list[str] = []
        decisions = []
        rng = tilery.Rng(3)
        while not state.is_terminal():
            if state.current_player() >= 0 and len(state.legal_actions()) > 1:
                decisions.append((len(tokens), state.clone()))
            tokens.append(game.action_to_string(action := state.random_action(rng)))
            state.apply_action(action)
        for after, at in decisions[:: max(1, len(decisions) // 30)]:
            asked = {"tokens": tokens[:after], "policies": texts, "seed": 8, "network": network}
            found = node.ask("chosen", name=name, options={"players": count}, **asked)
            assert found["choices"] == [tilery.policy(text).choose(at, 8) for text in texts], (count, after)


@pytest.mark.parametrize("name", GAMES)
def test_errors_say_what_they_say_here(name: str, node: Node) -> None:
    game = tilery.load(name)
    state: Any = game.new_initial_state()
    good = state.serialize()
    actions = [-1, game.num_distinct_actions, 2**40, 0.5, *[a for a in range(9) if a not in state.legal_actions()][:2]]
    tokens, data = ["", "*", "zzz", "1" * 500], [b"", b"x", good[:-1], good[:-9] + bytes(9)]
    found = node.ask("refused", name=name, options={}, actions=actions, tokens=tokens, data=[d.hex() for d in data])
    assert found["same"]
    assert None not in found["errors"]
    kinds = [kind for kind, _ in found["errors"]]
    assert kinds[1:3] == ["OptionError"] * 2
    refusals = found["errors"][3:]
    for action, (kind, message) in zip(actions, refusals, strict=False):
        assert kind == "IllegalActionError"
        if isinstance(action, int) and action < 2**31:
            with pytest.raises(tilery.IllegalActionError) as refused:
                state.apply_action(action)
            assert message == str(refused.value)
    for token, (kind, message) in zip(tokens, refusals[len(actions) :], strict=False):
        with pytest.raises(tilery.ParseError) as misread:
            state.string_to_action(token)
        assert (kind, message) == ("ParseError", str(misread.value))
    for bad, (kind, message) in zip(data, refusals[len(actions) + len(tokens) :], strict=False):
        with pytest.raises(tilery.StateDataError) as unread:
            game.deserialize_state(bad)
        assert (kind, message) == ("StateDataError", str(unread.value))


@pytest.mark.parametrize("name", GAMES)
def test_sessions_agree(name: str, node: Node) -> None:
    """The page gets the same from Python and from its own engine, and both play the same games."""
    game = tilery.load(name)
    seats = [None, *["greedy"] * (game.num_players - 1)]
    there = node.ask("session", name=name, options={}, seats=seats, seed=6, turns=9)
    session = Session(game, seats, seed=6)
    for _ in range(9):
        if session.waits_for_person:
            session.play(game.action_to_string(session.state.legal_actions()[0]))
        elif session.actor >= 0:
            session.play_bot(session.thought()())
    assert there["trouble"] == ""
    assert record.Record.from_json(there["record"]) == session.record()
    shown = there["view"]
    here = json.loads(json.dumps(view(session, 0)))
    assert {key: shown[key] for key in here if key != "version"} == {key: here[key] for key in here if key != "version"}
    if session.actor >= 0:
        assert there["hints"] == json.loads(json.dumps(session.hints("mcts:30")))


def test_the_members_are_those_of_the_header(node: Node) -> None:
    header = (ROOT / "cpp" / "tilery" / "c" / "capi.h").read_text(encoding="utf-8")
    table = header[header.index("typedef struct tilery_api {") : header.index("} tilery_api;")]
    assert node.ask("members") == re.findall(r"\(\*(\w+)\)\(", table)


def test_types_name_every_member() -> None:
    source = (ROOT / "web" / "tilery.mjs").read_text(encoding="utf-8")
    types = (ROOT / "web" / "tilery.d.mts").read_text(encoding="utf-8")
    for exported in re.findall(r"^export (?:const|class|async function) (\w+)", source, re.MULTILINE):
        assert re.search(rf"\b{exported}\b", types), exported
    state = source[source.index("export class State") : source.index("const mask")]
    for method in re.findall(r"^  (\w+)\(", state, re.MULTILINE):
        assert method == "constructor" or f"  {method}(" in types, method


def test_the_shop_window_leads_to_every_game_and_page(web_build: Path) -> None:
    """By relative links; no page asks for anything else."""
    links = re.findall(r'(?:href|src)="([^"]+)"', (web_build / "index.html").read_text(encoding="utf-8"))
    for name in GAMES:
        (shared,) = [link for link in links if link.startswith(f"{name}.html#record=")]
        packed = base64.urlsafe_b64decode(shared.partition("=")[2] + "==")
        record.replay(record.Record.from_json(zlib.decompress(packed, wbits=-15).decode()))
        assert {f"{name}.html", f"{name}.html#tutorial", f"{name}.html#watch", f"{name}.svg"} <= set(links)
        page = (web_build / f"{name}.html").read_text(encoding="utf-8")
        markup = re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL)
        assert re.findall(r'(?:href|src)="([^"]+)"', markup) == ["data:,"]
    for link in links:
        path = link.partition("#")[0]
        page = ROOT / path.removeprefix("../").replace("index.html", "README.md").replace(".html", ".md")
        assert link == "data:," or (page if path.startswith("../") else web_build / path).is_file(), link


def test_what_the_shop_window_offers_opens(web_build: Path) -> None:
    """From files, without a network. The saved game of the person stays."""
    with chromium() as browser:
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(60_000)
        trouble: list[str] = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        for name in GAMES:
            for words, seen in SEEN.items():
                page.goto((web_build / "index.html").as_uri())
                page.locator(f'a[href^="{name}.html"]', has_text=words).click()
                page.wait_for_function(f"(view => view && {seen})(document.querySelector('tilery-board')?.view)")
            assert page.evaluate("Object.keys(localStorage)") == []
        assert not trouble


def test_the_snippet_of_the_documentation_runs(node: Node, web_build: Path, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```javascript\n(.*?)```", text, re.DOTALL)
    for name in ("tilery.mjs", "tilery.wasm"):
        shutil.copy(web_build / name, tmp_path)
    (tmp_path / "snippet.mjs").write_text(snippet, encoding="utf-8")
    done = subprocess.run(["node", "snippet.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "<svg " in done.stdout


def test_modules_and_pages_are_small(web_build: Path) -> None:
    """With search and drawings; the pages without networks."""

    def size(name: str) -> int:
        return len(gzip.compress((web_build / name).read_bytes(), 9))

    assert size("tilery.wasm") <= 550_000
    assert all(size(f"{name}.wasm") <= 250_000 for name in tilery.games())
    assert all(size(f"{name}.html") <= 350_000 for name in tilery.games())


ONE_GAME = """
import fs from "node:fs";
import { Rng, load } from "./tilery.mjs";
const engine = await load(fs.readFileSync(process.argv[2] + ".wasm"));
const chosen = [];
for (const name of process.argv.slice(2)) {
  try {
    const state = engine.game(name).newInitialState();
    while (state.currentPlayer() < 0) state.apply(state.legalActions()[0]);
    chosen.push(state.choose("mcts:20", new Rng(engine, 3)));
  } catch (error) {
    chosen.push(error.message);
  }
}
console.log(JSON.stringify(chosen));
"""


@pytest.mark.parametrize("name", tilery.games())
def test_the_module_of_a_game_has_that_game(name: str, node: Node, web_build: Path, tmp_path: Path) -> None:
    other = next(each for each in tilery.games() if each != name)
    for file in ("tilery.mjs", f"{name}.wasm"):
        shutil.copy(web_build / file, tmp_path)
    (tmp_path / "one.mjs").write_text(ONE_GAME, encoding="utf-8")
    words = ["node", "one.mjs", name, other]
    action, refusal = json.loads(subprocess.check_output(words, cwd=tmp_path, text=True))
    state = tilery.load(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert action == tilery.policy("mcts:20").choose(state, tilery.Rng(3))
    assert other in refusal
