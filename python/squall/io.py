"""Squall's output runtime in Python: streams of frames, written while somebody else computes.

    from mpi4py import MPI
    from squall import io

    session = io.Session(MPI.COMM_WORLD)
    history = session.open(io.StreamSpec(
        "history", "history_%H.nc",
        dimensions={"y": ny, "x": nx},
        fields=[io.Field("T", "f4", ["y", "x"], attributes={"units": "K"})],
    ))
    with history.begin(3600) as frame:
        frame.put("T", t, start=(y0, x0))
    history.close()
    session.close()

What sessions, streams, frames, engines and placements promise is told in squall/io.hpp.

Dimensions are listed slowest first, as NumPy's; indices and frames count from 0. Values are NumPy arrays of
float32, float64, int16, int32 or "S1" (characters), views of any strides included, or what becomes one: a
Python float becomes float64, an int int32, a str its characters, with one more dimension. Every failure is
an Error, a RuntimeError.

Who calls what. Collective over the ranks of the communicator: Session(...). Collective over the computing
ranks: Stream.close, in the same order on every rank, and Session.close. Everything else is local, but that
with placement "inline" Frame.commit waits until all computing ranks have committed the frame. Every
computing rank opens the same streams in the same order with equal specs and commits the same frames of a
stream in the same order. A server (Session.computes is false) calls serve and close, nothing else.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from squall import io_library
from squall.io_library import Error, call, free, integer, name_and_size, new

if TYPE_CHECKING:
    from mpi4py import MPI

__all__ = [
    "Error",
    "Field",
    "Frame",
    "Reader",
    "Session",
    "Stream",
    "StreamReport",
    "StreamSpec",
    "engines",
    "format_time",
]

Value = str | int | float | npt.ArrayLike
Array = np.ndarray[Any, np.dtype[Any]]

EPOCH = "2000-01-01T00:00:00"
_TYPES = [np.dtype(name) for name in ("f4", "f8", "i2", "i4", "S1")]  # as squall_io_type
_INT32 = np.iinfo(np.int32)
_ATTRIBUTES = {"i4": "int", "f4": "float", "f8": "double"}


@dataclass(frozen=True)
class Field:
    """A named distributed array: its type in the file, dimensions without the record dimension, attributes.

    per_frame False: fixed in time, put with Stream.put. packed: (low, high) keeps it as int16 with CF's
    scale_factor and add_offset; rounded: ("absolute" or "relative", bound) rounds bits off.
    """

    name: str
    type: npt.DTypeLike = "f4"
    dimensions: Sequence[str] = ()
    per_frame: bool = True
    attributes: Mapping[str, Value] = field(default_factory=dict)
    packed: tuple[float, float] | None = None
    rounded: tuple[Literal["absolute", "relative"], float] | None = None


@dataclass(frozen=True)
class StreamSpec:
    """Everything that is fixed about a stream before its first frame; StreamSpec in squall/io.hpp.

    path is a pattern for format_time, filled with the time of the file's first frame; dimensions are those
    of the whole domain; subset keeps of a dimension the indices of a slice. None: the library's default.
    """

    name: str
    path: str
    dimensions: Mapping[str, int]
    fields: Sequence[Field]
    attributes: Mapping[str, Value] = field(default_factory=dict)
    subset: Mapping[str, slice] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    engine: str | None = None
    placement: str | None = None
    codec: str | None = None
    frames_per_file: int | None = None
    replace: bool | None = None
    burst_dir: str | None = None
    staging_limit: int | None = None
    when_full: Literal["wait", "spill", "skip"] | None = None
    spill_dir: str | None = None
    on_error: Literal["abort", "continue"] | None = None
    on_lost_server: Literal["stop", "take-over"] | None = None
    record_dimension: str | None = None


_KEYS = [f.name for f in fields(StreamSpec) if f.default is None]


@dataclass(frozen=True)
class StreamReport:
    """What a stream did, over the whole session; StreamReport in squall/io.hpp. Times in seconds."""

    name: str
    engine: str
    placement: str
    codec: str
    frames: int
    failed: int
    skipped: int
    bytes: int
    stored_bytes: int
    perceived_median: float
    perceived_largest: float
    perceived_total: float
    drain_median: float
    drain_largest: float
    waits: int
    waited: float
    spilled: int
    staging_peak: int


def engines() -> list[str]:
    """The engines of this build."""
    lib = io_library.library()
    names: list[str] = []
    while name := lib.squall_io_engine(len(names)):
        names.append(name.decode())
    return names


def format_time(seconds: float, pattern: str, epoch: str = EPOCH) -> str:
    """The time `seconds` after `epoch` (ISO 8601) through a pattern of %Y %m %d %H %M %S."""
    text = ctypes.create_string_buffer(4 * len(pattern.encode()) + 1)  # %Y, the longest, has four digits
    call("format_time", seconds, epoch, pattern, text, len(text))
    return text.value.decode()


class Frame:
    """All the fields of a stream at one model time, in the making: from Stream.begin.

    In a with statement it is committed at the end, or abandoned if an exception leaves the block, which
    then must leave it on every rank.
    """

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle: ctypes.c_void_p | None = handle

    def put(self, field: str, data: npt.ArrayLike, start: Sequence[int] | None = None) -> None:
        """Copies this rank's box of a field: as large as data, from `start` on (None: from 0 in each
        dimension). On return the array may be changed. Local; mistakes are reported by commit."""
        _put("frame_put", self._handle, field, data, start)

    def commit(self) -> None:
        """Hands the frame over. Placement "inline": on return it is stored, and a failure is the same on
        every rank. "thread", "servers": it is on its way, and if it fails the next begin, commit or close
        of the stream does."""
        handle, self._handle = self._handle, None
        call("frame_commit", handle)

    def abandon(self) -> None:
        """Drops the frame. Every computing rank must do it. Local."""
        handle, self._handle = self._handle, None
        call("frame_abandon", handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._handle is None:
            return
        if kind is None:
            self.commit()
        else:
            self.abandon()


class Stream:
    """A named sequence of frames: from Session.open."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle: ctypes.c_void_p | None = handle

    def put(self, field: str, data: npt.ArrayLike, start: Sequence[int] | None = None) -> None:
        """Copies this rank's box of a field that is fixed in time, before the first commit. As Frame.put."""
        _put("stream_put", self._handle, field, data, start)

    def begin(self, seconds: float, epoch: str = EPOCH) -> Frame:
        """Starts the frame of the time `seconds` after `epoch` (ISO 8601). Local. Fails while a frame of
        the stream is open, and if a frame on its way has failed."""
        return Frame(new("stream_begin", self._handle, seconds, epoch))

    def close(self) -> None:
        """Waits until every frame is stored and publishes a file that is not full. The stream is closed in
        any case. Collective over the computing ranks."""
        handle, self._handle = self._handle, None
        call("stream_close", handle)


class Session:
    """The ranks that write together, on a duplicate of an mpi4py communicator. Collective.

    Settings are those of SessionSpec in squall/io.hpp: servers, servers_per_node, groups, assignment,
    shared_memory, watchdog, timeout, report.
    """

    def __init__(self, comm: "MPI.Comm", **settings: str | float | bool) -> None:
        _mpi()
        spec = new("session_spec_new")
        try:
            for key, value in settings.items():
                call("session_spec_set", spec, key, _word(value))
            self._handle: ctypes.c_void_p | None = new("session_open_f", comm.py2f(), spec)
        finally:
            free("session_spec_free", spec)

    @property
    def computes(self) -> bool:
        """Whether this rank computes. If not it is a server, which has to call serve."""
        return bool(integer("session_computes", self._handle))

    @property
    def comm(self) -> "MPI.Comm":
        """The computing ranks: valid as long as the session, and on them only."""
        comm: MPI.Comm = _mpi().Comm.f2py(integer("session_comm_f", self._handle))
        return comm

    def serve(self) -> None:
        """On a server: writes frames until all computing ranks have closed the session."""
        call("session_serve", self._handle)

    def open(self, spec: StreamSpec) -> Stream:
        """Declares a stream. Local; touches no file. Fails for a declaration that cannot work."""
        declared = new("spec_new", spec.name, spec.path)
        try:
            _declare(declared, spec)
            return Stream(new("stream_open", self._handle, declared))
        finally:
            free("spec_free", declared)

    def close(self) -> list[StreamReport]:
        """Ends the session, whose streams must be closed. Collective over the computing ranks; on a server,
        after serve. Returns what the streams did, on the first computing rank, elsewhere nothing."""
        handle, self._handle = self._handle, None
        report = new("session_close", handle)
        try:
            return [_stream_report(report, n) for n in range(integer("report_streams", report))]
        finally:
            free("report_free", report)


class Reader:
    """A file that a stream published, or any netCDF file, for reading. Local to the rank: each rank opens
    the file and reads its own boxes. Needs no MPI session."""

    def __init__(self, path: str) -> None:
        """Opens and checks that the file is as long as its header says."""
        self._handle: ctypes.c_void_p | None = None
        _mpi()
        self._handle = new("reader_open", path)
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
        """The box of a field at a frame (ignored for a field that is fixed in time): None is from 0, and
        to the end. dtype None: the type in the file."""
        shape = self.shape(field)
        first = tuple(start) if start is not None else (0,) * len(shape)
        extent = (
            tuple(count) if count is not None else tuple(n - s for n, s in zip(shape, first, strict=True))
        )
        data = np.empty(extent, self._known(field).type if dtype is None else dtype)
        call("reader_read", self._handle, field, frame, *_box(data, first))
        return data

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
            raise Error(f"there is no field {field} in the file; it has {', '.join(self.fields)}")
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
        return Field(name, _TYPES[info.type], dimensions, bool(info.per_frame), self._attributes(name))

    def _attributes(self, owner: str | None) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for n in range(integer("reader_attributes", self._handle, owner)):
            info = io_library.AttributeInfo()
            call("reader_attribute", self._handle, owner, n, ctypes.byref(info))
            found[info.name.decode()] = _value(info)
        return found


def _mpi() -> Any:
    """mpi4py's MPI, which initialises MPI."""
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise Error(
            "squall.io needs mpi4py, built for the MPI that Squall was built with: pip install mpi4py"
        ) from error
    return MPI


def _value(info: io_library.AttributeInfo) -> Value:
    """The text, the number or the array of numbers of an attribute."""
    raw = ctypes.string_at(info.data, info.count * _TYPES[info.type].itemsize)
    if _TYPES[info.type].kind == "S":
        return raw.decode()
    numbers = np.frombuffer(raw, _TYPES[info.type])
    return numbers[0] if len(numbers) == 1 else numbers


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _declare(handle: ctypes.c_void_p, spec: StreamSpec) -> None:
    for key in _KEYS:
        if (value := getattr(spec, key)) is not None:
            call("spec_set", handle, key, _word(value))
    for option, text in spec.options.items():
        call("spec_option", handle, option, text)
    for name, size in spec.dimensions.items():
        call("spec_dimension", handle, name, size)
    for name, part in spec.subset.items():
        stop = -1 if part.stop is None else part.stop
        call("spec_subset", handle, name, part.start or 0, stop, part.step or 1)
    for each in spec.fields:
        _declare_field(handle, each)
    _declare_attributes(handle, None, spec.attributes)


def _declare_field(handle: ctypes.c_void_p, declared: Field) -> None:
    names = [name.encode() for name in declared.dimensions]
    array = (ctypes.c_char_p * len(names))(*names)
    kind = _type_number(np.dtype(declared.type))
    call("spec_field", handle, declared.name, kind, len(names), array, declared.per_frame)
    if declared.packed:
        call("spec_pack", handle, declared.name, *declared.packed)
    if declared.rounded:
        call("spec_round", handle, declared.name, *declared.rounded)
    _declare_attributes(handle, declared.name, declared.attributes)


def _declare_attributes(handle: ctypes.c_void_p, owner: str | None, values: Mapping[str, Value]) -> None:
    for name, value in values.items():
        if isinstance(value, str):
            call("spec_attribute_text", handle, owner, name, value)
            continue
        numbers = np.atleast_1d(_array(value))
        kind = _ATTRIBUTES.get(numbers.dtype.str[1:])
        if kind is None:
            raise Error(f"attribute {name} is {numbers.dtype}; it must be a text, int32, float32 or float64")
        pointer = numbers.ctypes.data_as(ctypes.POINTER(np.ctypeslib.as_ctypes_type(numbers.dtype)))
        call(f"spec_attribute_{kind}", handle, owner, name, numbers.size, pointer)


def _array(value: npt.ArrayLike) -> Array:
    """An array of one of _TYPES, a view of the caller's wherever that is possible."""
    if isinstance(value, str):
        return np.frombuffer(value.encode(), "S1")
    array = np.asarray(value)
    if not isinstance(value, np.ndarray | np.generic) and array.dtype.kind == "i":
        if array.size and (array.max() > _INT32.max or array.min() < _INT32.min):
            raise Error(f"{value} does not fit into int32")
        array = array.astype(np.int32)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _type_number(dtype: np.dtype[Any]) -> int:
    if dtype not in _TYPES:
        raise Error(f"the type {dtype} is none of float32, float64, int16, int32, S1")
    return _TYPES.index(dtype)


def _put(
    function: str,
    handle: ctypes.c_void_p | None,
    field: str,
    data: npt.ArrayLike,
    start: Sequence[int] | None,
) -> None:
    array = _array(data)
    if any(stride % array.itemsize for stride in array.strides):  # a member of a structure
        array = np.ascontiguousarray(array)
    call(function, handle, field, *_box(array, start if start is not None else (0,) * array.ndim))


def _box(array: Array, start: Sequence[int]) -> tuple[object, ...]:
    """The C arguments ndims, start, count, type, data, strides."""
    n = array.ndim
    if len(start) != n:
        raise Error(f"start has {len(start)} elements for an array of {n} dimensions")
    strides = (ctypes.c_ssize_t * n)(*(stride // array.itemsize for stride in array.strides))
    numbers = ctypes.c_int64 * n
    return n, numbers(*start), numbers(*array.shape), _type_number(array.dtype), array.ctypes.data, strides


def _stream_report(report: ctypes.c_void_p, n: int) -> StreamReport:
    did = io_library.StreamReport()
    call("report_stream", report, n, ctypes.byref(did))
    values: dict[str, Any] = {f.name: getattr(did, f.name) for f in fields(StreamReport)}
    texts = {name: value.decode() for name, value in values.items() if isinstance(value, bytes)}
    return StreamReport(**(values | texts))
