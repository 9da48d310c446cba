"""`squall lab diagnostics`: what stations and means cost where the data lies, and gathered to one rank.

Steps a forecast with all physics, and a storm that is little more than dynamics, and every few steps writes
300 stations of all fields, or the zonal means of all fields: made by the ranks that hold the cells, or by
rank 0 of whole fields. Steps that write, with the ones
after them, during which the rest is done, are compared with the others of the same run, by the clock and by
the processor's time, which is the same on a machine that has other work, too; as in the published
measurements (a transport model's writing steps: stations 8.80 s gathered and 0.99 s in place on 80 tasks,
39.30 s and 0.51 s on 400; zonal means 4.65 s and 0.55 s, 41.55 s and 0.35 s). What that sends on as many
ranks is counted with the runtime's own code, without sending it. Last, what the sums cost whose bits do not
depend on any order, beside plain ones and beside reading their terms, below which nothing can go.
"""

import json as json_text
import math
import statistics
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.lab import peak_memory
from squall.lab.diagnostics_steps import EVERY, STATIONS, STEPS, STORM, Step, write_run_files
from squall.lab.report import picture, show_table, write_json
from squall.lab.workspace import Layout, Workspace
from squall.plot import style

GOAL = 0.01  # of a step
COUNTED_RANKS = (80, 400)
COUNTED_SIZE = (400, 400, 40)
COUNTED_FIELDS = 10
#: The published writing steps [s]: gathered, in place; by tasks.
PUBLISHED = {
    "stations": {80: (8.80, 0.99), 400: (39.30, 0.51)},
    "zonal means": {80: (4.65, 0.55), 400: (41.55, 0.35)},
}

Steps = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Setup:
    """The domain's cells, its steps, and how often each run is made."""

    size: tuple[int, int, int]
    steps: int
    repeats: int


@dataclass(frozen=True)
class Cost:
    """Of a run, or medians over several. Medians of its steps [s]: of the normal ones, of those that write,
    and what a frame costs these and the next ones together, as a share of a normal step: by the clock, and by
    the time of rank 0's processor, with the threads that write, and with its waiting for other ranks. memory:
    that the process with most had [B]; 0: not measured. step: of which kind they are, by name."""

    ranks: int
    what: str
    way: str
    normal: float
    writing: float
    more: float
    more_processor: float
    memory: float = 0
    step: str = STORM.name


@dataclass(frozen=True)
class Count:
    """Of one frame, on so many ranks: messages and bytes in all, of the largest message, and the most that a
    rank hears; where whole fields are gathered, what rank 0 hears."""

    ranks: int
    what: str
    messages: int
    bytes: int
    largest: int
    heard: int
    gathered: int


@dataclass(frozen=True)
class SumCost:
    """Of sums of rows of so many terms of single precision, ns for each term: where the bits depend on no
    order, where they do, and of reading it."""

    row: int
    reproducible: float
    in_order: float
    read: float


@dataclass(frozen=True)
class Found:
    """All that was measured. values: of how many the zonal means of a frame are made, by the kind of step."""

    processor: str
    cores: int
    setup: Setup
    runs: list[Cost]
    counts: list[Count]
    sums: list[SumCost]
    values: dict[str, int]


def run(setup: Setup, output: Path, json: Path | None, steps: Iterable[str] = tuple(STEPS)) -> None:
    """Prints the tables, draws the picture into `output`, writes `json`. steps: names of the kinds that are
    measured. Raises UserError if a run fails."""
    for name in steps:
        if name not in STEPS:
            raise UserError(f"There are no steps of a {name!r}; --of takes {' and '.join(STEPS)}.")
    console = Console()
    workspace = Workspace(output.resolve())
    counts = [found for what in PUBLISHED for found in count(what)]  # a program not built shows here, at once
    sums = [SumCost(**cost) for cost in _program("squall-io-sum", ["--rows", str(setup.size[0]), "100000"])]
    runs, values = [], {}
    for name in steps:
        runs += measure_runs(setup, workspace, console, step=STEPS[name])
        values[name] = values_of_zonal_means(workspace, setup)
    found = Found(machine.processor(), machine.cores(), setup, runs, counts, sums, values)
    show(console, found, output, json)


def show_again(files: list[Path], output: Path, json: Path | None) -> None:
    """The same of what `json` of `run` wrote, once or in pieces, whose runs then count as those of one
    measurement. Raises UserError where they are of different ones."""
    pieces = [read(file) for file in files]
    for file, piece in zip(files, pieces, strict=True):
        for key in ("processor", "cores"):
            ours, theirs = getattr(pieces[0], key), getattr(piece, key)
            if ours != theirs:
                raise UserError(
                    f"{file} has {key} {theirs}, {files[0]} has {ours}: no runs of one measurement."
                )
        if piece.setup.size != pieces[0].setup.size:
            raise UserError(f"{file} and {files[0]} have other cells: no runs of one measurement.")
    setup = replace(pieces[0].setup, repeats=sum(piece.setup.repeats for piece in pieces))
    runs = [made for piece in pieces for made in piece.runs]
    values = {step: value for piece in pieces for step, value in piece.values.items()}
    output.mkdir(parents=True, exist_ok=True)
    show(Console(), replace(pieces[0], setup=setup, runs=runs, values=values), output, json)


def read(file: Path) -> Found:
    """What `json` of `run` wrote. Raises UserError where it is not that."""
    try:
        told = json_text.loads(file.read_text())
        setup = Setup(tuple(told["setup"]["size"]), told["setup"]["steps"], told["setup"]["repeats"])
        runs = [Cost(**row) for row in told["runs"]]
        counts, sums = [Count(**row) for row in told["counts"]], [SumCost(**row) for row in told["sums"]]
        return Found(told["processor"], told["cores"], setup, runs, counts, sums, told["values"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not what `squall lab diagnostics --json` writes: {error}") from None


def show(console: Console, found: Found, output: Path, json: Path | None) -> None:
    costs = medians(found.runs)
    show_costs(console, found.setup, costs)
    reading = {step: show_limit(console, step, costs, found) for step in found.values}
    show_counts(console, found.counts)
    show_sums(console, found.sums)
    for cost in costs:
        if cost.way == "in place":
            verdict = "[green]reached[/]" if cost.more <= GOAL else "[bold red]missed[/]"
            console.print(
                f"Goal of {GOAL:.0%} {verdict}: {cost.what} in place cost {cost.more:.1%} of a {cost.step}'s "
                f"step on {_ranks(cost.ranks)}, {cost.more_processor:.1%} by the processor's time.",
                highlight=False,
            )
    draw(output / "diagnostics.png", costs, reading)
    console.print(f"Picture: {output / 'diagnostics.png'}")
    if json:
        write_json(json, asdict(found) | {"costs": [asdict(cost) for cost in costs]})


def measure(
    setup: Setup, workspace: Workspace, console: Console, whats: Iterable[str] = tuple(PUBLISHED)
) -> list[Cost]:
    """Medians over the rounds of measure_runs."""
    return medians(measure_runs(setup, workspace, console, whats))


def medians(runs: list[Cost]) -> list[Cost]:
    """Over runs of the same ranks that make the same in the same way."""
    alike: dict[tuple[str, int, str, str], list[Steps]] = {}
    for made in runs:
        steps = (made.normal, made.writing, made.more, made.more_processor, made.memory)
        alike.setdefault((made.step, made.ranks, made.what, made.way), []).append(steps)
    return [
        replace(Cost(ranks, what, way, *(statistics.median(x) for x in zip(*steps, strict=True))), step=step)
        for (step, ranks, what, way), steps in alike.items()
    ]


def measure_runs(
    setup: Setup,
    workspace: Workspace,
    console: Console,
    whats: Iterable[str] = tuple(PUBLISHED),
    step: Step = STORM,
) -> list[Cost]:
    """On 1, 2, 4, ... ranks, to one for each core; of `whats`. Each round has all runs in turn."""
    made = write_run_files(step, setup.size, setup.steps, workspace)
    run_files = {name: file for name, file in made.items() if name.split(", ")[0] in whats}
    step.prepare(workspace, setup.size)
    runs = []
    for ranks in _rank_numbers():
        for repeat in range(setup.repeats):
            for name, run_file in run_files.items():
                with console.status(
                    f"{step.name}: {name}, {_ranks(ranks)}, {repeat + 1} of {setup.repeats} ..."
                ):
                    what, way = name.split(", ")
                    found = _steps(workspace, run_file, step, ranks)
                    runs.append(Cost(ranks, what, way, *found, step=step.name))
    return runs


def _steps(workspace: Workspace, run_file: Path, step: Step, ranks: int) -> Steps:
    """Of a run: see Cost. Steps include the output that follows them."""
    timing = workspace.directory / "timing.json"
    peaks = workspace.directory / "peaks"
    layout = Layout(ranks, 1)
    workspace.run("diagnostics", run_file, {}, layout, timing, peak_memory.watching(peaks))
    found = json_text.loads(timing.read_text())
    normal, writing, more = what_a_frame_costs(found["each_step"], step)
    processor = what_a_frame_costs(found["each_step_processor"], step)[2]
    return normal, writing, more, processor, float(peak_memory.most(peaks))


def what_a_frame_costs(seconds: list[float], step: Step = STORM) -> tuple[float, float, float]:
    """Medians of normal and of writing steps [s], and how much longer a writing step and the next one take
    together than two normal ones, as a share of one."""

    def median(*of_frame: int) -> float:
        return statistics.median(s for n, s in enumerate(seconds) if step.counts(n) and n % EVERY in of_frame)

    writing, after, normal = median(EVERY - 1), median(0), median(*range(1, EVERY - 1))
    return normal, writing, (writing + after) / normal - 2


def _rank_numbers() -> list[int]:
    cores = machine.cores()
    return sorted({2**n for n in range(int(math.log2(cores)) + 1)} | {cores})


def count(what: str) -> list[Count]:
    """Of the fields of a domain, on COUNTED_RANKS."""
    arguments = ["--size", *map(str, COUNTED_SIZE), "--fields", str(COUNTED_FIELDS)]
    arguments += ["--ranks", *map(str, COUNTED_RANKS)]
    arguments += ["--zonal"] if what == "zonal means" else ["--stations", str(STATIONS)]
    return [Count(what=what, **found) for found in _program("squall-io-count", arguments)]


def _program(name: str, arguments: list[str]) -> list[dict[str, Any]]:
    """What one of the runtime's programs prints."""
    program = locate.model_binary().parents[1] / "io" / "bench" / name
    if not program.is_file():
        raise UserError(f"The program {program} is not there. Build it with `make build`.")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} ended with code {done.returncode}: {done.stderr.strip()}", 1)
    found: list[dict[str, Any]] = json_text.loads(done.stdout)
    return found


def values_of_zonal_means(workspace: Workspace, setup: Setup) -> int:
    """How many values the zonal means of a frame are made of, by the file that the last run wrote."""
    [file] = (workspace.directory / "diagnostics").glob("made_*.nc")
    with netCDF4.Dataset(file) as data:
        shapes = [v.shape[1:] for v in data.variables.values() if "south_north" in v.dimensions[-1:]]
    return setup.size[0] * sum(math.prod(shape) for shape in shapes)


def show_costs(console: Console, setup: Setup, costs: list[Cost]) -> None:
    rows = [
        [
            *(c.step, str(c.ranks), c.what, c.way, f"{c.normal * 1e3:.1f}", f"{c.writing * 1e3:.1f}"),
            *(f"{c.more:.1%}", f"{c.more_processor:.1%}", f"{c.memory / 1e6:.0f}"),
        ]
        for c in costs
    ]
    nx, ny, nz = setup.size
    title = f"A step of {nx} x {ny} x {nz} cells"
    columns = ["of a", "ranks", "what", "made", "normal, ms", "writing, ms", "a frame costs", "processor"]
    columns.append("memory of a rank, MB")
    show_table(console, title, columns, rows)
    for name in dict.fromkeys(c.step for c in costs):
        console.print(f"{name}: {STEPS[name].about}", highlight=False)


def show_limit(console: Console, step: str, costs: list[Cost], found: Found) -> float:
    """What a zonal mean of all fields costs at least, on one rank: reading its values, as a share of a
    step, which is returned."""
    values, sums = found.values[step], found.sums[0]
    normal = next(c.normal for c in costs if (c.step, c.ranks) == (step, 1))
    read, summed = (values * each * 1e-9 for each in (sums.read, sums.reproducible))
    console.print(
        f"Zonal means are of {values / 1e6:.1f} million values in a {step}'s step: reading them takes "
        f"{read * 1e3:.1f} ms, {read / normal:.1%} of it, and their sums {summed * 1e3:.1f} ms, "
        f"{summed / normal:.1%}.",
        highlight=False,
    )
    return read / normal


def show_sums(console: Console, sums: list[SumCost]) -> None:
    rows = [[str(s.row), *(f"{x:.2f}" for x in (s.reproducible, s.in_order, s.read))] for s in sums]
    columns = ["terms a sum", "any order", "in order", "reading"]
    show_table(console, "Sums of single precision, ns a term", columns, rows)


def show_counts(console: Console, counts: list[Count]) -> None:
    rows = []
    for c in counts:
        gathered, in_place = PUBLISHED[c.what][c.ranks]
        rows.append(
            [
                *(str(c.ranks), c.what, str(c.messages), f"{c.bytes / 1e6:.2f}", f"{c.heard / 1e6:.3f}"),
                *(f"{c.gathered / 1e6:.0f}", f"{gathered:.2f}", f"{in_place:.2f}"),
            ]
        )
    nx, ny, nz = COUNTED_SIZE
    columns = ["ranks", "what", "messages", "MB", "MB a rank", "MB gathered", "gathered, s*", "in place, s*"]
    title = f"Sent for a frame of {COUNTED_FIELDS} fields of {nx} x {ny} x {nz} (counted)"
    show_table(console, title, columns, rows)
    console.print("* published, of a transport model's writing step.", highlight=False)


def draw(path: Path, costs: list[Cost], reading: dict[str, float]) -> None:
    """What frames cost as bars, by ranks, of each kind of step; and what reading the values of zonal means
    alone does on one."""
    groups = list(dict.fromkeys((c.step, c.ranks) for c in costs))
    made = list(dict.fromkeys((c.what, c.way) for c in costs))
    shares = {(c.step, c.ranks, c.what, c.way): 100 * c.more for c in costs}
    with picture(path, 8, 3.6) as figure:
        axes = figure.subplots()
        width = 0.8 / len(made)
        for index, (what, way) in enumerate(made):
            at = np.arange(len(groups)) + (index - (len(made) - 1) / 2) * width
            axes.bar(at, [shares[(*group, what, way)] for group in groups], width, label=f"{what}, {way}")
        for n, (step, ranks) in enumerate(groups):
            if ranks == 1 and step in reading:
                label = None if axes.lines else "reading alone, zonal means, 1 rank"
                axes.plot(
                    (n - 0.45, n + 0.45), [100 * reading[step]] * 2, color="0.3", linewidth=1, label=label
                )
        style.plain(axes)
        axes.set_xticks(range(len(groups)), [f"{step}, {_ranks(ranks)}" for step, ranks in groups])
        axes.set(
            ylabel="% of a step",
            title=f"What a frame of all fields costs, {STATIONS} stations or zonal means",
        )
        figure.legend(loc="outside lower center", ncols=3, fontsize=8)


def _ranks(number: int) -> str:
    return f"{number} rank{'' if number == 1 else 's'}"
