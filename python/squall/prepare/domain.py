"""The grid of a domain on the Earth: projection, points, map factors, rotation.

The Earth is a sphere of 6370 km, as in WRF. x runs along rows, y along columns; point (0, 0) is
the south-western mass point. U points lie half a cell west of mass points, V points south.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Projection:
    """A map projection: WRF's four, by the names of the run file."""

    name: str  # "lambert", "polar-stereographic", "mercator", "lat-lon"
    true_latitude_1: float  # degrees north
    true_latitude_2: float
    standard_longitude: float  # degrees east


@dataclass(frozen=True)
class Domain:
    """A rectangular grid on a projection."""

    projection: Projection
    nx: int  # cells
    ny: int
    dx: float  # m
    dy: float
    center_latitude: float  # degrees north
    center_longitude: float  # degrees east
