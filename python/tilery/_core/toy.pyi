from typing import final

from tilery._core._surface import DriverSurface, GameSurface, StateSurface

@final
class State(StateSurface):
    @property
    def game(self) -> Game: ...

@final
class Driver(DriverSurface[State]): ...

class Game(GameSurface[State]):
    def __init__(self, *, players: int = 2, hand: int = 3) -> None: ...
