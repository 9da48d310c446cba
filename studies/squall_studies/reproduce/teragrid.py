"""Parallel WRF-HDF5 on the TeraGrid: frames of one file by one rank, and by all of them."""

import math
import shutil

from matplotlib.figure import Figure

from squall import machine
from squall.errors import UserError
from squall.lab.io import bench
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

#: What the study compared: one rank that gathers and writes, and all ranks through parallel HDF5.
_WAYS = {"serial netCDF": "netcdf", "parallel HDF5": "netcdf-parallel"}
FRAMES = 145  # of the study's run, one a step
_FEW = 4  # of which the best stands for all, where the run is not asked for in full


def measure(context: Context) -> Found:
    """The study's domain on 1, 2, ... ranks: of few frames the best; in full, of some runs of all of its
    frames that whose frames take least together."""
    missing = set(_WAYS.values()) - set(bench.engines())
    size = (60, 40, 20) if context.quick else (600, 400, 20)
    if context.full:
        _refuse_a_full_disk(context, size)
    found = []
    for ranks in sorted({1, 2, machine.cores()}):
        setup = writing.of_size(context, size, ranks, frames=FRAMES if context.full else _FEW)
        for way, engine in _WAYS.items():
            if engine in missing:
                continue
            runs = []
            for number in range(context.repeats if context.full else 1):
                with context.status(f"{way}, {ranks} ranks, run {number + 1} ..."):
                    runs.append(bench.measure(setup, bench.Combination(engine, "inline", "none"), 0.1, False))
            best = min(runs, key=_all_frames)
            whole = _all_frames(best) if context.full else FRAMES * writing.best(best)
            found.append(
                {
                    "way": way,
                    "ranks": ranks,
                    "seconds": writing.best(best),
                    "whole": whole,
                    "bytes": best.bytes,
                }
            )
    return {"size": size, "missing": sorted(missing), "frames": found, "runs": _runs(context)}


def _refuse_a_full_disk(context: Context, size: tuple[int, int, int]) -> None:
    """All frames of a run lie there until it ends, beside a frame that is written for comparison."""
    needed = FRAMES * 4 * math.prod(size) * writing.setup(context).fields
    context.workspace.directory.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(context.workspace.directory).free
    if free < 1.1 * needed:
        raise UserError(
            f"--full needs {1.1 * needed / 1e9:.3g} GB in {context.workspace.directory}; "
            "-o names another folder"
        )


def _all_frames(measurement: bench.Measurement) -> float:
    return sum(frame.perceived for frame in measurement.frames)


def _runs(context: Context) -> int:
    """Whole runs of which the best counts; 0: a frame stands for all."""
    return context.repeats if context.full else 0


def tables(found: Found) -> list[Table]:
    nx, ny, nz = found["size"]
    rows = []
    for ranks in sorted({row["ranks"] for row in found["frames"]}):
        of = {row["way"]: row for row in found["frames"] if row["ranks"] == ranks}
        cells = [f"{of[way]['seconds']:.3f}" if way in of else "" for way in _WAYS]
        whole = [f"{of[way]['whole']:.0f}" if way in of else "" for way in _WAYS]
        rows.append([str(ranks), *cells, *whole])
    how = f"the best of {found['runs']} runs" if found["runs"] else "extrapolated"
    columns = [
        "ranks",
        *(f"{way}, s" for way in _WAYS),
        *(f"{FRAMES} frames, {way}, {how}, s" for way in _WAYS),
    ]
    title = f"A frame of {nx} x {ny} x {nz} points, the best one"
    note = [["here", "ranks of one machine with one disk"], ["4 to 64 nodes", "teragrid-simulated-hdf5"]]
    return [Table(title, columns, rows), Table("What ranks are", ["", ""], note)]


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
        f"through parallel HDF5: the best of {_FEW}, and what {FRAMES} such come to. With --full the study's "
        f"{FRAMES} frames, the best of three runs (an hour or more, and 46 GB on disk).",
        2, measure, tables, draw,
    ),
)  # fmt: skip
