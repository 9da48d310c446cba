"""A whole forecast over its steps alone, on the studies' machines: what output costs in all."""

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.plot import style
from squall_studies import planning
from squall_studies.reproduce import curves
from squall_studies.reproduce.item import Context, Found, Published, Table
from squall_studies.reproduce.simulated import BEST_FORECAST, Run

_ITEM = "adios2-simulated-forecast"
_MACHINES, _WAYS, _INTERVALS = (curves.table(_ITEM)[key] for key in ("machines", "ways", "intervals"))
_LEAST = 1e-3  # %, that is drawn
_HOUR, _DAY = 3600, 86400  # s


def measure(context: Context) -> Found:
    """A day, a frame every hour and every ten minutes, by each engine and placement."""
    rows: list[Found] = []
    refused: list[Found] = []
    for of in _MACHINES[-1:] if context.quick else _MACHINES:
        machine, alone = of["machine"], None  # alone: of all ranks, which inline compute
        for way, how in _WAYS.items():
            servers = -(-of["nodes"] // how["nodes_per_server"]) if "nodes_per_server" in how else 0
            question = Run(
                machine, of["cells"], of["ranks"], how["engine"], how["codec"], how["placement"], servers
            ).question()
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


ITEMS = (curves.item(_ITEM, measure, tables, draw),)
