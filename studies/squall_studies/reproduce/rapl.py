"""Energy that the processor's sockets have used, as Linux counts it (RAPL, of Intel's and AMD's)."""

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path("/sys/class/powercap")

#: Of each socket, microjoules since some time.
Counters = Mapping[Path, int]


def read() -> Counters:
    """Raises OSError where this machine does not tell, or not to this user."""
    sockets = sorted(path for path in FOLDER.glob("intel-rapl:*") if path.name.count(":") == 1)
    if not sockets:
        raise FileNotFoundError(2, "there are no counters", str(FOLDER))
    return {socket: int((socket / "energy_uj").read_text()) for socket in sockets}


def joules(before: Counters, after: Counters) -> float:
    """Of all sockets in between. A counter begins anew beyond its range, some minutes of a busy socket."""
    used = 0
    for socket, first in before.items():
        last = after[socket]
        if last < first:
            last += int((socket / "max_energy_range_uj").read_text())
        used += last - first
    return used / 1e6
