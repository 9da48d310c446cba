"""The grids and levels of squall-transport, as transport/src/globe makes them.

Rows go from south to north, columns from longitude 0 to the east, layers from the ground up; cell (j, i) has
its southern face at `lat_faces[j]` and its western one at `lon_faces[i]`. Angles in radians.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

RADIUS = 6.37122e6  # m, of squall-transport's sphere: that of the published tests
_SURFACE = 1e5  # Pa, to which b of levels belongs


@dataclass(frozen=True)
class Globe:
    """A global grid of nlat rows of nlon cells."""

    lat: Float  # (nlat,)
    lat_faces: Float  # (nlat + 1,)
    nlon: int

    @property
    def nlat(self) -> int:
        return len(self.lat)

    @property
    def width(self) -> float:
        """Of a cell, in longitude."""
        return 2 * np.pi / self.nlon

    @cached_property
    def lon(self) -> Float:
        return np.asarray(self.width * (np.arange(self.nlon) + 0.5))

    @cached_property
    def lon_faces(self) -> Float:
        """(nlon + 1,), from 0 to 2 pi."""
        return np.asarray(self.width * np.arange(self.nlon + 1))

    @cached_property
    def area(self) -> Float:
        """(nlat,) of a cell of each row [m2]; all cells make the sphere."""
        return np.asarray(RADIUS**2 * self.width * np.diff(np.sin(self.lat_faces)))

    def mean(self, values: Float) -> float:
        """Over the sphere, of (nlat, nlon)."""
        return float((self.area[:, None] * values).sum() / (self.area.sum() * self.nlon))


def make_globe(kind: str, nlon: int, nlat: int) -> Globe:
    """kind: "regular", rows of the same height, or "gaussian", rows at the roots of the Legendre polynomial
    of degree nlat whose areas are its weights. nlat is even."""
    if kind == "regular":
        faces = (np.arange(nlat + 1) / nlat - 0.5) * np.pi
        return Globe(((np.arange(nlat) + 0.5) / nlat - 0.5) * np.pi, faces, nlon)
    sines, weights = np.polynomial.legendre.leggauss(nlat)
    north = np.arcsin(
        np.append(1 - np.cumsum(weights[: nlat // 2])[:-1], 0.0)
    )  # from the pole to the equator
    faces = np.concatenate([[-np.pi / 2], -north[:-1], [0.0], north[:-1][::-1], [np.pi / 2]])
    return Globe(np.arcsin(sines), faces, nlon)


@dataclass(frozen=True)
class Levels:
    """Interfaces of layers at p = a + b p_surface, from the ground (a = 0, b = 1) to the top (b = 0)."""

    a: Float  # (nz + 1,) [Pa]
    b: Float  # (nz + 1,)

    @property
    def nz(self) -> int:
        return len(self.a) - 1

    @property
    def top(self) -> float:
        """Pressure at the top [Pa]."""
        return float(self.a[-1])

    def interfaces(self, surface: Float) -> Float:
        """Pressures (nz + 1, ...) below a surface pressure (...) [Pa]."""
        ends = (slice(None), *(None,) * np.ndim(surface))
        return np.asarray(self.a[ends] + self.b[ends] * surface)

    def middles(self, surface: Float) -> Float:
        """Of the layers, (nz, ...)."""
        faces = self.interfaces(surface)
        return np.asarray(0.5 * (faces[1:] + faces[:-1]))


def make_levels(nz: int, top: float, spacing: str, coordinate: str) -> Levels:
    """As [vertical] of a run file says: top in Pa, spacing "height" or "pressure", coordinate "sigma" or
    "hybrid"."""
    share, end = np.arange(nz + 1) / nz, top / _SURFACE
    eta = end**share if spacing == "height" else 1 + share * (end - 1)
    eta[0], eta[-1] = 1, end
    b = (eta - end) / (1 - end)
    if coordinate == "hybrid":
        b = b * b
    return Levels((eta - b) * _SURFACE, b)
