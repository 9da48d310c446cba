"""Map projections of a sphere: coordinates, map factors, the angle between north and the grid.

The formulae of the map factors and of the convergence are those of Snyder (1987, Map Projections:
A Working Manual, USGS Professional Paper 1395, chapters 7, 15, 21); coordinates are PROJ's.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pyproj import Proj

from squall.diagnose.constants import EARTH_RADIUS

Float = NDArray[np.float64]


# Name of the run file: WRF's number and WRF's text.
WRF_PROJECTIONS = {
    "lambert": (1, "Lambert Conformal"),
    "polar-stereographic": (2, "Polar Stereographic"),
    "mercator": (3, "Mercator"),
    "lat-lon": (6, "Lat/Lon"),
}


@dataclass(frozen=True)
class Projection:
    """A map projection: one of WRF's four, named as in the run file.

    The pole of the polar-stereographic projection is that of the hemisphere of `true_latitude_1`.
    In "lat-lon", x and y are degrees times the length of a degree of the equator.
    """

    name: str  # "lambert", "polar-stereographic", "mercator", "lat-lon"
    true_latitude_1: float  # degrees north
    true_latitude_2: float
    standard_longitude: float  # degrees east
    radius: float = EARTH_RADIUS  # m

    @cached_property
    def proj(self) -> Proj:
        """The PROJ object of the projection; x and y in m."""
        common: dict[str, float | str] = {"R": self.radius, "lon_0": self.standard_longitude}
        if self.name == "lambert":
            own: dict[str, float | str] = {
                "proj": "lcc", "lat_1": self.true_latitude_1, "lat_2": self.true_latitude_2,
                "lat_0": self.true_latitude_1,
            }  # fmt: skip
        elif self.name == "polar-stereographic":
            pole = float(np.copysign(90, self.true_latitude_1))
            own = {"proj": "stere", "lat_0": pole, "lat_ts": self.true_latitude_1}
        elif self.name == "mercator":
            own = {"proj": "merc", "lat_ts": self.true_latitude_1}
        elif self.name == "lat-lon":
            own = {"proj": "eqc"}
        else:
            raise ValueError(f"unknown projection {self.name}")
        return Proj({**common, **own})

    def forward(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """x and y [m] of longitudes and latitudes [degrees]; longitudes may be in any turn."""
        x, y = self.proj(np.where(np.abs(longitude) > 360, np.mod(longitude, 360), longitude), latitude)
        return np.asarray(x), np.asarray(y)

    def inverse(self, x: Float, y: Float) -> tuple[Float, Float]:
        """Longitude (-180 to 180) and latitude in degrees of x and y in m."""
        longitude, latitude = self.proj(x, y, inverse=True)
        with np.errstate(invalid="ignore"):  # infinite where the map ends
            return (np.asarray(longitude) + 180) % 360 - 180, np.asarray(latitude)

    @cached_property
    def turn(self) -> float | None:
        """The period of x, once around the Earth [m]; None for projections that are not cylindrical."""
        if self.name == "lat-lon":
            return float(2 * np.pi * self.radius)
        if self.name == "mercator":
            return float(2 * np.pi * self.radius * np.cos(np.radians(self.true_latitude_1)))
        return None

    @cached_property
    def cone(self) -> float:
        """The cone constant: 0 for a cylinder, 1 for a polar projection, negative in the southern
        hemisphere."""
        if self.name == "polar-stereographic":
            return float(np.sign(self.true_latitude_1))
        if self.name != "lambert":
            return 0.0
        one, two = np.radians(self.true_latitude_1), np.radians(self.true_latitude_2)
        if abs(one - two) < 1e-6:
            return float(np.sin(one))
        spread = np.log(np.tan(np.pi / 4 + two / 2) / np.tan(np.pi / 4 + one / 2))
        return float(np.log(np.cos(one) / np.cos(two)) / spread)

    def convergence(self, longitude: Float) -> Float:
        """Angle from the grid's y axis to true north, anticlockwise [radians]: WRF's alpha.

        With it, u_east = u cos(alpha) - v sin(alpha) and v_north = v cos(alpha) + u sin(alpha).
        """
        west = (self.standard_longitude - longitude + 180) % 360 - 180
        return np.radians(self.cone * west)

    def map_factors(self, latitude: Float) -> tuple[Float, Float]:
        """Map factors in x and y: distance on the map divided by distance on the Earth."""
        phi = np.radians(latitude)
        first = np.radians(self.true_latitude_1)
        if self.name == "lat-lon":
            return 1 / np.cos(phi), np.ones_like(phi)
        if self.name == "mercator":
            factor = np.cos(first) / np.cos(phi)
        elif self.name == "polar-stereographic":
            factor = (1 + np.sin(abs(first))) / (1 + np.sign(first) * np.sin(phi))
        else:
            ratio = np.tan(np.pi / 4 + first / 2) / np.tan(np.pi / 4 + phi / 2)
            factor = np.cos(first) / np.cos(phi) * ratio**self.cone
        return factor, factor
