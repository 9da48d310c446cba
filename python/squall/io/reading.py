"""Reads the output of streams, for squall.io."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from squall.io import library as io_library
from squall.io.arrays import TYPES, Array, box_of
from squall.io.declaration import Field, Value
from squall.io.library import Error, call, free, integer, name_and_size, new

EPOCH = "2000-01-01T00:00:00"


@dataclass(frozen=True)
class Time:
    """The time of a frame: seconds after an epoch, in a CF calendar."""

    seconds: float
    epoch: str
    calendar: str

    def __str__(self) -> str:
        return format_time(self.seconds, "%Y-%m-%dT%H:%M:%S", self.epoch, self.calendar)


def format_time(
    seconds: float, pattern: str, epoch: str = EPOCH, calendar: str = "proleptic_gregorian"
) -> str:
    """Formats the time `seconds` after `epoch` (ISO 8601) with a pattern of %Y %m %d %H %M %S, in a CF
    calendar."""
    text = ctypes.create_string_buffer(8 * len(pattern.encode()) + 1)  # a year may have more than four digits
    call("format_time_in", seconds, epoch, calendar, pattern, text, len(text))
    return text.value.decode()


class Reader:
    """Reads a file of a stream, or any netCDF file. Local to the rank, which opens the file and reads its own
    boxes, unless many open it together. Needs no MPI session."""

    def __init__(self, path: str, comm: Any = None, readers: int = 0) -> None:
        """Opens and checks that the file is as long as its header says. With `comm`, of mpi4py, on all its
        ranks, of which `readers` open the file (0: one on every node) and hand on what the others want:
        collective, and so is then reading, with a box for each rank, which may be empty."""
        self._handle: ctypes.c_void_p | None = None
        mpi()
        if comm is None:
            self._begin(new("reader_open", path))
        else:
            self._begin(new("reader_open_on_f", path, comm.py2f(), readers))

    @classmethod
    def of(cls, handle: ctypes.c_void_p) -> Self:
        """What the C interface has opened."""
        reader = cls.__new__(cls)
        reader._begin(handle)
        return reader

    def _begin(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle
        frames = ctypes.c_int64()
        call("reader_frames", self._handle, ctypes.byref(frames))
        self.frames = frames.value  # 0 without a record dimension
        count = integer("reader_dimensions", self._handle)
        self.dimensions = dict(name_and_size("reader_dimension", self._handle, n) for n in range(count))
        self.attributes = self._attributes(None)
        names = (self._field_name(n) for n in range(integer("reader_fields", self._handle)))
        self.fields = {name: self._field(name) for name in names}

    def shape(self, field: str) -> tuple[int, ...]:
        """Extents of a field, slowest dimension first, without the record dimension."""
        return tuple(self.dimensions[name] for name in self._known(field).dimensions)

    def read(
        self,
        field: str,
        frame: int = 0,
        start: Sequence[int] | None = None,
        count: Sequence[int] | None = None,
        dtype: npt.DTypeLike | None = None,
    ) -> Array:
        """Reads a box of a field at a frame (ignored for a field that is fixed in time). start None: from 0;
        count None: to the end. dtype None: the type in the file."""
        shape = self.shape(field)
        first = tuple(start) if start is not None else (0,) * len(shape)
        extent = (
            tuple(count) if count is not None else tuple(n - s for n, s in zip(shape, first, strict=True))
        )
        data = np.empty(extent, self._known(field).type if dtype is None else dtype)
        call("reader_read", self._handle, field, frame, *box_of(data, first))
        return data

    def times(self) -> list[Time]:
        """The times of the frames, from the file's time coordinate."""
        return [self._time(n) for n in range(self.frames)]

    def steps(self) -> list[float]:
        """Seconds from the first frame to each frame."""
        seconds = [time.seconds for time in self.times()]
        return [s - seconds[0] for s in seconds]

    def texts(self, field: str, frame: int = 0) -> Array:
        """The texts of a field of characters, as an array of str."""
        letters = self.read(field, frame)
        lines = letters.view(f"S{letters.shape[-1]}")[..., 0]
        return np.array([text.rstrip(b" \0").decode() for text in lines.flat], object).reshape(lines.shape)

    def _time(self, frame: int) -> Time:
        seconds, epoch, calendar = ctypes.c_double(), ctypes.c_char_p(), ctypes.c_char_p()
        out = (ctypes.byref(place) for place in (seconds, epoch, calendar))
        call("reader_time", self._handle, frame, *out)
        return Time(seconds.value, (epoch.value or b"").decode(), (calendar.value or b"").decode())

    def close(self) -> None:
        if self._handle is not None:
            free("reader_free", self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    __del__ = close

    def _known(self, field: str) -> Field:
        if field not in self.fields:
            raise Error(f"the file has no field {field}; it has {', '.join(self.fields)}")
        return self.fields[field]

    def _field_name(self, n: int) -> str:
        name = ctypes.c_char_p()
        call("reader_field", self._handle, n, ctypes.byref(name))
        return (name.value or b"").decode()

    def _field(self, name: str) -> Field:
        info = io_library.FieldInfo()
        call("reader_field_info", self._handle, name, ctypes.byref(info))
        dimensions = [
            name_and_size("reader_field_dimension", self._handle, name, d)[0] for d in range(info.ndims)
        ]
        return Field(name, TYPES[info.type], dimensions, bool(info.per_frame), self._attributes(name))

    def _attributes(self, owner: str | None) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for n in range(integer("reader_attributes", self._handle, owner)):
            info = io_library.AttributeInfo()
            call("reader_attribute", self._handle, owner, n, ctypes.byref(info))
            found[info.name.decode()] = value_of(info)
        return found


def value_of(info: io_library.AttributeInfo) -> Value:
    """The text, the number or the array of numbers of an attribute."""
    raw = ctypes.string_at(info.data, info.count * TYPES[info.type].itemsize)
    if TYPES[info.type].kind == "S":
        return raw.decode()
    numbers = np.frombuffer(raw, TYPES[info.type])
    return numbers[0] if len(numbers) == 1 else numbers


def mpi() -> Any:
    """mpi4py's MPI, which initialises MPI."""
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise Error(
            "squall.io needs mpi4py, built for the MPI that Squall was built with: pip install mpi4py"
        ) from error
    return MPI
