"""How far points of the grid lie from each other."""

import numpy as np
import xarray as xr

from squall.diagnose.constants import EARTH_RADIUS
from squall.errors import UserError

_ATTRIBUTES = {"west_east": "DX", "south_north": "DY"}


def number(frame: xr.Dataset, attribute: str) -> float | None:
    """A global attribute that is a number; None where it lacks or is none, as in files of others."""
    try:
        value = float(np.ravel(frame.attrs[attribute])[0])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None


def told(frame: xr.Dataset, dim: str) -> float | None:
    """Of points along west_east or south_north on the grid [m], by DX and DY; None: they do not tell."""
    value = number(frame, _ATTRIBUTES[dim])
    return value if value is not None and value > 0 else None


def spacing(frame: xr.Dataset, dim: str) -> float:
    """The same. Raises UserError naming the attribute that lacks."""
    value = told(frame, dim)
    if value is None:
        raise UserError(
            f"The history has no attribute {_ATTRIBUTES[dim]} that is a distance: that of points along "
            f"{dim}, in m, which this needs. Set it, as with ncatted."
        )
    return value


def drawn(frame: xr.Dataset, dim: str) -> float:
    """For axes of pictures: what the attributes tell, or else the mean distance on the Earth by XLAT and
    XLONG [m]. Raises UserError where neither tells."""
    value = told(frame, dim)
    if value is None and {"XLAT", "XLONG"} <= set(frame.variables) and frame.sizes.get(dim, 0) > 1:
        value = _on_the_earth(frame, dim)
    return spacing(frame, dim) if value is None else value


def _on_the_earth(frame: xr.Dataset, dim: str) -> float | None:
    if dim not in frame["XLAT"].dims:
        return None
    axis = frame["XLAT"].get_axis_num(dim)
    latitude, longitude = (np.radians(frame[name].values.astype(float)) for name in ("XLAT", "XLONG"))
    north = np.sin(np.diff(latitude, axis=axis) / 2) ** 2
    east = np.sin(np.diff(longitude, axis=axis) / 2) ** 2
    middle = np.take(latitude, range(latitude.shape[axis] - 1), axis) + np.diff(latitude, axis=axis) / 2
    arc = 2 * np.arcsin(np.sqrt(north + np.cos(middle) ** 2 * east))
    return float(EARTH_RADIUS * arc.mean()) or None
