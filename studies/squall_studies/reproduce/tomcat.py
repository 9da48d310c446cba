"""TOMCAT at high resolution: what stations and zonal means cost, gathered and where the data lies."""

from collections.abc import Callable
from dataclasses import asdict

from matplotlib.figure import Figure

from squall_studies import diagnostics
from squall_studies.diagnostics_found import Setup
from squall_studies.diagnostics_steps import STATIONS, WAYS
from squall_studies.reproduce import charts
from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.quiet import quiet

STUDY = "tomcat"


def _measure(what: str) -> Callable[[Context], Found]:
    def measure(context: Context) -> Found:
        size = (60, 60, 20) if context.quick else (200, 200, 40)
        setup = Setup(size, 12 if context.quick else 24, context.repeats)
        with context.status(f"{what} ..."):
            costs = diagnostics.measure(setup, context.workspace, quiet(), [what])
        counts = [asdict(count) for count in diagnostics.count(what)]
        return {"setup": asdict(setup), "costs": [asdict(cost) for cost in costs], "counts": counts}

    return measure


def _tables(found: Found) -> list[Table]:
    nx, ny, nz = found["setup"]["size"]
    costs = [
        [
            *(str(c["ranks"]), c["way"], f"{1e3 * c['normal']:.1f}", f"{1e3 * c['writing']:.1f}"),
            *(f"{100 * c['more']:.1f}", f"{100 * c['more_processor']:.1f}", f"{c['memory'] / 1e6:.0f}"),
        ]
        for c in found["costs"]
    ]
    counts = [
        [
            *(str(c["ranks"]), str(c["messages"]), f"{c['bytes'] / 1e6:.2f}", f"{c['heard'] / 1e6:.3f}"),
            f"{c['gathered'] / 1e6:.0f}",
        ]
        for c in found["counts"]
    ]
    columns = ["ranks", "made", "normal step, ms", "writing step, ms", "a frame costs, %", "processor, %"]
    columns.append("memory of the rank with most, MB")
    sent = ["ranks", "messages", "MB", "MB that a rank hears and holds, at most"]
    sent.append("MB that rank 0 hears and holds, gathered")
    return [
        Table(f"A step of {nx} x {ny} x {nz} cells", columns, costs),
        Table("Sent for a frame, counted with the runtime's plans", sent, counts),
    ]


def _draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    if left is not None and published is not None:
        groups = [f"{n} ranks" for n in published.column("ranks")]
        series = {way: published.column(f"{way}, s") for way in WAYS}
        charts.bars(left, groups, series)
        left.set_ylabel("writing step (s)")
    ranks = sorted({c["ranks"] for c in found["costs"]})
    groups = [f"{n} rank{'s' * (n > 1)}" for n in ranks]
    series = {"normal step": _of(found, ranks, "in place", "normal")} | {
        way: _of(found, ranks, way, "writing") for way in WAYS
    }
    charts.bars(right, groups, series)
    right.set_ylabel("step (ms)")
    return figure


def _of(found: Found, ranks: list[int], way: str, key: str) -> list[float]:
    return [1e3 * next(c[key] for c in found["costs"] if (c["ranks"], c["way"]) == (n, way)) for n in ranks]


ITEMS = tuple(
    Item(
        f"tomcat-{what.replace(' ', '-')}", STUDY, f"Step that writes {what}, old and new",
        f"Steps of the supercell that write {told} of all fields: from whole fields gathered by rank 0, "
        "and made by the ranks that hold the cells; the memory of the rank with most. Messages, bytes and "
        "what a rank holds of them are counted for 80 and 400 ranks.",
        4, _measure(what), _tables, _draw,
    )
    for what, told in (("stations", f"{STATIONS} stations"), ("zonal means", "the zonal means"))
)  # fmt: skip
