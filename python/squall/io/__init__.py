"""Squall's output runtime in Python: streams of frames, written while the program computes.

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

squall/io.hpp documents what sessions, streams, frames, engines and placements guarantee.

Dimensions are listed slowest first, as NumPy's; indices and frames count from 0. Values are NumPy arrays of
float32, float64, int8, uint8, int16, int32, int64 or "S1" (characters), views of any strides included, or
values that convert to one: a Python float becomes float64, an int int32 or int64, a str its characters, with
one more dimension. An array of str are texts, for a field of type str. Every failure is an Error, a
RuntimeError.

Who calls what. Collective over the ranks of the communicator: Session(...). Collective over the computing
ranks: Stream.close, in the same order on every rank, and Session.close. Everything else is local, except that
with placement "inline" Frame.commit waits until all computing ranks have committed the frame. Every computing
rank opens the same streams in the same order with equal specs and commits the same frames of a stream in the
same order. A server (Session.computes is false) calls serve and close, nothing else.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from squall.io import library as io_library
from squall.io.arrays import put, put_points
from squall.io.declaration import (
    Decomposition,
    Field,
    Places,
    Reduction,
    StreamSpec,
    TimeAxis,
    Value,
    declare,
    declare_attributes,
    word,
)
from squall.io.library import Error, call, free, integer, new
from squall.io.reading import EPOCH, Reader, Time, format_time, mpi
from squall.io.subscribing import Subscriber

if TYPE_CHECKING:
    from mpi4py import MPI

__all__ = [
    "Decomposition",
    "Error",
    "Field",
    "Frame",
    "Option",
    "Places",
    "Reader",
    "Reduction",
    "Session",
    "Stream",
    "StreamReport",
    "StreamSpec",
    "Subscriber",
    "Time",
    "TimeAxis",
    "engines",
    "format_time",
    "options",
]


@dataclass(frozen=True)
class Option:
    """An option of an engine and its allowed values; OptionInfo in squall/io.hpp."""

    name: str
    kind: Literal["number", "size", "boolean", "word", "text"]
    preset: str
    unit: str
    about: str
    words: tuple[str, ...]
    least: float


@dataclass(frozen=True)
class StreamReport:
    """Statistics of a stream over the session; StreamReport in squall/io.hpp. Times in seconds."""

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
    """The engines in this build."""
    lib = io_library.library()
    names: list[str] = []
    while name := lib.squall_io_engine(len(names)):
        names.append(name.decode())
    return names


def options(engine: str) -> list[Option]:
    """The options of an engine, for StreamSpec.options."""
    found = []
    for n in range(integer("engine_options", engine)):
        info = io_library.OptionInfo()
        call("engine_option", engine, n, ctypes.byref(info))
        text = {name: getattr(info, name).decode() for name in ("name", "preset", "unit", "about", "words")}
        words = tuple(text.pop("words").split())
        found.append(Option(kind=info.kind.decode(), words=words, least=info.least, **text))
    return found


class Frame:
    """A frame being written, from Stream.begin: all fields of a stream at one model time.

    In a with statement it is committed at the end, or abandoned if an exception leaves the block, which
    then must leave it on every rank.
    """

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle: ctypes.c_void_p | None = handle

    def put(self, field: str, data: npt.ArrayLike, start: Sequence[int] | None = None) -> None:
        """Copies this rank's box of a field, of the shape of data, starting at `start` (None: 0 in each
        dimension). The array may be changed afterwards. Local; errors are reported by commit."""
        put("frame_put", self._handle, field, data, start)

    def put_points(self, field: str, data: npt.ArrayLike) -> None:
        """Copies all of this rank's points of a field in a Decomposition, in its order: the field's other
        dimensions first. As put."""
        put_points("frame_put_points", self._handle, field, data)

    def set(self, field: str, value: str | int | float) -> None:
        """Sets a scalar field, an attribute of the frame. Any rank may do it; the first value is used."""
        kind = (
            "text" if isinstance(value, str) else "int" if isinstance(value, int | np.integer) else "double"
        )
        call(f"frame_set_{kind}", self._handle, field, value)

    def places(self, name: str, positions: npt.ArrayLike) -> None:
        """Sets the positions of moving places in this frame, before the fields are put: for each place an
        index along each of its dimensions; NaN: outside. Every rank passes the same."""
        where = np.ascontiguousarray(positions, np.float64)
        pointer = where.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        call("frame_places", self._handle, name, where.size, pointer)

    def length(self, dimension: str, points: int) -> None:
        """Sets the total length of a varying dimension in this frame, over all ranks. Every rank passes the
        same."""
        call("frame_length", self._handle, dimension, points)

    def leave_out(self, field: str) -> None:
        """Omits a field that is declared optional from this frame. Every rank that could put it must call
        this."""
        call("frame_leave_out", self._handle, field)

    def commit(self) -> None:
        """Hands over the frame. Placement "inline": on return it is stored, and a failure is raised on every
        rank. "thread" and "servers": it is stored in the background, and a failure is raised by the next
        begin, commit or close of the stream."""
        handle, self._handle = self._handle, None
        call("frame_commit", handle)

    def abandon(self) -> None:
        """Discards the frame. Every computing rank must do so. Local."""
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
        put("stream_put", self._handle, field, data, start)

    def put_points(self, field: str, data: npt.ArrayLike) -> None:
        """Like Frame.put_points, for a field that is fixed in time."""
        put_points("stream_put_points", self._handle, field, data)

    def begin(self, seconds: float, epoch: str = EPOCH, bounds: tuple[float, float] | None = None) -> Frame:
        """Starts the frame at `seconds` after `epoch` (ISO 8601). Local. Fails while another frame of the
        stream is open, and if an earlier frame has failed in the background. bounds: the interval that the
        frame represents, in seconds after the epoch, if the time axis has bounds."""
        if bounds is None:
            return Frame(new("stream_begin", self._handle, seconds, epoch))
        return Frame(new("stream_begin_bounds", self._handle, seconds, epoch, *bounds))

    def sample(self, seconds: float, epoch: str = EPOCH) -> Frame:
        """Begins a sample between frames, for fields that accumulate over time: put their sources, then
        commit. Local."""
        return Frame(new("stream_sample", self._handle, seconds, epoch))

    def save(self, frame: Frame) -> None:
        """Saves the state of fields that accumulate over time into a frame of a stream that keeps it
        (StreamSpec.keeps), so that a program can continue exactly after a restart."""
        call("stream_save", self._handle, frame._handle)

    def restore(self, file: str, frame: int) -> None:
        """Restores the state that `save` stored in a frame of a file. Call it before anything is put."""
        call("stream_restore", self._handle, file, frame)

    def open_file(
        self, name: str, attributes: Mapping[str, Value] | None = None, replace: bool = False
    ) -> None:
        """Opens a file for the frames that follow, where the stream's path ends with "/": the directory of
        the files, which the program opens and closes. attributes: the file's, beside those of the stream.
        Local; every rank opens the same files. Fails if one is open. Frames go behind those of a file that
        the session has closed under this name; with `replace` it takes the place of what has its name, as a
        whole, when it is published."""
        spec = new("spec_new", "attributes", "/")
        try:
            declare_attributes(spec, None, attributes or {})
            call("stream_replace_file" if replace else "stream_open_file", self._handle, name, spec)
        finally:
            free("spec_free", spec)

    def close_file(self) -> None:
        """Closes it without waiting: it is published when its frames are stored. What goes wrong is raised by
        the next begin, commit, flush or close. Local; every rank calls it."""
        call("stream_close_file", self._handle)

    def flush(self) -> None:
        """Waits until the frames committed so far are stored and the files closed so far are published.
        Collective over the computing ranks."""
        call("stream_flush", self._handle)

    def close(self) -> None:
        """Waits until every frame is stored, and publishes a file that is not full yet. The stream is closed
        even if this fails. Collective over the computing ranks."""
        handle, self._handle = self._handle, None
        call("stream_close", handle)


class Session:
    """The ranks that write together, on a duplicate of an mpi4py communicator. Collective.

    Settings are those of SessionSpec in squall/io.hpp: servers, servers_per_node, groups, assignment,
    shared_memory, staging_limit, watchdog, timeout, report.
    """

    def __init__(self, comm: "MPI.Comm", **settings: str | float | bool) -> None:
        mpi()
        spec = new("session_spec_new")
        try:
            for key, value in settings.items():
                call("session_spec_set", spec, key, word(value))
            self._handle: ctypes.c_void_p | None = new("session_open_f", comm.py2f(), spec)
        finally:
            free("session_spec_free", spec)

    @property
    def computes(self) -> bool:
        """Whether this rank computes. If not, it is a server and must call serve."""
        return bool(integer("session_computes", self._handle))

    @property
    def comm(self) -> "MPI.Comm":
        """The communicator of the computing ranks, valid during the session and only on them."""
        comm: MPI.Comm = mpi().Comm.f2py(integer("session_comm_f", self._handle))
        return comm

    def serve(self) -> None:
        """Runs a server: writes frames until all computing ranks have closed the session."""
        call("session_serve", self._handle)

    def open(self, spec: StreamSpec, members: "MPI.Comm | None" = None) -> Stream:
        """Declares a stream. Local; accesses no file. Fails if the declaration cannot work. members: a
        communicator of some of the computing ranks, for a stream that only they use; then collective over
        these."""
        declared = new("spec_new", spec.name, spec.path)
        try:
            declare(declared, spec)
            if members is None:
                return Stream(new("stream_open", self._handle, declared))
            return Stream(new("stream_open_on_f", self._handle, declared, members.py2f()))
        finally:
            free("spec_free", declared)

    def put(self, field: str, data: npt.ArrayLike, start: Sequence[int] | None = None) -> int:
        """Puts a box of a per-frame field into every open frame of the streams that declare it, with one copy
        for all streams that keep the same part. Returns the number of frames."""
        takers = ctypes.c_int()
        put("session_put", self._handle, field, data, start, ctypes.byref(takers))
        return takers.value

    def put_points(self, field: str, data: npt.ArrayLike) -> int:
        """Like put, with all of this rank's points in a Decomposition."""
        takers = ctypes.c_int()
        put_points("session_put_points", self._handle, field, data, ctypes.byref(takers))
        return takers.value

    def progress(self) -> None:
        """Advances frames in the background without waiting. Call it once per step if steps are long and
        other ranks contribute to fields of the frame."""
        call("session_progress", self._handle)

    def close(self) -> list[StreamReport]:
        """Ends the session, whose streams must be closed. Collective over the computing ranks; on a server,
        after serve. Returns the statistics of the streams on the first computing rank, and an empty list
        elsewhere."""
        handle, self._handle = self._handle, None
        report = new("session_close", handle)
        try:
            return [_stream_report(report, n) for n in range(integer("report_streams", report))]
        finally:
            free("report_free", report)


def _stream_report(report: ctypes.c_void_p, n: int) -> StreamReport:
    did = io_library.StreamReport()
    call("report_stream", report, n, ctypes.byref(did))
    values: dict[str, Any] = {f.name: getattr(did, f.name) for f in fields(StreamReport)}
    texts = {name: value.decode() for name, value in values.items() if isinstance(value, bytes)}
    return StreamReport(**(values | texts))
