"""The plug-in for OpenSpiel, compiled once for all tests."""

from __future__ import annotations

import os

from tests.kit.games import ROOT

# Not the cache of the user who runs the tests.
os.environ["XDG_CACHE_HOME"] = str(ROOT / "build" / "cache")
