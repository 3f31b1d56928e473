from typing import Any, final

from tilery.protocol import EngineGame, EngineState

options: list[dict[str, Any]]
editions: dict[str, dict[str, Any]]

@final
class State(EngineState):
    @property
    def game(self) -> Game: ...

@final
class Game(EngineGame[State]):
    def __init__(self, *, players: int = 2, hand: int = 3) -> None: ...
