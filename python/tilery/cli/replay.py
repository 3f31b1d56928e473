"""The command `replay`: check that the games of a file replay."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import tilery
from tilery import record
from tilery.cli.arguments import Command


def add(command: Command) -> None:
    command.add_argument("file", type=Path)
    command.add_switch("--skip-broken", "count games that do not replay, and go on")
    command.add_switch("--json", "print the result as one JSON object")


def run(options: argparse.Namespace) -> int:
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
            f"{games:,} game{'s' if games != 1 else ''} with {actions:,} actions replay{'' if games != 1 else 's'} "
            "without error" + (f", {broken:,} do not" if broken else "")
        )
    return 1 if broken else 0
