"""WRF on HECToR and Monte Rosa: the model's speed by layout of ranks, threads, patches, tiles and levels."""

from matplotlib.figure import Figure

from squall import machine
from squall.lab.prepared import prepared
from squall.lab.workspace import Layout
from squall_studies.reproduce import charts, stepping
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

STUDY = "hector"
_BRITAIN = "great-north-run-small"
_STEP = 225  # s, of its outermost domain


def measure_layouts(context: Context) -> Found:
    """Steps of the three nested domains, over all ways to use 1, 2, 4, ... cores."""
    with context.status("input of the Great North Run ..."):
        run_file = prepared(context.workspace, "britain", _BRITAIN, {"output.history": None})
    steps = 2 if context.quick else 8
    settings = {"run.duration": f"{steps * _STEP} s"}
    found = []
    for layout in stepping.layouts():
        with context.status(f"{layout.ranks} ranks x {layout.threads} threads ..."):
            seconds = stepping.seconds_a_step(context, run_file, layout, settings, all_of_them=True)
        found.append({"ranks": layout.ranks, "threads": layout.threads, "seconds": seconds})
    return {"case": _BRITAIN, "steps": steps, "layouts": found}


def layout_tables(found: Found) -> list[Table]:
    best = min(row["seconds"] for row in found["layouts"])
    rows = [
        [
            *(str(row["ranks"] * row["threads"]), str(row["ranks"]), str(row["threads"])),
            *(f"{3600 / row['seconds']:.0f}", f"{row['seconds'] / best:.2f}"),
        ]
        for row in found["layouts"]
    ]
    return [Table("Three nested domains", ["cores", "ranks", "threads", "steps/h", "of the best time"], rows)]


def draw_layouts(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    by_threads: dict[int, list[tuple[int, float]]] = {}
    for row in found["layouts"]:
        at = (row["ranks"] * row["threads"], 3600 / row["seconds"])
        by_threads.setdefault(row["threads"], []).append(at)
    for threads, points in by_threads.items():
        label = "ranks alone" if threads == 1 else f"{threads} threads a rank"
        right.plot(*zip(*points, strict=True), marker="o", label=label)
    one = by_threads[1][0]
    most = max(row["ranks"] * row["threads"] for row in found["layouts"])
    right.plot([1, most], [one[1], one[1] * most], color="0.6", lw=0.8, ls=":", label="as cores")
    right.set_xticks(sorted({row["ranks"] * row["threads"] for row in found["layouts"]}))
    right.set(xlabel="cores", ylabel="steps of the outermost domain an hour", ylim=(0, None))
    right.legend()
    return figure


def measure_grids(context: Context) -> Found:
    """All ways to factorise the ranks, on a domain that is wider than it is deep."""
    domain = stepping.Domain(60, 40, 20, 6) if context.quick else stepping.Domain(160, 100, 40, 8)
    run_file = stepping.without_output(context)
    found = []
    for ranks in sorted({2, 4, machine.cores()} - {1}):
        for nx in (n for n in range(1, ranks + 1) if ranks % n == 0):
            with context.status(f"{nx} x {ranks // nx} patches ..."):
                grid = {"parallel.ranks_x": str(nx), "parallel.ranks_y": str(ranks // nx)}
                seconds = stepping.seconds_a_step(
                    context, run_file, Layout(ranks, 1), domain.settings() | grid
                )
            found.append({"ranks": ranks, "x": nx, "y": ranks // nx, "seconds": seconds})
    return {"domain": str(domain), "cores": machine.cores(), "grids": found}


def grid_tables(found: Found) -> list[Table]:
    rows = [
        [f"{row['x']} x {row['y']}", str(row["ranks"]), f"{1e3 * row['seconds']:.1f}", _shared(found, row)]
        for row in found["grids"]
    ]
    return [Table(f"A step of {found['domain']} cells", ["patches", "ranks", "ms", ""], rows)]


def _shared(found: Found, row: Found) -> str:
    return "more ranks than cores" if row["ranks"] > found["cores"] else ""


def draw_grids(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    labels = [f"{row['x']} x {row['y']}" for row in found["grids"]]
    charts.bars(right, labels, {"ms": [1e3 * row["seconds"] for row in found["grids"]]})
    right.set(xlabel="patches from west to east x from south to north", ylabel="time of a step (ms)")
    return figure


def measure_tiles(context: Context) -> Found:
    """Patches of three sizes, each in 1, 2, 4, ... tiles across."""
    sizes = (40, 80) if context.quick else (80, 160, 240)
    threads = machine.cores()
    run_file = stepping.without_output(context)
    found = []
    for size in sizes:
        domain = stepping.Domain(size, size, 20 if context.quick else 40, 6)
        for tiles in (n for n in (1, 2, 4, 8, 16, 32) if threads <= n <= size // 4):
            with context.status(f"{size} x {size} columns in {tiles} tiles ..."):
                layout = Layout(1, threads, tile_x=size, tile_y=-(-size // tiles))
                seconds = stepping.seconds_a_step(context, run_file, layout, domain.settings())
            found.append({"size": size, "tiles": tiles, "seconds": seconds})
        with context.status(f"{size} x {size} columns, tiles of the model's choice ..."):
            seconds = stepping.seconds_a_step(context, run_file, Layout(1, threads), domain.settings())
        found.append({"size": size, "tiles": 0, "seconds": seconds})
    return {"threads": threads, "tiles": found}


def _gain(found: Found, row: Found) -> float:
    """Of the time with the fewest tiles, which one tile a thread is: how much is saved [%]."""
    of = [other for other in found["tiles"] if other["size"] == row["size"] and other["tiles"]]
    fewest = min(of, key=lambda other: int(other["tiles"]))
    return float(100 * (1 - row["seconds"] / fewest["seconds"]))


def tile_tables(found: Found) -> list[Table]:
    rows = [
        [
            f"{row['size']} x {row['size']}",
            str(row["tiles"] or "the model's"),
            f"{1e3 * row['seconds']:.1f}",
            f"{_gain(found, row):.1f}",
        ]
        for row in found["tiles"]
    ]
    title = f"A step of a patch, {found['threads']} threads"
    return [Table(title, ["columns of the patch", "tiles", "ms", "faster by, %"], rows)]


def draw_tiles(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    for size in dict.fromkeys(row["size"] for row in found["tiles"]):
        of = [row for row in found["tiles"] if row["size"] == size]
        chosen = next(_gain(found, row) for row in of if not row["tiles"])
        points = [(row["tiles"], _gain(found, row)) for row in of if row["tiles"]]
        [line] = right.plot(*zip(*points, strict=True), marker="o", label=f"{size} x {size} columns")
        right.axhline(chosen, color=line.get_color(), lw=0.8, ls=":")
    right.set_xscale("log", base=2)
    right.xaxis.set_major_formatter("{x:g}")
    right.set(
        xlabel="tiles of a patch (dotted: the model's choice)", ylabel="faster than a tile a thread (%)"
    )
    right.legend()
    return figure


def measure_levels(context: Context) -> Found:
    size, steps = (40, 6) if context.quick else (100, 8)
    layout = Layout(1, machine.cores())
    run_file = stepping.without_output(context)
    found = []
    for levels in (20, 30, 40, 60, 80):
        domain = stepping.Domain(size, size, levels, steps)
        with context.status(f"{levels} levels ..."):
            seconds = stepping.seconds_a_step(context, run_file, layout, domain.settings())
        found.append({"levels": levels, "seconds": seconds})
    return {"columns": f"{size} x {size}", "levels": found}


def level_tables(found: Found) -> list[Table]:
    first = found["levels"][0]
    rows = [
        [
            *(str(row["levels"]), f"{1e3 * row['seconds']:.1f}"),
            *(f"{row['seconds'] / first['seconds']:.2f}", f"{row['levels'] / first['levels']:.2f}"),
        ]
        for row in found["levels"]
    ]
    columns = ["levels", "ms a step", "times as long", "times as many"]
    return [Table(f"{found['columns']} columns", columns, rows)]


def draw_levels(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    levels = [row["levels"] for row in found["levels"]]
    seconds = [row["seconds"] for row in found["levels"]]
    right.plot(levels, [1e3 * value for value in seconds], marker="o", label="a step")
    proportional = [1e3 * seconds[0] * n / levels[0] for n in levels]
    right.plot(levels, proportional, color="0.6", lw=0.8, ls=":", label="in proportion")
    right.set(xlabel="levels", ylabel="time of a step (ms)", ylim=(0, None))
    right.legend()
    return figure


ITEMS = (
    Item(
        "hector-layouts", STUDY, "Steps per hour against cores, ranks against ranks x threads",
        "The three nested domains of the Great North Run, a sixth of the points of every side, stepped by "
        "ranks alone and by ranks with threads.",
        3, measure_layouts, layout_tables, draw_layouts,
    ),
    Item(
        "hector-grids", STUDY, "Process grid shape against speed",
        "Time of a step of the supercell over all factorisations of the ranks.",
        2, measure_grids, grid_tables, draw_grids,
    ),
    Item(
        "hector-tiles", STUDY, "Tiles per patch against step time",
        "Time of a step of the supercell on patches of several sizes, each cut into more and more tiles, and "
        "into those that the model chooses.",
        4, measure_tiles, tile_tables, draw_tiles,
    ),
    Item(
        "hector-levels", STUDY, "Number of levels against run time",
        "Time of a step of the supercell with 20 to 80 levels on the same columns.",
        2, measure_levels, level_tables, draw_levels,
    ),
)  # fmt: skip
