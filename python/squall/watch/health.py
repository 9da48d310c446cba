"""How a run is: how far, how fast, what its output costs it."""

import json
from datetime import datetime
from typing import Any

from squall import report as reports
from squall.errors import UserError
from squall.watch.run import Run

_LATEST = 400  # frames of which times are told


def health(run: Run) -> dict[str, Any]:
    """Of the newest of what manifests and the report say."""
    streams = {name: _stream(events) for name, events in run.manifests().items()}
    return {"streams": streams, "report": _report(run)}


def _stream(events: list[dict[str, Any]]) -> dict[str, Any]:
    published = [event for event in events if event.get("event") == "published"]
    engine = next((event.get("engine") for event in events if event.get("event") == "open"), None)
    return {
        "engine": engine,
        "frames": len({event.get("time") for event in events if event.get("event") == "stored"}),
        "published": [_moment(event.get("at")) for event in published[-_LATEST:]],
    }


def _moment(text: Any) -> float | None:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return None


def _report(run: Run) -> dict[str, Any] | None:
    """Of a run that has ended."""
    if not run.path.is_dir():
        return None
    try:
        found = reports.load(run.path)
    except UserError:
        return None
    summary = reports.summary(found)
    kept = json.loads(json.dumps(summary))
    for stream, whole in zip(kept["streams"], found.streams, strict=True):
        stream["timeline"] = [_frame(entry) for entry in whole.get("timeline", [])[-_LATEST:]]
    return dict(kept)


def _frame(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if isinstance(value, int | float | str)}
