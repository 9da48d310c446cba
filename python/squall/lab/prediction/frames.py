"""Frames that tell how busy a machine is: large ones of few fields, and small ones of many.

A frame takes time for its bytes, and for its files and variables whatever is in these. Other programs, and
other guests of a host, slow the two by different factors: the one is work of processors, memory and disk, the
other of the operating system. Frames of both kinds, now and when the machine was calibrated, tell the two
apart; the frame that is predicted has its own share of each.
"""

from pathlib import Path

from squall.lab.io import bench
from squall.lab.prediction.steps import Load, Pair

SMALL = (60, 60, 10)  # points of frames of which bytes are the least
FEW, MANY = 15, 60  # their fields
_LEAST = 0.1  # of a large frame that its bytes take


def large(directory: Path, ranks: int, frames: int) -> bench.Setup:
    return bench.Setup(directory, ranks=ranks, frames=frames)


def parts(engine: str, variables: int) -> int:
    """As the planner counts them: in zarr a variable of a new store is two files."""
    return 2 * variables if engine == "zarr" else variables


def load(now: Pair, then: Pair, fixed_of_large: float, fixed: float) -> Load:
    """What else the machine does to a frame of which `fixed` seconds are not for its bytes, as calibrated; of
    the large frames that is `fixed_of_large`. Small frames have no more bytes than can be neglected."""
    of_parts = now.small / then.small
    fixed_then = min(fixed_of_large, (1 - _LEAST) * then.large)
    for_bytes = max(now.large - of_parts * fixed_then, _LEAST * now.large)
    slower = for_bytes / (then.large - fixed_then)
    return Load(slower, (of_parts - slower) * fixed)
