"""Whether a run is running, done, stopped or died.

The model writes `status.json` in the run directory anew every second, with a beat that counts, as long as it
lives, and what became of it at its end. A run that says it is running and is not has died: on the same
machine that is seen by its process, from elsewhere by the silence.
"""

import fcntl
import json
import os
import struct
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from squall.errors import UserError
from squall.runs import manifest

NAME = "status.json"
LOG = "run.log"
Word = Literal["running", "done", "stopped", "died"]

SILENT = 60.0  # s without a beat after which a run on another machine is taken for dead
_BEATS = 3.0  # s in which a run that lives beats once at least

_IN_USE = 1 << 62  # the byte of a manifest that its writers lock: io/src/publish/manifest_file.cpp
_FLOCK = "hhqqi4x"  # struct flock of Linux on 64 bits


@dataclass(frozen=True)
class State:
    """How a run is. `told`: what its status file says, empty where it has none."""

    word: Word
    why: str = ""
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        return self.word != "running"


def state_of(run: Path) -> State:
    """Of a run directory. A program other than the model keeps no status file: it runs as long as it has a
    manifest open. Raises UserError for a directory that is no run's."""
    told = read(run)
    if told is None:
        return _by_manifests(run)
    if told["state"] != "running" or _lives(told):
        return _state(told)
    later = told if on_this_machine(told) else _after_a_beat(run, told)
    later = read(run) or later  # it may have ended well a moment ago
    if later["state"] != "running" or (later["beat"], later["pid"]) != (told["beat"], told["pid"]):
        return _state(later)
    return State("died", _gone(told), told)


def writer(run: Path) -> dict[str, Any] | None:
    """The status of who writes into a directory now, for certain: a process that is seen here, or one of
    another machine that beats."""
    told = read(run)
    if told is None or told["state"] != "running":
        return None
    if on_this_machine(told):
        return told if _lives(told) else None
    later = _after_a_beat(run, told)
    return later if later["state"] == "running" and later["beat"] != told["beat"] else None


def read(run: Path) -> dict[str, Any] | None:
    """The status file; None where there is none. Raises UserError for one that is none of this version."""
    path = run / NAME
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from None
    if not isinstance(told, dict) or told.get("squall_status") != 1:
        raise UserError(f"{path} is no status of this version of Squall (squall_status is not 1).")
    return told


def who(run: Path) -> tuple[Any, ...] | None:
    """What tells the process that keeps the status file from all others; None where there is none."""
    try:
        told = read(run)
    except UserError:
        return None
    return None if told is None else (told["machine"], told["pid"], told["process"])


def bury(run: Path, why: str, before: tuple[Any, ...] | None) -> None:
    """Writes down what ended a run whose model could not, for those who look from other machines. A run that
    has said its last word is left alone, and so is that of `before`: who() before this one began."""
    try:
        told = read(run)
        if told is None or told["state"] != "running" or who(run) == before:
            return
        part = run / f"{NAME}.part"
        part.write_text(json.dumps(told | {"state": "died", "why": why}, indent=1) + "\n")
        part.replace(run / NAME)
        with (run / LOG).open("a") as log:
            log.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}  {why}\n")
    except (OSError, UserError):
        return  # who looks finds out for himself


def _state(told: dict[str, Any]) -> State:
    return State(told["state"], told.get("why", ""), told)


def _lives(told: dict[str, Any]) -> bool:
    if on_this_machine(told):
        return _started(told["pid"]) == str(told["process"])
    return bool(time.time() - told["at"] < SILENT)


def _after_a_beat(run: Path, told: dict[str, Any]) -> dict[str, Any]:
    """Clocks of two machines may differ: whether it beats is seen on this one's."""
    time.sleep(_BEATS)
    return read(run) or told


def on_this_machine(told: dict[str, Any]) -> bool:
    """Whether the process that a status tells of can be seen from here."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return bool(told["machine"] == f"{boot} {os.readlink('/proc/self/ns/pid')}")
    except OSError:
        return False


def _started(pid: int) -> str | None:
    """When a process began, in the kernel's ticks, which tells it from a later one of its number; None: there
    is none, or it has ended and its parent has not looked yet."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if after_name[0] in "ZX" else after_name[19]


def _gone(told: dict[str, Any]) -> str:
    if on_this_machine(told):
        return f"its process {told['pid']} is gone and left no word: killed, or crashed"
    silent = datetime.fromtimestamp(told["at"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"no sign of life from process {told['pid']} on {told['host']} since {silent}"


def _by_manifests(run: Path) -> State:
    manifests = manifest.of_run(run)
    if not run.is_dir():
        raise UserError(f"There is no run directory {run}.")
    if any(_in_use(path) for path in manifests.values()):
        return State("running")
    if manifests or any(run.glob("wrfout_*")):
        return State("done")
    raise UserError(
        f"{run} is no run directory: it has neither {NAME} nor a manifest (NAME{manifest.ENDING})."
    )


def _in_use(path: Path) -> bool:
    """Whether a run writes a manifest: whether a process holds the lock on it that its writers share."""
    lock = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _IN_USE, 1, 0)
    try:
        with path.open("rb") as file:
            answer = fcntl.fcntl(file, fcntl.F_OFD_GETLK, lock)
    except OSError:  # a file system without locks
        return False
    return bool(struct.unpack(_FLOCK, answer)[0] != fcntl.F_UNLCK)
