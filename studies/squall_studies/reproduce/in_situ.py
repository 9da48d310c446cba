"""WRF with ADIOS2: a forecast and its plots, drawn while it runs against written first, then plotted."""

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.plot import style
from squall_studies.pipeline import cores, rounds, show
from squall_studies.pipeline.setup import AFTERWARDS, Setup
from squall_studies.reproduce import charts
from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.quiet import quiet

_WAYS = (AFTERWARDS, "files", "evpath", "ucx")


def measure(context: Context) -> Found:
    """As `squall lab pipeline` does, without its messages, which adios2-transports has."""
    places = cores.chosen()
    whole = Setup((80, 80, 40), 0, 0, context.repeats, _WAYS, messages=False)
    look = Setup((40, 40, 20), 32, 4, 1, _WAYS, messages=False)
    with context.status("a forecast and its plots, in every way ..."):
        setup = rounds.fitted(look if context.quick else whole, places, context.workspace, quiet())
        runs = rounds.measure(setup, places, context.workspace, quiet())
    found = show.to_json(setup, places.words, runs, [])
    measured = {way["way"] for way in found["ways"]}
    if AFTERWARDS not in measured or len(measured) == 1:
        raise UserError(
            f"There is nothing to compare: this build has only {', '.join(measured) or 'none'} of the ways "
            f"{', '.join(_WAYS)}. The first needs the engine pnetcdf (Debian: libpnetcdf-dev)."
        )
    return found


def _over_afterwards(found: Found) -> dict[str, float]:
    """Time to the last plot by way, over that of plots afterwards: the study's number."""
    last = {way["way"]: float(way["last_plot"]) for way in found["ways"]}
    return {way: time / last[AFTERWARDS] for way, time in last.items()}


def tables(found: Found) -> list[Table]:
    setup, over = found["setup"], _over_afterwards(found)
    rows = [
        [
            *(way["way"], f"{over[way['way']]:.2f}", f"{way['last_plot']:.2f}"),
            f"{min(way['last_plots']):.2f}-{max(way['last_plots']):.2f}",
            *(f"{way['model']:.2f}", f"{100 * way['waits']:.1f}", f"{1e3 * way['latency']:.0f}"),
            f"{way['others']:.1f}",
        ]
        for way in found["ways"]
    ]
    columns = [
        *("way", "last plot / that afterwards", "/ the run without output", "from, to", "model's end"),
        *("waits, %", "frame with the script after, ms", "cores of others"),
    ]
    cells = " x ".join(map(str, setup["size"]))
    own = found["ways"][0]["own"]
    title = (
        f"{setup['steps']} steps of {cells} cells, {setup['frames']} frames, {setup['repeats']} rounds; "
        f"without output {own:.1f} s"
    )
    return [Table(title, columns, rows), Table("Cores", ["who is where"], [[found["placed"]]])]


def draw(found: Found, published: Published | None) -> Figure:
    """Times to the last plot, the study's and ours; below, who did what when."""
    runs = show.typical(found)
    below = show.timelines_height(runs)
    figure = style.figure(9, 2.8 + below)
    top, bottom = figure.subfigures(2, 1, height_ratios=[2.8, below], squeeze=False)[:, 0]
    left, right = top.subplots(1, 2, sharey=True) if published else (None, top.subplots())
    charts.published_bars(left, published)
    over = _over_afterwards(found)
    charts.bars(right, list(over), {"to the last plot": list(over.values())})
    for axes, title in ((left, charts.PUBLISHED), (right, charts.OURS)):
        if axes is not None:
            style.plain(axes)
            axes.set_title(title)
            axes.set_xlabel("")
    (right if left is None else left).set_ylabel("time to the last plot /\nthat of plots afterwards")
    show.timelines(bottom, runs)
    return figure


ITEMS = (
    Item(
        "adios2-pipeline", "adios2", "Pipeline in situ: time to the last plot, and who does what when",
        "A supercell and a plot of each of its 51 frames: drawn when the run has ended, of what its ranks "
        "wrote with PnetCDF; and while it runs, by a process that gets the frames from files or over the "
        "network. Needs two cores.",
        14, measure, tables, draw,
    ),
)  # fmt: skip
