"""The goals of output, and whether they are reached."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from squall.lab.io.bench import STAGING_LIMIT, Measurement

COPIES = 1.5
OF_LIBRARY = 0.8
OF_RAW = 0.9
MEMORY = STAGING_LIMIT + (64 << 20)

#: Bytes of the smallest frames whose times are judged, those of the default size. What a frame costs whatever
#: its size (messages, opening and publishing a file) is most of a small one's time, and next to nothing here.
TIMED = 120_000_000


@dataclass(frozen=True)
class Verdict:
    """A goal for a cell of the matrix."""

    cell: str
    goal: str
    value: str
    reached: bool


def timed(m: Measurement) -> bool:
    """Whether its frames are large enough for goals of time."""
    return m.bytes >= TIMED


def verdicts(measurements: Sequence[Measurement]) -> list[Verdict]:
    """Of memory at any size; of time where frames are large enough."""
    return [
        verdict
        for m in measurements
        for verdict in (*(_of_time(m, measurements) if timed(m) else ()), *_of_memory(m))
    ]


def _of_time(m: Measurement, everything: Sequence[Measurement]) -> Iterator[Verdict]:
    cell = str(m.combination)
    if m.combination.placement != "inline":
        yield Verdict(
            cell, f"perceived at most {COPIES:g} copies", f"{m.in_copies:.2f}", m.in_copies <= COPIES
        )
    elif m.of_baseline is not None:
        yield Verdict(
            cell,
            f"at least {OF_LIBRARY} of the library's plain loop",
            f"{m.of_baseline:.2f}",
            m.of_baseline >= OF_LIBRARY,
        )
    yield from _zarr(m, everything)


def _of_memory(m: Measurement) -> Iterator[Verdict]:
    most = max(m.memory, m.server_memory)
    yield Verdict(
        str(m.combination),
        f"memory at most staging_limit + 64 MB = {MEMORY / 1e6:.0f} MB",
        f"{most / 1e6:.0f} MB",
        most <= MEMORY,
    )


def _zarr(m: Measurement, everything: Sequence[Measurement]) -> Iterator[Verdict]:
    if m.combination.engine != "zarr" or m.combination.placement != "inline":
        return
    if m.combination.codec == "none":
        yield Verdict(
            str(m.combination),
            f"at least {OF_RAW} of raw writes with fsync",
            f"{m.of_raw:.2f}",
            m.of_raw >= OF_RAW,
        )
    same = m.combination.codec.removeprefix("blosc-")  # adios compresses with Blosc
    for other in everything if same != m.combination.codec or same == "none" else ():
        there = other.combination
        if (there.engine, there.placement, there.codec) == ("adios", "inline", same):
            ratio = other.drain / m.drain
            yield Verdict(
                str(m.combination), "no slower than adios", f"{ratio:.2f} of its bandwidth", ratio >= 1
            )
