"""The grid of a domain on the Earth: points, map factors, rotation, Coriolis parameters.

The Earth is a sphere of 6370 km, as in WRF. x runs along rows, y along columns; point (0, 0) is
the south-western mass point. U points lie half a cell west of mass points, V points south.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from squall import quantity
from squall.diagnose.constants import EARTH_ROTATION
from squall.errors import UserError
from squall.geo.projection import WRF_PROJECTIONS, Float, Projection

__all__ = ["Domain", "Points", "Projection", "Stagger"]

Stagger = Literal["mass", "u", "v", "corner"]

_HIGHEST = 89.9  # degrees, of the sides of a lat-lon domain

# Index of a kind's first point in mass points, and how many more there are than cells: x, y.
_STAGGER: dict[Stagger, tuple[float, int, float, int]] = {
    "mass": (0.0, 0, 0.0, 0),
    "u": (-0.5, 1, 0.0, 0),
    "v": (0.0, 0, -0.5, 1),
    "corner": (-0.5, 1, -0.5, 1),
}


@dataclass(frozen=True, eq=False)
class Points:
    """The grid points of one stagger; arrays are (rows, columns), float64."""

    latitude: Float  # degrees north
    longitude: Float  # degrees east, -180 to 180
    map_factor_x: Float  # distance on the map over distance on the Earth: WRF's MAPFAC_MX, _UX, _VX
    map_factor_y: Float
    sin_alpha: Float  # of the angle from the grid's y to true north, anticlockwise: WRF's SINALPHA
    cos_alpha: Float

    @cached_property
    def coriolis(self) -> tuple[Float, Float]:
        """F and E: twice the Earth's rotation times the sine and the cosine of latitude, s-1."""
        phi = np.radians(self.latitude)
        return 2 * EARTH_ROTATION * np.sin(phi), 2 * EARTH_ROTATION * np.cos(phi)


@dataclass(frozen=True)
class Domain:
    """A rectangular grid on a projection. Shapes: mass (ny, nx), u (ny, nx + 1), v (ny + 1, nx)."""

    projection: Projection
    nx: int  # cells
    ny: int
    dx: float  # m
    dy: float
    center_latitude: float  # degrees north, of the middle of the domain
    center_longitude: float  # degrees east
    # Of a nest: what WRF calls GRID_ID, PARENT_ID, PARENT_GRID_RATIO, I_ and J_PARENT_START (from 1).
    grid_id: int = 1
    parent_id: int = 0
    parent_ratio: int = 1
    i_parent_start: int = 1
    j_parent_start: int = 1
    outermost_center_latitude: float | None = None  # WRF's MOAD_CEN_LAT; None: its own

    @cached_property
    def mass(self) -> Points:
        return self.points("mass")

    @cached_property
    def u(self) -> Points:
        return self.points("u")

    @cached_property
    def v(self) -> Points:
        return self.points("v")

    def points(self, stagger: Stagger) -> Points:
        """The points of a stagger: "mass", "u", "v" or "corner", the cells' corners (ny + 1, nx + 1)."""
        i0, more_i, j0, more_j = _STAGGER[stagger]
        i = i0 + np.arange(self.nx + more_i)
        j = j0 + np.arange(self.ny + more_j)
        longitude, latitude = self.locate(*np.meshgrid(i, j))
        factor_x, factor_y = self.projection.map_factors(latitude)
        alpha = self.projection.convergence(longitude)
        return Points(latitude, longitude, factor_x, factor_y, np.sin(alpha), np.cos(alpha))

    @cached_property
    def _origin(self) -> tuple[float, float]:
        """x and y of mass point (0, 0) on the projection's plane, m."""
        center = np.array(self.center_longitude), np.array(self.center_latitude)
        x, y = self.projection.forward(*center)
        return float(x) - (self.nx - 1) / 2 * self.dx, float(y) - (self.ny - 1) / 2 * self.dy

    def locate(self, i: Float, j: Float) -> tuple[Float, Float]:
        """Longitude and latitude [degrees] at indices of mass points, which may be fractional."""
        x0, y0 = self._origin
        return self.projection.inverse(x0 + np.asarray(i) * self.dx, y0 + np.asarray(j) * self.dy)

    def indices(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """Fractional indices i and j of mass points for longitudes and latitudes [degrees]; infinite beyond
        the edge of the map. On a cylindrical projection, which is periodic in x, the position nearest to the
        domain's centre.
        """
        x0, y0 = self._origin
        x, y = self.projection.forward(longitude, latitude)
        if (turn := self.projection.turn) is not None:
            turns = np.round((x - x0 - (self.nx - 1) / 2 * self.dx) / turn)
            x = x - turn * np.where(np.isfinite(turns), turns, 0)
        return (x - x0) / self.dx, (y - y0) / self.dy

    def refuse_ends_of_map(self) -> None:
        """Raises UserError if the domain crosses the edge of its map: a pole of a cylindrical projection, the
        cut of a conical one, or the full circle."""
        kind, corners = self.projection.name, self.points("corner")
        turn = self.projection.turn
        if turn is not None and self.nx * self.dx > turn:
            raise UserError(
                f"The domain of {self.nx} cells of {self.dx / 1000:g} km wraps around the {kind} map, "
                f"which is {turn / 1000:.0f} km wide: use fewer cells (nx) or a smaller dx."
            )
        _, y = self._origin
        rows = y + (np.arange(self.ny + 1) - 0.5) * self.dy
        highest = float(np.degrees(np.abs(rows).max() / self.projection.radius))
        if kind == "lat-lon" and highest > _HIGHEST:
            raise UserError(
                f"The domain reaches to {highest:.2f} degrees of latitude on a lat-lon map, where cells "
                f"shrink to no width; the limit is {_HIGHEST:g}. Near a pole use projection = "
                '"polar-stereographic", or move the domain, or make it smaller.'
            )
        i, j = self.indices(corners.longitude, corners.latitude)
        expected = np.meshgrid(np.arange(self.nx + 1) - 0.5, np.arange(self.ny + 1) - 0.5)
        off = np.maximum(np.abs(i - expected[0]), np.abs(j - expected[1]))
        if not (off < 0.1).all():
            row, column = np.argwhere(~(off < 0.1))[0]
            raise UserError(
                f"The domain crosses the edge of its {kind} map at "
                f"{quantity.latitude(corners.latitude[row, column])} "
                f"{quantity.longitude(corners.longitude[row, column])}: a cone is cut opposite to its "
                f"standard_longitude, {self.projection.standard_longitude:g} degrees, and ends at the pole. "
                'Use another standard_longitude, or projection = "polar-stereographic" around a pole.'
            )

    def start_around(self, longitude: float, latitude: float, width: float, height: float) -> tuple[int, int]:
        """The first cell (from 1, as in WRF) of a nest of width x height cells centred on a point [degrees],
        rounded as in the model."""
        i, j = self.indices(np.array(longitude), np.array(latitude))
        return round(float(i) + 0.5 - width / 2) + 1, round(float(j) + 0.5 - height / 2) + 1

    def child(self, ratio: int, i_start: int, j_start: int, nx: int, ny: int, grid_id: int = 2) -> "Domain":
        """A nest: its first cell lies in the south-western corner of the parent's cell (i_start,
        j_start), counted from 0; nx and ny are multiples of `ratio`, as WRF asks.

        With an odd ratio, every `ratio`-th of its points is one of the parent's.
        """
        self._refuse_child(ratio, i_start, j_start, nx, ny)
        # The middle of the nest, in the parent's mass points.
        middle_i = i_start - 0.5 + nx / ratio / 2
        middle_j = j_start - 0.5 + ny / ratio / 2
        longitude, latitude = self.locate(np.array(middle_i), np.array(middle_j))
        return replace(
            self,
            nx=nx,
            ny=ny,
            dx=self.dx / ratio,
            dy=self.dy / ratio,
            center_latitude=float(latitude),
            center_longitude=float(longitude),
            grid_id=grid_id,
            parent_id=self.grid_id,
            parent_ratio=ratio,
            i_parent_start=i_start + 1,
            j_parent_start=j_start + 1,
            outermost_center_latitude=self._moad_center_latitude,
        )

    def _refuse_child(self, ratio: int, i_start: int, j_start: int, nx: int, ny: int) -> None:
        if ratio < 1 or nx % ratio or ny % ratio:
            raise UserError(
                f"A nest of {nx} x {ny} cells with ratio {ratio} does not end on its parent's cells. "
                f"Use multiples of {ratio}."
            )
        if min(i_start, j_start) < 1 or i_start + nx // ratio >= self.nx or j_start + ny // ratio >= self.ny:
            raise UserError(
                f"The nest covers cells {i_start} to {i_start + nx // ratio - 1} from west to east and "
                f"{j_start} to {j_start + ny // ratio - 1} from south to north of its parent, which has "
                f"{self.nx} x {self.ny}: it must lie inside the parent's outermost row."
            )

    @property
    def _moad_center_latitude(self) -> float:
        own = self.outermost_center_latitude
        return self.center_latitude if own is None else own

    def wrf_attributes(self) -> dict[str, str | int | float]:
        """WRF's global attributes of the grid and projection; integers are int, others float."""
        number, text = WRF_PROJECTIONS[self.projection.name]
        return {
            "WEST-EAST_GRID_DIMENSION": self.nx + 1,
            "SOUTH-NORTH_GRID_DIMENSION": self.ny + 1,
            "DX": self.dx,
            "DY": self.dy,
            "GRIDTYPE": "C",
            "GRID_ID": self.grid_id,
            "PARENT_ID": self.parent_id,
            "I_PARENT_START": self.i_parent_start,
            "J_PARENT_START": self.j_parent_start,
            "PARENT_GRID_RATIO": self.parent_ratio,
            "CEN_LAT": self.center_latitude,
            "CEN_LON": self.center_longitude,
            "TRUELAT1": self.projection.true_latitude_1,
            "TRUELAT2": self.projection.true_latitude_2,
            "MOAD_CEN_LAT": self._moad_center_latitude,
            "STAND_LON": self.projection.standard_longitude,
            "POLE_LAT": 90.0,
            "POLE_LON": 0.0,
            "MAP_PROJ": number,
            "MAP_PROJ_CHAR": text,
        }
