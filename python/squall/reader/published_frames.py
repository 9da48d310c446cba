"""The frames of a run as its writers publish them, for squall.follow, from manifests or files."""

import re
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.reader.clock import Clock, Moment
from squall.reader.dataset import decode, of_frames
from squall.reader.frames import Frame, Held, history_files, index, naming
from squall.reader.history_file import holds_frames
from squall.runs import manifest, run_state
from squall.runs.manifest import iso

# s between two looks at a manifest. Asking its length is cheap anywhere; the system's notices of changes do
# not cross a network file system.
_LOOK = 0.1


@dataclass(frozen=True)
class _Known:
    frame: Frame
    time: str  # of the model, in ISO 8601


class PublishedFrames:
    """A source of frames (following.Source). Raises UserError where there is nothing to follow."""

    def __init__(self, where: Path, stream: str, domain: int, start: str | np.datetime64) -> None:
        self._where, self._stream, self._domain = where, stream, domain
        self._run = None if holds_frames(where) else where
        self._tail: manifest.Tail | None = None
        self._introduction: object = None  # the manifest's first line
        self._tells_frames = False
        self._waiting: deque[_Known] = deque()
        self._found: set[Frame] = set()
        self._given: set[float] = set()
        self._start: Moment | None = None  # of the run, by its first frame
        self._from = ""
        self._over = False  # as last seen
        self._check_stream()
        self._look()
        if start == "last":
            self._waiting = deque(list(self._waiting)[-1:])
        elif start == "next":
            self._waiting.clear()
        elif start != "first":
            self._from = iso(start, 'start is "first", "last", "next" or a time')

    def next(self, seconds: float) -> xr.Dataset | None:
        deadline = time.monotonic() + seconds
        while True:
            frame = self._take()
            if frame is not None:
                return frame
            self._look()
            if not self._waiting:
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                time.sleep(min(_LOOK, left))

    def state(self) -> run_state.State:
        state = run_state.State("done") if self._run is None else run_state.state_of(self._run)
        self._over = state.ended
        return state

    def close(self) -> None:
        self._waiting.clear()

    def _check_stream(self) -> None:
        """A run that has not written a frame yet tells what streams it will have."""
        told = self.state().told.get("streams")
        names = [stream["name"] for stream in told or []]
        outermost = re.sub(r"_d\d\d$", "", self._stream)  # whose streams its nests have, too
        if told is not None and outermost not in names:
            raise UserError(f"{self._run} has no stream {self._stream}; it has {', '.join(names) or 'none'}.")

    def _take(self) -> xr.Dataset | None:
        """The first that was not given before: a run that goes on from a restart publishes frames again."""
        while self._waiting:
            known = self._waiting.popleft()
            if known.time < self._from:
                continue
            with naming(known.frame.file):
                clock = clock_of(known.frame, self._start)
            second = float(clock.seconds[0])
            if second not in self._given:
                self._start = self._start or clock.start
                self._given.add(second)
                dataset = of_frames([known.frame], clock, self._run or self._where.parent)
                return decode(dataset).isel(Time=0)
        return None

    def _look(self) -> None:
        """Finds frames that were published since the last look."""
        path = self._tail.path if self._tail else self._manifest()
        if path is None:
            if self.state().ended:
                self._look_at_files()
            return
        self._tail = self._tail or manifest.Tail(path)
        renewed, events = self._tail.events()
        self._recognise(renewed, events)
        kinds = {event.get("event") for event in events}
        self._tells_frames |= "frame" in kinds
        if self._tells_frames:
            self._add([known for event in events if (known := _known(path, event))])
        elif "published" in kinds:
            self._look_at_files()  # a manifest of a version that told of files only
        if "removed" in kinds:
            gone = {manifest.place(path, e.get("file")) for e in events if e.get("event") == "removed"}
            self._waiting = deque(known for known in self._waiting if known.frame.file not in gone)
        if self._over and self._tells_frames:
            self._look_at_last_file()

    def _manifest(self) -> Path | None:
        if self._run is None:
            return None
        return next(iter(manifest.of_part(self._run, self._stream, self._domain)), None)

    def _recognise(self, renewed: bool, events: list[dict[str, Any]]) -> None:
        """A manifest that failed to get to disk goes on in a copy; one of another beginning is another."""
        first = next(iter(events), None)
        if renewed and first != self._introduction:
            self._found.clear()
            self._given.clear()
            self._start = None
        if renewed or self._introduction is None:
            self._introduction = first

    def _add(self, frames: list[_Known]) -> None:
        for known in sorted(frames, key=lambda known: known.time):
            if known.frame not in self._found:
                self._found.add(known.frame)
                self._waiting.append(known)

    def _look_at_last_file(self) -> None:
        """A run that is killed may have shown a frame of which it could not tell any more."""
        files = [frame.file for frame in self._found if holds_frames(frame.file)]
        if files:
            self._look_at_files([max(files)])

    def _look_at_files(self, files: list[Path] | None = None) -> None:
        frames, clock = index(files or history_files(self._where, self._domain, self._stream))
        with naming(frames[0].file):
            dates = clock.dates()
        self._add([_Known(frame, date) for frame, date in zip(frames, dates, strict=True)])


def _known(path: Path, event: dict[str, Any]) -> _Known | None:
    file, number, moment = manifest.place(path, event.get("file")), event.get("frame"), event.get("time")
    if event.get("event") != "frame" or file is None or not isinstance(number, int):
        return None
    return _Known(Frame(file, number), str(moment))


def clock_of(frame: Held, start: Moment | None = None) -> Clock:
    """When a frame is, counted from the start of its run, if that is known already."""
    return frame.open().clock(frame.index).since(start)
