"""The best size of reads of a variable, from its layout in the file; Dask's chunks follow it."""

import json
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

_ENOUGH = 32 << 20  # bytes: larger pieces read no faster


def grown(
    dims: Sequence[Hashable], shape: Sequence[int], dtype: np.dtype[Any], chunk: Sequence[int] | None
) -> tuple[int, ...]:
    """Whole chunks of a file side by side, or whole rows of one without chunks (None), until they are worth
    a task; never more than one frame, which another file may follow."""
    piece = list(chunk or [1] * len(shape))
    first = 1 if dims[:1] == ("Time",) else 0
    if first:
        piece[0] = 1
    size = int(np.prod(piece)) * dtype.itemsize
    for axis in reversed(range(first, len(shape))):
        times = max(1, min(_ENOUGH // max(size, 1), -(-shape[axis] // max(piece[axis], 1))))
        piece[axis] = min(piece[axis] * times, max(shape[axis], 1))
        size *= times
        if piece[axis] < shape[axis]:
            break
    return tuple(piece)


def shards(store: Path) -> dict[str, tuple[int, ...]]:
    """Of a Zarr store the files of each array, which are its shards or chunks; one frame of them. Nothing of
    anything else."""
    try:
        group = json.loads((store / "zarr.json").read_bytes())
        arrays = group["consolidated_metadata"]["metadata"]
        return {name: _of_a_frame(array) for name, array in arrays.items() if array["node_type"] == "array"}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _of_a_frame(array: dict[str, Any]) -> tuple[int, ...]:
    piece = tuple(int(n) for n in array["chunk_grid"]["configuration"]["chunk_shape"])
    names = array.get("dimension_names") or [None]
    # Frames that share a file are chunks of their own in it.
    return (1, *piece[1:]) if names[0] == "Time" else piece
