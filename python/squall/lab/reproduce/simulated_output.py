"""Choices of output at the scale of the studies: stripes of files, servers' groups and nodes, aggregators."""

from collections.abc import Callable

from matplotlib.figure import Figure

from squall import planning
from squall.lab.reproduce import charts
from squall.lab.reproduce.item import Context, Found, Item, Published, Table
from squall.lab.reproduce.simulated import Curve, Run, drain, perceived

_HECTOR = (1000, 1000, 50)  # cells; assumed, as in simulated_studies.py
_ADIOS2 = (1500, 1200, 35)  # assumed
_RANKS, _SERVERS = 1024, 12


def _striped(engine: str, way: str, megabytes: int) -> Callable[[int], Run]:
    return lambda count: Run(
        "hector-xt4", _HECTOR, _RANKS, engine, way=way,
        storage={"stripe_count": count, "stripe_size": megabytes << 20},
    )  # fmt: skip


_STRIPES = Curve(
    name="hector-simulated-stripes", study="hector",
    x=(1, 2, 4, 8, 16, 48), quick=(1, 48), label="targets of a file", seconds="a frame",
    series={
        f"{layer}, {size} MiB": _striped(engine, way, size)
        for layer, engine, way in (("serial", "netcdf", "serial"), ("PnetCDF", "pnetcdf", "collective"))
        for size in (1, 16)
    },
    value=perceived,
    calibrated="servers, above: no point of these curves",
    shapes=(),
)  # fmt: skip

_AGGREGATORS = Curve(
    name="adios2-simulated-aggregators", study="adios2",
    x=(1, 2, 4, 9, 18, 36), quick=(1, 36), label="writers on a node", seconds="a frame",
    series={
        f"{nodes} node{'s' * (nodes > 1)}": lambda n, nodes=nodes: Run(  # type: ignore[misc]
            "xeon-2023", _ADIOS2, 36 * nodes, "adios", way="aggregated", aggregators=n
        )
        for nodes in (1, 4, 8)
    },
    value=perceived,
    calibrated="PnetCDF on 8 nodes: no point of these curves",
    shapes=(),
)  # fmt: skip

#: Of a table's row: groups, whether the last ranks serve, assignment.
_LAYOUTS = tuple(
    (groups, last, assignment)
    for groups in (1, 2, 3, 6, 12)
    for last in (False, True)
    for assignment in ("consecutive", "round-robin")
    if groups == 1 or assignment == "consecutive"
)


def measure_placements(context: Context) -> Found:
    """Frames of 1,024 ranks, 12 of which serve, in groups that take them in turn."""
    rows = []
    for groups, last, assignment in _LAYOUTS[:5] if context.quick else _LAYOUTS:
        run = Run(
            "hector-xt4", _HECTOR, _RANKS, "netcdf", placement="servers", servers=_SERVERS, way="quilt",
            groups=groups, servers_last=last, assignment=assignment,
        )  # fmt: skip
        with context.status(f"{groups} groups, {assignment} ..."):
            answer = planning.ask(run.question())
        rows.append(
            {
                "groups": groups, "last": last, "assignment": assignment, "drain": drain(answer),
                "busiest": max(answer["streams"][0]["busy"].items(), key=lambda part: part[1])[0],
            }
        )  # fmt: skip
    return {"machine": answer["machine"], "method": answer["method"], "rows": rows}


def placement_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row["groups"]), _where(row), row["assignment"], f"{row['drain']:.3g}"),
            *(f"{row['drain'] / row['groups']:.3g}", row["busiest"]),
        ]
        for row in found["rows"]
    ]
    how = "SimGrid" if found["method"] == "simgrid" else "closed forms"
    columns = ["groups", "servers on", "slabs", "stored after, s", "a frame every, s", "busiest"]
    title = f"{found['machine']}, {_RANKS} ranks, {_SERVERS} of them servers; simulated by {how}"
    return [Table(title, columns, rows)]


def _where(row: Found) -> str:
    return "the last nodes" if row["last"] else "nodes apart"


def draw_placements(found: Found, published: Published | None) -> Figure:
    figure, _, right = charts.beside(None)
    for last in (False, True):
        of = [r for r in found["rows"] if r["last"] == last and r["assignment"] == "consecutive"]
        groups = [row["groups"] for row in of]
        [line] = right.plot(groups, [r["drain"] for r in of], "o-", label=f"stored after, {_where(of[0])}")
        every = [row["drain"] / row["groups"] for row in of]
        right.plot(groups, every, "s--", color=line.get_color(), label=f"a frame every, {_where(of[0])}")
    if published is not None:
        right.axhline(float(published.rows[-1][-1]), color="k", ls=":", label="published best")
    right.set_xticks(sorted({row["groups"] for row in found["rows"]}))
    right.set(xlabel=f"groups of {_SERVERS} servers", ylabel="time (s)", ylim=(0, None))
    right.legend(fontsize=7)
    return figure


ITEMS: tuple[Item, ...] = (
    _STRIPES.item(
        "Stripe size and count of files",
        "A frame of 1,024 ranks of the Cray XT4, by one rank and through PnetCDF, on 1 to all 48 targets of "
        "its file system.",
    ),
    Item(
        "hector-simulated-placement", "hector",
        "Servers: groups, nodes that they are on, consecutive and round-robin slabs",
        "12 servers of 1,024 ranks of the Cray XT4 in 1 to 12 groups that take frames in turn, each on a "
        "node of its own or all on the last, with slabs in one piece or dealt out.",
        1, measure_placements, placement_tables, draw_placements, simulated=True,
    ),
    _AGGREGATORS.item(
        "Aggregators per node",
        "A frame of ADIOS2 on 1 to 8 nodes of Xeons, with 1 to 36 of a node's ranks that write.",
    ),
)  # fmt: skip
