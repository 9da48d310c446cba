"""WRF on HECToR and Monte Rosa: what servers save the computing ranks, by their number."""

from matplotlib.figure import Figure

from squall import machine
from squall.lab.io import bench
from squall_studies.reproduce import charts, writing
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_ENGINE = "zarr"


def measure(context: Context) -> Found:
    """The same frames inline, and by 1, 2, ... servers beside the ranks that compute."""
    inline = bench.Combination(_ENGINE, "inline", "none")
    with context.status("inline ..."):
        first = bench.measure(writing.setup(context), inline, 0.1, plain=False)
    frames = [writing.frame(first) | {"servers": 0}]
    apart = bench.Combination(_ENGINE, "servers", "none")
    for servers in sorted({1, 2, 3, machine.cores() // 2} - {0}):
        with context.status(f"{servers} servers ..."):
            found = bench.measure(writing.setup(context, servers), apart, max(0.3, 4 * first.drain))
        frames.append(writing.frame(found) | {"servers": servers})
    return {"ranks": writing.setup(context).ranks, "cores": machine.cores(), "frames": frames}


def tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row["servers"]), f"{1e3 * row['perceived']:.1f}", f"{row['drain']:.3f}"),
            "more ranks than cores" if row["servers"] + found["ranks"] > found["cores"] else "",
        ]
        for row in found["frames"]
    ]
    title = f"A frame of {_ENGINE} from {found['ranks']} ranks that compute"
    return [Table(title, ["servers", "costs them, ms", "on disk after, s", ""], rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    servers = [row["servers"] for row in found["frames"]]
    charts.lines(
        right,
        servers,
        {
            "the ranks wait": [1e3 * row["perceived"] for row in found["frames"]],
            "on disk": [1e3 * row["drain"] for row in found["frames"]],
        },
    )
    right.set(xlabel="servers (0: the ranks write)", ylabel="a frame (ms)")
    return figure


ITEMS = (
    Item(
        "hector-servers", "hector", "Servers: time that ranks lose to a frame against their number",
        "Frames of made-up weather, written by the ranks that compute, and by 1 to 3 servers beside them.",
        2, measure, tables, draw,
    ),
)  # fmt: skip
