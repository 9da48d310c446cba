"""Receives frames of a network stream during a run, for squall.io."""

import ctypes
from collections.abc import Iterator
from os import PathLike, fspath
from typing import TYPE_CHECKING, Self

from squall.io.library import call, free, integer, new
from squall.io.reading import Reader

if TYPE_CHECKING:
    from mpi4py import MPI


class Subscriber:
    """Joins a network stream (engine `sst`) and receives its frames; see squall/io_subscribe.hpp for its
    guarantees.

        with io.Subscriber("runs/storm") as live:
            for frame in live:
                t = frame.read("T", start=(0, 0, 0), count=(1, ny, nx))
    """

    def __init__(self, where: str | PathLike[str], comm: "MPI.Comm | None" = None) -> None:
        """`where`: a run directory with one such stream, the file that has the stream's address, or that
        address. Waits for nothing: the run need not have begun. With `comm` its ranks get the same frames and
        read a box each: then this and all methods are collective. Needs MPI only then."""
        self._handle: ctypes.c_void_p | None = None
        self._frame: Reader | None = None
        if comm is None:
            self._handle = new("subscribe", fspath(where))
        else:
            self._handle = new("subscribe_on_f", fspath(where), comm.py2f())

    def next(self, seconds: float) -> Reader | None:
        """Waits for the next frame, and returns it as a file of one frame; None on a timeout [s], or if the
        stream has ended. Releases the previous frame. Raises Error if the run ended without closing the
        stream."""
        self.release()
        handle = new("subscriber_next", self._handle, seconds)
        self._frame = Reader.of(handle) if handle else None
        return self._frame

    def release(self) -> None:
        """Releases the current frame, which must not be read afterwards, so that the run can free it."""
        if self._frame is not None:
            self._frame.close()
            self._frame = None
            call("subscriber_release", self._handle)

    @property
    def ended(self) -> bool:
        """Whether the run has closed the stream and all frames have been received."""
        return bool(integer("subscriber_ended", self._handle))

    @property
    def number(self) -> int:
        """The number of the current frame in its stream, from 0; -1 before the first frame."""
        number = ctypes.c_int64()
        call("subscriber_number", self._handle, ctypes.byref(number))
        return number.value

    def __iter__(self) -> Iterator[Reader]:
        """All frames from now to the end."""
        while not self.ended:
            frame = self.next(1)
            if frame is not None:
                yield frame

    def close(self) -> None:
        """Leaves the stream."""
        if self._handle is not None:
            if self._frame is not None:
                self._frame.close()
            free("subscriber_free", self._handle)
            self._handle = self._frame = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    __del__ = close
