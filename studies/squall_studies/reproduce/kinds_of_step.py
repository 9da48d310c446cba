"""TOMCAT at high resolution: steps of each kind that the study timed, by layout.

The study's clock: a step of half an hour, after which something is due every 2, 6 and 12 hours. Here a storm
takes as many of its own steps in between; what is due is ours: a frame, beside it a second stream of whole
fields, and a restart frame.
"""

import json
import statistics
from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from squall.lab.speed_domains import STORM
from squall_studies.reproduce import charts, stepping
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

#: Streams that are due, by the study's name of such a step; a later one has those before it, too.
DUE: Mapping[str, Sequence[str]] = {
    "interval": (),
    "2 h": ("history",),
    "6 h": ("history", "second"),
    "12 h": ("history", "second", "restart"),
}
KINDS = ("initial", *DUE, "final")

#: What they are here, for an item's text.
WHAT = (
    "Initial steps come with what a run begins with, at 2 h a frame is due, at 6 h a second stream of whole "
    "fields, too, at 12 h a restart frame as well, and the final step is the one that ends with all of it."
)

_EVERY = {"2 h": 4, "6 h": 12, "12 h": 24}  # steps of half an hour
DAY = 48  # such steps


def intervals(time_step: int) -> dict[str, str]:
    """Settings of the streams that are due, for a run that steps so many seconds."""
    streams = dict(zip(("history", "second", "restart"), _EVERY.values(), strict=True))
    return {f"output.{name}.interval": f"{steps * time_step} s" for name, steps in streams.items()}


def measure(context: Context) -> Found:
    """A day of such steps, over all ways to divide the cores."""
    domain = stepping.Domain(60, 60, 20, DAY) if context.quick else stepping.Domain(160, 160, 40, DAY)
    run_file = context.workspace.variant("steps", STORM.name, {})
    timing = context.workspace.directory / "timing.json"
    settings = domain.settings() | intervals(STORM.time_step)
    found = []
    for layout in stepping.layouts():
        runs = []
        for _ in range(context.repeats):
            with context.status(f"{layout.ranks} ranks x {layout.threads} threads ..."):
                context.workspace.run("steps", run_file, settings, layout, timing)
            runs.append(by_kind(json.loads(timing.read_text())["each_step"]))
        times = {kind: statistics.median(run[kind] for run in runs) for kind in KINDS}
        found.append({"ranks": layout.ranks, "threads": layout.threads} | times)
    return {"domain": str(domain), "runs": found}


def kind_of(number: int, last: int, steps_of: Mapping[str, int] = _EVERY) -> str:
    """Of a step, by its number from 1; what is due comes at its end. steps_of: from one of a kind to the
    next."""
    if number in (1, last):
        return "initial" if number == 1 else "final"
    due = [kind for kind, every in steps_of.items() if number % every == 0]
    return due[-1] if due else "interval"


def by_kind(steps: Sequence[float], steps_of: Mapping[str, int] = _EVERY) -> dict[str, float]:
    """Medians over a run's steps."""
    of: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for number, seconds in enumerate(steps, start=1):
        of[kind_of(number, len(steps), steps_of)].append(seconds)
    return {kind: statistics.median(values) for kind, values in of.items()}


def tables(found: Found) -> list[Table]:
    rows = [
        [str(run["ranks"]), str(run["threads"]), *(f"{1e3 * run[kind]:.1f}" for kind in KINDS)]
        for run in found["runs"]
    ]
    columns = ["ranks", "threads", *(f"{kind}, ms" for kind in KINDS)]
    return [Table(f"Steps of {found['domain']} cells", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    charts.steps(figure, right, found["runs"], KINDS)
    return figure


ITEMS = (
    Item(
        "tomcat-steps", "tomcat", "Initial, interval, 2 h, 6 h, 12 h and final steps, by ranks and threads",
        "Steps of the supercell of each kind that the study timed, over all ways to divide the cores. "
        f"{WHAT}",
        5, measure, tables, draw,
    ),
)  # fmt: skip
