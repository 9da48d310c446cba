"""WRF on HECToR and Monte Rosa: what a frame costs through the serial layer and through PnetCDF, by ranks."""

from matplotlib.figure import Figure

from squall import machine
from squall.lab.io import bench
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

#: Engines that do as the layers of the study; and ours beside them.
_LAYERS = {"serial netCDF": "netcdf", "PnetCDF": "pnetcdf", "zarr": "zarr"}


def measure(context: Context) -> Found:
    """One frame, the same bytes in all, from more and more ranks."""
    known = set(bench.engines())
    found = []
    for ranks in sorted({1, 2, 4, machine.cores()}):
        setup = writing.of_size(context, writing.setup(context).size, ranks, frames=2 + 2 * context.repeats)
        for layer, engine in _LAYERS.items():
            if engine not in known:
                continue
            with context.status(f"{layer}, {ranks} ranks ..."):
                m = bench.measure(setup, bench.Combination(engine, "inline", "none"), 0.1, plain=False)
            found.append({"layer": layer, "ranks": ranks, "seconds": m.perceived, "raw": m.raw_fsync})
    return {"cores": machine.cores(), "frames": found}


def _layers(found: Found) -> list[str]:
    return [layer for layer in _LAYERS if any(row["layer"] == layer for row in found["frames"])]


def tables(found: Found) -> list[Table]:
    rows = []
    for ranks in sorted({row["ranks"] for row in found["frames"]}):
        of = {row["layer"]: row for row in found["frames"] if row["ranks"] == ranks}
        cells = [f"{of[layer]['seconds']:.3f}" for layer in _layers(found)]
        raw = min(row["raw"] for row in of.values())
        rows.append(
            [str(ranks), *cells, f"{raw:.3f}", "more ranks than cores" if ranks > found["cores"] else ""]
        )
    columns = ["ranks", *(f"{layer}, s" for layer in _layers(found)), "raw writes, s", ""]
    return [Table("The ranks lose to a frame", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    ranks = sorted({row["ranks"] for row in found["frames"]})
    series = {
        layer: [r["seconds"] for r in found["frames"] if r["layer"] == layer] for layer in _layers(found)
    }
    charts.lines(right, ranks, series)
    right.set(xlabel="ranks", ylabel="lost to a frame (s)")
    return figure


ITEMS = (
    Item(
        "hector-frames", "hector", "Time lost to a frame against cores: serial layer and PnetCDF",
        "One frame of made-up weather, inline, by the rank that gathers all of it, by PnetCDF, and by zarr, "
        "from 1, 2, 4 ranks.",
        3, measure, tables, draw,
    ),
)  # fmt: skip
