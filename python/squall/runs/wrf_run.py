"""What the folder of a WRF run tells of it: its namelist.input, its messages, and its manifests."""

import contextlib
import os
import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.runs import manifest
from squall.wrf import dates
from squall.wrf import namelist as namelists
from squall.wrf.namelist import Namelist

SETTINGS = "squall_io.toml"  # what becomes of WRF's streams, beside the namelist
LOG = "rsl.error.0000"  # the first rank's messages, where WRF was built for several
_END = 65536  # bytes of the log's end: some hundred steps
_STEP = re.compile(r"Timing for main: time (\S+) on domain +1: +([\d.]+) elapsed seconds")
_COMPLETE = "SUCCESS COMPLETE WRF"

Step = tuple[datetime, float]  # the model time that it reached, and the wall-clock time up to there [s]


def told(run: Path) -> dict[str, Any]:
    """As a status file says it, as far as it is known here; empty for what is no folder of WRF."""
    namelist = _namelist(run)
    log = _log(run)
    if namelist is None and not log:
        return {}
    steps = list(_steps(log))
    counted = len(steps) - 1  # from the first one's end
    steps = steps or _frames(run)
    start, end = _span(namelist) if namelist else (None, None)
    start = start or (steps[0][0] if steps else None)
    found: dict[str, Any] = {"program": "WRF", "name": run.resolve().name}
    if start is not None:
        now = steps[-1][0] if steps else start
        found |= {
            "start": start.isoformat(),
            "time": now.isoformat(),
            "seconds": (now - start).total_seconds(),
        }
        if end is not None and end > start:
            found["duration"] = (end - start).total_seconds()
    found |= _speed(steps, found)
    if counted > 0 and "speed" in found:
        found["steps_per_second"] = counted / (steps[-1][1] - steps[0][1])
    return found | ({"domains": domains(namelist)} if namelist else {})


def outcome(run: Path) -> str:
    """How WRF ended, as its messages say: "done", "died", or "" where there are none."""
    log = _log(run)
    return "" if not log else "done" if _COMPLETE in log else "died"


def silence(run: Path) -> float:
    """Seconds since WRF's last message; endless where there is none."""
    try:
        return time.time() - (run / LOG).stat().st_mtime
    except OSError:
        return float("inf")


def domains(namelist: Namelist) -> list[dict[str, Any]]:
    """Cells, spacing [m] and places of the domains, the outermost first; only those of which all is told."""
    found: list[dict[str, Any]] = []
    for number in range(1, int(_number(namelist, "max_dom") or 1) + 1):
        nx, ny, nz = (_number(namelist, f"e_{way}", number) for way in ("we", "sn", "vert"))
        parent = next((one for one in found if one["domain"] == _number(namelist, "parent_id", number)), None)
        if not nx or not ny or not nz or (number > 1 and parent is None):
            continue
        one: dict[str, Any] = {"domain": number, "nx": int(nx) - 1, "ny": int(ny) - 1, "nz": int(nz) - 1}
        ratio = int(_number(namelist, "parent_grid_ratio", number) or 1) if parent else 1
        for name in ("dx", "dy"):
            one[name] = parent[name] / ratio if parent else _number(namelist, name) or 1000.0
        if parent:
            one |= {"name": f"d{number:02d}", "parent": parent["domain"], "parent_grid_ratio": ratio}
            for name in ("i_parent_start", "j_parent_start"):
                one[name] = int(_number(namelist, name, number) or 1)
        found.append(one)
    return found


def nests(run: Path, attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Those that stay where they are right inside the domain of a file with these attributes: name, first
    cells, from 1, and how many of its cells they cover."""
    namelist = _namelist(run)
    if namelist is None or _number(namelist, "num_moves") or namelist.columns("domains.vortex_interval"):
        return []
    everyone = domains(namelist)
    sizes = {"nx": "WEST-EAST_GRID_DIMENSION", "ny": "SOUTH-NORTH_GRID_DIMENSION"}
    number = attributes.get("GRID_ID")
    known = next((one for one in everyone if one["domain"] == number), None)
    if known is None or any(known[key] + 1 != attributes.get(name) for key, name in sizes.items()):
        return []
    return [
        {"name": one["name"], "i": one["i_parent_start"], "j": one["j_parent_start"],
         "width": one["nx"] / one["parent_grid_ratio"], "height": one["ny"] / one["parent_grid_ratio"]}
        for one in everyone if one.get("parent") == number
    ]  # fmt: skip


def _namelist(run: Path) -> Namelist | None:
    try:
        return namelists.read(run / "namelist.input")
    except (OSError, UserError):
        return None


def _number(namelist: Namelist, key: str, domain: int = 1) -> float | None:
    value = namelist.column(f"domains.{key}", domain)
    return float(value) if isinstance(value, int | float) else None


def _span(namelist: Namelist) -> tuple[datetime | None, datetime | None]:
    try:
        return dates.time_of(namelist, "start", 1), dates.end_of_run(namelist)
    except UserError:
        return None, None


def _log(run: Path) -> str:
    """The end of WRF's messages."""
    try:
        with (run / LOG).open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - _END))
            return log.read().decode(errors="replace")
    except OSError:
        return ""


def _steps(log: str) -> Iterator[Step]:
    """Those of the outermost domain, which contain those of its nests."""
    spent = 0.0
    for found in _STEP.finditer(log):
        date = dates.written(found[1])
        if date is not None:
            spent += float(found[2])
            yield date, spent


def _frames(run: Path) -> list[Step]:
    """Of a WRF that tells no steps: its frames, and when their files were last changed."""
    found: dict[str, float] = {}
    for path in manifest.of_part(run, "history"):
        for event in manifest.events(path):
            file = manifest.place(path, event.get("file"))
            if event.get("event") == "frame" and file is not None:
                with contextlib.suppress(OSError):
                    found[str(event.get("time"))] = file.stat().st_mtime
    dated = ((dates.written(text), at) for text, at in sorted(found.items()))
    return [(date, at) for date, at in dated if date is not None]


def _speed(steps: list[Step], found: dict[str, Any]) -> dict[str, Any]:
    """Over the steps: model time per wall-clock time, and the time left at this speed [s]."""
    if len(steps) < 2 or steps[-1][1] - steps[0][1] <= 0:
        return {}
    took = steps[-1][1] - steps[0][1]
    speed = (steps[-1][0] - steps[0][0]).total_seconds() / took
    if speed <= 0:
        return {}
    left = {"seconds_left": (found["duration"] - found["seconds"]) / speed} if "duration" in found else {}
    return {"speed": speed} | left
