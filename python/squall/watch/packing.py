"""Packs arrays for the browser: a JSON header and 32-bit numbers."""

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(about: dict[str, Any], **arrays: NDArray[Any]) -> bytes:
    """The length of the JSON, the JSON, which tells names and shapes, then the arrays, row after row."""
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    told = json.dumps(about | {"arrays": shapes}).encode()
    told += b" " * (-len(told) % 4)
    body = b"".join(np.ascontiguousarray(array, "<f4").tobytes() for array in arrays.values())
    return struct.pack("<I", len(told)) + told + body
