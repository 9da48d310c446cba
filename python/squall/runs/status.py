"""`squall status`: shows the state of a run, and waits for a state or a frame."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from squall.errors import UserError
from squall.printable import cell
from squall.runs import manifest, run_state
from squall.runs.manifest import iso
from squall.runs.run_state import State

# Those of `squall run`, and one for a running run.
EXIT_CODES = {"done": 0, "died": 1, "stopped": 3, "running": 4}
_LOOK = 0.5  # s


@dataclass(frozen=True)
class Status:
    """The state of a run, and for each stream its published frames and their cost."""

    run: Path
    state: State
    streams: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        told = {key: value for key, value in self.state.told.items() if key != "squall_status"}
        own = {"run": str(self.run), "state": self.state.word, "why": self.state.why, "streams": self.streams}
        return told | own


def look(run: Path) -> Status:
    """The status of a run. Raises UserError if the directory is not a run directory."""
    state = run_state.state_of(run)
    told = {str(stream["name"]): stream for stream in state.told.get("streams", [])}
    manifests = manifest.of_run(run)
    names = list(dict.fromkeys([*told, *manifests]))
    streams = [told.get(name, {"name": name}) | _published(manifests.get(name)) for name in names]
    return Status(run, state, streams)


def _published(path: Path | None) -> dict[str, Any]:
    frames = [event for event in manifest.events(path) if event.get("event") == "frame"] if path else []
    times = {
        str(event["time"]): event for event in frames
    }  # a frame that was rewritten after a restart counts once
    last = times[max(times)] if times else {}
    return {"published": len(times), "last_frame": last.get("time"), "last_file": last.get("file")}


def lines(status: Status) -> Iterator[Text | Table]:
    """The status as lines and tables to print."""
    told = status.state.told
    why = f": {status.state.why}" if status.state.why else ""
    yield cell(f"{status.run}  {status.state.word}{why}")
    if told:
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for row in _about(status.state.word, told):
            table.add_row(*map(cell, row))
        yield table
    if status.streams:
        yield _table(status.streams)


def _about(word: str, told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Of other programs than the model only some of this is known."""
    if "time" in told:
        yield "model time", told["time"] + _share(told)
    if "speed" in told:
        yield "speed", _speed(word, told)
    if "courant" in told:
        wind = f", max |w| {told['max_w']:.2g} m/s" if "max_w" in told else ""
        yield "health", f"Courant {told['courant']:.2f}{wind}"
    if told.get("load"):
        yield "load", _loads(told["load"])
        now, most = max(told["staging"]) / 1e6, max(told["staging_peak"]) / 1e6
        limit = told["staging_limit"] / 1e6
        yield "staging", f"{now:.3g} MB now, {most:.3g} MB at most so far, limit {limit:.4g} MB"
    if "pid" in told:
        yield (
            "where",
            f"{told['host']}, process {told['pid']}, {told['ranks']} rank(s), {told['threads']} thread(s)",
        )
    silent = time.time() - told.get("stepped_at", time.time())
    if word == "running" and silent > max(10.0, 5 / max(told["steps_per_second"], 1e-9)):
        yield "", f"no step completed for {_span(silent)}"
    if told.get("restart"):
        yield "restart", told["restart"]


def _share(told: dict[str, Any]) -> str:
    if "duration" not in told:
        return ""
    share = 100 * told["seconds"] / told["duration"] if told["duration"] else 100
    return f", {share:.0f} % of {_span(told['duration'])}"


def _speed(word: str, told: dict[str, Any]) -> str:
    steps = f", {told['steps_per_second']:.3g} steps/s" if "steps_per_second" in told else ""
    left = told.get("seconds_left")
    rest = f", {_span(left)} left" if word == "running" and left is not None else ""
    return f"{told['speed']:.3g} x real time{steps}{rest}"


def _loads(load: list[float]) -> str:
    """The ranks' load: the share of time in which a rank did not wait for others."""
    if len(load) == 1:
        return f"{load[0]:.0%}"
    least = load.index(min(load))
    return f"{min(load):.0%} (rank {least}) to {max(load):.0%}, mean {sum(load) / len(load):.0%}"


_ROWS = ("stream", "published", "last frame", "lost", "waits", "perceived", "drain")


def _table(streams: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in _ROWS:
        table.add_column(name, justify="left" if name in ("stream", "last frame") else "right", no_wrap=True)
    for stream in streams:
        costs = ["", "", _milliseconds(stream.get("perceived_last")), ""]
        if "waits" in stream:  # the stream has ended
            waited = f" ({stream['waited']:.3g} s)" if stream["waits"] else ""
            lost = str(stream["failed"] + stream["skipped"])
            perceived = _milliseconds(stream["perceived_median"])
            costs = [lost, f"{stream['waits']}{waited}", perceived, f"{stream['drain_median']:.3g} s"]
        row = [stream["name"], str(stream["published"]), stream["last_frame"] or "-", *costs]
        table.add_row(*map(cell, row))
    return table


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e3 * seconds:.3g} ms"


def _span(seconds: float) -> str:
    whole = round(seconds)
    days, rest = divmod(whole, 86400)
    text = f"{rest // 3600}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days} d {text}" if days else text


def wait_for(run: Path, what: str, timeout: float | None) -> int:
    """Waits for a state ("running", "done", "stopped", "died"), for "ended" (any state but running), or for a
    frame ("history at 2005-01-01T12:00"). Returns 0 when it is reached; 1 if it can no longer be reached,
    because the run is done or died; 4 after `timeout` seconds. Also waits for a directory that does not exist
    yet, and for a stopped run to be continued."""
    there = _condition(run, what)
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        state = _state(run)
        if there(state):
            return 0
        if state is not None and state.word in ("done", "died") and what != "running":
            return EXIT_CODES["died"]
        if deadline is not None and time.monotonic() >= deadline:
            return EXIT_CODES["running"]
        time.sleep(_LOOK)


def _state(run: Path) -> State | None:
    try:
        return run_state.state_of(run)
    except UserError:
        if (run / run_state.NAME).exists():
            raise
        return None


def _condition(run: Path, what: str) -> Callable[[State | None], bool]:
    if what in EXIT_CODES:
        return lambda state: state is not None and state.word == what
    if what == "ended":
        return lambda state: state is not None and state.ended
    stream, separator, moment = what.partition(" at ")
    if not separator or not stream.strip():
        raise UserError(
            f"--wait-for {what!r}: give a state ({', '.join(EXIT_CODES)}, ended) or a frame, as "
            '"history at 2005-01-01T12:00".'
        )
    return _Frame(run, stream.strip(), iso(moment.strip()))


class _Frame:
    """Looks for a frame in the lines added to its manifest."""

    def __init__(self, run: Path, stream: str, time: str) -> None:
        self._run, self._stream, self._time = run, stream, time
        self._tail: manifest.Tail | None = None

    def __call__(self, state: State | None) -> bool:
        if self._tail is None:
            found = manifest.of_part(self._run, self._stream)
            if not found:
                return False
            self._tail = manifest.Tail(found[0])
        _, events = self._tail.events()
        return any(event.get("event") == "frame" and event.get("time") == self._time for event in events)


def dump(status: Status) -> str:
    return json.dumps(status.as_json(), indent=1)
