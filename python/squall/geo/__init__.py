"""Domains on the Earth: projections, grid points, coastlines, and maps.

    >>> from squall.geo import Domain, Projection
    >>> domain = Domain(Projection("lambert", 30, 60, -97), 100, 82, 30e3, 30e3, 34.5, -97)
    >>> domain.mass.latitude.shape
    (82, 100)

`squall.geo.maps` draws maps: `Map.of(frame).dress(ax)` adds coasts, borders and the graticule to a plot.
"""

from squall.diagnose.constants import EARTH_RADIUS, EARTH_ROTATION
from squall.geo.domain import Domain, Points, Stagger
from squall.geo.projection import WRF_PROJECTIONS, Projection

__all__ = [
    "EARTH_RADIUS",
    "EARTH_ROTATION",
    "WRF_PROJECTIONS",
    "Domain",
    "Points",
    "Projection",
    "Stagger",
]
