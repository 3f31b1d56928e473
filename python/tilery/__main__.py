"""`python -m tilery`: see tilery.cli."""

from __future__ import annotations

import sys

from tilery.cli import main

sys.exit(main())
