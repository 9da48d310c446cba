"""What a file holds, as it lies there and whatever its format: for comparisons bit for bit."""

import ctypes
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import netCDF4
import numpy as np

from squall.errors import UserError
from squall.io.library import Error as ReaderError
from squall.reader import open_readers

if TYPE_CHECKING:
    from squall.io import Reader

Array = np.ndarray[Any, np.dtype[Any]]

RECORDS = "Time"  # what the runtime's reader does not name; WRF's name

# netCDF's words for types, by NumPy's.
_WORDS = {
    "i1": "byte", "u1": "ubyte", "S1": "char", "i2": "short", "u2": "ushort", "i4": "int", "u4": "uint",
    "i8": "int64", "u8": "uint64", "f4": "float", "f8": "double", "O": "string",
}  # fmt: skip


@dataclass(frozen=True)
class Attribute:
    """`value`: bytes of characters, an array of numbers, or a list of texts."""

    type: str
    value: bytes | Array | list[str]

    def same(self, other: "Attribute") -> bool:
        return self.type == other.type and _bits(self.value) == _bits(other.value)

    def __str__(self) -> str:
        if isinstance(self.value, bytes):
            shown = '"' + self.value.decode(errors="backslashreplace") + '"'
        elif isinstance(self.value, list):
            shown = ", ".join(f'"{text}"' for text in self.value)
        else:
            shown = ", ".join(str(number) for number in self.value)
        return f"{shown} ({self.type})"


def _bits(value: bytes | Array | list[str]) -> object:
    return value.tobytes() if isinstance(value, np.ndarray) else value


@dataclass(frozen=True)
class Dimension:
    size: int
    unlimited: bool

    def __str__(self) -> str:
        return f"{self.size}{', unlimited' if self.unlimited else ''}"


@dataclass(frozen=True)
class Variable:
    type: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    item: int  # bytes of a value
    attributes: Mapping[str, Attribute]

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Contents(Protocol):
    """Names within groups have these before them: "group/name"."""

    @property
    def format(self) -> str: ...

    @property
    def dimensions(self) -> Mapping[str, Dimension]: ...

    @property
    def attributes(self) -> Mapping[str, Attribute]: ...

    @property
    def variables(self) -> Mapping[str, Variable]: ...

    def read(self, name: str, start: Sequence[int], count: Sequence[int]) -> Array:
        """Values of a box of a variable, in the byte order of this machine."""


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """Raises UserError where there is nothing, or nothing that can be read; also while it is read."""
    if not path.exists():
        raise UserError(f"There is no file {path}.")
    if path.is_dir() and open_readers.mark_of(path) is None:
        raise UserError(
            f"{path} is a directory, but none that holds frames: neither Zarr nor netcdf-split nor ADIOS."
        )
    with ExitStack() as stack:
        with _naming(path):
            if path.is_dir():
                contents: Contents = _Engine(path, stack.enter_context(open_readers.lent(path)))
            else:
                contents = _Netcdf(stack.enter_context(netCDF4.Dataset(path)))
        yield _Named(path, contents)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError, ReaderError) as error:  # a RuntimeError is netCDF's own
        raise UserError(f"{path} cannot be read: {error}") from error


class _Named:
    """Contents whose errors name their file."""

    def __init__(self, path: Path, contents: Contents) -> None:
        self._path, self._contents = path, contents
        self.format, self.dimensions = contents.format, contents.dimensions
        self.attributes, self.variables = contents.attributes, contents.variables

    def read(self, name: str, start: Sequence[int], count: Sequence[int]) -> Array:
        with _naming(self._path):
            return self._contents.read(name, start, count)


class _Netcdf:
    """A netCDF file of any kind, groups and all, by the library netCDF4."""

    def __init__(self, data: netCDF4.Dataset) -> None:
        data.set_auto_maskandscale(False)
        data.set_auto_chartostring(False)
        self.format = {"NETCDF3_CLASSIC": "netCDF classic", "NETCDF3_64BIT_OFFSET": "netCDF 64-bit offset",
                       "NETCDF3_64BIT_DATA": "netCDF CDF-5", "NETCDF4_CLASSIC": "netCDF-4 classic",
                       "NETCDF4": "netCDF-4"}.get(data.data_model, data.data_model)  # fmt: skip
        self.dimensions: dict[str, Dimension] = {}
        self.attributes: dict[str, Attribute] = {}
        self.variables: dict[str, Variable] = {}
        self._open: dict[str, Any] = {}
        self._take(data, "")

    def _take(self, group: Any, within: str) -> None:
        for name, dimension in group.dimensions.items():
            self.dimensions[within + name] = Dimension(dimension.size, dimension.isunlimited())
        for name, attribute in _attributes(group).items():
            self.attributes[within + name] = attribute
        for name, variable in group.variables.items():
            dtype = variable.dtype if isinstance(variable.dtype, np.dtype) else np.dtype(object)
            own = (
                getattr(variable.datatype, "name", None) if variable.datatype is not variable.dtype else None
            )
            self._open[within + name] = variable
            self.variables[within + name] = Variable(
                own or _word(dtype),
                variable.dimensions,
                variable.shape,
                dtype.itemsize,
                _attributes(variable),
            )
        for name, inner in group.groups.items():
            self._take(inner, f"{within}{name}/")

    def read(self, name: str, start: Sequence[int], count: Sequence[int]) -> Array:
        box = tuple(slice(first, first + n) for first, n in zip(start, count, strict=True))
        values = self._open[name][box or ...]
        if isinstance(values, str):
            return np.array(values, object)
        return _native(np.asarray(values))


def _attributes(of: Any) -> dict[str, Attribute]:
    return {name: _attribute(of, name) for name in of.ncattrs()}


def _attribute(of: Any, name: str) -> Attribute:
    """netCDF4 makes a str of characters and of texts alike, and drops zeros: the library below tells."""
    library, group = _library(), of._grpid
    variable = of._varid if isinstance(of, netCDF4.Variable) else _GLOBAL
    kind, length = ctypes.c_int(), ctypes.c_size_t()
    library.nc_inq_att(group, variable, name.encode(), ctypes.byref(kind), ctypes.byref(length))
    if kind.value == _CHAR:
        letters = ctypes.create_string_buffer(length.value + 1)
        library.nc_get_att_text(group, variable, name.encode(), letters)
        return Attribute("char", letters.raw[: length.value])
    value = of.getncattr(name)
    if isinstance(value, str | list):
        return Attribute("string", [value] if isinstance(value, str) else value)
    numbers = _native(np.atleast_1d(value))
    return Attribute(_word(numbers.dtype), numbers)


_GLOBAL, _CHAR = -1, 2  # NC_GLOBAL, NC_CHAR


@cache
def _library() -> ctypes.CDLL:
    """The netCDF library that netCDF4 is linked with, by what it is linked from."""
    return ctypes.CDLL(sys.modules["netCDF4._netCDF4"].__file__)


class _Engine:
    """What one of Squall's engines wrote in a directory, by the output runtime."""

    def __init__(self, path: Path, reader: "Reader") -> None:
        self._reader = reader
        self.format = {"zarr.json": "Zarr", "md.idx": "ADIOS2", "index.json": "netcdf-split"}[_mark(path)]
        self.attributes = _told(reader.attributes)
        self.dimensions = {name: Dimension(size, False) for name, size in reader.dimensions.items()}
        if reader.frames:
            self.dimensions[RECORDS] = Dimension(reader.frames, True)
        self.variables = {}
        for name, field in reader.fields.items():
            dims, shape, dtype = tuple(field.dimensions), reader.shape(name), np.dtype(field.type)
            if field.per_frame:
                dims, shape = (RECORDS, *dims), (reader.frames, *shape)
            told = _told(field.attributes)
            self.variables[name] = Variable(_word(dtype), dims, shape, dtype.itemsize, told)

    def read(self, name: str, start: Sequence[int], count: Sequence[int]) -> Array:
        if not self._reader.fields[name].per_frame:
            return self._reader.read(name, 0, start, count)
        frames = range(start[0], start[0] + count[0])
        return np.stack([self._reader.read(name, frame, start[1:], count[1:]) for frame in frames])


def _mark(path: Path) -> str:
    mark = open_readers.mark_of(path)
    assert mark is not None
    return mark.name


def _told(attributes: Mapping[str, Any]) -> dict[str, Attribute]:
    found = {}
    for name, value in attributes.items():
        if isinstance(value, str):
            found[name] = Attribute("char", value.encode())
        else:
            numbers = _native(np.atleast_1d(value))
            found[name] = Attribute(_word(numbers.dtype), numbers)
    return found


def _native(values: Array) -> Array:
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _word(dtype: np.dtype[Any]) -> str:
    short = dtype.newbyteorder("=").str.lstrip("<>|=")
    return _WORDS.get(short, short)
