"""Follows a run: yields its frames one by one, while it writes them or afterwards.

>>> import squall
>>> for frame in squall.follow("runs/january-storm"):
...     print(frame.Time.values, frame.PSFC.min().values)
"""

import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Protocol

import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.reader import live_frames
from squall.reader.published_frames import PublishedFrames
from squall.runs.run_state import State

_STATE = 1.0  # s between two looks at how the run is


class RunDied(UserError):
    """The followed run died: it ended early without having been asked to stop."""


class NoFrame(UserError, TimeoutError):
    """No frame arrived within the timeout."""


class Source(Protocol):
    """Where frames come from: the files of a run (PublishedFrames), or a network stream."""

    def next(self, seconds: float) -> xr.Dataset | None:
        """The next frame; None where none has come within so many seconds."""

    def state(self) -> State:
        """How the run is, as far as it is known here. No frame follows one that has ended, but those that
        `next` has not given yet."""

    def close(self) -> None: ...


# What opens a source for what follow() was given; None: not one of these. Files come last.
Opener = Callable[[str | Path, str, int, str | np.datetime64], Source | None]
OPENERS: list[Opener] = [live_frames.opened]


def follow(
    where: str | Path,
    stream: str = "history",
    domain: int = 1,
    timeout: float | None = None,
    start: str | np.datetime64 = "first",
) -> Generator[xr.Dataset, None, None]:
    """Yields the frames of a stream of a run in the order of publication, each once: an xarray.Dataset like
    that of `open_run`, of one frame, without the dimension Time. Values are read on access.

    where: a run directory, or a network stream (engine `sst`) given by its contact file, such as
    "runs/storm/live.sst", or by the address in that file. If a stream of a run directory is sent over the
    network, it is followed there. start: "first"; "last", the newest frame now and those after it; "next",
    only frames to come; or a model time such as "2005-01-01T12:00", frames from then on. Over the network
    "first" is the same as "last", because a run keeps no earlier frames, and a frame can be read only until
    the next one is requested.

    The iteration ends when the run is done. If the run is stopped meanwhile, it waits, and continues with the
    frames of the run that continues it. For a run that was stopped before, it yields the existing frames and
    ends. timeout: seconds to wait for a frame, after which NoFrame is raised or, for a stopped run, the
    iteration ends; None: as long as the run lives. Raises RunDied after the last frame of a run that died,
    and UserError if there is nothing to follow.
    """
    source = _open(where, stream, domain, start)
    name = str(where).splitlines()[0] if str(where) else ""
    return _frames(source, not source.state().ended, name, stream, timeout)


def _open(where: str | Path, stream: str, domain: int, start: str | np.datetime64) -> Source:
    for opener in OPENERS:
        source = opener(where, stream, domain, start)
        if source is not None:
            return source
    return PublishedFrames(Path(where), stream, domain, start)


def _frames(
    source: Source, live: bool, name: str, stream: str, timeout: float | None
) -> Generator[xr.Dataset, None, None]:
    last, since = None, time.monotonic()
    try:
        while True:
            frame = source.next(0)
            if frame is None:
                state = source.state()
                live |= not state.ended
                # All frames of a run that has ended are there; of one that runs the next is waited for.
                frame = source.next(0 if state.ended else _within(timeout, since))
            if frame is not None:
                last = frame
                yield frame
                since = time.monotonic()  # what its reader took is no wait
                continue
            if state.word == "died":
                raise RunDied(_obituary(name, stream, state, last))
            if state.word == "done" or (state.ended and not live):
                return
            if timeout is not None and time.monotonic() - since >= timeout:
                if state.ended:
                    return
                raise NoFrame(
                    f"No frame of stream {stream} arrived from {name} within {timeout:g} s; the run is "
                    f"still running."
                )
            if state.ended:
                time.sleep(_within(timeout, since))
    finally:
        source.close()


def _within(timeout: float | None, since: float) -> float:
    """How long to wait before the next look at how the run is."""
    return _STATE if timeout is None else max(0.0, min(_STATE, since + timeout - time.monotonic()))


def _obituary(name: str, stream: str, state: State, last: xr.Dataset | None) -> str:
    at = f" at model time {state.told['time']}" if "time" in state.told else ""
    when = "no frame was received" if last is None else f"the last frame received is that of {_time(last)}"
    whole = (
        f"`squall recover {name}` publishes complete frames that it left unpublished; "
        if Path(name).is_dir()
        else ""
    )
    again = (
        "" if "program" in state.told else "`squall run --continue` continues from its last restart frame; "
    )
    return (
        f"{name} died{at}: {state.why}. Of stream {stream} {when}. {whole}{again}call squall.follow again "
        f"once it goes on."
    )


def _time(frame: xr.Dataset) -> str:
    return str(frame["XTIME"].values)[:19]
