"""The network by itself: how long messages of each size take, and how fast they go one after the other."""

import re
import subprocess
from dataclasses import dataclass

from rich.console import Console

from squall import locate
from squall.errors import UserError
from squall.io import engines
from squall.lab.workspace import Workspace

PLANES = ("evpath", "ucx")
_LINE = re.compile(r"(\w+) +(\d+) B +([\d.]+) ms +([\d.]+) MB/s")
_LONG = 300.0  # s


@dataclass(frozen=True)
class Sent:
    """Frames of so many bytes: from commit to the consumer's having one [s], and bytes a second of many."""

    plane: str
    bytes: int
    latency: float
    throughput: float


def measure(workspace: Workspace, console: Console) -> list[Sent]:
    """Of all data planes of this build. One that fails is left out, with the reason."""
    program = locate.model_binary().parents[1] / "io" / "bench" / "squall-io-planes"
    if "sst" not in engines():
        return []
    if not program.is_file():
        raise UserError(f"The program {program} is not there. Build it with `make build`.")
    found = []
    for plane in PLANES:
        with console.status(f"messages, {plane} ..."):
            try:
                done = subprocess.run(
                    [program, workspace.directory, "9", plane], capture_output=True, text=True, check=False,
                    timeout=_LONG,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                console.print(f"Left out: messages by {plane} took more than {_LONG:g} s.", highlight=False)
                continue
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word"])[-1]
            console.print(f"Left out: messages by {plane}: {last}", highlight=False)
            continue
        found += parse(done.stdout)
    return found


def parse(text: str) -> list[Sent]:
    """What squall-io-planes prints."""
    return [
        Sent(plane, int(size), float(ms) / 1e3, float(mb) * 1e6)
        for plane, size, ms, mb in _LINE.findall(text)
    ]
