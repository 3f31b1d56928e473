"""The command line, `tilery` or `python -m tilery`: `simulate | match | play | bot | analyse | perft |
replay | show | games | rules | completion`.

Tables, progress and intervals come from rich and SciPy, the extra `tilery[cli]`.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import tilery
from tilery import pictures, record
from tilery.bots import serve
from tilery.console import UsageError, add_game_arguments, console, count, game_of, rich_package, seed, threads
from tilery.errors import unknown
from tilery.extras import MissingExtraError
from tilery.options import Option
from tilery.play import command as play
from tilery.runs.commands import add_simulate
from tilery.runs.compare_command import add_compare
from tilery.runs.report_command import add_report
from tilery.runs.summary import share_interval


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0 if it succeeded, 1 if a record does not replay, 2 if it could not be run, 130 if it was interrupted.
    """
    if sys.stdout is None:
        print("tilery: standard output is closed", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an encoding that lacks a character, as ASCII, gets "?"
    parser, known = _parser()
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-") and words[0] not in known:
        parser.error(unknown("command", words[0], known))
    options = parser.parse_args(words)
    options.words = words
    try:
        if sys.stdin is None and _reads_input(options):
            raise UsageError("standard input is closed")
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        rest = f"; the rest is played by: {interrupt}" if str(interrupt) else ""
        print(f"tilery: interrupted{rest}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what reads the output has seen enough; nothing may be flushed at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (UsageError, MissingExtraError, OSError, ValueError) as error:
        print(f"tilery: {error}", file=sys.stderr)
        return 1 if isinstance(error, tilery.RecordError) else 2
    return code


def _reads_input(options: argparse.Namespace) -> bool:
    """Whether a command reads standard input."""
    return options.run is _bot or getattr(options, "file", None) == Path("-") or getattr(options, "text", False)


class _Parser(argparse.ArgumentParser):
    """Takes flags by their whole names alone, and so do its subparsers.

    A command line keeps its meaning when a flag is added, and `tilery simulate` finds the flags among its words.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)


def _parser() -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of its commands."""
    parser = _Parser(prog="tilery", description="Play, count and replay board games with the tilery engine.")
    parser.add_argument("--version", action="version", version=f"tilery {tilery.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    add_simulate(commands)
    add_compare(commands)
    add_report(commands)

    command = commands.add_parser("match", help="play policies against each other, seats rotated and luck paired")
    add_game_arguments(command)
    command.add_argument("policies", nargs="+", metavar="POLICY", help="two or more, such as mcts:1000 greedy")
    command.add_argument("--games", type=count, default=200, metavar="N", help="at each table (default 200)")
    command.add_argument("--seed", type=seed, default=0, help="deal i has the luck of stream (seed, i); default 0")
    command.add_argument(
        "--threads", type=threads, default=None, metavar="N", help="1 to 1024 (default: one for each core)"
    )
    command.add_argument(
        "--sprt",
        type=_hypotheses,
        default=None,
        metavar="LOW,HIGH",
        help="stop when the first policy's share of the wins is known to be nearer to one of these, such as 0.5,0.55",
    )
    command.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="for each answer of a cmd: bot (default 10)"
    )
    command.add_argument("--records", type=Path, metavar="FILE.jsonl", help="also write every game to a file")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_match)

    command = commands.add_parser("play", help="play by hand, against people and bots (docs/play.md)")
    add_game_arguments(command)
    play.add_arguments(command)
    command.set_defaults(run=lambda options: play.run(options, game_of(options)))

    command = commands.add_parser("bot", help="play by a policy over standard input and output (docs/protocol.md)")
    command.add_argument("policy", metavar="POLICY", help="such as mcts:1000")
    command.set_defaults(run=_bot)

    command = commands.add_parser("analyse", help="show what a search finds in a position of a recorded game")
    command.add_argument("file", type=Path)
    command.add_argument("--policy", default="mcts:20000", metavar="TEXT", help="a search (default mcts:20000)")
    command.add_argument("--game", type=count, default=1, metavar="K", help="the K-th game (default 1)")
    command.add_argument("--after", type=count, default=None, metavar="N", help="after N actions")
    command.add_argument("--all", action="store_true", help="every decision, with what the move taken lost")
    command.add_argument("--seed", type=seed, default=0, help="of the search; default 0")
    command.add_argument("--json", action="store_true", help="print one JSON object for each position")
    command.set_defaults(run=_analyse)

    command = commands.add_parser("perft", help="count the paths of a depth, chance outcomes included")
    add_game_arguments(command)
    command.add_argument("--depth", type=count, default=3, help="default 3")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_perft)

    command = commands.add_parser("replay", help="check that the games of a file replay")
    command.add_argument("file", type=Path)
    command.add_argument("--skip-broken", action="store_true", help="count games that do not replay, and go on")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_replay)

    command = commands.add_parser("show", help="print a position of a recorded game")
    command.add_argument("file", type=Path)
    command.add_argument("--game", type=count, default=1, metavar="K", help="the K-th game (default 1)")
    command.add_argument("--after", type=count, default=None, metavar="N", help="after N actions (default: all)")
    command.add_argument("--scores", action="store_true", help="print a line for each action, with the scores after it")
    command.add_argument("--player", type=count, default=None, metavar="P", help="show only what player P knows")
    command.add_argument("--svg", type=Path, default=None, metavar="OUT", help="draw the position into a file")
    command.add_argument("--png", type=Path, default=None, metavar="OUT", help="the same as a PNG file")
    command.add_argument(
        "--steps", type=Path, default=None, metavar="OUT", help="write the whole game as one HTML page to click through"
    )
    command.set_defaults(run=_show)

    command = commands.add_parser("games", help="list the games, or the options of one with their values and meaning")
    command.add_argument("game", nargs="?", help="one game (default: all)")
    command.add_argument("--json", action="store_true", help="print the options as one JSON object")
    command.set_defaults(run=_games)

    command = commands.add_parser("rules", help="print the page of a game: its rules, options, actions and rulings")
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    command.set_defaults(run=_rules)

    command = commands.add_parser("completion", help="print a script that completes commands in a shell")
    command.add_argument("shell", choices=["bash", "zsh", "tcsh"])
    command.set_defaults(run=_completion)
    return parser, list(commands.choices)


def _hypotheses(text: str) -> tilery.match.Sprt:
    low, _, high = text.partition(",")
    try:
        return tilery.match.Sprt(float(low), float(high))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected LOW,HIGH such as 0.5,0.55, got {text!r}: {error}") from None


def _match(options: argparse.Namespace) -> int:
    game = game_of(options)
    if options.games == 0:
        raise UsageError("--games must be at least 1")
    with ExitStack() as stack:
        file = stack.enter_context(record.opened(options.records, "w")) if options.records else None
        tables = tilery.match.play(
            game,
            options.policies,
            games=options.games,
            seed=options.seed,
            threads=options.threads,
            sprt=options.sprt,
            seconds=options.seconds,
            progress=_standing if sys.stderr.isatty() else None,
            records=None if file is None else lambda written: print(written.to_json(), file=file),
        )
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    ratings = _ratings(tables)
    if options.json:
        told: dict[str, Any] = {"game": game.name, "rules": game.rules.as_dict(), "seed": options.seed}
        told["tables"] = [table.to_dict() for table in tables]
        told["ratings"] = {name: {"mean": each.mean, "deviation": each.deviation} for name, each in ratings.items()}
        print(json.dumps(told))
    else:
        _print_match(tables, ratings)
    return 0


def _ratings(tables: list[tilery.match.Table]) -> dict[str, tilery.match.Rating]:
    """The ratings of a match; none, with a sentence on standard error, where openskill is missing."""
    try:
        return tilery.match.ratings(tables)
    except ImportError as error:
        print(f"tilery: {error}; ratings need the extra: pip install 'tilery[match]'", file=sys.stderr)
        return {}


def _print_match(tables: list[tilery.match.Table], ratings: dict[str, tilery.match.Rating]) -> None:
    rich = rich_package()
    shown = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for heading in ("policy", "games", "win share", "95% interval", "mean lead", "ms/decision", "rating"):
        shown.add_column(heading, justify="left" if heading == "policy" else "right")
    for number, table in enumerate(tables):
        if number > 0:
            shown.add_section()
        for side in table.sides:
            interval = share_interval(side.share, side.error, len(side.shares))
            shown.add_row(
                side.policy,
                f"{table.games:,}",
                f"{100 * side.share:.1f} %",
                "-" if interval is None else f"{100 * interval[0]:.1f} .. {100 * interval[1]:.1f} %",
                f"{side.margin:+.1f}",
                f"{1000 * side.seconds_per_decision:.3g}",
                f"{rating.mean:.1f} +- {2 * rating.deviation:.1f}" if (rating := ratings.get(side.policy)) else "-",
            )
        if table.verdict is not None:
            shown.add_row(f"stopped: the {table.verdict} hypothesis is accepted")
    console().print(shown)


def _standing(table: tilery.match.Table) -> None:
    """The standing of a table, written over itself."""
    shares = "  ".join(f"{side.policy} {100 * side.share:.1f} %" for side in table.sides)
    print(f"\r{table.games:,} games: {shares}\x1b[K", end="", file=sys.stderr, flush=True)


def _bot(options: argparse.Namespace) -> int:
    serve(options.policy, sys.stdin, sys.stdout)
    return 0


def _analyse(options: argparse.Namespace) -> int:
    policy = tilery.policy(options.policy)
    if not isinstance(policy, tilery.policies.Search):
        raise UsageError(f"{policy} is not a search; uct:N and mcts:N are")
    if options.all == (options.after is not None):
        raise UsageError("name a position with --after N, or ask for --all")
    for number, written in enumerate(record.read(options.file), start=1):
        if number == options.game:
            _analyse_game(written, policy, options)
            return 0
    raise UsageError(f"{options.file} has no game {options.game}")


def _analyse_game(written: record.Record, policy: tilery.policies.Search, options: argparse.Namespace) -> None:
    """Show the analysis of one position of a game, or one line for each decision with a choice."""
    tokens = written.actions.split()
    for step, (_, state) in enumerate(record.positions(written)):
        if options.after is not None and step != options.after:
            continue
        if state.is_terminal() or state.is_chance_node():
            if options.after is not None:
                raise UsageError(f"no player is to act after {step} actions")
            continue
        if options.all and (step == len(tokens) or len(state.legal_actions()) == 1):
            continue
        analysis = policy.analyse(state, options.seed)
        if options.json:
            print(json.dumps({"after": step} | analysis.to_dict()))
        elif options.after is not None:
            print(analysis)
        else:
            print(_judged(step, tokens[step], analysis))
        if options.after is not None:
            return
    if options.after is not None:
        raise UsageError(f"game {options.game} of {options.file} has only {len(tokens)} actions")


def _judged(step: int, token: str, analysis: tilery.search.Analysis) -> str:
    """A line on one move: what was played, what is best, and what the move lost in utility."""
    best = analysis.actions[0]
    played = next((row for row in analysis.actions if row["token"] == token), None)
    line = f"{step:4}  player {analysis.player}  {token}"
    if played is None:
        return f"{line}  not looked at; best {best['token']}"
    lost = best["utilities"][analysis.player] - played["utilities"][analysis.player]
    return line if played is best else f"{line}  lost {max(0.0, lost):.3f} against {best['token']}"


def _perft(options: argparse.Namespace) -> int:
    game = game_of(options)
    state: Any = game.new_initial_state()
    rows = []
    if not options.json:
        print(f"{'depth':>5} {'paths':>24} {'seconds':>10}")
    for depth in range(min(1, options.depth), options.depth + 1):
        started = time.perf_counter()
        paths = state.perft(depth)
        rows.append({"depth": depth, "paths": paths, "seconds": time.perf_counter() - started})
        if not options.json:
            print(f"{depth:>5} {paths:>24,} {rows[-1]['seconds']:>10.3f}", flush=True)
    if options.json:
        print(json.dumps({"game": game.name, "rules": game.rules.as_dict(), "perft": rows}))
    return 0


def _replay(options: argparse.Namespace) -> int:
    games = actions = broken = 0
    for line, written in record.lines(options.file):
        try:
            if isinstance(written, tilery.RecordError):
                raise written
            record.replay(written)
        except tilery.RecordError as error:
            sentence = f"{options.file}, line {line}: {error}"
            if not options.skip_broken:
                good = f"; the {games:,} game{'s' if games != 1 else ''} before it replay{'' if games != 1 else 's'}"
                raise tilery.RecordError(sentence + (good if games else "")) from None
            print(f"tilery: {sentence}", file=sys.stderr)
            broken += 1
            continue
        games += 1
        actions += len(written.actions.split())
    if options.json:
        print(json.dumps({"games": games, "actions": actions, "broken": broken}))
    else:
        print(
            f"{games:,} games with {actions:,} actions replay without error"
            + (f", {broken:,} do not" if broken else "")
        )
    return 1 if broken else 0


def _show(options: argparse.Namespace) -> int:
    for number, written in enumerate(record.read(options.file), start=1):
        if number != options.game:
            continue
        if options.scores:
            return _show_scores(written, options.after)
        if options.player is not None and options.player >= record.game_of(written).num_players:
            raise UsageError(f"game {number} of {options.file} has no player {options.player}")
        if options.steps is not None:
            options.steps.write_text(pictures.steps(written, player=options.player), encoding="utf-8")
            return 0
        shown = None
        for step, (_, token, _, state, latest) in enumerate(pictures.seen(written, options.player)):
            shown = step, token, state, latest
            if step == options.after:
                break
        assert shown is not None
        step, token, board, latest = shown
        if options.after is not None and step < options.after:
            raise UsageError(f"game {number} of {options.file} has only {step} actions")
        if options.svg is not None or options.png is not None:
            _draw(options, pictures.marked(board, latest, options.player))
            return 0
        print(f"{written.game}, game {number}, after {step} actions" + (f" (the last: {token})" if token else ""))
        print(board.to_string(options.player))
        return 0
    raise UsageError(f"{options.file} has no game {options.game}")


def _draw(options: argparse.Namespace, svg: str) -> None:
    """A drawing into the files asked for."""
    if options.svg is not None:
        options.svg.write_text(svg, encoding="utf-8")
    if options.png is not None:
        try:
            options.png.write_bytes(pictures.png(svg))
        except ImportError as error:
            raise UsageError(str(error)) from None


def _show_scores(written: record.Record, after: int | None) -> int:
    """A line for each action: its number, who took it, its token, the scores after it."""
    actor = "-"
    for step, (token, state) in enumerate(record.positions(written)):
        if token is not None:
            scores = " ".join(f"{points:>4}" for points in state.scores())
            print(f"{step:>5}  {actor:>6}  {token:<16} {scores}")
        if step == after:
            break
        actor = "chance" if state.is_chance_node() else str(state.current_player())
    return 0


def _games(options: argparse.Namespace) -> int:
    names = tilery.games() if options.game is None else [options.game]
    described = {name: tilery.options(name) for name in names}
    if options.json:
        content = {name: {key: _described(option) for key, option in described[name].items()} for name in names}
        print(json.dumps(content if options.game is None else content[options.game]))
        return 0
    for name in names:
        print(name)
        for option in described[name].values():
            print(f"    {option.name}={json.dumps(option.default)}")
            if options.game is not None:
                print(f"        {_values(option)}")
                print(f"        {option.about}")
    return 0


def _described(option: Option) -> dict[str, Any]:
    return {key: value for key, value in option._asdict().items() if key in {"default"} or value not in (None, "", ())}


def _values(option: Option) -> str:
    """The values that an option may have, in words."""
    if option.kind == "int":
        return f"{option.low} to {option.high}"
    if option.kind == "bool":
        return "true, false"
    return ", ".join(filter(None, [*(json.dumps(choice) for choice in option.choices), option.allowed]))


def _rules(options: argparse.Namespace) -> int:
    text = tilery.rules_page(options.game)
    if sys.stdout.isatty():
        try:
            import rich.markdown
        except ImportError:
            pass  # the text as it is can be read too
        else:
            console().print(rich.markdown.Markdown(text))
            return 0
    print(text, end="")
    return 0


def _completion(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise UsageError(f"{error}; completion needs the extra: pip install 'tilery[cli]'") from None
    print(shtab.complete(_parser()[0], shell=options.shell))
    return 0
