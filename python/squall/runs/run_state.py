"""Whether a run is running, done, stopped or died.

While it runs, the model rewrites `status.json` in the run directory every second, with a heartbeat counter;
at its end it writes the outcome. A run whose status says "running" has died if its process is gone or, seen
from another machine, if its heartbeat has stopped.
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
from squall.runs import manifest, wrf_run

NAME = "status.json"
LOG = "run.log"
Word = Literal["running", "done", "stopped", "died"]

SILENT = 60.0  # time without a heartbeat after which a run on another machine counts as dead [s]
_BEATS = 3.0  # time in which a live run makes at least one heartbeat [s]

_IN_USE = 1 << 62  # the byte of a manifest that its writers lock (io/src/publish/manifest_file.cpp)
_FLOCK = "hhqqi4x"  # struct flock of Linux on 64 bits


@dataclass(frozen=True)
class State:
    """The state of a run. `told`: the content of its status file, empty without one."""

    word: Word
    why: str = ""
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        return self.word != "running"


def state_of(run: Path) -> State:
    """The state of the run in a directory. Programs other than the model write no status file: they count as
    running while they have a manifest open; of WRF also its messages count. Raises UserError if the directory
    is not a run directory."""
    told = read(run)
    if told is None:
        return _by_manifests(run)
    if told["state"] != "running" or _lives(told):
        return _state(told)
    later = told if on_this_machine(told) else _after_a_beat(run, told)
    later = read(run) or later  # it may have ended normally a moment ago
    if later["state"] != "running" or (later["beat"], later["pid"]) != (told["beat"], told["pid"]):
        return _state(later)
    return State("died", _gone(told), told)


def writer(run: Path) -> dict[str, Any] | None:
    """The status of the run that is certainly writing into a directory now: its process is seen here, or its
    heartbeat on another machine."""
    told = read(run)
    if told is None or told["state"] != "running":
        return None
    if on_this_machine(told):
        return told if _lives(told) else None
    later = _after_a_beat(run, told)
    return later if later["state"] == "running" and later["beat"] != told["beat"] else None


def read(run: Path) -> dict[str, Any] | None:
    """Reads the status file; None without one. Raises UserError if it is not of this version."""
    path = run / NAME
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise UserError(f"{run} is a file: name the run directory that it is in.") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from None
    if not isinstance(told, dict) or told.get("squall_status") != 1:
        raise UserError(f"{path} is not a status file of this version of Squall (squall_status is not 1).")
    return told


def who(run: Path) -> tuple[Any, ...] | None:
    """Identifies the process that writes the status file; None without one."""
    try:
        told = read(run)
    except UserError:
        return None
    return None if told is None else (told["machine"], told["pid"], told["process"])


def bury(run: Path, why: str, before: tuple[Any, ...] | None) -> None:
    """Records how a run ended if its model could not, for observers on other machines. Does nothing if the
    run recorded its own end, or if the status is that of an earlier run (`before`: who() before this run
    began)."""
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
        return  # observers will find out from the missing heartbeat


def _state(told: dict[str, Any]) -> State:
    return State(told["state"], told.get("why", ""), told)


def _lives(told: dict[str, Any]) -> bool:
    if on_this_machine(told):
        return started(told["pid"]) == str(told["process"])
    return bool(time.time() - told["at"] < SILENT)


def _after_a_beat(run: Path, told: dict[str, Any]) -> dict[str, Any]:
    """The status after waiting for a heartbeat, timed by this machine's clock because clocks of two machines
    may differ."""
    time.sleep(_BEATS)
    return read(run) or told


def on_this_machine(told: dict[str, Any]) -> bool:
    """Whether the process in a status is visible from here."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return bool(told["machine"] == f"{boot} {os.readlink('/proc/self/ns/pid')}")
    except OSError:
        return False


def started(pid: int) -> str | None:
    """The start time of a process in kernel ticks, which tells it from a later process with the same number.
    None if there is no such process, or it has ended but was not yet reaped."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if after_name[0] in "ZX" else after_name[19]


def _gone(told: dict[str, Any]) -> str:
    if on_this_machine(told):
        return f"its process {told['pid']} ended without reporting why: it was killed or crashed"
    silent = datetime.fromtimestamp(told["at"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"no sign of life from process {told['pid']} on {told['host']} since {silent}"


def _by_manifests(run: Path) -> State:
    manifests = manifest.of_run(run)
    if not run.is_dir():
        raise UserError(f"There is no run directory {run}.")
    if manifests or any(run.glob("wrfout_*")):
        return _of_another_program(run, [_in_use(path) for path in manifests.values()])
    raise UserError(
        f"{run} is not a run directory: it has neither {NAME} nor a manifest (STREAM{manifest.ENDING})."
    )


def _of_another_program(run: Path, in_use: list[bool | None]) -> State:
    """`in_use`: whether its manifests are; none where it has none."""
    told = wrf_run.told(run)
    how = wrf_run.outcome(run)
    if any(in_use):
        return State("running", told=told)
    if how != "died":
        return State("done", told=told)
    # WRF closes its files a moment before it says that it is complete; without locks only its messages are a
    # sign of life.
    if wrf_run.silence(run) < (SILENT if None in in_use or not in_use else _BEATS):
        return State("running", told=told)
    why = f"{wrf_run.LOG} does not say that WRF completed the run; its last lines may say why"
    return State("died", why, told)


def _in_use(path: Path) -> bool | None:
    """Whether a run is writing a manifest: a process then holds the writers' shared lock on it. None: there
    are no locks on this file system."""
    lock = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _IN_USE, 1, 0)
    try:
        with path.open("rb") as file:
            answer = fcntl.fcntl(file, fcntl.F_OFD_GETLK, lock)
    except OSError:
        return None
    return bool(struct.unpack(_FLOCK, answer)[0] != fcntl.F_UNLCK)
