"""Runs the model and the plotting process beside or behind it."""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from squall.errors import UserError
from squall.io import engines
from squall.lab.variants import Changes
from squall.lab.workspace import ONE_CORE, Workspace
from squall.runs import report
from squall_studies.pipeline.cores import Cores, apart
from squall_studies.pipeline.others import Others
from squall_studies.pipeline.setup import CASE, FRAMES, SHARE, TIME_STEP, WAYS, Setup, Way

Span = tuple[float, float]  # from, to


@dataclass(frozen=True)
class Run:
    """One run with its plots; all times in seconds since the model was started.

    model: when it had ended. last_plot: when the last plot was there. own: how long the run of this round
    took that had no output. Of each frame: when its points were ready, until when the model waited for it,
    when it was written or handed on, and when it was plotted. others: cores that other programs took
    meanwhile, in the mean; of this run and of that without output the larger number.
    """

    way: str
    own: float
    model: float
    last_plot: float
    others: float
    committed: list[float]
    waits: list[Span]
    writes: list[Span]
    plots: list[Span]

    @property
    def behind(self) -> list[float]:
        """How long after its commit each frame was with the process that plots."""
        return [max(0.0, got - ready) for ready, (got, _) in zip(self.committed, self.plots, strict=True)]


def fitted(setup: Setup, cores: Cores, workspace: Workspace, console: Console) -> Setup:
    """Every how many steps a frame's plots take SHARE of the model's time on this machine, and so many steps
    that there are FRAMES, where `setup` leaves that open."""
    if not setup.repeats:
        return setup
    if not setup.every:
        trial = replace(setup, steps=24, every=3)
        with console.status("one frame's plots, and a step ..."):
            step = _step(workspace, trial, cores)
            run = _run(workspace, trial, WAYS["files"], Own(step * trial.steps, 0), cores)
        plot = statistics.median(to - since for since, to in run.plots)
        setup = replace(setup, every=max(1, math.ceil(plot / (SHARE * step))))
        setup = setup if setup.steps else replace(setup, steps=FRAMES * setup.every)
        seconds = step * setup.steps * (1 + len(setup.ways) + SHARE)  # without output, and plots afterwards
        console.print(
            f"A frame every {setup.every} steps; a round takes about {seconds:.0f} s.", highlight=False
        )
    return setup if setup.steps else replace(setup, steps=FRAMES * setup.every)


def measure(setup: Setup, cores: Cores, workspace: Workspace, console: Console) -> list[Run]:
    """All ways in turn, as often as `setup` says. Raises UserError where a run or a plot fails."""
    ways = [WAYS[name] for name in setup.ways if _built(WAYS[name], console)]
    made = []
    for repeat in range(setup.repeats):
        with console.status(f"without output, {repeat + 1} of {setup.repeats} ..."):
            own = _own(workspace, setup, cores)
        for way in ways:
            with console.status(f"{way.name}, {repeat + 1} of {setup.repeats} ..."):
                made.append(_run(workspace, setup, way, own, cores))
    return made


def _built(way: Way, console: Console) -> bool:
    if way.engine in engines():
        return True
    console.print(f"Left out: {way.name}; this build has no engine {way.engine}.", highlight=False)
    return False


def _changes(setup: Setup) -> Changes:
    nx, ny, nz = setup.size
    return {
        "domain.nx": nx,
        "domain.ny": ny,
        "domain.nz": nz,
        "run.time_step": f"{TIME_STEP} s",
        "run.duration": f"{setup.steps * TIME_STEP} s",
        "output.history.interval": f"{setup.every * TIME_STEP} s",
    }


@dataclass(frozen=True)
class Own:
    """The run without output: from the start of the model to its end [s], and the cores of others."""

    seconds: float
    others: float


def _own(workspace: Workspace, setup: Setup, cores: Cores, timing: Path | None = None) -> Own:
    run_file = workspace.variant("own", CASE, dict(_changes(setup)) | {"output.history.interval": "0 s"})
    began, others = time.time(), Others()
    with apart(cores):
        workspace.run("own", run_file, {}, ONE_CORE, timing)
    return Own(time.time() - began, others.cores())


def _step(workspace: Workspace, setup: Setup, cores: Cores) -> float:
    """Of the model's own [s], without its start."""
    timing = workspace.directory / "own.timing.json"
    _own(workspace, setup, cores, timing)
    return float(json.loads(timing.read_text())["seconds"]) / setup.steps


def _run(workspace: Workspace, setup: Setup, way: Way, own: Own, cores: Cores) -> Run:
    name = way.name.replace(" ", "-")
    run_file = workspace.variant(name, CASE, dict(_changes(setup)) | dict(way.changes))
    run, diary = workspace.directory / name, workspace.directory / f"{name}.plots.jsonl"
    shutil.rmtree(run, ignore_errors=True)
    others = Others()
    with Plotter(run, workspace.directory / f"{name}-plots", diary, cores) as plotter:
        if way.meanwhile:
            plotter.begin()
        began = time.time()
        with apart(cores):
            workspace.run(name, run_file, {}, ONE_CORE)
        ended = time.time()
        if not way.meanwhile:
            plotter.begin()
    plotted = [json.loads(line) for line in diary.read_text().splitlines()]
    if len(plotted) != setup.frames:
        raise UserError(f"{way.name}: {len(plotted)} of {setup.frames} frames were plotted.", 1)
    found = Run(
        way.name, own.seconds, ended - began, plotted[-1]["plotted"] - began,
        max(own.others, others.cores()), *_frames(run, began),
        plots=[(frame["got"] - began, frame["plotted"] - began) for frame in plotted],
    )  # fmt: skip
    shutil.rmtree(run)
    return found


class Plotter:
    """The process that plots. As a context it is waited for; `begin` lets it begin."""

    def __init__(self, run: Path, folder: Path, diary: Path, cores: Cores) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "squall_studies.pipeline.plotter", run, folder, diary],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        os.sched_setaffinity(self._process.pid, cores.rest)

    def begin(self) -> None:
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def __enter__(self) -> "Plotter":
        assert self._process.stdout
        self._process.stdout.readline()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        complaints = self._process.communicate()[1]
        if kind is None and self._process.returncode:
            raise UserError(f"The plots failed: {complaints.strip()[-2000:]}", 1)


def _frames(run: Path, began: float) -> tuple[list[float], list[Span], list[Span]]:
    """Of the run's report: when frames were committed, waited for and written."""
    content = report.load(run).content
    start = content["started"] - began
    history: dict[str, Any] = next(s for s in content["streams"] if s["name"] == "history")
    frames = history["timeline"]
    return (
        [start + f["committed"] for f in frames],
        [(start + f["begun"], start + f["begun"] + f["perceived"]) for f in frames],
        [(start + f["drain_begun"], start + f["drain_ended"]) for f in frames],
    )
