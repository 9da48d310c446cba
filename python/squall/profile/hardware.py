"""Hardware counters of the processor through perf_event_open(2), without the program perf."""

import ctypes
import os
import platform
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from squall.errors import UserError

#: Type and number of an event, as <linux/perf_event.h> has them.
Event = tuple[int, int]

_CACHE, _L1_DATA, _LAST_LEVEL, _READ, _MISS = 3, 0, 2, 0, 1
#: Cache lines that reads fill: those that come to the first level, and those that come from memory.
FILLS: Mapping[str, Event] = {
    "lines into L1": (_CACHE, _L1_DATA | _READ << 8 | _MISS << 16),
    "lines from memory": (_CACHE, _LAST_LEVEL | _READ << 8 | _MISS << 16),
}

_CALL = {"x86_64": 298, "aarch64": 241}  # the number of the system call
_SIZE = 64  # of the first version of struct perf_event_attr, which every kernel takes
_INHERIT, _USER_ONLY = 1 << 1, 1 << 5 | 1 << 6  # processes begun later too; neither kernel nor hypervisor
_ENABLED_AND_RUNNING = 1 << 0 | 1 << 1  # read with the count: how long it was wished for, and how long it ran


def why_not(events: Mapping[str, Event] = FILLS) -> str:
    """Why this machine does not count them; empty: it does."""
    for name, event in events.items():
        try:
            os.close(_open(event))
        except OSError as error:
            return f"this machine (perhaps a virtual one) does not allow counting {name} ({error})"
    return ""


@contextmanager
def counting(events: Mapping[str, Event] = FILLS) -> Iterator[dict[str, float]]:
    """Counts, in what the block gets, filled at its end: of this thread and of all processes that it starts
    in the block and that end in it. Where counters are fewer than events, they take turns, and counts are
    scaled. Raises UserError where the machine does not count."""
    if reason := why_not(events):
        raise UserError(reason)
    files = {name: _open(event) for name, event in events.items()}
    counts: dict[str, float] = {}
    try:
        yield counts
        for name, file in files.items():
            count, wished, ran = struct.unpack("QQQ", os.read(file, 24))
            counts[name] = count * wished / ran if ran else 0.0
    finally:
        for file in files.values():
            os.close(file)


def _open(event: Event) -> int:
    """The file of a counter that runs. Raises OSError."""
    number = _CALL.get(platform.machine())
    if number is None:
        raise OSError(0, f"the system call number for {platform.machine()} is unknown")
    kind, config = event
    attributes = struct.pack(
        "IIQQQQQ", kind, _SIZE, config, 0, 0, _ENABLED_AND_RUNNING, _INHERIT | _USER_ONLY
    )
    libc = ctypes.CDLL(None, use_errno=True)
    file: int = libc.syscall(number, attributes.ljust(_SIZE, b"\0"), 0, -1, -1, 0)
    if file < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return file
