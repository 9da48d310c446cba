"""What `squall lab speed --beside` times: the model at hand and another build of it, in turn, on one core.

The time of a step is its processor's, which what else runs on the machine disturbs little: of each case the
median over the steps of all repeats, without the first of each run.
"""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.lab.speed_domains import CHANGES, SIZES, Size
from squall.lab.workspace import Layout, Workspace
from squall.results import show_table, write_json


@dataclass(frozen=True)
class Pair:
    """Seconds a step of a domain, of the model at hand and of the other build."""

    domain: str
    here: float
    other: float

    @property
    def ratio(self) -> float:
        """The speed of the model at hand over the other's."""
        return self.other / self.here


def run(other: Path, output: Path, repeats: int, to: Path | None) -> None:
    """Times both, prints their ratios, writes `to`. Raises UserError where `other` is no program."""
    if not other.is_file():
        raise UserError(f"--beside names {other}, which is not a program.")
    console = Console()
    pairs = measure(other, Workspace(output.resolve()), repeats, console)
    show(console, pairs, other)
    if to:
        told = {"processor": machine.processor(), "cores": machine.cores()}
        write_json(
            to, {**told, "here": str(locate.model_binary()), "other": str(other), "beside": to_json(pairs)}
        )


def measure(other: Path, workspace: Workspace, repeats: int, console: Console) -> list[Pair]:
    """All domains. Raises UserError where a program is missing or fails."""
    programs = locate.model_binary(), other
    found = []
    for size in SIZES:
        steps: list[list[float]] = [[], []]
        for _ in range(repeats):
            with console.status(f"{size.label}, both in turn ..."):
                for own, program in zip(steps, programs, strict=True):
                    own += _run(workspace, size, program)
        found.append(Pair(size.label, *map(statistics.median, steps)))
    return found


def _run(workspace: Workspace, size: Size, program: Path) -> list[float]:
    timing = workspace.directory / "timing.json"
    run_file = workspace.variant(size.case.name, size.case.name, CHANGES)
    workspace.run("beside", run_file, size.run_settings(), Layout(1, 1), timing, model=program)
    seconds: list[float] = json.loads(timing.read_text())["each_step_processor"]
    return seconds[1:]


def show(console: Console, pairs: Sequence[Pair], other: Path) -> None:
    """The table of both."""
    rows = [[p.domain, f"{1e3 * p.here:.2f}", f"{1e3 * p.other:.2f}", f"{p.ratio:.3f}"] for p in pairs]
    show_table(console, "Two builds in turn, one core", ("domain", "here, ms", "other, ms", "speed"), rows)
    console.print(
        f"Here: {locate.model_binary()}. Other: {other}. Milliseconds of the processor a step; speed: here "
        "over other.",
        highlight=False,
    )


def to_json(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The pairs, as written to a file of results."""
    return [{**asdict(pair), "ratio": pair.ratio} for pair in pairs]
