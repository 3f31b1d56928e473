"""Results as flat columns: NumPy arrays by name, and Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery.extras import imported
from tilery.run import result_dtype

Columns = Mapping[str, npt.NDArray[Any]]

Results = npt.NDArray[np.void] | Iterable[npt.NDArray[np.void]]
"""The array that `tilery.simulate` returns, or several such arrays of one kind, for example the shards of a run."""

_ROWS_IN_CACHE = 1 << 14
_ROWS_OF_BATCH = 1 << 20
_NAMES = {"returns": "return_", "scores": "score_", "policy": "policy_"}


def arrays_of(results: Results) -> Iterable[npt.NDArray[np.void]]:
    """The arrays that `results` stands for. Raises `TypeError` for anything else."""
    if isinstance(results, np.ndarray):
        results = [results]
    if isinstance(results, str | bytes | Mapping) or not isinstance(results, Iterable):
        raise TypeError(f"results must be an array of tilery.simulate or an iterable of such arrays, got {results!r}")
    return map(_checked, results)


def _checked(results: Any) -> npt.NDArray[np.void]:
    fields: Mapping[str, Any] = getattr(getattr(results, "dtype", None), "fields", None) or dict[str, Any]()
    players = fields["scores"][0].shape if "scores" in fields else ()
    if len(players) != 1 or results.dtype != result_dtype(*players, rotate="policy" in fields) or results.ndim != 1:
        raise TypeError(f"results must be an array of tilery.simulate, got {type(results).__name__} {results!r:.60}")
    checked: npt.NDArray[np.void] = results
    return checked


def _by_column(results: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    fields: list[Any] = []
    for name in results.dtype.names or ():
        kind = results.dtype[name]
        seats = [f"{_NAMES[name]}{seat}" for seat in range(kind.shape[0])] if kind.shape else [name]
        fields += [(column, kind.base) for column in seats]
    return results.view(fields)


def columns(results: npt.NDArray[np.void]) -> dict[str, npt.NDArray[Any]]:
    """Return results as a dict of new arrays of shape [n], for `pandas.DataFrame` and the like.

    The keys are `return_0`, ... (float64), `score_0`, ... (int32), `num_actions`, `num_decisions` (int32) and, with
    rotated seats, `policy_0`, ... (uint8): the fields of `tilery.simulate`, one column for each seat.

    Raises `TypeError` for what `tilery.simulate` did not return.
    """
    results = _by_column(_checked(results))
    flat = {name: np.empty(len(results), results.dtype[name]) for name in results.dtype.names or ()}
    for first in range(0, len(results), _ROWS_IN_CACHE):
        rows = results[first : first + _ROWS_IN_CACHE]
        for name, column in flat.items():
            column[first : first + len(rows)] = rows[name]
    return flat


class ArrowResults:
    """Results for a reader of Arrow: anything that takes an object with `__arrow_c_stream__`."""

    def __init__(self, arrays: list[npt.NDArray[np.void]]) -> None:
        if not arrays:
            raise ValueError("results must have at least one array, got none")
        if any(array.dtype != arrays[0].dtype for array in arrays):
            raise ValueError("results must all have the same number of players, and all or none rotated seats")
        self._arrays = arrays

    def __len__(self) -> int:
        return sum(map(len, self._arrays))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow PyCapsule interface; `MissingExtraError` without pyarrow (the extra `tilery[arrow]`)."""
        pyarrow = imported("pyarrow", "arrow", "results for readers of Arrow")
        kinds = {name: column.dtype for name, column in columns(self._arrays[0][:0]).items()}
        fields = [pyarrow.field(name, pyarrow.from_numpy_dtype(kind), nullable=False) for name, kind in kinds.items()]
        schema = pyarrow.schema(fields)
        batches = (
            pyarrow.RecordBatch.from_arrays(list(map(pyarrow.array, columns(rows).values())), schema=schema)
            for array in self._arrays
            for rows in (array[first : first + _ROWS_OF_BATCH] for first in range(0, len(array), _ROWS_OF_BATCH))
        )
        return pyarrow.RecordBatchReader.from_batches(schema, batches).__arrow_c_stream__(requested_schema)


def arrow(results: Results) -> ArrowResults:
    """Return results as an object with `__arrow_c_stream__`, with the columns of `tilery.columns`.

    `pyarrow.table(tilery.arrow(results))`, `polars.DataFrame(...)` and DuckDB read it, with the extra `tilery[arrow]`.
    Each column is copied once; readers keep that copy. The results must not be changed while they are read.

    Raises `TypeError` for what `tilery.simulate` did not return, `ValueError` for arrays of different kinds or none.
    """
    return ArrowResults(list(arrays_of(results)))
