"""A bot in Python that speaks docs/protocol.md, version 2: flat Monte Carlo, random games after each legal action.

    tilery bot check "cmd:python examples/python_bot.py" --game pueblo
    tilery match pueblo "cmd:python examples/python_bot.py" greedy

A thread reads, so that the bot hears "stop" while it thinks. If all you have is a function of a state, you need none of
this: `py:MODULE:FUNCTION` is a policy in every command, and `tilery bot py:MODULE:FUNCTION` a program.
"""

from __future__ import annotations

import base64
import json
import queue
import sys
import threading
import time
from typing import Any

import tilery

OPTIONS = [{"name": "playouts", "kind": "int", "default": 20, "about": "random games for each legal action, at most"}]


class Bot:
    def __init__(self) -> None:
        self.messages = queue.Queue[dict[str, Any]]()
        self.stop = threading.Event()
        self.game: Any = None
        self.protocol = 1
        self.playouts = 20

    def read(self) -> None:
        """Hand messages to the thread that thinks; "stop" is for the thought that began last."""
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "stop":
                self.stop.set()
                continue
            if message["type"] in ("choose", "analyse"):
                self.stop.clear()
            self.messages.put(message)
        self.stop.set()
        self.messages.put({"type": "quit"})

    def run(self) -> None:
        threading.Thread(target=self.read, daemon=True).start()
        while (message := self.messages.get())["type"] != "quit":
            answer = getattr(self, f"on_{message['type']}", None)
            if answer is None:
                continue  # "over", and what later versions add
            try:
                answer(message)
            except tilery.TileryError as error:
                self.say("error", reason=str(error))

    def say(self, kind: str, **more: Any) -> None:
        print(json.dumps({"type": kind, **more}), flush=True)

    def on_hello(self, message: dict[str, Any]) -> None:
        self.game = tilery.load(message["game"], **message["rules"])
        if 2 in message.get("protocols", []):
            self.protocol = 2
            self.say("ready", protocol=2, name="flat Monte Carlo in Python", options=OPTIONS)
        else:
            self.say("ready", name="flat Monte Carlo in Python")

    def on_new(self, message: dict[str, Any]) -> None:
        self.game = tilery.load(message["game"], **message["rules"])
        self.say("ready")

    def on_options(self, message: dict[str, Any]) -> None:
        wanted = message["values"].get("playouts", self.playouts)
        if not 1 <= wanted <= 10**6:
            self.say("error", reason="playouts must be from 1 to 1000000")
            return
        self.playouts = wanted
        self.say("ready")

    def on_choose(self, message: dict[str, Any]) -> None:
        self.say("action", token=self.think(message)["best"])

    def on_analyse(self, message: dict[str, Any]) -> None:
        self.say("analysis", **self.think(message))

    def think(self, message: dict[str, Any]) -> dict[str, Any]:
        """The analysis of a position: playouts in rounds, one after each action, until the time is over."""
        seconds = message["seconds"] / 2
        if "clock" in message:
            seconds = min(seconds, message["clock"]["left"] / 20 + message["clock"]["increment"])
        end = time.monotonic() + seconds
        state = self.game.deserialize_state(base64.b64decode(message["state"]))
        player, actions = state.current_player(), state.legal_actions()
        rng = tilery.Rng(int(message["number"]), 0)
        sums = [[0.0] * self.game.num_players for _ in actions]
        best = rounds = 0
        while rounds < self.playouts and not (rounds and (self.stop.is_set() or time.monotonic() > end)):
            for action, utilities in zip(actions, sums, strict=True):
                game = state.determinize(player, rng)  # what a bot may not know is dealt again
                game.apply_action(action)
                utilities[:] = map(sum, zip(utilities, game.playout(rng), strict=True))
            rounds += 1
            best = max(range(len(actions)), key=lambda i: sums[i][player])
            if self.protocol > 1 and rounds & (rounds - 1) == 0:
                self.say("info", simulations=rounds * len(actions), line=[state.action_to_string(actions[best])])
        shares = [tilery.statistics.win_share(utility / rounds, len(sums[best])) for utility in sums[best]]
        return {
            "best": state.action_to_string(actions[best]),
            "simulations": rounds * len(actions),
            "expectation": [float(share) for share in shares],
        }


if __name__ == "__main__":
    Bot().run()
