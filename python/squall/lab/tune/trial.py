"""A short run of the case, and the time per step of the whole run derived from it."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError
from squall.lab.tune.problem import Candidate, Problem
from squall.runs import launch

_GRACE = 5.0  # s, for ranks to end


class TooSlowError(Exception):
    """The run was stopped: it took longer than it had."""


@dataclass(frozen=True)
class Length:
    """Steps of a trial, and between its frames: as many as in the run, or fewer where those are too many."""

    steps: int
    interval: int  # of the most frequent stream; 0: the case writes nothing
    whole_interval: int = 0


@dataclass(frozen=True)
class Took:
    """Of a trial: s a step of the whole run, output included, and all of the trial."""

    step: float
    wall: float


def length(problem: Problem, step: float, seconds: float) -> Length:
    """A trial of about so many seconds, where a step takes `step`."""
    affordable = max(8, round(seconds / step))
    if not problem.streams:
        return Length(min(problem.steps, affordable), 0)
    interval = min(stream.steps for stream in problem.streams)
    here = min(interval, max(2, affordable // 3))
    frames = max(2, affordable // here)
    return Length(min(problem.steps, here * frames), here, interval)


def run(
    problem: Problem, candidate: Candidate, size: Length, folder: Path, limit: float | None = None
) -> Took:
    """Raises TooSlowError beyond `limit` seconds, UserError for what the model refuses."""
    directory = folder / "trial"
    timing = folder / "timing.json"
    folder.mkdir(parents=True, exist_ok=True)
    arguments = [str(problem.run_file), "--overwrite", "--timing", str(timing)]
    if candidate.threads:
        arguments += ["--threads", str(candidate.threads)]
    settings = _frequency(problem, size) | dict(candidate.settings)
    settings |= {"run.directory": str(directory), "run.duration": f"{size.steps * problem.time_step:.10g} s"}
    for key, value in settings.items():
        arguments += ["--set", f"{key}={value}"]
    start = launch.prepare(locate.model_binary(), arguments, candidate.ranks, candidate.threads)
    begin = time.monotonic()
    try:
        _execute(start, limit)
        wall = time.monotonic() - begin
        return Took(_step(json.loads(timing.read_text()), _report(directory), size), wall)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        timing.unlink(missing_ok=True)


def _frequency(problem: Problem, size: Length) -> dict[str, str]:
    """Intervals of the trial, of all streams in proportion."""
    settings = {}
    for stream in problem.streams:
        steps = stream.steps
        if size.interval < size.whole_interval:
            steps = max(1, round(stream.steps * size.interval / size.whole_interval))
        settings[stream.key("interval")] = f"{steps * problem.time_step:.10g} s"
        if "sample" in stream.table:
            settings[stream.key("sample")] = f"{problem.time_step:.10g} s"
    return settings


def _execute(start: launch.Start, limit: float | None) -> None:
    environment = start.whole_environment() | {"SQUALL_TERMINAL": "0"}
    process = subprocess.Popen(
        start.command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
    )
    try:
        said, _ = process.communicate(timeout=limit)
    except BaseException as error:
        _end(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise TooSlowError from None
        raise
    if process.returncode != 0:
        raise UserError(
            "\n".join(said.splitlines()[-6:]) or f"it failed with exit code {process.returncode}", 1
        )


def _end(process: subprocess.Popen[str]) -> None:
    """Asked first: mpirun takes its ranks with it then."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GRACE)
            return


def _report(directory: Path) -> list[dict[str, Any]]:
    path = directory / "io-report.json"
    streams: list[dict[str, Any]] = json.loads(path.read_text())["streams"] if path.is_file() else []
    return streams


def _step(timing: dict[str, Any], streams: list[dict[str, Any]], size: Length) -> float:
    """Seconds a step of the whole run.

    What frames cost is what ranks waited for them, what was left to store at the end beyond the last one,
    which grows where storing takes longer than a frame's interval, and what steps took longer than the median
    because something else had the cores. A trial with more frequent frames than the run has that more often.
    """
    each = timing["each_step"][1:] or timing["each_step"]
    mean = sum(each) / len(each)
    frames = max((s["frames"] for s in streams), default=0)
    if frames < 2 or not size.interval:
        return float(mean)
    perceived = sum(s["perceived_total"] for s in streams)
    left = timing["stages"]["output"] - perceived - max(s["drain_median"] for s in streams)
    waited = (perceived + max(0.0, left)) / frames
    if size.interval == size.whole_interval:
        return float(mean + waited / size.interval)
    median = sorted(each)[len(each) // 2]
    disturbed = max(0.0, mean - median) * size.interval
    return float(median + (disturbed + waited) / size.whole_interval)
