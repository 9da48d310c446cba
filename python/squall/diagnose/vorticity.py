"""Vorticity, divergence and potential vorticity. SI units.

Winds are on mass points, on layers or on any surface; derivatives are along it.
"""

import numpy as np
import xarray as xr

from squall.diagnose import air, wind
from squall.diagnose.columns import LEVEL, of_points
from squall.diagnose.constants import EARTH_ROTATION, G
from squall.diagnose.spacing import spacing
from squall.diagnose.staggering import centred


def map_factors(history: xr.Dataset) -> tuple[xr.DataArray | float, xr.DataArray | float]:
    """Map factors along x and y on mass points: distance on the grid divided by distance on the Earth. They
    differ if the projection is not conformal, such as latitude-longitude."""
    return _map_factor(history, "MAPFAC_MX"), _map_factor(history, "MAPFAC_MY")


def _map_factor(history: xr.Dataset, name: str) -> xr.DataArray | float:
    known = next((n for n in (name, "MAPFAC_M") if n in history), None)  # WRF 2 wrote one for both
    if known is None:
        return 1.0
    factor = centred(history[known])
    return factor.where(factor > 0, 1.0)  # zeros: a file that was made without


def slope(history: xr.Dataset, array: xr.DataArray, dim: str) -> xr.DataArray:
    """Derivative along west_east or south_north with respect to distance on the grid: centred differences,
    also across the sides of a periodic domain, one-sided at other sides; 0 along a dimension of one point."""
    if array.sizes[dim] < 2:
        return xr.zeros_like(array)
    distance = spacing(history, dim)
    wraps = _is_periodic(history, array, dim)
    values = array.pad({dim: 1}, mode="wrap") if wraps else array
    found = values.copy(data=np.gradient(values.data, distance, axis=values.get_axis_num(dim)))
    return found.isel({dim: slice(1, -1)}) if wraps else found


def _is_periodic(history: xr.Dataset, array: xr.DataArray, dim: str) -> bool:
    """Whether the last point is beside the first: of a whole domain of Squall's, whose files say so."""
    x, y = np.broadcast_to(history.attrs.get("SQUALL_PERIODIC", 0), 2)
    faces = "WEST-EAST_GRID_DIMENSION" if dim == "west_east" else "SOUTH-NORTH_GRID_DIMENSION"
    whole = array.sizes[dim] + 1 == history.attrs.get(faces)
    return bool(whole and (x if dim == "west_east" else y))


def relative(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Relative vorticity [s-1]: mx my (d(v/my)/dx - d(u/mx)/dy), mx and my the map factors along x and y
    (Haltiner and Williams 1980, section 1-9)."""
    mx, my = map_factors(history)
    return (slope(history, v / my, "west_east") - slope(history, u / mx, "south_north")) * mx * my


def divergence(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Divergence [s-1]: mx my (d(u/my)/dx + d(v/mx)/dy) (Haltiner and Williams 1980, section 1-9)."""
    mx, my = map_factors(history)
    return (slope(history, u / my, "west_east") + slope(history, v / mx, "south_north")) * mx * my


def coriolis(history: xr.Dataset) -> xr.DataArray:
    """Planetary vorticity 2 Omega sin(latitude) [s-1]: F, or from XLAT."""
    if "F" in history:
        return centred(history["F"])
    latitude = centred(history["XLAT"])
    return 2 * EARTH_ROTATION * of_points(lambda degrees: np.sin(np.radians(degrees)), latitude)


def absolute(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Absolute vorticity [s-1]: relative plus planetary."""
    return relative(history, u, v) + coriolis(history)


def potential(history: xr.Dataset) -> xr.DataArray:
    """Ertel's potential vorticity on layers [K m2 kg-1 s-1]; 1 PVU is 1e-6 of it.

    -g (dp/ds)^-1 [(f + zeta_s) dtheta/ds - dv/ds (dtheta/dx)_s + du/ds (dtheta/dy)_s], of which zeta and the
    derivatives along x and y are at constant s: the hydrostatic form, which is the same in every vertical
    coordinate s (Hoskins, McIntyre and Robertson 1985, Q. J. R. Meteorol. Soc. 111, 877-946, section 2a;
    Haltiner and Williams 1980, section 1-9); here s is the number of the layer, with centred differences.
    """
    (u, v), theta, (mx, my) = wind.along_grid(history), air.theta(history), map_factors(history)
    turning = absolute(history, u, v) * _upwards(theta)
    turning = turning - _upwards(v) * slope(history, theta, "west_east") * mx
    turning = turning + _upwards(u) * slope(history, theta, "south_north") * my
    return turning * -G / _upwards(air.pressure(history))


def _upwards(array: xr.DataArray) -> xr.DataArray:
    """Difference from layer to layer, centred, one-sided at the ends."""
    return array.copy(data=np.gradient(array.data, axis=array.get_axis_num(LEVEL)))
