"""WRF with ADIOS2: time and size of a frame by engine and by codec."""

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.lab.io import bench
from squall.plot import style
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

STUDY = "adios2"
_FILES = ("pnetcdf", "netcdf-parallel", "netcdf-split", "netcdf", "adios", "zarr")
_OF_ENGINE = "zarr"


def measure_engines(context: Context) -> Found:
    """A frame of every engine of the build that makes files, with no codec."""
    known = bench.engines()
    engines = [engine for engine in _FILES if engine in known]
    return _measure(context, [bench.Combination(engine, "inline", "none") for engine in engines])


def measure_codecs(context: Context) -> Found:
    """A frame of the engine zarr with every codec that it has, at two levels where it has levels."""
    names = bench.engines().get(_OF_ENGINE, [])
    codecs = [codec for name in names for codec in ([name] if name == "none" else [f"{name}:1", f"{name}:5"])]
    return _measure(context, [bench.Combination(_OF_ENGINE, "inline", codec) for codec in codecs])


def _measure(context: Context, cells: list[bench.Combination]) -> Found:
    setup = writing.setup(context)
    frames, missing = [], {}
    for cell in cells:
        with context.status(f"{cell} ..."):
            try:
                frames.append(writing.frame(bench.measure(setup, cell, 0.1)))
            except UserError as error:
                missing[str(cell)] = str(error).splitlines()[0]
    if not frames:
        raise UserError(f"Nothing could be written: {missing}")
    return {"ranks": setup.ranks, "frames": frames, "missing": missing}


def engine_tables(found: Found) -> list[Table]:
    slowest = max(row["drain"] for row in found["frames"])
    rows = [
        [
            *(row["engine"], f"{row['drain']:.3f}", f"{slowest / row['drain']:.1f}"),
            *(f"{row['raw'] / row['drain']:.2f}", f"{row['stored'] / 1e6:.0f}"),
        ]
        for row in found["frames"]
    ]
    columns = ["engine", "s", "as fast as the slowest", "of raw writes", "MB"]
    return [Table(f"A frame, written by {found['ranks']} ranks", columns, rows)]


def draw_engines(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    names = [row["engine"].replace("-", "-\n") for row in found["frames"]]
    charts.bars(right, names, {"frame": [row["drain"] for row in found["frames"]]})
    right.set_ylabel("until the frame is on disk (s)")
    return figure


def codec_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(row["codec"], f"{row['drain']:.3f}", f"{row['stored'] / 1e6:.1f}"),
            f"{row['bytes'] / row['stored']:.2f}",
        ]
        for row in found["frames"]
    ]
    title = f"A frame of {_OF_ENGINE}, written by {found['ranks']} ranks"
    return [Table(title, ["codec", "s", "MB", "ratio"], rows)]


def draw_codecs(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    for row in found["frames"]:
        at = (row["stored"] / 1e6, row["drain"])
        right.plot(*at, "o", color=style.SERIES[0])
        right.annotate(row["codec"], at, (4, 3), textcoords="offset points", fontsize=7)
    right.set(xlabel="size (MB)", ylabel="until the frame is on disk (s)", xlim=(0, None), ylim=(0, None))
    return figure


ITEMS = (
    Item(
        "adios2-engines", STUDY, "Time to write a frame by output option",
        "A frame of made-up weather, written inline by all engines of the build that make files, until it is "
        "on disk; beside raw writes of the same bytes.",
        2, measure_engines, engine_tables, draw_engines,
    ),
    Item(
        "adios2-codecs", STUDY, "Codecs: time to write a frame, and its size",
        "A frame of made-up weather, written inline by the engine zarr with each of its codecs, at levels 1 "
        "and 5.",
        2, measure_codecs, codec_tables, draw_codecs,
    ),
)  # fmt: skip
