"""`squall lab speed`: how fast the model steps, against the memory bandwidth of the machine.

Speeds are cell-steps per second (cells of the domain times time steps, over the time spent
stepping, without start-up and output). Divided into the memory bandwidth that the STREAM triad
reaches in the same minute they give bytes per cell-step: how much memory traffic a cell-step is
worth, a number that travels between machines better than either of its parts.
"""

import json as json_text
import os
import statistics
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.lab.report import picture, show_table, write_json
from squall.lab.workspace import Layout, Workspace

# WRF 4.7.1 (gfortran -O3 -march=native) on the baroclinic wave, 40 x 80 x 64 cells with 4 acoustic
# substeps: 1.65 million cell-steps per second and core where the triad gives 14.4 GB/s a core.
WRF_CELL_STEPS = 1.65e6
WRF_BYTES = 14.4e9 / WRF_CELL_STEPS
GOAL_BYTES = 4.4e3
GOAL_SCALING = 1.8

RUN_FILE = """\
# The baroclinic wave for timing: nothing is written.
[run]
duration = "1 day"
time_step = "600 s"
acoustic_substeps = 4

[domain]
nx = 40
ny = 80
nz = 64
dx = "100 km"
boundary_south = "symmetric"
boundary_north = "symmetric"

[vertical]
top = "16 km"

[dynamics]
coriolis = "f-plane"
f = "1e-4 s-1"

[initial]
case = "baroclinic-wave"
"""

TIME_STEP = 600


@dataclass(frozen=True)
class Size:
    """A domain of the baroclinic wave and how many steps of it to time."""

    name: str
    nx: int
    ny: int
    nz: int
    steps: int

    @property
    def label(self) -> str:
        return f"{self.nx} x {self.ny} x {self.nz}, {self.name}"


SIZES = (
    Size("in cache", 40, 12, 16, 2000),
    Size("as WRF", 40, 80, 64, 60),
    Size("out of cache", 160, 160, 64, 8),
)


@dataclass(frozen=True)
class Measurement:
    """Medians over the repeats of one domain on some cores; `stages` are seconds of the median run."""

    domain: str
    cores: int
    layout: str
    cell_steps: float
    bandwidth: float
    stages: dict[str, float]

    @property
    def per_core(self) -> float:
        """Cell-steps per second and core."""
        return self.cell_steps / self.cores

    @property
    def bytes(self) -> float:
        """Bytes of memory bandwidth worth one cell-step."""
        return self.bandwidth / self.cell_steps


def run(output: Path, repeats: int, json: Path | None) -> None:
    """Measures, prints the table, draws the picture into `output`, writes `json`."""
    console = Console()
    workspace = Workspace(output.resolve())
    measurements = measure(workspace, repeats, console)
    _show(console, measurements)
    _draw(workspace.picture("speed"), measurements)
    console.print(f"Picture: {output / 'speed.png'}")
    if json:
        write_json(json, _to_json(measurements))


def measure(workspace: Workspace, repeats: int, console: Console) -> list[Measurement]:
    """All domains on one core and on all. Raises UserError where a program is missing or fails."""
    cores = machine.cores()
    layouts = {"1 core": Layout(1, 1)}
    if cores > 1:
        layouts |= {f"{cores} threads": Layout(1, cores), f"{cores} ranks": Layout(cores, 1)}
    run_file = workspace.run_file("speed", RUN_FILE)
    found = []
    for name, layout in layouts.items():
        for size in SIZES:
            with console.status(f"{size.label}, {name} ..."):
                found.append(_measure(workspace, run_file, size, name, layout, repeats))
    return found


def _measure(
    workspace: Workspace, run_file: Path, size: Size, name: str, layout: Layout, repeats: int
) -> Measurement:
    """The triad runs before each timed run, so that both see the same state of the machine."""
    cores = layout.ranks * layout.threads
    bandwidths, timings = [], []
    for _ in range(repeats):
        bandwidths.append(triad(cores))
        timings.append(_time(workspace, run_file, size, layout))
    timings.sort(key=lambda timing: timing["seconds"])
    median = timings[len(timings) // 2]
    speed = median["cells"] * median["steps"] / median["seconds"]
    return Measurement(size.label, cores, name, speed, statistics.median(bandwidths), median["stages"])


def _time(workspace: Workspace, run_file: Path, size: Size, layout: Layout) -> dict[str, Any]:
    """One timed run: {"steps", "seconds", "cells", "stages": {name: seconds}, ...}."""
    timing = workspace.directory / "timing.json"
    settings = {
        "domain.nx": str(size.nx),
        "domain.ny": str(size.ny),
        "domain.nz": str(size.nz),
        "run.duration": f"{size.steps * TIME_STEP} s",
    }
    workspace.run("speed", run_file, settings, layout, timing)
    result: dict[str, Any] = json_text.loads(timing.read_text())
    return result


def triad(cores: int) -> float:
    """Memory bandwidth of `cores` cores together [bytes/s], the median of the triad's passes."""
    program = locate.model_binary().with_name("squall-triad")
    if not program.is_file():
        raise UserError(f"The program {program} is not there. Build it with `make build`.")
    environment = os.environ | {
        "OMP_NUM_THREADS": str(cores),
        "OMP_PROC_BIND": "close",
        "OMP_PLACES": "cores",
    }
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} ended with code {done.returncode}: {done.stderr.strip()}", 1)
    passes: list[float] = json_text.loads(done.stdout)["bandwidth"]
    return statistics.median(passes)


def _show(console: Console, measurements: list[Measurement]) -> None:
    columns = ["domain", "on", "million cell-steps/s/core", "triad, GB/s/core", "kB/cell-step", "speed-up"]
    rows = [
        [
            m.domain,
            m.layout,
            f"{m.per_core / 1e6:.2f}",
            f"{m.bandwidth / m.cores / 1e9:.1f}",
            f"{m.bytes / 1e3:.2f}",
            f"{_speed_up(m, measurements):.2f}" if m.cores > 1 else "",
        ]
        for m in measurements
    ]
    rows.append(
        ["40 x 80 x 64", "WRF 4.7.1, 1 core", f"{WRF_CELL_STEPS / 1e6}", "14.4", f"{WRF_BYTES / 1e3:.1f}", ""]
    )
    show_table(console, "Speed", columns, rows)
    slowest = max((m for m in measurements if m.cores == 1), key=lambda m: m.bytes)
    _judge(
        console,
        slowest.bytes <= GOAL_BYTES,
        f"at most {slowest.bytes / 1e3:.2f} kB a cell-step on 1 core",
        "4.4",
    )
    several = [m for m in measurements if m.cores == 2 and m.domain == SIZES[1].label]
    if several:
        best = max(_speed_up(m, measurements) for m in several)
        _judge(
            console, best >= GOAL_SCALING, f"2 cores {best:.2f} times as fast as 1 on {SIZES[1].label}", "1.8"
        )


def _judge(console: Console, reached: bool, what: str, goal: str) -> None:
    verdict = "[green]reached[/]" if reached else "[bold red]missed[/]"
    console.print(f"Goal of {goal} {verdict}: {what}.", highlight=False)


def _speed_up(measurement: Measurement, all_of_them: list[Measurement]) -> float:
    """Over the same domain on one core."""
    one = next(m for m in all_of_them if m.domain == measurement.domain and m.cores == 1)
    return measurement.cell_steps / one.cell_steps


def _draw(path: Path, measurements: list[Measurement]) -> None:
    domains = list(dict.fromkeys(m.domain for m in measurements))
    layouts = list(dict.fromkeys(m.layout for m in measurements))
    width = 0.8 / len(layouts)
    with picture(path, 7, 4) as figure:
        axes = figure.subplots()
        for index, layout in enumerate(layouts):
            values = [m.bytes / 1e3 for m in measurements if m.layout == layout]
            bars = axes.bar(
                np.arange(len(domains)) + (index - (len(layouts) - 1) / 2) * width,
                values,
                width,
                label=layout,
            )
            axes.bar_label(bars, fmt="%.1f")
        axes.axhline(WRF_BYTES / 1e3, color="C3", linestyle="--", label="WRF 4.7.1, 1 core")
        axes.axhline(GOAL_BYTES / 1e3, color="0.4", linestyle=":", label="goal")
        axes.set_xticks(range(len(domains)), [domain.replace(", ", "\n") for domain in domains])
        axes.set(
            ylabel="memory bandwidth / speed [kB per cell-step]", title="Speed of the model (lower is faster)"
        )
        axes.legend()


def _to_json(measurements: list[Measurement]) -> dict[str, Any]:
    return {
        "processor": machine.processor(),
        "cores": machine.cores(),
        "measurements": [asdict(m) | {"bytes_per_cell_step": m.bytes} for m in measurements],
        "wrf": {"cell_steps_per_core": WRF_CELL_STEPS, "bytes_per_cell_step": WRF_BYTES},
        "goal": {"bytes_per_cell_step": GOAL_BYTES, "speed_up": GOAL_SCALING},
    }
