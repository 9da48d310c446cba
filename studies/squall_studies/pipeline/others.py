"""How busy other programs kept the processor meanwhile: a measurement says of itself how far it was alone."""

import os
import time
from pathlib import Path

# Of the line "cpu" of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; user has guests.
_BUSY = (0, 1, 2, 5, 6, 7)


class Others:
    """Counts from its making on. Whatever this process starts meanwhile must have been waited for."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._busy, self._own = _busy(), _own()

    def cores(self) -> float:
        """How many cores other programs and the machine's host took, in the mean."""
        took = (_busy() - self._busy) - (_own() - self._own)
        return max(0.0, took / (time.monotonic() - self._began))


def _busy() -> float:
    ticks = [int(text) for text in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return sum(ticks[kind] for kind in _BUSY) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    return sum(os.times()[:4])  # children's, too
