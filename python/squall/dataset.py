"""Opens a run's history as one xarray dataset, lazily: frames are read when values are asked for.

    >>> from squall.dataset import open_run
    >>> history = open_run("runs/baroclinic-wave")
    >>> history.T.isel(Time=-1, bottom_top=0)

Works on what any engine wrote, and as well on WRF's own history files.
"""

import json
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from squall.errors import UserError
from squall.history_file import holds_frames, open_file
from squall.io_library import Error as ReaderError

_MANIFEST = ".manifest.jsonl"


@dataclass(frozen=True)
class Frame:
    """Where one frame lies: a file, and its index in that file's Time dimension."""

    file: Path
    index: int


def history_files(run: Path, domain: int = 1, stream: str = "history") -> list[Path]:
    """The files of a stream of one domain of a run directory, in order of time; files may be directories
    that an engine made. A file stands for itself."""
    if holds_frames(run):
        return [run]
    if not run.is_dir():
        raise UserError(f"There is no run directory or history file {run}.")
    patterns = [f"{stream}_d{domain:02d}_*"]
    if stream == "history":
        patterns.append(f"wrfout_d{domain:02d}_*")
    if domain == 1:
        published = _published(run, stream)
        if published:
            return published
        patterns.insert(0, f"{stream}_[0-9]*")
    for pattern in patterns:
        files = sorted(path for path in run.glob(pattern) if holds_frames(path))
        if files:
            return files
    others = [name for name in streams(run) if name != stream]
    hint = f" It has the streams {', '.join(others)}." if others else ""
    raise UserError(f"{run} has no {stream} files of domain {domain} ({', '.join(patterns)}).{hint}")


def streams(run: Path) -> list[str]:
    """The streams that a run directory has, but for restarts: what manifests are there."""
    names = (path.name.removesuffix(_MANIFEST) for path in sorted(run.glob(f"*{_MANIFEST}")))
    return [name for name in names if name != "restart"]


def _published(run: Path, stream: str) -> list[Path]:
    """What the manifest of a stream names, as far as it is still there."""
    try:
        lines = (run / f"{stream}{_MANIFEST}").read_text().splitlines()
        events = [json.loads(line) for line in lines]
    except (OSError, ValueError):
        return []  # of a run that is not Squall's, or was cut off in a line: names tell
    names = [event["file"] for event in events if event.get("event") == "published"]
    return [path for name in dict.fromkeys(names) if holds_frames(path := run / name)]


def open_run(
    path: str | Path, domain: int = 1, chunks: Mapping[str, int] | None = None, stream: str = "history"
) -> xr.Dataset:
    """The history of a run directory, or another stream of it, or one file of any.

    Names, dimensions and units are those of the files (WRF's). Added: the coordinate `elapsed`,
    seconds since the start of the run on Time, and of what the run directory tells the attributes `CASE`,
    the built-in case, and `PHYSICS`, its schemes in words.

    Nothing but coordinates is read before values are asked for, and then the frames and boxes asked for,
    so a run may be larger than memory. With `chunks`, as {"Time": 1}, variables are Dask arrays in chunks
    of so many indices along each dimension (a whole one along those not named), and so is what is computed
    of them. Raises UserError where there is nothing to open or it cannot be read.
    """
    path = Path(path)
    frames, elapsed = _index(history_files(path, domain, stream))
    # XTIME tells the times: an index of Time beside it would be read from every file now.
    with _naming(frames[0].file):
        first = open_file(frames[0].file)
        found = {name: variable for name, variable in first.variables().items() if name != "Time"}
    variables = {name: _combined(name, variable, frames) for name, variable in found.items()}
    dataset = xr.Dataset(variables, attrs=first.attributes)
    dataset = dataset.assign_coords(
        elapsed=("Time", elapsed, {"units": "s", "long_name": "time since the start"})
    )
    for variable in dataset.variables.values():
        if variable.attrs.get("units", "").startswith("seconds since") and variable.dims != ("Time",):
            del variable.attrs["units"]
    dataset.attrs |= _told(path if path.is_dir() else path.parent)
    with warnings.catch_warnings():
        # Idealised runs may start in the year 1, which xarray decodes as cftime's dates: and says so.
        warnings.simplefilter("ignore", xr.SerializationWarning)
        decoded = xr.decode_cf(dataset)
        decoded["XTIME"].load()
    if chunks is None:
        return decoded
    try:
        return decoded.chunk({dim: chunks.get(str(dim), -1) for dim in decoded.dims})
    except ImportError as error:
        raise UserError("Chunks need Dask: pip install dask.") from error


def as_history(dataset: xr.Dataset) -> xr.Dataset:
    """Any dataset in WRF's layout, whatever opened it, as `open_run` gives a run: with the dimension Time
    and the coordinate `elapsed`. One frame may come without Time. Raises UserError where it has no times.
    """
    history = dataset if "Time" in dataset.dims else dataset.expand_dims("Time")
    if "elapsed" in history.coords:
        return history
    start = history.attrs.get("START_DATE")
    if "XTIME" in history.variables and np.issubdtype(history["XTIME"].dtype, np.datetime64):
        moments = history["XTIME"].values.astype("datetime64[ms]")
    elif "Times" in history.variables:
        texts = [_text(row) for row in np.atleast_1d(history["Times"].values)]
        moments = np.array([text.replace("_", "T") for text in texts], "datetime64[ms]")
    else:
        raise UserError("The dataset has no times: neither XTIME as dates nor Times, as WRF's files have.")
    begun = moments[0] if start is None else np.datetime64(str(start).replace("_", "T"), "ms")
    seconds = (moments - begun) / np.timedelta64(1000, "ms")
    told = {} if start is not None else {"START_DATE": str(begun)[:19].replace("T", "_")}
    return history.assign_coords(elapsed=("Time", seconds.astype(float), {"units": "s"})).assign_attrs(told)


def _text(row: Any) -> str:
    """A time of WRF's Times, which readers give as bytes, text or single characters."""
    if np.ndim(row) == 0:
        return row.decode() if isinstance(row, bytes) else str(row)
    return b"".join(np.asarray(row, "S1")).decode()


def _index(files: list[Path]) -> tuple[list[Frame], np.ndarray[Any, np.dtype[np.float64]]]:
    """All frames in order of time, and their seconds since the start. Of frames of one time, the last
    file's counts: a restart writes again what it computes again."""
    found: dict[float, Frame] = {}
    for file in files:
        with _naming(file):
            seconds = open_file(file).elapsed()
        found |= {float(second): Frame(file, index) for index, second in enumerate(seconds)}
    if not found:
        raise UserError(f"{files[0]} holds no frame.")
    order = sorted(found)
    return [found[second] for second in order], np.array(order)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """What is wrong with a file becomes a message that names it."""
    try:
        yield
    except (OSError, UserError, ReaderError) as error:
        raise UserError(f"{file} cannot be read as history: {error}") from error


def _combined(name: str, first: xr.Variable, frames: list[Frame]) -> xr.Variable:
    if not first.dims or first.dims[0] != "Time":
        return first
    data = indexing.LazilyIndexedArray(_Frames(name, first, frames))
    return xr.Variable(first.dims, data, first.attrs, first.encoding)


class _Frames(BackendArray):
    """One variable over all frames; reads those that are indexed."""

    def __init__(self, name: str, first: xr.Variable, frames: list[Frame]) -> None:
        self.name = name
        self.frames = frames
        self.shape = (len(frames), *first.shape[1:])
        self.dtype = first.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        time, rest = key[0], key[1:]
        if np.ndim(time) == 0 and not isinstance(time, slice):
            return self._frame(self.frames[time], rest)
        chosen = np.arange(len(self.frames))[time]
        parts = [self._frame(self.frames[index], rest) for index in chosen]
        return np.stack(parts) if parts else np.empty((0, *self.shape[1:]), self.dtype)

    def _frame(self, frame: Frame, rest: tuple[Any, ...]) -> Any:
        try:
            with _naming(frame.file):
                return open_file(frame.file).read(self.name, frame.index, rest)
        except KeyError as error:
            raise UserError(f"{frame.file} has no {self.name}, which earlier frames have.") from error


def _told(directory: Path) -> dict[str, str]:
    """What a run directory's run.toml says that its files do not: the built-in case, and the physics."""
    try:
        settings = tomllib.loads((directory / "run.toml").read_text())
    except (OSError, tomllib.TOMLDecodeError):
        return {}
    case = settings.get("initial", {}).get("case")
    schemes = settings.get("physics", {})
    named = [f"{what.replace('_', ' ')} {name}" for what, name in schemes.items() if isinstance(name, str)]
    physics = ", ".join(name for name in named if not name.endswith(" none"))
    return ({"CASE": str(case)} if case else {}) | {"PHYSICS": physics}
