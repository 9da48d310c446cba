"""Readers of the output runtime, kept open between two accesses as long as they show what is there.

A store that grows has new metadata with each frame, and a run that is made again has other files under the
same names: a reader belongs to what it opened, not to a name. One thread at a time uses a reader; threads
that read the same store at the same time have one each.
"""

import atexit
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from xarray.backends.netCDF4_ import NETCDF4_PYTHON_LOCK

if TYPE_CHECKING:
    from squall.io import Reader

# The libraries of netCDF and HDF5 that Python's packages bring let one thread in at a time; xarray's own
# readers wait for this too.
ONE_AT_A_TIME = NETCDF4_PYTHON_LOCK

_MARKS = ("zarr.json", "md.idx", "index.json")  # zarr, adios, netcdf-split
_KEPT = 8
_Key = tuple[str, int, int, int, int]

_idle: OrderedDict[_Key, list["Reader"]] = OrderedDict()
_idle_lock = threading.Lock()
_library_lock = threading.RLock()  # of engines whose libraries let one thread in at a time

atexit.register(_idle.clear)  # while what closes a reader is still there


def mark_of(path: Path) -> Path | None:
    """The file by which a directory is known for one that an engine made; None: none made it."""
    return next((mark for name in _MARKS if (mark := path / name).is_file()), None)


@contextmanager
def lent(path: Path) -> Iterator["Reader"]:
    """A reader of what is at `path` now, for this thread alone. Raises OSError and squall.io.Error."""
    mark = mark_of(path)
    alone = nullcontext() if mark is not None and mark.name == "zarr.json" else _library_lock
    with alone:
        key = _key(path, mark or path)
        reader = _taken(key) or _opened(path)
        yield reader  # one that failed is let go
        _put_back(key, reader)


def _key(path: Path, mark: Path) -> _Key:
    about = os.stat(mark)
    return str(path.absolute()), about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def _opened(path: Path) -> "Reader":
    from squall.io import Reader

    return Reader(str(path))


def _taken(key: _Key) -> "Reader | None":
    with _idle_lock:
        readers = _idle.get(key)
        return readers.pop() if readers else None


def _put_back(key: _Key, reader: "Reader") -> None:
    with _idle_lock:
        for old in [other for other in _idle if other[0] == key[0] and other != key]:
            del _idle[old]  # what it showed is no more
        _idle.setdefault(key, []).append(reader)
        _idle.move_to_end(key)
        while sum(map(len, _idle.values())) > _KEPT:
            _idle.popitem(last=False)
