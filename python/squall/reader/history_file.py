"""One file of a history, whatever wrote it: netCDF of any kind, or a directory of an engine."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import netCDF4
import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.locate import io_library
from squall.reader import open_readers
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

    def minutes(self) -> tuple[Array, str]:
        """XTIME of each frame, and its units."""

    def variables(self) -> dict[str, Stored]: ...

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        """Values of a variable at a frame (None: it is not on Time), undecoded; `index` is orthogonal, over
        its other dimensions. Raises KeyError where there is no such variable."""


def open_file(path: Path) -> HistoryFile:
    if path.is_file():
        return _Netcdf(path)
    if (path / "zarr.json").is_file() and not _has_runtime():
        return _Zarr(path)
    return EngineFile(partial(open_readers.lent, path), path)


@cache
def _has_runtime() -> bool:
    """Whether the output runtime's library is there: an installation for analysis has it not."""
    try:
        io_library()
    except UserError:
        return False
    return True


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


class _Netcdf:
    """Opened anew for every access but within kept_open(): a run has more files than a process may open."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def attributes(self) -> Mapping[str, Any]:
        with _opened(self.path) as data:
            return {name: data.getncattr(name) for name in data.ncattrs()}

    def minutes(self) -> tuple[Array, str]:
        with _opened(self.path) as data:
            if "XTIME" not in data.variables:
                raise UserError("it has no XTIME.")
            xtime = data["XTIME"]
            return np.atleast_1d(xtime[:]), getattr(xtime, "units", "")

    def variables(self) -> dict[str, Stored]:
        with _opened(self.path) as file:
            order = list(file.variables)  # xarray has variables of dimensions last
        with xr.open_dataset(self.path, engine="netcdf4", decode_cf=False) as data:
            return {name: self._stored(data.variables[name]) for name in order}

    def _stored(self, variable: xr.Variable) -> Stored:
        encoding = dict(variable.encoding)
        encoding.pop("preferred_chunks", None)
        piece = grown(variable.dims, variable.shape, variable.dtype, encoding.get("chunksizes"))
        dims = tuple(str(dim) for dim in variable.dims)
        return Stored(dims, variable.shape, variable.dtype, dict(variable.attrs), encoding, piece)

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        with _opened(self.path) as data:
            if name not in data.variables:
                raise KeyError(name)
            return np.asarray(data[name][index if frame is None else (frame, *index)])


class _Zarr:
    """A Zarr group by the package zarr, where the output runtime is not there."""

    def __init__(self, path: Path) -> None:
        try:
            # While a run adds frames only the consolidated metadata tell of all of them.
            consolidated = "consolidated_metadata" in json.loads((path / "zarr.json").read_bytes())
            self._data = xr.open_zarr(path, chunks=None, decode_cf=False, consolidated=consolidated)
        except ImportError as error:
            raise UserError(f"Zarr needs the package zarr or the output runtime: {error}") from error
        self._shards = shards(path)

    @property
    def attributes(self) -> Mapping[str, Any]:
        return {str(name): value for name, value in self._data.attrs.items() if not str(name).startswith("_")}

    def minutes(self) -> tuple[Array, str]:
        if "XTIME" not in self._data.variables:
            raise UserError("it has no XTIME.")
        xtime = self._data["XTIME"]
        return np.atleast_1d(xtime.values), str(xtime.attrs.get("units", ""))

    def variables(self) -> dict[str, Stored]:
        return {str(name): self._stored(str(name), v) for name, v in self._data.variables.items()}

    def _stored(self, name: str, variable: xr.Variable) -> Stored:
        dims = tuple(str(dim) for dim in variable.dims)
        piece = self._shards.get(name, variable.shape)
        return Stored(dims, variable.shape, variable.dtype, dict(variable.attrs), {}, piece)

    def read(self, name: str, frame: int | None, index: tuple[Any, ...]) -> Array:
        if name not in self._data.variables:
            raise KeyError(name)
        variable = self._data.variables[name]
        chosen = dict(zip(variable.dims, index if frame is None else (frame, *index), strict=True))
        return np.asarray(variable.isel(chosen).values)


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

    def minutes(self) -> tuple[Array, str]:
        with self._lent() as reader:
            if "XTIME" not in reader.fields:
                raise UserError("it has no XTIME.")
            minutes = [reader.read("XTIME", frame) for frame in range(reader.frames)]
            return np.array(minutes), str(reader.fields["XTIME"].attributes.get("units", ""))

    def variables(self) -> dict[str, Stored]:
        pieces = shards(self._path) if self._path else {}
        with self._lent() as reader:
            found = {}
            for name, field in reader.fields.items():
                dims, shape = tuple(field.dimensions), reader.shape(name)
                if field.per_frame:
                    dims, shape = ("Time", *dims), (reader.frames, *shape)
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
