"""The profiles of the ranks: time by routine and thread, and the order of events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from squall.errors import UserError

KINDS = ("computing", "threads wait", "between loops", "exchanging", "waiting", "output")


@dataclass(frozen=True)
class Routine:
    """A loop that threads share out, or a span of a rank's time. Seconds; self: without what began in it."""

    name: str
    file: str
    line: int
    kind: str
    calls: int
    total: float
    self: float
    threads: tuple[float, ...] = ()

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def computing(self) -> float:
        """Of its own time, what threads computed on average; of a span nothing."""
        return sum(self.threads) / len(self.threads) if self.threads else 0.0


@dataclass(frozen=True)
class Rank:
    """All of one rank. events: thread, routine, begin and duration [us]."""

    rank: int
    host: str
    threads: int
    steps: int
    seconds: float
    cells: int
    patch: dict[str, int]
    routines: tuple[Routine, ...]
    events: Sequence[tuple[int, int, float, float]]
    events_lost: int

    @cached_property
    def by_kind(self) -> dict[str, float]:
        """Seconds by KINDS; they add up to `seconds`."""
        found = dict.fromkeys(KINDS, 0.0)
        for routine in self.routines:
            if routine.threads:
                found["computing"] += routine.computing
                found["threads wait"] += routine.self - routine.computing
            else:
                found[routine.kind] += routine.self
        found["between loops"] = max(0.0, self.seconds - sum(found.values()))
        return found

    @property
    def of_threads(self) -> list[float]:
        """Seconds that each thread computed."""
        loops = [routine.threads for routine in self.routines]
        return [sum(of[thread] for of in loops if thread < len(of)) for thread in range(self.threads)]

    @property
    def load(self) -> float:
        """Share of its time in which it did not wait for other ranks."""
        return 1 - self.by_kind["waiting"] / self.seconds if self.seconds > 0 else 1.0


def read(folder: Path) -> list[Rank]:
    """All ranks, in order. Raises UserError where there are none, or a file is not the model's."""
    files = sorted(folder.glob("rank-*.json"), key=lambda file: int(file.stem.partition("-")[2]))
    if not files:
        raise UserError(
            f"{folder} has no profile: the run wrote no rank-N.json there, so it may not have ended normally."
        )
    return [_read(file) for file in files]


def _read(file: Path) -> Rank:
    try:
        content: dict[str, Any] = json.loads(file.read_text())
        routines = tuple(
            Routine(**{**routine, "threads": tuple(routine.get("threads", ()))})
            for routine in content.pop("routines")
        )
        return Rank(routines=routines, **content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} was not written by a profiled run: {error!r}") from None


@dataclass(frozen=True)
class Total:
    """A routine over all ranks, seconds of a rank: mean, least and most of its own time."""

    routine: Routine
    calls: int
    mean: float
    least: float
    most: float
    balance: float  # of its threads and ranks: mean over most; 1 is even


def totals(ranks: Sequence[Rank]) -> list[Total]:
    """All routines, the longest first."""
    places = {(r.name, r.place): r for rank in ranks for r in rank.routines}
    found = []
    for key, routine in places.items():
        of_ranks = [next((r for r in rank.routines if (r.name, r.place) == key), None) for rank in ranks]
        own = [r.self if r else 0.0 for r in of_ranks]
        threads = [seconds for r in of_ranks if r for seconds in (r.threads or (r.self,))]
        found.append(
            Total(
                routine,
                max(r.calls for r in of_ranks if r),
                sum(own) / len(own),
                min(own),
                max(own),
                sum(threads) / len(threads) / max(threads) if max(threads) > 0 else 1.0,
            )
        )
    return sorted(found, key=lambda total: -total.mean)
