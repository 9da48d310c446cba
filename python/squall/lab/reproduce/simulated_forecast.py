"""A whole forecast over its steps alone, on the studies' machines: what output costs in all."""

from matplotlib.figure import Figure

from squall import planning
from squall.errors import UserError
from squall.lab.reproduce.item import Context, Found, Item, Published, Table
from squall.lab.reproduce.simulated import BEST_FORECAST, Run
from squall.plot import style

#: Machine, cells and ranks of the studies (cells assumed, as in simulated_studies.py), and nodes of them.
_FORECASTS = (
    ("hector-xt4", (1000, 1000, 50), 1024, 256), ("hector-xe6", (320, 160, 60), 400, 13),
    ("council-ib", (425, 300, 35), 192, 24), ("xeon-2023", (1500, 1200, 35), 288, 8),
)  # fmt: skip

#: Engine, codec, placement, and on how many nodes there is one server.
_WAYS = {
    "zarr, zstd, inline": ("zarr", "zstd", "inline", 0),
    "zarr, zstd, thread": ("zarr", "zstd", "thread", 0),
    "zarr, zstd, servers": ("zarr", "zstd", "servers", 16),
    "netcdf, servers": ("netcdf", "none", "servers", 16),
}
_LEAST = 1e-3  # %, that is drawn
_HOUR, _DAY = 3600, 86400  # s
_INTERVALS = {"1 h": _HOUR, "10 min": 600}


def measure(context: Context) -> Found:
    """A day, a frame every hour and every ten minutes, by each engine and placement."""
    rows: list[Found] = []
    refused: list[Found] = []
    for machine, cells, ranks, nodes in _FORECASTS[-1:] if context.quick else _FORECASTS:
        alone = None  # of all ranks, which inline compute
        for way, (engine, codec, placement, apart) in _WAYS.items():
            servers = -(-nodes // apart) if apart else 0
            question = Run(machine, cells, ranks, engine, codec, placement, servers).question()
            question.settings.extend(['run.duration="24 h"', f'output.history.interval="{_HOUR} s"'])
            with context.status(f"{machine}, {way} ..."):
                try:
                    answer = planning.ask(question)
                except UserError as error:
                    refused.append({"machine": machine, "way": way, "why": str(error)})
                    continue
            alone = alone or answer["run"]["computing"]
            for interval, seconds in _INTERVALS.items():
                seen = _seen(answer, alone, seconds)
                rows.append(seen | {"way": way, "interval": interval})
    if not rows:
        raise UserError(f"No forecast could be simulated: {refused[0]['why']}")
    return {"rows": rows, "refused": refused}


def _seen(answer: planning.Answer, alone: float, interval: int) -> Found:
    """The frame at another interval [s], waited for where it drains longer than the next takes to come.
    alone: the steps of all ranks [s]; of servers' runs what their ranks do not compute counts as output."""
    [stream] = answer["streams"]
    steps, lost = answer["run"]["computing"], stream["perceived"]
    between = stream["between_frames"] * interval / _HOUR
    waited = max(0.0, stream["drain"] - lost - between) if lost < stream["drain"] else 0.0
    seconds = steps + (lost + waited) * _DAY / interval
    return {
        "machine": answer["machine"],
        "ranks": answer["ranks"],
        "servers": answer["servers"],
        "steps": steps,
        "alone": alone,
        "waited": waited,
        "seconds": seconds,
        "cost": seconds / alone,
    }


def tables(found: Found) -> list[Table]:
    rows = [
        [
            *(row["machine"], str(row["ranks"]), row["way"], str(row["servers"]), row["interval"]),
            *(f"{row['alone']:.0f}", f"{row['seconds']:.0f}", f"{row['cost']:.4f}"),
            "yes" if row["cost"] < BEST_FORECAST else f"no: {_why(row)}",
        ]
        for row in found["rows"]
    ]
    columns = [
        *("machine", "ranks", "engine, placement", "servers", "a frame every", "all ranks' steps, s"),
        "forecast, s",
        *("forecast / steps", f"less than {BEST_FORECAST:g}"),
    ]
    tables = [Table("A day", columns, rows), _verdicts(found)]
    if found["refused"]:
        refused = [[row["machine"], row["way"], row["why"]] for row in found["refused"]]
        tables.append(Table("Refused", ["machine", "engine, placement", "why"], refused))
    return tables


def _verdicts(found: Found) -> Table:
    """By engine and placement: whether all machines, or which, beat the published best, and why not."""
    rows = []
    for way, interval in dict.fromkeys((row["way"], row["interval"]) for row in found["rows"]):
        of = [row for row in found["rows"] if (row["way"], row["interval"]) == (way, interval)]
        costs = [row["cost"] for row in of]
        slow = [row for row in of if row["cost"] >= BEST_FORECAST]
        why = "; ".join(dict.fromkeys(map(_why, slow)))
        beaten = f"{len(of) - len(slow)} of {len(of)} machines"
        rows.append([way, interval, f"{min(costs):.4f} to {max(costs):.4f}", beaten, why])
    title = f"What beats {BEST_FORECAST:g}, the published best"
    return Table(title, ["engine, placement", "a frame every", "forecast / steps", "beaten on", "else"], rows)


def _why(row: Found) -> str:
    """What of a forecast costs most beside its steps."""
    if row["waited"] > 0:
        return "a frame is not stored when the next comes"
    fewer = row["steps"] - row["alone"]
    return (
        "those that serve do not compute"
        if fewer > row["seconds"] - row["steps"]
        else "ranks wait while they write"
    )


def draw(found: Found, published: Published | None) -> Figure:
    """What a forecast takes more than its steps, in per cent: a row for each machine, within it the
    placements."""
    machines = list(dict.fromkeys(row["machine"] for row in found["rows"]))
    figure = style.figure(7, 1.2 + 0.6 * len(machines))
    axes = figure.subplots()
    style.plain(axes, "x")
    for number, way in enumerate(_WAYS):
        for interval, full in (("1 h", "none"), ("10 min", "full")):
            rows = [r for r in found["rows"] if (r["way"], r["interval"]) == (way, interval)]
            more = [max(_LEAST, 100 * (row["cost"] - 1)) for row in rows]
            at = [machines.index(row["machine"]) + 0.2 * (number - 1.5) for row in rows]
            axes.plot(
                more,
                at,
                "o",
                color=style.SERIES[number],
                fillstyle=full,
                label=f"{way}, every {interval}",
            )
    axes.axvline(100 * (BEST_FORECAST - 1), color="k", ls=":", lw=0.8, label="published best")
    names = [machine.partition(" (")[0].replace(", ", ",\n") for machine in machines]
    axes.set_yticks(range(len(machines)), names, fontsize=8)
    axes.set_ylim(len(machines) - 0.5, -0.5)
    axes.set(xscale="log", xlabel="a day takes more than the steps of all ranks by (%)")
    figure.legend(loc="outside upper center", ncols=3, fontsize=6)
    return figure


ITEMS = (
    Item(
        "adios2-simulated-forecast", "adios2", "A whole forecast over its steps alone",
        "A day on the machines of four studies, with a frame every hour and every ten minutes: by zarr with "
        "zstd from the computing ranks, from a thread beside each, and from servers, and by serial netCDF "
        "from servers; which of them beat the published best, and why the others do not.",
        1, measure, tables, draw, simulated=True,
    ),
)  # fmt: skip
