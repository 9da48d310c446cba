"""The base map: coasts, borders, meridians and parallels, in km from the corner of domain 1."""

from typing import Any

import numpy as np

from squall.geo import coasts, maps
from squall.geo.projection import Float
from squall.watch.source import Source

_CONTINENTS = 15000  # km of a map on which borders within countries are too many
_LATTICE = 65  # points along each side, between which a place on the Earth is interpolated


def offset(origin: Source, first: Source) -> tuple[float, float]:
    """Where a domain's corner lies in the first one's plane [km]."""
    if origin.map is None or first.map is None or origin.map.projection != first.map.projection:
        return 0.0, 0.0
    return tuple((a - b) / 1000 for a, b in zip(origin.map.origin, first.map.origin, strict=True))  # type: ignore[return-value]


def ground(origin: Source) -> dict[str, Any]:
    """Lines as flat lists x, y, x, y, ... [km], and the lattice; nothing of a domain nowhere on the Earth."""
    plan = origin.map
    if plan is None:
        return {"coasts": [], "countries": [], "states": [], "graticule": [], "lattice": None}
    detail: coasts.Detail = "l" if plan.width > 2500 else "i"
    smallest = (0.01 * plan.width) ** 2
    kinds: tuple[tuple[str, coasts.Kind, float], ...] = (
        ("coasts", "gshhs", smallest), ("countries", "countries", 0.0), ("states", "states", 0.0)
    )  # fmt: skip
    if plan.width > _CONTINENTS:
        kinds = kinds[:2]
    tolerance = plan.width / 4000
    lines = {
        name: [_flat(_thin(line, tolerance)) for line in plan.inside(coasts.lines(kind, detail, least))]
        for name, kind, least in kinds
    }
    return {"states": [], **lines, "graticule": _graticule(plan), "lattice": _lattice(origin)}


def _flat(points: Float) -> list[float]:
    return [float(value) for value in np.round(points, 2).ravel()]


def _thin(points: Float, tolerance: float) -> Float:
    """Leaves out points that are nearer to the one before than can be seen."""
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    kept = np.flatnonzero(np.diff(np.floor(steps / tolerance), prepend=-1.0) > 0)
    return points[np.union1d(kept, len(points) - 1)]


def _graticule(plan: maps.Map) -> list[dict[str, Any]]:
    return [
        {"name": name, "axis": axis, "line": _flat(np.column_stack([x, y]))}
        for axis, name, x, y in plan.graticule()
    ]


def _lattice(origin: Source) -> dict[str, Any]:
    """Unit vectors of places on the Earth at points over the whole domain: these, unlike degrees, can be
    interpolated across the date line and a pole."""
    assert origin.map is not None
    (dx, dy), n = origin.spacing, _LATTICE
    x, y = np.meshgrid(np.linspace(0, origin.nx * dx, n), np.linspace(0, origin.ny * dy, n))
    longitude, latitude = (np.radians(part) for part in origin.map.where(x, y))
    vectors = (
        np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude),
    )  # fmt: skip
    names = ("east", "left", "north")
    return {"n": n} | {
        name: np.round(part, 6).ravel().tolist() for name, part in zip(names, vectors, strict=True)
    }
