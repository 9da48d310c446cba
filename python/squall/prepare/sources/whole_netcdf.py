"""Checks whether a netCDF file is complete.

The library refuses truncated HDF5 files, but silently reads zeros beyond the end of a truncated classic file;
for these the expected length is computed from the header. The format is that of the NetCDF Users Guide,
appendix B (CDF-1, 2 and 5).
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from squall.prepare.sources.piece import fail

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}  # bytes, by type
_STREAMING = 0xFFFFFFFF  # the number of records was not known when the header was written


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Around what opens a file: raises UserError where it is not whole."""
    refuse_cut_off(path)
    try:
        yield
    except OSError as error:
        raise fail(
            str(path), f"cannot be opened ({error.strerror}); the file may be truncated: fetch it again"
        ) from None


def refuse_cut_off(path: Path) -> None:
    """Raises UserError for a classic file whose end is missing."""
    missing = missing_bytes(path)
    if missing:
        raise fail(str(path), f"truncated: at least {missing} bytes are missing at its end; fetch it again")


class _Header:
    """A header, read from its beginning to its end."""

    def __init__(self, file: BinaryIO, version: int) -> None:
        self._file = file
        self._count = 8 if version == 5 else 4  # bytes of a number that is not negative
        self._offset = 4 if version == 1 else 8

    def number(self, size: int) -> int:
        read = self._file.read(size)
        if len(read) < size:
            raise EOFError
        return int.from_bytes(read, "big")

    def count(self) -> int:
        return self.number(self._count)

    def offset(self) -> int:
        return self.number(self._offset)

    def skip(self, size: int) -> None:
        """Skips bytes, padded to a multiple of four."""
        self._file.seek(-(-size // 4) * 4, 1)

    def entries(self) -> int:
        """The number of entries of a list, after its tag."""
        self.number(4)
        return self.count()

    def skip_attributes(self) -> None:
        for _ in range(self.entries()):
            self.skip(self.count())
            kind = self.number(4)
            self.skip(self.count() * _SIZES[kind])


def missing_bytes(path: Path) -> int:
    """The number of bytes missing at the end of a classic file; 0 if it is complete, and for HDF5."""
    size = path.stat().st_size
    with path.open("rb") as file:
        magic = file.read(4)
        if magic[:3] != b"CDF" or magic[3] not in (1, 2, 5):
            return 0
        try:
            return max(0, _end(_Header(file, magic[3])) - size)
        except (EOFError, KeyError):
            return 1  # within the header


def _end(header: _Header) -> int:
    records = header.count()
    lengths = []
    for _ in range(header.entries()):
        header.skip(header.count())
        lengths.append(header.count())
    header.skip_attributes()
    fixed, of_record = [0], []
    for _ in range(header.entries()):
        header.skip(header.count())
        shape = [lengths[header.count()] for _ in range(header.count())]
        header.skip_attributes()
        size = _SIZES[header.number(4)]
        header.count()  # its size, which may be too large for this number
        begin = header.offset()
        if shape and shape[0] == 0:
            of_record.append((begin, size * math.prod(shape[1:])))
        else:
            fixed.append(begin + size * math.prod(shape))
    if not of_record or records in (0, _STREAMING):
        return max(fixed)
    # One variable alone is not filled up to four bytes.
    record = sum(-(-size // 4) * 4 for _, size in of_record) if len(of_record) > 1 else of_record[0][1]
    return max(*fixed, *(begin + (records - 1) * record + size for begin, size in of_record))
