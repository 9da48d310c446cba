"""Where two arrays of values differ, bit for bit, and by how much: taken piece by piece, so that memory holds
little of them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

PIECE = 64 << 20  # bytes of each side in memory

_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass
class Differing:
    """Values of a variable that differ: how many of `points`, the first of them with its index, where two
    numbers are furthest apart, and the sum of the squares of the differences between numbers."""

    name: str
    dims: tuple[str, ...]
    points: int = 0
    count: int = 0
    first: tuple[int, ...] = ()
    values: tuple[str, str] = ("", "")
    largest: float = -1.0
    where: tuple[int, ...] = ()
    squares: float = 0.0

    @property
    def rms(self) -> float:
        """Root mean square difference over all points."""
        return math.sqrt(self.squares / self.points) if self.points else 0.0

    def take(self, a: Array, b: Array, start: Sequence[int]) -> None:
        """Counts a piece of both, of one shape and type, that begins at an index."""
        unlike = _unlike(a, b)
        places = np.flatnonzero(unlike)
        if not len(places):
            return
        if not self.count:
            self.first = _index(places[0], a, start)
            self.values = _spelled(a.ravel()[places[0]], b.ravel()[places[0]])
        self.count += len(places)
        if a.dtype.kind not in "iuf":
            return
        with np.errstate(invalid="ignore", over="ignore"):
            apart = np.abs(a.ravel()[places].astype("f8") - b.ravel()[places].astype("f8"))
            self.squares += float(np.sum(np.square(apart[np.isfinite(apart)])))
        apart = np.where(np.isfinite(apart), apart, -1.0)  # what is no number is no distance away
        furthest = int(np.argmax(apart))
        if apart[furthest] > self.largest:
            self.largest, self.where = float(apart[furthest]), _index(places[furthest], a, start)

    def lines(self) -> list[str]:
        place = f" at {self.place(self.first)}" if self.first else ""
        a, b = self.values
        out = [
            f"values of {self.name}: {self.count} of {self.points} differ, the first{place}",
            f"    A: {a}",
            f"    B: {b}",
        ]
        if self.largest >= 0 and self.points > 1:
            out.append(f"    largest difference: {self.largest:.9g} at {self.place(self.where)}")
        return out

    def place(self, index: Sequence[int]) -> str:
        """As [south_north=3, west_east=4]."""
        pairs = zip(self.dims, index, strict=True)
        return f"[{', '.join(f'{dim}={at}' for dim, at in pairs)}]"


def _unlike(a: Array, b: Array) -> Array:
    """Flat: where bits differ."""
    if a.dtype.kind == "O":
        pairs = zip(a.ravel(), b.ravel(), strict=True)
        return np.array([not np.array_equal(x, y) for x, y in pairs], bool)
    bits = _BITS.get(a.dtype.itemsize)
    one, other = (np.ascontiguousarray(values).ravel() for values in (a, b))
    if bits is not None:
        unlike: Array = one.view(bits) != other.view(bits)
        return unlike
    each = (values.view(np.uint8).reshape(len(values), -1) for values in (one, other))
    return np.asarray(np.any(np.not_equal(*each), axis=1))


def _index(flat: int, piece: Array, start: Sequence[int]) -> tuple[int, ...]:
    within = np.unravel_index(flat, piece.shape)
    return tuple(int(first + at) for first, at in zip(start, within, strict=True))


def _spelled(a: Any, b: Any) -> tuple[str, str]:
    """With their bits where they would look the same, as NaNs do."""
    one, other = str(a), str(b)
    if one == other and hasattr(a, "tobytes"):
        return f"{one} (0x{a.tobytes()[::-1].hex()})", f"{other} (0x{b.tobytes()[::-1].hex()})"
    return one, other


def pieces(shape: Sequence[int], item: int) -> Iterator[tuple[list[int], list[int]]]:
    """Start and count of boxes that cover a variable in its order, none larger than PIECE bytes."""
    if 0 in shape:
        return
    whole = len(shape)  # how many of the last dimensions a box takes whole
    size = item
    while whole > 0 and size * shape[whole - 1] <= PIECE:
        whole -= 1
        size *= shape[whole]
    if whole == 0:
        yield [0] * len(shape), list(shape)
        return
    rows = max(1, PIECE // size)
    for outer in np.ndindex(*shape[: whole - 1]):
        for first in range(0, shape[whole - 1], rows):
            start = [*outer, first, *(0 for _ in shape[whole:])]
            yield start, [*(1 for _ in outer), min(rows, shape[whole - 1] - first), *shape[whole:]]
