"""Finds the frames of a run and their files."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from squall.errors import UserError
from squall.io.library import Error as ReaderError
from squall.reader.clock import Clock, Moment
from squall.reader.history_file import HistoryFile, holds_frames, open_file
from squall.runs import manifest

_WRF = {"history": "wrfout", "restart": "wrfrst"}  # what WRF calls its files
_SETTLED = 2.0  # s since the last change of a file, in which another one may have the same time

Array = np.ndarray[Any, np.dtype[Any]]


class Held(Protocol):
    """One frame, wherever it is: what holds it, by its name, and its index in that's Time dimension."""

    @property
    def file(self) -> Path | str: ...

    @property
    def index(self) -> int: ...

    def open(self) -> HistoryFile:
        """What holds it. Raises OSError, UserError and squall.io.Error."""


@dataclass(frozen=True)
class Frame:
    """A frame that lies in a file."""

    file: Path
    index: int

    def open(self) -> HistoryFile:
        return open_file(self.file)


def stream_of(stream: str, domain: int) -> str:
    """What a run calls the stream of a domain: that of a nest has its number after its name."""
    return stream if domain == 1 else f"{stream}_d{domain:02d}"


def history_files(run: Path, domain: int = 1, stream: str = "history") -> list[Path]:
    """The files of a stream of one domain of a run directory, in order of time; files may be directories
    that an engine made. A file stands for itself."""
    if holds_frames(run):
        return [run]
    if not run.is_dir():
        raise UserError(f"There is no run directory or history file {run}.")
    stream, domain = manifest.asked(stream, domain)
    found = [
        path for told in manifest.of_part(run, stream, domain) for path in manifest.published_files(told)
    ]
    published = [path for path in found if holds_frames(path)]
    if published:
        return published
    patterns = [f"{stream}_d{domain:02d}_*"]
    if stream in _WRF:
        patterns.append(f"{_WRF[stream]}_d{domain:02d}_*")
    if domain == 1:
        patterns.insert(0, f"{stream}_[0-9]*")
    for pattern in patterns:
        files = sorted(path for path in run.glob(pattern) if holds_frames(path) and not _in_the_making(path))
        if files:
            return files
    others = [name for name in streams(run) if name != stream_of(stream, domain)]
    hint = " Name the run directory that has them, or a file."
    if others:
        hint = f" Its streams are {', '.join(others)}."
    raise UserError(f"{run} has no {stream} files of domain {domain} ({', '.join(patterns)}).{hint}")


def _in_the_making(path: Path) -> bool:
    return path.suffix in (".part", ".untrusted")


def streams(run: Path) -> list[str]:
    """The streams that a run directory has, but for restarts, with nests' as `stream_of` names them: what
    manifests are there."""
    return [stream_of(*part) for part in manifest.parts(run) if part[0] != "restart"]


def index(files: list[Path]) -> tuple[list[Frame], Clock]:
    """All frames in order of time, and when they are. Of frames of one time, the last file's counts: a
    restart writes again what it computes again. A frame that was begun and not written is none."""
    clocks = []
    for file in files:
        with naming(file):
            clocks.append(_clock(file))
    start = next((clock.start for clock in clocks if clock.start is not None), None)
    found: dict[float, tuple[Frame, int, int]] = {}
    for n, file in enumerate(files):
        with naming(file):
            clocks[n] = clocks[n].since(start)
        for number, second in enumerate(clocks[n].seconds):
            if np.isfinite(second):
                found[float(second)] = Frame(file, number), n, number
    if not found:
        raise UserError(f"{files[0]} contains no frame.")
    ordered = [found[second] for second in sorted(found)]
    return [frame for frame, _, _ in ordered], _joined(clocks, [(n, at) for _, n, at in ordered], start)


def _joined(clocks: list[Clock], chosen: list[tuple[int, int]], start: Moment | None) -> Clock:
    """One clock of frames of several: which, and the number there."""
    seconds = np.array([clocks[n].seconds[at] for n, at in chosen])
    owns = [clocks[n].own for n, _ in chosen]
    units = {str(own[1].get("units", "")) if own is not None else None for own in owns}
    if None in units or len(units) > 1:
        return Clock(seconds, start)
    values = np.array([own[0][at] for own, (_, at) in zip(owns, chosen, strict=True) if own is not None])
    first = owns[0]
    return Clock(seconds, start, None if first is None else (values, first[1]))


def _clock(file: Path) -> Clock:
    """Of a single file that has been as it is for a while it is remembered by what changes with any change of
    it: who looks at a growing run again and again opens what is new."""
    told = file.stat()
    if not file.is_file() or time.time() - told.st_mtime < _SETTLED:
        return open_file(file).clock()
    return _remembered(file, (told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns))


@lru_cache(maxsize=1 << 16)
def _remembered(file: Path, _mark: tuple[int, ...]) -> Clock:
    return open_file(file).clock()


@contextmanager
def naming(file: Path | str) -> Iterator[None]:
    """What is wrong with a file becomes a message that names it."""
    try:
        yield
    except (OSError, UserError, ReaderError) as error:
        raise UserError(f"{file} cannot be read as a history: {_in_words(error)}") from error


# What the netCDF library says, by its number.
_NETCDF = {
    -51: "it is neither netCDF nor what an engine wrote in its place. Name a history file or a run directory",
    -101: "it is damaged, or not written to its end. Copy it again; `squall check` checks a run's files",
}


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in _NETCDF:
        return f"{_NETCDF[error.errno]}."
    return str(error)
