"""`squall lab profile-overhead`: what `squall run --profile` costs a run.

Runs of a supercell in pairs, with and without the profile, turn by turn and each first in every other pair,
so that what else the machine does falls on both; the median of the pairs' ratios counts. Beside the time, the
processor's, which other programs disturb less, and where the processor counts instructions for a process,
those of both. What is left of noise hides what is far below a hundredth of a step. So what one event of a
profile costs is measured where it is not: on a domain so small that its steps are little else. How many
events a step of the large one has is counted.
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
from squall.lab.workspace import NOBODY, ONE_CORE, Layout, Workspace
from squall.runs.running import Watch

app = typer.Typer()

GOAL = 0.02  # of the time
_CASE, _TIME_STEP = "supercell", 12  # s
_HELP = """Measure what `squall run --profile` costs: runs with and without it, turn by turn.

Prints, for each layout, the median over pairs of how much longer the steps of the profiled run took, by the
clock and of the processor, and how many more instructions it was, where the processor's counters can be read;
and what the events of a step come to, at what one costs on a domain with hardly any cells. Exits with 1 where
three quarters of the pairs are more than 2 %, by both times.

[bold]Examples[/bold]

    squall lab profile-overhead
    squall lab profile-overhead --repeats 25 --results overhead.json
"""


@dataclass(frozen=True)
class Setup:
    """Cells of the domain, its steps, and how many pairs of runs."""

    size: tuple[int, int, int] = (80, 80, 40)
    steps: int = 40
    pairs: int = 15


#: Cells that take less than the events of their steps can be seen beside.
SMALL = Setup((12, 12, 10), 200)


@dataclass(frozen=True)
class Overhead:
    """Of a layout. ratios, processor: of each pair, the seconds of a step, and those of the processor, with
    the profile over those without; instructions: likewise, of one pair of whole runs; None: the machine does
    not let them be counted. events: of a step; step: its seconds of the processor without the profile."""

    ranks: int
    threads: int
    ratios: list[float]
    processor: list[float]
    instructions: float | None
    events: float
    step: float

    @property
    def more(self) -> float:
        """The median, as a share of the time."""
        return statistics.median(self.ratios) - 1

    @property
    def beyond(self) -> bool:
        """Whether all but the lowest quarter of the pairs are beyond the goal, by both times: of half of them
        noise says so on a machine that is not idle."""
        return all(sorted(ratios)[len(ratios) // 4] - 1 > GOAL for ratios in (self.ratios, self.processor))

    def of_events(self, event: float) -> float:
        """As a share of the step, where one takes so many seconds."""
        return self.events * event / self.step

    def __str__(self) -> str:
        return f"{self.ranks} x {self.threads}"


@app.command("profile-overhead", help=panels.explained(_HELP))
def profile_overhead_command(
    pairs: Annotated[
        int, typer.Option("--repeats", min=1, help="Pairs of runs of each layout; the median counts.")
    ] = 15,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the runs.")] = Path(
        "runs/overhead"
    ),
    json: Annotated[
        Path | None, typer.Option("--results", metavar="FILE", help="Write all of it.", show_default=False)
    ] = None,
) -> None:
    from squall import machine
    from squall.results import show_table, write_json

    console, setup = Console(), Setup(pairs=pairs)
    cores = machine.cores()
    layouts = {(1, 1), (1, cores), (min(2, cores), 1)}
    found = []
    for ranks, threads in sorted(layouts):
        with console.status(f"{ranks} ranks x {threads} threads ..."):
            found.append(measure(setup, Workspace(output.resolve()), Layout(ranks, threads)))
    with console.status("an event ..."):
        event = seconds_of_event(replace(SMALL, pairs=pairs), Workspace(output.resolve()))
    nx, ny, nz = setup.size
    title = f"A run with --profile over one without: {setup.steps} steps of {nx} x {ny} x {nz} cells"
    columns = ["ranks x threads", "longer by, %", "pairs from, %", "to, %", "processor longer by, %"]
    columns += ["from, %", "to, %", "more instructions, %", "events a step", "their cost, %"]
    show_table(console, title, columns, [row(overhead, event) for overhead in found])
    console.print(
        f"An event takes {1e9 * event:.0f} ns, as a step of {' x '.join(map(str, SMALL.size))} cells on one "
        "core tells, of the processor's time.",
        highlight=False,
    )
    if json:
        about = {"processor": machine.processor(), "setup": asdict(setup)}
        rows = [asdict(o) | {"more": o.more, "of_events": o.of_events(event)} for o in found]
        write_json(json, about | {"event": event, "layouts": rows})
    slow = [str(overhead) for overhead in found if overhead.beyond]
    if slow:
        raise UserError(f"more than {GOAL:.0%} longer: {', '.join(slow)}", 1)


def row(overhead: Overhead, event: float) -> list[str]:
    counted = overhead.instructions
    percent = [
        share - 1
        for ratios in (overhead.ratios, overhead.processor)
        for share in (statistics.median(ratios), min(ratios), max(ratios))
    ]
    return [
        str(overhead),
        *(f"{100 * share:.2f}" for share in percent),
        "not counted here" if counted is None else f"{100 * (counted - 1):.2f}",
        f"{overhead.events:.0f}",
        f"{100 * overhead.of_events(event):.3f}",
    ]


def measure(setup: Setup, workspace: Workspace, layout: Layout) -> Overhead:
    """Raises UserError where a run fails."""
    run = _Runs(setup, workspace, layout, _run_file(workspace))
    pairs = run.pairs()
    return Overhead(
        *(layout.ranks, layout.threads),
        [profiled.seconds / bare.seconds for profiled, bare in pairs],
        [profiled.processor / bare.processor for profiled, bare in pairs],
        run.instructions(),
        run.events(),
        statistics.median(bare.processor for _, bare in pairs),
    )


def seconds_of_event(setup: Setup, workspace: Workspace) -> float:
    """That it takes of the processor: what steps of a small domain on one core take more with a profile, over
    the number of their events; never less than nothing. Raises UserError where a run fails."""
    run = _Runs(setup, workspace, ONE_CORE, _run_file(workspace))
    more = statistics.median(profiled.processor - bare.processor for profiled, bare in run.pairs())
    return max(0.0, more) / run.events()


def _run_file(workspace: Workspace) -> Path:
    return workspace.variant("storm", _CASE, {"output.history": None})


@dataclass(frozen=True)
class _Step:
    """Seconds, and of the processor. Others make steps longer, so of a run's the median of the first and what
    a tenth of the others stays below count."""

    seconds: float
    processor: float


@dataclass(frozen=True)
class _Runs:
    setup: Setup
    workspace: Workspace
    layout: Layout
    run_file: Path

    def pairs(self) -> list[tuple[_Step, _Step]]:
        """With the profile and without."""
        found = []
        for pair in range(self.setup.pairs):
            profiled_first = bool(pair % 2)
            steps = {profiled: self._step(profiled) for profiled in (profiled_first, not profiled_first)}
            found.append((steps[True], steps[False]))
        return found

    def events(self) -> float:
        """Of a step and of the first rank, by the profile that was written last."""
        kept = json_text.loads((self.workspace.directory / "profile" / "rank-0.json").read_text())
        return float((len(kept["events"]) + kept["events_lost"]) / kept["steps"])

    def _step(self, profiled: bool) -> _Step:
        """Of all but the first."""
        timing = self.workspace.directory / "timing.json"
        self._run(self._watch(profiled), timing)
        kept = json_text.loads(timing.read_text())
        processor = sorted(kept["each_step_processor"][1:])
        return _Step(statistics.median(kept["each_step"][1:]), processor[len(processor) // 10])

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
