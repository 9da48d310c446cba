"""WRF by the HPC Advisory Council: two MPI libraries, by latency, bandwidth and a step of the model."""

import json
import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from squall import locate, machine
from squall.errors import UserError
from squall.lab.workspace import Layout
from squall.plot import style
from squall_studies.reproduce import charts, stepping
from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.started import started

#: Of messages by size: key of squall-pair, what it is, its unit, and how many of B/s or s make one.
_CURVES = (
    ("latency", "latency", "µs", 1e6), ("one_way", "one direction", "MB/s", 1e-6),
    ("both_ways", "both directions", "MB/s", 1e-6),
)  # fmt: skip


@dataclass(frozen=True)
class Build:
    """The programs, linked with one MPI, and its mpirun; None: the one on PATH."""

    pair: Path
    model: Path
    launcher: machine.Launcher | None


def builds() -> list[Build]:
    """With the MPI at hand, and with MPICH. Raises UserError where there is no second one."""
    folder = Path(os.environ.get("SQUALL_MPICH") or locate.cache("mpich")).resolve()
    other = Build(
        folder / "messages" / "squall-pair",
        folder / "model" / "squall-model",
        machine.Launcher(str(folder / "mpirun"), "MPICH"),
    )
    if not other.pair.is_file():
        raise UserError(
            f"There is no second build with MPICH in {folder}. `tools/mpich` in the checkout makes it "
            "from Debian's packages, and installs nothing; SQUALL_MPICH names another folder."
        )
    return [Build(locate.pair_binary(), locate.model_binary(), None), other]


def measure(context: Context) -> Found:
    """Libraries take turns, messages and steps alike, so that what else the machine does comes to both."""
    domain = stepping.Domain(60, 60, 20, 8) if context.quick else stepping.Domain(120, 120, 40, 12)
    run_file = stepping.without_output(context)
    both = builds()
    layouts = sorted({2, machine.cores(), *(() if context.quick else (4,))} - {1})
    layouts = layouts if all(build.model.is_file() for build in both) else []  # tools/mpich --messages
    pairs: list[list[Any]] = [[] for _ in both]
    steps: dict[int, list[list[float]]] = {ranks: [[] for _ in both] for ranks in layouts}
    for turn in range(2 * context.repeats - 1):
        for n, build in enumerate(both):
            with context.status(f"messages, library {n + 1} of 2, turn {turn + 1} ..."):
                pairs[n].append(
                    started(
                        build.pair,
                        ["--batches", "2", "--amount", "64"] if context.quick else [],
                        2,
                        build.launcher,
                    )
                )
            for ranks in layouts:
                with context.status(f"steps on {ranks} ranks, library {n + 1} of 2, turn {turn + 1} ..."):
                    steps[ranks][n].append(_step(context, build, run_file, domain, ranks))
    libraries = [{"name": _named(of[0]["library"]), "sizes": _merged(of)} for of in pairs]
    return {
        "domain": str(domain),
        "cores": machine.cores(),
        "turns": 2 * context.repeats - 1,
        "libraries": libraries,
        "steps": [{"ranks": ranks, "seconds": seconds} for ranks, seconds in steps.items()],
    }


def _step(context: Context, build: Build, run_file: Path, domain: stepping.Domain, ranks: int) -> float:
    """Seconds, the median of a run but for the first."""
    timing = context.workspace.directory / "timing.json"
    context.workspace.run(
        "run", run_file, domain.settings(), Layout(ranks, 1), timing,
        model=build.model, launcher=build.launcher,
    )  # fmt: skip
    steps: list[float] = json.loads(timing.read_text())["each_step"]
    return statistics.median(steps[1:] or steps)


def _named(library: str) -> str:
    """Name and version, of what it says of itself: "Open MPI v4.1.4, package: ...", "MPICH Version:  4.0"."""
    first = library.splitlines()[0].partition(",")[0]
    return " ".join(first.replace("Version:", "").split())


def _merged(turns: list[Any]) -> list[dict[str, float]]:
    """By size, the best of the turns; of medians, their median."""
    merged = []
    for rows in zip(*(turn["sizes"] for turn in turns), strict=True):
        row = {"bytes": rows[0]["bytes"], "latency": min(row["latency"] for row in rows)}
        row |= {key: max(row[key] for row in rows) for key in ("one_way", "both_ways")}
        for key in ("latency", "one_way", "both_ways"):
            row[f"{key}_median"] = statistics.median(row[f"{key}_median"] for row in rows)
        merged.append(row)
    return merged


def tables(found: Found) -> list[Table]:
    names = [library["name"] for library in found["libraries"]]
    rows = []
    for sizes in zip(*(library["sizes"] for library in found["libraries"]), strict=True):
        cells = (f"{scale * size[key]:.4g}" for key, _, _, scale in _CURVES for size in sizes)
        rows.append([_size(int(sizes[0]["bytes"])), *cells])
    columns = ["size", *(f"{what}, {unit}, {name}" for _, what, unit, _ in _CURVES for name in names)]
    steps = []
    for row in found["steps"]:
        pairs = zip(*row["seconds"], strict=True)
        ratio = statistics.median(second / first for first, second in pairs)
        medians = [f"{1e3 * statistics.median(seconds):.1f}" for seconds in row["seconds"]]
        more = "more ranks than cores" if row["ranks"] > found["cores"] else ""
        steps.append([str(row["ranks"]), *medians, f"{ratio:.3f}", more])
    turns = found["turns"]
    tables = [Table(f"Messages between two ranks of one node, the best of {turns} turns", columns, rows)]
    if steps:
        columns = ["ranks", *(f"{name}, ms" for name in names), "second / first, by turns", ""]
        tables.append(Table(f"A step of {found['domain']} cells, medians of {turns} turns", columns, steps))
    return tables


def _size(count: int) -> str:
    for unit, scale in (("MiB", 2**20), ("KiB", 2**10)):
        if count >= scale:
            return f"{count / scale:g} {unit}"
    return f"{count} B"


def draw(found: Found, published: Published | None) -> Figure:
    figure = style.figure(12, 3.4)
    *curves, last = figure.subplots(1, len(_CURVES) + 1)
    for axes, (key, what, unit, scale) in zip(curves, _CURVES, strict=True):
        style.plain(axes)
        for library in found["libraries"]:
            x = [size["bytes"] for size in library["sizes"]]
            axes.plot(
                x, [scale * size[key] for size in library["sizes"]], marker="o", ms=3, label=library["name"]
            )
        axes.set(xscale="log", yscale="log", title=what, xlabel="size (bytes)", ylabel=unit)
    curves[0].legend()
    style.plain(last)
    if not found["steps"]:
        last.set_axis_off()
        return figure
    series = {
        library["name"]: [1e3 * statistics.median(row["seconds"][n]) for row in found["steps"]]
        for n, library in enumerate(found["libraries"])
    }
    charts.bars(last, [f"{row['ranks']} ranks" for row in found["steps"]], series, legend=False)
    last.set(title="the model", ylabel="step (ms)")
    return figure


ITEMS = (
    Item(
        "council-mpi", "council", "Open MPI against MPICH: messages, and the model on each",
        "Latency of messages of 1 B to 4 MiB between two ranks of this machine, their bandwidth in one "
        "direction and in both, and steps of the supercell, with the MPI at hand and with MPICH. Needs a "
        "second build: tools/mpich.",
        4, measure, tables, draw,
    ),
)  # fmt: skip
