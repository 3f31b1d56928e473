from tilery._core import carcassonne as carcassonne
from tilery._core import java as java
from tilery._core import pueblo as pueblo
from tilery._core import tajmahal as tajmahal
from tilery._core import toy as toy

class Policy:
    def __init__(self, text: str, /) -> None: ...
    @property
    def searches(self) -> bool: ...
    def parameters(self) -> dict[str, int | float]: ...

build: str
games: tuple[str, ...]
