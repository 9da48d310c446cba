"""WRF on HECToR and Monte Rosa: stripe size and count of files, as far as this machine has them.

On Lustre each setting is given to a folder, and frames are written there. Any other file system is asked for
no stripes: there a frame's bytes are dealt out to files as a client of Lustre deals them out to targets, by a
thread for each. On one disk that tells what dealing them out costs, not what targets gain:
hector-simulated-stripes does.
"""

import math
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.lab.io import bench
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_COUNTS = (1, 2, 4, 8)
_SIZES = (1, 16)  # MiB
_LAYERS = ("netcdf", "pnetcdf")
_MOUNTS = Path("/proc/self/mounts")


def file_system(directory: Path) -> str:
    """Its kind, as the system names it: that of the longest mount point above the directory."""
    whole = f"{directory.resolve()}/"
    kinds = {}
    for line in _MOUNTS.read_text().splitlines():
        _, point, kind, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        if whole.startswith(point.rstrip("/") + "/"):
            kinds[len(point)] = kind
    return kinds[max(kinds)]


def measure(context: Context) -> Found:
    directory = context.workspace.directory
    directory.mkdir(parents=True, exist_ok=True)
    kind = file_system(directory)
    measured = _on_lustre if kind == "lustre" else _dealt_out
    counts, sizes = (_COUNTS[:2], _SIZES) if context.quick else (_COUNTS, _SIZES)
    rows = []
    for size in sizes:
        for count in counts:
            with context.status(f"{count} x {size} MiB ..."):
                rows += [
                    {"way": way, "size": size, "count": count, "seconds": seconds}
                    for way, seconds in measured(context, count, size).items()
                ]
    return {"file_system": kind, "striped": kind == "lustre", "rows": rows}


def _on_lustre(context: Context, count: int, size: int) -> dict[str, float]:
    """Seconds of a frame in a folder whose files are on so many targets, by one rank and through PnetCDF."""
    folder = context.workspace.directory / f"{count}-of-{size}-MiB"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    words = ["lfs", "setstripe", "-c", str(count), "-S", f"{size}M", str(folder)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UserError(f"{folder} is on Lustre, but its command lfs is not on PATH.") from None
    if done.returncode:
        raise UserError(f"{' '.join(words)}: {done.stderr.strip()}")
    setup = replace(writing.setup(context), directory=folder)
    layers = [layer for layer in _LAYERS if layer in bench.engines()]
    cells = {layer: bench.Combination(layer, "inline", "none") for layer in layers}
    return {layer: bench.measure(setup, cell, 0.1, plain=False).drain for layer, cell in cells.items()}


def _dealt_out(context: Context, count: int, size: int) -> dict[str, float]:
    """Seconds until as many bytes as a frame has are on disk, dealt out to so many files; the median."""
    setup = writing.setup(context)
    frame = 4 * setup.fields * math.prod(setup.size)
    stripe = os.urandom(size << 20)
    times = [
        _seconds(lambda: _deal(context.workspace.directory, stripe, frame, count))
        for _ in range(2 * context.repeats + 1)
    ]
    return {"dealt out to files": statistics.median(times[1:])}


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _deal(directory: Path, stripe: bytes, frame: int, count: int) -> None:
    """So many bytes, stripe after stripe to each file in turn, with fsync."""

    def write(path: Path, starts: range) -> None:
        with path.open("wb", buffering=0) as file:
            for start in starts:
                file.write(stripe[: frame - start])
            os.fsync(file.fileno())

    paths = [directory / f"target-{n}" for n in range(count)]
    turns = [range(n * len(stripe), frame, count * len(stripe)) for n in range(count)]
    with ThreadPoolExecutor(count) as threads:
        list(threads.map(write, paths, turns))
    for path in paths:
        path.unlink()


def _by_series(found: Found) -> dict[str, dict[int, float]]:
    """Seconds by count, of each way and size."""
    series: dict[str, dict[int, float]] = {}
    for row in found["rows"]:
        series.setdefault(f"{row['way']}, {row['size']} MiB", {})[row["count"]] = row["seconds"]
    return series


def tables(found: Found) -> list[Table]:
    series = _by_series(found)
    counts = sorted({row["count"] for row in found["rows"]})
    rows = [[name, *(f"{1e3 * of[count]:.0f}" for count in counts)] for name, of in series.items()]
    kind = found["file_system"]
    told = (
        f"{kind}: each setting by lfs setstripe"
        if found["striped"]
        else f"{kind} has no stripes: a frame's bytes dealt out to files on one disk, each by a thread. What "
        "targets gain is not measured here, but simulated by hector-simulated-stripes."
    )
    where = "targets of a file" if found["striped"] else "files"
    return [
        Table("Until a frame is on disk, ms", ["", *(f"{count} {where}" for count in counts)], rows),
        Table("File system", ["what was measured"], [[told]]),
    ]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    series = _by_series(found)
    counts = sorted({row["count"] for row in found["rows"]})
    charts.lines(right, counts, {name: [1e3 * of[count] for count in counts] for name, of in series.items()})
    what = "targets of a file" if found["striped"] else f"files on one disk ({found['file_system']})"
    right.set(xlabel=what, ylabel="until a frame is on disk (ms)")
    return figure


ITEMS = (
    Item(
        "hector-stripes", "hector", "Stripe size and count of files, on this machine's file system",
        "Frames by one rank and through PnetCDF in folders of 1 to 8 targets, on Lustre (-o names a folder "
        "there). Elsewhere a frame's bytes, dealt out in stripes to 1 to 8 files at once, which tells of one "
        "disk only; at the study's scale: hector-simulated-stripes.",
        1, measure, tables, draw,
    ),
)  # fmt: skip
