"""The command line, `tilery` or `python -m tilery`: one module for each command.

Tables and progress come from rich, the extra `tilery[cli]`.
"""

from __future__ import annotations

from tilery.cli.main import main

__all__ = ["main"]
