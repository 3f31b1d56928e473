"""The command `python -m tilery.openspiel`."""

from __future__ import annotations

import argparse
import sys

from tilery.openspiel import plugin


def main(arguments: list[str] | None = None) -> int:
    """Compile the plug-in, or say where it is; returns the status of the process."""
    parser = argparse.ArgumentParser(
        prog="python -m tilery.openspiel", description="The plug-in for OpenSpiel.", allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="compile the plug-in into the user's cache, unless it is there")
    build.add_argument("--force", action="store_true", help="compile it in any case")
    commands.add_parser("find", help="print where the plug-in is; status 1 if it is not built")
    given = parser.parse_args(arguments)
    if given.command == "find":
        path = plugin.find()
        print(path or "the plug-in is not built")
        return 0 if path else 1
    try:
        print(plugin.build(force=given.force))
    except plugin.BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
