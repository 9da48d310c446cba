"""Which cores compute and which do the rest: what is measured is the pipeline, no race for cores."""

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LOOK = 0.05  # s


@dataclass(frozen=True)
class Cores:
    """`model`: of the computing rank's own thread; `rest`: of what drains, sends and plots."""

    model: frozenset[int]
    rest: frozenset[int]

    @property
    def words(self) -> str:
        if self.model == self.rest:
            return "all on one core"
        return f"the rank on core {_few(self.model)}; what drains, sends and plots on {_few(self.rest)}"


def _few(cores: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(cores)))


def chosen() -> Cores:
    """The first core for the rank, the others for the rest; one core is shared."""
    first, *others = sorted(os.sched_getaffinity(0))
    return Cores(frozenset({first}), frozenset(others or {first}))


@contextlib.contextmanager
def apart(cores: Cores) -> Iterator[None]:
    """While it lasts, of every program that this process starts for the model the first thread computes on
    the core of the model, and its other threads and the processes that it starts run on the rest."""
    ended = threading.Event()
    others = set(_children(os.getpid()))  # plots, which are in their place already

    def watch() -> None:
        placed: set[int] = set()
        while not ended.wait(_LOOK):
            for model in set(_children(os.getpid())) - others:
                _place({model}, cores.model, placed)
                _place(set(_threads(model)) - {model}, cores.rest, placed)
                for helper in _children(model):
                    _place(set(_threads(helper)), cores.rest, placed)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _place(threads: set[int], on: frozenset[int], placed: set[int]) -> None:
    for thread in threads - placed:
        with contextlib.suppress(OSError):  # it has ended
            os.sched_setaffinity(thread, on)
            placed.add(thread)


def _threads(process: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(entry.name) for entry in Path(f"/proc/{process}/task").iterdir()]
    return []


def _children(process: int) -> list[int]:
    found = []
    for thread in _threads(process):
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{process}/task/{thread}/children").read_text()
            found += [int(child) for child in children.split()]
    return found
