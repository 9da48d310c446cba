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
from dataclasses import replace
from pathlib import Path
from typing import Any

import netCDF4
from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.lab.workspace import Layout, Workspace
from squall_studies import peak_memory
from squall_studies.diagnostics_found import (
    COUNTED_FIELDS,
    COUNTED_RANKS,
    COUNTED_SIZE,
    PUBLISHED,
    Cost,
    Count,
    Found,
    Setup,
    SumCost,
    medians,
    read,
)
from squall_studies.diagnostics_shown import number_of_ranks, show
from squall_studies.diagnostics_steps import (
    EVERY,
    GATHERED,
    STATIONS,
    STEPS,
    STORM,
    Step,
    write_run_files,
)


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


def measure(
    setup: Setup, workspace: Workspace, console: Console, whats: Iterable[str] = tuple(PUBLISHED)
) -> list[Cost]:
    """Medians over the rounds of measure_runs."""
    return medians(measure_runs(setup, workspace, console, whats))


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
                    f"{step.name}: {name}, {number_of_ranks(ranks)}, {repeat + 1} of {setup.repeats} ..."
                ):
                    runs.append(_cost(workspace, run_file, step, ranks, name))
    return runs


def _cost(workspace: Workspace, run_file: Path, step: Step, ranks: int, name: str) -> Cost:
    """Of a run: see Cost. Steps include the output that follows them."""
    what, way = name.split(", ")
    timing = workspace.directory / "timing.json"
    peaks = workspace.directory / "peaks"
    layout = Layout(ranks, 1)
    watch = peak_memory.watching(peaks)
    if way == GATHERED:
        watch = replace(watch, environment={"LD_PRELOAD": str(_beside("libsquall_io_gather.so"))})
    workspace.run("diagnostics", run_file, {}, layout, timing, watch)
    found = json_text.loads(timing.read_text())
    normal, writing, more = what_a_frame_costs(found["each_step"], step)
    processor = what_a_frame_costs(found["each_step_processor"], step)[2]
    memory = float(peak_memory.most(peaks))
    threads = tuple(what_threads_take(rank, step) for rank in found["each_rank"])
    return Cost(ranks, what, way, normal, writing, more, processor, memory, step.name, threads)


def what_threads_take(rank: dict[str, list[float]], step: Step = STORM) -> tuple[float, float]:
    """What a frame takes of a rank's processor, as shares of a normal step: in the thread that steps the
    model by its output, and in all other threads, from a step that writes to the next one, less what these
    take in the last step before a frame, as they do in a run without output: MPI's and the system's. Medians,
    without the first frame, for which the file is made."""
    steps = len(rank["stepping"])
    normal = statistics.median(
        s for n, s in enumerate(rank["stepping"]) if step.counts(n) and n % EVERY not in (EVERY - 1, 0)
    )
    frames = list(range(EVERY - 1, steps - EVERY + 1, EVERY))

    def share(thread: str, anyway: float = 0) -> float:
        of_frames = [sum(rank[thread][n : n + EVERY]) for n in frames[1:] or frames]
        return (statistics.median(of_frames) - EVERY * anyway) / normal

    before = [rank["others"][n] for n in range(EVERY - 2, steps, EVERY) if step.counts(n)]
    return share("output"), share("others", statistics.median(before))


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
    program = _beside(name)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} ended with code {done.returncode}: {done.stderr.strip()}", 1)
    found: list[dict[str, Any]] = json_text.loads(done.stdout)
    return found


def _beside(name: str) -> Path:
    """Of the build of the model."""
    file = locate.model_binary().parents[1] / "io" / "bench" / name
    if not file.is_file():
        raise UserError(f"{file} is not there. Build it with `make build`.")
    return file


def values_of_zonal_means(workspace: Workspace, setup: Setup) -> int:
    """How many values the zonal means of a frame are made of, by the file that the last run wrote."""
    [file] = (workspace.directory / "diagnostics").glob("made_*.nc")
    with netCDF4.Dataset(file) as data:
        shapes = [v.shape[1:] for v in data.variables.values() if "south_north" in v.dimensions[-1:]]
    return setup.size[0] * sum(math.prod(shape) for shape in shapes)
