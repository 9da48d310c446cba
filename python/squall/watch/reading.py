"""The single thread that reads files, and its cache.

The libraries of netCDF and HDF5 may not be called from several threads. As all viewers' reads pass through
one thread, what two of them ask for is read once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from squall.reader.history_file import kept_open

KEPT = 512 * 2**20  # bytes
WAITING = 512  # reads, of all viewers


class Store:
    """What was read or made last, by what it is; the oldest goes first. For the reading thread only."""

    def __init__(self, limit: int = KEPT) -> None:
        self._limit = limit
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        made = make()
        self._kept[key] = made, size(made)
        self._bytes += size(made)
        while self._bytes > self._limit and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed
        return made


def _at_once(work: Callable[..., Any], *arguments: Any) -> Any:
    with kept_open():
        return work(*arguments)


class Busy(Exception):
    """More is asked than can be answered soon."""


class Reader:
    """Does work in the reading thread, one after another. Raises Busy where too much waits already."""

    def __init__(self, most: int = WAITING) -> None:
        self._thread = ThreadPoolExecutor(1, "reader")
        self._most, self._waiting = most, 0
        self.store = Store()

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._waiting >= self._most:
            raise Busy
        self._waiting += 1
        try:
            return await self._do(work, *arguments)
        finally:
            self._waiting -= 1

    async def _do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _at_once, work, *arguments)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
