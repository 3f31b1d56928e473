"""The command `games`: list the games, or the options of one with their values and meaning."""

from __future__ import annotations

import argparse
import json
from typing import Any

import tilery
from tilery.cli.arguments import Command
from tilery.options import Option


def add(command: Command) -> None:
    command.add_argument("game", nargs="?", help="one game (default: all)")
    command.add_switch("--json", "print the options as one JSON object")


def run(options: argparse.Namespace) -> int:
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
        for edition, chosen in tilery.editions(name).items():
            if edition != "default":
                sets = ", ".join(f"{key}={json.dumps(value)}" for key, value in chosen.items())
                print(f"    edition {edition}: {sets or 'as default'}")
    return 0


def _described(option: Option) -> dict[str, Any]:
    return {
        key: value for key, value in option._asdict().items() if key in {"default"} or value not in (None, "", (), {})
    }


def _values(option: Option) -> str:
    if option.kind == "int":
        return f"{option.low} to {option.high}"
    if option.kind == "bool":
        return "true, false"
    return ", ".join(filter(None, [*(json.dumps(choice) for choice in option.choices), option.allowed]))
