"""WRF with ADIOS2: how long frames take from the run to who follows it, by network and queue."""

from dataclasses import asdict

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.plot import style
from squall_studies.pipeline import planes
from squall_studies.pipeline.planes import Sent
from squall_studies.reproduce import charts
from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.quiet import quiet

_LINES = dict(zip((None, *planes.QUEUES), ("-", "-", "--", ":"), strict=True))


def measure(context: Context) -> Found:
    with context.status("messages by files, EVPath and UCX ..."):
        sent = planes.measure(context.workspace, quiet())
    if not sent:
        raise UserError("this build has no engine sst: make adios2")
    return {"sent": [asdict(one) for one in sent]}


def _by_way(found: Found) -> dict[str, list[Sent]]:
    ways: dict[str, list[Sent]] = {}
    for one in (Sent(**content) for content in found["sent"]):
        ways.setdefault(one.way, []).append(one)
    return ways


def tables(found: Found) -> list[Table]:
    ways = _by_way(found)
    columns = ["way", *(f"{one.bytes / 1024:g} KiB" for one in next(iter(ways.values())))]
    latencies = [[way, *(f"{1e3 * one.latency:.2f}" for one in of)] for way, of in ways.items()]
    speeds = [[way, *(f"{one.throughput / 1e6:.1f}" for one in of)] for way, of in ways.items()]
    return [
        Table("From commit to the consumer, ms", columns, latencies),
        Table("One after the other, MB/s", columns, speeds),
    ]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    ways = _by_way(found)
    plane_names = list(dict.fromkeys(of[0].plane for of in ways.values()))
    for way, of in ways.items():  # colours are of data planes, lines of queue limits
        right.plot(
            [one.bytes for one in of], [1e3 * one.latency for one in of], marker="o", label=way,
            color=style.SERIES[plane_names.index(of[0].plane)], ls=_LINES[of[0].queue],
        )  # fmt: skip
    right.set(xscale="log", yscale="log", xlabel="size of a frame (bytes)", ylabel="commit to consumer (ms)")
    right.legend()
    return figure


ITEMS = (
    Item(
        "adios2-transports", "adios2", "Streaming: EVPath against UCX, queue limits",
        "Frames of 1 kB to 64 MB from a run to who follows it: by files, EVPath and UCX, with queues of 1, "
        "of 4 and without a limit.",
        1, measure, tables, draw,
    ),
)  # fmt: skip
