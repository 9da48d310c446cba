"""The race of candidates: those clearly slower than the best drop out, until one is left or the rounds end.

Every round measures each that is left, in turn, so that all see the same weather on the machine. What
disturbs a run makes it slower, never faster: a candidate counts by its fastest run.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from squall.errors import UserError
from squall.lab.tune.problem import Candidate
from squall.lab.tune.trial import Took, TooSlowError

# A candidate drops out that is slower than the best by more than this, after so many rounds.
MARGINS = (0.30, 0.12, 0.06, 0.03)
OUT_OF_TIME = "no time left"
_PATIENCE = 2.5  # times as long as the fastest whole trial, and some seconds to start


@dataclass
class Entry:
    """A candidate, the kind of choice that made it, and what its runs took [s a step]."""

    candidate: Candidate
    kind: str
    seconds: list[float] = field(default_factory=list)
    verdict: str = ""  # why it dropped out; empty: it did not

    @property
    def best(self) -> float:
        return min(self.seconds, default=float("inf"))


Measure = Callable[[Candidate, float | None], Took]


@dataclass
class Clock:
    """Until when to begin runs, and how long the fastest was."""

    end: float
    fastest: float = float("inf")

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.end

    def part(self, share: float) -> "Clock":
        """A share of the time that is left."""
        now = time.monotonic()
        return Clock(now + max(0.0, self.end - now) * share, self.fastest)

    def limit(self) -> float | None:
        return None if self.fastest == float("inf") else 3 + _PATIENCE * self.fastest


def race(
    entries: Sequence[Entry],
    measure: Measure,
    clock: Clock,
    tell: Callable[[str], None] = lambda _: None,
    margins: Sequence[float] = MARGINS,
) -> list[Entry]:
    """Measures them; returns those that were measured and not refused, the fastest first. The first entry
    is measured even when time is over."""
    left = list(entries)
    for margin in margins:
        for entry in left:
            if clock.over and (entry is not entries[0] or entry.seconds):
                break
            tell(str(entry.candidate))
            wall = try_once(entry, measure, clock.limit())
            clock.fastest = min(clock.fastest, wall or float("inf"))
        best = min((entry.best for entry in entries), default=float("inf"))
        for entry in left:
            if not entry.verdict and entry.best > (1 + margin) * best and entry.seconds:
                entry.verdict = f"slower after {len(entry.seconds)}"
        left = [entry for entry in left if not entry.verdict]
        if len(left) < 2 or clock.over:
            break
    for entry in entries:
        if not entry.seconds and not entry.verdict:
            entry.verdict = OUT_OF_TIME
    return ranked(entries)


def ranked(entries: Iterable[Entry]) -> list[Entry]:
    return sorted((entry for entry in entries if entry.seconds), key=lambda entry: entry.best)


def try_once(entry: Entry, measure: Measure, limit: float | None = None) -> float | None:
    """Measures it, or notes why not; the wall time of the run [s]."""
    try:
        took = measure(entry.candidate, limit)
    except TooSlowError:
        entry.verdict = "stopped: much slower"
    except UserError as error:
        entry.verdict = f"refused: {_first_line(str(error))}"
    else:
        entry.seconds.append(took.step)
        return took.wall
    return None


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "without a message"
