"""A bot of the protocol of programs (docs/protocol.md, version 1) that says what its choices cost; for `against.py`.

    PYTHON tests/lab/timed_bot.py POLICY FILE

Runs under any version of tilery, and needs nothing of this repository. It adds a line to FILE for every choice: the CPU
seconds of that alone.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from pathlib import Path

import tilery


def main() -> None:
    plays = tilery.policy(sys.argv[1])
    game = None
    with Path(sys.argv[2]).open("a", encoding="utf-8", buffering=1) as times:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello":
                game = tilery.load(message["game"], players=message["players"])  # an older version has fewer options
                print(json.dumps({"type": "ready"}), flush=True)
            elif message["type"] == "choose":
                state = game.deserialize_state(base64.b64decode(message["state"]))
                before = time.process_time()
                action = plays.choose(state, int(message["number"]))
                times.write(f"{time.process_time() - before}\n")
                print(json.dumps({"type": "action", "token": state.action_to_string(action)}), flush=True)


if __name__ == "__main__":
    main()
