"""TOMCAT at high resolution: a field scattered from rank 0 and gathered there, whole and by derived types."""

import math

from matplotlib.figure import Figure

from squall import locate, machine
from squall.errors import UserError
from squall.plot import style
from squall_studies.reproduce import charts
from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.started import started

_COUNTED = (80, 160, 400)  # ranks of the study
_VALUE = 4  # B


def measure(context: Context) -> Found:
    """Ways take turns in one run, so that what else the machine does comes to all of them."""
    program = locate.fields_binary()
    size = (60, 60, 10) if context.quick else (400, 400, 40)
    turns = 3 if context.quick else 5 + 4 * context.repeats
    runs = []
    for ranks in sorted({2, 4, machine.cores()} - {1}):
        with context.status(f"{ranks} ranks ..."):
            found = started(program, ["--size", *map(str, size), "--turns", str(turns)], ranks)
        wrong = [way["way"] for way in found["ways"] if not way["right"]]
        if wrong:
            raise UserError(f"{program} moved wrong values: {', '.join(wrong)} on {ranks} ranks", 1)
        runs.append(found)
    counted = {str(ranks): counts(size, ranks) for ranks in _COUNTED}
    return {"size": list(size), "turns": turns, "cores": machine.cores(), "runs": runs, "counted": counted}


def counts(size: tuple[int, int, int], ranks: int) -> dict[str, dict[str, float]]:
    """Bytes of a scatter and a gather together, by way: of all ranks; that the busiest rank sends; and that a
    rank needs beside field and patch."""
    py = max(n for n in range(1, math.isqrt(ranks) + 1) if ranks % n == 0)
    field = _VALUE * math.prod(size)
    row = field / py  # of patches, or a little more
    patch = field / ranks
    others = field - patch
    return {
        "whole field": {"bytes": 2 * (ranks - 1) * field, "most": (ranks - 1) * field, "room": field},
        "packed": {"bytes": 2 * others, "most": others, "room": field},
        "derived types": {"bytes": 2 * others, "most": others, "room": 0},
        "row masters": {
            "bytes": 2 * (field - row) + 2 * (field - py * patch),
            "most": (field - row) + (row - patch),
            "room": row if py > 1 else 0,
        },
    }


def tables(found: Found) -> list[Table]:
    rows = []
    for run in found["runs"]:
        for way in run["ways"]:
            rows.append(
                [
                    *(str(run["ranks"]), way["way"]),
                    *(
                        f"{1e3 * way[key]:.1f}"
                        for key in ("scatter", "scatter_median", "gather", "gather_median")
                    ),
                    *(
                        f"{way['bytes'] / 1e6:.1f}",
                        f"{way['most_sent'] / 1e6:.1f}",
                        f"{way['room'] / 1e6:.1f}",
                    ),
                    "more ranks than cores" if run["ranks"] > found["cores"] else "",
                ]
            )
    nx, ny, nz = found["size"]
    columns = [
        "ranks",
        "way",
        "scatter, ms",
        "median",
        "gather, ms",
        "median",
        "MB",
        "MB of a rank",
        "room, MB",
        "",
    ]
    counted = [
        [ranks, way, f"{of['bytes'] / 1e6:.0f}", f"{of['most'] / 1e6:.1f}", f"{of['room'] / 1e6:.2f}"]
        for ranks, ways in found["counted"].items()
        for way, of in ways.items()
    ]
    return [
        Table(f"A field of {nx} x {ny} x {nz} points, the best of {found['turns']} turns", columns, rows),
        Table(
            "The same on the study's ranks, worked out",
            ["ranks", "way", "MB", "MB that a rank sends, at most", "room of a rank, MB"],
            counted,
        ),
    ]


def draw(found: Found, published: Published | None) -> Figure:
    figure = style.figure(8, 3.4)
    groups = [f"{run['ranks']} ranks" for run in found["runs"]]
    for axes, what in zip(figure.subplots(1, 2, sharey=True), ("scatter", "gather"), strict=True):
        style.plain(axes)
        ways = [way["way"] for way in found["runs"][0]["ways"]]
        series = {
            name: [1e3 * next(w[what] for w in run["ways"] if w["way"] == name) for run in found["runs"]]
            for name in ways
        }
        charts.bars(axes, groups, series, legend=False)
        axes.set_title(what)
    most = max(figure.axes, key=lambda axes: axes.get_ylim()[1])
    charts.seconds_axis(most)
    figure.legend(*most.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    figure.axes[0].set_ylabel("time (ms)")
    return figure


ITEMS = (
    Item(
        "tomcat-scatter-gather", "tomcat", "Scatter and gather of a field: derived types and row masters",
        "A field from rank 0 to patches and back: by messages as large as the field, of packed patches, by "
        "derived types, and by these through the first rank of each row of patches. Values are checked.",
        1, measure, tables, draw,
    ),
)  # fmt: skip
