"""A history file of any program or engine: netCDF of any kind, or an engine's directory."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import netCDF4
import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.locate import io_library
from squall.reader import clock, open_readers
from squall.reader.clock import Clock
from squall.reader.open_readers import mark_of
from squall.reader.stored_pieces import grown, shards

if TYPE_CHECKING:
    from squall.io import Reader

Array = np.ndarray[Any, np.dtype[Any]]


def holds_frames(path: Path) -> bool:
    """Whether this may be a file of a history, or a directory that an engine made in place of one."""
    return path.is_file() or mark_of(path) is not None


@dataclass(frozen=True)
class Stored:
    """A variable as it lies in a file, undecoded. One on Time has it as its first dimension."""

    dims: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    attributes: dict[str, Any]
    encoding: dict[str, Any]
    piece: tuple[int, ...]  # how much of each dimension, Time included, is best read at once

    @property
    def on_time(self) -> bool:
        return self.dims[:1] == ("Time",)


class HistoryFile(Protocol):
    """What an open file says of itself. Errors of what lies below (OSError, squall.io.Error) pass."""

    @property
    def attributes(self) -> Mapping[str, Any]: ...

    def clock(self, frame: int | None = None) -> Clock:
        """When its frames are, or one of them. Raises UserError where it does not tell."""

    def variables(self) -> dict[str, Stored]: ...

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        """Values of a variable at a frame (None: it is not on Time), undecoded; `index` is orthogonal, over
        its other dimensions. Raises KeyError where there is no such variable."""


def open_file(path: Path) -> HistoryFile:
    if path.is_file():
        return _Netcdf(path)
    if (path / "zarr.json").is_file() and not _suits_runtime(path):
        return _Zarr(path)
    return EngineFile(partial(open_readers.lent, path), path)


@cache
def _has_runtime() -> bool:
    """Whether the output runtime can be used: an installation for analysis has it not, and it needs mpi4py
    where that was not installed."""
    from squall.io.library import Error, library
    from squall.io.reading import mpi

    try:
        io_library()
        library()
        mpi()
    except (UserError, Error, AttributeError):  # not there, not loadable, or of another version
        return False
    return True


def _suits_runtime(store: Path) -> bool:
    """Whether a Zarr store is best read by the output runtime, which does not read all that others write, as
    texts; it says what is wrong with one that is damaged."""
    try:
        own = _OWN in json.loads((store / "zarr.json").read_bytes())["attributes"]
    except (OSError, ValueError, KeyError, TypeError):
        own = True
    return (own or find_spec("zarr") is None) and _has_runtime()


_OWN = "_squall"  # the attribute of stores that the output runtime wrote

_MOST = 16  # netCDF files that are kept open at the same time

_kept: ContextVar[dict[Path, netCDF4.Dataset] | None] = ContextVar("_kept", default=None)


@contextmanager
def kept_open() -> Iterator[None]:
    """While it lasts, netCDF files that this thread reads stay open from one variable to the next: opening
    one takes longer than reading a small field. Not for longer than a piece of work: who holds a file open
    locks it against writers, and does not see that it has grown. Within another one it is that one."""
    if _kept.get() is not None:
        yield
        return
    files: dict[Path, netCDF4.Dataset] = {}
    before = _kept.set(files)
    try:
        yield
    finally:
        _kept.reset(before)
        with open_readers.ONE_AT_A_TIME:
            for file in files.values():
                file.close()


def _open(path: Path) -> netCDF4.Dataset:
    """What it reads is undecoded."""
    data = netCDF4.Dataset(path)
    data.set_auto_maskandscale(False)
    data.set_auto_chartostring(False)
    return data


@contextmanager
def _opened(path: Path) -> Iterator[netCDF4.Dataset]:
    with open_readers.ONE_AT_A_TIME:
        files = _kept.get()
        if files is None:
            with _open(path) as data:
                yield data
            return
        if path not in files:
            if len(files) >= _MOST:
                files.pop(next(iter(files))).close()
            files[path] = _open(path)
        yield files[path]


@dataclass(frozen=True)
class _Along:
    """The dimension that the frames of a file lie along, whatever it is called there and wherever it stands
    among others. None: the file has a single frame and no such dimension, as one that was cut by its time."""

    name: str | None

    @classmethod
    def of(cls, variables: Iterable[tuple[str, ...]]) -> "_Along":
        """Of a file whose variables have these dimensions."""
        used = {dim for dims in variables for dim in dims}
        return cls(next((name for name in clock.DIMENSIONS if name in used), None))

    def holds(self, dims: tuple[str, ...]) -> bool:
        return self.name is None or self.name in dims

    def framed(self, of_dims: tuple[Any, ...], dims: tuple[str, ...], new: Any) -> tuple[Any, ...]:
        """What there is of each dimension, with that of Time, `new`, before all others if it is on Time."""
        if self.name is None:
            return (new, *of_dims)
        if self.name not in dims:
            return of_dims
        axis = dims.index(self.name)
        return (new, *of_dims[:axis], *of_dims[axis + 1 :])

    def key(self, dims: tuple[str, ...], frame: int, index: tuple[Any, ...]) -> tuple[Any, ...]:
        """What of the variable as it lies there is the index of others at a frame."""
        if self.name is None:
            return index
        axis = dims.index(self.name)
        return (*index[:axis], frame, *index[axis:])

    def of_frames(self, values: Array, dims: tuple[str, ...], frame: int | None) -> Array:
        """A value, or a text's letters, for each frame; of one that is chosen alone."""
        each = values[None] if self.name is None else np.moveaxis(values, dims.index(self.name), 0)
        return each if frame is None else each[frame : frame + 1]


def _stored(
    variable: xr.Variable, along: _Along, encoding: dict[str, Any], piece: tuple[int, ...] | None
) -> Stored:
    """encoding: how it lies in the file; piece: how much of it lies together, if that is known."""
    dims = _dims(variable)
    frames = 1 if along.name is None or along.name not in dims else variable.sizes[along.name]
    names, shape = along.framed(dims, dims, "Time"), along.framed(variable.shape, dims, frames)
    if names[1:] != dims[1:]:
        encoding, piece = {}, None  # which tell of dimensions as they stand in the file
    if piece is None:
        piece = grown(names, shape, variable.dtype, encoding.get("chunksizes"))
    return Stored(names, shape, variable.dtype, dict(variable.attrs), encoding, piece)


class _Netcdf:
    """Opened anew for every access but within kept_open(): a run has more files than a process may open."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def attributes(self) -> Mapping[str, Any]:
        with _opened(self.path) as data:
            return _attributes(data)

    def clock(self, frame: int | None = None) -> Clock:
        with _opened(self.path) as data:
            along = _along(data)
            frames = 1 if along.name is None or frame is not None else data.dimensions[along.name].size
            stored = {}
            for name in clock.NAMES:
                if name in data.variables and along.holds(data[name].dimensions):
                    values = np.asarray(data[name][...])
                    each = along.of_frames(values, data[name].dimensions, frame)
                    stored[name] = each, _attributes(data[name])
            return clock.read(_attributes(data), stored, frames)

    def variables(self) -> dict[str, Stored]:
        with _opened(self.path) as file:
            order, along = list(file.variables), _along(file)  # xarray has variables of dimensions last
        with xr.open_dataset(self.path, engine="netcdf4", decode_cf=False) as data:
            found = {}
            for name in order:
                encoding = dict(data.variables[name].encoding)
                encoding.pop("preferred_chunks", None)
                found[name] = _stored(data.variables[name], along, encoding, None)
            return found

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        with _opened(self.path) as data:
            if name not in data.variables:
                raise KeyError(name)
            variable = data[name]
            if frame is not None:
                index = _along(data).key(variable.dimensions, frame, index)
            values = np.asarray(variable[index if variable.dimensions else ...])
            return values.astype(object) if variable.dtype is str else values


def _attributes(of: Any) -> dict[str, Any]:
    return {name: of.getncattr(name) for name in of.ncattrs()}


def _along(data: netCDF4.Dataset) -> _Along:
    return _Along.of(variable.dimensions for variable in data.variables.values())


class _Zarr:
    """A Zarr group by the package zarr: one that others wrote, or where the output runtime is not there."""

    def __init__(self, path: Path) -> None:
        try:
            # While a run adds frames only the consolidated metadata tell of all of them.
            consolidated = "consolidated_metadata" in json.loads((path / "zarr.json").read_bytes())
            self._data = xr.open_zarr(path, chunks=None, decode_cf=False, consolidated=consolidated)
        except ImportError as error:
            raise UserError(
                f"Reading Zarr needs the Python package zarr or the output runtime: {error}"
            ) from error
        self._shards = shards(path)
        self._along = _Along.of(_dims(variable) for variable in self._data.variables.values())

    @property
    def attributes(self) -> Mapping[str, Any]:
        return {str(name): value for name, value in self._data.attrs.items() if not str(name).startswith("_")}

    def clock(self, frame: int | None = None) -> Clock:
        single = self._along.name is None or frame is not None
        stored = {}
        for name in clock.NAMES:
            variable = self._data.variables.get(name)
            if variable is not None and self._along.holds(_dims(variable)):
                each = self._along.of_frames(variable.values, _dims(variable), frame)
                stored[name] = each, dict(variable.attrs)
        return clock.read(self.attributes, stored, 1 if single else self._data.sizes[self._along.name])

    def variables(self) -> dict[str, Stored]:
        found = {}
        for name, variable in self._data.variables.items():
            piece = self._shards.get(str(name), variable.shape)
            found[str(name)] = _stored(variable, self._along, {}, piece)
        return found

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        if name not in self._data.variables:
            raise KeyError(name)
        variable = self._data.variables[name]
        if frame is not None:
            index = self._along.key(_dims(variable), frame, index)
        return np.asarray(variable.isel(dict(zip(variable.dims, index, strict=True))).values)


def _dims(variable: Any) -> tuple[str, ...]:
    return tuple(str(dim) for dim in variable.dims)


class EngineFile:
    """What is not one netCDF file, by the output runtime's own reader."""

    def __init__(
        self, lent: Callable[[], AbstractContextManager["Reader"]], path: Path | None = None
    ) -> None:
        """lent: gives a reader of it, to this thread alone. path: where it lies, if it lies anywhere."""
        self._lent, self._path = lent, path

    @property
    def attributes(self) -> Mapping[str, Any]:
        with self._lent() as reader:
            return reader.attributes

    def clock(self, frame: int | None = None) -> Clock:
        with self._lent() as reader:
            frames = range(max(reader.frames, 1)) if frame is None else range(frame, frame + 1)
            told = [name for name in clock.NAMES if name in reader.fields]
            single = not any(field.per_frame for field in reader.fields.values())
            stored = {}
            for name in told:
                if reader.fields[name].per_frame or single:
                    values = np.array([reader.read(name, number) for number in frames])
                    stored[name] = values, dict(reader.fields[name].attributes)
                    if clock.is_enough(stored[name]):  # no need to read Times of thousands of frames
                        break
            none = not single and not reader.frames
            return clock.read(reader.attributes, stored, 0 if none else len(frames))

    def variables(self) -> dict[str, Stored]:
        pieces = shards(self._path) if self._path else {}
        with self._lent() as reader:
            found, single = {}, not any(field.per_frame for field in reader.fields.values())
            for name, field in reader.fields.items():
                dims, shape = tuple(field.dimensions), reader.shape(name)
                if field.per_frame or single:
                    dims, shape = ("Time", *dims), (1 if single else reader.frames, *shape)
                dtype = np.dtype(field.type)
                piece = pieces.get(name, ())
                if len(piece) != len(dims):  # texts are one dimension less there
                    piece = grown(dims, shape, dtype, None)
                found[name] = Stored(dims, shape, dtype, dict(field.attributes), {}, piece)
            return found

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        with self._lent() as reader:
            if name not in reader.fields:
                raise KeyError(name)
            chosen = [np.arange(n)[k] for n, k in zip(reader.shape(name), index, strict=True)]
            if any(np.size(k) == 0 for k in chosen):
                return np.empty([len(k) for k in chosen if np.ndim(k)], reader.fields[name].type)
            start = [int(np.min(k)) for k in chosen]
            count = [int(np.max(k)) + 1 - first for k, first in zip(chosen, start, strict=True)]
            values: Array = reader.read(name, frame or 0, start, count)
        for axis in reversed(range(len(chosen))):
            values = np.take(values, chosen[axis] - start[axis], axis)
        return values
