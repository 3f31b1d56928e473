"""The command `tilery` and `python -m tilery`: see tilery.cli."""

from __future__ import annotations

import sys


def main() -> int:
    """Run a command, as `tilery.cli.main`; Ctrl-C while that is imported ends it in the same way."""
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:  # without the parser, which takes as long as the rest
        import tilery

        sys.stdout.write(f"tilery {tilery.__version__}\n")
        return 0
    try:
        from tilery.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("tilery: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
