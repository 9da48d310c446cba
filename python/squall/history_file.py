"""One file of a history, whatever wrote it: netCDF of any kind, or a directory of an engine."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import netCDF4
import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.locate import io_library

if TYPE_CHECKING:
    from squall.io import Reader

ENGINE_MARKS = ("zarr.json", "md.idx", "index.json")  # zarr, adios, netcdf-split
_SECONDS = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}

Array = np.ndarray[Any, np.dtype[Any]]


def holds_frames(path: Path) -> bool:
    """Whether this may be a file of a history, or a directory that an engine made in place of one."""
    return path.is_file() or any((path / mark).is_file() for mark in ENGINE_MARKS)


class HistoryFile(Protocol):
    """What an open file says of itself. Errors of what lies below (OSError, squall.io.Error) pass."""

    @property
    def attributes(self) -> Mapping[str, Any]: ...

    def elapsed(self) -> Array:
        """Seconds since the start of each frame, from XTIME."""

    def variables(self) -> dict[str, xr.Variable]:
        """All variables, undecoded. Those on Time stand for their shape only."""

    def read(self, name: str, frame: int, index: tuple[Any, ...]) -> Array:
        """Values of a variable at a frame, undecoded; `index` is orthogonal, over its other dimensions.
        Raises KeyError where there is no such variable."""


def open_file(path: Path) -> HistoryFile:
    if path.is_file():
        return _Netcdf(path)
    if (path / "zarr.json").is_file() and not _has_runtime():
        return _Zarr(path)
    return _Engine(path)


@cache
def _has_runtime() -> bool:
    """Whether the output runtime's library is there: an installation for analysis has it not."""
    try:
        io_library()
    except UserError:
        return False
    return True


class _Netcdf:
    """Opened anew for every access: a run has more files than a process may hold open."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def attributes(self) -> Mapping[str, Any]:
        with netCDF4.Dataset(self.path) as data:
            return {name: data.getncattr(name) for name in data.ncattrs()}

    def elapsed(self) -> Array:
        with netCDF4.Dataset(self.path) as data:
            if "XTIME" not in data.variables:
                raise UserError("it has no XTIME.")
            xtime = data["XTIME"]
            return _seconds(np.ma.getdata(xtime[:]), getattr(xtime, "units", ""))

    def variables(self) -> dict[str, xr.Variable]:
        with xr.open_dataset(self.path, decode_cf=False) as data:
            found: dict[str, xr.Variable] = {}
            for name, variable in data.variables.items():
                on_time = variable.dims[:1] == ("Time",)
                found[str(name)] = variable if on_time else variable.copy(deep=True)
            return found

    def read(self, name: str, frame: int, index: tuple[Any, ...]) -> Array:
        with netCDF4.Dataset(self.path) as data:
            data.set_auto_maskandscale(False)
            if name not in data.variables:
                raise KeyError(name)
            return np.asarray(data[name][(frame, *index)])


class _Zarr:
    """A Zarr group by the package zarr, where the output runtime is not there."""

    def __init__(self, path: Path) -> None:
        try:
            self._data = xr.open_zarr(path, chunks=None, decode_cf=False, consolidated=False)
        except ImportError as error:
            raise UserError(f"Zarr needs the package zarr or the output runtime: {error}") from error

    @property
    def attributes(self) -> Mapping[str, Any]:
        return {str(name): value for name, value in self._data.attrs.items() if not str(name).startswith("_")}

    def elapsed(self) -> Array:
        if "XTIME" not in self._data.variables:
            raise UserError("it has no XTIME.")
        xtime = self._data["XTIME"]
        return _seconds(xtime.values, str(xtime.attrs.get("units", "")))

    def variables(self) -> dict[str, xr.Variable]:
        return {str(name): variable for name, variable in self._data.variables.items()}

    def read(self, name: str, frame: int, index: tuple[Any, ...]) -> Array:
        if name not in self._data.variables:
            raise KeyError(name)
        variable = self._data.variables[name]
        chosen = dict(zip(variable.dims, (frame, *index), strict=True))
        return np.asarray(variable.isel(chosen).values)


class _Engine:
    """What is not one netCDF file, by the output runtime's own reader."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self._reader.attributes

    @property
    def _reader(self) -> "Reader":
        return _reader(self.path)

    def elapsed(self) -> Array:
        if "XTIME" not in self._reader.fields:
            raise UserError("it has no XTIME.")
        minutes = [self._reader.read("XTIME", frame) for frame in range(self._reader.frames)]
        return _seconds(np.array(minutes), str(self._reader.fields["XTIME"].attributes.get("units", "")))

    def variables(self) -> dict[str, xr.Variable]:
        return {name: self._variable(name) for name in self._reader.fields}

    def _variable(self, name: str) -> xr.Variable:
        field = self._reader.fields[name]
        attributes = dict(field.attributes)
        if not field.per_frame:
            return xr.Variable(tuple(field.dimensions), self._reader.read(name), attributes)
        shape = (self._reader.frames, *self._reader.shape(name))
        stand_in = np.broadcast_to(np.zeros((), field.type), shape)
        return xr.Variable(("Time", *field.dimensions), stand_in, attributes)

    def read(self, name: str, frame: int, index: tuple[Any, ...]) -> Array:
        if name not in self._reader.fields:
            raise KeyError(name)
        chosen = [np.arange(n)[k] for n, k in zip(self._reader.shape(name), index, strict=True)]
        if any(np.size(k) == 0 for k in chosen):
            return np.empty([len(k) for k in chosen if np.ndim(k)], self._reader.fields[name].type)
        start = [int(np.min(k)) for k in chosen]
        count = [int(np.max(k)) + 1 - first for k, first in zip(chosen, start, strict=True)]
        values: Array = self._reader.read(name, frame, start, count)
        for axis in reversed(range(len(chosen))):
            values = np.take(values, chosen[axis] - start[axis], axis)
        return values


@lru_cache(maxsize=8)
def _reader(path: Path) -> "Reader":
    from squall.io import Reader

    return Reader(str(path))


def _seconds(xtime: Array, units: str) -> Array:
    unit = units.partition(" ")[0] or "minutes"  # as WRF's is
    return np.round(xtime.astype(np.float64) * _SECONDS[unit], 2)
