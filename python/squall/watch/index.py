"""The index of runs, streams, frames, grids, fields and levels."""

from pathlib import Path
from typing import Any

import numpy as np

from squall.diagnose.columns import LEVEL
from squall.errors import UserError
from squall.plot import choice
from squall.reader.frames import history_files, stream_of
from squall.watch import tiles
from squall.watch.ground import offset
from squall.watch.reading import Store
from squall.watch.run import Run
from squall.watch.source import Source

_PRESSURES = (1000, 925, 850, 700, 500, 300, 250, 200, 100)
_HEIGHTS = (0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15)


def index(runs: list[Run], store: Store) -> dict[str, Any]:
    """Of all runs. Streams without frames are left out; they come when they have one."""
    return {"runs": [_run(number, run, store) for number, run in enumerate(runs)]}


def _run(number: int, run: Run, store: Store) -> dict[str, Any]:
    streams, stations, trouble = [], [], ""
    for stream, domain in run.parts():
        try:
            origin = run.source(stream, domain)
            first = run.source("history", 1) if stream == "history" and domain > 1 else origin
            place = offset(origin, first) if origin.map else _on_plane(run, origin)
            streams.append(_stream(number, origin, place, store))
        except UserError as error:
            if found := _stations(run, stream_of(stream, domain)):
                stations.append(found)
                continue
            trouble = trouble or (str(error) if _has_files(run, stream, domain) else "")
    title = run.history_title()
    return {"name": run.name, "title": title, "generation": run.generation, "streams": streams,
            "stations": stations, "trouble": "" if streams else trouble}  # fmt: skip


def _stations(run: Run, stream: str) -> dict[str, Any] | None:
    try:
        return run.stations(stream).about()
    except UserError:
        return None


def _has_files(run: Run, stream: str, domain: int) -> bool:
    try:
        return bool(history_files(Path(run.path), domain, stream))
    except UserError:
        return False


def _on_plane(run: Run, origin: Source) -> tuple[float, float]:
    """Where the corner of a domain that is nowhere on the Earth lies in the first one's plane [km], by the
    cell of its parent, from 1, that its files tell."""
    told = origin.history.attrs
    try:
        parent, i, j = (int(told[name]) for name in ("PARENT_ID", "I_PARENT_START", "J_PARENT_START"))
        if not 0 < parent < origin.domain:
            return 0.0, 0.0
        around = run.source(origin.stream, parent)
    except (KeyError, ValueError, TypeError, UserError):
        return 0.0, 0.0
    (x, y), (dx, dy) = _on_plane(run, around), around.spacing
    return x + (i - 1) * dx, y + (j - 1) * dy


def _stream(number: int, origin: Source, place: tuple[float, float], store: Store) -> dict[str, Any]:
    key = number, origin.stream, origin.domain, origin.name, len(origin.history.variables)
    fields = store.get(("fields", *key), lambda: origin.fields, lambda _: 10_000)
    origin.__dict__["fields"] = fields  # the same in all frames
    dx, dy = origin.spacing
    x, y = place
    return {
        "name": origin.stream,
        "domain": origin.domain,
        "grid": {"nx": origin.nx, "ny": origin.ny, "nz": int(origin.history.sizes.get(LEVEL, 0)), "dx": dx,
                 "dy": dy, "x": x, "y": y, "earth": origin.map is not None,
                 "depth": tiles.depth(origin.nx, origin.ny), "name": origin.name},
        "frames": [round(float(t), 2) for t in origin.elapsed],
        "start": None if origin.start is None else origin.valid(0.0),
        "fields": [vars(known) for known in fields],
        "levels": store.get(("levels", *key), lambda: _levels(origin), lambda _: 10_000),
    }  # fmt: skip


def _levels(origin: Source) -> dict[str, list[dict[str, str]]]:
    """For each dimension of levels what can be chosen: the text that asks for it, and how it is shown."""
    found = {}
    for dim, values in origin.levels().items():
        shown = choice.LEVELS[dim]
        found[dim] = [
            {"level": str(k), "name": f"{value * shown.factor:g} {shown.unit}", "kind": shown.label}
            for k, value in enumerate(values)
        ]
    layers = int(origin.history.sizes.get(LEVEL, 0))
    if layers:
        found[LEVEL] = [*_surfaces(origin), *_layers(layers)]
    return found


def _layers(number: int) -> list[dict[str, str]]:
    return [
        {"level": str(k), "name": f"layer {k + 1}" if k else "lowest layer", "kind": "model layer"}
        for k in range(number)
    ]


def _surfaces(origin: Source) -> list[dict[str, str]]:
    """Pressures and heights between which there is air everywhere or nearly so."""
    if not {"P", "PB", "PH", "PHB"} <= set(origin.history.variables) or origin.history.sizes[LEVEL] < 2:
        return []
    i, j = origin.nx // 2, origin.ny // 2
    column = origin.box(0, slice(i, i + 1), slice(j, j + 1))
    pressure = np.asarray((column["P"] + column["PB"]).values, float).ravel() / 100
    height = np.asarray((column["PH"] + column["PHB"]).values, float).ravel() / 9810
    top, bottom = pressure.min(), pressure.max()
    asked = [(f"{p} hPa", "pressure") for p in _PRESSURES if top < p < bottom + 40]
    asked += [(f"{z} km", "height") for z in _HEIGHTS if height[0] < z < height[-1]]
    return [{"level": text, "name": text, "kind": kind} for text, kind in asked]
