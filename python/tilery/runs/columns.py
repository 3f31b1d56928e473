"""Results as flat columns: NumPy arrays by name, and Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery.extras import imported
from tilery.simulation import result_dtype

Columns = Mapping[str, npt.NDArray[Any]]

Results = npt.NDArray[np.void] | Iterable[npt.NDArray[np.void]]
"""The array that `tilery.simulate` returns, or several such arrays of one kind, for example the shards of a run."""


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


def columns(results: npt.NDArray[np.void]) -> dict[str, npt.NDArray[Any]]:
    """Return results as a dict of new arrays of shape [n], for `pandas.DataFrame` and the like.

    The keys are `return_0`, ... (float64), `score_0`, ... (int32), `num_actions`, `num_decisions` (int32) and, with
    rotated seats, `policy_0`, ... (uint8): the fields of `tilery.simulate`, one column for each seat.

    Raises `TypeError` for what `tilery.simulate` did not return.
    """
    flat: dict[str, npt.NDArray[Any]] = {}
    for name in _checked(results).dtype.names or ():
        if results[name].ndim == 2:
            flat |= {f"{name.removesuffix('s')}_{seat}": column.copy() for seat, column in enumerate(results[name].T)}
        else:
            flat[name] = results[name].copy()
    return flat


def arrow(results: Results) -> Any:
    """Return results as a `pyarrow.Table`, with the columns of `tilery.columns`; it needs the extra `tilery[arrow]`.

    Whatever takes an object with `__arrow_c_stream__` reads it: `polars.DataFrame(tilery.arrow(results))`, DuckDB. Each
    column is copied once; readers keep that copy.

    Raises `ImportError` without pyarrow, `TypeError` for what `tilery.simulate` did not return, `ValueError` for arrays
    of different kinds or none.
    """
    pyarrow = imported("pyarrow", "arrow", "results for readers of Arrow")
    arrays = list(arrays_of(results))
    if not arrays:
        raise ValueError("results must have at least one array, got none")
    if any(array.dtype != arrays[0].dtype for array in arrays):
        raise ValueError("results must all have the same number of players, and all or none rotated seats")
    pieces = list(map(columns, arrays))
    kinds = [(name, pyarrow.from_numpy_dtype(column.dtype), False) for name, column in pieces[0].items()]
    schema = pyarrow.schema([pyarrow.field(*kind) for kind in kinds])
    return pyarrow.concat_tables(pyarrow.table(each, schema=schema) for each in pieces)
