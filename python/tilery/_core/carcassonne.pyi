from collections.abc import Sequence
from typing import Literal, final

import numpy as np
import numpy.typing as npt

from tilery._core._surface import DriverSurface, GameSurface, StateSurface

@final
class State(StateSurface):
    @property
    def game(self) -> Game: ...
    def observation_tensor(self, player: int, /, window: int | None = None) -> npt.NDArray[np.float32]: ...

@final
class Driver(DriverSurface[State]): ...

class Game(GameSurface[State]):
    def __init__(
        self,
        *,
        players: int = 2,
        tiles: Literal["winter", "base"] = "winter",
        farmers: bool = True,
        first_player: Literal["seat_0", "most_roads"] = "seat_0",
        hand_size: Literal[0, 1, 3] = 0,
        hands: Literal["hidden", "open"] = "hidden",
        start_tile_in_bag: bool = False,
        unplaceable: Literal["discard", "return"] = "discard",
        trees_end_roads: bool = True,
        tile_sale: bool = False,
        gap_bonus: bool = False,
        score_unfinished: bool = True,
        table: Sequence[int] | None = None,
        edge_closes: bool = False,
    ) -> None: ...
