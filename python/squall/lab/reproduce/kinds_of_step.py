"""TOMCAT at high resolution: steps that only compute, and those in which more is due, by layout."""

import json
import statistics

from matplotlib.figure import Figure

from squall.lab.reproduce import charts, stepping
from squall.lab.reproduce.item import Context, Found, Item, Published, Table
from squall.lab.speed_domains import STORM

_KINDS = ("first", "between", "with a frame", "with a restart frame", "last")
_FRAME, _RESTART = 4, 12  # steps from one to the next


def measure(context: Context) -> Found:
    """A storm that writes a frame every fourth step and a restart frame every twelfth."""
    domain = stepping.Domain(60, 60, 20, 24) if context.quick else stepping.Domain(200, 200, 40, 24)
    run_file = context.workspace.variant("steps", STORM.name, {})
    due = {
        "output.history.interval": f"{_FRAME * STORM.time_step} s",
        "output.restart.interval": f"{_RESTART * STORM.time_step} s",
    }
    timing = context.workspace.directory / "timing.json"
    found = []
    for layout in stepping.layouts():
        runs = []
        for _ in range(context.repeats):
            with context.status(f"{layout.ranks} ranks x {layout.threads} threads ..."):
                context.workspace.run("steps", run_file, domain.settings() | due, layout, timing)
            runs.append(_by_kind(json.loads(timing.read_text())["each_step"]))
        times = {kind: statistics.median(run[kind] for run in runs) for kind in _KINDS}
        found.append({"ranks": layout.ranks, "threads": layout.threads} | times)
    return {"domain": str(domain), "runs": found}


def _by_kind(steps: list[float]) -> Found:
    """Medians over a run's steps, which are numbered from 1; what is due comes at a step's end."""
    of: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    for number, seconds in enumerate(steps, start=1):
        kind = "between" if number % _FRAME else "with a frame"
        if number % _RESTART == 0:
            kind = "with a restart frame"
        if number in (1, len(steps)):
            kind = "first" if number == 1 else "last"
        of[kind].append(seconds)
    return {kind: statistics.median(values) for kind, values in of.items()}


def tables(found: Found) -> list[Table]:
    rows = [
        [str(run["ranks"]), str(run["threads"]), *(f"{1e3 * run[kind]:.1f}" for kind in _KINDS)]
        for run in found["runs"]
    ]
    columns = ["ranks", "threads", *(f"{kind}, ms" for kind in _KINDS)]
    return [Table(f"Steps of {found['domain']} cells", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    charts.steps(figure, right, found["runs"], _KINDS)
    return figure


ITEMS = (
    Item(
        "tomcat-steps", "tomcat", "Steps of each kind, by ranks and threads",
        "First, common and last steps of the supercell, and those in which a frame or a restart frame is "
        "due, over all ways to divide the cores.",
        3, measure, tables, draw,
    ),
)  # fmt: skip
