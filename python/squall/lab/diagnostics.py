"""`squall lab diagnostics`: what stations and means cost where the data lies, and gathered to one rank.

Steps a forecast with all physics, and a storm that is little more than dynamics, and every few steps writes
300 stations of all fields, or the zonal means of all fields: made by the ranks that hold the cells, or by
rank 0 of whole fields. Steps that write, with the ones
after them, during which the rest is done, are compared with the others of the same run, by the clock and by
the processor's time, which is the same on a machine that has other work, too; as in the published
measurements (a transport model's writing steps: stations 8.80 s gathered and 0.99 s in place on 80 tasks,
39.30 s and 0.51 s on 400; zonal means 4.65 s and 0.55 s, 41.55 s and 0.35 s). Such differences are as
large as those between steps; what output takes of the processor's time is told for itself, of each rank's
thread that steps the model and of those that write beside it. What that sends on as many
ranks is counted with the runtime's own code, without sending it. Last, what the sums cost whose bits do not
depend on any order, beside plain ones and beside reading their terms, below which nothing can go.
"""

import json as json_text
import math
import statistics
import subprocess
import time
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
    that the process with most had [B]; 0: not measured. step: of which kind they are, by name. threads: by
    rank, what a frame takes of the processor's time, as a share of a normal step: of the thread that steps
    the model, and of the threads that write."""

    ranks: int
    what: str
    way: str
    normal: float
    writing: float
    more: float
    more_processor: float
    memory: float = 0
    step: str = STORM.name
    threads: tuple[tuple[float, float], ...] = ()


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


def run(
    setup: Setup,
    output: Path,
    json: Path | None,
    steps: Iterable[str] = tuple(STEPS),
    seconds: float = math.inf,
) -> None:
    """Prints the tables, draws the picture into `output`, writes `json`. steps: names of the kinds that are
    measured. seconds: after which no more rounds are begun. Raises UserError if a run fails."""
    steps = list(steps)
    for name in steps:
        if name not in STEPS:
            raise UserError(f"There are no steps of a {name!r}; --of takes {' and '.join(STEPS)}.")
    console = Console()
    workspace = Workspace(output.resolve())
    counts = [found for what in PUBLISHED for found in count(what)]  # a program not built shows here, at once
    sums = [SumCost(**cost) for cost in _program("squall-io-sum", ["--rows", str(setup.size[0]), "100000"])]
    runs, values = [], {}
    for name in steps:
        runs += measure_runs(setup, workspace, console, step=STEPS[name], seconds=seconds / len(steps))
        values[name] = values_of_zonal_means(workspace, setup)
    setup = replace(setup, repeats=len(runs) // len({(r.step, r.ranks, r.what, r.way) for r in runs}))
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
        runs = [
            Cost(**row | {"threads": tuple(tuple(rank) for rank in row.get("threads", ()))})
            for row in told["runs"]
        ]
        counts, sums = [Count(**row) for row in told["counts"]], [SumCost(**row) for row in told["sums"]]
        return Found(told["processor"], told["cores"], setup, runs, counts, sums, told["values"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not what `squall lab diagnostics --json` writes: {error}") from None


def show(console: Console, found: Found, output: Path, json: Path | None) -> None:
    costs = medians(found.runs)
    show_costs(console, found.setup, costs)
    show_threads(console, costs)
    reading = {step: show_limit(console, step, costs, found) for step in found.values}
    show_counts(console, found.counts)
    show_sums(console, found.sums)
    for cost in costs:
        if cost.way == "in place":
            show_verdict(console, cost)
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
    alike: dict[tuple[str, int, str, str], list[Cost]] = {}
    for made in runs:
        alike.setdefault((made.step, made.ranks, made.what, made.way), []).append(made)
    return [_median(group) for group in alike.values()]


def _median(runs: list[Cost]) -> Cost:
    numbers = ("normal", "writing", "more", "more_processor", "memory")
    middle = {name: statistics.median(getattr(made, name) for made in runs) for name in numbers}
    by_rank = [made.threads for made in runs if made.threads]
    threads = np.median(by_rank, axis=0).tolist() if by_rank else []
    return replace(runs[0], **middle, threads=tuple(tuple(rank) for rank in threads))


def measure_runs(
    setup: Setup,
    workspace: Workspace,
    console: Console,
    whats: Iterable[str] = tuple(PUBLISHED),
    step: Step = STORM,
    seconds: float = math.inf,
) -> list[Cost]:
    """On 1, 2, 4, ... ranks, to one for each core; of `whats`. Each round has all runs in turn; after the
    first, one that would take longer than `seconds` from the start is not begun."""
    start = time.monotonic()
    made = write_run_files(step, setup.size, setup.steps, workspace)
    run_files = {name: file for name, file in made.items() if name.split(", ")[0] in whats}
    step.prepare(workspace, setup.size)
    runs: list[Cost] = []
    begun = time.monotonic()
    for repeat in range(setup.repeats):
        now = time.monotonic()
        if repeat > 0 and now + (now - begun) / repeat > start + seconds:
            break
        for ranks in _rank_numbers():
            for name, run_file in run_files.items():
                with console.status(
                    f"{step.name}: {name}, {_ranks(ranks)}, {repeat + 1} of {setup.repeats} ..."
                ):
                    runs.append(_cost(workspace, run_file, step, ranks, name))
    return runs


def _cost(workspace: Workspace, run_file: Path, step: Step, ranks: int, name: str) -> Cost:
    """Of a run: see Cost. Steps include the output that follows them."""
    what, way = name.split(", ")
    timing = workspace.directory / "timing.json"
    peaks = workspace.directory / "peaks"
    layout = Layout(ranks, 1)
    workspace.run("diagnostics", run_file, {}, layout, timing, peak_memory.watching(peaks))
    found = json_text.loads(timing.read_text())
    normal, writing, more = what_a_frame_costs(found["each_step"], step)
    processor = what_a_frame_costs(found["each_step_processor"], step)[2]
    memory = float(peak_memory.most(peaks))
    threads = tuple(what_threads_take(rank, step) for rank in found["each_rank"])
    return Cost(ranks, what, way, normal, writing, more, processor, memory, step.name, threads)


def what_threads_take(rank: dict[str, list[float]], step: Step = STORM) -> tuple[float, float]:
    """What a frame takes of a rank's processor, as shares of a normal step: in the thread that steps the
    model by its output, and in all other threads, from a step that writes to the next one. Medians, without
    the first frame, for which the file is made."""
    steps = len(rank["stepping"])
    normal = statistics.median(
        s for n, s in enumerate(rank["stepping"]) if step.counts(n) and n % EVERY not in (EVERY - 1, 0)
    )
    frames = list(range(EVERY - 1, steps - EVERY + 1, EVERY))

    def share(thread: str) -> float:
        of_frames = [sum(rank[thread][n : n + EVERY]) for n in frames[1:] or frames]
        return statistics.median(of_frames) / normal

    return share("output"), share("others")


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


def show_threads(console: Console, costs: list[Cost]) -> None:
    """Of what is made in place."""
    rows = [
        [
            *(cost.step, cost.what, str(cost.ranks), str(rank)),
            *(f"{share:.2%}" for share in (stepping, writing, stepping + writing)),
        ]
        for cost in costs
        if cost.way == "in place"
        for rank, (stepping, writing) in enumerate(cost.threads)
    ]
    if not rows:
        return
    columns = ["of a", "what", "ranks", "rank", "thread that steps", "threads that write", "both"]
    show_table(console, "A frame made in place, by the processor's time, of a step", columns, rows)


def show_verdict(console: Console, cost: Cost) -> None:
    worst = max((sum(rank) for rank in cost.threads), default=cost.more_processor)
    verdict = "[green]reached[/]" if worst <= GOAL else "[bold red]missed[/]"
    console.print(
        f"Goal of {GOAL:.0%} {verdict}: {cost.what} in place cost {worst:.1%} of a {cost.step}'s step on "
        f"{_ranks(cost.ranks)} by the processor's time of the rank that loses most, {cost.more:.1%} by the "
        "clock.",
        highlight=False,
    )


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
