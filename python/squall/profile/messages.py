"""Messages of an MPI program by call and size: a library that counts them is preloaded into its ranks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from matplotlib.axes import Axes
from rich.console import Console

from squall import locate, machine
from squall.errors import UserError
from squall.plot import style
from squall.results import picture, show_table, write_json
from squall.runs import launch

KINDS = ("sent", "received", "collective", "waiting")
_LAUNCHERS = ("mpirun", "mpiexec", "orterun", "prterun")
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


@dataclass(frozen=True)
class Count:
    """Calls of one name whose bytes lie below a power of two, and not below half of it; 1: of no bytes."""

    call: str
    kind: str
    below: float
    count: float
    bytes: float
    seconds: float


@dataclass(frozen=True)
class Messages:
    """Of all ranks, from MPI_Init to MPI_Finalize; ranks: messages, bytes and seconds by kind of each."""

    seconds: float
    calls: tuple[Count, ...]
    ranks: tuple[dict[str, object], ...]


def environment(file: Path) -> dict[str, str]:
    """With which a program counts, and rank 0 leaves the counts in `file`. Raises UserError where the library
    is not there."""
    before = os.environ.get("LD_PRELOAD", "")
    library = str(locate.messages_library())
    return {"LD_PRELOAD": f"{library}:{before}" if before else library, "SQUALL_MESSAGES": str(file)}


def run(words: Sequence[str], output: Path, json_file: Path | None, console: Console) -> int:
    """Counts what a program sends, or shows what was counted; then table and picture. The program's exit
    code. Raises UserError where there is nothing to run or nothing was counted."""
    code = 0
    if len(words) == 1 and words[0].endswith(".json"):
        counts = read(Path(words[0]))
    else:
        code, counts = _count(words)
    show(console, counts)
    if json_file:
        write_json(json_file, asdict(counts))
    with picture(output / "messages.png", 8, 4.5) as figure:
        axes = figure.add_subplot()
        style.plain(axes)
        draw(axes, counts)
    console.print(f"Picture: {output / 'messages.png'}", highlight=False, soft_wrap=True)
    return code


def _count(words: Sequence[str]) -> tuple[int, Messages]:
    if shutil.which(words[0]) is None:
        raise UserError(f"There is no program {words[0]}.")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "messages.json"
        added = environment(file)
        if (machine.launcher() or machine.Launcher("", "")).is_open_mpi and Path(words[0]).name in _LAUNCHERS:
            words = [words[0], *(word for name in added for word in ("-x", name)), *words[1:]]
        code = subprocess.run(words, env=launch.inherited() | added, check=False).returncode
        if code != 0 and not file.is_file():
            raise UserError(
                f"{words[0]} ended with exit code {code}, and no messages were counted.",
                code if code > 0 else 1,
            )
        return code, read(file)


def read(file: Path) -> Messages:
    """Raises UserError for a file that is not there or another's."""
    try:
        content = json.loads(file.read_text())
        calls = tuple(Count(**call) for call in content["calls"])
        return Messages(content["seconds"], calls, tuple(content["ranks"]))
    except FileNotFoundError:
        raise UserError(
            "No messages were counted: a program must call MPI_Finalize, and be linked dynamically with the "
            f"MPI that Squall was built with. ({file} does not exist.)"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} was not written by the counting library: {error!r}") from None


def size(below: float) -> str:
    """The sizes of a bin: "512 B - 1 KiB"."""
    return "0" if below <= 1 else f"{_short(below / 2)} - {_short(below)}"


def _short(value: float) -> str:
    for unit in _UNITS[:-1]:
        if value < 1024:
            return f"{value:g} {unit}"
        value /= 1024
    return f"{value:g} {_UNITS[-1]}"


def show(console: Console, messages: Messages) -> None:
    """By call, and what has bytes by call and size."""
    rows = []
    for call in dict.fromkeys(count.call for count in messages.calls):
        of = [count for count in messages.calls if count.call == call]
        rows.append([call, of[0].kind, *_numbers(of), f"{100 * _share(messages, of):.1f}"])
    columns = ["call", "kind", "number", "MB", "s", "share of time, %"]
    show_table(console, f"Messages of {len(messages.ranks)} ranks", columns, rows)
    sized = sorted((c for c in messages.calls if c.bytes > 0), key=lambda c: (KINDS.index(c.kind), c.below))
    if sized:
        rows = [[size(c.below), c.call, *_numbers([c])] for c in sized]
        show_table(console, "By size", ["size", "call", "number", "MB", "s"], rows)


def _numbers(counts: Sequence[Count]) -> list[str]:
    return [
        f"{sum(c.count for c in counts):.0f}",
        f"{sum(c.bytes for c in counts) / 1e6:.3f}",
        f"{sum(c.seconds for c in counts):.3f}",
    ]


def _share(messages: Messages, counts: Sequence[Count]) -> float:
    return sum(c.seconds for c in counts) / max(1e-9, messages.seconds * len(messages.ranks))


def by_size(messages: Messages, kinds: Sequence[str]) -> Mapping[float, tuple[float, float]]:
    """Number and bytes of each bin that these kinds have something in."""
    found: dict[float, tuple[float, float]] = {}
    for count in sorted(messages.calls, key=lambda c: c.below):
        if count.kind in kinds:
            number, amount = found.get(count.below, (0.0, 0.0))
            found[count.below] = (number + count.count, amount + count.bytes)
    return found


def draw(axes: Axes, messages: Messages) -> None:
    """Number (bars) and bytes (line) of what is sent, one to one and collectively, by size."""
    found = by_size(messages, ("sent", "collective"))
    at = range(len(found))
    axes.bar(at, [number for number, _ in found.values()], color="C0", label="number")
    axes.set_xticks(at, [size(below) for below in found], rotation=45, ha="right", fontsize=7)
    axes.set_ylabel("messages and collective calls")
    axes.set_yscale("log")
    other = axes.twinx()
    other.plot(at, [amount / 1e6 for _, amount in found.values()], "o-", color="C1")
    other.set_ylabel("MB (line)", color="C1")
    other.set_ylim(bottom=0)
    axes.set_title("Messages by size")
