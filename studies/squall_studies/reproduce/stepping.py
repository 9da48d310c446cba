"""How fast the model steps in some layout: what several items measure."""

import json
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from squall import machine
from squall.lab.speed_domains import STORM
from squall.lab.workspace import Layout
from squall_studies.reproduce.item import Context


@dataclass(frozen=True)
class Domain:
    """Cells of the supercell, and how many steps of it are timed."""

    nx: int
    ny: int
    nz: int
    steps: int

    def settings(self) -> dict[str, str]:
        return {
            "domain.nx": str(self.nx),
            "domain.ny": str(self.ny),
            "domain.nz": str(self.nz),
            "run.duration": f"{self.steps * STORM.time_step} s",
        }

    def __str__(self) -> str:
        return f"{self.nx} x {self.ny} x {self.nz}"


def without_output(context: Context) -> Path:
    """The run file of a supercell that writes nothing."""
    return context.workspace.variant("storm", STORM.name, {"output.history": None})


def seconds_a_step(
    context: Context,
    run_file: Path,
    layout: Layout,
    settings: Mapping[str, str],
    *,
    all_of_them: bool = False,
) -> float:
    """Of the best of the repeats: the median of a run's steps, but for the first; or, where steps differ by
    what is due in them (`all_of_them`), the mean."""
    timing = context.workspace.directory / "timing.json"
    found = []
    for _ in range(context.repeats):
        context.workspace.run("run", run_file, settings, layout, timing)
        steps: list[float] = json.loads(timing.read_text())["each_step"]
        found.append(statistics.mean(steps) if all_of_them else statistics.median(steps[1:] or steps))
    return min(found)


def layouts(most: int | None = None) -> list[Layout]:
    """Ranks x threads with 1, 2, 4, ... cores in all, to all of them, each way to divide them."""
    cores = most or machine.cores()
    numbers = sorted({2**n for n in range(int(math.log2(cores)) + 1)} | {cores})
    return [Layout(total // t, t) for total in numbers for t in range(1, total + 1) if total % t == 0]
