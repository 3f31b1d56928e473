"""Pueblo: every player sees everything."""

from __future__ import annotations

NOTHING_HIDDEN = True
