"""`squall lab speed`: measures the model's speed against the machine's memory bandwidth.

Speeds are cell-steps per second (cells of the domain times time steps, over the time spent
stepping, without start-up and output). Divided into the memory bandwidth that the STREAM triad
reaches in the same minute they give bytes per cell-step: how much memory traffic a cell-step is
worth. That does not make times of one machine those of another, nor tell of other models: a ratio
to one of those is of both on one machine in the same minutes. What one more tracer costs is the
difference of runs with few and with many; what nesting costs is told by the model, which counts the
time that domains spend on each other apart from that of their own steps.
"""

import json as json_text
import statistics
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.lab import speed_forecasts, speed_wrf
from squall.lab.speed_domains import (
    CHANGES,
    GOAL_NESTING,
    GOAL_SCALING,
    NESTED,
    SCALING,
    SIZES,
    TRACERS,
    WRF_NESTING,
    Size,
    with_tracers,
)
from squall.lab.speed_forecasts import Forecast
from squall.lab.verify.built_wrf import BuiltWrf
from squall.lab.verify.check import Skipped
from squall.lab.workspace import Layout, Workspace
from squall.limits import triad
from squall.plot import style
from squall.results import picture, show_table, write_json

ONE_CORE = Layout(1, 1)


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


@dataclass(frozen=True)
class TracerCost:
    """What one more tracer costs on one core."""

    seconds: float  # per cell-step
    share: float  # of a cell-step with one tracer
    bytes: float  # of memory bandwidth worth that time


@dataclass(frozen=True)
class NestingCost:
    """Time of nested steps over the sum of the domains' own, on so many cores."""

    layout: str
    ratio: float  # the median of the repeats

    @property
    def reached(self) -> bool:
        """Whether it is within the goal."""
        return self.ratio <= GOAL_NESTING


def draw_again(file: Path, output: Path) -> None:
    """The table and the picture of what `json` of `run` wrote, into the folder `output`."""
    measurements = read(file)
    _show(Console(), measurements)
    output.mkdir(parents=True, exist_ok=True)
    _draw(output / "speed.png", measurements)
    print(f"Picture: {output / 'speed.png'}")


def read(file: Path) -> list[Measurement]:
    """What `json` of `run` wrote. Raises UserError for another file."""
    try:
        found = json_text.loads(file.read_text())["measurements"]
        return [
            Measurement(**{name: value for name, value in m.items() if name != "bytes_per_cell_step"})
            for m in found
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} was not written by `squall lab speed --results`: {error!r}") from None


def run(output: Path, repeats: int, json: Path | None) -> None:
    """Measures, prints the table, draws the picture into `output`, writes `json`."""
    console = Console()
    workspace = Workspace(output.resolve())
    measurements = measure(workspace, repeats, console)
    tracer = measure_tracers(workspace, repeats, console)
    nesting = measure_nesting(workspace, repeats, console)
    forecasts = speed_forecasts.measure(workspace, repeats, console)
    _show(console, measurements)
    _judge_all(console, measurements)
    console.print(
        f"Each tracer costs {tracer.seconds * 1e9:.1f} ns per cell-step on 1 core "
        f"({tracer.bytes / 1e3:.2f} kB, {tracer.share:.1%} of a step with one tracer).",
        highlight=False,
    )
    show_table(console, "Nesting", NESTING_COLUMNS, nesting_rows(nesting))
    console.print("Time of nested steps divided by the time of their domains' own steps.")
    for forecast in forecasts:
        _judge_forecast(console, forecast)
    _draw(workspace.picture("speed"), measurements)
    console.print(f"Picture: {output / 'speed.png'}")
    if json:
        write_json(json, _to_json(measurements, tracer, nesting, forecasts))


def beside_wrf(folder: Path, output: Path, repeats: int, json: Path | None) -> None:
    """Times a built WRF and Squall in turn, prints their ratios, writes `json`. Raises UserError where
    `folder` holds no built WRF, or the reference data are missing."""
    console = Console()
    try:
        ratios = speed_wrf.measure(BuiltWrf(folder), Workspace(output.resolve()), repeats, console)
    except Skipped as missing:
        raise UserError(f"--wrf {missing}.") from None
    speed_wrf.show(console, ratios)
    if json:
        told = {"processor": machine.processor(), "cores": machine.cores()}
        write_json(json, {**told, "beside_wrf": speed_wrf.to_json(ratios)})


def measure(workspace: Workspace, repeats: int, console: Console) -> list[Measurement]:
    """All domains on one core and on all. Raises UserError where a program is missing or fails."""
    found = []
    for name, layout in _layouts().items():
        for size in SIZES:
            with console.status(f"{size.label}, {name} ..."):
                found.append(measure_one(workspace, size, name, layout, repeats))
    return found


def _layouts() -> dict[str, Layout]:
    """One core, and all, by name."""
    cores = machine.cores()
    if cores == 1:
        return {"1 core": ONE_CORE}
    return {
        "1 core": ONE_CORE,
        f"{cores} threads": Layout(1, cores),
        f"{cores} ranks": Layout(cores, 1),
    }


def measure_nesting(workspace: Workspace, repeats: int, console: Console) -> list[NestingCost]:
    """Of a storm with a nest, on one core and on all: medians over the repeats."""
    found = []
    for name, layout in _layouts().items():
        with console.status(f"nests, {name} ..."):
            ratios = [nesting_ratio(_time(workspace, NESTED, layout)["domains"]) for _ in range(repeats)]
        found.append(NestingCost(name, statistics.median(ratios)))
    return found


def nesting_ratio(domains: list[dict[str, Any]]) -> float:
    """Of the `domains` of a run's timing: their steps with what passes between them, over their steps."""
    own = sum(domain["own"] for domain in domains)
    ratio: float = 1 + sum(domain["nesting"] for domain in domains) / own
    return ratio


def measure_tracers(workspace: Workspace, repeats: int, console: Console) -> TracerCost:
    """From runs with few and many tracers in turn, so that both see the same state of the machine."""
    few, many = (with_tracers(number) for number in TRACERS)
    cell_steps = few.nx * few.ny * few.nz * few.steps
    costs, shares, bandwidths = [], [], []
    for _ in range(repeats):
        with console.status("tracers ..."):
            bandwidths.append(triad(1))
            short, long = (_time(workspace, size, ONE_CORE)["seconds"] for size in (few, many))
        extra = (long - short) / (TRACERS[1] - TRACERS[0])
        costs.append(extra / cell_steps)
        shares.append(extra / short)
    seconds = statistics.median(costs)
    return TracerCost(seconds, statistics.median(shares), seconds * statistics.median(bandwidths))


def measure_one(workspace: Workspace, size: Size, name: str, layout: Layout, repeats: int) -> Measurement:
    """One domain, by the layout of a name."""
    runs = [measure_run(workspace, size, name, layout) for _ in range(repeats)]
    median = sorted(runs, key=lambda run: run.cell_steps, reverse=True)[repeats // 2]
    return replace(median, bandwidth=statistics.median(run.bandwidth for run in runs))


def measure_run(workspace: Workspace, size: Size, name: str, layout: Layout) -> Measurement:
    """One run of it. The triad runs before, so that both see the same state of the machine."""
    cores = layout.ranks * layout.threads
    bandwidth = triad(cores)
    timing = _time(workspace, size, layout)
    speed = timing["cells"] * timing["steps"] / timing["seconds"]
    return Measurement(size.label, cores, name, speed, bandwidth, timing["stages"])


def _time(workspace: Workspace, size: Size, layout: Layout) -> dict[str, Any]:
    """One timed run: {"steps", "seconds", "cells", "stages": {name: seconds}, ...}."""
    timing = workspace.directory / "timing.json"
    run_file = workspace.variant(size.case.name, size.case.name, CHANGES)
    workspace.run("speed", run_file, size.run_settings(), layout, timing)
    result: dict[str, Any] = json_text.loads(timing.read_text())
    return result


def _show(console: Console, measurements: list[Measurement]) -> None:
    show_table(console, "Speed", COLUMNS, rows_of(measurements))
    console.print(
        "Per core: M/s: million cell-steps per second; GB/s: STREAM triad bandwidth; kB: "
        "bandwidth per cell-step."
    )


COLUMNS = ("domain", "on", "M/s", "GB/s", "kB", "speed-up")


def rows_of(measurements: list[Measurement]) -> list[list[str]]:
    """The table: each domain once by name."""
    rows = []
    for size in SIZES:
        of_domain = [
            [
                m.layout,
                f"{m.per_core / 1e6:.2f}",
                f"{m.bandwidth / m.cores / 1e9:.1f}",
                f"{m.bytes / 1e3:.2f}",
                f"{_speed_up(m, measurements):.2f}" if m.cores > 1 else "",
            ]
            for m in measurements
            if m.domain == size.label
        ]
        rows += [[size.label if n == 0 else "", *cells] for n, cells in enumerate(of_domain)]
    return rows


def _judge_all(console: Console, measurements: list[Measurement]) -> None:
    several = [m for m in measurements if m.cores == 2 and m.domain == SCALING.label]
    if several:
        best = max(_speed_up(m, measurements) for m in several)
        what = f"2 cores {best:.2f} times as fast as 1 on {SCALING.label}"
        _judge(console, best >= GOAL_SCALING, what, f"{GOAL_SCALING}")


def _judge_forecast(console: Console, forecast: Forecast) -> None:
    console.print(
        f"{1e3 * forecast.seconds:.1f} ms per step, mean over a day of {forecast.name} with all physics, "
        f"on 1 core.",
        highlight=False,
    )
    timed, usual = speed_forecasts.TIMED, speed_forecasts.USUAL
    share, goal = forecast.share_of_radiation(usual), speed_forecasts.GOAL_RADIATION
    what = f"radiation every {usual} steps is {share:.0%} of that day"
    what += f" (every {timed}: {forecast.share_of_radiation(timed):.0%})"
    _judge(console, share <= goal, what, f"{goal:.0%}")


NESTING_COLUMNS = ("on", "ratio", "goal", "WRF", "")


def nesting_rows(nesting: list[NestingCost]) -> list[list[str]]:
    """The table: each layout, and whether it reaches the goal."""
    goal, wrf = f"{GOAL_NESTING:.2f}", f"{WRF_NESTING:.2f}"
    return [[cost.layout, f"{cost.ratio:.3f}", goal, wrf, _verdict(cost.reached)] for cost in nesting]


def _verdict(reached: bool) -> str:
    return "[green]reached[/]" if reached else "[bold red]missed[/]"


def _judge(console: Console, reached: bool, what: str, goal: str) -> None:
    console.print(f"Goal of {goal} {_verdict(reached)}: {what}.", highlight=False)


def _speed_up(measurement: Measurement, all_of_them: list[Measurement]) -> float:
    """Over the same domain on one core."""
    one = next(m for m in all_of_them if m.domain == measurement.domain and m.cores == 1)
    return measurement.cell_steps / one.cell_steps


def _draw(path: Path, measurements: list[Measurement]) -> None:
    domains = list(dict.fromkeys(m.domain for m in measurements))
    layouts = list(dict.fromkeys(m.layout for m in measurements))
    width = 0.8 / len(layouts)
    with picture(path, 9, 4) as figure:
        axes = figure.subplots()
        for index, layout in enumerate(layouts):
            values = [m.bytes / 1e3 for m in measurements if m.layout == layout]
            bars = axes.bar(
                np.arange(len(domains)) + (index - (len(layouts) - 1) / 2) * width,
                values,
                width,
                label=layout,
            )
            axes.bar_label(bars, fmt="%.1f", fontsize=7, label_type="center", color="white")
        style.plain(axes)
        axes.set_xticks(range(len(domains)), [domain.replace(", ", "\n") for domain in domains])
        axes.set(
            ylabel="memory bandwidth / speed (kB per cell-step)", title="Speed of the model (lower is faster)"
        )
        axes.legend(loc="upper left")


def _to_json(
    measurements: list[Measurement],
    tracer: TracerCost,
    nesting: list[NestingCost],
    forecasts: list[Forecast],
) -> dict[str, Any]:
    return {
        "processor": machine.processor(),
        "cores": machine.cores(),
        "measurements": [asdict(m) | {"bytes_per_cell_step": m.bytes} for m in measurements],
        "tracer": asdict(tracer),
        "forecasts": [asdict(forecast) for forecast in forecasts],
        "nesting": {
            "wrf": WRF_NESTING,
            **{cost.layout: cost.ratio for cost in nesting},
            "reached": all(cost.reached for cost in nesting),
        },
        "goal": {
            "speed_up": GOAL_SCALING,
            "nesting": GOAL_NESTING,
        },
    }
