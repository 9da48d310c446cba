"""One schedule carried out: the run under fire, what is left of it, recovery, and a run after it."""

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fault_trials import machine
from fault_trials.schedule import CHUNK, FRAMES, SHARD, Fault, Layout, Schedule

START = 10.0  # seconds that mpirun may take on a busy machine, beside what the run itself takes
LINGER = 5.0  # seconds that it may take when all its processes are gone, before it is helped


@dataclass(frozen=True)
class Patience:
    """Seconds: `deadline` is the session's timeout; `margin` is what a run may take beside it."""

    deadline: float = 4.0
    margin: float = 15.0

    def on_a_busy_machine(self) -> "Patience":
        """As long as it takes that no rank is missed because it gets no processor."""
        return replace(self, deadline=self.deadline * _crowd())


@dataclass
class Ended:
    """How a run of the writer ended and what its ranks wrote in their logs."""

    code: int
    said: str
    hung: bool
    seconds: float
    logs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for log in self.logs.values() for event in log if event["event"] == kind]


@dataclass(frozen=True)
class Visible:
    """What readers see: per frame number how many points are wrong; and files that they cannot read."""

    frames: dict[int, int]
    faults: list[str]
    twice: list[int]


@dataclass(frozen=True)
class Tool:
    code: int
    said: str


@dataclass
class Trial:
    """Everything that the judge looks at."""

    schedule: Schedule
    fired: list[str]
    run: Ended
    left: Visible
    verified: Tool
    recovered: Tool
    following: Ended
    after: Visible
    verified_after: Tool


class _Place:
    """The directories of a trial: `data`, which may be a small disk, and the logs beside it."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root / name
        shutil.rmtree(self.root, ignore_errors=True)
        self.data = self.root / "data"
        self.data.mkdir(parents=True)

    def logs(self, name: str) -> Path:
        path = self.root / name
        path.mkdir()
        return path


def carry_out(schedule: Schedule, root: Path, patience: Patience) -> Trial:
    """Leaves nothing behind but, if it raises, the directory."""
    place = _Place(root, f"{schedule.seed}-{schedule.number}")
    programs = machine.programs()
    fault = schedule.fault
    with ExitStack() as stack:
        small = fault.disk and stack.enter_context(machine.small_disk(place.data, fault.disk))
        rules = f"quota={fault.disk}" if fault.disk and not small else fault.rules
        fire = place.logs("fire")
        run = _write(programs, schedule.layout, place.data, fire, patience, fault, rules)
        left, verified = _look(programs, place.data), _tool(programs, "verify", place.data)
        fired = _lines(fire / "faults") + (["the disk"] if fault.disk or "quota" in rules else [])
        if small:  # room again
            subprocess.run(["mount", "-o", "remount,size=64m", str(place.data)], check=True)
        recovered = _tool(programs, "recover", place.data)
        following = _write(programs, schedule.layout, place.data, place.logs("after"), patience)
        after, verified_after = _look(programs, place.data), _tool(programs, "verify", place.data)
    shutil.rmtree(place.root, ignore_errors=True)
    return Trial(schedule, fired, run, left, verified, recovered, following, after, verified_after)


def _write(
    programs: machine.Programs,
    layout: Layout,
    data: Path,
    logs: Path,
    patience: Patience,
    fault: Fault | None = None,
    rules: str = "",
) -> Ended:
    shim = {
        "LD_PRELOAD": str(programs.shim),
        "SQUALL_FAULTS": rules,
        "SQUALL_FAULTS_BELOW": str(data),
        "SQUALL_FAULTS_LOG": str(logs / "faults"),
        "SQUALL_FAULTS_QUOTA_FILE": str(logs / "quota"),
    }
    command = [machine.open_mpi(), "--quiet", "-n", str(layout.processes)]
    if fault is not None:
        command += [word for pair in shim.items() for word in ("-x", "=".join(pair))]
        if not fault.noticed:
            command += ["--mca", "orte_enable_recovery", "1"]
    (data / "spill").mkdir(exist_ok=True)
    # What follows a fault is no trial of the deadline, on a machine that may be busy.
    if fault is None:
        patience = Patience(10 * patience.deadline, patience.margin)
    command += [str(programs.writer), "write", *_settings(layout, data, logs, patience, fault is None)]
    limit = START + patience.margin + 2 * patience.deadline
    process = _Process(command, logs, layout.processes)
    return process.wait(limit, patience.deadline * (fault.stopped if fault else 0))


def _settings(layout: Layout, data: Path, logs: Path, patience: Patience, following: bool) -> list[str]:
    settings = {
        "directory": data,
        "log": logs,
        "engine": layout.engine,
        "placement": layout.placement,
        "servers": layout.servers,
        "groups": layout.groups,
        "shared_memory": int(layout.shared_memory),
        "burst": int(layout.burst),
        "frames_per_file": layout.frames_per_file,
        "pattern": ("again_" if following else "") + layout.pattern,
        "on_error": layout.on_error,
        "on_lost_server": layout.on_lost_server,
        "when_full": layout.when_full,
        "spill_dir": data / "spill",
        "staging_limit": layout.staging_limit,
        "frames": FRAMES,
        "first": FRAMES if following else 0,
        "timeout": patience.deadline,
    }
    if layout.tiled:
        settings |= {"chunk": CHUNK, "shard": SHARD}
    if layout.encode:
        settings["encode"] = layout.encode
    return [f"{key}={value}" for key, value in settings.items()]


class _Process:
    """An mpirun with what it says, and the processes below it by their own logs."""

    def __init__(self, command: list[str], logs: Path, ranks: int) -> None:
        self._logs = logs
        self._ranks = ranks
        self._known: list[int] = []
        self._said = (logs / "said").open("w+")
        self._process = subprocess.Popen(
            command,
            env=machine.environment(logs),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        self._start = time.monotonic()

    def wait(self, limit: float, stopped: float) -> Ended:
        """Lets a process that has stopped go on after `stopped` seconds, once; ends all after `limit`."""
        since: dict[int, float] = {}
        alone = 0.0  # when mpirun was left alone
        while self._process.poll() is None and self._passed() < (limit + stopped) * _crowd():
            if stopped:
                self._wake(since, stopped)
            # Open MPI's mpirun sometimes waits for ever for processes that left it without MPI_Finalize.
            alone = (alone or self._passed()) if self._all_gone() else 0.0
            if alone and self._passed() - alone > LINGER:
                break
            time.sleep(0.1)
        hung = self._process.poll() is None and not alone
        seconds = self._passed()
        self._end()
        with self._said:
            self._said.seek(0)
            return Ended(self._process.returncode, self._said.read(), hung, seconds, self._read_logs())

    def _passed(self) -> float:
        return time.monotonic() - self._start

    def _wake(self, since: dict[int, float], stopped: float) -> None:
        for pid in self._pids():
            if _state(pid) == "T" and time.monotonic() - since.setdefault(pid, time.monotonic()) > stopped:
                _signal(pid, signal.SIGCONT)

    def _end(self) -> None:
        """The ranks first: mpirun would take its time, and one that was left must not write any more."""
        for pid in self._pids():
            while _state(pid) not in ("", "Z"):
                _signal(pid, signal.SIGKILL)
                time.sleep(0.01)
        if self._process.poll() is None:
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def _all_gone(self) -> bool:
        pids = self._pids()
        return len(pids) == self._ranks and all(_state(pid) in ("", "Z") for pid in pids)

    def _pids(self) -> list[int]:
        """Of the ranks whose logs have begun."""
        if len(self._known) < self._ranks:
            self._known = [log[0]["pid"] for log in self._read_logs().values() if log and "pid" in log[0]]
        return self._known

    def _read_logs(self) -> dict[int, list[dict[str, Any]]]:
        return {
            int(path.suffix[1:]): [json.loads(line) for line in _lines(path) if line.endswith("}")]
            for path in sorted(self._logs.glob("rank.*"))
        }


def _crowd() -> float:
    """How many times longer things take where more wants to run than there are processors."""
    return min(6.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def _state(pid: int) -> str:
    """As /proc says it: T is stopped; "": there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _lines(path: Path) -> list[str]:
    return path.read_text(errors="replace").splitlines() if path.exists() else []


def _look(programs: machine.Programs, data: Path) -> Visible:
    done = subprocess.run(
        [programs.writer, "check", f"directory={data}"],
        env=machine.environment(data.parent),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    frames: dict[int, int] = {}
    faults, twice = [], []
    for line in done.stdout.splitlines():
        seen = json.loads(line)
        if "fault" in seen:
            faults.append(f"{seen['file']}: {seen['fault']}")
            continue
        if seen["number"] in frames:
            twice.append(seen["number"])
        frames[seen["number"]] = seen["wrong"]
    if done.returncode:
        faults.append(f"looking at it ended with code {done.returncode}: {done.stderr}")
    return Visible(frames, faults, twice)


def _tool(programs: machine.Programs, task: str, data: Path) -> Tool:
    """A run that wrote nothing has no manifest, which the tools call a mistake: here it is none."""
    if not list(data.rglob("*.manifest.jsonl")):
        return Tool(0, "no manifest")
    done = subprocess.run(
        [programs.io, task, str(data)],
        env=machine.environment(data.parent),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return Tool(done.returncode, done.stdout)
