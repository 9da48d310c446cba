"""Completes a domain that the run file does not define fully, so that it fits the analysis."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from squall import quantity
from squall.errors import UserError
from squall.geo.domain import Domain
from squall.geo.projection import Float, Projection
from squall.prepare.sources.grids import SourceGrid

MARGIN = 3.0  # cells of the analysis that stay outside on every side
MOST_CELLS = 250  # along a side, unless a spacing is asked for
FINER = 3.0  # the analysis's spacing over the domain's, where nothing is asked for
ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Wishes:
    """The given properties of a domain; None: not given."""

    nx: int | None = None
    ny: int | None = None
    dx: float | None = None  # m
    dy: float | None = None
    center_latitude: float | None = None
    center_longitude: float | None = None
    projection: str | None = None
    true_latitude_1: float | None = None
    true_latitude_2: float | None = None
    standard_longitude: float | None = None


def fit(grid: SourceGrid, wishes: Wishes) -> Domain:
    """The domain with the given properties; the others are chosen so that it lies well inside the analysis.

    Raises UserError if centre or size are missing for a global analysis, and if the edge of the map crosses
    the domain.
    """
    latitude, longitude = _center(grid, wishes)
    projection = choose_projection(latitude, longitude, wishes)
    nx, ny, dx, dy = wishes.nx, wishes.ny, wishes.dx, wishes.dy
    if nx is None or ny is None:
        if grid.wraps:
            raise _say_where("how large")
        width, height = _room(grid, projection, latitude, longitude)
        if dx is None:
            dx = _round_up(max(grid.spacing / FINER, max(width, height) / MOST_CELLS))
        nx = nx or int(width / dx)
        ny = ny or int(height / (dy or dx))
    if dx is None:
        dx = _round_up(grid.spacing / FINER)
    domain = Domain(projection, nx, ny, dx, dy or dx, latitude, longitude)
    domain.refuse_ends_of_map()
    return domain


def _center(grid: SourceGrid, wishes: Wishes) -> tuple[float, float]:
    latitude, longitude = wishes.center_latitude, wishes.center_longitude
    if latitude is not None and longitude is not None:
        return latitude, (longitude + 180) % 360 - 180
    if grid.wraps:
        raise _say_where("where")
    middle_x, middle_y = (0.5 * (axis[0] + axis[-1]) for axis in (grid.x, grid.y))
    lon, lat = grid.inverse(np.array(middle_x), np.array(middle_y))
    rounded = round(float(lat), 2), round((float(lon) + 180) % 360 - 180, 2)
    return (rounded[0] if latitude is None else latitude, rounded[1] if longitude is None else longitude)


def _say_where(what: str) -> UserError:
    return UserError(
        f"The analysis is global: specify {what} the domain is. On the command line, for example "
        '--center 40,-95 --size 120x100 --spacing "30 km"; in a run file, center_latitude and '
        "center_longitude of [prepare] and nx, ny and dx of [domain]."
    )


def choose_projection(latitude: float, longitude: float, wishes: Wishes) -> Projection:
    """Mercator within 20 degrees of the equator, polar stereographic beyond 70, Lambert between, with
    true latitudes 10 degrees to both sides of the middle; wishes go before."""
    name = wishes.projection or (
        "mercator" if abs(latitude) < 20 else "polar-stereographic" if abs(latitude) > 70 else "lambert"
    )
    first = wishes.true_latitude_1
    second = wishes.true_latitude_2
    if name == "lambert":
        nearer, farther = np.sign(latitude) * (abs(latitude) - 10), np.sign(latitude) * (abs(latitude) + 10)
        if first is None:
            first = round(float(nearer), 1) if second is None else second
        if second is None:
            second = round(float(farther), 1) if wishes.true_latitude_1 is None else first
        if first * second <= 0:
            raise UserError(
                f"True latitudes {first:g} and {second:g} of a Lambert projection must lie on the same "
                f"side of the equator, and not on it."
            )
    elif first is None:
        first = round(latitude, 1) if name != "lat-lon" else 0.0
    standard = longitude if wishes.standard_longitude is None else wishes.standard_longitude
    return Projection(name, first, first if second is None else second, (standard + 180) % 360 - 180)


def _room(grid: SourceGrid, projection: Projection, latitude: float, longitude: float) -> tuple[float, float]:
    """Width and height in m of the largest rectangle around a point, of the analysis's own shape,
    whose sides lie inside the analysis with a margin."""
    x0, y0 = projection.forward(np.array(longitude), np.array(latitude))
    ends = [np.linspace(axis[0], axis[-1], 101) for axis in (grid.x, grid.y)]
    sides = [(ends[0], np.full(101, y)) for y in ends[1][[0, -1]]]
    sides += [(np.full(101, x), ends[1]) for x in ends[0][[0, -1]]]
    x, y = (np.concatenate(part) for part in zip(*sides, strict=True))
    px, py = projection.forward(*_usable(*grid.inverse(x, y)))
    half_x, half_y = float(np.abs(px - x0).max()), float(np.abs(py - y0).max())
    for factor in np.arange(1.0, 0.02, -0.01):
        if _inside(grid, projection, (x0, y0), (factor * half_x, factor * half_y)):
            return 2 * factor * half_x, 2 * factor * half_y
    raise UserError(
        f"No domain around {quantity.latitude(latitude)} {quantity.longitude(longitude)} lies inside the "
        f"analysis, {MARGIN:g} of its cells from its sides."
    )


def _usable(longitude: Float, latitude: Float) -> tuple[Float, Float]:
    """Away from the poles, where cylinders and the far cone have no end."""
    return longitude, np.clip(latitude, -85, 85)


def _inside(
    grid: SourceGrid, projection: Projection, middle: tuple[Float, Float], half: tuple[float, float]
) -> bool:
    steps = np.linspace(-1, 1, 41)
    border = np.array([(a, b) for a, b in product(steps, steps) if max(abs(a), abs(b)) == 1])
    x, y = middle[0] + half[0] * border[:, 0], middle[1] + half[1] * border[:, 1]
    longitude, latitude = projection.inverse(x, y)
    return bool(np.isfinite(longitude).all() and grid.inside(longitude, latitude, MARGIN).all())


def _round_up(length: float) -> float:
    """The next round number of km, in m."""
    power = 10 ** np.floor(np.log10(length))
    return float(next(n * power for n in ROUND if n * power >= 0.999 * length))
