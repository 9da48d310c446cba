"""`squall lab profile-overhead`: what `squall run --profile` costs a run.

Runs of a supercell in pairs, with and without the profile, turn by turn and each first in every other pair,
so that what else the machine does falls on both; the median of the pairs' ratios counts. Where the processor
counts instructions for a process, those of both too, which other programs do not change.
"""

import json as json_text
import shutil
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall.commands import panels
from squall.errors import UserError
from squall.lab.workspace import NOBODY, Layout, Workspace
from squall.runs.running import Watch

app = typer.Typer()

GOAL = 0.02  # of the time
_CASE, _TIME_STEP = "supercell", 12  # s
_HELP = """Measure what `squall run --profile` costs: runs with and without it, turn by turn.

Prints, for each layout, the median over pairs of how much longer the steps of the profiled run took, and how
many more instructions it was, where the processor's counters can be read. Exits with 1 where three quarters
of the pairs are more than 2 %.

[bold]Examples[/bold]

    squall lab profile-overhead
    squall lab profile-overhead --pairs 15 --json overhead.json
"""


@dataclass(frozen=True)
class Setup:
    """Cells of the domain, its steps, and how many pairs of runs."""

    size: tuple[int, int, int] = (80, 80, 40)
    steps: int = 40
    pairs: int = 7


@dataclass(frozen=True)
class Overhead:
    """Of a layout. ratios: of each pair, the seconds of a step with the profile over those without;
    instructions: likewise, of one pair of whole runs; None: the machine does not let them be counted."""

    ranks: int
    threads: int
    ratios: list[float]
    instructions: float | None

    @property
    def more(self) -> float:
        """The median, as a share of the time."""
        return statistics.median(self.ratios) - 1

    @property
    def beyond(self) -> bool:
        """Whether all but the lowest quarter of the pairs are beyond the goal: of half of them noise says so
        on a machine that is not idle."""
        return sorted(self.ratios)[len(self.ratios) // 4] - 1 > GOAL

    def __str__(self) -> str:
        return f"{self.ranks} x {self.threads}"


@app.command("profile-overhead", help=panels.explained(_HELP))
def profile_overhead_command(
    pairs: Annotated[int, typer.Option(min=1, help="Of runs, of each layout; the median counts.")] = 7,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs.")] = Path("runs/overhead"),
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all of it.", show_default=False)
    ] = None,
) -> None:
    from squall import machine
    from squall.lab.report import show_table, write_json

    console, setup = Console(), Setup(pairs=pairs)
    cores = machine.cores()
    layouts = {(1, 1), (1, cores), (min(2, cores), 1)}
    found = []
    for ranks, threads in sorted(layouts):
        with console.status(f"{ranks} ranks x {threads} threads ..."):
            found.append(measure(setup, Workspace(output.resolve()), Layout(ranks, threads)))
    nx, ny, nz = setup.size
    title = f"A run with --profile over one without: {setup.steps} steps of {nx} x {ny} x {nz} cells"
    columns = ["ranks x threads", "longer by, %", "pairs from, %", "to, %", "more instructions, %"]
    show_table(console, title, columns, [row(overhead) for overhead in found])
    if json:
        about = {"processor": machine.processor(), "setup": asdict(setup)}
        write_json(json, about | {"layouts": [asdict(o) | {"more": o.more} for o in found]})
    slow = [str(overhead) for overhead in found if overhead.beyond]
    if slow:
        raise UserError(f"more than {GOAL:.0%} longer: {', '.join(slow)}", 1)


def row(overhead: Overhead) -> list[str]:
    counted = overhead.instructions
    percent = [overhead.more, min(overhead.ratios) - 1, max(overhead.ratios) - 1]
    return [
        str(overhead),
        *(f"{100 * share:.2f}" for share in percent),
        "not counted here" if counted is None else f"{100 * (counted - 1):.2f}",
    ]


def measure(setup: Setup, workspace: Workspace, layout: Layout) -> Overhead:
    """Raises UserError where a run fails."""
    run_file = workspace.variant("storm", _CASE, {"output.history": None})
    run = _Runs(setup, workspace, layout, run_file)
    ratios = []
    for pair in range(setup.pairs):
        profiled_first = bool(pair % 2)
        seconds = {profiled: run.seconds(profiled) for profiled in (profiled_first, not profiled_first)}
        ratios.append(seconds[True] / seconds[False])
    return Overhead(layout.ranks, layout.threads, ratios, run.instructions())


@dataclass(frozen=True)
class _Runs:
    setup: Setup
    workspace: Workspace
    layout: Layout
    run_file: Path

    def seconds(self, profiled: bool) -> float:
        """Of a step, the median of all but the first."""
        timing = self.workspace.directory / "timing.json"
        self._run(self._watch(profiled), timing)
        steps: list[float] = json_text.loads(timing.read_text())["each_step"]
        return statistics.median(steps[1:])

    def instructions(self) -> float | None:
        """With the profile over without, of one process."""
        if self.layout.ranks > 1 or not _counts():
            return None
        with_it, without = (self._instructions(profiled) for profiled in (True, False))
        return with_it / without

    def _instructions(self, profiled: bool) -> float:
        told = self.workspace.directory / "perf.txt"
        self._run(replace(self._watch(profiled), before=(*_PERF, "-o", str(told))), None)
        return counted(told.read_text().splitlines())

    def _watch(self, profiled: bool) -> Watch:
        from squall.profile import profiling

        return profiling.watching(self.workspace.directory / "profile") if profiled else NOBODY

    def _run(self, watch: Watch, timing: Path | None) -> None:
        settings = {f"domain.n{axis}": str(n) for axis, n in zip("xyz", self.setup.size, strict=True)}
        settings["run.duration"] = f"{self.setup.steps * _TIME_STEP} s"
        self.workspace.run("overhead", self.run_file, settings, self.layout, timing, watch)


_PERF = ("perf", "stat", "-x", ",", "-e", "instructions:u")


def _counts() -> bool:
    if shutil.which(_PERF[0]) is None:
        return False
    done = subprocess.run([*_PERF, "true"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and "<not " not in done.stderr


def counted(lines: Sequence[str]) -> float:
    """Of what perf wrote. Raises ValueError where that is no count."""
    return float(next(line for line in lines if "instructions" in line).split(",")[0])
