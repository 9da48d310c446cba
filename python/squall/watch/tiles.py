"""Tiles of a field by resolution: whole numbers of 16 bits, packed so that they travel small.

Level 0 has the points of the grid; each further one the means of blocks of 2 x 2. A tile has SIDE x SIDE
points, and one around them, so that a browser can draw between points without its neighbours.
"""

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError

Grid = NDArray[np.float32]

SIDE = 256
MISSING = 65535
_HEAD = struct.Struct("<4sHHdd")  # mark, columns, rows, value of 0, value of 65534
_MARK = b"SQT1"


def depth(nx: int, ny: int) -> int:
    """How many levels there are: the last one fits one tile."""
    return max(0, int(np.ceil(np.log2(max(nx, ny) / SIDE)))) + 1


def pyramid(values: NDArray[Any]) -> list[Grid]:
    """All levels of a field."""
    found: list[Grid] = [np.asarray(values, np.float32)]
    for _ in range(depth(values.shape[1], values.shape[0]) - 1):
        found.append(_halved(found[-1]))
    return found


def _halved(values: Grid) -> Grid:
    """Means of blocks of 2 x 2, of what is there of them."""
    ny, nx = values.shape
    padded = np.pad(values, ((0, ny % 2), (0, nx % 2)), constant_values=np.nan)
    blocks = padded.reshape(padded.shape[0] // 2, 2, padded.shape[1] // 2, 2)
    there = np.isfinite(blocks)
    number = there.sum((1, 3))
    total = np.where(there, blocks, 0).sum((1, 3), dtype=np.float64)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan).astype(np.float32)


def cut(level: Grid, x: int, y: int) -> Grid:
    """A tile with the points around it; beyond the edge the outermost count again."""
    ny, nx = level.shape
    if not (0 <= x * SIDE < nx and 0 <= y * SIDE < ny):
        raise UserError("There is no such tile.")
    columns = np.clip(np.arange(x * SIDE - 1, min((x + 1) * SIDE, nx) + 1), 0, nx - 1)
    rows = np.clip(np.arange(y * SIDE - 1, min((y + 1) * SIDE, ny) + 1), 0, ny - 1)
    found: Grid = level[np.ix_(rows, columns)]
    return found


def encode(values: Grid) -> bytes:
    """A head and the numbers: how each is more than its western neighbour, high bytes before low ones,
    deflated. Off by at most half of a 65534th of the range."""
    finite = np.isfinite(values)
    low, high = (float(values[finite].min()), float(values[finite].max())) if finite.any() else (0.0, 0.0)
    step = (high - low) / (MISSING - 1) or 1.0
    codes = np.full(values.shape, MISSING, np.uint16)
    codes[finite] = np.round((values[finite].astype(float) - low) / step).astype(np.uint16)
    more = np.diff(codes.astype(np.int32), axis=1, prepend=0).astype(np.uint16)
    body = np.concatenate([(more >> 8).astype(np.uint8).ravel(), (more & 255).astype(np.uint8).ravel()])
    rows, columns = values.shape
    head = _HEAD.pack(_MARK, columns, rows, low, low + step * (MISSING - 1))
    return head + zlib.compress(body.tobytes(), 1)


def decode(packed: bytes) -> NDArray[np.float64]:
    """What `encode` packed."""
    _, columns, rows, low, top = _HEAD.unpack_from(packed)
    body = np.frombuffer(zlib.decompress(packed[_HEAD.size :]), np.uint8).astype(np.uint16)
    high, low_bytes = np.split(body, 2)
    more = 256 * high + low_bytes
    codes = np.cumsum(more.reshape(rows, columns), axis=1, dtype=np.uint16)
    found: NDArray[np.float64] = np.where(
        codes == MISSING, np.nan, low + codes * ((top - low) / (MISSING - 1))
    )
    return found
