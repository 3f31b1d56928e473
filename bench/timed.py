"""What a program prints, with the time that it took: for the scripts that compare programs."""

from __future__ import annotations

import json
import resource
import subprocess
from typing import Any


def run(*words: object) -> tuple[dict[str, Any], float]:
    """The JSON object that a program prints, and its CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
