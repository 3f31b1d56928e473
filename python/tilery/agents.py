"""Agents that learned a game, as files: a network from an observation to a priority for each action.

    >>> import numpy as np
    >>> import tilery
    >>> game = tilery.load("toy")
    >>> size, actions = game.observation_tensor_shape[0], game.num_distinct_actions
    >>> agent = tilery.agents.Agent(game, [(np.zeros((size, actions)), np.arange(actions))])
    >>> (table,) = tilery.match.play(game, [agent, "random"], games=2)
    >>> table.games
    2

`agent.save("my.npz")` writes it, and `agent:my.npz` is the policy in every command. A file is an `.npz` of NumPy
without pickles: numbers alone, so that opening one runs no code. `agent:my.onnx` is a network of ONNX (`OnnxAgent`).
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery import files
from tilery.errors import is_real
from tilery.extras import imported
from tilery.options import game_of_rules
from tilery.protocol import Game, Luck, Signal, State

FORMAT = "tilery-agent/1"
MOST_BYTES = 128 << 20
"""Of a file, and of what is in it."""
MOST_LAYERS = 16

Floats = npt.NDArray[np.float32]


class _Player(ABC):
    """Chooses the legal action with the greatest priority; of equal ones the first."""

    @abstractmethod
    def priorities(self, observation: npt.ArrayLike) -> Floats:
        """The priority of each action id for an observation of the player to act, float32[num_distinct_actions]."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Raise `ValueError` for a game that the agent cannot play."""

    def choose(
        self,
        state: State,
        rng: Luck = 0,  # noqa: ARG002  nothing is left to chance
        *,
        stop: Signal | None = None,  # noqa: ARG002  it does not take long
        enough: Signal | None = None,  # noqa: ARG002
    ) -> int:
        """Return the id of a legal action for the player to act; see `tilery.protocol.Policy`."""
        self.check(state.game)
        legal = np.array(state.legal_actions())
        return int(legal[self.priorities(state.observation_tensor(state.current_player()))[legal].argmax()])

    __call__ = choose


class Agent(_Player):
    """A network that chooses the legal action with the greatest priority; of equal ones the first.

    game: the game that it learned; it plays those of the same name, players, observations and action ids.
    layers: (weights[inputs, outputs], bias[outputs]) of each layer; between them negative values become 0. The last
        has an output for each action id.
    kept: the places in the flattened observation that the network sees, int[inputs]; None for all.
    mean, scale: float[inputs]; the network sees (value - mean) * scale, cut to [-clip, clip]. None for the values.
    about: what the maker wants to tell, as JSON can write it.

    Raises `ValueError` for arrays that do not fit together, or that hold what is no finite number.
    """

    def __init__(
        self,
        game: Game,
        layers: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
        *,
        kept: npt.ArrayLike | None = None,
        mean: npt.ArrayLike | None = None,
        scale: npt.ArrayLike | None = None,
        clip: float = 5.0,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        if not is_real(clip) or not clip > 0:
            raise ValueError(f"clip must be a number above 0, got {clip!r}")
        self.game, self.about, self.clip = game, dict(about or {}), float(clip)
        size = int(np.prod(game.observation_tensor_shape))
        places = np.arange(size) if kept is None else np.asarray(kept)
        if places.ndim != 1 or places.dtype.kind not in "iu" or not ((places >= 0) & (places < size)).all():
            raise ValueError(f"kept must be integers from 0 to {size - 1}")
        self.kept = places.astype(np.int32)
        self.mean, self.scale = (
            _numbers(np.full(len(places), plain) if given is None else given, name, (len(places),))
            for name, given, plain in (("mean", mean, 0), ("scale", scale, 1))
        )
        if not 1 <= len(layers) <= MOST_LAYERS:
            raise ValueError(f"an agent has 1 to {MOST_LAYERS} layers")
        self.layers: list[tuple[Floats, Floats]] = []
        width = len(places)
        for number, (weights, bias) in enumerate(layers):
            last = number == len(layers) - 1
            shape = np.shape(bias)
            if len(shape) != 1:
                raise ValueError(f"bias {number} must be a vector, got {len(shape)} dimensions")
            outputs = game.num_distinct_actions if last else shape[0]
            found = _numbers(weights, f"weights {number}", (width, outputs))
            self.layers.append((found, _numbers(bias, f"bias {number}", (outputs,))))
            width = outputs

    def priorities(self, observation: npt.ArrayLike) -> Floats:
        values: Floats = np.asarray(observation, np.float32).reshape(-1)[self.kept]
        values = np.clip((values - self.mean) * self.scale, -self.clip, self.clip)
        for number, (weights, bias) in enumerate(self.layers):
            shown = values if number == 0 else np.maximum(values, 0)
            used = shown.nonzero()[0]  # few: most of an observation is 0
            values = shown[used] @ weights[used] + bias
        return values

    def check(self, game: Game) -> None:
        for what in ("name", "num_players", "observation_tensor_shape", "num_distinct_actions"):
            if getattr(game, what) != (own := getattr(self.game, what)):
                raise ValueError(f"the agent learned a game with {what} {own}, not {getattr(game, what)}")

    def save(self, path: files.Name, *, overwrite: bool = False) -> None:
        """Write the agent to a file, whole or not at all. Raises `FileExistsError` for one that holds data."""
        head = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.rules.as_dict(),
            "clip": self.clip,
            "layers": len(self.layers),
            "about": self.about,
        }
        arrays: dict[str, Any] = {"head": np.frombuffer(json.dumps(head).encode(), np.uint8)}
        arrays |= {"kept": self.kept, "mean": self.mean, "scale": self.scale}
        for number, (weights, bias) in enumerate(self.layers):
            arrays |= {f"weights{number}": weights, f"bias{number}": bias}
        files.write_arrays(path, arrays, overwrite=overwrite)


class OnnxAgent(_Player):
    """A network of an ONNX file, as frameworks export it; it needs the extra `onnx` (onnxruntime).

    Its first input is float32[1, *observation_tensor_shape], or the same flattened; its first output has a priority for
    each action id. It runs on one thread of the processor, and reads no other file.

    Raises `OSError` if the file cannot be read, and `ValueError` if it is no such network or larger than 128 MiB.
    """

    def __init__(self, path: files.Name) -> None:
        runtime = imported("onnxruntime", "onnx", "agents in ONNX files")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        content = files.read(path, MOST_BYTES)
        try:
            self._session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # of many types, which are not public
            raise ValueError(f"{path} is not an agent: {error}") from None
        self._input, self._output = self._session.get_inputs()[0], self._session.get_outputs()[0].name
        self._shape = [size if isinstance(size, int) else 1 for size in self._input.shape]

    def priorities(self, observation: npt.ArrayLike) -> Floats:
        values = np.asarray(observation, np.float32).reshape(self._shape)
        return np.asarray(self._session.run([self._output], {self._input.name: values})[0], np.float32).reshape(-1)

    def check(self, game: Game) -> None:
        size = math.prod(game.observation_tensor_shape)
        if self._input.type != "tensor(float)" or math.prod(self._shape) != size:
            raise ValueError(f"the agent takes {self._input.type}{self._shape}, not the {size} numbers of {game.name}")
        found = self.priorities(np.zeros(size)).size
        if found != game.num_distinct_actions:
            raise ValueError(f"the agent knows {found} actions, not the {game.num_distinct_actions} of {game.name}")


def read(path: files.Name) -> Agent | OnnxAgent:
    """The agent of a file that `Agent.save` wrote, or of one whose name ends with `.onnx`.

    Raises `OSError` if the file cannot be read, and `ValueError` naming it if it is no agent or larger than 128 MiB.
    """
    if str(path).endswith(".onnx"):
        return OnnxAgent(path)
    try:
        arrays = files.read_arrays(path, MOST_BYTES)
        head = json.loads(arrays["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(f"its format is {head['format']!r}, not {FORMAT!r}")
        layers = [(arrays[f"weights{n}"], arrays[f"bias{n}"]) for n in range(min(head["layers"], MOST_LAYERS + 1))]
        given = {name: arrays[name] for name in ("kept", "mean", "scale")}
        game = game_of_rules(head["game"], head["rules"])
        return Agent(game, layers, clip=head["clip"], about=head["about"], **given)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"{path} is not an agent: {reason}") from None


def _numbers(given: npt.ArrayLike, name: str, shape: tuple[int, ...]) -> Floats:
    array = np.asarray(given)
    with np.errstate(over="ignore"):
        found = np.ascontiguousarray(array, np.float32) if array.dtype.kind in "fiu" else None
    if found is None or array.shape != shape or not np.isfinite(found).all():
        got = f"{array.dtype}{list(array.shape)}"
        raise ValueError(f"{name} must be finite numbers of shape {shape} that float32 can hold, got {got}")
    return found
