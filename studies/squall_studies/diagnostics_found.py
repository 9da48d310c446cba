"""What `squall lab diagnostics` has found: its numbers, and those that were published."""

import json as json_text
import statistics
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from squall.errors import UserError
from squall_studies.diagnostics_steps import STORM

GOAL = 0.01  # of a step
COUNTED_RANKS = (80, 400)
COUNTED_SIZE = (400, 400, 40)
COUNTED_FIELDS = 10
#: The published writing steps [s]: gathered, in place; by tasks.
PUBLISHED = {
    "stations": {80: (8.80, 0.99), 400: (39.30, 0.51)},
    "zonal means": {80: (4.65, 0.55), 400: (41.55, 0.35)},
}


@dataclass(frozen=True)
class Setup:
    """The domain's cells, its steps, and how often each run is made."""

    size: tuple[int, int, int]
    steps: int
    repeats: int


@dataclass(frozen=True)
class Cost:
    """Of a run, or medians over several. Medians of its steps [s]: of the normal ones, of those that write,
    and what a frame costs these and the next ones together, as a share of a normal step: by the clock, and by
    the time of rank 0's processor, with the threads that write, and with its waiting for other ranks. memory:
    that the process with most had [B]; 0: not measured. step: of which kind they are, by name. threads: by
    rank, what a frame takes of the processor's time, as a share of a normal step: of the thread that steps
    the model, and of the threads that write."""

    ranks: int
    what: str
    way: str
    normal: float
    writing: float
    more: float
    more_processor: float
    memory: float = 0
    step: str = STORM.name
    threads: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Count:
    """Of one frame, on so many ranks: messages and bytes in all, of the largest message, and the most that a
    rank hears; where whole fields are gathered, what rank 0 hears."""

    ranks: int
    what: str
    messages: int
    bytes: int
    largest: int
    heard: int
    gathered: int


@dataclass(frozen=True)
class SumCost:
    """Of sums of rows of so many terms of single precision, ns for each term: where the bits depend on no
    order, where they do, and of reading it."""

    row: int
    reproducible: float
    in_order: float
    read: float


@dataclass(frozen=True)
class Found:
    """All that was measured. values: of how many the zonal means of a frame are made, by the kind of step."""

    processor: str
    cores: int
    setup: Setup
    runs: list[Cost]
    counts: list[Count]
    sums: list[SumCost]
    values: dict[str, int]


def read(file: Path) -> Found:
    """What `json` of `run` wrote. Raises UserError where it is not that."""
    try:
        told = json_text.loads(file.read_text())
        setup = Setup(tuple(told["setup"]["size"]), told["setup"]["steps"], told["setup"]["repeats"])
        runs = [
            Cost(**row | {"threads": tuple(tuple(rank) for rank in row.get("threads", ()))})
            for row in told["runs"]
        ]
        counts, sums = [Count(**row) for row in told["counts"]], [SumCost(**row) for row in told["sums"]]
        return Found(told["processor"], told["cores"], setup, runs, counts, sums, told["values"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not what `squall lab diagnostics --results` writes: {error}") from None


def medians(runs: list[Cost]) -> list[Cost]:
    """Over runs of the same ranks that make the same in the same way."""
    alike: dict[tuple[str, int, str, str], list[Cost]] = {}
    for made in runs:
        alike.setdefault((made.step, made.ranks, made.what, made.way), []).append(made)
    return [_median(group) for group in alike.values()]


def _median(runs: list[Cost]) -> Cost:
    numbers = ("normal", "writing", "more", "more_processor", "memory")
    middle = {name: statistics.median(getattr(made, name) for made in runs) for name in numbers}
    by_rank = [made.threads for made in runs if made.threads]
    threads = np.median(by_rank, axis=0).tolist() if by_rank else []
    return replace(runs[0], **middle, threads=tuple(tuple(rank) for rank in threads))
