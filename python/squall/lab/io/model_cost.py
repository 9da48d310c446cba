"""The cost of output to a run: the same steps with history every ten steps, and without."""

import json as json_text
import statistics
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.lab.workspace import Layout, Workspace
from squall.results import show_table, write_json

STEPS = 200
STEPS_PER_FRAME = 10
REPEATS = 3
GOAL = 0.01


@dataclass(frozen=True)
class Run:
    """Seconds of one run: stepping, waiting for output between steps, and the longest drain."""

    stepping: float
    waiting: float = 0.0
    drain: float = 0.0


@dataclass(frozen=True)
class Cost:
    """Medians over the repeats."""

    placement: str
    waiting: float  # share of the run's time that its ranks waited for output
    slower: float  # stepping, against the run without output just before, as a share of it
    interval: float  # between frames [s]
    drain: float  # the longest [s]

    @property
    def fits(self) -> bool:
        return self.drain <= self.interval


def run(case: str, ranks: int, servers: int, directory: Path, json: Path | None) -> None:
    """Prints what each placement costs a run of the case. Raises UserError if a run fails."""
    console = Console()
    workspace = Workspace(directory.resolve())
    runs: dict[str, list[Run]] = {"none": [], "inline": [], "thread": [], "servers": []}
    for repeat in range(REPEATS):
        for placement in runs:
            with console.status(f"{placement}, {repeat + 1} of {REPEATS} ..."):
                runs[placement].append(_run(workspace, case, placement, ranks, servers))
    costs = [_cost(placement, runs[placement], runs["none"]) for placement in list(runs)[1:]]
    _show(console, costs)
    if json:
        found = {"case": case, "ranks": ranks, "servers": servers, "cores": machine.cores()}
        write_json(json, found | {"steps": STEPS, "costs": [asdict(cost) for cost in costs]})


def _run(workspace: Workspace, case: str, placement: str, ranks: int, servers: int) -> Run:
    timing = workspace.directory / "timing.json"
    step = _time_step(locate.run_file(case))
    settings = {"run.duration": f"{STEPS * step:g} s", "output.history.interval": "0 s"}
    apart = servers if placement == "servers" else 0
    if placement != "none":
        settings["output.history.interval"] = f"{STEPS_PER_FRAME * step:g} s"
        settings["output.history.placement"] = placement
    if apart:
        settings["output.servers"] = str(apart)
    run = workspace.run("cost", locate.run_file(case), settings, Layout(ranks + apart, 1), timing)
    stepping = json_text.loads(timing.read_text())["stages"]["dynamics"]
    if placement == "none":
        return Run(stepping)
    history = _history(json_text.loads((run / "io-report.json").read_text()))
    return Run(stepping, history["perceived_total"], history["drain_largest"])


def _time_step(run_file: Path) -> float:
    """Seconds. Raises UserError for a run file that does not give them in seconds."""
    text = tomllib.loads(run_file.read_text())["run"]["time_step"]
    value, _, unit = text.partition(" ")
    if unit != "s":
        raise UserError(f"{run_file}: run.time_step is {text}, but the measurement needs it in s.")
    return float(value)


def _history(report: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(stream for stream in report["streams"] if stream["name"] == "history")
    return found


def _cost(placement: str, runs: list[Run], without: list[Run]) -> Cost:
    return Cost(
        placement,
        waiting=statistics.median(r.waiting / (r.waiting + r.stepping) for r in runs),
        slower=statistics.median(r.stepping / w.stepping - 1 for r, w in zip(runs, without, strict=True)),
        interval=statistics.median(r.stepping for r in runs) * STEPS_PER_FRAME / STEPS,
        drain=statistics.median(r.drain for r in runs),
    )


def _show(console: Console, costs: list[Cost]) -> None:
    columns = ["placement", "waiting for output", "steps slower by", "interval, s", "longest drain, s"]
    rows = [
        [
            *(cost.placement, f"{cost.waiting:.2%}", f"{cost.slower:.1%}"),
            *(f"{cost.interval:.3f}", f"{cost.drain:.3f}"),
        ]
        for cost in costs
    ]
    show_table(console, f"A frame every {STEPS_PER_FRAME} of {STEPS} steps", columns, rows)
    for cost in costs[1:]:
        verdict = "[green]reached[/]" if cost.waiting <= GOAL else "[bold red]missed[/]"
        fits = "" if cost.fits else ", although frames drain more slowly than they are produced"
        console.print(
            f"Goal of {GOAL:.0%} {verdict}: {cost.placement} waits {cost.waiting:.2%} of the time{fits}.",
            highlight=False,
        )
