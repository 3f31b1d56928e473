"""The command line, `tilery` or `python -m tilery`: `simulate | match | play | bot | analyse | perft |
replay | show | games | rules | completion`.

Tables, progress and intervals come from rich and SciPy, the extra `tilery[cli]`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import tilery
from tilery import pictures, record
from tilery.bots import serve
from tilery.errors import unknown
from tilery.extras import MissingExtraError, imported
from tilery.options import Option
from tilery.play import command as play
from tilery.protocol import Game
from tilery.run import available_cores, simulate
from tilery.runs.summary import Summary, share_interval

PIECES = 100
"""A run is cut into at least this many calls, so that progress is shown and Ctrl-C is noticed."""

MOST_AT_ONCE = 1_000_000
"""Games in one call at most, so that memory does not grow with the length of a run."""


class UsageError(Exception):
    """A command that cannot be carried out; the message is the sentence shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 if it succeeded, 1 if a record does not replay, 2 if it could not be run."""
    if sys.stdout is None:
        print("tilery: standard output is closed", file=sys.stderr)
        return 2
    parser, known = _parser()
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-") and words[0] not in known:
        parser.error(unknown("command", words[0], known))
    options = parser.parse_args(words)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("tilery: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what reads the output has seen enough; nothing may be flushed at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (UsageError, MissingExtraError, OSError, ValueError) as error:
        print(f"tilery: {error}", file=sys.stderr)
        return 1 if isinstance(error, tilery.RecordError) else 2
    return code


def _parser() -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of its commands."""
    parser = argparse.ArgumentParser(
        prog="tilery", description="Play, count and replay board games with the tilery engine."
    )
    parser.add_argument("--version", action="version", version=f"tilery {tilery.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("simulate", help="play random games and show how they went")
    _add_game_arguments(command)
    command.add_argument(
        "--games", type=_count, default=10_000, metavar="N", help="how many, also as 1e6 or 1_000_000 (default 10000)"
    )
    command.add_argument("--seed", type=_seed, default=0, help="game i plays stream (seed, i); default 0")
    command.add_argument(
        "--threads", type=_threads, default=None, metavar="N", help="1 to 1024 (default: one for each core)"
    )
    command.add_argument(
        "--policy",
        dest="policies",
        action="append",
        metavar="TEXT",
        help="who plays: once for all seats, or once per seat (default random)",
    )
    command.add_argument("--rotate", action="store_true", help="seat p of game i is played by policy p + i")
    command.add_argument("--records", type=Path, metavar="FILE.jsonl", help="also write every game to a file")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_simulate)

    command = commands.add_parser("match", help="play policies against each other, seats rotated and luck paired")
    _add_game_arguments(command)
    command.add_argument("policies", nargs="+", metavar="POLICY", help="two or more, such as mcts:1000 greedy")
    command.add_argument("--games", type=_count, default=200, metavar="N", help="at each table (default 200)")
    command.add_argument("--seed", type=_seed, default=0, help="deal i has the luck of stream (seed, i); default 0")
    command.add_argument(
        "--threads", type=_threads, default=None, metavar="N", help="1 to 1024 (default: one for each core)"
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
    _add_game_arguments(command)
    play.add_arguments(command)
    command.set_defaults(run=lambda options: play.run(options, _game(options)))

    command = commands.add_parser("bot", help="play by a policy over standard input and output (docs/protocol.md)")
    command.add_argument("policy", metavar="POLICY", help="such as mcts:1000")
    command.set_defaults(run=_bot)

    command = commands.add_parser("analyse", help="show what a search finds in a position of a recorded game")
    command.add_argument("file", type=Path)
    command.add_argument("--policy", default="mcts:20000", metavar="TEXT", help="a search (default mcts:20000)")
    command.add_argument("--game", type=_count, default=1, metavar="K", help="the K-th game (default 1)")
    command.add_argument("--after", type=_count, default=None, metavar="N", help="after N actions")
    command.add_argument("--all", action="store_true", help="every decision, with what the move taken lost")
    command.add_argument("--seed", type=_seed, default=0, help="of the search; default 0")
    command.add_argument("--json", action="store_true", help="print one JSON object for each position")
    command.set_defaults(run=_analyse)

    command = commands.add_parser("perft", help="count the paths of a depth, chance outcomes included")
    _add_game_arguments(command)
    command.add_argument("--depth", type=_count, default=3, help="default 3")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_perft)

    command = commands.add_parser("replay", help="check that the games of a file replay")
    command.add_argument("file", type=Path)
    command.add_argument("--skip-broken", action="store_true", help="count games that do not replay, and go on")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_replay)

    command = commands.add_parser("show", help="print a position of a recorded game")
    command.add_argument("file", type=Path)
    command.add_argument("--game", type=_count, default=1, metavar="K", help="the K-th game (default 1)")
    command.add_argument("--after", type=_count, default=None, metavar="N", help="after N actions (default: all)")
    command.add_argument("--scores", action="store_true", help="print a line for each action, with the scores after it")
    command.add_argument("--player", type=_count, default=None, metavar="P", help="show only what player P knows")
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


def _add_game_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    command.add_argument("--players", type=int, default=None, help="how many players")
    command.add_argument(
        "--set",
        dest="options",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="any option of the game (`games GAME` lists them); VALUE is JSON, or a plain word",
    )


def _count(text: str) -> int:
    """A whole number up to 2**40, also in the forms 1e6 and 1_000_000."""
    number = 0
    if len(text) <= 30 and re.fullmatch(r"[0-9]+(_[0-9]+)*", text):
        number = int(text)
    elif len(text) <= 30 and re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12})?[eE]\+?[0-9]{1,2}", text):
        digits, _, exponent = text.lower().partition("e")
        whole, _, fraction = digits.partition(".")
        if len(fraction.rstrip("0")) > int(exponent):
            raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
        number = int(whole + fraction) * 10 ** int(exponent) // 10 ** len(fraction)
    else:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2**40, got {text!r}")
    if number > 2**40:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2**40, got {text}")
    return number


def _threads(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1024, got {text!r}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:21]) >= 2**64:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 2**64 - 1, got {text!r}")
    return int(text)


def _game(options: argparse.Namespace) -> Game:
    chosen: dict[str, Any] = {} if options.players is None else {"players": options.players}
    for setting in options.options:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set takes OPTION=VALUE, got {setting!r}")
        try:
            chosen[name] = json.loads(text)
        except ValueError:
            chosen[name] = text
    game: Game = tilery.load(options.game, **chosen)
    return game


def _simulate(options: argparse.Namespace) -> int:
    game = _game(options)
    n, seed = options.games, options.seed
    if n == 0:
        raise UsageError("--games must be at least 1")
    threads = options.threads or available_cores()
    piece = min(max(1, math.ceil(n / PIECES)), MOST_AT_ONCE)
    texts = [str(tilery.policy(text)) for text in options.policies or ["random"]]
    chosen: dict[str, Any] = {"policies": texts[0] if len(texts) == 1 else texts, "rotate": options.rotate}
    tally = Summary()
    busy, began = 0.0, time.perf_counter()
    with ExitStack() as stack:
        file = stack.enter_context(options.records.open("w", encoding="ascii")) if options.records else None
        for first in _progress(range(0, n, piece), n, piece):
            count = min(piece, n - first)
            started = time.perf_counter()
            if file:
                results, tokens = simulate(game, count, seed=seed, threads=threads, first=first, records=True, **chosen)
            else:
                results, tokens = simulate(game, count, seed=seed, threads=threads, first=first, **chosen), []
            busy += time.perf_counter() - started
            tally.add(results)
            if file:
                for written in record.of_results(game, results, tokens, seed=seed, first=first):
                    file.write(written.to_json() + "\n")
    summary = _summary(game, tally, seed, threads, busy) | {"policies": texts, "rotate": options.rotate}
    if options.json:
        print(json.dumps(summary))
    else:
        _print_summary(summary, options)
        if options.records:
            rate = n / (time.perf_counter() - began)
            print(f"{n:,} games written to {options.records}, {rate:,.0f} games/s with the writing")
    return 0


def _progress(pieces: range, total: int, piece: int) -> Iterator[int]:
    """The pieces one by one; on a terminal with a bar that shows rate and time left."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    rich = _rich()
    columns = (
        rich.progress.TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    started = time.perf_counter()
    with rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total, rate="")
        for first in pieces:
            yield first
            done = min(first + piece, total)
            bar.update(task, completed=done, rate=f"{done / (time.perf_counter() - started):,.0f} games/s")


def _summary(game: Game, tally: Summary, seed: int, threads: int, seconds: float) -> dict[str, Any]:
    return {
        "game": game.name,
        "rules": game.rules.as_dict(),
        "seed": seed,
        "threads": threads,
        "seconds": seconds,
        "games_per_second": tally.games / seconds,
        "decisions_per_second": tally.decisions.mean * tally.games / seconds,
        **tally.to_dict(),
    }


def _print_summary(summary: dict[str, Any], options: argparse.Namespace) -> None:
    rich = _rich()
    console = _console()
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD, title_justify="left", title=_headline(summary, options))
    for heading in ("seat", "score", "sd", "least", "most", "win share", "95% interval"):
        table.add_column(heading, justify="right")
    for seat in summary["seats"]:
        interval = seat["win_share_95"]
        table.add_row(
            str(seat["seat"]),
            f"{seat['score_mean']:.2f}",
            "-" if seat["score_sd"] is None else f"{seat['score_sd']:.2f}",
            str(seat["score_min"]),
            str(seat["score_max"]),
            f"{100 * seat['win_share']:.2f} %",
            "-" if interval is None else f"{100 * interval[0]:.2f} .. {100 * interval[1]:.2f} %",
        )
    console.print(table)
    console.print(
        f"{summary['games_per_second']:,.0f} games/s, {summary['decisions_per_second']:,.0f} decisions/s on "
        f"{summary['threads']} thread{'s' if summary['threads'] > 1 else ''}; "
        f"{summary['decisions_per_game']:.1f} decisions per game",
        highlight=False,
    )
    console.print("All players choose at random: these win shares say little about the game.", highlight=False)


def _hypotheses(text: str) -> tilery.match.Sprt:
    low, _, high = text.partition(",")
    try:
        return tilery.match.Sprt(float(low), float(high))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected LOW,HIGH such as 0.5,0.55, got {text!r}: {error}") from None


def _match(options: argparse.Namespace) -> int:
    game = _game(options)
    if options.games == 0:
        raise UsageError("--games must be at least 1")
    with ExitStack() as stack:
        file = stack.enter_context(options.records.open("w", encoding="ascii")) if options.records else None
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
    rich = _rich()
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
    _console().print(shown)


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
                raise UsageError(f"nobody decides after {step} actions")
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


def _manner(summary: dict[str, Any]) -> str:
    """Who plays: "random", or the policies by seat."""
    return " - ".join(summary["policies"]) + (", rotated," if summary["rotate"] else "")


def _headline(summary: dict[str, Any], options: argparse.Namespace) -> str:
    defaults = tilery.load(summary["game"]).rules.as_dict()
    typed = {name: text for name, _, text in (setting.partition("=") for setting in options.options)}
    special = []
    for name, value in summary["rules"].items():
        if name != "players" and value != defaults[name]:
            custom = typed.get(name, "")
            special.append(f"{name}={(custom if len(custom) < 60 else 'custom') if isinstance(value, dict) else value}")
    chosen = ", ".join([f"{summary['rules']['players']} players", *special])
    return f"{summary['game']}, {chosen}: {summary['games']:,} {_manner(summary)} games, seed {summary['seed']}"


def _perft(options: argparse.Namespace) -> int:
    game = _game(options)
    state: Any = game.new_initial_state()
    rows = []
    if not options.json:
        print(f"{'depth':>5} {'paths':>24} {'seconds':>10}")
    for depth in range(1, options.depth + 1):
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
        for step, (token, state) in enumerate(record.positions(written)):
            shown = step, token, state
            if step == options.after:
                break
        assert shown is not None
        step, token, position = shown
        if options.after is not None and step < options.after:
            raise UsageError(f"game {number} of {options.file} has only {step} actions")
        if options.svg is not None or options.png is not None:
            _draw(options, position, token)
            return 0
        print(f"{written.game}, game {number}, after {step} actions" + (f" (the last: {token})" if token else ""))
        board: Any = position
        print(board.to_string(options.player))
        return 0
    raise UsageError(f"{options.file} has no game {options.game}")


def _draw(options: argparse.Namespace, state: Any, token: str | None) -> None:
    """A position into the files asked for."""
    svg = state.to_svg(options.player, last=None if token is None else state.string_to_action(token))
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
            _console().print(rich.markdown.Markdown(text))
            return 0
    print(text, end="")
    return 0


def _console() -> Any:
    """A console that leaves a closed pipe to `main`."""
    rich = _rich()

    class Console(rich.console.Console):  # type: ignore[misc, name-defined]
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Console(width=None if sys.stdout.isatty() else 100)


def _completion(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise UsageError(f"{error}; completion needs the extra: pip install 'tilery[cli]'") from None
    print(shtab.complete(_parser()[0], shell=options.shell))
    return 0


def _rich() -> Any:
    """rich, with the modules of it that are used here."""
    for module in ("rich.box", "rich.console", "rich.progress", "rich.table"):
        imported(module, "cli", "tables")
    return imported("rich", "cli", "tables")
