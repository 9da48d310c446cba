"""A whole forecast over its steps alone, on the studies' machines: what output costs in all."""

from matplotlib.figure import Figure

from squall import planning
from squall.errors import UserError
from squall.lab.reproduce import charts
from squall.lab.reproduce.item import Context, Found, Item, Published, Table
from squall.lab.reproduce.simulated import Run
from squall.plot import style

_BEST = 1.02  # published/adios2.toml

#: Machine, cells and ranks of the studies (cells assumed, as in simulated_studies.py), and nodes of them.
_FORECASTS = (
    ("hector-xt4", (1000, 1000, 50), 1024, 256), ("hector-xe6", (320, 160, 60), 400, 13),
    ("council-ib", (425, 300, 35), 192, 24), ("xeon-2023", (1500, 1200, 35), 288, 8),
)  # fmt: skip

#: Placement, and servers of each group of so many nodes.
_WAYS = {"inline": 0, "thread": 0, "servers": 16}
_HOUR, _DAY = 3600, 86400  # s
_INTERVALS = {"1 h": _HOUR, "10 min": 600}


def measure(context: Context) -> Found:
    """A day of zarr with zstd, a frame every hour and every ten minutes, by each placement."""
    rows, refused = [], []
    for machine, cells, ranks, nodes in _FORECASTS[-1:] if context.quick else _FORECASTS:
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
            for interval, seconds in _INTERVALS.items():
                rows.append(_seen(answer, seconds) | {"placement": placement, "interval": interval})
    if not rows:
        raise UserError(f"No forecast could be simulated: {refused[0]['why']}")
    return {"rows": rows, "refused": refused}


def _seen(answer: planning.Answer, interval: int) -> Found:
    """The frame at another interval [s], waited for where it drains longer than the next takes to come."""
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
        "seconds": seconds,
        "cost": seconds / steps,
    }


def tables(found: Found) -> list[Table]:
    rows = [
        [
            *(row["machine"], str(row["ranks"]), row["placement"], str(row["servers"]), row["interval"]),
            *(f"{row['steps']:.0f}", f"{row['seconds']:.0f}", f"{row['cost']:.4f}"),
            "yes" if row["cost"] < _BEST else "no",
        ]
        for row in found["rows"]
    ]
    columns = [
        *("machine", "ranks", "placement", "servers", "a frame every", "steps, s", "forecast, s"),
        *("forecast / steps", f"less than {_BEST:g}"),
    ]
    tables = [Table("A day by zarr with zstd", columns, rows)]
    if found["refused"]:
        refused = [[row["machine"], row["placement"], row["why"]] for row in found["refused"]]
        tables.append(Table("Refused", ["machine", "placement", "why"], refused))
    return tables


def draw(found: Found, published: Published | None) -> Figure:
    figure, _, axes = charts.beside(None)
    machines = list(dict.fromkeys(row["machine"] for row in found["rows"]))
    series = {
        f"{placement}, every {interval}": [_cost(found, machine, placement, interval) for machine in machines]
        for placement in _WAYS
        for interval in _INTERVALS
    }
    charts.bars(axes, [machine.partition(" (")[0] for machine in machines], series, form="")
    axes.axhline(_BEST, color="k", ls=":", lw=0.8, label="published best")
    axes.set_ylim(1, max(1.05, 1.1 * max(row["cost"] for row in found["rows"]) - 0.1))
    axes.set_ylabel("forecast / its steps alone")
    axes.legend(fontsize=6)
    style.plain(axes)
    return figure


def _cost(found: Found, machine: str, placement: str, interval: str) -> float:
    """Not a number where it was refused."""
    key = (machine, placement, interval)
    rows = found["rows"]
    return next(
        (row["cost"] for row in rows if (row["machine"], row["placement"], row["interval"]) == key),
        float("nan"),
    )


ITEMS = (
    Item(
        "adios2-simulated-forecast", "adios2", "A whole forecast over its steps alone",
        "A day on the machines of four studies, with a frame every hour and every ten minutes by zarr with "
        "zstd, from the computing ranks, from a thread beside each, and from servers.",
        1, measure, tables, draw, simulated=True,
    ),
)  # fmt: skip
