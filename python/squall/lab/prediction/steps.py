"""Steps that tell how busy a machine is: those of a large supercell, and of a small one.

Other programs cost a run two things. They take cores away, so that computing takes so many times as long. And
a rank whose neighbour has no core at the moment waits for its messages, which is as often in a step of a
small domain as in one of a large one: each step takes so many seconds more. Steps of both domains, now and
when the machine was calibrated, tell the two apart.
"""

import json
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from squall.lab.speed_domains import CHANGES, SIZES, Size
from squall.lab.workspace import Layout, Workspace

LARGE = SIZES[-1]  # out of every cache
SMALL = next(size for size in SIZES if (size.case, size.name) == (LARGE.case, "supercell"))
_DISTURBED = 0.1  # of a time that is left at least, whatever is taken off it


@dataclass(frozen=True)
class Pair:
    """Seconds of a step of the large and of the small domain."""

    large: float
    small: float


@dataclass(frozen=True)
class Load:
    """Of a machine, now and not when it was calibrated: how many times as long computing takes, and by how
    many seconds each step or frame is longer beside that, or shorter where negative."""

    slower: float = 1.0
    delay: float = 0.0

    def off(self, measured: float) -> float:
        """What a step or frame that was measured would have taken then [s]."""
        return max(measured - self.delay, _DISTURBED * measured) / self.slower


def load(now: Pair, then: Pair) -> Load:
    """Steps that say nothing of a delay, as the large ones are no longer than the small, have none."""
    slower = (now.large - now.small) / (then.large - then.small)
    delay = now.small - slower * then.small
    if slower <= 0 or delay < 0:
        return Load(now.large / then.large)
    return Load(slower, delay)


def timed(workspace: Workspace, run_file: Path, settings: Mapping[str, str], ranks: int) -> float:
    """Seconds of a step, the median of a run but for the first, which touches memory for the first time."""
    timing = workspace.directory / "timing.json"
    workspace.run("run", run_file, settings, Layout(ranks, 1), timing)
    steps: list[float] = json.loads(timing.read_text())["each_step"]
    return statistics.median(steps[1:])


def timed_size(workspace: Workspace, size: Size, ranks: int) -> float:
    """The same of a domain of the lab."""
    run_file = workspace.variant(size.name.replace(" ", "-"), size.case.name, CHANGES)
    return timed(workspace, run_file, size.run_settings(), ranks)


def pair(workspace: Workspace, ranks: int) -> Pair:
    return Pair(timed_size(workspace, LARGE, ranks), timed_size(workspace, SMALL, ranks))
