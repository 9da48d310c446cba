"""One choice of output after the other, measured here: groups of servers, aggregators, burst buffers."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.lab.io import bench
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

#: What is set up, by what it is called.
Choices = Mapping[str, tuple[bench.Setup, bench.Combination]]

_FAST = Path("/dev/shm")  # memory, in place of a disk of the node


def groups(context: Context) -> Choices:
    """Two servers, together or in turn, with slabs in one piece or dealt out."""
    setup, cell = writing.setup(context, servers=2), bench.Combination("netcdf", "servers", "none")
    return {
        f"{n} group{'s' * (n > 1)}, {assignment}": (replace(setup, groups=n, assignment=assignment), cell)
        for n in (1, 2)
        for assignment in ("consecutive", "round-robin")
    }


def aggregators(context: Context) -> Choices:
    """Four ranks of this node, 1 to all of which write."""
    if "adios" not in bench.engines():
        raise UserError("this build has no engine adios: make adios2")
    setup, cell = replace(writing.setup(context), ranks=4), bench.Combination("adios", "inline", "none")
    return {
        f"{n} of 4 write": (replace(setup, options=(f"aggregators_per_node={n}",)), cell) for n in (1, 2, 4)
    }


def burst(context: Context) -> Choices:
    """Engines whose files go home at once, or by way of a fast directory."""
    setup = writing.setup(context)
    return {
        f"{engine}, {where}": (replace(setup, burst=fast), bench.Combination(engine, "inline", "none"))
        for engine in ("netcdf", "adios", "zarr")
        if engine in bench.engines()
        for where, fast in (("direct", None), ("burst buffer", _FAST / "burst-of-squall"))
    }


def _measure(choices: Callable[[Context], Choices], context: Context) -> Found:
    frames = []
    for name, (setup, cell) in choices(context).items():
        with context.status(f"{name} ..."):
            measured = bench.measure(setup, cell, 0.3, plain=False, growing=setup.burst is None)
        frames.append({"name": name, "groups": setup.groups} | writing.frame(measured))
        if setup.burst:
            shutil.rmtree(setup.burst, ignore_errors=True)
    return {"frames": frames}


def tables(found: Found) -> list[Table]:
    rows = [
        [
            *(row["name"], f"{1e3 * row['perceived']:.1f}", f"{row['drain']:.3f}"),
            *(f"{row['drain'] / row['groups']:.3f}", f"{row['raw']:.3f}"),
        ]
        for row in found["frames"]
    ]
    columns = ["", "the ranks lose, ms", "stored after, s", "a frame every, s", "raw writes, s"]
    return [Table("A frame, on this machine", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    names = [row["name"].replace(", ", ",\n") for row in found["frames"]]
    series = {
        "the ranks lose": [row["perceived"] for row in found["frames"]],
        "stored": [row["drain"] for row in found["frames"]],
    }
    charts.bars(right, names, series)
    right.tick_params("x", labelsize=6)
    right.set_ylabel("a frame (s)")
    return figure


def _item(name: str, study: str, figure: str, measures: str, choices: Callable[[Context], Choices]) -> Item:
    return Item(name, study, figure, measures, 2, lambda context: _measure(choices, context), tables, draw)


ITEMS = (
    _item(
        "hector-groups", "hector", "Servers: groups, consecutive and round-robin slabs",
        "Frames written by two servers of this node, together or in turn, with slabs in one piece or dealt "
        "out; nodes apart: hector-simulated-placement.",
        groups,
    ),
    _item(
        "adios2-aggregators", "adios2", "Aggregators per node",
        "Frames of ADIOS2 from four ranks of this node, 1, 2 or all of which write.",
        aggregators,
    ),
    _item(
        "adios2-burst", "adios2", "Burst buffer",
        "Frames stored where they belong, and in memory (/dev/shm), which stands for a disk of the node: "
        "what is stored there goes home later. Over nodes: adios2-simulated-options.",
        burst,
    ),
)  # fmt: skip
