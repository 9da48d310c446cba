"""A built-in analysis: a westerly jet round the Earth, the same on all meridians and at all times.

Temperature falls towards the poles through a troposphere of middle latitudes below an isothermal
stratosphere; geopotential follows hydrostatically from a sea-level pressure that falls towards the pole
around the jet's latitude; the wind is in gradient balance with it on each pressure level (Holton and Hakim
2013, section 3.2). Nothing is measured: it is for trying nests, terrain and machines where no weather is at
hand.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import EARTH_RADIUS, EARTH_ROTATION, LAPSE, R_D, G
from squall.prepare.sources.grids import SourceGrid, lat_lon
from squall.prepare.sources.piece import Array, Piece, Window

#: How a run file names it among its analyses.
NAME = "westerly-jet"

Profile = NDArray[np.float64]

_LEVELS = 100.0 * np.array(
    [1000, 975, 950, 925, 900, 850, 800, 750, 700, 650, 600, 550, 500, 450, 400, 350, 300, 250, 200, 150,
     100, 70, 50, 30, 20, 10.0]
)  # fmt: skip
_MIDDLE, _WIDTH = 58.0, 11.0  # of the front that the jet lies over, degrees
_WARM, _COLD = 298.0, 262.0  # sea-level temperatures far from the front, K
_STRATOSPHERE = 216.0  # K
_PRESSURE_DROP = 4500.0  # of sea-level pressure across the front, Pa


def pieces(times: Sequence[datetime]) -> Iterator[Piece]:
    """Pieces for every field and time. Winds are eastward and northward. The ground lies at sea level; what
    of it is land is not told: that comes with heights, prepare.terrain."""
    longitude, latitude = np.arange(0.0, 360.0), np.arange(-89.0, 89.5, 1.0)
    grid = lat_lon(longitude, latitude)
    temperature, height = _atmosphere(latitude)
    surface = _sea_level_temperature(latitude)
    upper = {
        "temperature": (temperature, "K"),
        "height": (height, "m"),
        "u": (_wind(latitude, height), "m s-1"),
        "v": (np.zeros_like(height), "m s-1"),
        "relative_humidity": (_humidity(temperature), "%"),
    }
    planes = {
        "sea_level_pressure": (_sea_level_pressure(latitude), "Pa"),
        "surface_pressure": (_sea_level_pressure(latitude), "Pa"),
        "terrain": (np.zeros_like(latitude), "m"),
        "skin_temperature": (surface, "K"),
        "sea_surface_temperature": (np.maximum(surface, 271.4), "K"),
    }
    for time in times:
        for name, (values, units) in upper.items():
            yield _piece(name, time, "pressure", tuple(_LEVELS), grid, units, values)
        for name, (values, units) in planes.items():
            yield _piece(name, time, "surface", (0.0,), grid, units, values[None])


def _piece(
    name: str, time: datetime, kind: str, levels: tuple[float, ...], grid: SourceGrid, units: str, of: Profile
) -> Piece:
    """values: (levels, latitudes)."""
    return Piece(
        name, time, kind, levels, grid, units, f"{NAME}: {name}", _round_the_earth(of, grid),  # type: ignore[arg-type]
        origin="an idealised westerly jet",
    )  # fmt: skip


def _round_the_earth(values: Profile, grid: SourceGrid) -> Callable[[Window], Array]:
    def load(window: Window) -> Array:
        return window.of(np.broadcast_to(values[..., None], (*values.shape, len(grid.x))))

    return load


def _across(latitude: Profile) -> Profile:
    """A profile from 0 on the equatorial side of the front to 1 on the polar side, in both hemispheres."""
    return 0.5 * (1 + np.tanh((np.abs(latitude) - _MIDDLE) / _WIDTH))


def _sea_level_temperature(latitude: Profile) -> Profile:
    return _WARM + (_COLD - _WARM) * _across(latitude)


def _sea_level_pressure(latitude: Profile) -> Profile:
    return 102_600 - _PRESSURE_DROP * _across(latitude)


def _atmosphere(latitude: Profile) -> tuple[Profile, Profile]:
    """Temperature [K] and height [m], (levels, latitudes): a constant lapse rate up to where it is as cold as
    the stratosphere, which is everywhere the same."""
    below, pressure = _sea_level_temperature(latitude), _sea_level_pressure(latitude)
    ratio = _LEVELS[:, None] / pressure
    power = R_D * LAPSE / G
    tropopause = (_STRATOSPHERE / below) ** (1 / power)  # pressure over that at sea level
    temperature = np.where(ratio > tropopause, below * ratio**power, _STRATOSPHERE)
    height = np.where(
        ratio > tropopause,
        (below - below * ratio**power) / LAPSE,
        (below - _STRATOSPHERE) / LAPSE + R_D * _STRATOSPHERE / G * np.log(tropopause / ratio),
    )
    return temperature, height


def _wind(latitude: Profile, height: Profile) -> Profile:
    """Towards east [m s-1]: the root of u (f + u tan(phi) / a) = -g dz/dy that is slow where the air is
    at rest. Towards the equator, where there is no such balance, it fades."""
    phi = np.radians(latitude)
    coriolis, curvature = 2 * EARTH_ROTATION * np.sin(phi), np.tan(phi) / EARTH_RADIUS
    slope = -G * np.gradient(height, phi, axis=-1) / EARTH_RADIUS
    root = np.sqrt(np.maximum(coriolis**2 + 4 * curvature * slope, 0))
    away = np.abs(latitude) > 10
    wind = np.where(away, 2 * slope / np.where(away, coriolis + np.copysign(root, coriolis), 1), 0)
    return np.asarray(wind * np.clip((np.abs(latitude) - 10) / 10, 0, 1))


def _humidity(temperature: Profile) -> Profile:
    """[%]: moist below, dry above the tropopause."""
    return 5 + 82 * np.clip((temperature - _STRATOSPHERE) / 60, 0, 1)
