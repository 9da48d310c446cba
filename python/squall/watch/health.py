"""The health of a run: progress, speed, output costs, and log."""

import json
import os
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.runs import report as reports
from squall.runs import run_state, wrf_run
from squall.watch.run import Run

_LATEST = 400  # frames of which times are told
_SAID = 16384  # bytes of the log's end
_TOLD = (
    "name", "ranks", "threads", "seconds", "time", "duration", "steps", "speed", "steps_per_second",
    "seconds_left", "courant", "max_w", "load", "staging", "staging_peak", "staging_limit", "domains",
    "streams",
)  # fmt: skip


def state(run: Run) -> dict[str, Any]:
    """Whether it runs, and what its status file says; empty for what is no run directory. May take some
    seconds where the run is on another machine and silent."""
    if not run.path.is_dir():
        return {}
    try:
        found = run_state.state_of(run.path)
    except UserError:
        return {}
    told = {name: found.told[name] for name in _TOLD if name in found.told}
    return {"word": found.word, "why": found.why} | told


def health(run: Run) -> dict[str, Any]:
    """The newest that manifests, the report and the log say."""
    streams = {name: _stream(events) for name, events in run.manifests().items()}
    hint = reports.how_to_get_one(run.path) if run.path.is_dir() else ""
    return {"streams": streams, "report": _report(run), "hint": hint, "log": _log(run.path)}


def _stream(events: list[dict[str, Any]]) -> dict[str, Any]:
    engine = next((event.get("engine") for event in events if event.get("event") == "open"), None)
    stored = {str(event.get("time")) for event in events if event.get("event") == "stored"}
    return {"engine": engine, "frames": len(stored), "last": max(stored, default=None)}


def _report(run: Run) -> dict[str, Any] | None:
    """Of a run that has ended."""
    if not run.path.is_dir():
        return None
    try:
        found = reports.load(run.path)
    except UserError:
        return None
    kept: dict[str, Any] = json.loads(json.dumps(reports.summary(found)))
    for stream, whole in zip(kept["streams"], found.streams, strict=True):
        stream["timeline"] = whole.get("timeline", [])[-_LATEST:]
    return kept


def _log(path: Path) -> list[str]:
    """The last lines of what the run said. Beside WRF's messages a run.log is somebody else's."""
    told = path / wrf_run.LOG
    try:
        with (told if told.is_file() else path / run_state.LOG).open("rb") as log:
            log.seek(0, os.SEEK_END)
            skipped = log.seek(max(0, log.tell() - _SAID)) > 0
            lines = log.read(_SAID).decode(errors="replace").splitlines()
    except OSError:
        return []
    return lines[1:] if skipped else lines
