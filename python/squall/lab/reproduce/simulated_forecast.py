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

#: Placement, and servers of each group of so many nodes.
_WAYS = {"inline": 0, "thread": 0, "servers": 16}
_LEAST = 1e-3  # %, that is drawn
_HOUR, _DAY = 3600, 86400  # s
_INTERVALS = {"1 h": _HOUR, "10 min": 600}


def measure(context: Context) -> Found:
    """A day of zarr with zstd, a frame every hour and every ten minutes, by each placement."""
    rows: list[Found] = []
    refused: list[Found] = []
    for machine, cells, ranks, nodes in _FORECASTS[-1:] if context.quick else _FORECASTS:
        alone = None  # of all ranks, which inline compute
        for placement, apart in _WAYS.items():
            servers = -(-nodes // apart) if apart else 0
            question = Run(machine, cells, ranks, "zarr", "zstd", placement, servers).question()
            question.settings.extend(['run.duration="24 h"', f'output.history.interval="{_HOUR} s"'])
            with context.status(f"{machine}, {placement} ..."):
                try:
                    answer = planning.ask(question)
                except UserError as error:
                    refused.append({"machine": machine, "placement": placement, "why": str(error)})
                    continue
            alone = alone or answer["run"]["computing"]
            for interval, seconds in _INTERVALS.items():
                seen = _seen(answer, alone, seconds)
                rows.append(seen | {"placement": placement, "interval": interval})
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
            *(row["machine"], str(row["ranks"]), row["placement"], str(row["servers"]), row["interval"]),
            *(f"{row['alone']:.0f}", f"{row['seconds']:.0f}", f"{row['cost']:.4f}"),
            "yes" if row["cost"] < BEST_FORECAST else f"no: {_why(row)}",
        ]
        for row in found["rows"]
    ]
    columns = [
        *("machine", "ranks", "placement", "servers", "a frame every", "all ranks' steps, s", "forecast, s"),
        *("forecast / steps", f"less than {BEST_FORECAST:g}"),
    ]
    tables = [Table("A day by zarr with zstd", columns, rows)]
    if found["refused"]:
        refused = [[row["machine"], row["placement"], row["why"]] for row in found["refused"]]
        tables.append(Table("Refused", ["machine", "placement", "why"], refused))
    return tables


def _why(row: Found) -> str:
    """What of a forecast costs most beside its steps."""
    if row["waited"] > 0:
        return "a frame is not stored when the next comes"
    fewer = row["steps"] - row["alone"]
    return "those that serve do not compute" if fewer > row["seconds"] - row["steps"] else "ranks write"


def draw(found: Found, published: Published | None) -> Figure:
    """What a forecast takes more than its steps, in per cent: a row for each machine, within it the
    placements."""
    machines = list(dict.fromkeys(row["machine"] for row in found["rows"]))
    figure = style.figure(7, 1.2 + 0.6 * len(machines))
    axes = figure.subplots()
    style.plain(axes, "x")
    for number, placement in enumerate(_WAYS):
        for interval, full in (("1 h", "none"), ("10 min", "full")):
            rows = [r for r in found["rows"] if (r["placement"], r["interval"]) == (placement, interval)]
            more = [max(_LEAST, 100 * (row["cost"] - 1)) for row in rows]
            at = [machines.index(row["machine"]) + 0.2 * (number - 1) for row in rows]
            axes.plot(
                more,
                at,
                "o",
                color=style.SERIES[number],
                fillstyle=full,
                label=f"{placement}, every {interval}",
            )
    axes.axvline(100 * (BEST_FORECAST - 1), color="k", ls=":", lw=0.8, label="published best")
    names = [machine.partition(" (")[0].replace(", ", ",\n") for machine in machines]
    axes.set_yticks(range(len(machines)), names, fontsize=8)
    axes.set_ylim(len(machines) - 0.5, -0.5)
    axes.set(xscale="log", xlabel="a day takes more than the steps of all ranks by (%)")
    figure.legend(loc="outside upper center", ncols=4, fontsize=7)
    return figure


ITEMS = (
    Item(
        "adios2-simulated-forecast", "adios2", "A whole forecast over its steps alone",
        "A day on the machines of four studies, with a frame every hour and every ten minutes by zarr with "
        "zstd, from the computing ranks, from a thread beside each, and from servers.",
        1, measure, tables, draw, simulated=True,
    ),
)  # fmt: skip
