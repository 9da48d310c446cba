"""Handing frames on by itself: how long they take by their size, and how fast they go one after the other."""

import re
import subprocess
from dataclasses import dataclass

from rich.console import Console

from squall import locate
from squall.errors import UserError
from squall.io import engines
from squall.lab.workspace import Workspace

PLANES = ("evpath", "ucx")
QUEUES = (0, 1, 4)  # frames that wait for the consumer; 0: as many as there are
FILES = "files"
_FRAMES = 9
_LINE = re.compile(r"^(\w+)(?::(\d+))? +(\d+) B +([\d.]+) ms +([\d.]+) MB/s$", re.M)
_LONG = 120.0  # s


@dataclass(frozen=True)
class Sent:
    """Frames of so many bytes: from commit to the consumer's having one [s], and bytes a second of many.
    queue: the limit of a network stream; None for files."""

    plane: str
    queue: int | None
    bytes: int
    latency: float
    throughput: float

    @property
    def way(self) -> str:
        return self.plane if self.queue is None else f"{self.plane}, queue {self.queue}"


def measure(workspace: Workspace, console: Console) -> list[Sent]:
    """By files, and by all data planes of this build with each queue limit. What fails is left out, with the
    reason."""
    program = locate.model_binary().parents[1] / "io" / "bench" / "squall-io-planes"
    if "sst" not in engines():
        return []
    if not program.is_file():
        raise UserError(f"The program {program} is not there. Build it with `make build`.")
    found = []
    for way in (FILES, *(f"{plane}:{queue}" for plane in PLANES for queue in QUEUES)):
        with console.status(f"messages, {way} ..."):
            try:
                done = subprocess.run(
                    [program, workspace.directory, str(_FRAMES), way], capture_output=True, text=True,
                    check=False, timeout=_LONG,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                console.print(f"Left out: messages by {way} took more than {_LONG:g} s.", highlight=False)
                continue
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word"])[-1]
            console.print(f"Left out: messages by {way}: {last}", highlight=False)
            continue
        found += parse(done.stdout)
    return found


def parse(text: str) -> list[Sent]:
    """What squall-io-planes prints."""
    return [
        Sent(plane, int(queue) if queue else None, int(size), float(ms) / 1e3, float(mb) * 1e6)
        for plane, queue, size, ms, mb in _LINE.findall(text)
    ]
