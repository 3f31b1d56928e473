from tilery._core import carcassonne as carcassonne
from tilery._core import java as java
from tilery._core import pueblo as pueblo
from tilery._core import tajmahal as tajmahal
from tilery._core import toy as toy

build: str
games: tuple[str, ...]
