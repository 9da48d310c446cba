"""The checksum of a field in the manifests of the output runtime, apart from the runtime's own code.

It is the sum over all points, modulo 2^64, of a product of two hashes of index and bits, so it does not
depend on how the field was divided. `squall check` has a faster implementation; this one works on arrays read
by xarray or netCDF4.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_LOW = np.uint64(0xFFFFFFFF)
_AT_A, _AT_B = np.uint64(0x9E3779B1), np.uint64(0x85EBCA77)
_AT_ONCE = 1 << 20  # words


def field_checksum(values: NDArray[np.generic]) -> int:
    """The checksum of a whole field at one frame, as stored: neither masked nor scaled.

    The elements have 1, 2, 4 or 8 bytes, in any byte order; text is an array of single bytes.
    """
    points = np.ascontiguousarray(values)
    points = points.astype(points.dtype.newbyteorder("<"), copy=False)
    size = points.dtype.itemsize
    if size not in (1, 2, 4, 8):
        raise ValueError(f"elements of {size} bytes; a field has elements of 1, 2, 4 or 8")
    words = points.reshape(-1).view(f"<u{min(size, 4)}")
    return sum(_partial_sums(words)) % 2**64


def _partial_sums(words: NDArray[np.generic]) -> Iterator[int]:
    for first in range(0, words.size, _AT_ONCE):
        part = words[first : first + _AT_ONCE].astype(np.uint64)
        index = np.arange(first, first + part.size, dtype=np.uint64)
        at, high = index & _LOW, index >> np.uint64(32)
        a = (part + at * _AT_A + high) & _LOW
        turned = ((part << np.uint64(16)) | (part >> np.uint64(16))) & _LOW
        b = turned ^ ((at * _AT_B + (high ^ _LOW)) & _LOW)
        yield int(np.sum(a * b, dtype=np.uint64))
