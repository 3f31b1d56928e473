"""The command `doctor`: say which build, threads, extras and versions are in use."""

from __future__ import annotations

import argparse
import json

import tilery
from tilery import extras
from tilery.cli.arguments import Command
from tilery.cli.console import say
from tilery.simulation import available_cores


def add(command: Command) -> None:
    command.add_switch("--json", "print it as one JSON object")


def run(options: argparse.Namespace) -> int:
    info = {**tilery.build_info(), "threads": available_cores(), "extras": extras.installed()}
    if options.json:
        say(json.dumps(info))
        return 0
    for name, packages in info.pop("extras").items():
        missing = [package for package, version in packages.items() if version is None]
        there = ", ".join(f"{package} {version}" for package, version in packages.items() if version is not None)
        info[f"extra {name}"] = f"pip install 'tilery[{name}]' adds {', '.join(missing)}" if missing else there
    for name, value in info.items():
        say(f"{name:18} {', '.join(value) if isinstance(value, list) else value}")
    return 0
