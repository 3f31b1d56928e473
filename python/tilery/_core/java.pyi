from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from tilery.protocol import EngineGame, EngineState

options: list[dict[str, Any]]
editions: dict[str, dict[str, Any]]

@final
class State(EngineState):
    @property
    def game(self) -> Game: ...
    def heights(self) -> npt.NDArray[np.int8]: ...
    def terrain(self) -> str: ...
    def tiles(self) -> list[list[str]]: ...
    def figures(self) -> list[tuple[str, int]]: ...
    def settlements(self) -> list[dict[str, Any]]: ...
    def bodies(self) -> list[dict[str, Any]]: ...
    def cards(self, player: int, /) -> dict[str, Any]: ...
    def costs(self) -> dict[int, int]: ...

@final
class Game(EngineGame[State]):
    def __init__(
        self,
        *,
        players: int = 2,
        board: str | PathLike[str] | Mapping[str, Any] = "java-153",
        token_timing: Literal["any", "turn_start"] = "any",
        two_on_three: bool = True,
        irrigation_on_perimeter: bool = False,
        irrigation_scoring: Literal["per_body", "per_space"] = "per_body",
        land_reserve: Literal["before", "after"] = "before",
    ) -> None: ...
    @staticmethod
    def official(**options: Any) -> Game: ...
    @property
    def spaces(self) -> list[list[int]]: ...
    @property
    def board(self) -> dict[str, list[list[int]]]: ...
