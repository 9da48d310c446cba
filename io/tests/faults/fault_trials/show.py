"""The tables of trials, and what broke a promise."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console

from fault_trials.judge import Violation, told_lost
from fault_trials.schedule import Schedule
from fault_trials.trial import Trial
from squall.results import show_table

Judged = tuple[Trial, list[Violation]]

_COUNTS = ("runs", "fired", "published", "verified", "lost, told", "torn", "hung", "broken")


def table(console: Console, judged: Sequence[Judged]) -> None:
    """Twice: by what went wrong, and by who wrote what."""
    _by(console, "fault", lambda schedule: schedule.fault.kind, judged)
    _by(console, "engine", lambda schedule: schedule.layout.engine, judged)


def _by(console: Console, first: str, name: Callable[[Schedule], str], judged: Sequence[Judged]) -> None:
    cells: dict[tuple[str, str], Counter[str]] = {}
    for trial, violations in judged:
        for key in ((name(trial.schedule), trial.schedule.layout.placement), ("all", "")):
            cells.setdefault(key, Counter()).update(_count(trial, violations))
    rows = [
        [*key, *(str(counts[count]) for count in _COUNTS)]
        for key, counts in sorted(cells.items(), key=lambda cell: (cell[0][0] == "all", cell[0]))
    ]
    show_table(console, "The output runtime under fire", [first, "placement", *_COUNTS], rows)


def _count(trial: Trial, violations: Sequence[Violation]) -> dict[str, int]:
    frames = trial.left.frames
    return {
        "runs": 1,
        "fired": int(bool(trial.fired)),
        "published": len(frames),
        "verified": sum(wrong == 0 for wrong in frames.values()),
        "lost, told": len(told_lost(trial)),
        "torn": sum(wrong != 0 for wrong in frames.values()) + len(trial.left.faults),
        "hung": int(trial.run.hung),
        "broken": int(bool(violations)),
    }


def violation(console: Console, trial: Trial, violations: Sequence[Violation], again: str) -> None:
    """At once, with the command that does it again."""
    console.print(f"[bold red]broken[/] {trial.schedule}", highlight=False, soft_wrap=True)
    for v in violations:
        console.print(f"  {v.promise}: {v.what}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"  again: {again}", highlight=False, markup=False, soft_wrap=True)


def to_json(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    return [
        {
            "schedule": str(trial.schedule),
            "fault": trial.schedule.fault.kind,
            "layout": str(trial.schedule.layout),
            "fired": trial.fired,
            "code": trial.run.code,
            "hung": trial.run.hung,
            "seconds": trial.run.seconds,
            "published": sorted(trial.left.frames),
            "lost": sorted(told_lost(trial)),
            "violations": [f"{v.promise}: {v.what}" for v in violations],
        }
        for trial, violations in judged
    ]
