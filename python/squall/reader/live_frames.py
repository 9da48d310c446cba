"""The frames of a network stream (engine `sst`) as they arrive, for squall.follow."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.io.library import Error as ReaderError
from squall.reader.dataset import decode, of_frames
from squall.reader.frames import naming
from squall.reader.history_file import EngineFile
from squall.reader.published_frames import clock_of
from squall.runs import run_state
from squall.runs.manifest import iso
from squall.runs.run_state import State

if TYPE_CHECKING:
    from squall.io import Reader, Subscriber

_LOOK = 0.2  # s between two looks at whether a run goes on
_CONTACT = "#ADIOS2-SST"  # how a contact file begins
ENDING = ".sst"


@dataclass(frozen=True)
class Address:
    """Where a stream can be joined: a contact file, or what would be in it. `run`: the directory whose status
    tells how the run is."""

    where: str
    run: Path | None

    @property
    def name(self) -> str:
        return self.where if self.run else "the network stream"

    def contact(self) -> str:
        """What there is to join now; "": nothing."""
        if self.run is None:
            return self.where
        try:
            text = Path(self.where).read_text(errors="replace")
        except OSError:
            return ""
        return text if text.startswith(_CONTACT) else ""


def opened(where: str | Path, stream: str, domain: int, start: str | np.datetime64) -> "LiveFrames | None":
    """The frames of an address, a contact file, or a stream of a run that goes over the network; None for
    what is none of these."""
    address = _address(str(where), stream, domain)
    return None if address is None else LiveFrames(address, start)


def _address(where: str, stream: str, domain: int) -> Address | None:
    if where.startswith(("0x", _CONTACT)):
        return Address(where, None)
    path = Path(where).expanduser()
    if path.suffix == ENDING and not path.is_dir():
        return Address(str(path), path.parent)
    if domain != 1 or not path.is_dir():
        return None
    told = run_state.read(path) or {}
    contacts = {str(one["name"]): one.get("contact") for one in told.get("streams", [])}
    contact = path / str(contacts.get(stream) or f"{stream}{ENDING}")
    return Address(str(contact), path) if contacts.get(stream) or contact.is_file() else None


class LiveFrames:
    """A source of frames (following.Source). Of a frame there is what is read before the next one is
    asked for. Raises UserError where this build has no such streams."""

    def __init__(self, address: Address, start: str | np.datetime64) -> None:
        self._address = address
        self._lock = threading.RLock()  # of ADIOS2, which lets one thread in
        self._live: Subscriber | None = None
        self._frame: _Received | None = None
        self._seen = self._left = ""  # addresses: of a stream that was there, of one that has ended
        self._lost = ""  # why there is no connection
        self._given: set[float] = set()
        self._from, self._after = "", -1.0
        self._leave_out_first = False
        self._begin(start)
        self._join()

    def _begin(self, start: str | np.datetime64) -> None:
        """A run keeps its newest frame for who joins: there is no earlier one to begin with."""
        if start == "next":
            told = self._told()
            self._after = float(told.get("seconds", -1.0))
            self._leave_out_first = not told and bool(self._address.contact())
        elif start not in ("first", "last"):
            self._from = iso(start, 'start is "first", "last", "next" or a time')

    def next(self, seconds: float) -> xr.Dataset | None:
        deadline = time.monotonic() + seconds
        while True:
            self._let_go()
            left = max(0.0, deadline - time.monotonic())
            frame = self._receive(left)
            if frame is not None or left <= 0:
                return frame

    def state(self) -> State:
        """A run that has ended may serve its consumers still: it runs until the stream has said which of it
        was the last frame."""
        if self._live is not None and not self._lost and self._is_there():
            return State("running")
        state = self._of_run()
        if state is not None:
            return state
        if self._lost:
            return State("died", self._lost)
        return State("done" if self._live is None else "running")

    def close(self) -> None:
        self._let_go()
        self._leave()

    def _told(self) -> dict[str, Any]:
        state = self._of_run()
        return {} if state is None else state.told

    def _of_run(self) -> State | None:
        """What its status file says; None where there is none."""
        if self._address.run is None:
            return None
        try:
            return run_state.state_of(self._address.run)
        except UserError:
            return None

    def _is_there(self) -> bool:
        """Whether there is, or has been, a stream to join, whose end the subscriber will tell."""
        self._seen = self._seen or self._address.contact()
        return bool(self._seen)

    def _join(self) -> bool:
        """Whether there is a subscription; a new one for the run that continues one that has ended."""
        if self._live is not None:
            return True
        contact = self._address.contact()
        if self._left and contact in ("", self._left):
            return False
        from squall.io import Subscriber

        try:
            self._live = Subscriber(self._address.where)
        except ReaderError as error:
            raise UserError(f"{self._address.name} cannot be followed: {error}.") from error
        self._seen = contact
        return True

    def _leave(self) -> None:
        if self._live is not None:
            self._left = self._seen or self._address.contact() or "nothing"
            self._live.close()
            self._live = None

    def _receive(self, seconds: float) -> xr.Dataset | None:
        if not self._join():
            time.sleep(min(_LOOK, seconds))
            return None
        assert self._live is not None
        self._is_there()
        try:
            with self._lock:
                reader = self._live.next(min(seconds, 1.0))
        except ReaderError as error:
            self._lost = str(error)
            return None
        if reader is not None:
            self._lost = ""
            return self._dataset(reader, self._live.number)
        if self._live.ended:
            self._leave()
        return None

    def _dataset(self, reader: "Reader", number: int) -> xr.Dataset | None:
        """None for one that was given before, or that is not asked for."""
        frame = self._frame = _Received(f"{self._address.name}, frame {number},", reader, self._lock)
        with naming(frame.file):
            clock = clock_of(frame)
        second = float(clock.seconds[0])
        if second in self._given or second <= self._after:
            return None
        if self._leave_out_first:
            self._leave_out_first = False
            return None
        dataset = decode(of_frames([frame], clock, self._address.run)).isel(Time=0)
        if self._from and clock.dates()[0] < self._from:
            return None
        self._given.add(second)
        return dataset

    def _let_go(self) -> None:
        if self._frame is not None:
            self._frame.let_go()
            self._frame = None


class _Received:
    """A frame that has come and is read while it is the newest."""

    index = 0

    def __init__(self, name: str, reader: "Reader", lock: threading.RLock) -> None:
        self.file = name
        self._reader: Reader | None = reader
        self._lock = lock

    def open(self) -> EngineFile:
        return EngineFile(self._lent)

    def let_go(self) -> None:
        with self._lock:
            self._reader = None

    @contextmanager
    def _lent(self) -> Iterator["Reader"]:
        with self._lock:
            if self._reader is None:
                raise UserError(
                    "it was released when the next frame was requested. Read the values you need before "
                    "that, for example with load()."
                )
            yield self._reader
