"""A profile as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open: a process for each rank."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from squall.profile.ranks import Rank


def write(path: Path, ranks: Sequence[Rank]) -> None:
    """The Trace Event Format: times in microseconds since all ranks began together."""
    with path.open("w") as file:
        file.write('{"displayTimeUnit": "ms", "traceEvents": [\n')
        for index, event in enumerate(_events(ranks)):
            file.write((",\n" if index else "") + json.dumps(event))
        file.write("\n]}\n")


def _events(ranks: Sequence[Rank]) -> Iterator[dict[str, Any]]:
    for rank in ranks:
        name = {"name": f"rank {rank.rank} on {rank.host}"}
        yield {"ph": "M", "name": "process_name", "pid": rank.rank, "args": name}
        for thread in range(rank.threads):
            name = {"name": f"thread {thread}"}
            yield {"ph": "M", "name": "thread_name", "pid": rank.rank, "tid": thread, "args": name}
        for thread, number, begin, duration in rank.events:
            routine = rank.routines[number]
            yield {
                "ph": "X",
                "name": routine.name,
                "cat": routine.kind,
                "pid": rank.rank,
                "tid": thread,
                "ts": begin,
                "dur": duration,
                "args": {"at": routine.place},
            }
