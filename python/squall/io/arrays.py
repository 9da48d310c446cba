"""Converts NumPy arrays to arguments of the output runtime's C interface, for squall.io."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from squall.io.library import Error, call

Array = np.ndarray[Any, np.dtype[Any]]

TYPES = [np.dtype(name) for name in ("f4", "f8", "i2", "i4", "S1", "i1", "u1", "i8")]  # as squall_io_type
TEXT = len(TYPES)
_INT32 = np.iinfo(np.int32)


def put(
    function: str,
    handle: ctypes.c_void_p | None,
    field: str,
    data: npt.ArrayLike,
    start: Sequence[int] | None,
    *more: object,
) -> None:
    box = text_box(data, start)
    if box is None:
        array = aligned(as_array(data))
        box = box_of(array, start if start is not None else (0,) * array.ndim)
    call(function, handle, field, *box, *more)


def put_points(
    function: str, handle: ctypes.c_void_p | None, field: str, data: npt.ArrayLike, *more: object
) -> None:
    array = np.ascontiguousarray(as_array(data))
    call(function, handle, field, type_number(array.dtype), array.ctypes.data, 0, None, *more)


def as_array(value: npt.ArrayLike) -> Array:
    """An array of one of TYPES, a view of the caller's wherever that is possible."""
    if isinstance(value, str):
        return np.frombuffer(value.encode(), "S1")
    array = np.asarray(value)
    python_int = not isinstance(value, np.ndarray | np.generic) and array.dtype.kind == "i"
    if python_int and (not array.size or (array.max() <= _INT32.max and array.min() >= _INT32.min)):
        array = array.astype(np.int32)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def type_number(dtype: np.dtype[Any]) -> int:
    if dtype not in TYPES:
        raise Error(f"the type {dtype} is not one of {', '.join(str(t) for t in TYPES)} or str")
    return TYPES.index(dtype)


def c_names(names: Sequence[str]) -> tuple[int, Any]:
    """The C arguments ndims, dimensions."""
    return len(names), (ctypes.c_char_p * len(names))(*(name.encode() for name in names))


def c_numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def aligned(array: Array) -> Array:
    """The array, or a copy of one whose strides are no multiple of its elements: a member of a structure."""
    return np.ascontiguousarray(array) if any(s % array.itemsize for s in array.strides) else array


def text_box(data: npt.ArrayLike, start: Sequence[int] | None) -> tuple[object, ...] | None:
    """The C arguments of _box for an array of str; None for anything else."""
    if isinstance(data, str):
        return None
    array = np.asarray(data)
    if array.dtype.kind not in "UO":
        return None
    texts = [str(text).encode() for text in array.flat]
    first = start if start is not None else (0,) * array.ndim
    if len(first) != array.ndim:
        raise Error(f"start has {len(first)} elements for an array of {array.ndim} dimensions")
    pointers = (ctypes.c_char_p * len(texts))(*texts)
    # The pointers live as long as what refers to them: the arguments of the call.
    return (
        array.ndim,
        c_numbers(first),
        c_numbers(array.shape),
        TEXT,
        ctypes.cast(pointers, ctypes.c_void_p),
        None,
    )


def box_of(array: Array, start: Sequence[int]) -> tuple[object, ...]:
    """The C arguments ndims, start, count, type, data, strides."""
    n = array.ndim
    if len(start) != n:
        raise Error(f"start has {len(start)} elements for an array of {n} dimensions")
    strides = (ctypes.c_ssize_t * n)(*(stride // array.itemsize for stride in array.strides))
    return n, c_numbers(start), c_numbers(array.shape), type_number(array.dtype), array.ctypes.data, strides
