"""A variable over all frames of a run, which reads the frames and boxes that values are asked of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from squall.errors import UserError
from squall.reader.frames import Held, naming
from squall.reader.history_file import Stored, kept_open


def over(name: str, stored: Stored, frames: Sequence[Held]) -> xr.Variable:
    """Undecoded. What is not on Time is the first file's."""
    encoding = stored.encoding | {"preferred_chunks": dict(zip(stored.dims, stored.piece, strict=True))}
    data = indexing.LazilyIndexedArray(_Frames(name, stored, frames))
    return xr.Variable(stored.dims, data, stored.attributes, encoding)


class _Frames(BackendArray):
    """Holds no file open, so that it travels to the processes of Dask."""

    def __init__(self, name: str, stored: Stored, frames: Sequence[Held]) -> None:
        self.name = name
        self.frames = frames if stored.on_time else frames[:1]
        self.on_time = stored.on_time
        self.shape = (len(frames), *stored.shape[1:]) if stored.on_time else stored.shape
        self.dtype = stored.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        if not self.on_time:
            return self._frame(self.frames[0], key)
        time, rest = key[0], key[1:]
        if np.ndim(time) == 0 and not isinstance(time, slice):
            return self._frame(self.frames[time], rest)
        chosen = np.arange(len(self.frames))[time]
        with kept_open():
            parts = [self._frame(self.frames[index], rest) for index in chosen]
        return np.stack(parts) if parts else np.empty((0, *self.shape[1:]), self.dtype)

    def _frame(self, frame: Held, rest: tuple[Any, ...]) -> Any:
        try:
            with naming(frame.file):
                return frame.open().read(self.name, frame.index if self.on_time else None, rest)
        except KeyError as error:
            raise UserError(
                f"{frame.file} has no variable {self.name}, which earlier frames have."
            ) from error
