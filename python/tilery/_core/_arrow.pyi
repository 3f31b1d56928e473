from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

def stream(arrays: Sequence[npt.NDArray[np.uint8]], columns: Sequence[tuple[str, str, int, int]]) -> object: ...
