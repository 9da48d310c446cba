"""Parallel WRF-HDF5 on the TeraGrid: frames of one file by one rank, and by all of them."""

from matplotlib.figure import Figure

from squall import machine
from squall.lab.io import bench
from squall.lab.reproduce import charts, writing
from squall.lab.reproduce.item import Context, Found, Item, Published, Table

#: What the study compared: one rank that gathers and writes, and all ranks through parallel HDF5.
_WAYS = {"serial netCDF": "netcdf", "parallel HDF5": "netcdf-parallel"}
_FRAMES = 145  # of the study's run, one a step


def measure(context: Context) -> Found:
    """The study's domain, the best of three frames, on 1, 2, ... ranks."""
    missing = set(_WAYS.values()) - set(bench.engines())
    size = (60, 40, 20) if context.quick else (600, 400, 20)
    found = []
    for ranks in sorted({1, 2, machine.cores()}):
        setup = writing.of_size(context, size, ranks, frames=4)
        for way, engine in _WAYS.items():
            if engine in missing:
                continue
            with context.status(f"{way}, {ranks} ranks ..."):
                m = bench.measure(setup, bench.Combination(engine, "inline", "none"), 0.1, plain=False)
            found.append({"way": way, "ranks": ranks, "seconds": writing.best(m), "bytes": m.bytes})
    return {"size": size, "missing": sorted(missing), "frames": found}


def tables(found: Found) -> list[Table]:
    nx, ny, nz = found["size"]
    rows = []
    for ranks in sorted({row["ranks"] for row in found["frames"]}):
        of = {row["way"]: row["seconds"] for row in found["frames"] if row["ranks"] == ranks}
        cells = [f"{of[way]:.3f}" if way in of else "" for way in _WAYS]
        whole = [f"{_FRAMES * of[way]:.0f}" if way in of else "" for way in _WAYS]
        rows.append([str(ranks), *cells, *whole])
    extrapolated = (f"{_FRAMES} frames, {way}, extrapolated, s" for way in _WAYS)
    columns = ["ranks", *(f"{way}, s" for way in _WAYS), *extrapolated]
    return [Table(f"A frame of {nx} x {ny} x {nz} points, the best of three", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    ranks = sorted({row["ranks"] for row in found["frames"]})
    series = {
        way: [row["seconds"] for row in found["frames"] if row["way"] == way]
        for way in _WAYS
        if any(row["way"] == way for row in found["frames"])
    }
    charts.lines(right, ranks, series)
    right.set(xlabel="ranks", ylabel="a frame, until it is on disk (s)")
    return figure


ITEMS = (
    Item(
        "teragrid-hdf5", "teragrid", "Serial netCDF against parallel HDF5",
        "Frames of 600 x 400 x 20 points, written by one rank to a classic netCDF file and by all ranks "
        "through parallel HDF5; the best of three.",
        2, measure, tables, draw,
    ),
)  # fmt: skip
