"""What `squall lab speed` times where the reference data are: steps of forecasts with all physics, on one
core. What radiation takes is how much longer its steps are than the others.
"""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from squall.lab.variants import Changes
from squall.lab.verify import data, full_physics
from squall.lab.verify.check import Skipped
from squall.lab.verify.real_weather import CASE, starting_from
from squall.lab.workspace import Layout, Workspace

#: Steps from one call of the radiation to the next: as is timed, and as WRF's users' guide has it, a minute
#: for each km of the spacing, where a step is 6 s for each.
TIMED, USUAL = 5, 10
GOAL_RADIATION = 0.15


@dataclass(frozen=True)
class Day:
    """A day of the reference data and the land scheme that WRF's run of it had."""

    name: str
    folder: str
    land: str


DAYS = (Day("summer", "conus_2005-07-16", "noah"), Day("winter", "conus_2008-02-05", "slab"))


@dataclass(frozen=True)
class Forecast:
    """Seconds of a step without radiation and what a call of it adds."""

    name: str
    step: float
    radiation: float

    @property
    def seconds(self) -> float:
        """Of a step, with its part of the radiation."""
        return self.step + self.radiation / TIMED

    def share_of_radiation(self, every: int) -> float:
        return self.radiation / (every * self.step + self.radiation)


def measure(workspace: Workspace, repeats: int, console: Console) -> list[Forecast]:
    """None where the reference data are missing, with a word."""
    try:
        found = []
        for day in DAYS:
            with console.status(f"a day of {day.name} with all physics ..."):
                runs = [_run(workspace, day) for _ in range(repeats)]
            found.append(judged(day.name, [run["each_step_processor"] for run in runs]))
        return found
    except Skipped as missing:
        console.print(f"Forecasts with all physics are not timed: {missing}.", highlight=False)
        return []


def judged(name: str, runs: Sequence[Sequence[float]]) -> Forecast:
    """From the seconds of each step of some runs, medians: each TIMED-th step, from the first on, has called
    the radiation."""
    steps, calls = [], []
    for seconds in runs:
        plain = statistics.median(s for n, s in enumerate(seconds) if n % TIMED)
        steps.append(plain)
        calls.append(statistics.mean(seconds[TIMED::TIMED]) - plain)
    return Forecast(name, statistics.median(steps), statistics.median(calls))


def _run(workspace: Workspace, day: Day) -> dict[str, Any]:
    folder = data.folder(day.folder)
    files = ((folder / name).resolve() for name in ("wrfinput_d01", "wrfbdy_d01"))
    changes: Changes = {**starting_from(*files), **full_physics.CHANGES, "physics.land": day.land}
    run_file = workspace.variant(f"forecast-{day.name}", CASE, changes)
    timing = workspace.directory / "timing.json"
    settings = {"output.history.interval": "0 s"}
    workspace.run("forecast", run_file, settings, Layout(1, 1), timing)
    told: dict[str, Any] = json.loads(timing.read_text())
    return told
