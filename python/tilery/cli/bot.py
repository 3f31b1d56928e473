"""The command `bot`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tilery.bots import serve


def add(commands: Any) -> None:
    """Add the command `bot`."""
    command = commands.add_parser("bot", help="play by a policy over standard input and output (docs/protocol.md)")
    command.add_argument("policy", metavar="POLICY", help="such as mcts:1000")
    command.set_defaults(run=run, reads_input=True)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery bot`."""
    serve(options.policy, sys.stdin, sys.stdout)
    return 0
