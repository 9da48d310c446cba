"""WRF on HECToR and Monte Rosa: memory that a step allocates and clears, by ranks.

What a run counts beside its steps goes with the difference of a run of twice as many steps.
"""

import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from matplotlib.figure import Figure

from squall import locate, machine
from squall.lab.speed_domains import NEST
from squall.lab.workspace import Layout
from squall.profile import allocations
from squall.profile.allocations import Memory
from squall.runs.running import Watch
from squall_studies.reproduce import charts, stepping
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_FIELD = 1 << 16  # B: allocations that hold a part of a field, and not a message or a name
_PASSES = 5
_CASES = {"one domain": {}, "with a nest": {f"nest.inner.{key}": str(n) for key, n in NEST.items()}}


def measure(context: Context) -> Found:
    """The same domain, and the same with a nest, on more and more ranks; and clearing of as much memory as
    the ranks hold, by as many processes."""
    domain = stepping.Domain(60, 60, 20, 6) if context.quick else stepping.Domain(120, 120, 40, 10)
    run_file = stepping.without_output(context)
    found = []
    for name, nest in _CASES.items():
        for ranks in sorted({1, 2, 4, machine.cores()}):
            with context.status(f"{name}, {ranks} ranks ..."):
                found.append(_run(context, run_file, domain, nest, ranks) | {"case": name})
    return {"domain": str(domain), "cores": machine.cores(), "runs": found}


def _run(context: Context, run_file: Path, domain: stepping.Domain, nest: Found, ranks: int) -> Found:
    seconds = stepping.seconds_a_step(context, run_file, Layout(ranks, 1), domain.settings() | nest)
    steps = domain.steps
    once, once_fields = _counted(context, run_file, domain, nest, ranks)
    twice, twice_fields = _counted(context, run_file, replace(domain, steps=2 * steps), nest, ranks)
    new, kept = _clear(round(once_fields.allocated), ranks)
    return {
        "ranks": ranks, "seconds": seconds, "held": once_fields.allocated, "new": new, "kept": kept,
        "step": asdict(twice.less(once, steps)),
        "fields": twice_fields.less(once_fields, steps).allocations,
    }  # fmt: skip


def _counted(
    context: Context, run_file: Path, domain: stepping.Domain, nest: Found, ranks: int
) -> tuple[Memory, Memory]:
    """Of a rank, on average, over a whole run: all calls, and those for fields."""
    folder = context.workspace.directory / "allocations"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    watch = Watch(environment=allocations.environment(folder))
    context.workspace.run("counted", run_file, domain.settings() | nest, Layout(ranks, 1), watch=watch)
    program = locate.model_binary().name
    return _mean(allocations.read(folder, program)), _mean(allocations.read(folder, program, _FIELD))


def _mean(of_ranks: Sequence[Memory]) -> Memory:
    return Memory(**{key: statistics.mean(vars(m)[key] for m in of_ranks) for key in vars(of_ranks[0])})


def _clear(size: int, ranks: int) -> tuple[float, float]:
    """Seconds of the slowest of so many processes that clear so many bytes each at once: new memory, and
    memory that is there; medians of the passes."""
    words = [sys.executable, "-m", "squall_studies.reproduce.clear", str(size)]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) for _ in range(ranks)]
    try:
        _answers(processes)
        passes = []
        for _ in range(_PASSES):
            for process in processes:
                assert process.stdin
                process.stdin.write("\n")
                process.stdin.flush()
            times = [[float(word) for word in line.split()] for line in _answers(processes)]
            passes.append([max(of_all) for of_all in zip(*times, strict=True)])
        new, kept = (statistics.median(of_all) for of_all in zip(*passes, strict=True))
        return new, kept
    finally:
        for process in processes:
            process.communicate()  # closes its input, with which it ends


def _answers(processes: Sequence["subprocess.Popen[str]"]) -> list[str]:
    return [process.stdout.readline() for process in processes if process.stdout]


def tables(found: Found) -> list[Table]:
    return [_steps(found), _once(found)]


def _steps(found: Found) -> Table:
    rows = []
    for run in found["runs"]:
        step = run["step"]
        rows.append(
            [
                *(run["case"], str(run["ranks"]), f"{1e3 * run['seconds']:.1f}", f"{run['fields']:.1f}"),
                *(f"{step['allocations']:.0f}", f"{step['allocated'] / 1e3:.1f}"),
                *(f"{step['pages']:.0f}", f"{step['cleared'] / 1e3:.1f}"),
                f"{1e3 * step['clearing']:.2f}",
            ]
        )
    columns = [
        *("", "ranks", "step, ms", "allocations of 64 KiB and more", "of any size", "kB", "new pages"),
        *("cleared, kB", "clearing, ms"),
    ]
    return Table(f"What a step of {found['domain']} cells allocates and clears on a rank", columns, rows)


def _once(found: Found) -> Table:
    rows = [
        [
            *(run["case"], str(run["ranks"]), f"{run['held'] / 1e6:.0f}"),
            *(f"{1e3 * run['new']:.1f}", f"{1e3 * run['kept']:.1f}"),
            f"{100 * run['new'] / run['seconds']:.0f}",
            "more ranks than cores" if run["ranks"] > found["cores"] else "",
        ]
        for run in found["runs"]
    ]
    columns = ["", "ranks", "MB of a rank", "new, ms", "again, ms", "new, % of a step", ""]
    return Table("What it would cost to allocate and clear all that a rank holds, once", columns, rows)


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    of = [run for run in found["runs"] if run["case"] == next(iter(_CASES))]
    series = {
        "a step": [1e3 * run["seconds"] for run in of],
        "its clearing": [1e3 * run["step"]["clearing"] for run in of],
        "all fields once, new memory": [1e3 * run["new"] for run in of],
        "all fields once, again": [1e3 * run["kept"] for run in of],
    }
    charts.lines(right, [run["ranks"] for run in of], series)
    right.set(xlabel="ranks", ylabel="time (ms)")
    return figure


ITEMS = (
    Item(
        "hector-clearing", "hector", "Memory clearing: its share of a step against ranks",
        "What a step of the supercell, and of one with a nest, allocates and clears, counted by a library "
        "before malloc and memset; beside it, what allocating and clearing all fields of a rank once would "
        "cost, by as many processes at a time.",
        4, measure, tables, draw,
    ),
)  # fmt: skip
