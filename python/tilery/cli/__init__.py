"""The command line, `tilery` or `python -m tilery`: one module for each command.

They run without extras; where rich is installed, the extra `tilery[cli]`, it decorates what a terminal shows.
"""

from __future__ import annotations

from tilery.cli.main import main

__all__ = ["main"]
