"""The command `analyse`: show what a search finds in a position of a recorded game."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import tilery
from tilery import record
from tilery.bots import CommandPolicy
from tilery.cli.arguments import Command, UsageError, count, game_of_file, seed
from tilery.ladder import strongest
from tilery.protocol import Policy, State

FALLBACK = "mcts:20000"


def add(command: Command) -> None:
    command.add_argument("file", type=Path)
    command.add_value(
        "--policy",
        "TEXT",
        "a search, or any policy, which says only what it would choose (default: the champion of the game, "
        f"or {FALLBACK} where there is none)",
    )
    command.add_value("--game", "K", "game K of the file; default 0, the first", type=count, default=0)
    command.add_value("--after", "N", "after N actions", type=count)
    command.add_switch("--all", "every decision, with what the move taken lost")
    command.add_argument("--seed", type=seed, default=0, help="of the search; default 0")
    command.add_switch("--json", "print one JSON object for each position")


def run(options: argparse.Namespace) -> int:
    policy = None if options.policy is None else tilery.policy(options.policy)
    if options.all == (options.after is not None):
        both = ", not both" if options.all else ""
        raise UsageError(f"name a position with --after N, or ask for --all{both}")
    written = game_of_file(options.file, options.game)
    policy = policy or tilery.policy(strongest(written.game, FALLBACK))
    tokens = written.actions.split()
    for step, (_, state) in enumerate(record.positions(written)):
        if options.all:
            if step < len(tokens) and state.current_player() >= 0 and len(state.legal_actions()) > 1:
                _show(step, state, policy, tokens[step], options)
        elif step == options.after:
            if state.current_player() < 0:
                raise UsageError(f"no player is to act after {step} actions")
            _show(step, state, policy, "", options)
            return 0
    if options.all:
        return 0
    raise UsageError(f"game {options.game} of {options.file} has only {len(tokens)} actions")


def _show(step: int, state: State, policy: Policy, played: str, options: argparse.Namespace) -> None:
    """Show the analysis of a position; as one line, if an action that was played there is given."""
    analyse = getattr(policy, "analyse", None)
    if analyse is None:
        _choice(step, state, policy, played, options)
    elif options.json:
        print(json.dumps({"after": step} | analyse(state, options.seed).to_dict()))
    else:
        found = analyse(state, options.seed)
        print(_judged(step, played, found) if played else found)


def _choice(step: int, state: State, policy: Policy, played: str, options: argparse.Namespace) -> None:
    """Show what a policy that is no search would choose, and what else a program says."""
    if isinstance(policy, CommandPolicy):
        found = policy.analysis(state, options.seed)
    else:
        found = {"best": state.action_to_string(policy.choose(state, options.seed))}
    token, player = found["best"], state.current_player()
    more = {key: found[key] for key in ("expectation", "simulations", "line", "actions") if key in found}
    if options.json:
        best = state.string_to_action(token)
        print(json.dumps({"after": step, "policy": str(policy), "player": player, "best": best, "token": token} | more))
    elif played:
        print(f"{step:4}  player {player}  {played}" + ("" if token == played else f"  {policy} chooses {token}"))
    else:
        says = [f"{key} {json.dumps(value)}" for key, value in more.items()] or ["and says no more"]
        print(f"player {player}: {policy} chooses {token}", *says, sep=", ")


def _judged(step: int, token: str, analysis: tilery.search.Analysis) -> str:
    """A line on one move: what was played, what is best, and what the move lost in utility."""
    best = analysis.actions[0]
    played = next((row for row in analysis.actions if row["token"] == token), None)
    line = f"{step:4}  player {analysis.player}  {token}"
    if played is None:
        return f"{line}  not looked at; best {best['token']}"
    lost = best["utilities"][analysis.player] - played["utilities"][analysis.player]
    return line if played is best else f"{line}  lost {max(0.0, lost):.3f} against {best['token']}"
