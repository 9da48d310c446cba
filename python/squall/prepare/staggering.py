"""From cells to the faces between them."""

import numpy as np
from numpy.typing import NDArray

Block = NDArray[np.float64]


def to_faces(cells: Block, axis: int, sides: tuple[bool, bool] = (True, True)) -> Block:
    """Means of neighbours along an axis. sides: whether the first and the last face are those of the
    domain's sides, which have a cell on one side only and take its value."""
    pad = [(0, 0)] * cells.ndim
    pad[axis] = (int(sides[0]), int(sides[1]))
    wide = np.pad(cells, pad, mode="edge")
    n = wide.shape[axis]
    return np.asarray(0.5 * (wide.take(range(n - 1), axis) + wide.take(range(1, n), axis)))


def to_layers(interfaces: Block) -> Block:
    """Interface values averaged to layers."""
    return np.asarray(0.5 * (interfaces[1:] + interfaces[:-1]))
